// Lists of everything of one kind that a user has, whatever dataset or model it belongs to: training jobs, models, predictions.

import { type Static, Type } from "@sinclair/typebox";
import type { Database } from "../../data/database/database.ts";
import { datasetNames } from "../../data/datasets.ts";
import { listModels } from "../../data/models.ts";
import type { Paged } from "../../data/pages.ts";
import { listPredictions } from "../../data/predictions.ts";
import { listTrainingJobs } from "../../data/training-jobs.ts";
import { PageOf, pageAnswer, pageQuery } from "../http/paging.ts";
import { type Route, route } from "../http/route.ts";
import { Instant, Key, orNull } from "../http/schemas.ts";
import { MODEL_EXAMPLE, ModelItem, showModelItem } from "./models.ts";
import { PREDICTION_EXAMPLE } from "./prediction-files.ts";
import { PredictionItem, showPredictionItem } from "./predictions.ts";
import type { Services } from "./services.ts";
import { showTraining, TRAINING_EXAMPLE, Training } from "./training.ts";

const DatasetName = Type.String({ description: "Of its dataset, deleted ones too." });

const OwnTraining = Type.Object({ ...Training.properties, datasetName: DatasetName, createdOn: Instant });
const OwnModel = Type.Object({
  ...ModelItem.properties,
  datasetKey: Key,
  datasetName: DatasetName,
  trainingJobKey: Key,
});
const OwnPrediction = Type.Object({
  ...PredictionItem.properties,
  version: Type.Integer({ minimum: 1, maximum: 3 }),
  datasetName: DatasetName,
  rowCount: orNull(Type.Integer({ description: "Null until COMPLETED." })),
  createdOn: Instant,
});
export type OwnTraining = Static<typeof OwnTraining>;
export type OwnModel = Static<typeof OwnModel>;
export type OwnPrediction = Static<typeof OwnPrediction>;

const EXAMPLE = { datasetName: "churn 2027", createdOn: "2027-01-15T09:30:00.000Z" };
const EXAMPLE_PAGE = { offset: 0, limit: 20, total: 1, nextOffset: null };
const DECISIONS = ["D24", "D60"];

export function ownListRoutes(services: Services): Route[] {
  return [trainingsRoute(services), modelsRoute(services), predictionsRoute(services)];
}

function trainingsRoute({ database }: Services): Route {
  return route({
    method: "GET",
    path: "/api/v1/training",
    operationId: "listOwnTrainingJobs",
    tag: "Training",
    summary: "List your training jobs",
    description: "Newest first, of all datasets.",
    decisions: DECISIONS,
    query: pageQuery(),
    answer: {
      status: 200,
      description: "A page of jobs.",
      schema: PageOf("trainingJobs", OwnTraining),
      example: { trainingJobs: [{ ...TRAINING_EXAMPLE, ...EXAMPLE }], ...EXAMPLE_PAGE },
    },
    handle: ({ query, caller: { userKey } }) => {
      const jobs = listTrainingJobs(database, userKey, query);
      const nameOf = namesFor(database, jobs);
      return pageAnswer("trainingJobs", jobs, query, (job) => ({
        ...showTraining(job),
        datasetName: nameOf(job),
        createdOn: job.createdOn,
      }));
    },
  });
}

function modelsRoute({ database }: Services): Route {
  const { modelKey, version, datasetKey, trainingJobKey } = MODEL_EXAMPLE;
  const { achievedPerformance, trainingPerformance, testPerformance } = MODEL_EXAMPLE.versions[0]!;
  const performances = { achievedPerformance, trainingPerformance, testPerformance };
  return route({
    method: "GET",
    path: "/api/v1/models",
    operationId: "listOwnModels",
    tag: "Models",
    summary: "List your models",
    description: "Newest first, of all datasets, each with the figures of its champion.",
    decisions: DECISIONS,
    scopes: ["read", "predict"],
    query: pageQuery(),
    answer: {
      status: 200,
      description: "A page of models.",
      schema: PageOf("models", OwnModel),
      example: {
        models: [{ modelKey, version, ...performances, datasetKey, trainingJobKey, ...EXAMPLE }],
        ...EXAMPLE_PAGE,
      },
    },
    handle: ({ query, caller: { userKey } }) => {
      const models = listModels(database, userKey, query);
      const nameOf = namesFor(database, models);
      return pageAnswer("models", models, query, (model) => ({
        ...showModelItem(model),
        datasetKey: model.datasetKey,
        datasetName: nameOf(model),
        trainingJobKey: model.trainingJobKey,
      }));
    },
  });
}

function predictionsRoute({ database }: Services): Route {
  const { predictionKey, modelKey, datasetKey, status, predictionResultUrl, version, rowCount } = PREDICTION_EXAMPLE;
  return route({
    method: "GET",
    path: "/api/v1/predictions",
    operationId: "listOwnPredictions",
    tag: "Predictions",
    summary: "List your predictions",
    description: "Newest first, of all models.",
    decisions: ["D21", ...DECISIONS],
    scopes: ["read", "predict"],
    query: pageQuery(),
    answer: {
      status: 200,
      description: "A page of predictions.",
      schema: PageOf("predictions", OwnPrediction),
      example: {
        predictions: [
          { predictionKey, modelKey, datasetKey, status, predictionResultUrl, version, rowCount, ...EXAMPLE },
        ],
        ...EXAMPLE_PAGE,
      },
    },
    handle: ({ query, caller: { userKey }, url }) => {
      const predictions = listPredictions(database, userKey, query);
      const nameOf = namesFor(database, predictions);
      return pageAnswer("predictions", predictions, query, (prediction) => ({
        ...showPredictionItem(prediction, url),
        version: prediction.version,
        datasetName: nameOf(prediction),
        rowCount: prediction.rowCount,
        createdOn: prediction.createdOn,
      }));
    },
  });
}

/** The name of the dataset of each item, looked up once for the whole page. */
function namesFor(
  database: Database,
  { items }: Paged<{ datasetKey: string }>,
): (item: { datasetKey: string }) => string {
  const names = datasetNames(
    database,
    items.map(({ datasetKey }) => datasetKey),
  );
  return ({ datasetKey }) => names.get(datasetKey) ?? "";
}
