// Shared by the stages of a refinement: the task, the plan, the units, the clock, the listener.

import type { PerformanceRecord } from "../../data/database/records.ts";
import type { ColumnCheck } from "../../engine/refinement/column-checks.ts";
import type { FeatureFacts } from "../../engine/refinement/feature-facts.ts";
import type { RefinementPlan } from "../../engine/refinement/plan.ts";
import type { RefinementTask } from "../../engine/refinement/task.ts";
import { sourcesOf } from "../../engine/table/table.ts";
import type { StepCount, UnitRunner } from "./refinement-units.ts";

export interface RefinementListener {
  /** The run entered a state. */
  state(name: string): void;
  progress(completed: number, total: number): void;
  rows(baseline: readonly PerformanceRecord[], current: readonly PerformanceRecord[]): void;
}

export interface Refinery {
  task: RefinementTask;
  taskId: number;
  /** Threads at most. */
  threads: number;
  plan: RefinementPlan;
  units: UnitRunner;
  count: StepCount;
  /** By feature index. */
  facts: readonly FeatureFacts[];
  /** Enters the next REFINING_LOOP_n. */
  nextLoop(): void;
  /** Whether this share of the announced time has passed: stages end early rather than overrun it. */
  isPast(share: number, stage: string): boolean;
}

/** The source columns of features, ascending. */
export function columnsOf({ table }: RefinementTask, features: Iterable<number>): Set<number> {
  const columns = new Set<number>();
  for (const feature of features) for (const column of sourcesOf(table.features[feature]!)) columns.add(column);
  return new Set([...columns].sort((a, b) => a - b));
}

/** The chosen columns that have a feature: columns that only name groups or times have none. */
export function columnsWhere(
  task: RefinementTask,
  checks: readonly ColumnCheck[],
  isChosen: (check: ColumnCheck) => boolean,
): Set<number> {
  const used = columnsOf(task, task.table.features.keys());
  const chosen = checks.filter(isChosen).map(({ column }) => column);
  return new Set(chosen.filter((column) => used.has(column)));
}
