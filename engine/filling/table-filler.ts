// The second pass, where the logs of the first do not tell all: fills the rows
// of a table with the levels of a file's records.

import { cellText } from "../csv/cell-text.ts";
import { quotedName } from "../csv/header.ts";
import type { ReadingKernel } from "../csv/reading-kernel.ts";
import type { CellBatch, CellSink } from "../csv/types.ts";
import { InputError } from "../input-error.ts";
import { ODD_COUNT, READS_NUMBERS, SKIPS_LOOKUP } from "../kernels/reading/layout.ts";
import { labelledRowCount, type TableProfile } from "../profile/profile.ts";
import { levelsOfTexts } from "../reading/level-finder.ts";
import { type LevelArray, MISSING_LEVEL, UNLISTED_LEVEL } from "../table/table.ts";
import type { Warning } from "../warning.ts";
import type { ColumnWriter, TableFrame } from "./table-frame.ts";

/** The row of a record that is left out of the table. */
export const NO_ROW = -1;

/** The records of one file, and the table rows that they fill. */
export interface RecordSource {
  /** The labelled records fill the rows `[firstRow, endRow)` exactly. */
  firstRow: number;
  endRow: number;
  /** The position in a record of each column of the profiled file. */
  positions: readonly number[];
  labelPosition: number;
  /** Records of the file, labelled or not. */
  recordCount: number;
}

/** The profiled file's own records, which fill the first rows of its table. */
export function ownRecords(profile: TableProfile): RecordSource {
  const { columns, label, rowCount: recordCount } = profile;
  const positions = columns.map(({ index }) => index);
  return { firstRow: 0, endRow: labelledRowCount(profile), positions, labelPosition: label.column, recordCount };
}

/** Texts of one column that the profiled file does not have: how many of each kind, and the line of the first. */
interface OddCells {
  unlisted: number;
  firstUnlisted: number;
  unread: number;
  firstUnread: number;
}

/**
 * Takes all records of a file in order, in batches of any size: those of the profiled file itself, or of a second file
 * whose rows stand after the first's. Records without a known label are left out.
 */
export class TableFiller implements CellSink {
  private readonly frame: TableFrame;
  private readonly source: RecordSource;
  /** One for each writer of the frame. */
  private readonly odd: readonly OddCells[];
  private recordsSeen = 0;
  private nextRow: number;

  constructor(frame: TableFrame, source: RecordSource) {
    this.frame = frame;
    this.source = source;
    this.odd = frame.writers.map(() => ({ unlisted: 0, firstUnlisted: 0, unread: 0, firstUnread: 0 }));
    this.nextRow = source.firstRow;
  }

  /** The kernel of the first pass, whose memory holds the dictionaries. */
  get kernel(): ReadingKernel {
    return this.frame.kernel;
  }

  /** @throws InputError FILE_CHANGED where there are more labelled records than rows */
  addCells(batch: CellBatch): void {
    const { table, classCoder, writers } = this.frame;
    const codes = classCoder.codesOf(batch, this.source.labelPosition);
    const rows = new Int32Array(codes.length).fill(NO_ROW);
    for (let record = 0; record < codes.length; record++) {
      if (codes[record]! < 0) continue;
      if (this.nextRow === this.source.endRow) throw fileChanged();
      table.classes[this.nextRow] = codes[record]!;
      rows[record] = this.nextRow++;
    }
    this.recordsSeen += batch.recordCount;
    for (const [at, writer] of writers.entries()) this.writeColumn(writer, this.odd[at]!, batch, rows);
  }

  /**
   * Call once, after the last batch. Returns UNSEEN_CATEGORY and NOT_READ
   * by column, which are of use for a second file.
   *
   * @throws InputError FILE_CHANGED where records are lacking
   */
  finish(): Warning[] {
    const { frame, source } = this;
    if (this.recordsSeen !== source.recordCount || this.nextRow !== source.endRow) throw fileChanged();
    return frame.writers.flatMap(({ column: { name } }, at) => oddWarnings(name, this.odd[at]!));
  }

  private writeColumn(writer: ColumnWriter, odd: OddCells, batch: CellBatch, rows: Int32Array): void {
    const { dictionary, rules, levels } = writer;
    const { kernel, recordCount, stride } = batch;
    const position = this.source.positions[writer.column.index]!;
    const { nearest } = rules[0]!;
    const how = nearest === null ? 0 : READS_NUMBERS | SKIPS_LOOKUP;
    kernel.exports.findCells(dictionary.at, kernel.columnAt(position, stride), 0, recordCount, how);
    const oddRecords = kernel.odd.slice(0, kernel.outcome[ODD_COUNT]);
    for (let feature = 0; feature < rules.length; feature++) {
      const { levelOfText } = rules[feature]!;
      const found =
        nearest === null
          ? levelsOfTexts(kernel, kernel.ids.subarray(0, recordCount), levelOfText)
          : nearest.of(kernel.values.subarray(0, recordCount), levelOfText);
      writeRows(levels[feature]!, found, rows);
    }
    for (const record of oddRecords) {
      const text = cellText(batch, record, position);
      if (rows[record]! >= 0) this.writeOdd(writer, odd, text, rows[record]!, kernel.lines[record]!);
    }
  }

  /** Writes a cell that is neither in its column's dictionary nor a number that the kernel reads. */
  private writeOdd(writer: ColumnWriter, odd: OddCells, text: string, row: number, line: number): void {
    const { rules, levels, missingTexts } = writer;
    const isMissing = missingTexts.has(text);
    const found = rules.map(({ levelOfOther }) => (isMissing ? MISSING_LEVEL : levelOfOther(text)));
    for (let feature = 0; feature < found.length; feature++) levels[feature]![row] = found[feature]!;
    if (!isMissing) noteOdd(odd, found, line);
  }
}

/** Writes the level found for each record into the record's row. */
export function writeRows(levels: LevelArray, found: Uint16Array, rows: Int32Array): void {
  const last = rows.length - 1;
  if (last >= 0 && rows[0]! >= 0 && rows[last] === rows[0]! + last) levels.set(found, rows[0]!);
  else for (let at = 0; at <= last; at++) if (rows[at]! >= 0) levels[rows[at]!] = found[at]!;
}

export function fileChanged(): InputError {
  return new InputError(
    "FILE_CHANGED",
    "The file changed while it was being read. Try again once nothing writes to it.",
  );
}

/** `levels`: of the column's features, for a text that the dictionary does not hold. */
function noteOdd(odd: OddCells, levels: readonly number[], line: number): void {
  if (levels[0] === UNLISTED_LEVEL) {
    if (odd.unlisted++ === 0) odd.firstUnlisted = line;
  } else if (levels.every((level) => level === MISSING_LEVEL)) {
    // Not `some`: a date without a time lacks the hour alone.
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
  warn("NOT_READ", unread, firstUnread, "text that does not fit TRAIN's form and counts as missing");
  return warnings;
}
