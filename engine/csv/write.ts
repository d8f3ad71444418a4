// Writes CSV records that read back as the same cells.

export interface CsvDialect {
  /** One character, not a quote or a line end. */
  delimiter: string;
  lineEnding: string;
}

/**
 * Returns one record of one cell or more, with its line end. Quotes stand only where they are needed:
 * around a delimiter, a quote or a line end, and where the bare text would be misread (a blank line, a
 * `sep=` line, a byte order mark). Cells without NUL read back unchanged.
 */
export function formatRecord(cells: readonly string[], dialect: CsvDialect): string {
  const { delimiter, lineEnding } = dialect;
  const line = formatCells(cells, delimiter);
  const isBlank = cells.length === 1 && line.trim() === "";
  if (!isBlank && !isSeparatorLine(line)) return line + lineEnding;
  const rest = cells.length === 1 ? "" : delimiter + formatCells(cells.slice(1), delimiter);
  return quoted(cells[0]!) + rest + lineEnding;
}

/** Returns a part of a record, with the quotes that are needed in the middle of a line. */
export function formatCells(cells: readonly string[], delimiter: string): string {
  return cells.map((cell) => (needsQuotes(cell, delimiter) ? quoted(cell) : cell)).join(delimiter);
}

/** Where its country's list separator is another, a spreadsheet splits lines at these, whatever the quotes. */
const FOREIGN_SPLIT = /([;\t\r\n])/;

/**
 * Puts an apostrophe in front of a cell that a spreadsheet would run: one that begins, after white space, with `=`,
 * `+`, `-` or `@` (full-width ones too), or that begins with a tab or a line end. Does the same after each `;`, tab or
 * line end in the cell. Plain numbers such as -12 or +3.5e2 stay. Rule: OWASP, "CSV Injection".
 */
export function spreadsheetSafe(cell: string): string {
  if (!FOREIGN_SPLIT.test(cell)) return disarmed(cell);
  const inside = cell.split(FOREIGN_SPLIT).map(disarmed).join("");
  return /^[\t\r\n]/.test(cell) ? `'${inside}` : inside;
}

function disarmed(text: string): string {
  const runs = /^\s*[=+\-@＝＋－＠]/.test(text);
  const isNumber = /^\s*[+-]?(?:\d[\d.,]*|[.,]\d+)(?:e[+-]?\d+)?\s*$/i.test(text);
  return runs && !isNumber ? `'${text}` : text;
}

function needsQuotes(cell: string, delimiter: string): boolean {
  return /["\r\n]|^\uFEFF/.test(cell) || cell.includes(delimiter);
}

function quoted(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}

function isSeparatorLine(line: string): boolean {
  return line.length === 5 && line.slice(0, 4).toLowerCase() === "sep=";
}
