// These calls fill a state folder for the routes of training, models and predictions: finished datasets, jobs in every status,
// models with real files.
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { PredictionStatus, TrainingStatus } from "../../../data/database/states.ts";
import { claimNextDataset, completeDataset, failDataset } from "../../../data/dataset-processing.ts";
import { type Dataset, insertDataset } from "../../../data/datasets.ts";
import { statePaths } from "../../../data/files/state-folder.ts";
import { setOutcomes } from "../../../data/outcomes.ts";
import {
  claimNextPrediction,
  completePrediction,
  failPrediction,
  insertPrediction,
} from "../../../data/predictions.ts";
import { cancelTrainingJob, type TrainingJob } from "../../../data/training-jobs.ts";
import { claimNextTrainingJob, finishTrainingJob } from "../../../data/training-runs.ts";
import type { OutcomeCounts } from "../../../engine/outcomes/outcomes.ts";
import { addRefinement, addTrainingJob, FACTS, newDataset, newModel, storedFile } from "../../data/state.ts";
import type { TestApi, UserName } from "../../support/api.ts";

/** A dataset of a user in a status. */
export function addDatasetIn(
  { database, services, ...users }: TestApi,
  user: UserName,
  status: Dataset["status"] = "COMPLETED",
  { recommendedThreshold }: { recommendedThreshold?: number } = {},
): Dataset {
  const now = services.now();
  const userKey = users[user].key;
  const refinementOf = (threshold: number) => ({
    kind: "REFINEMENT" as const,
    featureRefinementKey: addRefinement(database, userKey, {}, now).key,
    recommendedThreshold: threshold,
    originalColumns: ["noise", ...PENGUIN_COLUMNS],
    file: storedFile(),
  });
  const origin =
    status === "PENDING"
      ? { kind: "SIGNED_UPLOAD" as const, expiresOn: new Date(now.getTime() + 3_600_000) }
      : recommendedThreshold === undefined
        ? { kind: "DIRECT_UPLOAD" as const, file: storedFile() }
        : refinementOf(recommendedThreshold);
  const dataset = insertDataset(database, newDataset(userKey, { origin }), now)!;
  if (status === "PENDING" || status === "PROCESSING") return dataset;
  while (claimNextDataset(database)!.key !== dataset.key);
  if (status === "COMPLETED") completeDataset(database, dataset.key, FACTS, now);
  else failDataset(database, dataset.key, "Line 3 has too many cells.", now);
  return dataset;
}

/** What clients see of a job, and CLOSING: one that was cancelled while it ran and has not stopped yet. */
export type JobStage = TrainingStatus | "CLOSING";

/**
 * A training job on a new dataset of a user; no other job may wait
 * meanwhile. Ended ones have a model, FAILED ones none.
 */
export function addJobIn(api: TestApi, user: UserName, stage: JobStage, versionCount = 3): TrainingJob {
  const { database, services } = api;
  const dataset = addDatasetIn(api, user);
  const now = services.now();
  const job = addTrainingJob(database, dataset, now);
  if (stage === "PENDING") return job;
  if (stage !== "CANCELLED") claimNextTrainingJob(database, now);
  if (stage === "CANCELLED" || stage === "CLOSING") cancelTrainingJob(database, dataset.userKey, job.key, now);
  if (stage === "FAILED") {
    finishTrainingJob(database, job.key, { status: stage, model: null, errorReason: "No.", attempts: null }, now);
  } else if (stage === "COMPLETED" || stage === "TIMED_OUT" || stage === "NOT_COMPLETED") {
    const model = newModel(versionCount);
    finishTrainingJob(database, job.key, { status: stage, model, errorReason: null, attempts: null }, now);
  }
  return job;
}

const MODELS = join(import.meta.dir, "..", "..", "fixtures", "models");
/** The algorithm of each version's file. */
const VERSION_FILES = ["random-forest", "naive-Bayes", "linear-logistic-regression"];

export const PENGUIN_COLUMNS = ["island", "bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g", "sex"];
/** Unlabelled. */
export const PENGUINS_CSV = `${PENGUIN_COLUMNS.join(",")}\nTorgersen,39.1,18.7,181,3750,male\nBiscoe,46.1,13.2,211,4500,female\n`;
export const REPORT =
  "<!doctype html>\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-abc='\">\n<p>A report.</p>\n";

