// Lists of all that is one's own, and the search by name.
import { expect } from "bun:test";
import { deleteDataset } from "../../../data/datasets.ts";
import { describeScenarios, startApi, type TestApi } from "../../support/api.ts";
import { addDatasetAt, addRunAt } from "./intake.ts";
import { addJobIn, addPredictionIn, addScorer } from "./service.ts";

/** Two models of ada's and one of bob's. */
function fill(api: TestApi): void {
  const { modelKey } = addScorer(api, "ada");
  addScorer(api, "bob");
  addJobIn(api, "ada", "FAILED");
  addScorer(api, "ada");
  addPredictionIn(api, modelKey, "COMPLETED");
  addPredictionIn(api, modelKey, "PENDING");
}

const page = (total: number) => ({ offset: 0, limit: 20, total, nextOffset: null });

describeScenarios("lists of all that is one's own", startApi, [
  {
    name: "training jobs, newest first, with the names of their datasets",
    method: "GET",
    path: "/api/v1/training",
    as: "ada",
    before: fill,
    expect: {
      status: 200,
      body: {
        ...page(3),
        trainingJobs: [
          { status: "COMPLETED", datasetName: expect.stringMatching(/./), createdOn: expect.any(String) },
          { status: "FAILED" },
          { status: "COMPLETED" },
        ],
      },
    },
  },
  {
    name: "models, each with its dataset and job",
    method: "GET",
    path: "/api/v1/models",
    as: "ada",
    before: fill,
    expect: {
      status: 200,
      body: { ...page(2), models: [{ version: 1, datasetName: expect.stringMatching(/./) }, { version: 1 }] },
    },
  },
  {
    name: "predictions of all models",
    method: "GET",
    path: "/api/v1/predictions?limit=1",
    as: "ada",
    before: fill,
    expect: {
      status: 200,
      body: {
        predictions: [{ status: "PENDING", version: 1, rowCount: null, predictionResultUrl: null }],
        ...{ total: 2, nextOffset: 1 },
      },
    },
  },
  {
    name: "the name of a deleted dataset is still shown",
    method: "GET",
    path: "/api/v1/models",
    as: "ada",
    before: (api) => {
      fill(api);
      for (const { key } of api.database.client.query<{ key: string }, []>("SELECT key FROM datasets").all()) {
        deleteDataset(api.database, api.ada.key, key, api.services.now());
      }
    },
    expect: { status: 200, body: { models: [{ datasetName: expect.stringMatching(/./) }, {}] } },
  },
]);

describeScenarios("the search by name", startApi, [
  {
    name: "finds datasets by a part of it, in whatever case",
    method: "GET",
    path: "/api/v1/datasets?search=CHURN",
    as: "ada",
    before: (api) => {
      addDatasetAt(api, "ada", "COMPLETED", "all churn 1");
      addDatasetAt(api, "ada", "COMPLETED", "penguins");
      addDatasetAt(api, "bob", "COMPLETED", "churn of bob");
    },
    expect: { status: 200, body: { datasets: [{ name: "all churn 1" }], ...page(1) } },
  },
  {
    name: "takes signs of patterns for what they are",
    method: "GET",
    path: "/api/v1/datasets?search=%25",
    as: "ada",
    before: (api) => addDatasetAt(api, "ada", "COMPLETED", "penguins"),
    expect: { status: 200, body: { datasets: [], ...page(0) } },
  },
  {
    name: "empty finds all refinements",
    method: "GET",
    path: "/api/v1/feature-refinery?search=",
    as: "ada",
    before: (api) => addRunAt(api, "ada", "PENDING"),
    expect: { status: 200, body: { refinements: [{ state: "PENDING" }], total: 1 } },
  },
]);
