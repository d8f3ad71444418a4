// The task that all attempts of a run share: the table, its holdout, its folds, and what is asked for.
import { assignParts, foldSplits, HOLDOUT_PART, judgedByFolds, splitByPart } from "../splits/holdout.ts";
import { INDEPENDENT_ROWS, type RowKeys } from "../splits/row-keys.ts";
import { timeBlocks } from "../splits/time-parts.ts";
import type { Table } from "../table.ts";
import type { TrainingTask } from "./qualify.ts";

export type TaskOptions = Pick<TrainingTask, "numberOfBuckets" | "target" | "objective" | "costs" | "mostTrees"> & {
  seed: number;
};

/** Every split derives from the seed and the keys. O(rows). */
export function openTraining(
  table: Table,
  { seed, ...options }: TaskOptions,
  keys: RowKeys = INDEPENDENT_ROWS,
): TrainingTask {
  const { classes, labels } = table;
  const parts = assignParts(classes, labels.length, seed, keys);
  const split = splitByPart(parts, HOLDOUT_PART);
  const folds = foldSplits(split.learning, classes, labels.length, seed, keys);
  const judgedRows = judgedByFolds(split.learning, folds);
  return { table, parts, split, folds, judgedRows, clusters: clustersOf(keys), ...options };
}

function clustersOf({ groups, times }: RowKeys): Uint32Array | null {
  if (groups !== null) return groups;
  return times === null ? null : timeBlocks(times);
}
