// What the JSON columns of the database hold.
import type { FamilyName } from "../engine/families/family.ts";
import type { Estimate } from "../engine/metrics.ts";
import type { ColumnDecision } from "../engine/refinement/decision.ts";
import type { Warning } from "../engine/warning.ts";

/** One model's performance on the blind test. Undefined metrics are null, never 0. */
export interface PerformanceRecord {
  falseDecisions: number;
  accuracy: number | null;
  f1Score: number | null;
  precision: number | null;
  recall: number | null;
  /** True for exactly one row of its table. */
  best: boolean;
  family: FamilyName;
}

/** The result of a refinement (D01), its files aside. */
export interface RefinementResult {
  /** True where the time was up and what had been found by then is given. */
  partial: boolean;
  reachedTarget: number | null;
  baselineTarget: number | null;
  recommendedThreshold: number | null;
  holdoutEstimate: Estimate | null;
  columns: readonly ColumnDecision[];
  keptColumns: readonly string[];
  removedColumns: readonly string[];
  warnings: readonly Warning[];
}

export interface ClassRecord {
  label: string;
  count: number;
}

/** A column of a dataset (D02). */
export interface DatasetColumn {
  name: string;
  kind: string;
  missing: number;
  distinct: number;
  warning: string | null;
}

/** An attempt of a training, or a library baseline beside it, with all that its leaderboard shows. */
export interface AttemptRecord {
  attempt: number;
  role: "attempt" | "library baseline";
  family: FamilyName;
  algorithm: string;
  settings: Readonly<Record<string, number | string | boolean>>;
  status: "finished" | "failed" | "stopped";
  /** Why it failed or was stopped, or on what sample it learned. */
  note: string | null;
  finalist: boolean;
  /** The kept version that came of it, 1 to 3. */
  version: number | null;
  /** Wrong decisions on the holdout; null where the attempt did not finish, as the figures below. */
  falseDecisions: number | null;
  accuracy: number | null;
  logLoss: number | null;
  trainingAccuracy: number | null;
  outOfFoldAccuracy: number | null;
  outOfFoldLogLoss: number | null;
  seconds: number;
}
