// Makes text safe to show in a line: a name or label from a file can neither end it nor steer a terminal.

/** Control characters, and characters that end a line or change the direction of text. */
const STEERING = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

const SHORT_ESCAPES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** One line, with an escape such as `\n` or `\u001b` for each such character: JSON keeps its meaning. */
export function printable(text: string): string {
  return text.toWellFormed().replace(STEERING, (character) => SHORT_ESCAPES[character] ?? escapeOf(character));
}

function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
