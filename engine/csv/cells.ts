// Complete records to cells: the one place that knows papaparse.

import Papa from "papaparse";

const BYTE_ORDER_MARK = 0xfeff;

/**
 * The cells of each record of `text`. The text is well quoted, every record ends with "\n", and no record is a blank line
 * unless it should come back as one empty cell: `scan.ts` and `records.ts` see to that, and to everything else that
 * papaparse cannot do (mixed line ends, physical lines, strict quoting).
 *
 * A cell is a substring that keeps the whole of `text` alive: whoever stores a few cells of many texts should copy them.
 */
export function splitCells(text: string, delimiter: string): string[][] {
  // Papa.parse drops a leading U+FEFF, which is text here: an empty line in front protects it.
  const guarded = text.charCodeAt(0) === BYTE_ORDER_MARK;
  const { data, errors } = Papa.parse<string[]>(guarded ? `\n${text}` : text, { delimiter, newline: "\n" });
  if (errors.length > 0) throw new Error(`papaparse: ${errors[0]!.message}`);
  data.pop();
  if (guarded) data.shift();
  return data;
}
