// Long texts as messages and first looks show them.

/**
 * The text, or its first `most` UTF-16 units and an ellipsis. It never ends in half of a character, which many programs
 * do not read in JSON.
 */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text.toWellFormed();
  const start = text.slice(0, most).replace(/[\ud800-\udbff]$/, "");
  return `${start.toWellFormed()}…`;
}
