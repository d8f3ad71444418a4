// The second pass: batches of records in, the table of levels out, on one block of memory that threads can share.

import type { RecordBatch } from "../csv/shapes.ts";
import { InputError } from "../input-error.ts";
import { type LevelArray, MISSING_LEVEL, type Table } from "../table.ts";
import { type CodedColumn, codeColumn, levelBytes } from "./features.ts";
import { requireTrainable } from "./label.ts";
import type { ColumnProfile, TableProfile } from "./profile.ts";
import { type ColumnReading, trimCell } from "./reading.ts";
import { findText, hashText, type TextDictionary } from "./text-dictionary.ts";

const NO_ROW = -1;

/** A column that makes features, as scoring must find and read it again. */
interface SourceColumn {
  name: string;
  /** Position in the training file, from 0. */
  index: number;
  reading: ColumnReading;
  /** Positions of its features in the table. */
  features: readonly number[];
}

export interface BuiltTable {
  table: Table;
  sourceColumns: readonly SourceColumn[];
}

/** A used column: its dictionary, and per feature the rule and the array to fill. */
interface ColumnWriter {
  index: number;
  dictionary: TextDictionary;
  coded: readonly CodedColumn[];
  levels: readonly LevelArray[];
}

/** Takes in the records of the profiled file once more, in order, in batches of any size. Rows without a label are left out. */
export class TableBuilder {
  private readonly markers: ReadonlySet<string>;
  private readonly labelColumn: number;
  private readonly labelDictionary: TextDictionary;
  /** Class code of each text of the label's dictionary, `NO_ROW` for a missing marker. */
  private readonly classOfText: Int16Array;
  private readonly writers: readonly ColumnWriter[];
  private readonly built: BuiltTable;
  private readonly recordCount: number;
  private ids = new Int32Array(0);
  private recordsSeen = 0;
  private rowsWritten = 0;

  /** @throws InputError where the table cannot be trained on, see `requireTrainable` */
  constructor(profile: TableProfile) {
    requireTrainable(profile);
    const { label, missingMarkers } = profile;
    this.markers = missingMarkers;
    this.recordCount = profile.rowCount;
    this.labelColumn = label.column;
    this.labelDictionary = profile.columns[label.column]!.scan!.dictionary;
    const labels = label.classes.map((entry) => entry.label);
    this.classOfText = classesOfTexts(this.labelDictionary, labels);
    const takenNames = new Set(profile.columns.map((column) => column.name));
    const used = profile.columns.filter((column) => column.unusedReason === null);
    const coded = used.map((column) => codeColumn(column, missingMarkers, takenNames));
    const rowCount = profile.rowCount - label.rowsWithoutLabel;
    const features = coded.flat().map((column) => column.feature);
    const { levels, classes } = allocate(coded.flat(), rowCount);
    this.writers = writersOf(used, coded, levels);
    const table: Table = { rowCount, features, levels, labels, classes };
    this.built = { table, sourceColumns: sourceColumnsOf(used, coded) };
  }

  /** @throws InputError FILE_CHANGED where the records are not those of the first pass */
  add(batch: RecordBatch): void {
    const { records } = batch;
    const { writers } = this;
    const rows = this.placeRows(batch);
    const ids = this.findTexts(records);
    for (let at = 0; at < writers.length; at++) {
      const columnIds = ids.subarray(at * records.length, (at + 1) * records.length);
      const writer = writers[at]!;
      for (let feature = 0; feature < writer.coded.length; feature++) {
        writeLevels(writer, feature, columnIds, rows, records, this.markers);
      }
    }
  }

  /** Call once, after the last batch. @throws InputError FILE_CHANGED where records are lacking */
  finish(): BuiltTable {
    if (this.recordsSeen !== this.recordCount || this.rowsWritten !== this.built.table.rowCount) throw fileChanged();
    return this.built;
  }

  /** The table's row for each record, `NO_ROW` without a label; writes the class codes. */
  private placeRows(batch: RecordBatch): Int32Array {
    const { records } = batch;
    const { classes, rowCount } = this.built.table;
    const rows = new Int32Array(records.length);
    for (let at = 0; at < records.length; at++) {
      const text = trimCell(records[at]![this.labelColumn]!);
      const id = findText(this.labelDictionary, text, hashText(text));
      if (id < 0 && !this.markers.has(text)) throw fileChanged();
      const code = id < 0 ? NO_ROW : this.classOfText[id]!;
      if (code < 0) {
        rows[at] = NO_ROW;
        continue;
      }
      if (this.rowsWritten === rowCount) throw fileChanged();
      classes[this.rowsWritten] = code;
      rows[at] = this.rowsWritten++;
    }
    this.recordsSeen += records.length;
    return rows;
  }

  /** The number of every used cell's text, column by column; -1 beyond the dictionary. Looked up row by row, as the strings lie. */
  private findTexts(records: RecordBatch["records"]): Int32Array {
    const { writers } = this;
    const rowCount = records.length;
    if (this.ids.length < writers.length * rowCount) this.ids = new Int32Array(writers.length * rowCount);
    const { ids } = this;
    for (let row = 0; row < rowCount; row++) {
      const record = records[row]!;
      for (let at = 0; at < writers.length; at++) {
        const { dictionary, index } = writers[at]!;
        const text = trimCell(record[index]!);
        ids[at * rowCount + row] = findText(dictionary, text, hashText(text));
      }
    }
    return ids;
  }
}

function writeLevels(
  writer: ColumnWriter,
  feature: number,
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
      const text = trimCell(records[at]![writer.index]!);
      levels[row] = markers.has(text) ? MISSING_LEVEL : levelOfOther(text);
    }
  }
}

function classesOfTexts(dictionary: TextDictionary, labels: readonly string[]): Int16Array {
  const classOfText = new Int16Array(dictionary.size).fill(NO_ROW);
  labels.forEach((label, code) => {
    classOfText[findText(dictionary, label, hashText(label))] = code;
  });
  return classOfText;
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
    return { index: column.index, dictionary: column.scan!.dictionary, coded: features, levels: own };
  });
}

function sourceColumnsOf(used: readonly ColumnProfile[], coded: readonly (readonly CodedColumn[])[]): SourceColumn[] {
  let first = 0;
  return used.map(({ name, index, reading }, at) => {
    const features = coded[at]!.map((_, part) => first + part);
    first += features.length;
    return { name, index, reading, features };
  });
}

function fileChanged(): InputError {
  return new InputError(
    "FILE_CHANGED",
    "The file changed while it was being read. Try again once nothing writes to it.",
  );
}
