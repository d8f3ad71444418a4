// The service on one state folder: the database, the scheduler and the API, opened and closed together.
import { settleRestore } from "../../data/backup/restore-swap.ts";
import { type Database, openDatabase } from "../../data/database/database.ts";
import { watchSecrets } from "../../data/database/secret.ts";
import { checkState } from "../../data/database/state-check.ts";
import { makeStateFolder, openStateFolder, type StateFolder } from "../../data/files/state-folder.ts";
import { acquireStateLock, type StateLock } from "../../data/files/state-lock.ts";
import { openReserve } from "../../data/files/storage-reserve.ts";
import { InputError } from "../../engine/input-error.ts";
import { ModelCache } from "../../workers/scoring/model-cache.ts";
import { createModelExports } from "../api/models/model-exports.ts";
import { createLargeRows } from "../api/predictions/large-rows.ts";
import { createOutcomeCounting } from "../api/predictions/outcome-counting.ts";
import { uploadSlots } from "../api/uploads/upload-slots.ts";
import { createBearers } from "../auth/bearer.ts";
import { createLoginLimit } from "../auth/login-limit.ts";
import { createRequestLimit } from "../auth/request-limit.ts";
import { createRotatingSigners } from "../auth/rotating-secrets.ts";
import { divideBudget, type MemoryLimits, threadsWithin } from "../common/memory-budget.ts";
import { CUPEL_VERSION } from "../common/version.ts";
import { MOST_LIVE_ROWS_BYTES_AT_ONCE } from "../http/limits.ts";
import { type Scheduler, startScheduler } from "../jobs/scheduler.ts";
import type { Log } from "../log/log.ts";
import { createServiceFigures } from "../metrics/service-figures.ts";
import type { App } from "../routing/serve-routes.ts";
import { createQuotas } from "../storage/quotas.ts";
import { storageRoom, withReserve } from "../storage/storage-room.ts";
import { StorageWatch } from "../storage/storage-watch.ts";
import { UploadsUnderWay } from "../storage/uploads-under-way.ts";
import { startWatching } from "../watching/watch-rounds.ts";
import { openWebhook } from "../watching/webhook.ts";
import { type AppSettings, createApp } from "./app.ts";
import type { ServeOptions } from "./config.ts";
import { createLimitNotes } from "./limit-notes.ts";
import { watchFaults, watchJobs, watchRequests } from "./service-watch.ts";

/** How long to wait for the lock: a command holds it for milliseconds, another service for as long as it runs. */
const LOCK_LIMIT_MS = 1_000;
const LOCK_STEP_MS = 50;
/** Time for running jobs to close their journals. */
const STOPPING_MS = 6_000;

export interface ServiceSettings
  extends AppSettings,
    Pick<
      ServeOptions,
      | "dataFolder"
      | "workers"
      | "timeCaps"
      | "requestsPerMinute"
      | "mayLackFiles"
      | "isWatching"
      | "webhook"
      | "storage"
    > {
  memoryBudgetMib: number;
  spawnWorker: () => Worker;
  log: Log;
}

export interface Service {
  app: App;
  database: Database;
  scheduler: Scheduler;
  /** Threads for refinements and trainings: fewer than asked for where memory is short. */
  workers: number;
  /** Leaves running jobs for the next start and closes everything, the database once requests are `answered`. */
  close(answered?: Promise<void>): Promise<void>;
}

