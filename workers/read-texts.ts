// Two more passes over the files of a table, for the columns whose terms are read; one to look at what these are like.
import type { TableProfile } from "../engine/columns/profile.ts";
import { trimCell } from "../engine/columns/reading.ts";
import type { RecordBatch } from "../engine/csv/types.ts";
import type { StopSignal } from "../engine/stop-signal.ts";
import type { Table } from "../engine/table.ts";
import type { TextProfile } from "../engine/text/text-profile.ts";
import { TextReader, type TextSource } from "../engine/text/text-reader.ts";
import { type CsvPlace, readAgain } from "./hashed-csv.ts";
import type { KeyFile } from "./read-keys.ts";

/** A file of the table, and the first of its rows there. */
export interface TextFile extends KeyFile {
  firstRow: number;
}

/**
 * The table with its texts; the same table where it has none. The vocabulary is that of the first file, TRAIN, whose rows are the
 * first `trainRowCount`.
 */
export function readTexts(
  { columns, label, missingMarkers }: TableProfile,
  files: readonly TextFile[],
  table: Table,
  trainRowCount: number,
  stop: StopSignal,
): Table {
  const sources = sourcesOf(columns);
  if (sources.length === 0) return table;
  const labels = new Set(table.labels);
  const reader = new TextReader(sources, missingMarkers, table.rowCount);
  const pass = ({ place, names, positions }: TextFile, begin: () => void, take: TextReader["count"]) => {
    const own = sources.map(({ column }) => positions[column]!);
    const labelAt = positions[label.column]!;
    readAgain(place, names, stop, () => {
      begin();
      return (batch: RecordBatch) =>
        take(batch, own, (record) => labels.has(trimCell(batch.records[record]![labelAt]!)));
    });
  };
  pass(files[0]!, () => reader.beginCounting(), reader.count.bind(reader));
  reader.beginWriting();
  for (const file of files) pass(file, () => reader.beginFile(file.firstRow), reader.write.bind(reader));
  return reader.finish(table, trainRowCount);
}

/** What the texts of a file are like, by column: one more pass where it has any. Records without a label count too. */
export function profileTexts(
  { columns, missingMarkers, rowCount }: TableProfile,
  place: CsvPlace,
  stop: StopSignal,
): Map<number, TextProfile> {
  const sources = sourcesOf(columns);
  if (sources.length === 0) return new Map();
  const reader = new TextReader(sources, missingMarkers, rowCount);
  const names = columns.map(({ name }) => name);
  const positions = sources.map(({ column }) => column);
  readAgain(place, names, stop, () => {
    reader.beginCounting();
    return (batch: RecordBatch) => reader.count(batch, positions, () => true);
  });
  const profiles = reader.profiles();
  return new Map(positions.map((column, at) => [column, profiles[at]!]));
}

function sourcesOf(columns: TableProfile["columns"]): TextSource[] {
  return columns.flatMap(({ name, index, hasTerms }) => (hasTerms ? [{ name, column: index }] : []));
}
