// Notices a quote that was never meant to open a cell: the lines up to the next quote become text of that cell, and a
// table lacks these rows without a word.

import type { Warning } from "../warning.ts";
import { quotedName } from "./header.ts";

/** Lines of prose may have a comma or two by chance. */
const LEAST_CELLS = 4;

export class SwallowedLines {
  private count = 0;
  /** Cells that hold rows, and cells of several lines that do not: by these, few lines look like rows by chance. */
  private weight = 0;
  private others = 0;
  private most = 0;
  private line = 0;
  private column = "";

  /** Looks at a record that goes over several lines. */
  look(record: readonly string[], names: readonly string[], line: number, delimiter: string): void {
    const cellCount = names.length;
    if (cellCount < LEAST_CELLS) return;
    for (const [at, cell] of record.entries()) {
      const lines = cell.split(/\r\n?|\n/);
      if (lines.length === 1) continue;
      // The first line lacks the cells before the quote, the last one those behind the next quote.
      const last = lines.length - 1;
      const isWhole = (text: string, index: number): boolean => {
        const before = index === 0 ? at : 0;
        const behind = index === last ? cellCount - 1 - at : 0;
        return text.split(delimiter).length === cellCount - before - behind;
      };
      if (!lines.every(isWhole)) {
        this.others++;
        continue;
      }
      // A line of prose has as many cells as a row less often than every second time.
      this.weight += 2 ** lines.length;
      if (last > this.most) {
        this.most = last;
        this.line = line;
        this.column = names[at]!;
      }
      this.count += last;
    }
  }

  warnings(): Warning[] {
    const { count, line, column } = this;
    if (this.weight <= this.others) return [];
    const lines = count === 1 ? "a line" : `${count} lines`;
    const message =
      `Quoted cells hold ${lines} that look like rows, and are not read as such: the longest begins in line ${line}, ` +
      `column ${quotedName(column)}. Remove the quote there if it is not meant to open a cell.`;
    return [{ code: "SWALLOWED_LINES", message, line, column, count }];
  }
}
