// Lists of all training jobs, models or predictions of a user, whatever dataset or model they belong to.

import { type Static, Type } from "@sinclair/typebox";
import type { Database } from "../../data/database/database.ts";
import { datasetNames } from "../../data/datasets.ts";
import { listModels } from "../../data/models.ts";
import type { Paged } from "../../data/pages.ts";
import { listPredictions } from "../../data/predictions.ts";
import type { VerdictRecord } from "../../data/records.ts";
import { listTrainingJobs, trainingJobsOf } from "../../data/training-jobs.ts";
import { pageAnswer, pageOf, pageQuery } from "../http/paging.ts";
import { type Route, route } from "../http/route.ts";
import { Instant, Key, named, orNull, shown, Version } from "../http/schemas.ts";
import { EXAMPLES } from "./examples.ts";
import { KEY_ANSWER, NO_KEYS } from "./key-columns.ts";
import { listedModel, MODEL_ITEM_EXAMPLE, ModelItem } from "./models/models.ts";
import { FOR_ACCURACY, OBJECTIVE_ANSWER } from "./objective-settings.ts";
import { listedPrediction, PREDICTION_EXAMPLE } from "./predictions/prediction-files.ts";
import { PredictionItem } from "./predictions/predictions.ts";
import type { Services } from "./services.ts";
import { listedTraining, TRAINING_EXAMPLE, Training } from "./training/training.ts";
import { VERDICT_EXAMPLE, Verdict } from "./verdict.ts";

const DatasetName = Type.String({ description: "Name of its dataset, even if deleted." });

const ListedVerdict = Verdict(
  "Of the doubts, the three worst. Null where there is none yet, and for jobs of earlier versions.",
);

const OwnTraining = Type.Object({
  ...Training.properties,
  datasetName: DatasetName,
  verdict: ListedVerdict,
});
const OwnModel = Type.Object({
  ...ModelItem.properties,
  datasetKey: Key,
  datasetName: DatasetName,
  trainingJobKey: Key,
  ...KEY_ANSWER,
  ...OBJECTIVE_ANSWER,
  scalingFactor: Type.Integer({ description: "Of its training." }),
  verdict: ListedVerdict,
});
const OwnPrediction = Type.Object({
  ...PredictionItem.properties,
  version: Version,
  datasetName: DatasetName,
  rowCount: orNull(Type.Integer({ description: "Null until COMPLETED." })),
  createdOn: Instant,
});
named({ OwnTrainingJob: OwnTraining, OwnModel, OwnPrediction });

export type OwnTraining = Static<typeof OwnTraining>;
export type OwnModel = Static<typeof OwnModel>;
export type OwnPrediction = Static<typeof OwnPrediction>;

/** Of a table of many columns that give the label away, each is a doubt. */
const MOST_DOUBTS = 3;

const EXAMPLE = { datasetName: "churn 2027", createdOn: EXAMPLES.createdOn };
const DECISIONS = ["D24", "D60", "D96"];

export function ownListRoutes({ database }: Services): Route[] {
  return [
    route({
      method: "GET",
      path: "/api/v1/training",
      operationId: "listOwnTrainingJobs",
      tag: "Training",
      summary: "List your training jobs",
      description: "Newest first, of all datasets.",
      decisions: DECISIONS,
      query: pageQuery(),
      answer: pageOf(
        "trainingJobs",
        OwnTraining,
        { ...TRAINING_EXAMPLE, ...EXAMPLE, verdict: VERDICT_EXAMPLE },
        "A page of jobs.",
      ),
      handle: ({ query, caller: { userKey } }) => {
        const jobs = withNames(database, listTrainingJobs(database, userKey, query));
        return pageAnswer("trainingJobs", jobs, query, (job) => shown(OwnTraining, withFewDoubts(listedTraining(job))));
      },
    }),
    route({
      method: "GET",
      path: "/api/v1/models",
      operationId: "listOwnModels",
      tag: "Models",
      summary: "List your models",
      description: "Newest first, of all datasets, each with the figures of its champion.",
      decisions: DECISIONS,
      scopes: ["read", "predict"],
      query: pageQuery(),
      answer: pageOf(
        "models",
        OwnModel,
        { ...MODEL_ITEM_EXAMPLE, ...NO_KEYS, ...FOR_ACCURACY, scalingFactor: 19, ...EXAMPLE },
        "A page of models.",
      ),
      handle: ({ query, caller: { userKey } }) => {
        const models = withNames(database, listModels(database, userKey, query));
        const jobs = trainingJobsOf(
          database,
          models.items.map(({ trainingJobKey }) => trainingJobKey),
        );
        return pageAnswer("models", models, query, (model) => {
          const { groupColumn, timeColumn, keepKeyColumns, withoutColumns, scalingFactor, objective, costs, verdict } =
            jobs.get(model.trainingJobKey)!;
          const told = { groupColumn, timeColumn, keepKeyColumns, withoutColumns, scalingFactor, objective, costs };
          return shown(OwnModel, withFewDoubts({ ...listedModel(model), ...told, verdict }));
        });
      },
    }),
    route({
      method: "GET",
      path: "/api/v1/predictions",
      operationId: "listOwnPredictions",
      tag: "Predictions",
      summary: "List your predictions",
      description: "Newest first, of all models.",
      decisions: ["D21", ...DECISIONS],
      scopes: ["read", "predict"],
      query: pageQuery(),
      answer: pageOf("predictions", OwnPrediction, { ...PREDICTION_EXAMPLE, ...EXAMPLE }, "A page of predictions."),
      handle: ({ query, caller: { userKey }, url }) => {
        const predictions = withNames(database, listPredictions(database, userKey, query));
        return pageAnswer("predictions", predictions, query, (row) => shown(OwnPrediction, listedPrediction(row, url)));
      },
    }),
  ];
}

function withFewDoubts<Item extends { verdict: VerdictRecord | null }>(item: Item): Item {
  const { verdict } = item;
  return verdict === null ? item : { ...item, verdict: { ...verdict, doubts: verdict.doubts.slice(0, MOST_DOUBTS) } };
}

/** Adds the names of their datasets to the items, with one look-up for the page. */
function withNames<Item extends { datasetKey: string }>(database: Database, { items, total }: Paged<Item>) {
  const names = datasetNames(
    database,
    items.map(({ datasetKey }) => datasetKey),
  );
  return { items: items.map((item) => ({ ...item, datasetName: names.get(item.datasetKey) ?? "" })), total };
}
