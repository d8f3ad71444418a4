// A state folder with real files and a real database, and the jobs that
// tests of the scheduler and its flows begin with.
import { createHash, randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, openDatabase } from "../../data/database/database.ts";
import { claimNextDataset } from "../../data/dataset-processing.ts";
import { type Dataset, findOwnedDataset, insertDataset, type NewDataset } from "../../data/datasets.ts";
import type { StoredFile } from "../../data/files/file-store.ts";
import { openStateFolder, type StateFolder, statePaths } from "../../data/files/state-folder.ts";
import { insertPrediction, type NewPrediction, type Prediction } from "../../data/predictions.ts";
import { storeRefinementUpload } from "../../data/refinements/refinement-files.ts";
import { insertRefinement, type NewRefinement, startRefinement } from "../../data/refinements/refinements.ts";
import { insertTrainingJob, type NewTrainingJob } from "../../data/training-jobs.ts";
import { DEFAULT_TIME_CAPS } from "../../src/common/limits.ts";
import { divideBudget } from "../../src/common/memory-budget.ts";
import { processDataset } from "../../src/jobs/flow-dataset.ts";
import type { JobWatch, WatchedJob } from "../../src/jobs/job-run.ts";
import { type Scheduler, type SchedulerServices, startScheduler } from "../../src/jobs/scheduler.ts";
import { createQuotas } from "../../src/storage/quotas.ts";
import { AMPLE_ROOM } from "../../src/storage/storage-room.ts";
import { UploadsUnderWay } from "../../src/storage/uploads-under-way.ts";
import type { WorkKind } from "../../workers/messages.ts";
import type { WorkerPool } from "../../workers/pool.ts";
import { addUser, newDataset, newRefinement } from "../data/state.ts";
import { spawnWorker } from "./in-process.ts";
import { startUnlimited } from "./job-run.ts";
import { openNewDatabase } from "./new-database.ts";
import { UNLIMITED } from "./unlimited.ts";

/** Tells nobody. */
export const unwatched: JobWatch = {
  recovered: () => undefined,
  begun: () => undefined,
  entered: () => undefined,
  ended: () => undefined,
  suspended: () => undefined,
};

export interface JobState {
  folder: string;
  state: StateFolder;
  /** Another one after `reopen`. */
  database: Database;
  ann: string;
  bob: string;
  services: SchedulerServices;
  /** What was reported as a fault of ours. */
  faults: unknown[];
  /** What the scheduler told of jobs, in order: `begun KEY`, `suspended KEY` (left for later) and `ended KEY`. */
  heard: string[];
  /** As a process that starts on the folder. */
  reopen(): void;
}

/** A state folder that `use` may work in; it is gone afterwards. */
export async function withJobState(use: (jobs: JobState) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "cupel-jobs-"));
  const jobs = openJobState(folder);
  try {
    await use(jobs);
  } finally {
    jobs.database.close();
    rmSync(folder, { recursive: true });
  }
}

/** Runs a scheduler, and stops it afterwards. */
export async function withScheduler<T>(
  services: SchedulerServices,
  use: (scheduler: Scheduler) => Promise<T>,
): Promise<T> {
  const scheduler = startScheduler(services);
  try {
    return await use(scheduler);
  } finally {
    await scheduler.stop(10_000);
  }
}

function openJobState(folder: string): JobState {
  const state = openStateFolder(folder);
  const database = tellingWrites(openNewDatabase(folder), tellWaiting);
  const faults: unknown[] = [];
  const heard: string[] = [];
  const hear = (event: string) => (job: WatchedJob) => void heard.push(`${event} ${job.key}`);
  const watch = { ...unwatched, begun: hear("begun"), suspended: hear("suspended"), ended: hear("ended") };
  const jobs: JobState = {
    folder,
    state,
    database,
    ann: addUser(database, "ann@example.com"),
    bob: addUser(database, "bob@example.com"),
    faults,
    heard,
    services: { ...servicesOf(database, state, faults), watch },
    reopen: () => {
      jobs.database = tellingWrites(openDatabase(folder), tellWaiting);
      jobs.services = { ...servicesOf(jobs.database, state, faults), watch };
    },
  };
  return jobs;
}

export function servicesOf(database: Database, state: StateFolder, faults: unknown[]): SchedulerServices {
  return {
    database,
    state,
    timeCaps: DEFAULT_TIME_CAPS,
    isWatching: true,
    report: (fault) => {
      faults.push(fault);
      tellWaiting();
    },
    watch: unwatched,
    quotas: createQuotas(database, UNLIMITED),
    uploads: new UploadsUnderWay(),
    room: AMPLE_ROOM,
    memory: divideBudget(8_192),
    spawnWorker,
    workers: 2,
  };
}

/** The first `deaths` threads die of this kind of work. */
export function dyingWorkers(work: WorkKind, deaths: number): () => Worker {
  let left = deaths;
  const dying = () => new Worker(new URL("./dying-worker.ts", import.meta.url).href, { argv: [work] });
  return () => (left-- > 0 ? dying() : spawnWorker());
}

