// Training jobs over HTTP: what starts one, what is shown of it, cancelling it and moving its champion.
import { expect } from "bun:test";
import { deleteDataset } from "../../../data/datasets.ts";
import { deleteModel, findOwnedModel } from "../../../data/models.ts";
import { listTrainingJobs } from "../../../data/training-jobs.ts";
import { describeScenarios, type Expected, type Scenario, startApi, type TestApi } from "../../support/api.ts";
import { addDatasetIn, addJobIn, type JobStage } from "./service.ts";

const ALL = { offset: 0, limit: 100 };

const startOn = (datasetKey: string) => `/api/v1/training/datasets/${datasetKey}`;
const jobsOf = (api: TestApi) => listTrainingJobs(api.database, api.ada.key, ALL).items;
const nothingStarted = (api: TestApi) => {
  expect(jobsOf(api)).toEqual([]);
  expect(api.told).toEqual([]);
};

/** A start on a finished dataset of ada's. */
function start(name: string, body: unknown, expected: Expected, more: Partial<Scenario> = {}): Scenario {
  const path = (api: TestApi) => startOn(addDatasetIn(api, "ada").key);
  return { name, method: "POST", path, as: "ada", body, expect: expected, ...more };
}

const started = (stored: object): Expected => ({
  status: 201,
  body: { trainingJobKey: expect.any(String), datasetKey: expect.any(String), status: "PENDING" },
  effect: (api, _, body) => {
    expect(jobsOf(api)).toMatchObject([{ key: (body as { trainingJobKey: string }).trainingJobKey, ...stored }]);
    expect(api.told).toEqual(["wake"]);
  },
});
const refused = (...fields: string[]): Expected => ({
  status: 400,
  code: "VALIDATION_FAILED",
  fields,
  effect: nothingStarted,
});

describeScenarios("starting a training job", startApi, [
  start("takes its defaults", {}, started({ scalingFactor: 19, targetPerformance: null, timeLimitSeconds: 3600 })),
  ...[0, 499].map((scalingFactor) =>
    start(`scalingFactor ${scalingFactor}`, { scalingFactor }, started({ scalingFactor })),
  ),
  ...[-1, 500, "5", 1.5, null, true, [5]].map((scalingFactor) =>
    start(`scalingFactor ${JSON.stringify(scalingFactor)} is refused`, { scalingFactor }, refused("scalingFactor")),
  ),
  ...[0, 0.85, 1].map((performanceThreshold) =>
    start(
      `performanceThreshold ${performanceThreshold}`,
      { performanceThreshold },
      started({ targetPerformance: performanceThreshold }),
    ),
  ),
  ...[-0.1, 1.1, "0.9", null].map((performanceThreshold) =>
    start(
      `performanceThreshold ${JSON.stringify(performanceThreshold)} is refused`,
      { performanceThreshold },
      refused("performanceThreshold"),
    ),
  ),
  start(
    "every wrong field is named",
    { scalingFactor: -1, performanceThreshold: 2, seed: 3 },
    {
      ...refused("scalingFactor", "performanceThreshold", "seed"),
    },
  ),
  start(
    "the target is the dataset's recommendedThreshold where none is given",
    {},
    started({ targetPerformance: 0.88 }),
    {
      path: (api) => startOn(addDatasetIn(api, "ada", "COMPLETED", { recommendedThreshold: 0.88 }).key),
    },
  ),
  start(
    "also where the dataset's own columns are named",
    { groupColumn: null, withoutColumns: [] },
    started({ targetPerformance: 0.88 }),
    { path: (api) => startOn(addDatasetIn(api, "ada", "COMPLETED", { recommendedThreshold: 0.88 }).key) },
  ),
  ...[{ timeColumn: "x" }, { groupColumn: "x", keepKeyColumns: true }, { withoutColumns: ["x"] }].map((keys) =>
    start(
      `but not where it was reached otherwise: ${Object.keys(keys).join(" and ")}`,
      keys,
      started({ targetPerformance: null, ...keys }),
      { path: (api) => startOn(addDatasetIn(api, "ada", "COMPLETED", { recommendedThreshold: 0.88 }).key) },
    ),
  ),
  start("a target that is given goes before it", { performanceThreshold: 0.5 }, started({ targetPerformance: 0.5 }), {
    path: (api) => startOn(addDatasetIn(api, "ada", "COMPLETED", { recommendedThreshold: 0.88 }).key),
  }),
  ...(["accuracy", "balanced-accuracy", "f1"] as const).map((objective) =>
    start(`the objective ${objective}`, { objective }, started({ objective, costs: null, targetPerformance: null })),
  ),
  start(
    "costs are an objective of their own",
    { costs: [{ actual: "yes", cost: 5 }] },
    started({ objective: "cost", costs: [{ actual: "yes", predicted: null, cost: 5 }] }),
  ),
  start(
    "costs of pairs of labels, with their objective",
    { objective: "cost", costs: [{ actual: "yes", predicted: "no", cost: 0.5 }] },
    started({ objective: "cost", costs: [{ actual: "yes", predicted: "no", cost: 0.5 }] }),
  ),
  start(
    "another objective does not take the recommended target, which is an accuracy",
    { objective: "f1" },
    started({ targetPerformance: null }),
    { path: (api) => startOn(addDatasetIn(api, "ada", "COMPLETED", { recommendedThreshold: 0.88 }).key) },
  ),
  start("nor one that is given", { objective: "f1", performanceThreshold: 0.9 }, refused("performanceThreshold")),
  start("an unknown objective", { objective: "luck" }, refused("objective")),
  start("the objective cost without costs", { objective: "cost" }, refused("costs")),
  start("costs beside another objective", { objective: "f1", costs: [{ actual: "yes", cost: 5 }] }, refused("costs")),
  start("a cost for a label that no row has", { costs: [{ actual: "yess", cost: 5 }] }, refused("costs")),
  start("a cost of a right decision", { costs: [{ actual: "yes", predicted: "yes", cost: 5 }] }, refused("costs")),
  start("a cost below 0", { costs: [{ actual: "yes", cost: -1 }] }, refused("costs.0.cost")),
  start("no cost at all", { costs: [] }, refused("costs")),
  start("the label is the one expected", { labelColumn: "y" }, started({}), {
    path: (api) => startOn(addDatasetIn(api, "ada", "COMPLETED").key),
  }),
  start(
    "the label is another than expected",
    { labelColumn: "x" },
    { status: 409, code: "LABEL_CHANGED", effect: nothingStarted },
    {
      path: (api) => startOn(addDatasetIn(api, "ada", "COMPLETED").key),
    },
  ),
  ...(["PENDING", "PROCESSING", "FAILED"] as const).map((status) =>
    start(
      `a dataset that is ${status}`,
      {},
      {
        status: 409,
        code: "DATASET_NOT_READY",
        body: { detail: expect.stringContaining(status), errors: [{ field: "status", code: status }] },
        effect: nothingStarted,
      },
      { path: (api) => startOn(addDatasetIn(api, "ada", status).key) },
    ),
  ),
  start(
    "a deleted dataset",
    {},
    { status: 404, code: "NOT_FOUND" },
    {
      path: (api) => {
        const { key, userKey } = addDatasetIn(api, "ada");
        deleteDataset(api.database, userKey, key, api.services.now());
        return startOn(key);
      },
    },
  ),
]);

