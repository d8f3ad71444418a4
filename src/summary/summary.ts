// The result of a run: the shape of summary.json, from which report.html is drawn.
import type { AttemptRecord } from "../../data/database/records.ts";
import type { ShownForm } from "../../engine/columns/reading.ts";
import type { EffectMethod, EffectPart } from "../../engine/explain/effect-curves.ts";
import type { FamilyName } from "../../engine/fitting/family.ts";
import type { CostMatrix } from "../../engine/judging/costs.ts";
import type { CalibrationBin, ClassMetrics, Estimate, MetricsOfClass } from "../../engine/judging/metrics.ts";
import type { Objective } from "../../engine/judging/objective.ts";
import type { ThresholdCurve } from "../../engine/judging/thresholds.ts";
import type { ClassCount, ColumnKind } from "../../engine/profile/profile.ts";
import type { Distribution } from "../../engine/table/distribution.ts";
import type { TextFacts } from "../../engine/text/telling-words.ts";
import type { Warning } from "../../engine/warning.ts";
import type { RefinementSummary } from "./refinement-summary.ts";
import type { Verdict } from "./verdict.ts";

export type RunStatus = "COMPLETED" | "TIMED_OUT" | "NOT_COMPLETED" | "CANCELLED" | "FAILED";

export type { ClassCount };

export interface ColumnSummary {
  name: string;
  kind: ColumnKind;
  role: "feature" | "label";
  /** The kind that its cells show by themselves, where the user chose one. */
  foundKind?: ColumnKind;
  /** How its numbers or dates are written, where that is not the plain way. */
  form?: ShownForm;
  /** Texts that mean a missing value in this column alone, found or chosen; left out where there are none. */
  missingTexts?: readonly string[];
  missing: number;
  distinct: number;
  /** False where the column was left out of training; `reason` says why. */
  used: boolean;
  reason: string | null;
  /** Rows of each class along the column; null where the column was not used. */
  distribution: Distribution | null;
  /** Where the column's terms are read: how long its texts are, and its most telling words by class. */
  text?: TextFacts;
}

/** A kept model and its figures. All but the confirmed ones are of the model fitted on 80% of the rows. */
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
  /** Which held-out rows it decided wrong, a bit for each, as Base64; runs of earlier versions have none. */
  wrongRows?: string;
  /** `testPerformance` with its interval. */
  heldOutPerformance: Estimate;
  /** Accuracy on further parts of the rows, each held out in turn; null where the run ended before that. */
  confirmedPerformance: Estimate | null;
  /** With a search on a sample: the rows that the figures' models learned from; left out where that is all others. */
  learnedRows?: { file: number; heldOut: number; confirmed: number };
  falseDecisions: number;
  logLoss: number;
  precision: number | null;
  recall: number | null;
  f1Score: number | null;
  /** Each class against all others on the holdout, in the order of `RunSummary.classes`; undefined figures are null. */
  byClass: readonly ({ label: string } & MetricsOfClass)[];
  /** Means over the classes where each is defined. */
  macroAverages: ClassMetrics;
  /** The mean of the recalls; null without rows. */
  balancedAccuracy: number | null;
  file: string;
  /** `confusion[actual][predicted]` on the holdout, classes as in `RunSummary.classes`. */
  confusion: readonly (readonly number[])[];
  /**
   * Temperature of the probabilities (Guo et al. 2017), fitted on out-of-fold rows
   * of the 80%; 1 leaves probabilities as they are.
   */
  temperature: number;
  /** Factors by which each class's probability is multiplied before the largest decides; null for none. */
  classWeights: readonly number[] | null;
  /**
   * The run's objective on the holdout: for accuracy this equals `testPerformance`, for costs the mean cost negated.
   */
  score: number;
  /** The score with its 95% interval. Runs of earlier versions have none. */
  objectiveHeldOut?: Estimate;
  /** The score on all rows that confirm, with its interval; null where the run ended before them. */
  objectiveConfirmed?: Estimate | null;
  /** Mean gap between confidence and share correct over the bins of `calibration`; null without bins. */
  expectedCalibrationError: number | null;
  /**
   * With two classes, the decisions on the holdout at other thresholds of the positive label; null for more classes.
   */
  thresholds: ThresholdCurve | null;
  /** With two classes, the probability above which the positive label is decided; null for more classes. */
  threshold: number | null;
  /** Reliability on the holdout: decisions grouped by confidence. */
  calibration: readonly CalibrationBin[];
  /**
   * The run's objective loses this when one column is shuffled (costs: the mean one rises by it), on the parts
   * that confirm, for the 200 columns that the model uses most; most important first, empty where not measured.
   */
  importance: readonly ColumnImportance[];
  /**
   * How the refitted model's probabilities change along each column, of at most 20 columns and parts of dates, the most
   * important first. Runs of earlier versions have none.
   */
  effects?: readonly ColumnEffects[];
}

