// Makes text safe for a terminal: a name or label from a file cannot send it control sequences.

/** Control characters, and characters that end a line or change the direction of text. */
const STEERING = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const STEERING_RUN = new RegExp(`${STEERING.source}+`, "gu");
const STEERING_BUT_LINE_FEED = new RegExp(`(?!\\n)${STEERING.source}`, "gu");

/** One line, with a blank for each run of such characters. */
export function printable(text: string): string {
  return text.toWellFormed().replace(STEERING_RUN, " ");
}

/** Several lines, with escapes such as `\u001b` for such characters: JSON keeps its meaning. */
export function printableLines(text: string): string {
  return text
    .toWellFormed()
    .replace(STEERING_BUT_LINE_FEED, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
