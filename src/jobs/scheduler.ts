// The scheduler: claims waiting jobs fairly, runs each on threads of its kind,
// and leaves them for the next start when it stops.

import {
  JOB_KINDS,
  type JobKind,
  noteElapsed,
  type Recovery,
  releaseClaims,
  releaseRefinement,
} from "../../data/database/claims.ts";
import type { Database } from "../../data/database/database.ts";
import { claimNextDataset, recoverDatasets } from "../../data/dataset-processing.ts";
import { endOfJob } from "../../data/jobs/job-counts.ts";
import { claimNextPrediction, recoverPredictions } from "../../data/predictions.ts";
import {
  claimNextRefinement,
  isRefinementCancelled,
  recoverRefinements,
} from "../../data/refinements/refinement-runs.ts";
import { claimNextSuccessor, recoverSuccessors } from "../../data/successors.ts";
import { claimNextTrainingJob, isTrainingCancelled, recoverTrainingJobs } from "../../data/training-runs.ts";
import { WorkerPool } from "../../workers/pool.ts";
import type { JobWeight, MemoryLimits } from "../common/memory-budget.ts";
import type { UploadsUnderWay } from "../storage/uploads-under-way.ts";
import { Admission, weightOf } from "./admission.ts";
import { processDataset } from "./flow-dataset.ts";
import { runPrediction } from "./flow-prediction.ts";
import { runRefinement } from "./flow-refinement.ts";
import { runSuccessor } from "./flow-successor.ts";
import { runTraining } from "./flow-training.ts";
import { Housekeeping } from "./housekeeping.ts";
import {
  cancelRun,
  dropRun,
  elapsedMs,
  isCancelledRun,
  type JobRun,
  type JobServices,
  startRun,
  suspendRun,
  type WatchedJob,
  within,
} from "./job-run.ts";
import { removeLeftovers } from "./leftovers.ts";
import { stepPlannedTrainings } from "./planned-trainings.ts";
import { stepSuccessors } from "./successor-steps.ts";

/** Refinements and trainings at once. They share all threads, so one alone uses all of them. */
const HEAVY_JOBS = 2;
/** Threads for datasets and predictions, which do not wait for trainings. */
const LIGHT_THREADS = 2;
/** Time between two checks for due work and for jobs that went wrong. New jobs wake the scheduler at once. */
const ROUND_MS = 30_000;
/** Time between two looks for jobs that another process has ended, such as `cupel user remove`. */
const STOPS_MS = 1_000;
/** How long a stopping scheduler waits for flows once all their threads have been ended. */
const CLOSING_MS = 500;

export interface SchedulerServices extends JobServices {
  spawnWorker(): Worker;
  /** Threads for refinements and trainings. */
  workers: number;
  memory: MemoryLimits;
  uploads: Pick<UploadsUnderWay, "has">;
  roundMs?: number;
}

/** Threads that share a queue of work. */
export interface PoolUse {
  name: JobWeight;
  threadCount: number;
  busyCount: number;
  /** Threads that died or hung. */
  replacedCount: number;
}

interface Claim {
  key: string;
  restarts: number;
  /** When its time began; null if it begins now. */
  startedOn?: string | null;
  /** Time that earlier processes recorded. */
  elapsedMs?: number | null;
}

/** The scheduler's verbs for jobs of one kind. */
interface Kind {
  /** Puts jobs (or only one) that an earlier process left running back to waiting, or ends them. */
  recover(database: Database, now: Date, only?: string): Recovery;
  claim(services: SchedulerServices): { job: Claim; flow(run: JobRun): Promise<void> } | null;
}

const KINDS: Readonly<Record<JobKind, Kind>> = {
  refinement: kindOf(recoverRefinements, claimNextRefinement, runRefinement),
  training: kindOf(recoverTrainingJobs, claimNextTrainingJob, runTraining),
  prediction: kindOf(recoverPredictions, claimNextPrediction, runPrediction),
  dataset: kindOf(recoverDatasets, claimNextDataset, processDataset),
  successor: kindOf(recoverSuccessors, claimNextSuccessor, runSuccessor),
};

function kindOf<Job extends Claim>(
  recover: Kind["recover"],
  claimNext: (database: Database, now: Date) => Job | null,
  flow: (job: Job, run: JobRun, services: SchedulerServices) => Promise<void>,
): Kind {
  return {
    recover,
    claim: (services) => {
      const job = claimNext(services.database, new Date());
      return job === null ? null : { job, flow: (run) => flow(job, run, services) };
    },
  };
}

