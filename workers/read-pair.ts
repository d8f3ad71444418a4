// Reading TRAIN and TEST from disk into one table: TRAIN's labelled rows, then TEST's, all by TRAIN's columns and levels.
import { closeSync } from "node:fs";
import { basename } from "node:path";
import { ClassCoder } from "../engine/columns/class-coder.ts";
import { LabelledRows } from "../engine/columns/labelled-rows.ts";
import { type ColumnMatch, matchColumns, matchWarnings, requireAll } from "../engine/columns/match-columns.ts";
import type { ColumnProfile, TableProfile } from "../engine/columns/profile.ts";
import type { CsvHeader } from "../engine/csv/shapes.ts";
import { TextCells } from "../engine/csv/text-cells.ts";
import { InputError } from "../engine/input-error.ts";
import { TableAppender } from "../engine/reading/table-appender.ts";
import { labelledRowCount } from "../engine/reading/table-builder.ts";
import { layOutTable, type TableFrame } from "../engine/reading/table-frame.ts";
import { FileDialect, type ReadColumns } from "../engine/scoring/file-dialect.ts";
import type { StopSignal } from "../engine/stop-signal.ts";
import { firstRows } from "../engine/table.ts";
import type { Warning } from "../engine/warning.ts";
import { openForReading } from "./file-chunks.ts";
import { type CsvPlace, type HashedCsv, readAgain, readHashedCsv } from "./hashed-csv.ts";
import type { KeyRequest } from "./profile-file.ts";
import { findKeys, type KeyFile, readKeys } from "./read-keys.ts";
import { fillTable, LEAST_ROWS, profileForTraining, type TableAnswer, tableAnswer, withKeys } from "./read-table.ts";

export interface ReadPairRequest extends KeyRequest {
  trainPath: string;
  testPath: string;
  /** What messages call the files, where their paths say nothing to their owner; null to leave the name out. */
  shownNames?: { train: string | null; test: string | null };
  /** Name of the label column; null for the last one of TRAIN. */
  label: string | null;
  /** Texts that count as missing; null for the usual list. */
  missingMarkers: readonly string[] | null;
  /** False where the first record of both files is data; true by default. */
  hasHeader?: boolean;
  /** The SHA-256 of the files where they are known, see `ReadTableRequest`. */
  hashes?: { train: string; test: string };
}

export interface PairAnswer {
  /** TRAIN, but that its `table` goes on with TEST's rows. */
  source: TableAnswer;
  /** Rows of the table that are TRAIN's; those behind them are TEST's. */
  trainRowCount: number;
  test: {
    /** Rows with a label that TRAIN has, of all records. */
    rowCount: number;
    recordCount: number;
    sha256: string;
    sizeBytes: number;
    warnings: Warning[];
  };
  /** Of both files. */
  sizeBytes: number;
}

/**
 * Four passes: TRAIN's profile, TEST's header and labels, TRAIN's levels, TEST's levels. The second gives the size of the
 * shared block beforehand and refuses an unfit TEST before more work is done; it looks up no cell but the label.
 *
 * @throws InputError that says which of the files it is about
 */
