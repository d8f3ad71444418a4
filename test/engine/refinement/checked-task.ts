// Tasks for tests of the checks: TRAIN with a reserve of every tenth row, then TEST.

import { type FeatureFacts, measureFeatures } from "../../../engine/refinement/feature-facts.ts";
import type { RefinementTask } from "../../../engine/refinement/task.ts";
import { neverStop } from "../../../engine/stop-signal.ts";
import type { Table } from "../../../engine/table/table.ts";

/** The last `testCount` rows are TEST. */
export function taskOf(table: Table, testCount = 0, numberOfBuckets = 10): RefinementTask {
  const rows = Uint32Array.from({ length: table.rowCount }, (_, row) => row);
  const train = rows.subarray(0, table.rowCount - testCount);
  const learning = train.filter((row) => row % 10 !== 9);
  const reserve = train.filter((row) => row % 10 === 9);
  const test = rows.slice(train.length);
  return {
    table,
    learning,
    reserve,
    test,
    selection: learning,
    folds: [],
    numberOfBuckets,
    positiveClass: 1,
    hasKeys: false,
    seed: 1,
  };
}

/** Facts about all features. */
export function factsOf(task: RefinementTask): FeatureFacts[] {
  return measureFeatures(task, 0, task.table.features.length, neverStop);
}
