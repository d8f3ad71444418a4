// The scheduler: claims waiting jobs fairly, runs each on threads of its kind, and leaves them for the next start when it stops.
import { noteElapsed, type Recovery, releaseClaim, releaseClaims } from "../../data/claims.ts";
import { claimNextDataset, recoverDatasets } from "../../data/dataset-processing.ts";
import { measureUnknownSizes } from "../../data/files/unknown-sizes.ts";
import { endOfJob, type JobKind } from "../../data/job-counts.ts";
import { claimNextPrediction, recoverPredictions } from "../../data/predictions.ts";
import { claimNextRefinement, isRefinementCancelled, recoverRefinements } from "../../data/refinement-runs.ts";
import { claimNextTrainingJob, isTrainingCancelled, recoverTrainingJobs } from "../../data/training-runs.ts";
import { WorkerPool } from "../../workers/pool.ts";
import type { MemoryLimits } from "../memory-budget.ts";
import type { UploadsUnderWay } from "../storage/uploads-under-way.ts";
import { Admission } from "./admission.ts";
import { processDataset } from "./flow-dataset.ts";
import { runPrediction } from "./flow-prediction.ts";
import { runRefinement } from "./flow-refinement.ts";
import { runTraining } from "./flow-training.ts";
import { Housekeeping } from "./housekeeping.ts";
import { cancelRun, elapsedMs, type JobRun, type JobServices, startRun, suspendRun } from "./job-run.ts";
import type { WatchedJob } from "./job-watch.ts";
import { removeLeftovers } from "./leftovers.ts";

/** Refinements and training jobs at once unless told otherwise: they share all threads, so one alone has all of them. */
const HEAVY_JOBS = 2;
/** Threads for datasets and predictions, which wait for no training. */
const LIGHT_THREADS = 2;
/** Whoever adds a job wakes the scheduler; this is for what comes with time, and for what went wrong. */
const ROUND_MS = 30_000;
/** What a stopping scheduler waits for flows once all their threads have been ended. */
const CLOSING_MS = 500;

export interface SchedulerServices extends JobServices {
  spawnWorker(): Worker;
  /** Threads for refinements and training jobs. */
  workers: number;
  /** Refinements and training jobs at once; they share the threads. */
  heavyJobs?: number;
  memory: MemoryLimits;
  uploads: Pick<UploadsUnderWay, "has">;
  /** Between two looks at what comes with time, and at what went wrong. */
  roundMs?: number;
}

/** Threads that share a queue of work. */
export interface PoolUse {
  name: "heavy" | "light";
  threadCount: number;
  busyCount: number;
  /** Threads that died or hung. */
  replacedCount: number;
}

export interface Scheduler {
  /** There is something new to do. Costs little. */
  wake(): void;
  /** Tells the flow that the user's wish is in the database; nothing where it is not, or where no such job runs. */
  cancelRefinement(key: string): void;
  cancelTraining(key: string): void;
  /**
   * Takes no new work, and resolves once no flow touches the database or a file any more: what is under way is dropped, and
   * goes on from its journal at the next start. What does not end by itself within `withinMs` is ended by force.
   */
  stop(withinMs: number): Promise<void>;
  running(): WatchedJob[];
  /** What a job under way has taken so far; null for any other. */
  elapsedMs(key: string): number | null;
  /** What a job under way waits for, in words for its user; null where it works, and for any other. */
  waitingReason(key: string): string | null;
  pools(): PoolUse[];
}

/** Once per process and state folder, whose lock is held. What an earlier process left under way is taken up again. */
export function startScheduler(services: SchedulerServices): Scheduler {
  const scheduler = new JobScheduler(services);
  scheduler.start();
  return scheduler;
}

interface Claim {
  key: string;
  /** When its time began; null where it begins now. */
  startedOn: string | null;
  /** What earlier processes noted that it had taken. */
  knownMs: number | null;
  restarts: number;
  flow(run: JobRun): Promise<void>;
}

/** What becomes of jobs that were interrupted. */
const RECOVER = {
  refinement: recoverRefinements,
  training: recoverTrainingJobs,
  dataset: recoverDatasets,
  prediction: recoverPredictions,
} as const satisfies Record<JobKind, (database: SchedulerServices["database"], now: Date, only?: string) => Recovery>;

/** A kind of job: which threads it runs on, and how the next one is found. */
interface Kind {
  kind: JobKind;
  pool: WorkerPool;
  claim(): Claim | null;
}