/** Whether a job that this process works on was cancelled or has ended in the database. */
function isStopped(database: Database, { kind, key }: WatchedJob): boolean {
  if (kind === "training") return isTrainingCancelled(database, key);
  if (kind === "refinement") return isRefinementCancelled(database, key);
  return endOfJob(database, kind, key) !== null;
}

/**
 * Starts the scheduler of a state folder whose lock is held. Jobs that an
 * earlier process left running are taken up again.
 */
export function startScheduler(services: SchedulerServices): Scheduler {
  const scheduler = new Scheduler(services);
  scheduler.start();
  return scheduler;
}

export class Scheduler {
  private readonly services: SchedulerServices;
  private readonly threads: Readonly<Record<JobWeight, WorkerPool>>;
  private readonly jobs = new Map<string, { kind: JobKind; run: JobRun; ended: Promise<void> }>();
  private readonly housekeeping: Housekeeping;
  private readonly admission: Admission;
  /** Jobs whose flow failed and left them running in the database: the next round recovers them. */
  private broken: WatchedJob[] = [];
  private timers: ReturnType<typeof setInterval>[] = [];
  private isWoken = false;
  private isStopping = false;

  constructor(services: SchedulerServices) {
    this.services = services;
    const { database, state, report, quotas, uploads, spawnWorker, workers } = services;
    this.threads = { heavy: new WorkerPool(spawnWorker, workers), light: new WorkerPool(spawnWorker, LIGHT_THREADS) };
    this.admission = new Admission(services);
    this.housekeeping = new Housekeeping({ database, state, report, storage: quotas.settings, uploads });
  }

  start(): void {
    const { database, state, watch, report } = this.services;
    const now = new Date();
    const recovered = new Map(JOB_KINDS.map((kind) => [kind, KINDS[kind].recover(database, now)]));
    // After the recoveries, so that the journals of jobs that they ended go too.
    watch.recovered(recovered, { ...removeLeftovers(database, state, report) });
    this.timers = [
      setInterval(() => this.round(), this.services.roundMs ?? ROUND_MS),
      setInterval(() => this.attempt("jobs to stop", () => this.stopEnded()), STOPS_MS),
    ];
    for (const timer of this.timers) timer.unref();
    this.round();
  }

  /** Looks for new jobs soon. Costs little. */
  wake(): void {
    if (this.isWoken || this.isStopping) return;
    this.isWoken = true;
    queueMicrotask(() => this.fill());
  }

  /** Stops a job that is cancelled or has ended in the database. */
  cancel(key: string): void {
    const job = this.jobs.get(key);
    if (job === undefined || !isStopped(this.services.database, { kind: job.kind, key })) return;
    // Only a training has something to keep, and a refinement its end to write.
    if (job.kind === "training" || job.kind === "refinement") cancelRun(job.run);
    // Housekeeping removes the rows that a successor kept: its own row may still name them.
    else if (job.kind === "successor") suspendRun(job.run);
    else dropRun(job.run);
  }

  private stopEnded(): void {
    for (const [key, { run }] of this.jobs) if (!isCancelledRun(run)) this.cancel(key);
  }

  running(): WatchedJob[] {
    return [...this.jobs].map(([key, { kind }]) => ({ kind, key }));
  }

  /** Time that a running job has taken so far; null for any other. */
  elapsedMs(key: string): number | null {
    const job = this.jobs.get(key);
    return job === undefined ? null : elapsedMs(job.run);
  }

  /** Why a running job waits, in words for its user; null while it works, and for any other job. */
  waitingReason(key: string): string | null {
    return this.jobs.get(key)?.run.waitingReason ?? null;
  }

  pools(): PoolUse[] {
    return (["heavy", "light"] as const).map((name) => {
      const { size: threadCount, busyCount, replacedCount } = this.threads[name];
      return { name, threadCount, busyCount, replacedCount };
    });
  }

  /**
   * Takes no new work and resolves once no flow uses the database or a file any more. Running jobs are dropped and
   * continue from their journals at the next start; after `withinMs` their threads are ended by force.
   */
  async stop(withinMs: number): Promise<void> {
    this.isStopping = true;
    for (const timer of this.timers) clearInterval(timer);
    for (const { run } of this.jobs.values()) suspendRun(run);
    this.attempt("jobs in work", () => this.noteTimes());
    await Promise.all([within(withinMs, this.allEnded()), this.housekeeping.stop()]);
    this.threads.heavy.close();
    this.threads.light.close();
    await within(CLOSING_MS, this.allEnded());
    if (this.jobs.size === 0) releaseClaims(this.services.database);
  }