/** The effects that a model learned for a column: see `effectCurves` of the engine. */
export interface ColumnEffects {
  name: string;
  /** Which part of a date, or what another column is taken off: a number, or a date in seconds. */
  part: EffectPart | null;
  /** The column that is taken off; only of a difference or a duration. */
  minus?: string;
  kind: "number" | "category";
  method: EffectMethod;
  /**
   * The other column that tells the most of it, and what share (Goodman and
   * Kruskal's tau); null where it is the only one.
   */
  closest: { name: string; association: number } | null;
  /**
   * Numbers ascend; each holds the rows above the point before, up to this one. A text is a category, null is missing.
   */
  points: readonly { value: number | string | null; rows: number }[];
  /** The mean probability of each class that is shown, point after point. */
  curves: readonly { label: string; probabilities: readonly number[] }[];
}

/** Mean, smallest and largest loss over the folds; may be slightly negative for columns without signal. */
export interface ColumnImportance extends Estimate {
  name: string;
}

export interface PredictionSummary {
  input: string;
  file: string;
  rows: number;
  classes: readonly ClassCount[];
  /** Number of rows per tenth of confidence. */
  confidenceCounts: readonly number[];
  warnings: readonly Warning[];
}

/** A new setting that changes the models gets a field here. */
export interface RunSummary {
  cupelVersion: string;
  status: RunStatus;
  /** One sentence on why the run ended as it did. */
  statusReason: string;
  achievedPerformance: number | null;
  trainingPerformance: number | null;
  testPerformance: number | null;
  confirmedPerformance: Estimate | null;
  /** The measure that versions are tuned and ranked for. */
  objective: Objective;
  /**
   * Costs of wrong decisions, `costs[actual][predicted]`, classes as in
   * `classes`; null for other objectives than "cost".
   */
  costs: CostMatrix | null;
  targetPerformance: number | null;
  /** The baseline that always answers `label`, the most frequent class, on the holdout. */
  baseline: { label: string; falseDecisions: number; accuracy: number };
  /**
   * How the objective is met on the holdout by always answering `label`, the
   * best such answer; `score` as that of versions.
   */
  guess: { label: string; score: number };
  file: { name: string; sha256: string; sizeBytes: number; delimiter: string; encoding: string };
  label: string;
  positiveLabel: string | null;
  /** Records of the file, of which `rowsWithoutLabel` were dropped. */
  rows: number;
  rowsWithoutLabel: number;
  columnCount: number;
  columns: readonly ColumnSummary[];
  classes: readonly ClassCount[];
  holdout: {
    rows: number;
    classes: readonly ClassCount[];
    /** Equal where another run held out the same rows; runs of earlier versions have none. */
    digest?: string;
  };
  numberOfBuckets: number;
  scalingFactor: number;
  seed: number;
  workers: number;
  timeLimitSeconds: number;
  elapsedSeconds: number;
  /** Seconds spent looking at the rows, beside other work; null where the check was cut short. */
  lookSeconds: number | null;
  attemptsTotal: number;
  attemptsCompleted: number;
  attemptsFailed: number;
  attempts: readonly AttemptRecord[];
  versions: readonly VersionSummary[];
  predictions: readonly PredictionSummary[];
  /** How the figures were judged, and every doubt about them. */
  verdict: Verdict;
  warnings: readonly Warning[];
  /** The refinement before training; null where the run trained on all columns. */
  refinement: RefinementSummary | null;
  /** Where a server did the work: `cupel predict --server` finds the model by it. */
  server?: { url: string; datasetKey: string; trainingJobKey: string; modelKey: string };
}