/** @throws InputError where the folder is in use or cannot be used */
export async function openService(settings: ServiceSettings): Promise<Service> {
  const { dataFolder, timeCaps, spawnWorker, log, isWatching } = settings;
  const now = () => new Date();
  const webhook = openWebhook(settings.webhook, { log, now });
  const folder = makeStateFolder(dataFolder);
  const lock = await patientLock(folder);
  try {
    finishRestore(folder, log);
    const { state, database, reserve, room, quotas } = openStorage(folder, settings);
    const { freeBytes } = state;
    const figures = createServiceFigures();
    const onFault = watchFaults({ log, figures });
    const [clock, steadyClock] = [() => Date.now(), () => performance.now()];
    const secrets = watchSecrets(state.path, database, clock, (fault) => onFault(fault, "secret.key"));
    const { accessTokens, signedUrls } = createRotatingSigners(secrets, clock);
    const memory = divideBudget(settings.memoryBudgetMib);
    const uploads = new UploadsUnderWay();
    const workers = threadsWithin(settings.workers, memory);
    const scheduler = startScheduler({
      database,
      state,
      quotas,
      room,
      memory,
      workers,
      spawnWorker,
      timeCaps,
      uploads,
      report: onFault,
      watch: watchJobs({ log, figures }),
      isWatching,
    });
    const modelWork = createModelWork(spawnWorker, memory, state, isWatching);
    const watching = isWatching ? startWatching({ database, state, now, log, webhook, report: onFault }) : null;
    const wake = () => scheduler.wake();
    const storageWatch = new StorageWatch({ database, reserve, freeBytes, log, wake, report: onFault });
    const app = createApp(
      {
        ...uploadSlots({ database, state, signedUrls, quotas, memory, uploads, now, wake }),
        ...modelWork,
        rowCounts: watching?.rowCounts ?? null,
        database,
        state,
        signedUrls,
        now,
        wake,
        version: CUPEL_VERSION,
        bearers: createBearers(database, accessTokens, clock),
        loginLimit: createLoginLimit(steadyClock),
        requestLimit: createRequestLimit(steadyClock, settings.requestsPerMinute),
        log: watchRequests({ log, figures }, createLimitNotes(database, steadyClock, now)),
        showFigures: () =>
          figures.show({ database, state, now, version: CUPEL_VERSION, pools: () => scheduler.pools() }),
        quotas,
        elapsedMs: (key) => scheduler.elapsedMs(key),
        waitingReason: (key) => scheduler.waitingReason(key),
        stopFlow: (key) => scheduler.cancel(key),
        timeCaps,
        memory,
        workers,
      },
      settings,
    );
    const close = async (answered?: Promise<void>) => {
      await Promise.all([scheduler.stop(STOPPING_MS).catch((fault) => onFault(fault, "stopping")), answered]);
      watching?.stop();
      modelWork.largeRows.close();
      modelWork.modelExports.close();
      modelWork.outcomeCounting.close();
      figures.stop();
      storageWatch.stop();
      closeStorage(database, lock);
    };
    return { app, database, scheduler, workers, close };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Finishes or undoes a restore that was interrupted. */
function finishRestore(folder: string, log: Log): void {
  const settled = settleRestore(folder);
  if (settled !== null) log.warn(`restore.${settled.outcome}`, { earlierState: settled.aside });
}

/**
 * Work with models while a caller waits. Small bodies of rows are scored with cached models;
 * large bodies may take as much memory again while they wait.
 */
function createModelWork(spawnWorker: () => Worker, memory: MemoryLimits, state: StateFolder, isWatching: boolean) {
  const { cacheBytes } = memory;
  return {
    modelCache: new ModelCache({ mostBytes: cacheBytes, countsRows: isWatching }),
    largeRows: createLargeRows(spawnWorker, Math.min(MOST_LIVE_ROWS_BYTES_AT_ONCE, cacheBytes)),
    modelExports: createModelExports(spawnWorker, state.locate("uploads"), memory),
    outcomeCounting: createOutcomeCounting(spawnWorker),
  };
}

function closeStorage(database: Database, lock: StateLock): void {
  try {
    database.close();
  } finally {
    lock.release();
  }
}

/** Opens what is on the disk; the caller holds the lock. */
function openStorage(folder: string, { mayLackFiles, storage }: ServiceSettings) {
  // First: on a full disk the database cannot be opened without the reserve.
  const reserve = openReserve(folder);
  const state = openStateFolder(folder);
  const database = withReserve(openDatabase(folder), reserve);
  checkState(database, folder, mayLackFiles);
  const room = storageRoom(reserve, state.freeBytes);
  return { state, database, reserve, room, quotas: createQuotas(database, storage, room) };
}

async function patientLock(folder: string): Promise<StateLock> {
  const endMs = Date.now() + LOCK_LIMIT_MS;
  for (;;) {
    try {
      return acquireStateLock(folder);
    } catch (error) {
      const isInUse = error instanceof InputError && error.code === "STATE_FOLDER_IN_USE";
      if (!isInUse || Date.now() >= endMs) throw error;
      await Bun.sleep(LOCK_STEP_MS);
    }
  }
}