class JobScheduler implements Scheduler {
  private readonly services: SchedulerServices;
  private readonly heavyPool: WorkerPool;
  private readonly lightPool: WorkerPool;
  private readonly heavy: readonly Kind[];
  private readonly light: readonly Kind[];
  private readonly jobs = new Map<string, { kind: JobKind; run: JobRun; ended: Promise<void> }>();
  private readonly housekeeping: Housekeeping;
  private readonly admission: Admission;
  /** Jobs whose flow broke off and left them in work: they wait for the next round, and for a database that works. */
  private broken: WatchedJob[] = [];
  private timer: ReturnType<typeof setInterval> | null = null;
  private isWoken = false;
  private isStopping = false;

  constructor(services: SchedulerServices) {
    this.services = services;
    this.heavyPool = new WorkerPool(services.spawnWorker, services.workers);
    this.lightPool = new WorkerPool(services.spawnWorker, LIGHT_THREADS);
    const { database, state, report, quotas, uploads } = services;
    this.admission = new Admission(services);
    this.housekeeping = new Housekeeping({ database, state, report, storage: quotas.settings, uploads });
    const heavy = (kind: JobKind, claim: Kind["claim"]): Kind => ({ kind, pool: this.heavyPool, claim });
    const light = (kind: JobKind, claim: Kind["claim"]): Kind => ({ kind, pool: this.lightPool, claim });
    this.heavy = [
      heavy("refinement", () =>
        claimOf(claimNextRefinement(database, new Date()), (job, run) => runRefinement(job, run, services)),
      ),
      heavy("training", () =>
        claimOf(claimNextTrainingJob(database, new Date()), (job, run) => runTraining(job, run, services)),
      ),
    ];
    this.light = [
      light("prediction", () =>
        claimOf(claimNextPrediction(database, new Date()), (job, run) => runPrediction(job, run, services)),
      ),
      light("dataset", () => claimOf(claimNextDataset(database), (job, run) => processDataset(job, run, services))),
    ];
  }

  start(): void {
    const { database, state, watch, report } = this.services;
    const now = new Date();
    const kinds = Object.keys(RECOVER) as JobKind[];
    const recovered = new Map(kinds.map((kind) => [kind, RECOVER[kind](database, now)]));
    // After the recoveries: the journals of jobs that ended by them go too.
    watch.recovered(recovered, { ...removeLeftovers(database, state, report) });
    measureUnknownSizes(database, state);
    this.timer = setInterval(() => this.round(), this.services.roundMs ?? ROUND_MS);
    this.timer.unref();
    this.round();
  }

  wake(): void {
    if (this.isWoken || this.isStopping) return;
    this.isWoken = true;
    queueMicrotask(() => {
      this.isWoken = false;
      this.fill();
    });
  }

  cancelRefinement(key: string): void {
    const job = this.jobs.get(key);
    if (job !== undefined && isRefinementCancelled(this.services.database, key)) cancelRun(job.run);
  }

  cancelTraining(key: string): void {
    const job = this.jobs.get(key);
    if (job !== undefined && isTrainingCancelled(this.services.database, key)) cancelRun(job.run);
  }

  running(): WatchedJob[] {
    return [...this.jobs].map(([key, { kind }]) => ({ kind, key }));
  }

  elapsedMs(key: string): number | null {
    const job = this.jobs.get(key);
    return job === undefined ? null : elapsedMs(job.run);
  }

  waitingReason(key: string): string | null {
    return this.jobs.get(key)?.run.waitingReason ?? null;
  }

  pools(): PoolUse[] {
    const useOf = (name: PoolUse["name"], { size, busyCount, replacedCount }: WorkerPool): PoolUse => ({
      name,
      threadCount: size,
      busyCount,
      replacedCount,
    });
    return [useOf("heavy", this.heavyPool), useOf("light", this.lightPool)];
  }

  async stop(withinMs: number): Promise<void> {
    this.isStopping = true;
    if (this.timer !== null) clearInterval(this.timer);
    for (const { run } of this.jobs.values()) suspendRun(run);
    try {
      this.noteTimes();
    } catch (error) {
      this.services.report(error, "jobs in work");
    }
    await Promise.all([this.allEnded(withinMs), this.housekeeping.stop()]);
    this.heavyPool.close();
    this.lightPool.close();
    await this.allEnded(CLOSING_MS);
    if (this.jobs.size === 0) releaseClaims(this.services.database);
  }

