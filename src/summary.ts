// What a run leaves behind in words and numbers: the shape of summary.json, and all that report.html is drawn from.
import type { AttemptRecord } from "../data/records.ts";
import type { ClassCount, ColumnKind } from "../engine/columns/profile.ts";
import type { Distribution } from "../engine/distribution.ts";
import type { FamilyName } from "../engine/families/family.ts";
import type { CalibrationBin, ClassMetrics, Estimate, MetricsOfClass } from "../engine/judging/metrics.ts";
import type { Objective } from "../engine/judging/objective.ts";
import type { Warning } from "../engine/warning.ts";
import type { RefinementSummary } from "./refinement-summary.ts";
import type { Verdict } from "./verdict/verdict.ts";

export type RunStatus = "COMPLETED" | "TIMED_OUT" | "NOT_COMPLETED" | "CANCELLED" | "FAILED";

export type { ClassCount };

export interface ColumnSummary {
  name: string;
  kind: ColumnKind;
  role: "feature" | "label";
  missing: number;
  distinct: number;
  /** False where the column was left out of training, `reason` then says why. */
  used: boolean;
  reason: string | null;
  /** How the rows spread over the column, by class; null where the column was not used. */
  distribution: Distribution | null;
}

/** One attempt of the competition, or one library baseline beside it. */
export type AttemptSummary = AttemptRecord;

/** A kept model and the evidence for it. All figures but `confirmedPerformance` are of the model that saw 80% of the rows. */
export interface VersionSummary {
  version: number;
  champion: boolean;
  attempt: number;
  family: FamilyName;
  algorithm: string;
  settings: Readonly<Record<string, number | string | boolean>>;
  achievedPerformance: number;
  trainingPerformance: number;
  testPerformance: number;
  /** `testPerformance` with its interval. */
  heldOutPerformance: Estimate;
  /** Accuracy on two further re-splits; null where the run was cut before they were made. */
  confirmedPerformance: Estimate | null;
  falseDecisions: number;
  logLoss: number;
  precision: number | null;
  recall: number | null;
  f1Score: number | null;
  /** Every class against all others on the holdout, in the order of `RunSummary.classes`; undefined figures are null. */
  byClass: readonly ({ label: string } & MetricsOfClass)[];
  /** Means over the classes where each is defined. */
  macroAverages: ClassMetrics;
  /** The mean of the recalls; null without rows. */
  balancedAccuracy: number | null;
  file: string;
  /** `confusion[actual][predicted]` on the holdout, classes as in `RunSummary.classes`. */
  confusion: readonly (readonly number[])[];
  /**
   * What the probabilities are tempered by (Guo et al. 2017), fitted on rows of the 80% that the model had not learned from;
   * 1 leaves them as they are.
   */
  temperature: number;
  /** What each class's probability is multiplied by before the largest decides, classes as in `RunSummary.classes`; null for nothing. */
  classWeights: readonly number[] | null;
  /** How the run's objective is met on the holdout: for accuracy that is `testPerformance`. */
  score: number;
  /** The same on two further re-splits, their mean; null where the run was cut before they were made. */
  confirmedScore: number | null;
  /** Mean distance between confidence and the share that was right over the bins of `calibration`; null without any. */
  expectedCalibrationError: number | null;
  /** Reliability on the holdout: decisions grouped by confidence. */
  calibration: readonly CalibrationBin[];
  /**
   * Accuracy lost on rows of the re-splits when one column is shuffled, for the 200 columns that the model uses most, most
   * important first; empty where not measured.
   */
  importance: readonly ColumnImportance[];
}

export interface ColumnImportance {
  name: string;
  /** Mean loss of accuracy, 0 to 1; slightly negative for columns that carry nothing. */
  mean: number;
  /** Smallest and largest loss over the re-splits. */
  low: number;
  high: number;
}

export interface PredictionSummary {
  input: string;
  file: string;
  rows: number;
  classes: readonly ClassCount[];
  /** Rows by tenths of confidence. */
  confidenceCounts: readonly number[];
  warnings: readonly Warning[];
}

export interface RunSummary {
  cupelVersion: string;
  status: RunStatus;
  /** One sentence on why the run ended as it did. */
  statusReason: string;
  achievedPerformance: number | null;
  trainingPerformance: number | null;
  testPerformance: number | null;
  confirmedPerformance: Estimate | null;
  /** What the versions are ranked by and decide for. */
  objective: Objective;
  targetPerformance: number | null;
  /** The majority-class baseline on the holdout: always answering `label`. */
  baseline: { label: string; falseDecisions: number; accuracy: number };
  file: { name: string; sha256: string; sizeBytes: number; delimiter: string; encoding: string };
  label: string;
  positiveLabel: string | null;
  /** Every record of the file; `rowsWithoutLabel` of them were dropped. */
  rows: number;
  rowsWithoutLabel: number;
  columnCount: number;
  columns: readonly ColumnSummary[];
  classes: readonly ClassCount[];
  holdout: { rows: number; classes: readonly ClassCount[] };
  numberOfBuckets: number;
  scalingFactor: number;
  seed: number;
  workers: number;
  timeLimitSeconds: number;
  elapsedSeconds: number;
  attemptsTotal: number;
  attemptsCompleted: number;
  attemptsFailed: number;
  attempts: readonly AttemptSummary[];
  versions: readonly VersionSummary[];
  predictions: readonly PredictionSummary[];
  /** What the figures rest on, and every doubt about them. */
  verdict: Verdict;
  warnings: readonly Warning[];
  /** What became of the columns before training; null where the run trained on all of them. */
  refinement: RefinementSummary | null;
}
