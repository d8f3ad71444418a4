// The time limit that a refinement announces before it begins, from the shape of its table and the number of threads.
import type { RefinementTask } from "./task.ts";

/** Seconds on two threads: three to four times the measured ones, so that a slower machine keeps the promise too. */
const BASE_SECONDS = 30;
const SECONDS_PER_MILLION_SELECTION_CELLS = 10;
const SECONDS_PER_MILLION_LEARNING_CELLS = 4;
const SECONDS_PER_THOUSAND_SELECTION_ROWS = 3;
/** With fewer budgets than this, a time limit is short: stages may have to be left out. */
export const AMPLE_BUDGETS = 2;
/** Classes that add the base time of gathering evidence once more. */
const CLASSES_OF_DOUBLE_COST = 10;

/** Seconds within which a refinement ends: stages are cut short rather than overrun it. */
export function estimateBudget({ table, learning, selection }: RefinementTask, threads: number): number {
  const featureCount = table.features.length;
  const evidence =
    (selection.length / 1e3) * SECONDS_PER_THOUSAND_SELECTION_ROWS +
    ((selection.length * featureCount) / 1e6) * SECONDS_PER_MILLION_SELECTION_CELLS;
  const models = ((learning.length * featureCount) / 1e6) * SECONDS_PER_MILLION_LEARNING_CELLS;
  const work = evidence * (1 + table.labels.length / CLASSES_OF_DOUBLE_COST) + models;
  return BASE_SECONDS + (work * 2) / Math.min(2, threads);
}