/** A model that can score rows of the table, with its files; of a refinement's dataset where `isRefined`. */
export function addScorer(
  api: TestApi,
  user: UserName,
  { isRefined = false, table = "penguins" }: { isRefined?: boolean; table?: "penguins" | "credit_g" } = {},
): { modelKey: string; jobKey: string } {
  const { database, state, services } = api;
  const dataset = addDatasetIn(api, user, "COMPLETED", isRefined ? { recommendedThreshold: 0.9 } : {});
  const job = addTrainingJob(database, dataset, services.now());
  claimNextTrainingJob(database, services.now());
  const model = newModel(3);
  const end = { status: "COMPLETED", model, errorReason: null, attempts: null } as const;
  finishTrainingJob(database, job.key, end, services.now());
  model.versions.forEach(({ filePath }, index) => {
    mkdirSync(dirname(state.locate(filePath)), { recursive: true });
    copyFileSync(join(MODELS, `${table}-${VERSION_FILES[index]}.cupel`), state.locate(filePath));
  });
  writeFileSync(state.locate(statePaths.modelReport(model.key)), REPORT);
  return { modelKey: model.key, jobKey: job.key };
}

export const RESULT_CSV = "x,prediction,confidence\n1,yes,0.9\n2,no,0.8\n";

/** A prediction in a status, with its files; no other may wait meanwhile. */
export function addPredictionIn(
  api: TestApi,
  modelKey: string,
  status: PredictionStatus,
  user: UserName = "ada",
): string {
  const { database, state, services } = api;
  const now = services.now();
  const key = crypto.randomUUID();
  const inputPath = statePaths.file(key);
  writeFileSync(state.locate(inputPath), PENGUINS_CSV);
  insertPrediction(
    database,
    {
      key,
      userKey: api[user].key,
      modelKey,
      version: 1,
      inputPath,
      inputBytes: PENGUINS_CSV.length,
      filterColumns: false,
      fileName: "penguins.csv",
    },
    now,
  );
  if (status === "PENDING") return key;
  claimNextPrediction(database, now);
  if (status === "COMPLETED") {
    const resultPath = statePaths.result(key);
    writeFileSync(state.locate(resultPath), RESULT_CSV);
    const warnings = [{ code: "NEW_MISSING", message: "One cell has no value.", column: "sex", count: 1 }];
    const labelCounts = [
      { label: "no", count: 1 },
      { label: "yes", count: 1 },
    ];
    const confidenceCounts = [0, 0, 0, 0, 0, 0, 0, 1, 0, 1];
    const resultBytes = RESULT_CSV.length;
    completePrediction(
      database,
      key,
      { resultPath, resultBytes, rowCount: 2, labelCounts, confidenceCounts, warnings },
      now,
    );
  } else if (status !== "RUNNING") {
    failPrediction(database, key, status, "It took more than 1800 s.", now);
  }
  return key;
}

/** Labelled rows by actual label: all were decided as the first. */
export const labelCounts = (...actual: [number, number, number]): OutcomeCounts => ({
  confusion: actual.map((count) => [count, 0, 0]),
  ...{ unknownLabels: 0, withoutLabel: 0, unmatched: 0 },
});

/** A completed prediction of the model with labels that came later, and its files. */
export function addLabelled(
  api: TestApi,
  modelKey: string,
  counts: OutcomeCounts = labelCounts(60, 60, 0),
  user: UserName = "ada",
) {
  const { database, services, state } = api;
  const key = crypto.randomUUID();
  const now = services.now();
  const userKey = api[user].key;
  const asked = { key, userKey, modelKey, version: 1, inputPath: statePaths.file(key), inputBytes: 100 };
  insertPrediction(database, { ...asked, filterColumns: false, fileName: "may.csv" }, now);
  claimNextPrediction(database, now);
  const done = { resultPath: statePaths.result(key), resultBytes: 1, rowCount: 120, labelCounts: [], warnings: [] };
  completePrediction(database, key, done, now);
  const path = statePaths.file(crypto.randomUUID());
  for (const file of [asked.inputPath, done.resultPath, path]) writeFileSync(state.locate(file), "x");
  const labels = { path, bytes: 1, labelColumn: null, keyColumn: null, asTrained: true, counts };
  setOutcomes(database, userKey, { predictionKey: key, ...labels }, now);
  return key;
}
