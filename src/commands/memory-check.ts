// Checks whether a command's work fits its memory: before its files are read, and again once the table is known.
import { readingNeed } from "../../engine/memory/reading-need.ts";
import { refinementNeed } from "../../engine/memory/refinement-need.ts";
import { sizeOf } from "../../engine/memory/sizes.ts";
import { fitForests, trainingNeed } from "../../engine/memory/training-need.ts";
import { areIndependent } from "../../engine/splits/row-keys.ts";
import type { Table } from "../../engine/table/table.ts";
import type { TableAnswer } from "../../workers/messages.ts";
import type { WorkerPool } from "../../workers/pool.ts";
import { commandBytes, MemoryExceeded, requireBudget } from "../common/memory-budget.ts";
import { lookAt, sumOfSizes } from "../jobs/job-need.ts";
import type { ProgressView } from "../progress/progress-view.ts";

export interface MemoryOptions {
  memoryBudgetMib: number;
  numberOfBuckets: number;
}

/** Checks files that are read into one table. @throws MemoryExceeded, or InputError where there is no such file */
export function requireReading(
  paths: readonly string[],
  label: string | null,
  { memoryBudgetMib }: MemoryOptions,
): void {
  const file = paths.map((path) => lookAt(path, label).file).reduce(sumOfSizes);
  requireBudget("Reading this table", readingNeed(file), memoryBudgetMib, 1);
}

/**
 * Narrows the pool to as many threads as fit. Where not even one fits,
 * returns the most trees that forests may have (D91).
 *
 * @throws MemoryExceeded
 */
export function fitTraining(
  pool: WorkerPool,
  { table, keys }: Pick<TableAnswer, "table" | "keys">,
  { memoryBudgetMib, numberOfBuckets, scalingFactor, target }: MemoryOptions & TrainingOptions,
  progress: ProgressView,
): number | undefined {
  const size = sizeOf(table);
  const hasKeys = !areIndependent(keys);
  const work = { numberOfBuckets, attemptCount: 1 + scalingFactor, hasTarget: target !== null, hasKeys };
  narrow(pool, memoryBudgetMib, (threadCount) => trainingNeed(size, { ...work, threadCount }), progress);
  const askedWork = { ...work, threadCount: pool.size };
  const { mostTrees, needBytes } = fitForests(size, askedWork, commandBytes(memoryBudgetMib));
  requireBudget("Training on this table", needBytes, memoryBudgetMib, pool.size);
  if (mostTrees !== undefined) {
    progress.note(`Forests have at most ${mostTrees} trees, to stay within ${memoryBudgetMib} MiB of memory.`);
  }
  return mostTrees;
}

/** Narrows the pool to as many threads as fit. @throws MemoryExceeded */
export function fitRefinement(
  pool: WorkerPool,
  table: Table,
  { memoryBudgetMib, numberOfBuckets }: MemoryOptions,
  progress: ProgressView,
): void {
  const needOf = (threadCount: number) => refinementNeed(sizeOf(table), { threadCount, numberOfBuckets });
  narrow(pool, memoryBudgetMib, needOf, progress);
  requireBudget("Refining this table", needOf(pool.size), memoryBudgetMib, pool.size);
}

/** As `fitRefinement`, but where it does not fit, notes that a run trains on all columns and returns false. */
export function mayRefine(...[pool, table, options, progress]: Parameters<typeof fitRefinement>): boolean {
  try {
    fitRefinement(pool, table, options, progress);
    return true;
  } catch (error) {
    if (!(error instanceof MemoryExceeded)) throw error;
    progress.note(`warning: training uses all columns, without refining them. ${error.message}`);
    return false;
  }
}

/** Narrows the pool to the most threads that fit, at least one. */
function narrow(
  pool: WorkerPool,
  memoryBudgetMib: number,
  needOf: (threadCount: number) => number,
  progress: ProgressView,
): void {
  const { size } = pool;
  let threadCount = size;
  while (threadCount > 1 && needOf(threadCount) > commandBytes(memoryBudgetMib)) threadCount--;
  if (threadCount === size) return;
  pool.narrow(threadCount);
  progress.note(`${threadCount} of ${size} threads work, to stay within ${memoryBudgetMib} MiB of memory.`);
}

interface TrainingOptions {
  scalingFactor: number;
  target: number | null;
}
