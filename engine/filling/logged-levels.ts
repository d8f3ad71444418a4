// Fills a table from the log of the first pass, with the levels that reading the file again would find.

import { MOST_ROWS } from "../csv/reading-kernel.ts";
import type { TableProfile } from "../profile/profile.ts";
import type { LoggedCells } from "../reading/cell-log.ts";
import { levelsOfTexts } from "../reading/level-finder.ts";
import { NO_ROW, writeRows } from "./table-filler.ts";
import type { ColumnWriter, TableFrame } from "./table-frame.ts";

/** Fewer than the kernel's buffers hold, so that levels are written while they are in the caches. */
const CELLS_AT_ONCE = Math.min(2 ** 14, MOST_ROWS);

/**
 * Fills the frame's first rows, as `TableFiller` does, from the cells that the profile's columns logged, and drops the
 * logs. Returns false and writes nothing where a column has no log, or where its log does not tell every level.
 */
export function fillFromLogs(profile: TableProfile, frame: TableFrame): boolean {
  const { columns, label, rowCount } = profile;
  const logs = columns.map(({ scan }) => scan?.log ?? null);
  for (const { scan } of columns) if (scan !== null) scan.log = null;
  const isTold = frame.writers.every(({ column: { index }, rules }) => {
    const log = logs[index]!;
    return log !== null && (!log.hasValues || rules.every(({ nearest }) => nearest !== null));
  });
  const labels = isTold ? logs[label.column]!.take() : null;
  if (labels === null) return false;
  const rows = writeClasses(labels, frame, rowCount);
  for (const writer of frame.writers) fillColumn(writer, logs[writer.column.index]!.take()!, frame, rows);
  return true;
}

/** Writes the class of each row, and returns the row of each record, `NO_ROW` where it has no label. */
function writeClasses(
  parts: readonly LoggedCells[],
  { table: { classes }, classCoder: { classOfText } }: TableFrame,
  recordCount: number,
): Int32Array {
  const rows = new Int32Array(recordCount);
  let record = 0;
  let row = 0;
  for (const cells of parts) {
    // Not `of`: its iterator took a twentieth of all reading.
    for (let at = 0; at < cells.length; at++) {
      const code = classOfText[cells[at]!]!;
      rows[record++] = code < 0 ? NO_ROW : row;
      if (code >= 0) classes[row++] = code;
    }
  }
  return rows;
}

function fillColumn(
  { rules, levels }: ColumnWriter,
  parts: readonly LoggedCells[],
  { kernel }: TableFrame,
  rows: Int32Array,
): void {
  let record = 0;
  for (const cells of parts) {
    for (let from = 0; from < cells.length; from += CELLS_AT_ONCE) {
      const to = Math.min(from + CELLS_AT_ONCE, cells.length);
      for (let feature = 0; feature < rules.length; feature++) {
        const { levelOfText, nearest } = rules[feature]!;
        const found =
          cells instanceof Float64Array
            ? nearest!.of(cells.subarray(from, to), levelOfText)
            : levelsOfTexts(kernel, cells.subarray(from, to), levelOfText);
        writeRows(levels[feature]!, found, rows.subarray(record, record + found.length));
      }
      record += to - from;
    }
    // Frees the memory now, because the table grows as the log shrinks, and the collector would wait.
    cells.buffer.transfer(0);
  }
}
