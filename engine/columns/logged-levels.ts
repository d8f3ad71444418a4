// A table from what the first pass found in its cells: the levels that a second pass would find, without one.
import { type ReadingKernel, takeKernel } from "../csv/reading-kernel.ts";
import type { LevelArray } from "../table.ts";
import type { LoggedCells } from "./cell-log.ts";
import type { CodedColumn } from "./features.ts";
import { kernelOf, type TableProfile } from "./profile.ts";
import { type ColumnWriter, NO_ROW, type TableFrame } from "./table-frame.ts";
import { ValueFinder } from "./value-finder.ts";

const CELLS_AT_ONCE = 2 ** 14;

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
    return log !== null && (!log.hasValues || coded.every(({ grid }) => grid !== null));
  });
  const labels = isTold ? logs[label.column]!.take() : null;
  if (labels === null) return false;
  const rows = writeClasses(labels, frame, label.rowsWithoutLabel === 0 ? null : new Int32Array(rowCount));
  const filler = new Filler(kernelOf(profile), rows);
  for (const writer of frame.writers) filler.fill(writer, logs[writer.column.index]!.take()!);
  return true;
}

/** Writes the class of each row. Gives the row of each record, or `NO_ROW`, to `rows`, which are null where each has the next. */
function writeClasses(
  parts: readonly LoggedCells[],
  { table: { classes }, labelCodes: { classOfText } }: TableFrame,
  rows: Int32Array | null,
): Int32Array | null {
  let record = 0;
  let row = 0;
  for (const { cells } of parts) {
    // Not `of`: its iterator took a twentieth of all reading.
    for (let at = 0; at < cells.length; at++) {
      const code = classOfText[cells[at]!]!;
      if (rows !== null) rows[record++] = code < 0 ? NO_ROW : row;
      if (code >= 0) classes[row++] = code;
    }
  }
  return rows;
}

/** Turns logged cells to levels, some at a time. */
class Filler {
  private readonly kernel: ReadingKernel | null;
  private readonly rows: Int32Array | null;
  private readonly found = new Uint16Array(CELLS_AT_ONCE);
  private finder: ValueFinder | null = null;

  constructor(kernel: ReadingKernel | null, rows: Int32Array | null) {
    this.kernel = kernel;
    this.rows = rows;
  }

  fill({ coded, levels }: ColumnWriter, parts: readonly LoggedCells[]): void {
    const finder = this.finderOf(coded, parts);
    let record = 0;
    for (const part of parts) {
      const { length, buffer } = part.cells;
      for (let from = 0; from < length; from += CELLS_AT_ONCE) {
        const to = Math.min(from + CELLS_AT_ONCE, length);
        for (let feature = 0; feature < coded.length; feature++) {
          const { levelOfText } = coded[feature]!;
          const found =
            part.kind === "texts"
              ? this.levelsOfTexts(part.cells.subarray(from, to), levelOfText)
              : finder!.find(part, from, to, levelOfText);
          this.write(levels[feature]!, found, record);
        }
        record += to - from;
      }
      // At once, where the collector would wait: the table grows as the log shrinks.
      buffer.transfer(0);
    }
  }

  /** Null where all cells are texts; a column of other cells has one feature. */
  private finderOf(coded: readonly CodedColumn[], parts: readonly LoggedCells[]): ValueFinder | null {
    const grid = coded[0]?.grid ?? null;
    if (grid === null || parts.every(({ kind }) => kind === "texts")) return null;
    this.finder ??= new ValueFinder(this.kernel ?? takeKernel(), CELLS_AT_ONCE);
    const values = parts.filter(({ kind }) => kind === "values");
    this.finder.hold(
      grid,
      values.reduce((sum, { cells }) => sum + cells.length, 0),
    );
    return this.finder;
  }

  private levelsOfTexts(cells: Uint8Array | Uint16Array, levelOfText: Uint16Array): Uint16Array {
    const { found } = this;
    for (let at = 0; at < cells.length; at++) found[at] = levelOfText[cells[at]!]!;
    return found.subarray(0, cells.length);
  }

  private write(levels: LevelArray, found: LevelArray, record: number): void {
    const { rows } = this;
    if (rows === null) levels.set(found, record);
    else {
      for (let at = 0; at < found.length; at++) {
        const row = rows[record + at]!;
        if (row >= 0) levels[row] = found[at]!;
      }
    }
  }
}
