// Reads TRAIN and TEST from disk into one table: TRAIN's labelled rows, then TEST's, all by TRAIN's columns and levels.
import { closeSync } from "node:fs";
import { basename } from "node:path";
import { type ColumnMatch, matchColumns, matchWarnings, requireAll } from "../../engine/columns/match-columns.ts";
import { TextCells } from "../../engine/csv/text-cells.ts";
import type { CellBatch } from "../../engine/csv/types.ts";
import { withDifferences } from "../../engine/differences/differences.ts";
import { ClassCoder } from "../../engine/filling/class-coder.ts";
import { LabelledRecords } from "../../engine/filling/labelled-records.ts";
import { type RecordSource, TableFiller } from "../../engine/filling/table-filler.ts";
import { layOutTable, type TableFrame } from "../../engine/filling/table-frame.ts";
import { InputError } from "../../engine/input-error.ts";
import { type ColumnProfile, kernelOf, labelledRowCount, type TableProfile } from "../../engine/profile/profile.ts";
import { FileDialect, type ReadColumns } from "../../engine/scoring/file-dialect.ts";
import type { StopSignal } from "../../engine/stop-signal.ts";
import { firstRows } from "../../engine/table/table.ts";
import type { Warning } from "../../engine/warning.ts";
import { openForReading } from "./file-chunks.ts";
import { type CsvPlace, type HashedCsv, readAgain, readHashedCsv } from "./hashed-csv.ts";
import type { ReadTableRequest } from "./profile-file.ts";
import { findKeys, readKeys } from "./read-keys.ts";
import { fillTable, LEAST_ROWS, profileForTraining, type TableAnswer, tableAnswer, withKeys } from "./read-table.ts";
import { readTexts, type TextFile } from "./read-texts.ts";

/** The label, the missing markers and `hasHeader` hold for both files. */
export interface ReadPairRequest extends Omit<ReadTableRequest, "path" | "sha256"> {
  trainPath: string;
  testPath: string;
  /** Names of the files in messages, by default those of the paths; null leaves the name out. */
  shownNames?: { train: string | null; test: string | null };
  /** The SHA-256 of the files where they are known, see `ReadTableRequest`. */
  hashes?: { train: string; test: string };
}

export interface PairAnswer {
  /** TRAIN's answer, with TEST's rows behind its own in `table`. */
  source: TableAnswer;
  /** The first rows of the table are TRAIN's, the others TEST's. */
  trainRowCount: number;
  test: {
    /** Rows with a label that TRAIN has, of all records. */
    rowCount: number;
    recordCount: number;
    sha256: string;
    sizeBytes: number;
    warnings: Warning[];
  };
  /** Bytes of both files. */
  sizeBytes: number;
}

/**
 * Makes four passes: for TRAIN's profile, for TEST's header, labels and notation of numbers and dates, for TRAIN's
 * levels, and for TEST's levels. After the second the size of the shared block is known, and an unfit TEST is refused
 * before more work is done.
 *
 * @throws InputError that says which of the files it is about
 */
export function readPair(request: ReadPairRequest, stop: StopSignal): PairAnswer {
  const { trainPath, testPath, label, missingMarkers, columnChoices = [], hashes, hasHeader = true } = request;
  const shown = request.shownNames ?? { train: basename(trainPath), test: basename(testPath) };
  const train = naming("TRAIN", shown.train);
  const test = naming("TEST", shown.test);
  // A file that is not there is refused before the first long pass.
  test.refusing(() => closeSync(openForReading(testPath)));
  const reading = { label, missingMarkers, columnChoices, hasHeader };
  const trainRequest = { path: trainPath, ...reading, sha256: hashes?.train ?? null };
  const testPlace = { path: testPath, hasHeader };
  const profiled = train.refusing(() => profileForTraining(trainRequest, stop));
  const { profile } = profiled;
  train.refusing(() => findKeys(request, profile));
  const countedTest = test.refusing(() => countRows(testPlace, hashes?.test ?? null, profile, stop));
  const trainRowCount = labelledRowCount(profile);
  const frame = layOutTable(profile, trainRowCount + countedTest.rows.rowCount);
  train.refusing(() => fillTable(trainRequest, profile, frame, stop));
  const oddCells = test.refusing(() => appendRows(testPlace, profile, frame, countedTest, stop));
  const names = profile.columns.map(({ name }) => name);
  const files: TextFile[] = [
    { place: trainRequest, names, positions: [...names.keys()], firstRow: 0 },
    {
      ...{ place: testPlace, names: countedTest.report.header.names, positions: countedTest.match.positions },
      ...{ firstRow: trainRowCount, readings: countedTest.dialect.readings() },
    },
  ];
  const filled = withDifferences(frame.table, trainRowCount, names);
  const table = readTexts(profile, files, filled, trainRowCount, stop);
  const keys = readKeys(request, profile, files, table, stop);
  const trained = train.refusing(() => tableAnswer(profiled, firstRows(table, trainRowCount)));
  const answer = withKeys({ ...trained, table }, keys, request);
  const { rows, match, report, sha256, sizeBytes } = countedTest;
  const testWarnings = [
    ...report.warnings,
    ...matchWarnings(match),
    ...rows.warnings(),
    ...countedTest.dialect.warnings(),
    ...oddCells,
  ];
  return {
    source: {
      ...answer,
      warnings: answer.warnings.map(train.about),
    },
    trainRowCount,
    test: {
      rowCount: rows.rowCount,
      recordCount: rows.recordCount,
      sha256,
      sizeBytes,
      warnings: testWarnings.map(test.about),
    },
    sizeBytes: profiled.sizeBytes + sizeBytes,
  };
}

