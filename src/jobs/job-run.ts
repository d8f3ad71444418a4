// A job of the server under way: where it runs, how it is told to end, and what its flow has to hand.
import type { Database } from "../../data/database/database.ts";
import type { StateFolder } from "../../data/files/state-folder.ts";
import { Cancelled, OutOfTime } from "../../engine/stop-signal.ts";
import { type Limits, untilCancelled } from "../../workers/messages.ts";
import type { WorkerPool } from "../../workers/pool.ts";
import { FILE_LIMIT_SECONDS, type TimeCaps } from "../limits.ts";
import type { Quotas } from "../storage/quotas.ts";
import type { StorageRoom } from "../storage/storage-room.ts";
import { type JobControl, newJobControl } from "./job-control.ts";
import type { JobWatch } from "./job-watch.ts";

/** Timers count no further than this. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export interface JobServices {
  database: Database;
  state: StateFolder;
  /** A training job carries its own time. */
  timeCaps: TimeCaps;
  /** Hears of faults that are ours: the user is told of them in general words. `job`: kind and key. */
  report(fault: unknown, job: string): void;
  watch: JobWatch;
  quotas: Quotas;
  room: StorageRoom;
}

/** The memory that a job has. */
export interface JobMemory {
  /** That it may have alone. */
  mostBytes: number;
  /** @throws MemoryExceeded where the job takes more than one alone may have: it is begun to be told so */
  require(): void;
  /**
   * Corrects what the job takes, once its table is read. False where so much more has to wait: the flow leaves the job as it
   * is, for its next turn.
   *
   * @throws MemoryExceeded
   */
  correct(needBytes: number): boolean;
}

/** Nobody shares it. */
const ownMemory: JobMemory = { mostBytes: Number.POSITIVE_INFINITY, require: () => undefined, correct: () => true };

export interface JobRun {
  pool: WorkerPool;
  control: JobControl;
  memory: JobMemory;
  /** True once the program is about to end: the flow leaves the job as it is, for the next start. */
  isSuspended: boolean;
  /** What the job waits for before it can go on or end, in words for its user; null where it works. */
  waitingReason: string | null;
}

/**
 * `startedOn`: when the job was first begun. Its time counts from there, also while no process worked on it, but never from
 * less than `knownMs`, which an earlier process had counted: a clock that was set back between the two takes nothing away.
 * Within this process a clock counts that nobody sets.
 */
export function startRun(
  pool: WorkerPool,
  startedOn: string | null,
  knownMs: number | null = null,
  memory: JobMemory = ownMemory,
): JobRun {
  const sinceStartMs = startedOn === null ? 0 : Date.now() - Date.parse(startedOn);
  const spentMs = Math.max(0, sinceStartMs, knownMs ?? 0);
  return { pool, control: newJobControl(performance.now() - spentMs), memory, isSuspended: false, waitingReason: null };
}

/** What the job has taken so far, in whole milliseconds. */
export function elapsedMs({ control }: JobRun): number {
  return Math.round(performance.now() - control.startMs);
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

/** Of a pass over a file, which a cancel ends, or that it takes far longer than any file that may be sent. */
export function fileLimits(cancelFlag: Int32Array): Limits {
  return { ...untilCancelled(cancelFlag), mostSeconds: FILE_LIMIT_SECONDS };
}

/** Does work that carries the run's first flag and looks at no clock; rejects with OutOfTime where it takes too long. */
export async function withinSeconds<T>(run: JobRun, seconds: number, work: () => Promise<T>): Promise<T> {
  let isUp = false;
  const giveUp = () => {
    isUp = true;
    cancelRun(run);
  };
  const leftMs = run.control.startMs + seconds * 1000 - performance.now();
  const timer = setTimeout(giveUp, Math.min(LONGEST_TIMER_MS, Math.max(0, leftMs)));
  try {
    return await work();
  } catch (error) {
    throw isUp && error instanceof Cancelled ? new OutOfTime() : error;
  } finally {
    clearTimeout(timer);
  }
}
