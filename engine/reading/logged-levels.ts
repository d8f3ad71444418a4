// A table from what the first pass logged of its cells: the levels that reading the file again would find.

import type { TableProfile } from "../columns/profile.ts";
import type { LevelArray } from "../table.ts";
import type { LoggedCells } from "./cell-log.ts";
import { NO_ROW } from "./level-writer.ts";
import { MOST_ROWS } from "./reading-kernel.ts";
import type { ColumnWriter, TableFrame } from "./table-frame.ts";

/** Fewer than the kernel has room for, so that levels are written while they are in the caches. */
const CELLS_AT_ONCE = Math.min(2 ** 14, MOST_ROWS);

/**
 * Fills the frame's first rows, as `TableBuilder` does, with the cells that the profile's columns logged; the logs are taken away.
 * False, with nothing written, where some column has no log or what it has does not tell all levels.
 */
export function fillFromLogs(profile: TableProfile, frame: TableFrame): boolean {
  const { columns, label, rowCount } = profile;
  const logs = columns.map(({ scan }) => scan?.log ?? null);
  for (const { scan } of columns) if (scan !== null) scan.log = null;
  const isTold = frame.writers.every(({ column: { index }, coded }) => {
    const log = logs[index]!;
    return log !== null && (!log.hasValues || coded.every(({ midpoints }) => midpoints !== null));
  });
  const labels = isTold ? logs[label.column]!.take() : null;
  if (labels === null) return false;
  const rows = writeClasses(labels, frame, label.rowsWithoutLabel === 0 ? null : new Int32Array(rowCount));
  for (const writer of frame.writers) fillColumn(writer, logs[writer.column.index]!.take()!, frame, rows);
  return true;
}

/** Writes the class of each row. Gives the row of each record, or `NO_ROW`, to `rows`, which are null where each has the next. */
function writeClasses(
  parts: readonly LoggedCells[],
  { table: { classes }, classCoder: { classOfText } }: TableFrame,
  rows: Int32Array | null,
): Int32Array | null {
  let record = 0;
  let row = 0;
  for (const cells of parts) {
    // Not `of`: its iterator took a twentieth of all reading.
    for (let at = 0; at < cells.length; at++) {
      const code = classOfText[cells[at]!]!;
      if (rows !== null) rows[record++] = code < 0 ? NO_ROW : row;
      if (code >= 0) classes[row++] = code;
    }
  }
  return rows;
}

function fillColumn(
  { coded, levels }: ColumnWriter,
  parts: readonly LoggedCells[],
  { finder }: TableFrame,
  rows: Int32Array | null,
): void {
  let record = 0;
  for (const cells of parts) {
    for (let from = 0; from < cells.length; from += CELLS_AT_ONCE) {
      const to = Math.min(from + CELLS_AT_ONCE, cells.length);
      for (let feature = 0; feature < coded.length; feature++) {
        const { levelOfText, midpoints } = coded[feature]!;
        const found =
          cells instanceof Float64Array
            ? finder.ofValues(cells.subarray(from, to), midpoints!, levelOfText)
            : finder.ofTexts(cells.subarray(from, to), levelOfText);
        writeRecords(levels[feature]!, found, rows, record);
      }
      record += to - from;
    }
    // At once, where the collector would wait: the table grows as the log shrinks.
    cells.buffer.transfer(0);
  }
}

function writeRecords(levels: LevelArray, found: Uint16Array, rows: Int32Array | null, record: number): void {
  if (rows === null) levels.set(found, record);
  else {
    for (let at = 0; at < found.length; at++) {
      const row = rows[record + at]!;
      if (row >= 0) levels[row] = found[at]!;
    }
  }
}
