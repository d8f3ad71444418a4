// What the JSON columns of the database hold.
import type { Distribution } from "../engine/distribution.ts";
import type { FamilyName } from "../engine/families/family.ts";
import type { Estimate } from "../engine/judging/metrics.ts";
import type { ColumnDecision } from "../engine/refinement/decision.ts";
import type { TextProfile } from "../engine/text/text-profile.ts";
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
  /** Equals `reachedTarget`. */
  recommendedThreshold: number | null;
  /** Accuracy on the blind test as measured. */
  keptAccuracy: number | null;
  holdoutEstimate: Estimate | null;
  columns: readonly ColumnDecision[];
  keptColumns: readonly string[];
  removedColumns: readonly string[];
  warnings: readonly Warning[];
  /** What the result rests on (D64); results of earlier versions lack it. */
  grounds?: StoredEvidence;
}

/** What a refinement measured on its way. */
export interface StoredEvidence {
  labelColumn: string;
  /** Always answering the most frequent label, on the blind test. */
  majority: { label: string; falseDecisions: number; accuracy: number };
  /** Rows with a label; those of the blind test are not among TRAIN's. */
  trainRowCount: number;
  testRowCount: number;
  /** The best models on the kept columns; the run's rows may hold better ones on other columns. */
  keptRows: readonly PerformanceRecord[];
  checkpoints: readonly CheckpointRecord[];
  /** As TRAIN was read. */
  classes: readonly ClassRecord[];
  columns: readonly DatasetColumn[];
}

/** One reading of the blind test after the baseline. */
export interface CheckpointRecord {
  /** What was proposed, in words: "columns with a signal", "one of each group of near copies". */
  proposal: string;
  columnCount: number;
  falseDecisions: number;
  /** How many standard errors more wrong decisions than the best before. */
  worseBy: number;
  accepted: boolean;
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
  /** Null where it is not counted or not kept (D63); datasets of earlier versions lack it. */
  distribution?: Distribution | null;
  /** Where the column's terms are read. */
  text?: TextProfile;
}

/** Which columns name the group and the time of a row, and which are left out (D93). */
export interface KeyColumns {
  groupColumn: string | null;
  timeColumn: string | null;
  /** True where the group and time columns are features too. */
  keepKeyColumns: boolean;
  withoutColumns: readonly string[];
}

/** The verdict on a training: how its models were judged, and every doubt about its figures, worst first. */
export interface VerdictRecord {
  judgedBy: {
    kind: "random" | "groups" | "time" | "groups and time";
    groupColumn: string | null;
    timeColumn: string | null;
    groupCount: number;
  };
  isLookedAt: boolean;
  doubts: readonly {
    code: string;
    level: "serious" | "caution";
    message: string;
    remedy: string;
    option: string | null;
    columns: readonly string[];
    random: number | null;
    held: number | null;
  }[];
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
