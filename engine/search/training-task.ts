// A training as its attempts see it: the rows and limits that they share, and the result of one of them.
import type { ModelSettings } from "../families/algorithms.ts";
import type { BaseSettings } from "../families/base-algorithms.ts";
import type { CostMatrix } from "../judging/costs.ts";
import type { Judgement } from "../judging/metrics.ts";
import type { Objective } from "../judging/objective.ts";
import { type RowParts, SMALL_ROWS, type Split } from "../splits/holdout.ts";
import type { Table } from "../table/table.ts";
import type { AttemptSpec } from "./attempts.ts";

/** An attempt that rests on no other. */
export type BaseSpec = AttemptSpec & { settings: BaseSettings };

/** The rows and limits that all attempts of a run share. */
export interface TrainingTask {
  table: Table;
  /** Which rows judge the holdout and the re-splits. */
  parts: RowParts;
  /** The learning rows and the holdout. */
  split: Split;
  /** Folds of the learning rows, the same for every attempt. */
  folds: readonly Split[];
  /** The learning rows that some fold judges: all of them, except the oldest where folds go forward in time. */
  judgedRows: Uint32Array;
  /**
   * The group, or the stretch of time, of each row: rows of one are not independent of each other.
   * Null where all rows are. Then forests are scored out of bag; else fold by fold, since a tree
   * has seen rows of the groups that it has not drawn all of.
   */
  clusters: Uint32Array | null;
  /** The user's number of buckets. */
  numberOfBuckets: number;
  /** The accuracy to reach, or null: then an attempt is done with its first settings. */
  target: number | null;
  /** The aim of decisions. */
  objective: Objective;
  /** Null unless the objective is "cost". */
  costs: CostMatrix | null;
  /** Trees of a forest at most, where memory is short. */
  mostTrees?: number | undefined;
  /** Whether the table is a sample of a large one. */
  isSample: boolean;
}

/** The facts of a task that the view of a fit depends on. */
export type BucketedTable = Pick<TrainingTask, "table" | "numberOfBuckets">;

/** Why an attempt was not taken through all folds: log-losses on the first one's rows. */
export interface EarlyEnd {
  foldCount: number;
  logLoss: number;
  /** The attempt that did best there: of its family, or on a small table of any. */
  better: { attempt: number; logLoss: number };
}

/** The result of an attempt. */
export interface Qualification<Settings extends ModelSettings = ModelSettings> {
  /** The settings as found: what a refit uses. */
  settings: Settings;
  outOfFold: Judgement;
  /** Class probabilities of the task's judged rows, each by a model that had not seen it. */
  outOfFoldProbabilities: Float64Array;
  /**
   * Class probabilities of learning rows, by the model that learned from them; for a stack, of the rows whose votes it
   * keeps.
   */
  trainingProbabilities: Float64Array;
  trainingRows: Uint32Array;
  training: Judgement;
  holdout: Judgement;
  /** Class probabilities of the holdout rows. */
  holdoutProbabilities: Float64Array;
  /**
   * Set where the attempt ended after the first fold: all scores are of that
   * fold's model, those out of fold of its rows alone.
   */
  earlyEnd?: EarlyEnd;
  /** Set of a stack that is worse than this member of it, on the rows that both were scored on out of fold. */
  betterMember?: { attempt: number; logLoss: number };
}

/** Whether it has few learning rows, so that choosing among models is more chance than knowledge (D137, D147). */
export function isSmall({ split }: TrainingTask): boolean {
  return split.learning.length <= SMALL_ROWS;
}

export function isBase(spec: AttemptSpec): spec is BaseSpec {
  return spec.settings.algorithm !== "stack";
}
