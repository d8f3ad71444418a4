// Scripts that put no space between words.

/** One letter or mark of such a script, as the source of a regular expression with the flag `u`. */
export const UNSPACED_LETTER =
  "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}]";
/** No letter before this one is of such a script. */
export const FIRST_UNSPACED = 0xe00;
