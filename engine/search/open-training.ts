// The task that all attempts of a run share: the table, its holdout, its folds, and what is asked for.
import type { CostMatrix } from "../judging/costs.ts";
import type { Objective } from "../judging/objective.ts";
import { assignParts, foldSplits, HOLDOUT_PART, judgedByFolds, type RowParts, splitByPart } from "../splits/holdout.ts";
import { INDEPENDENT_ROWS, type RowKeys } from "../splits/row-keys.ts";
import { timeBlocks } from "../splits/time-parts.ts";
import { labelledRows, selectTableRows, type Table } from "../table/table.ts";
import type { GrowthTask } from "./grow.ts";
import { drawSearchSample } from "./search-sample.ts";
import type { TrainingTask } from "./training-task.ts";

type TaskOptions = Pick<TrainingTask, "numberOfBuckets" | "target" | "mostTrees"> & {
  seed: number;
  /** Accuracy by default. */
  objective?: Objective;
  costs?: CostMatrix | null;
};

/** A sample is large enough for one fold to tell attempts apart: of four folds the others are left out. */
const FOLDS_OF_SAMPLE = 4;

/** Every split derives from the seed and the keys. O(rows). */
export function openTraining(
  table: Table,
  { seed, objective = "accuracy", costs = null, ...options }: TaskOptions,
  keys: RowKeys = INDEPENDENT_ROWS,
): TrainingTask {
  const { classes, labels } = table;
  const parts = assignParts(classes, labels.length, seed, keys);
  const split = splitByPart(parts, HOLDOUT_PART);
  const folds = foldSplits(labelledRows(table, split.learning), seed, keys);
  const judgedRows = judgedByFolds(split.learning, folds);
  const clusters = clustersOf(keys);
  return { table, parts, split, folds, judgedRows, clusters, objective, costs, isSample: false, ...options };
}

/**
 * A search on a sample of `learningCount` rows and what they are judged by, and the rows on which its best may grow.
 */
export function openSampledTraining(
  table: Table,
  { seed, objective = "accuracy", costs = null, ...options }: TaskOptions,
  learningCount: number,
): { task: TrainingTask; growth: GrowthTask } {
  const { classes, labels } = table;
  const parts = assignParts(classes, labels.length, seed);
  const sample = drawSearchSample(table, parts, learningCount, seed);
  const sampled = selectTableRows(table, sample.rows);
  const ownParts: RowParts = { dealt: Uint8Array.from(sample.rows, (row) => parts.dealt![row]!), ages: null };
  const split = splitByPart(ownParts, HOLDOUT_PART);
  const folds = foldSplits(labelledRows(sampled, split.learning), seed, INDEPENDENT_ROWS, FOLDS_OF_SAMPLE);
  const first = folds.slice(0, 1);
  const { judging: judgedRows } = first[0]!;
  const shared = { clusters: null, objective, costs, ...options };
  const { learning, judging, aside, pool } = sample;
  const whole = { table, parts, split: { learning, judging }, folds: [], judgedRows: aside, isSample: false };
  return {
    task: { table: sampled, parts: ownParts, split, folds: first, judgedRows, isSample: true, ...shared },
    growth: { ...whole, pool, ...shared },
  };
}

function clustersOf({ groups, times }: RowKeys): Uint32Array | null {
  if (groups !== null) return groups;
  return times === null ? null : timeBlocks(times);
}