describeScenarios("the jobs of a dataset", startApi, [
  {
    name: "newest first, by pages",
    method: "GET",
    path: async (api) => {
      const { key } = addDatasetIn(api, "ada");
      for (const scalingFactor of [1, 2, 3]) {
        await api.request("POST", startOn(key), { as: "ada", body: { scalingFactor } });
        api.pass(1);
      }
      return `${startOn(key)}?limit=2`;
    },
    as: "ada",
    expect: {
      status: 200,
      body: {
        trainingJobs: [{ scalingFactor: 3 }, { scalingFactor: 2 }],
        offset: 0,
        limit: 2,
        total: 3,
        nextOffset: 2,
      },
    },
  },
  {
    name: "of a dataset without any",
    method: "GET",
    path: (api) => startOn(addDatasetIn(api, "ada").key),
    as: "ada",
    expect: { status: 200, body: { trainingJobs: [], total: 0, nextOffset: null } },
  },
  {
    name: "of a deleted dataset",
    method: "GET",
    path: (api) => {
      const { datasetKey, userKey } = addJobIn(api, "ada", "COMPLETED");
      expect(deleteDataset(api.database, userKey, datasetKey, api.services.now())).toBe("DELETED");
      return startOn(datasetKey);
    },
    as: "ada",
    expect: { status: 200, body: { total: 1 } },
  },
]);

const jobPath = (stage: JobStage) => (api: TestApi) => `/api/v1/training/${addJobIn(api, "ada", stage).key}`;
const FIGURES = {
  achievedPerformance: 0.9,
  trainingPerformance: 0.95,
  testPerformance: 0.9,
  modelKey: expect.any(String),
};
const NO_FIGURES = { achievedPerformance: null, trainingPerformance: null, testPerformance: null, modelKey: null };

describeScenarios("looking at a job", startApi, [
  ...(
    [
      ["PENDING", "PENDING", NO_FIGURES],
      ["RUNNING", "RUNNING", NO_FIGURES],
      ["CLOSING", "CANCELLED", NO_FIGURES],
      ["CANCELLED", "CANCELLED", NO_FIGURES],
      ["FAILED", "FAILED", NO_FIGURES],
      ["COMPLETED", "COMPLETED", FIGURES],
      ["TIMED_OUT", "TIMED_OUT", FIGURES],
      ["NOT_COMPLETED", "NOT_COMPLETED", FIGURES],
    ] as const
  ).map(
    ([stage, status, figures]): Scenario => ({
      name: `${stage}: the fields of the contract and of D95, D96, D108, D112 and D115, and no other`,
      method: "GET",
      path: jobPath(stage),
      as: "ada",
      expect: {
        status: 200,
        effect: (api, _, body) => {
          const [job] = jobsOf(api);
          const { key: trainingJobKey, datasetKey, createdOn } = job!;
          const asked = { targetPerformance: 0.9, scalingFactor: 19 };
          const keys = {
            objective: "accuracy",
            costs: null,
            groupColumn: null,
            timeColumn: null,
            keepKeyColumns: false,
            withoutColumns: [],
            columnChoices: [],
          };
          const made = { trainingJobKey, datasetKey, createdOn };
          expect(body).toEqual({ ...made, status, ...asked, ...figures, ...keys, verdict: null });
        },
      },
    }),
  ),
  {
    name: "a key in capitals",
    method: "GET",
    path: (api) => `/api/v1/training/${addJobIn(api, "ada", "PENDING").key.toUpperCase()}`,
    as: "ada",
    expect: { status: 200, body: { status: "PENDING" } },
  },
]);

