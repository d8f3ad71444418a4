// The second pass: batches of records of the profiled file in, the table of levels out.

import { UNKNOWN_LABEL } from "../columns/class-coder.ts";
import type { TableProfile } from "../columns/profile.ts";
import type { ColumnReading } from "../columns/reading.ts";
import type { CellBatch, CellSink } from "../csv/shapes.ts";
import { InputError } from "../input-error.ts";
import type { Table } from "../table.ts";
import { LevelWriter, NO_ROW } from "./level-writer.ts";
import type { ReadingKernel } from "./reading-kernel.ts";
import { type ColumnWriter, layOutTable, type TableFrame } from "./table-frame.ts";

/** A column that makes features, as scoring must find and read it again. */
interface TableColumn {
  name: string;
  /** Position in the training file, from 0. */
  index: number;
  reading: ColumnReading;
  /** Positions of its features in the table. */
  features: readonly number[];
}

export interface BuiltTable {
  table: Table;
  sourceColumns: readonly TableColumn[];
}

/** Takes in the records of the profiled file once more, in order, in batches of any size. Rows without a label are left out. */
export class TableBuilder implements CellSink {
  private readonly frame: TableFrame;
  private readonly writer: LevelWriter;
  private readonly labelColumn: number;
  private readonly recordCount: number;
  private readonly rowCount: number;
  private recordsSeen = 0;
  private rowsWritten = 0;

  /**
   * `frame`: laid out for this profile, with room for its labelled rows; rows behind them are left to others.
   *
   * @throws InputError where there is no frame yet and the table cannot be trained on, see `requireTrainable`
   */
  constructor(profile: TableProfile, frame: TableFrame = layOutTable(profile, labelledRowCount(profile))) {
    this.frame = frame;
    this.writer = new LevelWriter(
      frame,
      frame.writers.map(({ column }) => column.index),
    );
    this.labelColumn = profile.label.column;
    this.recordCount = profile.rowCount;
    this.rowCount = labelledRowCount(profile);
  }

  /** That of the first pass, where its dictionaries are. */
  get kernel(): ReadingKernel {
    return this.frame.finder.kernel;
  }

  /** @throws InputError FILE_CHANGED where the records are not those of the first pass */
  addCells(batch: CellBatch): void {
    const rows = Int32Array.from(this.frame.classCoder.codesOf(batch, this.labelColumn), (code) => this.placeRow(code));
    this.recordsSeen += batch.recordCount;
    this.writer.write(batch, rows);
  }

  /** Call once, after the last batch. @throws InputError FILE_CHANGED where records are lacking */
  finish(): BuiltTable {
    if (this.recordsSeen !== this.recordCount || this.rowsWritten !== this.rowCount) throw fileChanged();
    const { table, writers } = this.frame;
    return { table, sourceColumns: sourceColumnsOf(writers) };
  }

  /** The table's row for the next record, `NO_ROW` without a label; writes the class code. */
  private placeRow(code: number): number {
    if (code === UNKNOWN_LABEL) throw fileChanged();
    if (code < 0) return NO_ROW;
    if (this.rowsWritten === this.rowCount) throw fileChanged();
    this.frame.table.classes[this.rowsWritten] = code;
    return this.rowsWritten++;
  }
}

/** Rows that a profiled file gives to a table. */
export function labelledRowCount({ rowCount, label }: TableProfile): number {
  return rowCount - label.rowsWithoutLabel;
}

export function fileChanged(): InputError {
  return new InputError(
    "FILE_CHANGED",
    "The file changed while it was being read. Try again once nothing writes to it.",
  );
}

function sourceColumnsOf(writers: readonly ColumnWriter[]): TableColumn[] {
  let first = 0;
  return writers.map(({ column: { name, index, reading }, coded }) => {
    const features = coded.map((_, part) => first + part);
    first += features.length;
    return { name, index, reading, features };
  });
}
