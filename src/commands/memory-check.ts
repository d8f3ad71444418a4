// Whether a command's work fits its memory: asked before its files are read, and again once the table is known.
import { readingNeed, refinementNeed, sizeOf, trainingNeed } from "../../engine/memory-need.ts";
import type { Table } from "../../engine/table.ts";
import { joined, lookAt } from "../jobs/job-need.ts";
import { requireBudget } from "../memory-budget.ts";

export interface MemoryOptions {
  memoryBudgetMib: number;
  workers: number;
  numberOfBuckets: number;
}

/** Of files that are read into one table. @throws MemoryExceeded, or InputError where there is no such file */
export function requireReading(
  paths: readonly string[],
  label: string | null,
  { memoryBudgetMib }: MemoryOptions,
): void {
  const file = paths.map((path) => lookAt(path, label).file).reduce(joined);
  requireBudget("Reading this table", readingNeed(file), memoryBudgetMib, 1);
}

/** @throws MemoryExceeded */
export function requireTraining(
  table: Table,
  { memoryBudgetMib, workers, numberOfBuckets, scalingFactor, target }: MemoryOptions & TrainingOptions,
): void {
  const work = { threadCount: workers, numberOfBuckets, attemptCount: 1 + scalingFactor, hasTarget: target !== null };
  requireBudget("Training on this table", trainingNeed(sizeOf(table), work), memoryBudgetMib, workers);
}

/** @throws MemoryExceeded */
export function requireRefinement(table: Table, { memoryBudgetMib, workers, numberOfBuckets }: MemoryOptions): void {
  const need = refinementNeed(sizeOf(table), { threadCount: workers, numberOfBuckets });
  requireBudget("Refining this table", need, memoryBudgetMib, workers);
}

interface TrainingOptions {
  scalingFactor: number;
  target: number | null;
}
