// Text for a terminal: what a file put into a name or a label cannot steer it.

/** Control characters, and those that end lines or turn the direction of text. */
const STEERING = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const STEERING_RUN = new RegExp(`${STEERING.source}+`, "gu");
const STEERING_BUT_LINE_FEED = new RegExp(`(?!\\n)${STEERING.source}`, "gu");

/** One line, with a blank in place of what steers. */
export function printable(text: string): string {
  return text.toWellFormed().replace(STEERING_RUN, " ");
}

/** Lines, with `\u001b` and the like in place of what steers: JSON still means what it meant. */
export function printableLines(text: string): string {
  return text
    .toWellFormed()
    .replace(STEERING_BUT_LINE_FEED, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
