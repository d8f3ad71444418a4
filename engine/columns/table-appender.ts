// Rows of a second file behind those of the profiled one: the same levels, so that models of the first can judge the second.
import { quotedName } from "../csv/header.ts";
import type { RecordBatch } from "../csv/shapes.ts";
import { MISSING_LEVEL, UNLISTED_LEVEL } from "../table.ts";
import type { Warning } from "../warning.ts";
import { trimCell } from "./reading.ts";
import { fileChanged } from "./table-builder.ts";
import { type ColumnWriter, LevelWriter, NO_ROW, type TableFrame } from "./table-frame.ts";

/** Where the rows go and come from. */
export interface AppendedRows {
  /** Row of the frame's table that takes the first of them; they fill it to its end. */
  firstRow: number;
  /** Where in a record each column of the profiled file stands. */
  positions: readonly number[];
  labelPosition: number;
  recordCount: number;
}

/** Cells of a column that are unlike all of the profiled file. */
interface OddCells {
  unlisted: number;
  firstUnlisted: number;
  unread: number;
  firstUnread: number;
}

/** Takes in the records of the second file in order, in batches of any size. Rows without a known label are left out. */
export class TableAppender {
  private readonly frame: TableFrame;
  private readonly source: AppendedRows;
  private readonly writer: LevelWriter;
  /** Position in a record of each writer's column. */
  private readonly positions: readonly number[];
  private readonly odd: readonly OddCells[];
  private recordsSeen = 0;
  private nextRow: number;

  constructor(frame: TableFrame, source: AppendedRows) {
    this.frame = frame;
    this.source = source;
    this.positions = frame.writers.map(({ column }) => source.positions[column.index]!);
    this.writer = new LevelWriter(frame, this.positions);
    this.odd = frame.writers.map(() => ({ unlisted: 0, firstUnlisted: 0, unread: 0, firstUnread: 0 }));
    this.nextRow = source.firstRow;
  }

  /** @throws InputError FILE_CHANGED where there are more rows than there is room for */
  add(batch: RecordBatch): void {
    const rows = this.placeRows(batch);
    const ids = this.writer.write(batch.records, rows);
    this.frame.writers.forEach((writer, at) => {
      const columnIds = ids.subarray(at * rows.length, (at + 1) * rows.length);
      this.noteOdd(writer, at, columnIds, rows, batch);
    });
  }

  /** Call once, after the last batch: UNSEEN_CATEGORY and NOT_READ by column. @throws InputError FILE_CHANGED where records are lacking */
  finish(): Warning[] {
    const { frame, source } = this;
    if (this.recordsSeen !== source.recordCount || this.nextRow !== frame.table.rowCount) throw fileChanged();
    return frame.writers.flatMap(({ column: { name } }, at) => oddWarnings(name, this.odd[at]!));
  }

  private placeRows({ records }: RecordBatch): Int32Array {
    const { table, classOf } = this.frame;
    const { labelPosition } = this.source;
    const rows = new Int32Array(records.length);
    for (let at = 0; at < records.length; at++) {
      const code = classOf(records[at]![labelPosition]!);
      if (code < 0) {
        rows[at] = NO_ROW;
        continue;
      }
      if (this.nextRow === table.rowCount) throw fileChanged();
      table.classes[this.nextRow] = code;
      rows[at] = this.nextRow++;
    }
    this.recordsSeen += records.length;
    return rows;
  }

  private noteOdd(
    { levels }: ColumnWriter,
    at: number,
    ids: Int32Array,
    rows: Int32Array,
    { records, lines }: RecordBatch,
  ): void {
    const odd = this.odd[at]!;
    const position = this.positions[at]!;
    for (let record = 0; record < ids.length; record++) {
      const row = rows[record]!;
      if (row < 0 || ids[record]! >= 0) continue;
      const isUnlisted = levels[0]![row] === UNLISTED_LEVEL;
      // A date without a time lacks the hour alone.
      if (!isUnlisted && levels.some((own) => own[row] !== MISSING_LEVEL)) continue;
      if (this.frame.markers.has(trimCell(records[record]![position]!))) continue;
      if (isUnlisted) {
        if (odd.unlisted++ === 0) odd.firstUnlisted = lines[record]!;
      } else if (odd.unread++ === 0) odd.firstUnread = lines[record]!;
    }
  }
}

function oddWarnings(column: string, { unlisted, firstUnlisted, unread, firstUnread }: OddCells): Warning[] {
  const warnings: Warning[] = [];
  const warn = (code: string, count: number, line: number, what: string) => {
    if (count === 0) return;
    const cells = count === 1 ? "1 cell holds" : `${count} cells hold`;
    const message = `In column ${quotedName(column)} ${cells} ${what}, the first in line ${line}.`;
    warnings.push({ code, message, line, column, count });
  };
  warn("UNSEEN_CATEGORY", unlisted, firstUnlisted, "a category that TRAIN does not list");
  warn("NOT_READ", unread, firstUnread, "text that cannot be read as TRAIN's is, taken as missing");
  return warnings;
}
