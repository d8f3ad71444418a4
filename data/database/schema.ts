// The tables of the database, as drizzle sees them; migrations/ makes them.
//
// Times are ISO-8601 UTC texts with milliseconds, keys are UUIDs, paths are relative to the state
// folder. `id` numbers the rows in the order they were made and breaks ties between times. `claimed`
// is true while this process works on a job; a start resets it.
import { integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ColumnChoice } from "../../engine/columns/choices.ts";
import type { Cost } from "../../engine/judging/costs.ts";
import type { Estimate } from "../../engine/judging/metrics.ts";
import type { Objective } from "../../engine/judging/objective.ts";
import type { ClassCount } from "../../engine/profile/profile.ts";
import type { Warning } from "../../engine/warning.ts";
import type { WatchReport } from "../../engine/watch/watch-report.ts";
import type { AuditAction } from "./audit-actions.ts";
import { lineColumns } from "./line-columns.ts";
import type { AttemptRecord, DatasetColumn, PerformanceRecord, RefinementResult, VerdictRecord } from "./records.ts";
import type {
  DatasetStatus,
  FILE_KINDS,
  PlannedStatus,
  PredictionStatus,
  RefinementState,
  TrainingStatus,
} from "./states.ts";

const flag = () => integer({ mode: "boolean" });
/** Time of processing by the monotonic clock, noted now and then while a job runs and at its end; null before. */
const elapsed = () => integer();
const json = <T>() => text({ mode: "json" }).$type<T>();
/** The user's name for a thing, and the user's note. */
const named = () => ({ name: text(), note: text() });
/** Columns that models are judged by, and columns that they do not learn from (D93). */
const keyColumns = () => ({
  groupColumn: text(),
  timeColumn: text(),
  /** True where the group and time columns are features too. */
  keepKeyColumns: flag().notNull().default(false),
  withoutColumns: json<readonly string[]>().notNull().default([]),
});

/** How single columns are read (D112). */
const columnChoices = () => json<readonly ColumnChoice[]>().notNull().default([]);

export const users = sqliteTable("users", {
  id: integer().primaryKey(),
  key: text().notNull(),
  /** Lower-cased. */
  email: text().notNull(),
  passwordHash: text().notNull(),
  role: text().$type<"admin" | "user">().notNull(),
  disabledOn: text(),
  createdOn: text().notNull(),
  /** Raised by disabling: tokens are bound to it. */
  credentialNumber: integer().notNull().default(0),
});

export const apiKeys = sqliteTable("apiKeys", {
  id: integer().primaryKey(),
  key: text().notNull(),
  userKey: text().notNull(),
  name: text().notNull(),
  /** SHA-256 of the token, 64 hexadecimal digits. */
  tokenHash: text().notNull(),
  scopes: json<readonly string[]>().notNull(),
  createdOn: text().notNull(),
  expiresOn: text(),
  lastUsedOn: text(),
  revokedOn: text(),
});

export const refinements = sqliteTable("refinements", {
  id: integer().primaryKey(),
  key: text().notNull(),
  userKey: text().notNull(),
  name: text().notNull(),
  state: text().$type<RefinementState>().notNull(),
  trainFileName: text(),
  testFileName: text(),
  numberOfBuckets: integer().notNull(),
  labelColumn: text(),
  positiveLabel: text(),
  removeLeaks: flag().notNull(),
  missingValues: json<readonly string[]>(),
  seed: integer().notNull(),
  createdOn: text().notNull(),
  /** When the user called start; the state stays PENDING until a job slot is free. */
  queuedOn: text(),
  startedOn: text(),
  finishedOn: text(),
  progressCompleted: integer(),
  progressTotal: integer(),
  cancelRequested: flag().notNull(),
  errorReason: text(),
  baselineRows: json<readonly PerformanceRecord[]>().notNull(),
  currentRows: json<readonly PerformanceRecord[]>().notNull(),
  result: json<RefinementResult>(),
  deletedOn: text(),
  claimed: flag().notNull(),
  restarts: integer().notNull(),
  elapsedMs: elapsed(),
  /** False where the first record of both files is data. */
  hasHeader: flag().notNull().default(true),
  ...keyColumns(),
  columnChoices: columnChoices(),
});

