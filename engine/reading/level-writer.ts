// The levels of a file's cells into the rows of a table.
import { cellText } from "../csv/cell-text.ts";
import type { CellBatch } from "../csv/shapes.ts";
import { ODD_COUNT, PASSES_OTHERS, READS_NUMBERS, SKIPS_LOOKUP } from "../kernels/layout.ts";
import { type LevelArray, MISSING_LEVEL } from "../table.ts";
import type { ColumnWriter, TableFrame } from "./table-frame.ts";

/** The row of a record that is left out. */
export const NO_ROW = -1;

/** Told of every text that is neither in the dictionary of its column nor missing nor a number: of a writer of the frame, by its place there. */
export type OddCellTaker = (writer: number, levels: readonly number[], line: number) => void;

/** Writes the levels of records into the rows of a frame. */
export class LevelWriter {
  private readonly frame: TableFrame;
  private readonly positions: readonly number[];
  private readonly takeOdd: OddCellTaker;

  /** `positions`: where in a record each of the frame's writers finds its cell. */
  constructor(frame: TableFrame, positions: readonly number[], takeOdd: OddCellTaker = () => undefined) {
    this.frame = frame;
    this.positions = positions;
    this.takeOdd = takeOdd;
  }

  /** `rows`: the row of each record, or `NO_ROW`. */
  write(batch: CellBatch, rows: Int32Array): void {
    const { writers } = this.frame;
    for (let at = 0; at < writers.length; at++) this.writeColumn(at, writers[at]!, batch, rows);
  }

  private writeColumn(
    at: number,
    { dictionary, coded, levels }: ColumnWriter,
    batch: CellBatch,
    rows: Int32Array,
  ): void {
    const { finder } = this.frame;
    const { kernel, recordCount, stride } = batch;
    const position = this.positions[at]!;
    const midpoints = coded[0]!.midpoints;
    const how = midpoints === null ? PASSES_OTHERS : PASSES_OTHERS | READS_NUMBERS | SKIPS_LOOKUP;
    kernel.exports.findCells(dictionary.at, kernel.columnAt(position, stride), 0, recordCount, how);
    const odd = kernel.odd.slice(0, kernel.outcome[ODD_COUNT]);
    for (let feature = 0; feature < coded.length; feature++) {
      const { levelOfText } = coded[feature]!;
      const found =
        midpoints === null
          ? finder.ofTexts(kernel.ids.subarray(0, recordCount), levelOfText)
          : finder.ofValues(kernel.values.subarray(0, recordCount), midpoints, levelOfText);
      writeRows(levels[feature]!, found, rows);
    }
    for (const record of odd) this.writeOdd(at, record, batch, rows[record]!);
  }

  private writeOdd(at: number, record: number, batch: CellBatch, row: number): void {
    const { writers, markers } = this.frame;
    const { coded, levels } = writers[at]!;
    if (row < 0) return;
    const text = cellText(batch, record, this.positions[at]!);
    const isMissing = markers.has(text);
    const own = coded.map(({ levelOfOther }) => (isMissing ? MISSING_LEVEL : levelOfOther(text)));
    for (let feature = 0; feature < own.length; feature++) levels[feature]![row] = own[feature]!;
    if (!isMissing) this.takeOdd(at, own, batch.kernel.lines[record]!);
  }
}

/** `found`: of each record. */
function writeRows(levels: LevelArray, found: Uint16Array, rows: Int32Array): void {
  const last = rows.length - 1;
  if (last >= 0 && rows[0]! >= 0 && rows[last] === rows[0]! + last) levels.set(found, rows[0]!);
  else for (let at = 0; at <= last; at++) if (rows[at]! >= 0) levels[rows[at]!] = found[at]!;
}