/** Puts a table where uploads are kept. */
export function storeTable({ state }: JobState, text: string): StoredFile {
  const path = statePaths.file(randomUUID());
  writeFileSync(state.locate(path), text);
  return { path, sizeBytes: Buffer.byteLength(text), sha256: createHash("sha256").update(text).digest("hex") };
}

/** Adds a dataset and has its file read. */
export async function addReadDataset(
  jobs: JobState,
  pool: WorkerPool,
  text: string,
  changes: Partial<NewDataset> = {},
): Promise<string> {
  const key = addDataset(jobs, text, changes);
  await processDataset(claimNextDataset(jobs.database)!, startUnlimited(pool, null), jobs.services);
  return key;
}

/** PROCESSING. */
export function addDataset(jobs: JobState, text: string, changes: Partial<NewDataset> = {}): string {
  const origin: NewDataset["origin"] = changes.origin ?? { kind: "DIRECT_UPLOAD", file: storeTable(jobs, text) };
  const asked = newDataset(jobs.ann, { numberOfBuckets: 10, ...changes, origin });
  return insertDataset(jobs.database, asked, new Date())!.key;
}

export function datasetOf({ database, ann }: JobState, key: string): Dataset {
  return findOwnedDataset(database, ann, key)!;
}

/** PENDING. The dataset must be COMPLETED. */
export function addTraining(jobs: JobState, datasetKey: string, changes: Partial<NewTrainingJob> = {}): string {
  const asked: NewTrainingJob = {
    key: randomUUID(),
    userKey: jobs.ann,
    datasetKey,
    targetPerformance: null,
    scalingFactor: 5,
    seed: 7,
    timeLimitSeconds: 600,
    ...changes,
  };
  return insertTrainingJob(jobs.database, asked, new Date())!.key;
}

/** PENDING. */
export function addPrediction(
  jobs: JobState,
  modelKey: string,
  text: string,
  changes: Partial<NewPrediction> = {},
): Prediction {
  const { path: inputPath, sizeBytes: inputBytes } = storeTable(jobs, text);
  const asked = {
    key: randomUUID(),
    userKey: jobs.ann,
    modelKey,
    version: 1,
    inputPath,
    inputBytes,
    filterColumns: false,
    ...changes,
  };
  return insertPrediction(jobs.database, asked, new Date())!;
}

/** Started, and waiting for its turn. */
export function addRefinement(
  jobs: JobState,
  train: string,
  test: string,
  changes: Partial<NewRefinement> = {},
): string {
  const { database } = jobs;
  const asked = newRefinement(jobs.ann, { trainFileName: "my train.csv", numberOfBuckets: 10, ...changes });
  const { key } = insertRefinement(database, asked, new Date())!;
  storeRefinementUpload(database, key, "TRAIN", storeTable(jobs, train), new Date());
  storeRefinementUpload(database, key, "TEST", storeTable(jobs, test), new Date());
  startRefinement(database, asked.userKey, key, new Date());
  return key;
}

/** Files in a folder of the state folder. */
export function filesIn({ folder }: JobState, name: string): string[] {
  return readdirSync(join(folder, name));
}

/** Works on the jobs in a process of its own, which is killed by the write after which the query finds a row. */
export async function killWhen(jobs: JobState, query: string): Promise<void> {
  const script = join(import.meta.dir, "serve-jobs.ts");
  const process = Bun.spawn([Bun.argv[0]!, script, jobs.folder, query], { stdout: "ignore", stderr: "inherit" });
  try {
    await process.exited;
    if (process.signalCode !== "SIGKILL") throw new Error(`it ended with ${process.exitCode} before ${query}`);
  } finally {
    process.kill("SIGKILL");
  }
}

/** Shorter than the limit of a test, so that what was waited for is named. */
const PATIENCE_MS = 110_000;
/** What asks again after every write and fault. */
const waiting = new Set<() => void>();
/** For what neither a write nor a report tells of, such as files. */
const LOOK_MS = 5;

/** Waits until nothing runs and nothing was given out in between. */
export async function idle(scheduler: Scheduler): Promise<void> {
  scheduler.wake();
  await Bun.sleep(1);
  await until(() => scheduler.running().length === 0, "the end of all jobs");
}

/** As soon as what wrote gives way, and before it goes on. */
function tellWaiting(): void {
  queueMicrotask(() => {
    for (const look of waiting) look();
  });
}

/** The database, which calls `tell` after each of its writes. */
export function tellingWrites(database: Database, tell: () => void): Database {
  return {
    ...database,
    write: (work) => {
      const result = database.write(work);
      if (!database.client.inTransaction) tell();
      return result;
    },
  };
}

/**
 * Resolves once it holds. It looks after each write of a job state's database and each fault, so that no state passes
 * by unseen on a busy machine; the limit of the test ends a wait that is in vain, and `what` then says for what it was.
 */
export async function until(holds: () => boolean, what = "it"): Promise<void> {
  if (holds()) return;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const look = () => {
    try {
      if (holds()) resolve();
    } catch (error) {
      reject(error);
    }
  };
  waiting.add(look);
  const timer = setInterval(look, LOOK_MS);
  const patience = setTimeout(() => reject(new Error(`${what} has not happened`)), PATIENCE_MS);
  try {
    await promise;
  } finally {
    waiting.delete(look);
    clearInterval(timer);
    clearTimeout(patience);
  }
}
