// Joins training rows with labelled rows of later files into one table, and
// writes the newest labelled rows into another.

import { closeSync, openSync, statSync } from "node:fs";
import { enlarged } from "../engine/concatenate.ts";
import type { CsvHeader, RecordBatch } from "../engine/csv/types.ts";
import { InputError } from "../engine/input-error.ts";
import { type ModelFile, readModelColumns, readWatchedModel } from "../engine/model/model-file.ts";
import { type OutcomeColumns, OutcomeLabels } from "../engine/outcomes/outcomes.ts";
import { filterColumns } from "../engine/scoring/column-filter.ts";
import { neverStop, type StopSignal } from "../engine/stop-signal.ts";
import { keptCount, requireTwoLabels } from "../engine/successor/kept-rows.ts";
import { LaterRows } from "../engine/successor/later-rows.ts";
import { FIRST_CODE, MISSING_CODE, UNSEEN_CODE } from "../engine/table/buckets.ts";
import { CsvOutput } from "./csv-output.ts";
import { fileChunks, withParts } from "./reading/file-chunks.ts";
import { readTextCsv } from "./reading/hashed-csv.ts";

export interface JoinRowsRequest {
  trained: {
    path: string;
    hasHeader: boolean;
    label: string;
    /** How many rows are used, the last ones; null for all. */
    mostRows: number | null;
    /** Columns of groups and times, which later files must have too. */
    keyColumns: readonly string[];
  };
  /** The champion's file: how columns and labels are read. */
  modelPath: string;
  /** Oldest first. */
  sources: readonly LaterFile[];
  /** Takes the training rows and the older labelled ones. */
  joinedPath: string;
  /** Takes the newest labelled rows. */
  keptPath: string;
}

export interface LaterFile extends OutcomeColumns {
  /** For messages. */
  name: string;
  inputPath: string;
  hasHeader: boolean;
  /** Where columns are matched as a refinement's; see `filterColumns`. */
  originalColumns: readonly string[] | null;
  keptColumns: readonly string[] | undefined;
  labelsPath: string;
  labelsHaveHeader: boolean;
  /** Rows before it were learned from already. */
  fromRow: number;
}

interface JoinedSource {
  /** Rows that joined the training rows. */
  learnedRows: number;
  keptRows: number;
  /** The first row that was not learned from; null where all were. */
  keptFromRow: number | null;
  /** The place of an earlier source with the same file, whose rows count once; null for none. */
  sameAs: number | null;
}

export interface JoinRowsAnswer {
  trainRows: number;
  /** One for each source. */
  sources: JoinedSource[];
  sizeBytes: number;
  sha256: string;
  keptBytes: number;
}

type JoinModel = Pick<ModelFile, "columns" | "label" | "labels" | "missingMarkers">;

/** A later file after its first pass: its labelled rows, and how it writes them. */
interface Opened {
  file: LaterFile;
  header: CsvHeader;
  rows: LaterRows;
  /** By row: FIRST_CODE and the class where the row has a label and is new, else MISSING_CODE. */
  codes: Uint16Array;
  labelledCount: number;
}

/** Writes both files, which the caller moves into place once they are whole. @throws InputError */
export function joinRows(request: JoinRowsRequest, stop: StopSignal): JoinRowsAnswer {
  const { trained, modelPath, joinedPath, keptPath, sources } = request;
  const { label, labels } = withParts(modelPath, readWatchedModel);
  const model: JoinModel = { ...withParts(modelPath, readModelColumns), label, labels };
  const joinedFile = openSync(joinedPath, "w");
  const keptFile = openSync(keptPath, "w");
  try {
    const table = copyTrained(trained, joinedFile, stop);
    const sameAs = sameFiles(sources);
    const opened = sources.map((file, at) =>
      sameAs[at] === null ? named(file, () => openLater(file, model, { ...trained, names: table.names }, stop)) : null,
    );
    const labelledCount = opened.reduce((sum, source) => sum + (source?.labelledCount ?? 0), 0);
    let toLearn = labelledCount - keptCount(labelledCount);
    const outputs = { learned: table.output, kept: new CsvOutput(keptFile, table.names, table.delimiter) };
    const keptByLabel = labels.map(() => 0);
    const joinedSources = opened.map((source, at): JoinedSource => {
      if (source === null) return { learnedRows: 0, keptRows: 0, keptFromRow: null, sameAs: sameAs[at]! };
      const learnedRows = Math.min(toLearn, source.labelledCount);
      toLearn -= learnedRows;
      const keptFromRow = named(source.file, () => writeRows(source, labels, learnedRows, outputs, keptByLabel, stop));
      return { learnedRows, keptRows: source.labelledCount - learnedRows, keptFromRow, sameAs: null };
    });
    requireTwoLabels(keptByLabel);
    const { output, rowCount: trainRows } = table;
    const { sizeBytes } = output;
    return { trainRows, sources: joinedSources, sizeBytes, sha256: output.sha256(), keptBytes: outputs.kept.sizeBytes };
  } finally {
    closeSync(joinedFile);
    closeSync(keptFile);
  }
}