export type FileKind = (typeof FILE_KINDS)[number];

export const refinementFiles = sqliteTable(
  "refinementFiles",
  {
    refinementKey: text().notNull(),
    kind: text().$type<FileKind>().notNull(),
    purpose: text().$type<"UPLOAD" | "RESULT">().notNull(),
    path: text().notNull(),
    sizeBytes: integer().notNull(),
    sha256: text().notNull(),
    createdOn: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.refinementKey, table.kind, table.purpose] })],
);

export const refinementActivities = sqliteTable("refinementActivities", {
  id: integer().primaryKey(),
  refinementKey: text().notNull(),
  timestamp: text().notNull(),
  state: text().$type<RefinementState>().notNull(),
});

export const datasets = sqliteTable("datasets", {
  id: integer().primaryKey(),
  key: text().notNull(),
  userKey: text().notNull(),
  name: text().notNull(),
  description: text(),
  status: text().$type<DatasetStatus>().notNull(),
  numberOfBuckets: integer().notNull(),
  source: text().$type<"UPLOAD" | "REFINEMENT">().notNull(),
  featureRefinementKey: text(),
  labelColumn: text(),
  positiveLabel: text(),
  missingValues: json<readonly string[]>(),
  classes: json<readonly ClassCount[]>(),
  rowCount: integer(),
  columnCount: integer(),
  columns: json<readonly DatasetColumn[]>(),
  filePath: text(),
  sizeBytes: integer(),
  sha256: text(),
  createdOn: text().notNull(),
  /** When the upload URL lapses; null where the file came with the request. */
  uploadExpiresOn: text(),
  processedOn: text(),
  errorReason: text(),
  warnings: json<readonly Warning[]>().notNull(),
  recommendedThreshold: real(),
  /** Names of the refinement's columns in file order without the label; null for uploads. */
  originalColumns: json<readonly string[]>(),
  deletedOn: text(),
  claimed: flag().notNull(),
  restarts: integer().notNull(),
  /** The code of an `InputError` where the file is at fault, else null. */
  errorCode: text(),
  /** False where the file's first record is data. */
  hasHeader: flag().notNull().default(true),
  ...keyColumns(),
  columnChoices: columnChoices(),
});

export const trainingJobs = sqliteTable("trainingJobs", {
  id: integer().primaryKey(),
  key: text().notNull(),
  userKey: text().notNull(),
  datasetKey: text().notNull(),
  /** Clients see `trainingStatus(job)`. */
  status: text().$type<TrainingStatus>().notNull(),
  targetPerformance: real(),
  scalingFactor: integer().notNull(),
  seed: integer().notNull(),
  achievedPerformance: real(),
  trainingPerformance: real(),
  testPerformance: real(),
  modelKey: text(),
  createdOn: text().notNull(),
  startedOn: text(),
  finishedOn: text(),
  cancelRequested: flag().notNull(),
  errorReason: text(),
  timeLimitSeconds: integer().notNull(),
  attemptsTotal: integer(),
  attemptsCompleted: integer().notNull(),
  attemptsFailed: integer().notNull(),
  bestPerformance: real(),
  bestFalseDecisions: integer(),
  bestAlgorithm: text(),
  baselinePerformance: real(),
  claimed: flag().notNull(),
  restarts: integer().notNull(),
  elapsedMs: elapsed(),
  ...keyColumns(),
  /** Null until the rows were looked at. */
  verdict: json<VerdictRecord>(),
  objective: text().$type<Objective>().notNull().default("accuracy"),
  /** Costs of wrong decisions; null for other objectives than "cost". */
  costs: json<readonly Cost[]>(),
  columnChoices: columnChoices(),
});

export const trainingAttempts = sqliteTable(
  "trainingAttempts",
  {
    trainingJobKey: text().notNull(),
    attempt: integer().notNull(),
    record: json<AttemptRecord>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.trainingJobKey, table.attempt] })],
);

