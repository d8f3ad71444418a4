// A table laid out and still empty, on one block of memory that threads can share, with the rules that fill it.
import { decodeCell } from "../csv/cell-text.ts";
import { CELL_FIELDS } from "../csv/reading-kernel.ts";
import type { CellBatch, RecordBatch } from "../csv/shapes.ts";
import { type LevelArray, MISSING_LEVEL, type Table } from "../table.ts";
import { type ClassCoder, classCoder, type LabelCodes, labelCodes } from "./class-coder.ts";
import { type CodedColumn, codeColumn, levelBytes } from "./features.ts";
import { requireTrainable } from "./label.ts";
import { type AnswerRoom, createFinders, type LevelFinder, type LevelFinders } from "./level-finder.ts";
import { LevelRoom } from "./number-levels.ts";
import { type ColumnProfile, kernelOf, type TableProfile } from "./profile.ts";
import { trimCell } from "./reading.ts";
import { findCell, findText, hashText, type TextDictionary } from "./text-dictionary.ts";

/** The row of a record that is left out. */
export const NO_ROW = -1;

/** A used column: its dictionary, and per feature the rule and the array to fill. */
export interface ColumnWriter {
  column: ColumnProfile;
  dictionary: TextDictionary;
  coded: readonly CodedColumn[];
  levels: readonly LevelArray[];
}

export interface TableFrame {
  /** Its levels and classes are all 0 until somebody writes them. */
  table: Table;
  writers: readonly ColumnWriter[];
  markers: ReadonlySet<string>;
  classOf: ClassCoder;
  labelCodes: LabelCodes;
}

/**
 * Features, levels and labels come from the profile alone, whatever file the `rowCount` rows are then filled from.
 *
 * @throws InputError where the profiled table cannot be trained on, see `requireTrainable`
 */
export function layOutTable(profile: TableProfile, rowCount: number): TableFrame {
  requireTrainable(profile);
  const { label, missingMarkers } = profile;
  const takenNames = new Set(profile.columns.map((column) => column.name));
  const used = profile.columns.filter((column) => column.unusedReason === null);
  const room = new LevelRoom(kernelOf(profile));
  const coded = used.map((column) => codeColumn(column, missingMarkers, takenNames, room));
  const { levels, classes } = allocate(coded.flat(), rowCount);
  const features = coded.flat().map((column) => column.feature);
  const labels = label.classes.map((entry) => entry.label);
  return {
    table: { rowCount, features, levels, labels, classes },
    writers: writersOf(used, coded, levels),
    markers: missingMarkers,
    classOf: classCoder(profile),
    labelCodes: labelCodes(profile),
  };
}

/** Writes the levels of records into the rows of a frame. */
export class LevelWriter {
  private readonly frame: TableFrame;
  private readonly positions: readonly number[];
  private ids = new Int32Array(0);
  private foundIds = new Int32Array(0);
  private finders: LevelFinders | null = null;

  /** `positions`: where in a record each of the frame's writers finds its cell. */
  constructor(frame: TableFrame, positions: readonly number[]) {
    this.frame = frame;
    this.positions = positions;
  }

  /**
   * `rows`: the row of each record, or `NO_ROW`. Gives the number of every cell's text in its column's dictionary, -1 where
   * it is not there: writer by writer, `records.length` each, good until the next call.
   */
  write(records: RecordBatch["records"], rows: Int32Array): Int32Array {
    const { writers, markers } = this.frame;
    const ids = this.findTexts(records);
    for (let at = 0; at < writers.length; at++) {
      const columnIds = ids.subarray(at * records.length, (at + 1) * records.length);
      const writer = writers[at]!;
      for (let feature = 0; feature < writer.coded.length; feature++) {
        writeLevels(writer, feature, this.positions[at]!, columnIds, rows, records, markers);
      }
    }
    return ids;
  }

  /** The same of a batch of cells, but that it gives no numbers of texts. */
  writeCells(batch: CellBatch, rows: Int32Array): void {
    if (rows.length === 0) return;
    const { writers, markers } = this.frame;
    if (this.foundIds.length < rows.length) this.foundIds = new Int32Array(rows.length);
    this.finders ??= createFinders(
      writers.map(({ coded }) => coded[0]!),
      batch,
    );
    const { byColumn, answer } = this.finders;
    for (let at = 0; at < writers.length; at++) {
      const writer = writers[at]!;
      const finder = byColumn[at]!;
      const position = this.positions[at]!;
      if (finder !== null) writeNumberCells(writer, finder, batch, position, rows, markers);
      else {
        const ids = findCells(writer, batch, position, answer, this.foundIds);
        writeFoundCells(writer, batch, position, rows, markers, ids);
      }
    }
  }

  /** Looked up row by row, as the strings lie. */
  private findTexts(records: RecordBatch["records"]): Int32Array {
    const { positions } = this;
    const { writers } = this.frame;
    const rowCount = records.length;
    if (this.ids.length < writers.length * rowCount) this.ids = new Int32Array(writers.length * rowCount);
    const { ids } = this;
    for (let row = 0; row < rowCount; row++) {
      const record = records[row]!;
      for (let at = 0; at < writers.length; at++) {
        const text = trimCell(record[positions[at]!]!);
        ids[at * rowCount + row] = findText(writers[at]!.dictionary, text, hashText(text));
      }
    }
    return ids;
  }
}