/** Every cell keeps its text. */
function copyTrained({ path, hasHeader, mostRows }: JoinRowsRequest["trained"], file: number, stop: StopSignal) {
  let output: CsvOutput | null = null;
  const firstRow = mostRows === null ? 0 : Math.max(0, countRows(path, hasHeader, stop) - mostRows);
  const { header, recordCount } = readTextCsv({ path, hasHeader }, stop, ({ names, delimiter }) => {
    const kept = new CsvOutput(file, names, delimiter);
    output = kept;
    return ({ firstIndex, records }) => kept.add(records.slice(Math.max(0, firstRow - firstIndex)));
  });
  return { ...header, output: output!, rowCount: recordCount - firstRow };
}

function countRows(path: string, hasHeader: boolean, stop: StopSignal): number {
  return readTextCsv({ path, hasHeader }, stop, () => () => undefined).recordCount;
}

function openLater(
  file: LaterFile,
  model: JoinModel,
  trained: JoinRowsRequest["trained"] & { names: readonly string[] },
  stop: StopSignal,
): Opened {
  const labels = new OutcomeLabels(model, file);
  readTextCsv({ path: file.labelsPath, hasHeader: file.labelsHaveHeader }, stop, (header) => {
    labels.begin(header);
    return (batch) => labels.add(batch);
  });
  const { keyColumns: alsoNeeded, label, names } = trained;
  const needed = [...model.columns.map(({ name }) => name), ...alsoNeeded];
  let rows: LaterRows | null = null;
  let rowLabels: RowLabels | null = null;
  const { header } = readTextCsv({ path: file.inputPath, hasHeader: file.hasHeader }, stop, (header) => {
    const { originalColumns, keptColumns } = file;
    const fileNames =
      originalColumns === null ? header.names : filterColumns(header.names, originalColumns, needed, keptColumns).names;
    const later = new LaterRows(model, { names, label, alsoNeeded }, fileNames, header.delimiter);
    const found = new RowLabels(labels, file, header.names);
    rows = later;
    rowLabels = found;
    return (batch) => {
      later.dialect.add(batch);
      found.add(batch);
    };
  });
  const { codes, labelledCount } = rowLabels!.end();
  return { file, header, rows: rows!, codes, labelledCount };
}

/** Finds the label of each row of a later file. */
class RowLabels {
  private readonly labels: OutcomeLabels;
  private readonly fromRow: number;
  private readonly keyAt: number;
  private codes = new Uint16Array(1 << 12);
  private rowCount = 0;
  private labelledCount = 0;

  /** @throws InputError COLUMN_NOT_FOUND */
  constructor(labels: OutcomeLabels, { keyColumn, fromRow }: LaterFile, names: readonly string[]) {
    this.labels = labels;
    this.fromRow = fromRow;
    this.keyAt = keyColumn === null ? -1 : names.indexOf(keyColumn);
    if (keyColumn !== null && this.keyAt < 0) {
      throw new InputError("COLUMN_NOT_FOUND", "The predicted file lacks the column of the keys.", { line: 1 });
    }
  }

