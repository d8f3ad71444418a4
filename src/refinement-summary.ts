// What a refinement leaves behind in words and numbers: the shape of refinement.json and of the report's section on it.
import type { CheckpointRecord, PerformanceRecord } from "../data/records.ts";
import type { Estimate } from "../engine/judging/metrics.ts";
import type { ColumnDecision } from "../engine/refinement/decision.ts";
import type { Warning } from "../engine/warning.ts";

export type RefinementState = "REFINEMENT_COMPLETED" | "TIMEOUT" | "CANCELLED" | "ERROR";

/** One model's performance on the blind test. */
export type PerformanceRow = PerformanceRecord;

export type CheckpointSummary = CheckpointRecord;

export interface RefinementFile {
  name: string;
  sha256: string;
  sizeBytes: number;
  rows: number;
}

export interface RefinementSummary {
  cupelVersion: string;
  state: RefinementState;
  /** One sentence on how it ended. */
  stateReason: string;
  /** True where the time was up and what had been found by then is given. */
  partial: boolean;
  /** The targets that the kept columns and all columns reached: what trainings on them reach too (D01). */
  reachedTarget: number | null;
  baselineTarget: number | null;
  /** Equals `reachedTarget`. */
  recommendedThreshold: number | null;
  /** Accuracy of the best model on the kept columns, as measured on the blind test. */
  keptAccuracy: number | null;
  /** Accuracy of the best model on a tenth of TRAIN that nothing else looked at; null below 2,000 rows. */
  holdoutEstimate: Estimate | null;
  /** Always answering the most frequent class, on the blind test. */
  majority: { label: string; falseDecisions: number; accuracy: number };
  baselineTopPerformances: readonly PerformanceRow[];
  /** The best results of the run so far: they never get worse. */
  currentTopPerformances: readonly PerformanceRow[];
  /** What the kept columns reach: the current rows, unless these are better by no more than chance gives. */
  keptPerformances: readonly PerformanceRow[];
  /** Every column of the file but the label, in file order. */
  columns: readonly ColumnDecision[];
  keptColumns: readonly string[];
  removedColumns: readonly string[];
  checkpoints: readonly CheckpointSummary[];
  /** The state trail. */
  activities: readonly { timestamp: string; state: string }[];
  train: RefinementFile;
  /** Null where a fifth of TRAIN served as the blind test. */
  test: RefinementFile | null;
  testRows: number;
  label: string;
  /** The reduced tables, where they were written. */
  files: readonly { kind: "TRAIN" | "TEST"; file: string; sizeBytes: number }[];
  numberOfBuckets: number;
  seed: number;
  workers: number;
  /** Seconds announced at the start, and taken. */
  budgetSeconds: number;
  elapsedSeconds: number;
  progressCompleted: number;
  progressTotal: number | null;
  warnings: readonly Warning[];
}
