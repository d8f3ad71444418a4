// A database in a temporary folder, and the things that tests of it begin with.
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "../../data/database/database.ts";
import type { AttemptRecord, RefinementResult } from "../../data/database/records.ts";
import { claimNextDataset, completeDataset, type DatasetFacts } from "../../data/dataset-processing.ts";
import { type Dataset, insertDataset, type NewDataset } from "../../data/datasets.ts";
import type { StoredFile } from "../../data/files/file-store.ts";
import { statePaths } from "../../data/files/state-folder.ts";
import type { NewModel, NewModelVersion } from "../../data/models.ts";
import { storeRefinementUpload } from "../../data/refinements/refinement-files.ts";
import {
  insertRefinement,
  type NewRefinement,
  type Refinement,
  startRefinement,
} from "../../data/refinements/refinements.ts";
import { insertTrainingJob, type NewTrainingJob, type TrainingJob } from "../../data/training-jobs.ts";
import { claimNextTrainingJob, finishTrainingJob } from "../../data/training-runs.ts";
import { insertUser } from "../../data/users.ts";
import { openNewDatabase } from "../support/new-database.ts";

/** The time of most tests. */
export const NOON = new Date("2031-05-06T12:00:00.000Z");

export const later = (seconds: number): Date => new Date(NOON.getTime() + seconds * 1000);

export const ALL = { offset: 0, limit: 1000 };

export interface TestState {
  folder: string;
  database: Database;
  /** The key of a user. */
  ann: string;
  /** The key of another. */
  bob: string;
  close(): void;
}

/** Runs a test with a state of its own. */
export function withState(use: (state: TestState) => void): void {
  const state = openTestState();
  try {
    use(state);
  } finally {
    state.close();
  }
}

export function openTestState(): TestState {
  const folder = mkdtempSync(join(tmpdir(), "cupel-test-"));
  const database = openNewDatabase(folder, NOON);
  return {
    folder,
    database,
    ann: addUser(database, "ann@example.com"),
    bob: addUser(database, "bob@example.com"),
    close: () => {
      database.close();
      rmSync(folder, { recursive: true });
    },
  };
}

export function addUser(database: Database, email: string): string {
  return insertUser(database, { key: randomUUID(), email, passwordHash: "hash", role: "user" }, NOON)!.key;
}

export function storedFile(): StoredFile {
  return { path: statePaths.file(randomUUID()), sizeBytes: 1234, sha256: "ab".repeat(32) };
}

export function newRefinement(userKey: string, changes: Partial<NewRefinement> = {}): NewRefinement {
  const key = randomUUID();
  return {
    key,
    userKey,
    name: `refinement-${key}`,
    trainFileName: "train.csv",
    testFileName: null,
    numberOfBuckets: 20,
    labelColumn: null,
    positiveLabel: null,
    removeLeaks: false,
    missingValues: null,
    seed: 7,
    ...changes,
  };
}

export function addRefinement(
  database: Database,
  userKey: string,
  changes: Partial<NewRefinement> = {},
  now = NOON,
): Refinement {
  return insertRefinement(database, newRefinement(userKey, changes), now)!;
}

/** One with both files that waits for a claim. */
export function addQueuedRefinement(database: Database, userKey: string, now = NOON): Refinement {
  const refinement = addRefinement(database, userKey, {}, now);
  storeRefinementUpload(database, refinement.key, "TRAIN", storedFile(), now);
  storeRefinementUpload(database, refinement.key, "TEST", storedFile(), now);
  startRefinement(database, userKey, refinement.key, now);
  return refinement;
}

export const RESULT: RefinementResult = {
  partial: false,
  reachedTarget: 0.88,
  baselineTarget: 0.8,
  recommendedThreshold: 0.88,
  keptAccuracy: 0.9,
  holdoutEstimate: { mean: 0.9, low: 0.85, high: 0.95 },
  columns: [],
  keptColumns: ["a", "b"],
  removedColumns: ["c"],
  warnings: [],
};

export function newDataset(userKey: string, changes: Partial<NewDataset> = {}): NewDataset {
  const key = randomUUID();
  return {
    key,
    userKey,
    name: `dataset-${key}`,
    description: null,
    numberOfBuckets: 20,
    labelColumn: null,
    positiveLabel: null,
    missingValues: null,
    origin: { kind: "DIRECT_UPLOAD", file: storedFile() },
    ...changes,
  };
}

export const FACTS: DatasetFacts = {
  labelColumn: "y",
  positiveLabel: "yes",
  classes: [
    { label: "no", count: 6 },
    { label: "yes", count: 4 },
  ],
  rowCount: 10,
  columnCount: 2,
  columns: [{ name: "x", kind: "number", missing: 0, distinct: 10, warning: null }],
  warnings: [{ code: "SMALL", message: "Ten rows are few." }],
};

/** COMPLETED. */
export function addDataset(database: Database, userKey: string): Dataset {
  const dataset = insertDataset(database, newDataset(userKey), NOON)!;
  while (claimNextDataset(database)!.key !== dataset.key);
  completeDataset(database, dataset.key, FACTS, NOON);
  return dataset;
}

export function newTrainingJob(dataset: Dataset): NewTrainingJob {
  return {
    key: randomUUID(),
    userKey: dataset.userKey,
    datasetKey: dataset.key,
    targetPerformance: 0.9,
    scalingFactor: 19,
    seed: 7,
    timeLimitSeconds: 3600,
  };
}

/** PENDING. */
export function addTrainingJob(database: Database, dataset: Dataset, now = NOON): TrainingJob {
  return insertTrainingJob(database, newTrainingJob(dataset), now)!;
}

/** With so many versions, each a little worse than the one before. */
export function newModel(versionCount = 3): NewModel {
  const key = randomUUID();
  const versions = Array.from(
    { length: versionCount },
    (_, index): NewModelVersion => ({
      algorithm: `algorithm ${index + 1}`,
      achievedPerformance: 0.9 - index / 100,
      trainingPerformance: 0.95 - index / 100,
      testPerformance: 0.9 - index / 100,
      falseDecisions: 10 + index,
      confirmedPerformance: index === 0 ? { mean: 0.89, low: 0.86, high: 0.92 } : null,
      filePath: statePaths.modelVersion(key, index + 1),
    }),
  );
  return { key, versions: versions as unknown as NewModel["versions"], sizeBytes: 1_000 };
}

/** The model of a COMPLETED job. Jobs that wait before it are claimed first. */
export function addModel(database: Database, dataset: Dataset, versionCount = 3, now = NOON): NewModel {
  const job = addTrainingJob(database, dataset, now);
  while (claimNextTrainingJob(database, now)!.key !== job.key);
  const model = newModel(versionCount);
  finishTrainingJob(database, job.key, { status: "COMPLETED", model, errorReason: null, attempts: null }, now);
  return model;
}

export function attemptRecord(attempt: number, changes: Partial<AttemptRecord> = {}): AttemptRecord {
  return {
    attempt,
    role: "attempt",
    family: "random forest",
    algorithm: "Random forest",
    settings: { treeCount: 100 },
    status: "finished",
    note: null,
    finalist: false,
    version: null,
    falseDecisions: 12,
    accuracy: 0.88,
    logLoss: 0.3,
    trainingAccuracy: 0.99,
    outOfFoldAccuracy: 0.87,
    outOfFoldLogLoss: 0.31,
    seconds: 1.5,
    ...changes,
  };
}