export function readPair(request: ReadPairRequest, stop: StopSignal): PairAnswer {
  const { trainPath, testPath, label, missingMarkers, hashes, hasHeader = true } = request;
  const shown = request.shownNames ?? { train: basename(trainPath), test: basename(testPath) };
  const train = naming("TRAIN", shown.train);
  const test = naming("TEST", shown.test);
  // Before the first long pass: is the file for the second one there?
  test.refusing(() => closeSync(openForReading(testPath)));
  const trainRequest = { path: trainPath, label, missingMarkers, hasHeader, sha256: hashes?.train ?? null };
  const testPlace = { path: testPath, hasHeader };
  const profiled = train.refusing(() => profileForTraining(trainRequest, stop));
  const { profile } = profiled;
  train.refusing(() => findKeys(request, profile));
  const counted = test.refusing(() => countRows(testPlace, hashes?.test ?? null, profile, stop));
  const trainRowCount = labelledRowCount(profile);
  const frame = layOutTable(profile, trainRowCount + counted.rows.rowCount);
  train.refusing(() => fillTable(trainRequest, profile, frame, stop));
  const oddCells = test.refusing(() => appendRows(testPlace, profile, frame, counted, stop));
  const names = profile.columns.map(({ name }) => name);
  const files: KeyFile[] = [
    { place: trainRequest, names, positions: [...names.keys()] },
    { place: testPlace, names: counted.report.header.names, positions: counted.match.positions },
  ];
  const keys = readKeys(request, profile, files, frame.table, stop);
  const own = tableAnswer(profiled, firstRows(frame.table, trainRowCount));
  const answer = withKeys({ ...own, table: frame.table }, keys, request);
  const { rows, match, report, sha256, sizeBytes } = counted;
  const testWarnings = [
    ...report.warnings,
    ...matchWarnings(match, "TRAIN"),
    ...rows.warnings(),
    ...counted.dialect.warnings(),
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
  rows: LabelledRows;
  dialect: FileDialect;
}

function countRows(place: CsvPlace, knownHash: string | null, profile: TableProfile, stop: StopSignal): CountedTest {
  const { label } = profile;
  const classes = new ClassCoder(profile);
  const wanted = profile.columns.map(({ name }) => name);
  let match = matchColumns(wanted, wanted);
  let rows = new LabelledRows(classes, label.column, label.name);
  const file = readHashedCsv(place, knownHash, stop, ({ names }) => {
    match = matchColumns(wanted, names);
    if (!mayBeReadAgain(names, match)) requireAll(match, "TRAIN");
    const position = match.positions[label.column]!;
    if (position < 0) return () => undefined;
    const fresh = new LabelledRows(classes, position, label.name);
    rows = fresh;
    return fresh;
  });
  requireAll(match, "TRAIN");
  const dialect = dialectOf(place, profile, match, file.report.header, stop);
  rows.require(
    LEAST_ROWS,
    label.classes.map((entry) => entry.label),
  );
  return { ...file, match, rows, dialect };
}

/** How TEST writes its numbers, which need not be as TRAIN does: found in a pass of its own. */
function dialectOf(
  place: CsvPlace,
  { columns, missingMarkers }: TableProfile,
  { positions }: ColumnMatch,
  { names, delimiter }: CsvHeader,
  stop: StopSignal,
): FileDialect {
  const read = { columns: columns.map(readColumn), missingMarkers: [...missingMarkers] };
  const fresh = () => new FileDialect(read, positions, delimiter);
  let dialect = fresh();
  readAgain(place, names, stop, () => {
    dialect.giveBackKernel();
    dialect = fresh();
    return dialect;
  });
  dialect.giveBackKernel();
  dialect.requireReadable();
  return dialect;
}

/** As far as its cells are read: those of the label and of columns without a feature are not. */
function readColumn({ name, reading, unusedReason }: ColumnProfile): ReadColumns["columns"][number] {
  return { name, reading: unusedReason === null ? reading : { kind: "category" } };
}

/**
 * Whether the header may yet be another: the reader takes an empty last name for a trailing delimiter, and bytes for UTF-8,
 * until some record shows that it is not so.
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
  const firstRow = labelledRowCount(profile);
  const labelPosition = positions[profile.label.column]!;
  const fresh = () => new TableAppender(frame, { firstRow, positions, labelPosition, recordCount });
  let appender = fresh();
  const toModelForm = dialect.toModelForm();
  readAgain(place, report.header.names, stop, () => {
    appender = fresh();
    if (toModelForm === null) return appender;
    const texts = new TextCells(appender.kernel, report.header.names.length);
    return (batch) => {
      for (const part of texts.batchesOf(toModelForm(batch))) appender.addCells(part);
    };
  });
  return appender.finish();
}

/** Says in every warning and refusal which file it is about. */
function naming(role: "TRAIN" | "TEST", name: string | null) {
  const told = (message: string) => `${role} file${name === null ? "" : ` "${name}"`}: ${message}`;
  return {
    about: (warning: Warning): Warning => ({ ...warning, message: told(warning.message) }),
    refusing<T>(work: () => T): T {
      try {
        return work();
      } catch (error) {
        if (error instanceof InputError) throw new InputError(error.code, told(error.message), error);
        throw error;
      }
    },
  };
}
