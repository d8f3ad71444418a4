// Labels that come after a prediction: sent as a file, counted beside the decisions, replaced as a whole, deleted.

import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { type Static, Type } from "@sinclair/typebox";
import { statePaths } from "../../../data/files/state-folder.ts";
import { findModelVersion, findOwnedModel } from "../../../data/models.ts";
import { findOutcomes, type PredictionOutcomes, removeOutcomes, setOutcomes } from "../../../data/outcomes.ts";
import { findOwnedPrediction, type Prediction } from "../../../data/predictions.ts";
import { readWatchedModel } from "../../../engine/model/model-file.ts";
import { withParts } from "../../../workers/reading/file-chunks.ts";
import { readFields } from "../../http/fields.ts";
import { MOST_OUTCOME_BYTES, OUTCOME_SECONDS } from "../../http/limits.ts";
import { ApiError, noSuch } from "../../http/problem.ts";
import { CsvPart, Instant, Key, named, orNull, shown, Version } from "../../http/schemas.ts";
import { modelThreshold } from "../../jobs/prediction-file.ts";
import { FORM_PROBLEMS, type FormWithFile, withForm } from "../../receiving/multipart.ts";
import { type Call, type RawBody, type Route, route } from "../../routing/route.ts";
import { type JudgedModel, versionOutcomes } from "../../watching/version-outcomes.ts";
import { audited } from "../audited.ts";
import {
  countedOutcomes,
  OUTCOME_COUNTS,
  OUTCOMES_EXAMPLE,
  toldOutcomes,
  VERSION_OUTCOMES,
} from "../models/outcome-figures.ts";
import type { Services } from "../services.ts";
import { HasHeader, MOST_NAME_CHARACTERS } from "../table-settings.ts";
import { PREDICTION_EXAMPLE, predictionOf, requireCompleted } from "./prediction-files.ts";

const PATH = "/api/v1/predictions/{predictionKey}/outcomes";
const DECISIONS = ["D31", "D121"];
const HAS_OUTCOMES = "has outcomes.";

const FIELDS = {
  labelColumn: Type.Optional(
    Type.String({
      ...{ minLength: 1, maxLength: MOST_NAME_CHARACTERS },
      description:
        "The column of the labels; by default the one named as the model's label, or the only one beside the keys.",
    }),
  ),
  keyColumn: Type.Optional(
    Type.String({
      maxLength: MOST_NAME_CHARACTERS,
      description:
        "A column of both files that names their rows; by default the one that the prediction was created with. " +
        "Empty: the rows stand in the order of the predicted ones, one for each.",
    }),
  ),
  hasHeader: HasHeader,
};

const Outcomes = Type.Object({
  predictionKey: Key,
  version: Version,
  labels: Type.Array(Type.String(), { description: "The labels that the model knows, in the order of each matrix." }),
  outcomes: orNull(
    Type.Object(
      {
        addedOn: Instant,
        labelColumn: orNull(Type.String({ description: "As it was sent." })),
        keyColumn: orNull(
          Type.String({ description: "The column by which rows were found; null for the rows' order." }),
        ),
        ...OUTCOME_COUNTS,
      },
      { description: "Of this prediction; null where no labels came." },
    ),
  ),
  ofVersion: VERSION_OUTCOMES,
});

named({ PredictionOutcomes: Outcomes });

export type PredictionOutcomesAnswer = Static<typeof Outcomes>;

const EXAMPLE: PredictionOutcomesAnswer = {
  predictionKey: PREDICTION_EXAMPLE.predictionKey,
  version: 1,
  labels: ["no", "yes"],
  outcomes: {
    ...{ addedOn: "2031-05-05T09:00:00.000Z", labelColumn: null, keyColumn: "customer" },
    ...{ rowCount: 200, rightCount: 160, accuracy: { mean: 0.8, low: 0.739, high: 0.85 } },
    ...{ unknownLabels: 0, withoutLabel: 50, unmatched: 0 },
    confusion: [
      [120, 20],
      [20, 40],
    ],
  },
  ofVersion: OUTCOMES_EXAMPLE,
};

export function outcomeRoutes(services: Services): Route[] {
  return [addRoute(services), readRoute(services), deleteRoute(services)];
}

function addRoute(services: Services): Route {
  return route({
    method: "POST",
    path: PATH,
    operationId: "addOutcomes",
    tag: "Predictions",
    summary: "Tell what the rows of a prediction really were",
    description:
      "A CSV with the labels, in the rows' order or found by a key column. " +
      "A label may be empty while it is not known. Labels that were sent before are replaced as a whole. " +
      "Rows that were sent as JSON have no outcomes: send them as a file.",
    decisions: DECISIONS,
    scopes: ["predict"],
    rawBodies: [FORM],
    answer: { status: 200, description: "What the labels say.", schema: Outcomes, example: EXAMPLE },
    problems: ["NOT_FOUND", "NOT_READY", "FILE_REMOVED", "FILE_UNUSABLE", "BUSY", "UNAVAILABLE", ...FORM_PROBLEMS],
    handle: (call) => receive(call, services, withResult(predictionOf(call, services))),
  });
}

function readRoute(services: Services): Route {
  return route({
    method: "GET",
    path: PATH,
    operationId: "getOutcomes",
    tag: "Predictions",
    summary: "What labels that came later say of a prediction",
    description: "Beside the confirmed accuracy, and whether the version is worse than promised.",
    decisions: DECISIONS,
    scopes: ["read", "predict"],
    answer: { status: 200, description: "What the labels say.", schema: Outcomes, example: EXAMPLE },
    problems: ["NOT_FOUND", "NOT_READY"],
    handle: (call) => {
      const prediction = predictionOf(call, services);
      requireCompleted(prediction, HAS_OUTCOMES);
      return outcomesAnswer(prediction, services);
    },
  });
}

