// The contents of the database's JSON columns.
import type { ColumnChoice } from "../../engine/columns/choices.ts";
import type { ShownForm } from "../../engine/columns/reading.ts";
import type { FamilyName } from "../../engine/fitting/family.ts";
import type { Estimate } from "../../engine/judging/metrics.ts";
import type { ClassCount } from "../../engine/profile/profile.ts";
import type { ColumnDecision } from "../../engine/refinement/decision.ts";
import type { Distribution } from "../../engine/table/distribution.ts";
import type { TextProfile } from "../../engine/text/text-profile.ts";
import type { Warning } from "../../engine/warning.ts";

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

/** The result of a refinement (D01), without its files. */
export interface RefinementResult {
  /** True where time ran out: the result is what had been found by then. */
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
  /** The evidence for the result (D64). */
  grounds?: StoredEvidence;
}

/** The evidence that a refinement measured. */
export interface StoredEvidence {
  labelColumn: string;
  /** Always answering the most frequent label, on the blind test. */
  majority: { label: string; falseDecisions: number; accuracy: number };
  /** Rows with a label, without those of the blind test. */
  trainRowCount: number;
  testRowCount: number;
  /** The best models on the kept columns; other columns may have given better ones. */
  keptRows: readonly PerformanceRecord[];
  checkpoints: readonly CheckpointRecord[];
  /** As TRAIN was read. */
  classes: readonly ClassCount[];
  columns: readonly DatasetColumn[];
}

/** One reading of the blind test after the baseline. */
export interface CheckpointRecord {
  /** The proposal in words: "columns with a signal", "one of each group of near copies". */
  proposal: string;
  columnCount: number;
  falseDecisions: number;
  /** How many standard errors more wrong decisions than the best before. */
  worseBy: number;
  accepted: boolean;
}

/** A column of a dataset (D02). */
export interface DatasetColumn {
  name: string;
  kind: string;
  missing: number;
  distinct: number;
  warning: string | null;
  /** Null where it is not counted or not kept (D63). */
  distribution?: Distribution | null;
  /** Where the column's terms are read. */
  text?: TextProfile;
  /** The kind that its cells show by themselves, where the user chose one. */
  foundKind?: string;
  /** How its numbers or dates are written, where that is not the plain way. */
  form?: ShownForm;
  /** Texts of this column alone that count as missing, found or chosen; left out where there are none. */
  missingTexts?: readonly string[];
}

/** The user's choices for a table's columns: for a row's group and time, left out (D93), read otherwise (D112). */
export interface ColumnSettings {
  groupColumn: string | null;
  timeColumn: string | null;
  /** True where the group and time columns are features too. */
  keepKeyColumns: boolean;
  withoutColumns: readonly string[];
  columnChoices: readonly ColumnChoice[];
}

/**
 * How models were judged: on rows drawn at random, on whole groups, on the newest rows, or on new groups' newest rows.
 */
export interface JudgedBy {
  kind: "random" | "groups" | "time" | "groups and time";
  groupColumn: string | null;
  timeColumn: string | null;
  /** 0 without a group column. */
  groupCount: number;
}

/** A doubt about the figures of a training. Earlier versions may have had other codes. */
export interface DoubtRecord {
  code: string;
  /** With a serious doubt open, the accuracy says nothing sure of new rows. */
  level: "serious" | "caution";
  message: string;
  /** The remedy, one sentence. */
  remedy: string;
  /** Options of `cupel run` that do it; null where there are none. */
  option: string | null;
  /** Columns of the file that it is about. */
  columns: readonly string[];
  /**
   * Accuracy of a fast model at random, and where what belongs together was held out; balanced accuracy where the
   * message says so; null where it is not about that.
   */
  random: number | null;
  held: number | null;
}

/** The verdict on a training: how its models were judged, and the doubts about its figures. */
export interface VerdictRecord {
  judgedBy: JudgedBy;
  /** False where the rows were not looked at, or not to the end. */
  isLookedAt: boolean;
  /** The rows are too few to be looked at; left out for any other reason. */
  tooFewRows?: boolean;
  /**
   * The limit that ended the look early: a short one of the run, of which it gets a tenth, or its own. Left out for any
   * other reason.
   */
  cutBy?: "TIME_LIMIT" | "OWN_LIMIT";
  /** Worst first. */
  doubts: readonly DoubtRecord[];
}

/** A row of the leaderboard: an attempt of a training, or a library baseline. */
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
  /** The version it became, 1 to 3. */
  version: number | null;
  /** Wrong decisions on the holdout. Null where the attempt did not finish, as are the figures below. */
  falseDecisions: number | null;
  accuracy: number | null;
  logLoss: number | null;
  trainingAccuracy: number | null;
  outOfFoldAccuracy: number | null;
  outOfFoldLogLoss: number | null;
  seconds: number;
}

/** A watched version in the newest stretch of days that was judged. */
export interface WatchFigures {
  rowCount: number;
  /** The largest index of a column or of the decisions; null where none could be compared. */
  worstIndex: number | null;
  meanConfidence: number | null;
  /** Null where it is not known. */
  expectedAccuracy: number | null;
  /** By all labels that came later; null for none. Left out by earlier versions. */
  realAccuracy?: number | null;
}

/** A prediction whose labelled rows a successor uses. Counts are null until the rows are joined. */
export interface SuccessorSource {
  predictionKey: string;
  /** As the client called it; null where it did not. */
  fileName: string | null;
  /** Rows before it were learned from by the champion. */
  fromRow: number;
  learnedRows: number | null;
  keptRows: number | null;
  /** The first row that was not learned from; null where all were. */
  keptFromRow: number | null;
  /** Another source with the same file, whose rows count once. */
  sameAs: string | null;
}
