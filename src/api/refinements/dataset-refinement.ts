// Refines an existing dataset without a new upload; a fifth of its rows is the blind test (D65).

import { randomUUID } from "node:crypto";
import { constants, copyFileSync, existsSync, linkSync, rmSync } from "node:fs";
import { type Static, Type } from "@sinclair/typebox";
import type { Database } from "../../../data/database/database.ts";
import { type Dataset, findOwnedDataset } from "../../../data/datasets.ts";
import { type StateFolder, statePaths } from "../../../data/files/state-folder.ts";
import { planTraining } from "../../../data/refinements/planned-trainings.ts";
import { storeRefinementUpload } from "../../../data/refinements/refinement-files.ts";
import { insertRefinement, isRefinementNameTaken, startRefinement } from "../../../data/refinements/refinements.ts";
import { DEFAULT_BUCKETS, REFINEMENT_BUCKETS, SEED } from "../../common/limits.ts";
import { nameTaken, trimmedName } from "../../http/names.ts";
import { ApiError, found } from "../../http/problem.ts";
import { named, oneOf, SCHEMA_NAME } from "../../http/schemas.ts";
import { type Call, type Route, route } from "../../routing/route.ts";
import { created } from "../audited.ts";
import { fileGone } from "../datasets/dataset-preview.ts";
import { keySettings, OWN_KEY_SETTINGS, requireColumnsOf } from "../key-columns.ts";
import type { Services } from "../services.ts";
import { EXPECTED_LABEL, requireExpectedLabel } from "../table-settings.ts";
import { RefinementName, unusedName } from "./new-refinement.ts";
import { PlanSettings } from "./planned-training.ts";
import { refinementPath, STARTED_RUN, type StartedRun } from "./refinement-state.ts";

const RefinementFields = Type.Object({
  name: RefinementName,
  numberOfBuckets: oneOf(REFINEMENT_BUCKETS, { default: DEFAULT_BUCKETS, description: "As for any refinement." }),
  removeLeaks: Type.Boolean({ default: false, description: "As for any refinement.", "x-decision": "D01" }),
  ...OWN_KEY_SETTINGS,
  ...EXPECTED_LABEL,
  thenTrain: Type.Optional(
    Type.Object(PlanSettings.properties, {
      [SCHEMA_NAME]: "TrainingPlan",
      description: "Start a training on the kept columns once there is a result. Left out, none follows.",
      "x-decision": "D106",
    }),
  ),
});

named({ NewDatasetRefinement: RefinementFields });

/** A request as clients write it: only the name has no default. */
export type RefinedDataset = Partial<Static<typeof RefinementFields>>;

export function datasetRefinementRoute(services: Services): Route {
  const { database, now, state, quotas, wake } = services;
  return route({
    method: "POST",
    path: "/api/v1/feature-refinery/datasets/{datasetKey}",
    operationId: "refineDataset",
    tag: "Feature refinement",
    summary: "Refine a dataset",
    description:
      "Begins a refinement of the dataset's own file, with its label. " +
      "A fifth of the rows is the blind test, the same that a training on the result holds out, " +
      "so no row is lost. The result has a reduced TRAIN file of all rows.",
    decisions: ["D13", "D28", "D31", "D48", "D65", "D93", "D95", "D106", "D107"],
    body: RefinementFields,
    bodyExample: { name: "churn-2027", numberOfBuckets: 10, removeLeaks: false },
    answer: { status: 201, ...STARTED_RUN, headers: { location: "The run's progress." } },
    problems: ["NOT_FOUND", "DATASET_NOT_READY", "LABEL_CHANGED", "NAME_TAKEN", "FILE_REMOVED", "QUOTA_EXCEEDED"],
    handle: (call) => {
      const { userKey } = call.caller;
      const dataset = found("dataset", findOwnedDataset(database, userKey, call.params.datasetKey));
      if (dataset.status !== "COMPLETED" || dataset.filePath === null) throw notReady(dataset);
      requireExpectedLabel(dataset, call.body.labelColumn);
      if (!existsSync(state.locate(dataset.filePath))) throw fileGone();
      requireColumnsOf(dataset, keySettings(call.body, dataset));
      // Links take no room on the disk, but quotas count each as a file.
      quotas.hold(userKey, 2 * (dataset.sizeBytes ?? 0) + 1)();
      const paths = linked(state, dataset.filePath);
      let answer: StartedRun | null = null;
      try {
        answer = created(
          services,
          call,
          () => begin(database, dataset, call.body, paths, now()),
          (key) => ({ action: "REFINEMENT_STARTED", objectKey: key, detail: thenWhat(call.body) }),
          (key) => showStarted(call, key),
        );
      } finally {
        if (answer === null) for (const path of paths) rmSync(state.locate(path), { force: true });
      }
      wake();
      return answer;
    },
  });
}

function showStarted({ headers, url }: Pick<Call, "headers" | "url">, key: string): StartedRun {
  const progressUrl = url(refinementPath(key, "progress"));
  headers.set("location", progressUrl);
  return { featureRefinementKey: key, state: "PENDING", progressUrl };
}

function thenWhat({ thenTrain }: Static<typeof RefinementFields>): string | null {
  return thenTrain === undefined ? null : "THEN_TRAIN";
}

/** Inserts a queued run with its files, in one transaction; returns its key. @throws ApiError NAME_TAKEN */
function begin(
  database: Database,
  dataset: Dataset,
  body: Static<typeof RefinementFields>,
  [trainPath, testPath]: readonly [string, string],
  now: Date,
): string {
  const { userKey, labelColumn, positiveLabel, missingValues, hasHeader, sizeBytes, sha256 } = dataset;
  const { numberOfBuckets, removeLeaks } = body;
  const name = body.name === undefined ? undefined : trimmedName(body.name, 1);
  return database.write(() => {
    if (name !== undefined && isRefinementNameTaken(database, userKey, name)) throw nameTaken("refinement", name);
    const table = { labelColumn, positiveLabel, missingValues, hasHeader, ...keySettings(body, dataset) };
    const settings = { ...table, numberOfBuckets, removeLeaks, seed: SEED };
    const names = { trainFileName: dataset.name, testFileName: null, name: name ?? unusedName(database, userKey, now) };
    const run = insertRefinement(database, { key: randomUUID(), userKey, ...names, ...settings }, now)!;
    const file = { sizeBytes: sizeBytes!, sha256: sha256! };
    storeRefinementUpload(database, run.key, "TRAIN", { ...file, path: trainPath }, now);
    storeRefinementUpload(database, run.key, "TEST", { ...file, path: testPath }, now);
    startRefinement(database, userKey, run.key, now);
    if (body.thenTrain !== undefined) {
      const plan = { refinementKey: run.key, userKey, sourceDatasetKey: dataset.key, ...body.thenTrain };
      planTraining(database, plan, now);
    }
    return run.key;
  });
}

/** Two hard links to one file, which can be removed one by one; copies on a file system without links. */
function linked(state: StateFolder, path: string): readonly [string, string] {
  const link = () => {
    const testPath = statePaths.file(randomUUID());
    try {
      linkSync(state.locate(path), state.locate(testPath));
    } catch {
      copyFileSync(state.locate(path), state.locate(testPath), constants.COPYFILE_FICLONE);
    }
    return testPath;
  };
  return [link(), link()];
}

function notReady({ status }: Dataset): ApiError {
  return new ApiError("DATASET_NOT_READY", `The dataset is ${status}; only a COMPLETED one can be refined.`);
}