const cancelPath = (stage: JobStage) => (api: TestApi) => `${jobPath(stage)(api)}/cancel`;

describeScenarios("cancelling", startApi, [
  ...(["PENDING", "RUNNING", "CLOSING", "CANCELLED"] as const).map(
    (stage): Scenario => ({
      name: stage,
      method: "PATCH",
      path: cancelPath(stage),
      as: "ada",
      expect: {
        status: 200,
        effect: (api, _, body) => {
          expect(body).toEqual({ status: "CANCELLED" });
          const [job] = jobsOf(api);
          expect(job).toMatchObject({ cancelRequested: true });
          const mustStop = stage === "RUNNING" || stage === "CLOSING";
          expect(api.told).toEqual(mustStop ? [`cancel ${job!.key}`] : []);
        },
      },
    }),
  ),
  ...(["COMPLETED", "TIMED_OUT", "NOT_COMPLETED", "FAILED"] as const).map(
    (stage): Scenario => ({
      name: stage,
      method: "PATCH",
      path: cancelPath(stage),
      as: "ada",
      expect: {
        status: 409,
        code: "NOT_CANCELLABLE",
        body: { detail: expect.stringContaining(stage), errors: [{ field: "status", code: stage }] },
        effect: (api) => expect(jobsOf(api)).toMatchObject([{ status: stage, cancelRequested: false }]),
      },
    }),
  ),
]);

/** Moves the champion of a new job's model. */
function champion(
  name: string,
  body: unknown,
  expected: Expected,
  more: Partial<Scenario> & { versions?: number } = {},
) {
  const { versions = 3, ...rest } = more;
  const path = (api: TestApi) => `/api/v1/training/${addJobIn(api, "ada", "COMPLETED", versions).key}/champion`;
  return { name, method: "POST", path, as: "ada" as const, body, expect: expected, ...rest };
}
const championIn = (api: TestApi) =>
  findOwnedModel(api.database, api.ada.key, jobsOf(api)[0]!.modelKey!)?.model.championVersion;

describeScenarios("moving the champion", startApi, [
  ...[1, 2, 3].map((version) =>
    champion(
      `to version ${version}`,
      { version },
      {
        status: 200,
        effect: (api, _, body) => {
          const { versions, ...detail } = body as { versions: { champion: boolean; version: number }[] };
          expect(detail).toMatchObject({ version, achievedPerformance: 0.9 - (version - 1) / 100 });
          expect(versions.map((shown) => shown.version)).toEqual([1, 2, 3]);
          expect(versions.filter((shown) => shown.champion).map((shown) => shown.version)).toEqual([version]);
          expect(championIn(api)).toBe(version);
          // The job's figures are those of the champion (D41).
          expect(jobsOf(api)[0]).toMatchObject({ achievedPerformance: 0.9 - (version - 1) / 100 });
        },
      },
    ),
  ),
  ...[0, 4, -1, 1.5, "2", null].map((version) =>
    champion(
      `to version ${JSON.stringify(version)}`,
      { version },
      {
        ...refused("version"),
        effect: (api) => expect(championIn(api)).toBe(1),
      },
    ),
  ),
  champion("without a version", {}, { status: 400, code: "VALIDATION_FAILED", fields: ["version"] }),
  champion(
    "to a version that the run did not keep",
    { version: 3 },
    {
      status: 400,
      code: "VERSION_NOT_KEPT",
      fields: ["version"],
      effect: (api) => expect(championIn(api)).toBe(1),
    },
    { versions: 2 },
  ),
  ...(["PENDING", "RUNNING", "CANCELLED", "FAILED"] as const).map((stage) =>
    champion(
      `of a job that is ${stage}`,
      { version: 1 },
      { status: 409, code: "NO_MODEL" },
      {
        path: (api) => `${jobPath(stage)(api)}/champion`,
      },
    ),
  ),
  champion(
    "of a job whose model was deleted",
    { version: 1 },
    { status: 409, code: "NO_MODEL" },
    {
      path: (api) => {
        const path = `${jobPath("COMPLETED")(api)}/champion`;
        deleteModel(api.database, api.ada.key, jobsOf(api)[0]!.modelKey!, api.services.now());
        return path;
      },
    },
  ),
]);