interface CountedTest extends HashedCsv {
  match: ColumnMatch;
  rows: LabelledRecords;
  /** How TEST writes its numbers and dates, which need not be as TRAIN does. */
  dialect: FileDialect;
}

function countRows(place: CsvPlace, knownHash: string | null, profile: TableProfile, stop: StopSignal): CountedTest {
  const { columns, label, missingMarkers } = profile;
  const classes = new ClassCoder(profile);
  const wantedNames = columns.map(({ name }) => name);
  const read = { columns: columns.map(readColumn), missingMarkers: [...missingMarkers] };
  const begin = (match: ColumnMatch, delimiter: string) => ({
    match,
    rows: new LabelledRecords(classes, match.positions[label.column]!, label.name),
    dialect: new FileDialect(read, match.positions, delimiter, kernelOf(profile)),
  });
  let countedRows = begin(matchColumns(wantedNames, wantedNames), ",");
  const file = readHashedCsv(place, knownHash, stop, ({ names, delimiter }) => {
    countedRows = begin(matchColumns(wantedNames, names), delimiter);
    const { match, rows, dialect } = countedRows;
    if (!mayBeReadAgain(names, match)) requireAll(match, "TRAIN");
    if (match.positions[label.column]! < 0) return () => undefined;
    const addCells = (batch: CellBatch) => {
      rows.addCells(batch);
      dialect.addCells(batch);
    };
    return { kernel: rows.kernel, addCells };
  });
  const { match, rows, dialect } = countedRows;
  requireAll(match, "TRAIN");
  dialect.requireReadable();
  rows.require(
    LEAST_ROWS,
    label.classes.map((entry) => entry.label),
  );
  return { ...file, ...countedRows };
}

/** The label and columns without a feature count as categories, because their cells are not read as values. */
function readColumn({ name, reading, isInteger, unusedReason }: ColumnProfile): ReadColumns["columns"][number] {
  if (unusedReason !== null) return { name, reading: { kind: "category" } };
  return { name, reading, ...(isInteger && { isWhole: true as const }) };
}

/**
 * Tells whether the reader may try another header: it takes an empty last name for a trailing
 * delimiter, and bytes for UTF-8, until some record shows otherwise.
 */
function mayBeReadAgain(names: readonly string[], { lacking }: ColumnMatch): boolean {
  const mayGainLast = lacking.length === 1 && lacking[0] === `column_${names.length + 1}`;
  return mayGainLast || names.some((name) => /[^ -~]/.test(name));
}

function appendRows(
  place: CsvPlace,
  profile: TableProfile,
  frame: TableFrame,
  { match: { positions }, rows: { recordCount }, report, dialect }: CountedTest,
  stop: StopSignal,
): Warning[] {
  const source: RecordSource = {
    firstRow: labelledRowCount(profile),
    endRow: frame.table.rowCount,
    positions,
    labelPosition: positions[profile.label.column]!,
    recordCount,
  };
  const fresh = () => new TableFiller(frame, source);
  let filler = fresh();
  const toModelForm = dialect.toModelForm();
  readAgain(place, report.header.names, stop, () => {
    filler = fresh();
    if (toModelForm === null) return filler;
    const texts = new TextCells(filler.kernel, report.header.names.length);
    return (batch) => {
      for (const part of texts.batchesOf(toModelForm(batch))) filler.addCells(part);
    };
  });
  return filler.finish();
}

/** Names the file in every warning and refusal about it. */
function naming(role: "TRAIN" | "TEST", name: string | null) {
  const ofThisFile = (message: string) => `${role} file${name === null ? "" : ` "${name}"`}: ${message}`;
  return {
    about: (warning: Warning): Warning => ({ ...warning, message: ofThisFile(warning.message) }),
    refusing<T>(work: () => T): T {
      try {
        return work();
      } catch (error) {
        if (error instanceof InputError) throw new InputError(error.code, ofThisFile(error.message), error);
        throw error;
      }
    },
  };
}
