// The server's answers, as programs see them. Later servers may add fields; these stay.

/** The state of a refinement; those with a number at the end count from 1. */
export type RefinementState = string;
export type DatasetStatus = "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED";
export type TrainingStatus =
  | "PENDING"
  | "RUNNING"
  | "COMPLETED"
  | "TIMED_OUT"
  | "NOT_COMPLETED"
  | "CANCELLED"
  | "FAILED";
export type SuccessorStatus = "JOINING" | "READING" | "TRAINING" | "COMPARING" | "COMPLETED" | "FAILED" | "CANCELLED";
export type PredictionStatus = "PENDING" | "RUNNING" | "COMPLETED" | "FAILED" | "TIMEOUT";

export interface Warning {
  code: string;
  message: string;
  /** Physical line of the file, from 1. */
  line?: number;
  column?: string;
  count?: number;
}

/** A share, or a difference, with the ends of its 95% interval. */
export interface Interval {
  mean: number;
  low: number;
  high: number;
}

/** How a training was judged, and the doubts about its figures, worst first. */
export interface Verdict {
  judgedBy: {
    kind: "random" | "groups" | "time" | "groups and time";
    groupColumn: string | null;
    timeColumn: string | null;
    groupCount: number;
  };
  /** False if nobody checked whether rows belong together. */
  isLookedAt: boolean;
  /** True if that was not checked because the rows are too few. */
  tooFewRows?: boolean;
  /** The limit that ended the check early: a short time limit of the training, or the check's own of 10 seconds. */
  cutBy?: "TIME_LIMIT" | "OWN_LIMIT";
  doubts: {
    code: string;
    /** With a serious doubt, the accuracy may not hold for new rows. */
    level: "serious" | "caution";
    message: string;
    remedy: string;
    columns: string[];
  }[];
}

export interface DatasetAbout {
  datasetKey: string;
  name: string;
  description: string | null;
  status: DatasetStatus;
  source: "UPLOAD" | "REFINEMENT";
  featureRefinementKey: string | null;
  labelColumn: string | null;
  positiveLabel: string | null;
  groupColumn: string | null;
  timeColumn: string | null;
  withoutColumns: string[];
  /** Empty until the file is read. */
  classes: { label: string; count: number }[];
  /** Rows with a label; null until the file is read. */
  rowCount: number | null;
  columnCount: number | null;
  sizeBytes: number | null;
  createdOn: string;
  errorReason: string | null;
  errorCode: string | null;
  warnings: Warning[];
  /** The accuracy that the refinement reached on these columns. */
  recommendedThreshold?: number;
}

/** One dataset has its columns too; lists leave them out. */
export interface DatasetDetail extends DatasetAbout {
  columns: { name: string; kind: string; missing: number; distinct: number; warning: string | null }[];
}

export interface RefinementAbout {
  featureRefinementKey: string;
  name: string;
  state: RefinementState;
  trainFileName: string | null;
  createdOn: string;
  elapsedSeconds: number;
  cancelRequested: boolean;
}

export interface RefinementProgress {
  state: RefinementState;
  elapsedSeconds: number;
  /** Only the ratio of these two has a meaning; null until it is known. */
  progressCompleted: number | null;
  progressTotal: number | null;
  recentActivities: { timestamp: string; state: RefinementState }[];
  /** The best models of the run so far, on rows that nothing learned from, fewest wrong decisions first. */
  currentTopPerformances: { falseDecisions: number; accuracy: number | null; best: boolean }[];
  errorReason: string | null;
  waitingReason?: string;
  nextPollAfterSeconds?: number;
}

