// A running job of the server: its threads, how it is stopped, its flow's services, and its listeners.

import type { JobKind, Recovery } from "../../data/database/claims.ts";
import type { Database } from "../../data/database/database.ts";
import type { StateFolder } from "../../data/files/state-folder.ts";
import { Cancelled, OutOfTime } from "../../engine/stop-signal.ts";
import { type Limits, untilCancelled } from "../../workers/messages.ts";
import type { WorkerPool } from "../../workers/pool.ts";
import { FILE_LIMIT_SECONDS, type TimeCaps } from "../common/limits.ts";
import type { Quotas } from "../storage/quotas.ts";
import type { StorageRoom } from "../storage/storage-room.ts";
import { type JobControl, newJobControl } from "../work/job-control.ts";

/** The longest delay that setTimeout takes. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export interface JobServices {
  database: Database;
  state: StateFolder;
  /** A training job has a time limit of its own. */
  timeCaps: TimeCaps;
  /** Receives faults of ours, which users see in general words only. `job`: kind and key. */
  report(fault: unknown, job: string): void;
  watch: JobWatch;
  quotas: Quotas;
  room: StorageRoom;
  /** Whether the rows given to models are counted (D120). */
  isWatching: boolean;
}

export interface WatchedJob {
  kind: JobKind;
  key: string;
}

/** Receives the events of jobs, for the log and the figures of the service. */
export interface JobWatch {
  /** Reports the leftovers of an earlier process: its jobs by kind, and the files removed or set aside, counted. */
  recovered(jobs: ReadonlyMap<JobKind, Recovery>, leftovers: Readonly<Record<string, number>>): void;
  /** Work begins, or goes on after `restarts` interruptions. */
  begun(job: WatchedJob, restarts: number): void;
  /** A stage within the work begins. */
  entered(job: WatchedJob, state: string): void;
  /** `state` is a final state as in the API. */
  ended(job: WatchedJob, state: string, elapsedMs: number): void;
  /** Work stops before the job ends; it goes on at the next start. */
  suspended(job: WatchedJob): void;
}

/** The memory that a job may use. */
export interface JobMemory {
  /** At most, if no other job runs. */
  mostBytes: number;
  /** @throws MemoryExceeded where the job needs more than `mostBytes`; such a job is started only to fail with this */
  require(): void;
  /**
   * Corrects the estimate once the table is read. False if the job must wait for the additional memory: its flow then
   * leaves it unchanged for its next turn.
   *
   * @throws MemoryExceeded
   */
  correct(needBytes: number): boolean;
  /** Gives the memory back before the job's end: what is left to do needs none. */
  release(): void;
}

export interface JobRun {
  pool: WorkerPool;
  control: JobControl;
  memory: JobMemory;
  /** True once the program is about to end: the flow then leaves the job unchanged for the next start. */
  isSuspended: boolean;
  /** True once the job was deleted, or ended by another hand: its flow has no end to write and removes its files. */
  isDropped: boolean;
  /** Why the job waits, in words for its user; null while it works. */
  waitingReason: string | null;
}

/**
 * `startedOn`: when the job first began. Its time counts from there, including time in which no
 * process ran, but is never less than the `knownMs` of an earlier process: the system clock may have
 * been set back. Within this process the monotonic clock counts.
 */
export function startRun(
  pool: WorkerPool,
  startedOn: string | null,
  knownMs: number | null,
  memory: JobMemory,
): JobRun {
  const sinceStartMs = startedOn === null ? 0 : Date.now() - Date.parse(startedOn);
  const spentMs = Math.max(0, sinceStartMs, knownMs ?? 0);
  const control = newJobControl(performance.now() - spentMs);
  return { pool, control, memory, isSuspended: false, isDropped: false, waitingReason: null };
}

/** Time taken so far, in whole milliseconds. */
export function elapsedMs({ control }: JobRun): number {
  return Math.round(performance.now() - control.startMs);
}

/** For a user's cancel: a training keeps its best models so far, a refinement just ends. */
export function cancelRun({ pool, control }: JobRun): void {
  pool.cancel(control.stopFlag);
}

export function isCancelledRun({ control }: JobRun): boolean {
  return Atomics.load(control.stopFlag, 0) !== 0;
}

/** For a job that was deleted, or ended by another hand. */
export function dropRun(run: JobRun): void {
  run.isDropped = true;
  cancelRun(run);
}

/** For the end of the program. */
export function suspendRun(run: JobRun): void {
  run.isSuspended = true;
  run.pool.cancel(run.control.stopFlag);
  run.pool.cancel(run.control.giveUpFlag);
}

/** Limits of a pass over a file: it ends on a cancel, or when it takes longer than any permitted file could. */
export function fileLimits(cancelFlag: Int32Array): Limits {
  return { ...untilCancelled(cancelFlag), mostSeconds: FILE_LIMIT_SECONDS };
}

/** Cancels work that uses the run's `stopFlag` once its time is up, and rejects with OutOfTime then. */
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

/** Waits for the work, but no longer than `ms`. */
export async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, tooLate]);
  clearTimeout(timer);
}