/** One for each refinement that a training follows (D106). */
export const plannedTrainings = sqliteTable("plannedTrainings", {
  id: integer().primaryKey(),
  refinementKey: text().notNull(),
  userKey: text().notNull(),
  /** The dataset that is refined; null where two files are. */
  sourceDatasetKey: text(),
  scalingFactor: integer().notNull(),
  status: text().$type<PlannedStatus>().notNull(),
  /** The dataset of the kept columns; null while WAITING. */
  datasetKey: text(),
  /** Null until STARTED. */
  trainingJobKey: text(),
  /** Why it FAILED, or why it was CANCELLED where nobody cancelled it itself. */
  errorReason: text(),
  createdOn: text().notNull(),
});

export const models = sqliteTable("models", {
  id: integer().primaryKey(),
  key: text().notNull(),
  userKey: text().notNull(),
  datasetKey: text().notNull(),
  trainingJobKey: text().notNull(),
  championVersion: integer().notNull(),
  createdOn: text().notNull(),
  deletedOn: text(),
  /** All its files together. */
  sizeBytes: integer(),
  ...named(),
  ...lineColumns(),
});

export const modelVersions = sqliteTable(
  "modelVersions",
  {
    modelKey: text().notNull(),
    /** 1 to 3, best first. */
    version: integer().notNull(),
    algorithm: text().notNull(),
    achievedPerformance: real().notNull(),
    trainingPerformance: real().notNull(),
    testPerformance: real().notNull(),
    falseDecisions: integer().notNull(),
    confirmedPerformance: json<Estimate>(),
    filePath: text().notNull(),
    ...named(),
  },
  (table) => [primaryKey({ columns: [table.modelKey, table.version] })],
);

export const predictions = sqliteTable("predictions", {
  id: integer().primaryKey(),
  key: text().notNull(),
  userKey: text().notNull(),
  modelKey: text().notNull(),
  datasetKey: text().notNull(),
  /** The model's version that was champion when the prediction was made (D20). */
  version: integer().notNull(),
  status: text().$type<PredictionStatus>().notNull(),
  /** Null once the files of a finished prediction were removed, as `resultPath` then is. */
  inputPath: text(),
  inputBytes: integer(),
  resultPath: text(),
  resultBytes: integer(),
  filterColumns: flag().notNull(),
  rowCount: integer(),
  warnings: json<readonly Warning[]>().notNull(),
  errorReason: text(),
  createdOn: text().notNull(),
  startedOn: text(),
  finishedOn: text(),
  deletedOn: text(),
  claimed: flag().notNull(),
  restarts: integer().notNull(),
  /** Rows by predicted label; null until completed, and where they were not counted. */
  labelCounts: json<readonly ClassCount[]>(),
  /** Rows by tenths of confidence; null as above. */
  confidenceCounts: json<readonly number[]>(),
  /** False where the input's first record is data. */
  hasHeader: flag().notNull().default(true),
  /** The positive label of two was predicted above this probability; null for more labels, and until completed. */
  threshold: real(),
  /** Reasons of each row in the result. */
  reasonCount: integer().notNull().default(0),
  /** The client's name for the input, without folders; null where it sent none. */
  fileName: text(),
  /** The column by which labels that come later find their rows; null where they come in the rows' order. */
  keyColumn: text(),
  /** The model that was asked, where another one of its line answers; else null. */
  askedModelKey: text(),
});

/** Comparisons of completed predictions' files with the training rows. */
export const predictionShifts = sqliteTable("predictionShifts", {
  predictionKey: text().primaryKey(),
  report: json<WatchReport>().notNull(),
});

/** Answers of requests with an Idempotency-Key; the key's hash, keyed fingerprint and encrypted answer (D115). */
export const keptAnswers = sqliteTable("keptAnswers", {
  userKey: text().notNull(),
  keyHash: text().notNull(),
  fingerprint: text().notNull(),
  answer: text().notNull(),
  createdOn: text().notNull(),
});

export const auditEvents = sqliteTable("auditEvents", {
  id: integer().primaryKey(),
  time: text().notNull(),
  action: text().$type<AuditAction>().notNull(),
  userKey: text(),
  /** As it was at the time: accounts are removed, and addresses change hands. */
  email: text(),
  /** Where an API key acted for the user. */
  apiKeyId: text(),
  /** The object of the action: for a file its refinement, for a champion its training job. */
  objectKey: text(),
  /** A word of ours, such as the file's kind, the version or the code of a limit; for a user, the e-mail address. */
  detail: text(),
  address: text(),
  requestId: text(),
});