/** The decision about every column. */
export interface RefinementResult {
  /** True if time ran out: the result is what had been found by then. */
  partial: boolean;
  reachedTarget: number | null;
  baselineTarget: number | null;
  /** Accuracy of the best model on the kept columns, on rows that nothing learned from. */
  keptAccuracy: number | null;
  holdoutEstimate: Interval | null;
  columns: {
    name: string;
    kind: string;
    decision: "KEEP" | "REMOVE";
    reason: string;
    /** The column that this one copies or goes with. */
    with: string | null;
    flags: string[];
  }[];
  keptColumns: string[];
  removedColumns: string[];
  warnings: Warning[];
}

export interface TrainingAbout {
  trainingJobKey: string;
  datasetKey: string;
  status: TrainingStatus;
  targetPerformance: number | null;
  scalingFactor: number;
  achievedPerformance: number | null;
  trainingPerformance: number | null;
  testPerformance: number | null;
  /** Null until the training has ended with a model. */
  modelKey: string | null;
  verdict: Verdict | null;
}

export interface TrainingProgress {
  status: TrainingStatus;
  /** How long to wait before the next poll; absent once the training has ended. */
  nextPollAfterSeconds?: number;
  elapsedSeconds: number;
  attemptsTotal: number | null;
  attemptsCompleted: number;
  attemptsFailed: number;
  /** Accuracy of the best attempt so far on rows that it did not learn from. */
  bestPerformance: number | null;
  /** Its wrong decisions on these rows. */
  bestFalseDecisions: number | null;
  bestAlgorithm: string | null;
  /** Accuracy of always answering the most frequent label. */
  baselinePerformance: number | null;
  errorReason: string | null;
  waitingReason?: string;
}

export interface ModelAbout {
  modelKey: string;
  /** The champion's number: the version that predictions use. */
  version: number;
  datasetKey: string;
  trainingJobKey: string;
  /** The champion's accuracy on held-out rows. */
  achievedPerformance: number;
  createdOn: string;
  verdict: Verdict | null;
}

export interface ModelVersion {
  version: number;
  algorithm: string;
  achievedPerformance: number;
  trainingPerformance: number;
  testPerformance: number;
  /** Wrong decisions on the held-out rows. */
  falseDecisions: number;
  /** Accuracy of the same settings on further splits. */
  confirmedPerformance: Interval | null;
  champion: boolean;
}

/** One model has its versions too, best first. */
export interface ModelDetail extends ModelAbout {
  versions: ModelVersion[];
}

/** Champion and challenger on the labelled rows that were kept aside. */
export interface SuccessorComparison {
  /** At 5%. */
  outcome: "CHALLENGER_BETTER" | "CHAMPION_BETTER" | "WITHIN_CHANCE";
  /** Two-sided. */
  pValue: number;
  rowCount: number;
  championAccuracy: Interval;
  challengerAccuracy: Interval;
  /** The champion's objective, by which the outcome goes. Left out where it goes by right decisions. */
  objective?: "accuracy" | "balanced-accuracy" | "f1" | "cost";
  /** How each meets that objective: a share, or the mean cost of a decision, negated. */
  championScore?: number;
  challengerScore?: number;
  /** The challenger's accuracy less the champion's; where there is an objective, its score less the champion's. */
  difference: Interval;
  /** Rows that one alone decides right. */
  championAlone: number;
  challengerAlone: number;
  /** Rows that the champion's dataset has too; null where they were not counted. */
  seenRows: number | null;
  /** In the order of both matrices: by actual label, then by predicted one. */
  labels: string[];
  championConfusion: number[][];
  challengerConfusion: number[][];
  /** Sentences: what can be said of it, and what cannot. */
  statements: string[];
}

export interface SuccessorAbout {
  successorKey: string;
  /** At its address the line answers: programs go on calling it. */
  firstModelKey: string;
  status: SuccessorStatus;
  promote: "BY_HAND" | "WHEN_BETTER";
  champion: { modelKey: string; version: number };
  /** The model that it trained; null before. */
  challenger: { modelKey: string; version: number } | null;
  /** The joined rows; null before. */
  datasetKey: string | null;
  trainingJobKey: string | null;
  /** Labelled rows that joined the champion's, and those that were kept aside to compare by. */
  learnedRows: number | null;
  keptRows: number | null;
  comparison: SuccessorComparison | null;
  /** Whether its model answers at the line's address. */
  isAnswering: boolean;
  promotedOn: string | null;
  createdOn: string;
  finishedOn: string | null;
  errorReason: string | null;
}

