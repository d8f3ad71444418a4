// Tasks for tests of the checks: TRAIN with a reserve of every tenth row, then TEST.

import { type FeatureFacts, measureFeatures } from "../../../engine/refinement/feature-facts.ts";
import type { RefinementTask } from "../../../engine/refinement/task.ts";
import { neverStop } from "../../../engine/stop-signal.ts";
import { everyRowOf, type Table } from "../../../engine/table/table.ts";

const everyTenth = (row: number) => row % 10 === 9;

/** The last `testCount` rows are TEST. */
export function taskOf(table: Table, testCount = 0, numberOfBuckets = 10, isReserve = everyTenth): RefinementTask {
  const { rows } = everyRowOf(table);
  const train = rows.subarray(0, table.rowCount - testCount);
  const learning = train.filter((row) => !isReserve(row));
  const parts = { learning, reserve: train.filter(isReserve), test: rows.slice(train.length), selection: learning };
  return { ...parts, table, folds: [], numberOfBuckets, positiveClass: 1, hasKeys: false, seed: 1 };
}

/** Facts about all features. */
export function factsOf(task: RefinementTask): FeatureFacts[] {
  return measureFeatures(task, 0, task.table.features.length, neverStop);
}
