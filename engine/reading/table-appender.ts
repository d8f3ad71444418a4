// Rows of a second file behind those of the profiled one: the same levels, so that models of the first can judge the second.
import { quotedName } from "../csv/header.ts";
import type { CellBatch, CellSink } from "../csv/shapes.ts";
import { MISSING_LEVEL, UNLISTED_LEVEL } from "../table.ts";
import type { Warning } from "../warning.ts";
import { LevelWriter, NO_ROW } from "./level-writer.ts";
import type { ReadingKernel } from "./reading-kernel.ts";
import { fileChanged } from "./table-builder.ts";
import type { TableFrame } from "./table-frame.ts";

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
export class TableAppender implements CellSink {
  private readonly frame: TableFrame;
  private readonly source: AppendedRows;
  private readonly writer: LevelWriter;
  private readonly odd: readonly OddCells[];
  private recordsSeen = 0;
  private nextRow: number;

  constructor(frame: TableFrame, source: AppendedRows) {
    this.frame = frame;
    this.source = source;
    const positions = frame.writers.map(({ column }) => source.positions[column.index]!);
    this.writer = new LevelWriter(frame, positions, (at, levels, line) => noteOdd(this.odd[at]!, levels, line));
    this.odd = frame.writers.map(() => ({ unlisted: 0, firstUnlisted: 0, unread: 0, firstUnread: 0 }));
    this.nextRow = source.firstRow;
  }

  get kernel(): ReadingKernel {
    return this.frame.finder.kernel;
  }

  /** @throws InputError FILE_CHANGED where there are more rows than there is room for */
  addCells(batch: CellBatch): void {
    const { table, classCoder } = this.frame;
    const codes = classCoder.codesOf(batch, this.source.labelPosition);
    const rows = new Int32Array(batch.recordCount).fill(NO_ROW);
    for (let record = 0; record < rows.length; record++) {
      if (codes[record]! < 0) continue;
      if (this.nextRow === table.rowCount) throw fileChanged();
      table.classes[this.nextRow] = codes[record]!;
      rows[record] = this.nextRow++;
    }
    this.recordsSeen += batch.recordCount;
    this.writer.write(batch, rows);
  }

  /** Call once, after the last batch: UNSEEN_CATEGORY and NOT_READ by column. @throws InputError FILE_CHANGED where records are lacking */
  finish(): Warning[] {
    const { frame, source } = this;
    if (this.recordsSeen !== source.recordCount || this.nextRow !== frame.table.rowCount) throw fileChanged();
    return frame.writers.flatMap(({ column: { name } }, at) => oddWarnings(name, this.odd[at]!));
  }
}

/** `levels`: of a text that is unlike all of the profiled file. */
function noteOdd(odd: OddCells, levels: readonly number[], line: number): void {
  if (levels[0] === UNLISTED_LEVEL) {
    if (odd.unlisted++ === 0) odd.firstUnlisted = line;
  } else if (levels.every((level) => level === MISSING_LEVEL)) {
    // A date without a time lacks the hour alone.
    if (odd.unread++ === 0) odd.firstUnread = line;
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