  add({ records }: RecordBatch): void {
    const end = this.rowCount + records.length;
    if (end > this.codes.length) this.codes = enlarged(this.codes, end);
    for (const record of records) {
      const row = this.rowCount++;
      const code = row < this.fromRow ? MISSING_CODE : this.codeOf(record, row);
      this.codes[row] = code;
      if (code >= FIRST_CODE) this.labelledCount++;
    }
  }

  /** @throws InputError ROW_COUNT */
  end(): { codes: Uint16Array; labelledCount: number } {
    const { labels, rowCount, codes, labelledCount } = this;
    if (labels.rowOfKey === null && labels.rowCount !== rowCount) {
      const message = `Its labels have ${labels.rowCount} rows; the file has ${rowCount}. Send its labels again.`;
      throw new InputError("ROW_COUNT", message);
    }
    return { codes: codes.subarray(0, rowCount), labelledCount };
  }

  private codeOf(record: readonly string[], row: number): number {
    const { rowOfKey, rowCount } = this.labels;
    const place = rowOfKey === null ? row : rowOfKey.get(record[this.keyAt]!.trim());
    const code = place === undefined || place >= rowCount ? MISSING_CODE : this.labels.codeOf(place);
    if (code !== UNSEEN_CODE) return code;
    const message =
      `Row ${row + 1} has a label that the champion does not know. ` +
      "Correct its labels, or leave this prediction out; a new label needs a new dataset.";
    throw new InputError("UNKNOWN_LABEL", message);
  }
}

/**
 * Writes the first `learnedRows` labelled rows to the file to learn from, the others to the file that is kept aside.
 * Returns the index of the first row that was not learned from; null if there is none.
 */
function writeRows(
  { file, header, rows, codes }: Opened,
  labels: readonly string[],
  learnedRows: number,
  outputs: { learned: CsvOutput; kept: CsvOutput },
  keptByLabel: number[],
  stop: StopSignal,
): number | null {
  let row = 0;
  let labelled = 0;
  let keptFromRow: number | null = null;
  const add = ({ records }: RecordBatch) => {
    const learnedRecords: string[][] = [];
    const keptRecords: string[][] = [];
    for (const record of records) {
      const at = row++;
      const code = codes[at] ?? MISSING_CODE;
      if (code < FIRST_CODE) continue;
      const cells = rows.record(record, labels[code - FIRST_CODE]!);
      if (labelled++ < learnedRows) {
        learnedRecords.push(cells);
        continue;
      }
      keptRecords.push(cells);
      keptByLabel[code - FIRST_CODE]!++;
      keptFromRow ??= at;
    }
    outputs.learned.add(learnedRecords);
    outputs.kept.add(keptRecords);
  };
  // The reader tries other headers before it settles on the one that it found the first time.
  const isSame = ({ encoding, names }: CsvHeader) =>
    encoding === header.encoding && names.length === header.names.length;
  readTextCsv({ path: file.inputPath, hasHeader: file.hasHeader }, stop, (found) =>
    isSame(found) ? add : () => undefined,
  );
  // Nothing was learned from a file that has no label yet.
  return keptFromRow ?? (labelled === 0 ? file.fromRow : null);
}

/**
 * For each file the place of an earlier one with the same bytes; null for none. A row that is learned from in one file
 * and kept in its copy would flatter the comparison.
 */
function sameFiles(sources: readonly LaterFile[]): (number | null)[] {
  const sizes = sources.map(({ inputPath }) => statSync(inputPath).size);
  const hashes = sources.map(({ inputPath }, at) =>
    sizes.indexOf(sizes[at]!) === sizes.lastIndexOf(sizes[at]!) ? String(at) : hashOf(inputPath),
  );
  return hashes.map((hash, at) => (hashes.indexOf(hash) < at ? hashes.indexOf(hash) : null));
}

function hashOf(path: string): string {
  const hash = new Bun.CryptoHasher("sha256");
  for (const chunk of fileChunks(path, neverStop, { textBytes: 0, buffer: null })) hash.update(chunk);
  return hash.digest("hex");
}

/** Says which file is at fault. */
function named<T>({ name }: LaterFile, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { code, message, line, column } = error;
    throw new InputError(code, `Prediction ${name}: ${message}`, { line, column });
  }
}
