// A job of the server under way: where it runs, how it is told to end, and what its flow has to hand.
import type { Database } from "../../data/database.ts";
import type { StateFolder } from "../../data/state-folder.ts";
import { Cancelled, OutOfTime } from "../../engine/stop-signal.ts";
import type { WorkerPool } from "../../workers/pool.ts";
import { type JobControl, newJobControl } from "./job-control.ts";

/** Timers count no further than this. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export interface JobServices {
  database: Database;
  state: StateFolder;
  /** Time that a refinement and a prediction may take (D35); a training job carries its own. */
  refinementSeconds: number;
  predictionSeconds: number;
  /** Hears of faults that are ours: the user is told of them in general words. `job`: kind and key. */
  report(fault: unknown, job: string): void;
}

export interface JobRun {
  pool: WorkerPool;
  control: JobControl;
  /** True once the program is about to end: the flow leaves the job as it is, for the next start. */
  isSuspended: boolean;
}

/** `startedOn`: when the job was first begun. Its time counts from there, also while no process worked on it. */
export function startRun(pool: WorkerPool, startedOn: string | null): JobRun {
  const startMs = startedOn === null ? Date.now() : Date.parse(startedOn);
  return { pool, control: newJobControl(startMs), isSuspended: false };
}

/** On the wish of its user: a training job keeps its best models so far, anything else ends. */
export function cancelRun({ pool, control }: JobRun): void {
  pool.cancel(control.attemptsFlag);
}

/** Because the program ends. */
export function suspendRun(run: JobRun): void {
  run.isSuspended = true;
  run.pool.cancel(run.control.attemptsFlag);
  run.pool.cancel(run.control.finishFlag);
}

/** Does work that carries the run's first flag and looks at no clock; rejects with OutOfTime where it takes too long. */
export async function withinSeconds<T>(run: JobRun, seconds: number, work: () => Promise<T>): Promise<T> {
  let isUp = false;
  const giveUp = () => {
    isUp = true;
    cancelRun(run);
  };
  const leftMs = run.control.startMs + seconds * 1000 - Date.now();
  const timer = setTimeout(giveUp, Math.min(LONGEST_TIMER_MS, Math.max(0, leftMs)));
  try {
    return await work();
  } catch (error) {
    throw isUp && error instanceof Cancelled ? new OutOfTime() : error;
  } finally {
    clearTimeout(timer);
  }
}
