// The library baselines: the ml-* packages on a bounded sample, beside the plan.
import { LIBRARY_BASELINES, type LibraryBaseline } from "../../engine/families/library-baselines.ts";
import { deriveSeed } from "../../engine/random.ts";
import { Cancelled } from "../../engine/stop-signal.ts";
import { type BaselineAnswer, untilCancelled } from "../../workers/messages.ts";
import type { WorkerPool } from "../../workers/pool.ts";
import type { JobControl } from "../work/job-control.ts";
import { type Journal, remembered, runUnit } from "../work/units.ts";

/** One baseline; its sample is bounded so that it needs far less. */
const BASELINE_LIMIT_SECONDS = 30;
const BASELINE_DRAW = 31;

export interface BaselineContext {
  taskId: number;
  pool: WorkerPool;
  control: JobControl;
  journal: Journal | null;
  seed: number;
}

export interface BaselineRecord {
  which: LibraryBaseline;
  outcome: { status: "finished"; answer: BaselineAnswer } | { status: "failed"; note: string };
}

/** Begins the baselines once `handedOut` is fulfilled: then all attempts of a round have been handed out. */
export async function startBaselines(context: BaselineContext, handedOut: Promise<void>): Promise<BaselineRecord[]> {
  await handedOut;
  return Promise.all(LIBRARY_BASELINES.map((which, index) => runBaseline(context, which, index)));
}

async function runBaseline(context: BaselineContext, library: LibraryBaseline, index: number): Promise<BaselineRecord> {
  try {
    const outcome = await remembered(context.journal, `baseline ${library}`, () =>
      judgeBaseline(context, library, index),
    );
    return { which: library, outcome };
  } catch (error) {
    return { which: library, outcome: { status: "failed", note: noteOf(error) } };
  }
}

/** Rejects only with Cancelled, which is not remembered. */
async function judgeBaseline(
  { taskId, pool, control, seed: runSeed }: BaselineContext,
  library: LibraryBaseline,
  index: number,
): Promise<BaselineRecord["outcome"]> {
  const seed = deriveSeed(runSeed, BASELINE_DRAW, index);
  // Attempts go first.
  const limits = { ...untilCancelled(control.giveUpFlag), mostSeconds: BASELINE_LIMIT_SECONDS, urgency: -1 };
  try {
    return { status: "finished", answer: await runUnit(pool, "baseline", { taskId, which: library, seed }, limits) };
  } catch (error) {
    if (error instanceof Cancelled) throw error;
    return { status: "failed", note: noteOf(error) };
  }
}

function noteOf(error: unknown): string {
  return error instanceof Error ? error.message : "unknown fault";
}
