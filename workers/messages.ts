// The whole protocol between the main thread and the workers: the kinds of work, what each is given, what each answers.
import type { AttemptSpec } from "../engine/attempts.ts";
import type { ColumnKind } from "../engine/columns/profile.ts";
import type { ColumnReading } from "../engine/columns/reading.ts";
import type { Distribution } from "../engine/distribution.ts";
import type { LibraryBaseline } from "../engine/families/library-baselines.ts";
import type { ModelSettings } from "../engine/families/model.ts";
import type { CalibrationBin } from "../engine/metrics.ts";
import type { ModelFile } from "../engine/model-file.ts";
import type { Arena } from "../engine/qualify.ts";
import type { Confirmation, FoundSettings } from "../engine/refit.ts";
import type { Table } from "../engine/table.ts";
import type { Warning } from "../engine/warning.ts";

/** Each kind of work with its request and its answer. Large arrays lie on shared memory or are transferred, never copied. */
export interface Work {
  readTable: { request: ReadTableRequest; answer: TableAnswer };
  qualify: { request: { arenaId: number; spec: AttemptSpec }; answer: AttemptAnswer };
  baseline: { request: { arenaId: number; which: LibraryBaseline; seed: number }; answer: BaselineAnswer };
  confirm: { request: { arenaId: number; found: FoundSettings; judgingPart: number }; answer: Confirmation };
  refit: {
    request: { arenaId: number; found: FoundSettings; about: ModelAbout };
    answer: { bytes: Uint8Array<ArrayBuffer> };
  };
  scoreFile: { request: ScoreFileRequest; answer: ScoreFileAnswer };
}

export type WorkKind = keyof Work;

/** What every request carries beside its own fields. */
export interface Limits {
  /** Shared; not 0 once the work was cancelled. */
  cancelFlag: Int32Array;
  /** `Date.now()` at which the time is up. */
  deadlineMs: number;
  /** Seconds that this piece of work may take from when a worker begins it. */
  mostSeconds: number;
}

/** Limits of work that only a cancellation ends. */
export function untilCancelled(cancelFlag: Int32Array): Limits {
  return { cancelFlag, deadlineMs: Number.POSITIVE_INFINITY, mostSeconds: Number.POSITIVE_INFINITY };
}

export interface ReadTableRequest {
  path: string;
  /** Name of the label column; null for the last one. */
  label: string | null;
  /** Texts that count as missing; null for the usual list. */
  missingMarkers: readonly string[] | null;
}

export interface SourceColumn {
  name: string;
  kind: ColumnKind;
  role: "feature" | "label";
  missing: number;
  distinct: number;
  reading: ColumnReading;
  used: boolean;
  reason: string | null;
  distribution: Distribution | null;
}

export interface TableAnswer {
  table: Table;
  columns: SourceColumn[];
  /** Name of the label column. */
  label: string;
  classCounts: number[];
  /** Records of the file; `rowsWithoutLabel` of them are not in the table. */
  recordCount: number;
  rowsWithoutLabel: number;
  missingMarkers: readonly string[];
  sha256: string;
  sizeBytes: number;
  delimiter: string;
  encoding: string;
  warnings: Warning[];
}

/** An attempt's scores. */
export interface AttemptAnswer {
  settings: ModelSettings;
  outOfFoldAccuracy: number;
  outOfFoldLogLoss: number;
  trainingAccuracy: number;
  holdout: HoldoutAnswer;
  seconds: number;
}

interface HoldoutAnswer {
  falseDecisions: number;
  accuracy: number;
  logLoss: number;
  decisions: Uint8Array;
  calibration: CalibrationBin[];
}

export interface BaselineAnswer {
  sampleRowCount: number;
  judgedRowCount: number;
  falseDecisions: number;
  accuracy: number;
  logLoss: number;
  seconds: number;
}

/** The parts of a model file that the main thread knows; the worker adds features and the fitted model. */
export type ModelAbout = Omit<ModelFile, "features" | "model">;

export interface ScoreFileRequest {
  modelPath: string;
  inputPath: string;
  outputPath: string;
  likeInput: boolean;
  spreadsheetSafe: boolean;
}

export interface ScoreFileAnswer {
  rowCount: number;
  /** Decided rows by class code. */
  decisionCounts: number[];
  warnings: Warning[];
}

export type ToWorker =
  | { kind: "open"; arenaId: number; arena: Arena }
  | { kind: "close"; arenaId: number }
  | { [K in WorkKind]: { kind: "work"; id: number; work: K; request: Work[K]["request"] & Limits } }[WorkKind];

export type FromWorker =
  | { id: number; outcome: "done"; answer: Work[WorkKind]["answer"] }
  | { id: number; outcome: "cancelled" }
  | { id: number; outcome: "out of time" }
  | {
      id: number;
      outcome: "bad input";
      error: { code: string; message: string; line?: number | undefined; column?: string | undefined };
    }
  | { id: number; outcome: "failed"; message: string };
