// The decision about a column: kept or removed, for what reason, on what evidence.

/** With fewer rows of TRAIN, evidence is too weak to remove a column. */
export const LEAST_ROWS_TO_JUDGE = 250;

export type KeepReason =
  /** The column alone tells something of the label. */
  | "SIGNAL_UNIVARIATE"
  /** Forests gain more by it than by the best of its shadows. */
  | "SIGNAL_FOREST"
  /** Only together with others: predictions fall when it is shuffled. */
  | "SIGNAL_INTERACTION"
  /** Stands for a group of near copies. */
  | "REPRESENTATIVE"
  /** No column showed a signal, so all that passed the checks stay. */
  | "KEPT_NO_SIGNAL_FOUND"
  /** Cross-validation was better with all columns. */
  | "KEPT_FALLBACK"
  /** The blind test was worse without it. */
  | "KEPT_VETO"
  /** Too few rows, or too few of rare labels, to judge by: only what fails the checks goes. */
  | "KEPT_FEW_ROWS"
  /** Over 99.5% missing, but that it is missing tells something. */
  | "KEPT_MISSING_INFORMATIVE"
  /** Alone it gives nearly the whole label away; a person must decide. */
  | "KEPT_SUSPECT"
  /** It names the group or the time of a row: models are judged by it. */
  | "KEPT_FOR_JUDGING";

export type RemoveReason =
  | "CONSTANT"
  | "NEAR_CONSTANT"
  | "EMPTY"
  | "ID_LIKE"
  /** No word stands in two of its rows. */
  | "FREE_TEXT"
  | "UNREADABLE"
  /** The user asked to leave it out. */
  | "LEFT_OUT"
  /** The same information as column `with`. */
  | "DUPLICATE_OF"
  /** Nearly the same as column `with`, and cross-validation is as good without it. */
  | "REDUNDANT_WITH"
  | "TARGET_LEAK"
  | "NO_SIGNAL";

export type ColumnFlag =
  | "TARGET_LEAK_SUSPECT"
  | "ROW_ORDER_LEAK"
  | "MISSING_INFORMATIVE"
  | "TRAIN_TEST_DRIFT"
  | "DATE_DRIFT";

/** Why a column that was judged by its evidence was not shuffled. */
export const NOT_SHUFFLED = [
  /** The screen before the forests excluded it. */
  "SCREENED_OUT",
  /** Its group gained too little in the forests, and no other evidence supported it. */
  "WEAK_GROUP",
  /** Too much of the announced time was used. */
  "TIME_UP",
] as const;
export type NotShuffled = (typeof NOT_SHUFFLED)[number];

/** Measurements of a column's signal; null where one was not taken. */
export interface ColumnEvidence {
  /** Test of independence of the label (chi-square, permutation moments), and the mutual information in nats. */
  pValue: number | null;
  mutualInformation: number | null;
  /** (accuracy of the best rule on this column alone - majority) / (1 - majority), leave-one-out. */
  strength: number | null;
  /** In `hits` of `rounds` rounds, forests gained more by the column than by the best shadow of its kind. */
  hits: number | null;
  rounds: number | null;
  /** Mean gain of the column, and of the best shadow of its kind, as shares of all gain. */
  gain: number | null;
  shadowGain: number | null;
  /**
   * Shuffled together with its near copies on rows that forests had not seen: z-score and mean of
   * the fall in the true class's probability, loss of accuracy.
   */
  permutationZ: number | null;
  probabilityLoss: number | null;
  accuracyLoss: number | null;
  /** Null if it was shuffled or not judged; left out in results of earlier versions. */
  notShuffled?: NotShuffled | null;
  /**
   * Cross-validated accuracy before the step that removed the column, less that
   * after it; the step may remove several columns.
   */
  accuracyEffect: number | null;
}

export interface ColumnDecision {
  name: string;
  /** Position in the file, from 0. */
  position: number;
  kind: string;
  decision: "KEEP" | "REMOVE";
  reason: KeepReason | RemoveReason;
  /**
   * The column that this one copies, or the representative of its group; where it is kept for its difference from
   * another column alone, that one.
   */
  with: string | null;
  flags: readonly ColumnFlag[];
  /** Share of the forests' gain, 0 to 1; null where not measured. */
  importance: number | null;
  /**
   * The highest of three shares, 0 to 1: quarters of the rows, rounds and folds in which the
   * column stood above the noise; null where not measured.
   */
  stability: number | null;
  evidence: ColumnEvidence;
}
