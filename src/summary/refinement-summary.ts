// The result of a refinement: the shape of refinement.json, from which the report's section is drawn.
import type { CheckpointRecord, PerformanceRecord } from "../../data/database/records.ts";
import type { Estimate } from "../../engine/judging/metrics.ts";
import type { ColumnDecision } from "../../engine/refinement/decision.ts";
import type { Warning } from "../../engine/warning.ts";

export type RefinementState = "REFINEMENT_COMPLETED" | "TIMEOUT" | "CANCELLED" | "ERROR";

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
  /** True where the time was up before the end, and the results so far are given. */
  partial: boolean;
  /** The targets that the kept columns and all columns reached; trainings on them reach these too (D01). */
  reachedTarget: number | null;
  baselineTarget: number | null;
  /** Equals `reachedTarget`. */
  recommendedThreshold: number | null;
  /** Accuracy of the best model on the kept columns, on the blind test. */
  keptAccuracy: number | null;
  /** Accuracy of the best model on a tenth of TRAIN that nothing else used; null below 2,000 rows. */
  holdoutEstimate: Estimate | null;
  /** The baseline that always answers the most frequent class, on the blind test. */
  majority: { label: string; falseDecisions: number; accuracy: number };
  baselineTopPerformances: readonly PerformanceRecord[];
  /** The best results of the run so far; they never get worse. */
  currentTopPerformances: readonly PerformanceRecord[];
  /** The results of the kept columns: the current rows, unless these are better only within chance. */
  keptPerformances: readonly PerformanceRecord[];
  /** Every column of the file but the label, in file order. */
  columns: readonly ColumnDecision[];
  keptColumns: readonly string[];
  removedColumns: readonly string[];
  checkpoints: readonly CheckpointRecord[];
  /** The state trail. */
  activities: readonly { timestamp: string; state: string }[];
  train: RefinementFile;
  /** Null where a fifth of TRAIN was the blind test. */
  test: RefinementFile | null;
  testRows: number;
  label: string;
  /** The reduced tables; empty where none were written. */
  files: readonly { kind: "TRAIN" | "TEST"; file: string; sizeBytes: number }[];
  numberOfBuckets: number;
  seed: number;
  /** Left out where a server did the work, which does not say. */
  workers?: number;
  /** Announced at the start; left out likewise. */
  budgetSeconds?: number;
  elapsedSeconds: number;
  progressCompleted: number;
  progressTotal: number | null;
  warnings: readonly Warning[];
  /** Where a server did the work. */
  server?: { url: string; featureRefinementKey: string };
}
