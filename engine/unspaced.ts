// Scripts that put no space between words.

const SCRIPTS = ["Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar"];
/** One letter, mark or numeral of such a script, as the source of a regular expression with the flag `v`. */
export const UNSPACED_LETTER = `[[${SCRIPTS.map((name) => `\\p{scx=${name}}`).join("")}]&&[\\p{L}\\p{M}\\p{N}]]`;
/** No letter before this one is of such a script. */
export const FIRST_UNSPACED = 0xe00;
