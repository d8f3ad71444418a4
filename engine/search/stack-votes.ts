// Votes: what attempts keep for stacks, the probabilities that each gave to rows which it did not learn from, and to
// some that it did. A stack weighs these, and no attempt is fitted again for it.

import type { BaseSettings } from "../families/base-algorithms.ts";
import { evenlySpaced, pickRows, placesOf, rowsUpTo } from "../row-lists.ts";
import type { BucketChoice } from "../table/buckets.ts";
import type { Qualification, TrainingTask } from "./training-task.ts";

/**
 * Cells (rows × classes) of out-of-fold probabilities that are kept of each attempt at most: weights need no more rows.
 */
export const MOST_OUT_OF_FOLD_CELLS = 2_000_000;
/** Cells of training probabilities that are kept of each attempt at most: they serve a single accuracy. */
export const MOST_TRAINING_CELLS = 200_000;
/** Cells of holdout probabilities beyond which a run has no stack: each attempt's would be kept. */
export const MOST_HOLDOUT_CELLS = 8_000_000;

/** An attempt, as a stack sees it: its fit, and what it said of rows. */
export interface StackBase {
  attempt: number;
  buckets: BucketChoice;
  settings: BaseSettings;
  seed: number;
  votes: KeptVotes;
}

/** Class probabilities that an attempt gave to rows. */
export interface KeptVotes {
  /** On the learning rows at `stackPositions`, each by a model that had not seen it. */
  outOfFold: Float32Array;
  /** On those of them that `trainingIndexes` names, by the model that learned from them. */
  training: Float32Array;
  /** On the holdout. */
  holdout: Float32Array;
}

/** Positions among the judged rows whose out-of-fold probabilities are kept; null where the table is too large. */
export function stackPositions({ table, split, judgedRows }: TrainingTask): Uint32Array | null {
  const classCount = table.labels.length;
  if (split.judging.length * classCount > MOST_HOLDOUT_CELLS) return null;
  return evenlySpaced(judgedRows.length, MOST_OUT_OF_FOLD_CELLS / classCount);
}

/** The kept rows on which a stack's training accuracy is measured: all, or evenly spaced ones. */
export function trainingIndexes(keptCount: number, classCount: number): Uint32Array {
  return evenlySpaced(keptCount, MOST_TRAINING_CELLS / classCount);
}

/** Keeps what a stack will need of an attempt, in memory that threads share; null where there will be no stack. */
export function keepVotes(
  task: TrainingTask,
  probabilities: Pick<Qualification, "outOfFoldProbabilities" | "trainingProbabilities" | "holdoutProbabilities">,
): KeptVotes | null {
  const positions = stackPositions(task);
  if (positions === null) return null;
  const classCount = task.table.labels.length;
  const learned = placesOf(task.split.learning);
  const trained = trainingIndexes(positions.length, classCount).map(
    (index) => learned[task.judgedRows[positions[index]!]!]!,
  );
  const shared = (cells: Float64Array, rows: Uint32Array) =>
    pickRows(cells, rows, classCount, new Float32Array(new SharedArrayBuffer(4 * rows.length * classCount)));
  return {
    outOfFold: shared(probabilities.outOfFoldProbabilities, positions),
    training: shared(probabilities.trainingProbabilities, trained),
    holdout: shared(probabilities.holdoutProbabilities, rowsUpTo(task.split.judging.length)),
  };
}

/** The learning rows whose out-of-fold probabilities are kept. */
export function keptRows(task: TrainingTask): Uint32Array {
  return stackPositions(task)!.map((position) => task.judgedRows[position]!);
}
