// Two more passes over the files of a table, for the columns whose terms are read; one to look at what these are like.

import { missingTextsOf } from "../../engine/columns/reading.ts";
import { cellText } from "../../engine/csv/cell-text.ts";
import type { CellBatch, RecordBatch } from "../../engine/csv/types.ts";
import { ClassCoder } from "../../engine/filling/class-coder.ts";
import { TextReader, type TextSource } from "../../engine/filling/text-reader.ts";
import type { TableProfile } from "../../engine/profile/profile.ts";
import type { StopSignal } from "../../engine/stop-signal.ts";
import type { Table } from "../../engine/table/table.ts";
import type { TextProfile } from "../../engine/text/text-profile.ts";
import { type CsvPlace, readAgain } from "./hashed-csv.ts";
import type { KeyFile } from "./read-keys.ts";

/** A file of the table, and the first of its rows there. */
export interface TextFile extends KeyFile {
  firstRow: number;
}

/**
 * The table with its texts; the same table where it has none. The vocabulary is that of the
 * first file, TRAIN, whose rows are the first `trainRowCount`.
 */
export function readTexts(
  profile: TableProfile,
  files: readonly TextFile[],
  table: Table,
  trainRowCount: number,
  stop: StopSignal,
): Table {
  const { label } = profile;
  const sources = sourcesOf(profile);
  if (sources.length === 0) return table;
  const reader = new TextReader(sources, table.rowCount);
  const classes = new ClassCoder(profile);
  const pass = ({ place, names, positions }: TextFile, begin: () => void, take: (texts: string[]) => void) => {
    const places = sources.map(({ column }) => positions[column]!);
    const labelAt = positions[label.column]!;
    const start = () => {
      begin();
      const addCells = (batch: CellBatch) => {
        for (const [record, code] of classes.codesOf(batch, labelAt).entries()) {
          if (code >= 0) take(places.map((position) => cellText(batch, record, position)));
        }
      };
      return { kernel: classes.dictionary.kernel, addCells };
    };
    readAgain(place, names, stop, start, true);
  };
  const [train] = files;
  pass(
    train!,
    () => reader.beginCounting(),
    (texts) => reader.countRow(texts),
  );
  reader.beginWriting();
  for (const file of files) {
    pass(
      file,
      () => reader.beginFile(file.firstRow),
      (texts) => reader.writeRow(texts),
    );
  }
  return reader.finish(table, trainRowCount);
}

/** Profiles the texts of a file, by column, in one more pass where it has any. Records without a label count too. */
export function profileTexts(profile: TableProfile, place: CsvPlace, stop: StopSignal): Map<number, TextProfile> {
  const { columns, rowCount } = profile;
  const sources = sourcesOf(profile);
  if (sources.length === 0) return new Map();
  const reader = new TextReader(sources, rowCount);
  const names = columns.map(({ name }) => name);
  const positions = sources.map(({ column }) => column);
  readAgain(place, names, stop, () => {
    reader.beginCounting();
    return ({ records }: RecordBatch) => {
      for (const record of records) reader.countRow(positions.map((position) => record[position]!.trim()));
    };
  });
  const profiles = reader.profiles();
  return new Map(positions.map((column, at) => [column, profiles[at]!]));
}

function sourcesOf({ columns, missingMarkers }: TableProfile): TextSource[] {
  return columns.flatMap(({ name, index, hasTerms, reading }) =>
    hasTerms ? [{ name, column: index, missingTexts: missingTextsOf(reading, missingMarkers) }] : [],
  );
}
