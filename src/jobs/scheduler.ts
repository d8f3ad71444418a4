// The scheduler: claims waiting jobs fairly, runs each on threads of its kind, and leaves them for the next start when it stops.
import { rmSync } from "node:fs";
import { type Recovery, releaseClaims } from "../../data/claims.ts";
import { claimNextDataset, recoverDatasets } from "../../data/dataset-processing.ts";
import { expireDatasetUploads } from "../../data/datasets.ts";
import { claimNextPrediction, recoverPredictions } from "../../data/predictions.ts";
import { claimNextRefinement, isRefinementCancelled, recoverRefinements } from "../../data/refinement-runs.ts";
import { statePaths } from "../../data/state-folder.ts";
import { claimNextTrainingJob, isTrainingCancelled, recoverTrainingJobs } from "../../data/training-runs.ts";
import { WorkerPool } from "../../workers/pool.ts";
import { processDataset } from "./flow-dataset.ts";
import { runPrediction } from "./flow-prediction.ts";
import { runRefinement } from "./flow-refinement.ts";
import { runTraining } from "./flow-training.ts";
import { cancelRun, type JobRun, type JobServices, startRun, suspendRun } from "./job-run.ts";
import { removeLeftovers } from "./leftovers.ts";

/** Refinements and training jobs at once unless told otherwise: they share all threads, so one alone has all of them. */
const HEAVY_JOBS = 2;
/** Threads for datasets and predictions, which wait for no training. */
const LIGHT_THREADS = 2;
/** Whoever adds a job wakes the scheduler; this is for what comes with time, and for what went wrong. */
const ROUND_MS = 30_000;
/** An upload that began before its address lapsed may still be under way for this long. */
const UPLOAD_GRACE_MS = 3_600_000;
/** What a stopping scheduler waits for flows once all their threads have been ended. */
const CLOSING_MS = 500;

type JobKind = "refinement" | "training" | "dataset" | "prediction";

export interface SchedulerServices extends JobServices {
  spawnWorker(): Worker;
  /** Threads for refinements and training jobs. */
  workers: number;
  /** Refinements and training jobs at once; they share the threads. */
  heavyJobs?: number;
}

interface RunningJob {
  kind: JobKind;
  key: string;
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
  running(): RunningJob[];
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
  flow(run: JobRun): Promise<void>;
}

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
  private timer: ReturnType<typeof setInterval> | null = null;
  private isWoken = false;
  private isStopping = false;

  constructor(services: SchedulerServices) {
    this.services = services;
    this.heavyPool = new WorkerPool(services.spawnWorker, services.workers);
    this.lightPool = new WorkerPool(services.spawnWorker, LIGHT_THREADS);
    const { database } = services;
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
    const { database, state } = this.services;
    const now = new Date();
    removeLeftovers(state);
    this.dropJournals(recoverRefinements(database, now));
    this.dropJournals(recoverTrainingJobs(database, now));
    recoverDatasets(database, now);
    recoverPredictions(database, now);
    this.timer = setInterval(() => this.round(), ROUND_MS);
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

  running(): RunningJob[] {
    return [...this.jobs].map(([key, { kind }]) => ({ kind, key }));
  }

  async stop(withinMs: number): Promise<void> {
    this.isStopping = true;
    if (this.timer !== null) clearInterval(this.timer);
    for (const { run } of this.jobs.values()) suspendRun(run);
    await this.allEnded(withinMs);
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

  /** Journals of jobs that will not go on. */
  private dropJournals({ ended }: Recovery): void {
    for (const key of ended) rmSync(this.services.state.locate(statePaths.journal(key)), { force: true });
  }

  private round(): void {
    try {
      const now = new Date();
      expireDatasetUploads(this.services.database, new Date(now.getTime() - UPLOAD_GRACE_MS), now);
    } catch (error) {
      this.services.report(error, "expired uploads");
    }
    this.wake();
  }

  /** Gives out work until nothing waits or all places are taken. */
  private fill(): void {
    if (this.isStopping) return;
    try {
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
      const claimed = claim();
      if (claimed === null) continue;
      const { key, startedOn, flow } = claimed;
      const run = startRun(pool, startedOn);
      const ended = flow(run)
        .catch((error) => this.services.report(error, `${kind} ${key}`))
        .finally(() => {
          this.jobs.delete(key);
          this.wake();
        });
      this.jobs.set(key, { kind, run, ended });
      return true;
    }
    return false;
  }
}

function claimOf<Job extends { key: string }>(
  job: Job | null,
  flow: (job: Job, run: JobRun) => Promise<void>,
): Claim | null {
  if (job === null) return null;
  const startedOn = "startedOn" in job && typeof job.startedOn === "string" ? job.startedOn : null;
  return { key: job.key, startedOn, flow: (run) => flow(job, run) };
}
