// Lists of all training jobs, models or predictions of a user, whatever dataset or model they belong to.

import { type Static, Type } from "@sinclair/typebox";
import type { Database } from "../../../data/database/database.ts";
import type { Page, Paged, Sorted } from "../../../data/database/pages.ts";
import type { VerdictRecord } from "../../../data/database/records.ts";
import { datasetNames } from "../../../data/datasets.ts";
import { listModels, listModelsInState, modelNames } from "../../../data/models.ts";
import { listPredictions } from "../../../data/predictions.ts";
import { listTrainingJobs, trainingJobsOf } from "../../../data/training-jobs.ts";
import { Instant, Key, named, oneOf, orNull, shown, Version } from "../../http/schemas.ts";
import { sortedPageAnswer, sortedPageOf, sortedQuery } from "../../http/sorting.ts";
import { type Route, route } from "../../routing/route.ts";
import { EXAMPLES } from "../examples.ts";
import { KEY_ANSWER, NO_KEYS } from "../key-columns.ts";
import { listedModel, MODEL_ITEM_EXAMPLE, ModelItem } from "../models/models.ts";
import { WATCH_STATE } from "../models/watch-state.ts";
import { FOR_ACCURACY, OBJECTIVE_ANSWER } from "../objective-settings.ts";
import { listedPrediction, PREDICTION_EXAMPLE } from "../predictions/prediction-files.ts";
import { PredictionItem } from "../predictions/predictions.ts";
import type { Services } from "../services.ts";
import { listedTraining, TRAINING_EXAMPLE, Training } from "../training/training.ts";
import { VERDICT_EXAMPLE, Verdict } from "../verdict.ts";

const DatasetName = Type.String({ description: "Name of its dataset, even if deleted." });

const ModelName = orNull(
  Type.String({ description: "What its user calls the model; null for nothing.", "x-decision": "D113" }),
);

const ListedVerdict = Verdict(
  "Of the doubts, the three worst. Null where there is none yet, and for jobs of earlier versions.",
);

const OwnTraining = Type.Object({
  ...Training.properties,
  datasetName: DatasetName,
  modelName: ModelName,
  verdict: ListedVerdict,
});
const AnsweredBy = Type.Object(
  { modelKey: Key, name: ModelName },
  {
    description: "The successor that answers what is asked of this model; null where it answers itself.",
    "x-decision": "D122",
  },
);
const OwnModel = Type.Object({
  ...ModelItem.properties,
  datasetKey: Key,
  datasetName: DatasetName,
  trainingJobKey: Key,
  ...KEY_ANSWER,
  ...OBJECTIVE_ANSWER,
  scalingFactor: Type.Integer({ description: "Of its training." }),
  verdict: ListedVerdict,
  watchState: orNull(WATCH_STATE),
  answeredBy: orNull(AnsweredBy),
});
const OwnPrediction = Type.Object({
  ...PredictionItem.properties,
  version: Version,
  datasetName: DatasetName,
  modelName: ModelName,
  rowCount: orNull(Type.Integer({ description: "Null until COMPLETED." })),
  createdOn: Instant,
});
named({ OwnTrainingJob: OwnTraining, OwnModel, OwnPrediction, AnsweredBy });

export type OwnTraining = Static<typeof OwnTraining>;
export type OwnModel = Static<typeof OwnModel>;
export type OwnPrediction = Static<typeof OwnPrediction>;

/** Chooses from the list. */
const Alarm = Type.Optional(
  oneOf(["SHIFTED", "WORSE_THAN_PROMISED"], {
    description:
      "Those alone whose champion was last judged to be in this state, and at whose address no successor answers.",
    "x-decision": "D122",
  }),
);

/** A table may have many columns that give the label away; each is a doubt. */
const MOST_DOUBTS = 3;

const EXAMPLE = { datasetName: "churn 2027", modelName: "churn, spring", createdOn: EXAMPLES.createdOn };
const AT_WORK = { scalingFactor: 19, watchState: "STEADY", answeredBy: null } as const;
const DECISIONS = ["D24", "D60", "D96", "D113"];
const IN_ORDER = "Newest first unless `sort` says otherwise";