  private async allEnded(withinMs: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tooLate = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, withinMs);
    });
    await Promise.race([Promise.all([...this.jobs.values()].map(({ ended }) => ended)), tooLate]);
    clearTimeout(timer);
  }

  private round(): void {
    this.housekeeping.round();
    try {
      this.noteTimes();
      for (const job of this.broken) RECOVER[job.kind](this.services.database, new Date(), job.key);
      this.broken = [];
    } catch (error) {
      this.services.report(error, "jobs in work");
    }
    this.wake();
  }

  private noteTimes(): void {
    const { database } = this.services;
    if (this.jobs.size === 0) return;
    database.write(() => {
      for (const [key, { kind, run }] of this.jobs) {
        if (kind === "refinement") noteElapsed(database, "refinements", key, elapsedMs(run));
        if (kind === "training") noteElapsed(database, "trainingJobs", key, elapsedMs(run));
      }
    });
  }

  /** Gives out work until nothing waits or all places are taken. */
  private fill(): void {
    // What is begun on a full disk would fail for want of a journal.
    if (this.isStopping || this.services.room.isFull) return;
    try {
      this.admission.look(new Set(this.jobs.keys()));
      const most = this.services.heavyJobs ?? HEAVY_JOBS;
      while (this.countOf(this.heavy) < most && this.takeOne(this.byLoad(this.heavy)));
      for (const kind of this.light) while (this.hasPlace(kind) && this.takeOne([kind]));
    } catch (error) {
      this.services.report(error, "claiming jobs");
    }
  }

  /** A large dataset leaves a thread for predictions. */
  private hasPlace(kind: Kind): boolean {
    const places = kind.kind === "dataset" ? LIGHT_THREADS - 1 : LIGHT_THREADS;
    return this.countOf([kind]) < places;
  }

  private countOf(kinds: readonly Kind[]): number {
    return [...this.jobs.values()].filter((job) => kinds.some(({ kind }) => kind === job.kind)).length;
  }

  /** The kind with the fewest jobs under way first. */
  private byLoad(kinds: readonly Kind[]): Kind[] {
    return kinds.toSorted((a, b) => this.countOf([a]) - this.countOf([b]));
  }

  /** True where a job of one of these kinds was begun. */
  private takeOne(kinds: readonly Kind[]): boolean {
    for (const { kind, pool, claim } of kinds) {
      // Nothing comes between the two: what is admitted is what is claimed.
      const claimed = this.admission.admit(kind) === null ? null : claim();
      if (claimed === null) continue;
      const { key, startedOn, knownMs, restarts, flow } = claimed;
      const run = startRun(pool, startedOn, knownMs, this.admission.memoryOf(kind, key));
      this.services.watch.begun({ kind, key }, restarts);
      const ended = flow(run)
        .catch((error) => {
          this.services.report(error, `${kind} ${key}`);
          if (!run.isSuspended) this.broken.push({ kind, key });
        })
        .finally(() => {
          this.jobs.delete(key);
          this.noteEnd({ kind, key }, run);
          this.settleMemory({ kind, key });
          this.wake();
        });
      this.jobs.set(key, { kind, run, ended });
      return true;
    }
    return false;
  }

  private settleMemory(job: WatchedJob): void {
    if (!this.admission.end(job.key)) return;
    try {
      releaseClaim(this.services.database, "refinements", job.key);
    } catch (error) {
      this.services.report(error, `${job.kind} ${job.key}`);
      this.broken.push(job);
    }
  }

  private noteEnd(job: WatchedJob, run: JobRun): void {
    const { database, watch, report } = this.services;
    try {
      const state = endOfJob(database, job.kind, job.key);
      if (state === null) watch.suspended(job);
      else watch.ended(job, state, elapsedMs(run));
    } catch (error) {
      report(error, `${job.kind} ${job.key}`);
    }
  }
}

function claimOf<Job extends { key: string; restarts: number }>(
  job: Job | null,
  flow: (job: Job, run: JobRun) => Promise<void>,
): Claim | null {
  if (job === null) return null;
  const startedOn = "startedOn" in job && typeof job.startedOn === "string" ? job.startedOn : null;
  const knownMs = "elapsedMs" in job && typeof job.elapsedMs === "number" ? job.elapsedMs : null;
  return { key: job.key, startedOn, knownMs, restarts: job.restarts, flow: (run) => flow(job, run) };
}