  private allEnded(): Promise<unknown> {
    return Promise.all([...this.jobs.values()].map(({ ended }) => ended));
  }

  private round(): void {
    this.housekeeping.round();
    this.attempt("jobs in work", () => {
      this.noteTimes();
      for (const { kind, key } of this.broken) KINDS[kind].recover(this.services.database, new Date(), key);
      this.broken = [];
    });
    this.wake();
  }

  private noteTimes(): void {
    const { database } = this.services;
    if (this.jobs.size === 0) return;
    database.write(() => {
      for (const [key, { kind, run }] of this.jobs) {
        if (kind === "refinement" || kind === "training") noteElapsed(database, kind, key, elapsedMs(run));
      }
    });
  }

  /** Starts jobs until none waits or all places are taken. */
  private fill(): void {
    this.isWoken = false;
    // With a full disk no job starts: it could not write its journal and would fail.
    if (this.isStopping || this.services.room.isFull) return;
    this.attempt("planned trainings", () => stepPlannedTrainings(this.services));
    this.attempt("successors", () => stepSuccessors(this.services));
    this.attempt("claiming jobs", () => {
      this.admission.look(new Set(this.jobs.keys()));
      while (this.countOf("refinement", "training") < HEAVY_JOBS && this.startHeavy());
      while (this.countOf("prediction") < LIGHT_THREADS && this.startNext("prediction"));
      // A large dataset leaves a thread for predictions.
      while (this.countOf("dataset", "successor") < LIGHT_THREADS - 1 && this.startTable());
    });
  }

  /** Without jobs that wait for room: they use no thread, and one user's quota must not hold up the others. */
  private countOf(...kinds: readonly JobKind[]): number {
    return [...this.jobs.values()].filter(({ kind, run }) => kinds.includes(kind) && run.waitingReason === null).length;
  }

  /** Tries the kind with fewer running jobs first. */
  private startHeavy(): boolean {
    const isTrainingFirst = this.countOf("training") < this.countOf("refinement");
    const [first, second] = isTrainingFirst
      ? (["training", "refinement"] as const)
      : (["refinement", "training"] as const);
    return this.startNext(first) || this.startNext(second);
  }

  private startTable(): boolean {
    return this.startNext("successor") || this.startNext("dataset");
  }

  /** Starts the next job of a kind; false where none waits or has memory. */
  private startNext(kind: JobKind): boolean {
    // Nothing runs between the two calls, so the job that is admitted is the one that is claimed.
    const claimed = this.admission.admit(kind) === null ? null : KINDS[kind].claim(this.services);
    if (claimed === null) return false;
    const { key, restarts, startedOn = null, elapsedMs: knownMs = null } = claimed.job;
    const job = { kind, key };
    const run = startRun(this.threads[weightOf(kind)], startedOn, knownMs, this.admission.memoryOf(kind, key));
    this.services.watch.begun(job, restarts);
    const flowEnd = claimed
      .flow(run)
      .catch((error) => {
        this.services.report(error, `${kind} ${key}`);
        if (!run.isSuspended) this.broken.push(job);
      })
      .finally(() => {
        this.jobs.delete(key);
        this.attempt(`${kind} ${key}`, () => this.noteEnd(job, run));
        this.releaseMemory(job);
        this.wake();
      });
    this.jobs.set(key, { kind, run, ended: flowEnd });
    return true;
  }

  private releaseMemory(job: WatchedJob): void {
    if (!this.admission.end(job.key)) return;
    const release = () => releaseRefinement(this.services.database, job.key);
    if (!this.attempt(`${job.kind} ${job.key}`, release)) this.broken.push(job);
  }

  private noteEnd(job: WatchedJob, run: JobRun): void {
    const { database, watch } = this.services;
    const state = endOfJob(database, job.kind, job.key);
    if (state === null) watch.suspended(job);
    else watch.ended(job, state, elapsedMs(run));
  }

  /** Reports the error that the work throws; true if it throws none. */
  private attempt(what: string, work: () => void): boolean {
    try {
      work();
      return true;
    } catch (error) {
      this.services.report(error, what);
      return false;
    }
  }
}