export interface PredictionAbout {
  predictionKey: string;
  modelKey: string;
  datasetKey: string;
  version: number;
  status: PredictionStatus;
  /** Null until COMPLETED. */
  rowCount: number | null;
  createdOn: string;
}

/** One prediction has figures of its result too. */
export interface PredictionDetail extends PredictionAbout {
  /** Rows by predicted label; null until COMPLETED. */
  labelCounts: { label: string; count: number }[] | null;
  /** Rows by the confidence of their answer, in tenths from 0 to 1; null until COMPLETED. */
  confidenceCounts: number[] | null;
  /** With two labels, the probability above which the positive one was predicted. */
  threshold: number | null;
  warnings: Warning[];
  errorReason: string | null;
  finishedOn: string | null;
}

/** Labels beside decisions. */
export interface OutcomeCounts {
  /** Rows with a label. */
  rowCount: number;
  rightCount: number;
  /** Null without rows. */
  accuracy: Interval | null;
  /** Rows whose label the model does not know: each decision counts as wrong, and stands in no matrix. */
  unknownLabels: number;
  /** Predicted rows without a label so far. */
  withoutLabel: number;
  /** Labels whose key no predicted row has. */
  unmatched: number;
  /** By actual label, then by predicted one. */
  confusion: number[][];
}

/** All labels that came for a version of a model, added up. */
export interface VersionOutcomes extends OutcomeCounts {
  /** Predictions with labels. */
  predictionCount: number;
  objective: "accuracy" | "balanced-accuracy" | "f1" | "cost";
  /** How the labels say that the objective is met: a share, or the mean cost of a decision, negated. */
  score: Interval | null;
  /** The score that training confirmed; null where it confirmed none. */
  confirmed: Interval | null;
  /** The label whose share grew most since the training; null where the labels have the shares of its rows. */
  changedLabel: { label: string; trained: number; later: number } | null;
  /** WORSE_THAN_PROMISED: the objective is met worse than the confirmed figure's interval promises, beyond chance. */
  state: "AS_PROMISED" | "WORSE_THAN_PROMISED" | "TOO_FEW" | "NO_PROMISE";
  /** The state in words, and what has to hold for it. */
  message: string;
  condition: string;
  /** The day of the labels that showed it. */
  since: string | null;
}

/** The labels that came later for a prediction, added up. */
export interface PredictionOutcomes {
  predictionKey: string;
  version: number;
  /** The labels that the model knows, in the order of each matrix. */
  labels: string[];
  /** Null where no labels came. */
  outcomes: (OutcomeCounts & { addedOn: string; labelColumn: string | null; keyColumn: string | null }) | null;
  ofVersion: VersionOutcomes;
}

/** A column, or its difference to the column `minus`, that moved the decision of a row: above 0 for the label. */
export interface Reason {
  column: string;
  minus?: string;
  effect: number;
  words?: { word: string; effect: number }[];
  parts?: { part: string; effect: number }[];
}

/** The answer for one row. */
export interface RowPrediction {
  label: string;
  /** The probability of the label. */
  confidence: number;
  /** By label. */
  probabilities: Record<string, number>;
  /** As many as were asked for, the strongest first; left out where none were. */
  reasons?: Reason[];
  /** Cells that the model could not take as they stand, such as an unseen category. */
  oddCells?: { column: string; code: string }[];
}

/** One row of a result file. */
export interface ResultRow extends RowPrediction {
  /** The cells that were sent, by column. */
  row: Record<string, string>;
}
