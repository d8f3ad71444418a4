// Splits complete records into cells: the only file that uses papaparse.

import Papa from "papaparse";

const BYTE_ORDER_MARK = 0xfeff;

/**
 * Returns the cells of each record of `text`. The text must be well quoted, every record must end
 * with "\n", and a blank line comes back as one empty cell. `scan.ts` and `records.ts` do what
 * papaparse cannot: mixed line ends, physical lines, strict quoting.
 *
 * A cell is a substring that keeps the whole of `text` alive: copy the cells that are kept for long.
 */
export function splitCells(text: string, delimiter: string): string[][] {
  // Papa.parse drops a leading U+FEFF, which is text here, unless an empty line stands in front of it.
  const guarded = text.charCodeAt(0) === BYTE_ORDER_MARK;
  const { data, errors } = Papa.parse<string[]>(guarded ? `\n${text}` : text, { delimiter, newline: "\n" });
  if (errors.length > 0) throw new Error(`papaparse: ${errors[0]!.message}`);
  data.pop();
  if (guarded) data.shift();
  return data;
}