export function ownListRoutes({ database }: Services): Route[] {
  return [
    route({
      method: "GET",
      path: "/api/v1/training",
      operationId: "listOwnTrainingJobs",
      tag: "Training",
      summary: "List your training jobs",
      description: `${IN_ORDER}, of all datasets.`,
      decisions: DECISIONS,
      query: sortedQuery(["datasetName", "achievedPerformance"]),
      answer: sortedPageOf(
        "trainingJobs",
        OwnTraining,
        { ...TRAINING_EXAMPLE, ...EXAMPLE, verdict: VERDICT_EXAMPLE },
        "A page of jobs.",
      ),
      handle: ({ query, caller: { userKey } }) => {
        const list = (page: Page & Sorted) => withNames(database, listTrainingJobs(database, userKey, page));
        return sortedPageAnswer("trainingJobs", query, list, (job) =>
          shown(OwnTraining, withFewDoubts(listedTraining(job))),
        );
      },
    }),
    route({
      method: "GET",
      path: "/api/v1/models",
      operationId: "listOwnModels",
      tag: "Models",
      summary: "List your models",
      description: `${IN_ORDER}, of all datasets, each with the figures of its champion.`,
      decisions: DECISIONS,
      scopes: ["read", "predict"],
      query: { ...sortedQuery(["name", "testPerformance"]), watchState: Alarm },
      answer: sortedPageOf(
        "models",
        OwnModel,
        { ...MODEL_ITEM_EXAMPLE, ...NO_KEYS, ...FOR_ACCURACY, ...EXAMPLE, ...AT_WORK },
        "A page of models.",
      ),
      handle: ({ query, caller: { userKey } }) => {
        const { watchState } = query;
        const listed = (page: Page & Sorted) =>
          watchState === undefined
            ? listModels(database, userKey, page)
            : listModelsInState(database, userKey, page, watchState);
        const list = (page: Page & Sorted) => withJobs(database, listed(page));
        return sortedPageAnswer("models", query, list, ({ job, answeredBy, ...model }) =>
          // The job has the settings; what both have is the model's.
          shown(OwnModel, withFewDoubts({ ...job, ...listedModel(model), answeredBy })),
        );
      },
    }),
    route({
      method: "GET",
      path: "/api/v1/predictions",
      operationId: "listOwnPredictions",
      tag: "Predictions",
      summary: "List your predictions",
      description: `${IN_ORDER}, of all models.`,
      decisions: ["D21", ...DECISIONS],
      scopes: ["read", "predict"],
      query: sortedQuery(["fileName", "rowCount"]),
      answer: sortedPageOf(
        "predictions",
        OwnPrediction,
        { ...PREDICTION_EXAMPLE, ...EXAMPLE },
        "A page of predictions.",
      ),
      handle: ({ query, caller: { userKey }, url }) => {
        const list = (page: Page & Sorted) => withNames(database, listPredictions(database, userKey, page));
        return sortedPageAnswer("predictions", query, list, (row) => shown(OwnPrediction, listedPrediction(row, url)));
      },
    }),
  ];
}

function withFewDoubts<Item extends { verdict: VerdictRecord | null }>(item: Item): Item {
  const { verdict } = item;
  return verdict === null ? item : { ...item, verdict: { ...verdict, doubts: verdict.doubts.slice(0, MOST_DOUBTS) } };
}

/** Adds the names of their datasets and models to the items, with one look-up of each for the page. */
function withNames<Item extends { datasetKey: string; modelKey?: string | null }>(
  database: Database,
  page: Paged<Item>,
) {
  const { items } = page;
  const datasets = datasetNames(
    database,
    items.map(({ datasetKey }) => datasetKey),
  );
  const models = modelNames(
    database,
    items.flatMap(({ modelKey }) => modelKey ?? []),
  );
  const named = items.map((item) => ({
    ...item,
    datasetName: datasets.get(item.datasetKey) ?? "",
    modelName: models.get(item.modelKey ?? "") ?? null,
  }));
  return { ...page, items: named };
}

/** Adds to each model its training, and the model that answers in its place. */
function withJobs<Item extends { datasetKey: string; trainingJobKey: string; answeringKey: string | null }>(
  database: Database,
  page: Paged<Item>,
) {
  const { items, ...others } = withNames(database, page);
  const names = modelNames(
    database,
    items.flatMap(({ answeringKey }) => answeringKey ?? []),
  );
  const answeredBy = ({ answeringKey: modelKey }: Item) =>
    modelKey === null ? null : { modelKey, name: names.get(modelKey) ?? null };
  const jobs = trainingJobsOf(
    database,
    items.map(({ trainingJobKey }) => trainingJobKey),
  );
  const added = items.map((item) => ({
    ...item,
    job: jobs.get(item.trainingJobKey)!,
    answeredBy: answeredBy(item),
  }));
  return { ...others, items: added };
}