function writeLevels(
  writer: ColumnWriter,
  feature: number,
  position: number,
  ids: Int32Array,
  rows: Int32Array,
  records: RecordBatch["records"],
  markers: ReadonlySet<string>,
): void {
  const { levelOfText, levelOfOther } = writer.coded[feature]!;
  const levels = writer.levels[feature]!;
  for (let at = 0; at < ids.length; at++) {
    const row = rows[at]!;
    const id = ids[at]!;
    if (row < 0) continue;
    if (id >= 0) {
      levels[row] = levelOfText[id]!;
    } else {
      const text = trimCell(records[at]![position]!);
      levels[row] = markers.has(text) ? MISSING_LEVEL : levelOfOther(text);
    }
  }
}

/** A column of one feature whose numbers need no dictionary. */
function writeNumberCells(
  writer: ColumnWriter,
  finder: LevelFinder,
  batch: CellBatch,
  position: number,
  rows: Int32Array,
  markers: ReadonlySet<string>,
): void {
  const { dictionary, coded } = writer;
  const { levelOfText, levelOfOther } = coded[0]!;
  const levels = writer.levels[0]!;
  const { found, odd } = finder.find(batch, position);
  const last = rows.length - 1;
  if (rows[0]! >= 0 && rows[last] === rows[0]! + last) levels.set(found, rows[0]!);
  else for (let record = 0; record <= last; record++) if (rows[record]! >= 0) levels[rows[record]!] = found[record]!;
  const { cells, bytes, stride } = batch;
  for (const record of odd) {
    const row = rows[record]!;
    if (row < 0) continue;
    const at = (position * stride + record) * CELL_FIELDS;
    const id = findCell(dictionary, cells[at + 2]!, cells[at + 3]!, bytes, cells[at]!, cells[at + 1]!);
    levels[row] = id >= 0 ? levelOfText[id]! : otherLevel(batch, record, position, markers, levelOfOther);
  }
}

function writeFoundCells(
  { coded, levels }: ColumnWriter,
  batch: CellBatch,
  position: number,
  rows: Int32Array,
  markers: ReadonlySet<string>,
  ids: Int32Array,
): void {
  for (let feature = 0; feature < coded.length; feature++) {
    const { levelOfText, levelOfOther } = coded[feature]!;
    const own = levels[feature]!;
    for (let record = 0; record < batch.recordCount; record++) {
      const row = rows[record]!;
      if (row < 0) continue;
      const id = ids[record]!;
      own[row] = id >= 0 ? levelOfText[id]! : otherLevel(batch, record, position, markers, levelOfOther);
    }
  }
}

/** The number of each record's text in the dictionary, -1 where it is not there: in `room`, or where the kernel answers. */
function findCells(
  { dictionary, column }: ColumnWriter,
  batch: CellBatch,
  position: number,
  answer: AnswerRoom,
  room: Int32Array,
): Int32Array {
  const { recordCount, stride, kernel } = batch;
  const { listed } = column.scan!;
  const isListed = listed !== null && listed.kernel === kernel;
  if (isListed) listed.find(batch, position, answer.at.ids);
  const ids = isListed ? answer.ids : room;
  const { cells, bytes } = batch;
  for (let record = 0, at = position * stride * CELL_FIELDS; record < recordCount; record++, at += CELL_FIELDS) {
    if (isListed && ids[record]! >= 0) continue;
    ids[record] = findCell(dictionary, cells[at + 2]!, cells[at + 3]!, bytes, cells[at]!, cells[at + 1]!);
  }
  return ids;
}

function otherLevel(
  { cells, bytes, stride }: CellBatch,
  record: number,
  position: number,
  markers: ReadonlySet<string>,
  levelOfOther: (text: string) => number,
): number {
  const at = (position * stride + record) * CELL_FIELDS;
  const text = decodeCell(bytes, cells[at]!, cells[at + 1]!);
  return markers.has(text) ? MISSING_LEVEL : levelOfOther(text);
}

/** One shared block: two-byte levels first, so that they are aligned, then one-byte levels, then the classes. */
function allocate(coded: readonly CodedColumn[], rowCount: number): { levels: LevelArray[]; classes: Uint8Array } {
  const bytes = coded.map((column) => levelBytes(column.feature));
  const shared = new SharedArrayBuffer(rowCount * bytes.reduce<number>((sum, size) => sum + size, 1));
  let twoByteAt = 0;
  let oneByteAt = 2 * rowCount * bytes.filter((size) => size === 2).length;
  const levels = bytes.map((size) => {
    const at = size === 2 ? twoByteAt : oneByteAt;
    if (size === 2) twoByteAt += 2 * rowCount;
    else oneByteAt += rowCount;
    return size === 2 ? new Uint16Array(shared, at, rowCount) : new Uint8Array(shared, at, rowCount);
  });
  return { levels, classes: new Uint8Array(shared, oneByteAt, rowCount) };
}

function writersOf(
  used: readonly ColumnProfile[],
  coded: readonly (readonly CodedColumn[])[],
  levels: readonly LevelArray[],
): ColumnWriter[] {
  let first = 0;
  return used.map((column, at) => {
    const features = coded[at]!;
    const own = levels.slice(first, first + features.length);
    first += features.length;
    return { column, dictionary: column.scan!.dictionary, coded: features, levels: own };
  });
}
