// Chooses the rows of a training's search: all, or for a large table a sample that the plan can finish in its time.
import { boostingSettings, GRADIENT_BOOSTING } from "../../engine/boosting/boosting-settings.ts";
import { costMatrix } from "../../engine/judging/costs.ts";
import type { GrowthTask } from "../../engine/search/grow.ts";
import { openSampledTraining, openTraining } from "../../engine/search/open-training.ts";
import { isSampled, LEAST_SEARCH_ROWS, MOST_SAMPLE_TREES, searchRowCount } from "../../engine/search/search-sample.ts";
import type { BaseSpec, TrainingTask } from "../../engine/search/training-task.ts";
import { Cancelled, OutOfTime } from "../../engine/stop-signal.ts";
import { type TableAnswer, untilCancelled } from "../../workers/messages.ts";
import type { WorkerPool } from "../../workers/pool.ts";
import { onSharedMemory } from "../../workers/shared-arrays.ts";
import type { JobControl } from "../work/job-control.ts";
import { type Journal, remembered, runUnit } from "../work/units.ts";
import type { TrainOptions } from "./competition-state.ts";
import { SAMPLED_ATTEMPTS_SHARE } from "./time-plan.ts";

/** The seconds of a plan as a multiple of the probed boosting's, on equally many rows: 11 on 32,000, 6 on 160,000. */
const PLAN_PER_PROBE = 8;
/**
 * Share of the time for attempts that the plan may take by this estimate: attempts differ, and the last ones run alone.
 */
const PLANNED_SHARE = 0.85;
/** The journal's unit with the number of rows. */
const ROWS_UNIT = "search rows";

export interface SearchContext {
  pool: WorkerPool;
  control: JobControl;
  journal: Journal | null;
}

/** `growth` has the whole of a large table; null where the search has all rows. */
export interface Search {
  task: TrainingTask;
  growth: GrowthTask | null;
}

/** `endMs`: when the training must have ended. */
export async function openSearch(
  { table, keys }: TableAnswer,
  options: TrainOptions,
  context: SearchContext,
  endMs: number,
): Promise<Search> {
  const { numberOfBuckets, target, attemptTarget = target, objective = "accuracy", mostTrees, seed } = options;
  const costs = objective === "cost" ? costMatrix(table.labels, options.costs ?? []) : null;
  const aim = { numberOfBuckets, target: attemptTarget, objective, costs, mostTrees, seed };
  if (!isSampled(table, keys, options.searchRows)) return { task: openTraining(table, aim, keys), growth: null };
  const sampled = { ...aim, mostTrees: Math.min(mostTrees ?? MOST_SAMPLE_TREES, MOST_SAMPLE_TREES) };
  // The table itself lies in shared memory already.
  const open = (rowCount: number) => onSharedMemory(openSampledTraining(table, sampled, rowCount));
  if (options.searchRows !== undefined) return open(options.searchRows);
  const most = searchRowCount(table, options.timeLimitSeconds);
  if (most <= LEAST_SEARCH_ROWS) return open(most);
  const rowCount = await remembered(context.journal, ROWS_UNIT, async () => {
    const { task } = open(LEAST_SEARCH_ROWS);
    const probeSeconds = await secondsOfProbe(task, seed, context, endMs);
    const secondsLeft = Math.max(0, endMs - performance.now()) / 1000;
    const affordable =
      (PLANNED_SHARE * SAMPLED_ATTEMPTS_SHARE * secondsLeft * context.pool.size) / (PLAN_PER_PROBE * probeSeconds);
    return Math.round(Math.min(most, Math.max(LEAST_SEARCH_ROWS, affordable * LEAST_SEARCH_ROWS)));
  });
  return open(rowCount);
}

/**
 * Measures the seconds of one attempt on this machine, as busy as it is;
 * infinite if the run was stopped or its time is up.
 */
async function secondsOfProbe(
  task: TrainingTask,
  seed: number,
  { pool, control }: SearchContext,
  deadlineMs: number,
): Promise<number> {
  const sizes = boostingSettings("c31", task.split.learning.length, task.table.labels.length);
  const settings = { algorithm: GRADIENT_BOOSTING, ...sizes } as const;
  const spec: BaseSpec = { attempt: 0, buckets: "fine", settings, rivals: [], isWeak: false, seed };
  const taskId = pool.openTask(task);
  try {
    const limits = { ...untilCancelled(control.stopFlag), deadlineMs };
    return (await runUnit(pool, "qualify", { taskId, spec, others: [] }, limits)).seconds;
  } catch (error) {
    if (error instanceof Cancelled || error instanceof OutOfTime) return Number.POSITIVE_INFINITY;
    throw error;
  } finally {
    pool.closeTask(taskId);
  }
}
