// Arenas for tests of the checks: TRAIN with a reserve of every tenth row, then TEST.
import type { RefinementArena } from "../../../engine/refinement/arena.ts";
import { type FeatureFacts, measureFeatures } from "../../../engine/refinement/feature-facts.ts";
import { neverStop } from "../../../engine/stop-signal.ts";
import type { Table } from "../../../engine/table.ts";

/** The last `testCount` rows are TEST. */
export function arenaOf(table: Table, testCount = 0, numberOfBuckets = 10): RefinementArena {
  const rows = Uint32Array.from({ length: table.rowCount }, (_, row) => row);
  const train = rows.subarray(0, table.rowCount - testCount);
  const learning = train.filter((row) => row % 10 !== 9);
  const reserve = train.filter((row) => row % 10 === 9);
  const test = rows.slice(train.length);
  return { table, learning, reserve, test, selection: learning, folds: [], numberOfBuckets, positiveClass: 1, seed: 1 };
}

/** Facts about all features. */
export function factsOf(arena: RefinementArena): FeatureFacts[] {
  return measureFeatures(arena, 0, arena.table.features.length, neverStop);
}
