// The service on one state folder: the database, the scheduler and the API, opened and closed together.
import { type Database, openDatabase } from "../data/database.ts";
import { openSecret } from "../data/secret.ts";
import { openStateFolder } from "../data/state-folder.ts";
import { acquireStateLock, type StateLock } from "../data/state-lock.ts";
import { InputError } from "../engine/input-error.ts";
import type { App } from "./api/serve-routes.ts";
import { uploadSlots } from "./api/upload-slots.ts";
import { type AppSettings, createApp } from "./app.ts";
import { createBearers } from "./auth/bearer.ts";
import { createLoginLimit } from "./auth/login-limit.ts";
import { prepareVerification } from "./auth/passwords.ts";
import { createRequestLimit } from "./auth/request-limit.ts";
import { createSignedUrls } from "./auth/signed-urls.ts";
import { createAccessTokens } from "./auth/tokens.ts";
import { ModelCache } from "./jobs/model-cache.ts";
import { type Scheduler, startScheduler } from "./jobs/scheduler.ts";
import {
  ATTEMPT_LIMIT_SECONDS,
  PREDICTION_LIMIT_SECONDS,
  REFINEMENT_LIMIT_SECONDS,
  TRAINING_LIMIT_SECONDS,
} from "./limits.ts";
import { CUPEL_VERSION } from "./version.ts";

/** `cupel user` holds the lock for a few milliseconds; another service holds it for good. */
const LOCK_LIMIT_MS = 1_000;
const LOCK_STEP_MS = 50;
/** What jobs under way may take to close their journals. */
const STOPPING_MS = 8_000;

export interface ServiceSettings extends AppSettings {
  dataFolder: string;
  workers: number;
  /** Of one credential. */
  requestsPerMinute: number;
  spawnWorker: () => Worker;
  /** Hears of faults that are ours; `where` names the job or the request. */
  onFault(fault: unknown, where: string): void;
}

export interface Service {
  app: App;
  database: Database;
  scheduler: Scheduler;
  /** Leaves jobs under way for the next start, and everything closed. */
  close(): Promise<void>;
}

/** @throws InputError where the folder is in use, or is not one that this program can work in */
export async function openService(settings: ServiceSettings): Promise<Service> {
  const { dataFolder, workers, spawnWorker, onFault } = settings;
  const state = openStateFolder(dataFolder);
  const lock = await patientLock(state.path);
  try {
    const database = openDatabase(state.path);
    const secret = openSecret(state.path);
    const clock = () => Date.now();
    const now = () => new Date();
    const signedUrls = createSignedUrls(secret, clock);
    const scheduler = startScheduler({
      database,
      state,
      workers,
      spawnWorker,
      refinementSeconds: REFINEMENT_LIMIT_SECONDS,
      predictionSeconds: PREDICTION_LIMIT_SECONDS,
      report: onFault,
    });
    await prepareVerification();
    const wake = () => scheduler.wake();
    const slots = uploadSlots({ database, state, signedUrls, now, wake });
    const app = createApp(
      {
        ...slots,
        database,
        state,
        signedUrls,
        now,
        wake,
        version: CUPEL_VERSION,
        bearers: createBearers(database, createAccessTokens(secret, clock), clock),
        loginLimit: createLoginLimit(clock),
        requestLimit: createRequestLimit(clock, settings.requestsPerMinute),
        log: { onFault: (fault, { method, path }) => onFault(fault, `${method} ${path}`), onAnswer: () => {} },
        askDatabase: () => database.client.query("SELECT 1").get(),
        cancelRefinement: (key) => scheduler.cancelRefinement(key),
        cancelTraining: (key) => scheduler.cancelTraining(key),
        trainingLimitSeconds: TRAINING_LIMIT_SECONDS,
        timeCaps: {
          trainingSeconds: TRAINING_LIMIT_SECONDS,
          attemptSeconds: ATTEMPT_LIMIT_SECONDS,
          refinementSeconds: REFINEMENT_LIMIT_SECONDS,
          predictionSeconds: PREDICTION_LIMIT_SECONDS,
        },
        modelCache: new ModelCache(),
      },
      settings,
    );
    return {
      app,
      database,
      scheduler,
      close: async () => {
        await scheduler.stop(STOPPING_MS);
        database.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
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