function deleteRoute(services: Services): Route {
  const { database, state, now } = services;
  return route({
    method: "DELETE",
    path: PATH,
    operationId: "deleteOutcomes",
    tag: "Predictions",
    summary: "Delete the labels that came for a prediction",
    description: "Deletes their file and takes them out of every figure. Deleting again succeeds.",
    decisions: DECISIONS,
    scopes: ["predict"],
    answer: { status: 204, description: "The labels are gone." },
    problems: ["NOT_FOUND"],
    handle: async (call) => {
      const { predictionKey } = call.params;
      predictionOf(call, services);
      const removed = audited(
        services,
        call,
        () => removeOutcomes(database, predictionKey, now()),
        (row) => (row === null ? null : { action: "OUTCOMES_DELETED", objectKey: predictionKey }),
      );
      if (removed?.path != null) await rm(state.locate(removed.path), { force: true });
      return undefined;
    },
  });
}

/** A prediction whose result can still be read. */
type ScoredPrediction = Prediction & { resultPath: string };

function withResult(prediction: Prediction): ScoredPrediction {
  requireCompleted(prediction, HAS_OUTCOMES);
  const { resultPath } = prediction;
  if (resultPath !== null) return { ...prediction, resultPath };
  throw new ApiError(
    "FILE_REMOVED",
    "The result is removed, so no labels can be counted beside it. Predict the rows again.",
  );
}

/** A refused file leaves nothing, and the earlier labels stay. */
async function receive(
  call: Call,
  services: Services,
  prediction: ScoredPrediction,
): Promise<PredictionOutcomesAnswer> {
  const { state } = services;
  const path = statePaths.file(randomUUID());
  const shape = {
    ...{ filePart: "file", leastFileBytes: 1, mostFileBytes: MOST_OUTCOME_BYTES, targetPath: state.locate(path) },
    largerFiles: "Send the columns of the labels and the keys alone.",
  };
  const replacedPath = await withForm(call, services, shape, (form) =>
    storeLabels(call, services, prediction, path, form),
  );
  if (replacedPath !== null) await rm(state.locate(replacedPath), { force: true });
  return outcomesAnswer(prediction, services);
}

/** Counts the labels and stores the counts; returns the path of the labels that these replace. */
async function storeLabels(
  call: Call,
  services: Services,
  prediction: ScoredPrediction,
  path: string,
  form: FormWithFile,
): Promise<string | null> {
  const { database, state, now } = services;
  const { key, modelKey, version } = prediction;
  try {
    const fields = readFields(FIELDS, form.fields, "form");
    const { labelColumn = null, hasHeader } = fields;
    const keyColumn = (fields.keyColumn ?? prediction.keyColumn) || null;
    const model = findModelVersion(database, modelKey, version);
    if (model === null) throw noSuch("model");
    const modelPath = state.locate(model.filePath);
    call.keepAlive(OUTCOME_SECONDS);
    const counts = await services.outcomeCounting.count({
      ...{ modelPath, labelsPath: form.path, resultPath: state.locate(prediction.resultPath) },
      ...{ labelColumn, keyColumn, hasHeader },
    });
    const threshold = modelThreshold(modelPath);
    const asTrained = threshold === null || prediction.threshold === threshold.trainedThreshold;
    const file = { path, bytes: form.sizeBytes, labelColumn, keyColumn, hasHeader };
    const outcomes = { predictionKey: key, ...file, asTrained, counts };
    const placed = audited(
      services,
      call,
      () => setOutcomes(database, call.caller.userKey, outcomes, now()),
      (done) => (done === "NOT_FOUND" ? null : { action: "OUTCOMES_ADDED", objectKey: key }),
    );
    if (placed === "NOT_FOUND") throw noSuch("prediction");
    return placed.replacedPath;
  } catch (error) {
    // The prediction, or the model's file, may have been deleted meanwhile.
    if (findOwnedPrediction(database, call.caller.userKey, key) === null) throw noSuch("prediction");
    throw error;
  }
}

function outcomesAnswer(prediction: Prediction, { database, state }: Services): PredictionOutcomesAnswer {
  const { key, userKey, modelKey, version, labelCounts } = prediction;
  const labels = (labelCounts ?? []).map(({ label }) => label);
  const outcomes = findOutcomes(database, key);
  const file = findOwnedModel(database, userKey, modelKey)?.versions.find((each) => each.version === version)?.filePath;
  const model = file === undefined ? deletedModel(labels) : withParts(state.locate(file), readWatchedModel);
  return shown(Outcomes, {
    ...{ predictionKey: key, version, labels },
    outcomes: outcomes === null ? null : outcomesOf(outcomes),
    ofVersion: toldOutcomes(versionOutcomes(database, { modelKey, version }, model)),
  });
}

/** A deleted model has no file to say what it promised: its labels are held against nothing. */
function deletedModel(labels: readonly string[]): JudgedModel {
  return { labels, lineage: { classCounts: [], performance: { confirmedPerformance: null } } };
}

function outcomesOf({ addedOn, labelColumn, keyColumn, counts }: PredictionOutcomes) {
  return { addedOn, labelColumn, keyColumn, ...countedOutcomes(counts) };
}

const FORM: RawBody = {
  contentType: "multipart/form-data",
  description: "One file part named `file`: a CSV with the labels; and fields that say where they stand.",
  filePart: "file",
  schema: Type.Object({ ...FIELDS, file: CsvPart("A CSV with the labels.") }),
};
