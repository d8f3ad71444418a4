// Datasets over HTTP: looking at one, listing and deleting, and making one from a refinement.
import { describe, expect, test } from "bun:test";
import { claimNextDataset } from "../../../data/dataset-processing.ts";
import { findDataset, findOwnedDataset, listDatasets } from "../../../data/datasets.ts";
import { findRefinementFile } from "../../../data/refinements/refinement-files.ts";
import { ALL, addTrainingJob, FACTS } from "../../data/state.ts";
import { describeScenarios, type Expected, type Scenario, startApi, type TestApi, withApi } from "../../support/api.ts";
import { addDatasetAt, addRunAt, type Stage, UNKNOWN } from "./intake.ts";

const DATASETS = "/api/v1/datasets";
const CSV_BYTES = 52;

const datasetsOf = (api: TestApi) => listDatasets(api.database, api.ada.key, ALL).items;

type Status = Parameters<typeof addDatasetAt>[2];

const shownAt = (status: Status): object => ({
  datasetKey: expect.stringMatching(/^[0-9a-f-]{36}$/),
  name: "churn",
  description: null,
  status,
  numberOfBuckets: 20,
  source: "UPLOAD",
  featureRefinementKey: null,
  labelColumn: null,
  positiveLabel: null,
  missingValues: null,
  ...{ groupColumn: null, timeColumn: null, keepKeyColumns: false, withoutColumns: [], columnChoices: [] },
  classes: [],
  rowCount: null,
  columnCount: null,
  sizeBytes: status === "PENDING" ? null : CSV_BYTES,
  createdOn: expect.stringMatching(/Z$/),
  processedOn: null,
  errorReason: null,
  errorCode: null,
  warnings: [],
});
const failed = { processedOn: expect.stringMatching(/Z$/), errorReason: "Line 3 has too many cells." };
const { columns, ...facts } = FACTS;
const completed = { processedOn: expect.stringMatching(/Z$/), ...facts };
const SHOWN: [Status, object, readonly object[]][] = [
  ["PENDING", shownAt("PENDING"), []],
  ["PROCESSING", shownAt("PROCESSING"), []],
  ["FAILED", { ...shownAt("FAILED"), ...failed }, []],
  ["COMPLETED", { ...shownAt("COMPLETED"), ...completed }, columns],
];

describe("a dataset", () => {
  test.each(SHOWN)("that is %s is shown with all fields, in the list without its columns", (status, record, shown) =>
    withApi(async (api) => {
      const { key } = addDatasetAt(api, "ada", status, "churn");
      const one = await api.request("GET", `${DATASETS}/${key}`, { as: "ada" });
      const isWaiting = status === "PENDING" || status === "PROCESSING";
      const poll = isWaiting ? { nextPollAfterSeconds: 1 } : {};
      expect(one.headers.get("retry-after")).toBe(isWaiting ? "1" : null);
      expect(await one.json()).toEqual({ ...record, ...poll, columns: shown, doubts: [] } as never);
      const list = await api.request("GET", DATASETS, { as: "ada" });
      const page = { offset: 0, limit: 20, total: 1, nextOffset: null, nextAfter: null };
      expect(await list.json()).toEqual({ datasets: [record], ...page } as never);
    }),
  );
});

function list(query: string, expected: Expected): Scenario {
  return { name: query, method: "GET", path: DATASETS + query, as: "ada", expect: expected };
}

describeScenarios("listing datasets", startApi, [
  list("?offset=0&limit=1", { status: 200, body: { datasets: [], limit: 1, total: 0, nextOffset: null } }),
  list("?limit=100", { status: 200 }),
  list("?sort=status", { status: 400, fields: ["sort"] }),
]);

describe("the list", () => {
  test("has one's own datasets, newest first, page by page", () =>
    withApi(async (api) => {
      const keys: string[] = [];
      for (let count = 0; count < 3; count++) {
        keys.unshift(addDatasetAt(api, "ada", "PENDING").key);
        api.pass(1);
      }
      addDatasetAt(api, "bob", "PENDING");
      const pageAt = async (offset: number) => {
        const response = await api.request("GET", `${DATASETS}?limit=2&offset=${offset}`, { as: "ada" });
        const page = (await response.json()) as { datasets: { datasetKey: string }[]; nextOffset: number | null };
        return { keys: page.datasets.map(({ datasetKey }) => datasetKey), nextOffset: page.nextOffset };
      };
      expect(await pageAt(0)).toEqual({ keys: keys.slice(0, 2), nextOffset: 2 });
      expect(await pageAt(2)).toEqual({ keys: keys.slice(2), nextOffset: null });
      expect(await pageAt(9)).toEqual({ keys: [], nextOffset: null });
    }));
});

function remove(status: Status, expected: Expected): Scenario {
  const path = (api: TestApi) => `${DATASETS}/${addDatasetAt(api, "ada", status).key}`;
  return { name: status, method: "DELETE", path, as: "ada", expect: expected };
}

const gone: Expected = { status: 204, effect: (api) => expect(datasetsOf(api)).toEqual([]) };
const inUse: Expected = {
  status: 409,
  code: "IN_USE",
  effect: (api) => expect(datasetsOf(api)).toHaveLength(1),
};

describeScenarios("deleting a dataset", startApi, [
  ...(["PENDING", "PROCESSING", "COMPLETED", "FAILED"] as const).map((status) => remove(status, gone)),
  remove("CLAIMED", inUse),
  {
    name: "that is trained on",
    method: "DELETE",
    path: (api) => {
      const dataset = addDatasetAt(api, "ada", "COMPLETED");
      addTrainingJob(api.database, dataset, api.services.now());
      return `${DATASETS}/${dataset.key}`;
    },
    as: "ada",
    expect: inUse,
  },
]);

describe("a deleted dataset", () => {
  test("is deleted again with 204, cannot be seen, and its name is free", () =>
    withApi(async (api) => {
      const { key } = addDatasetAt(api, "ada", "COMPLETED", "churn");
      const path = `${DATASETS}/${key}`;
      for (let tries = 0; tries < 3; tries++)
        expect((await api.request("DELETE", path, { as: "ada" })).status).toBe(204);
      expect((await api.request("GET", path, { as: "ada" })).status).toBe(404);
      const again = { name: "churn", numberOfBuckets: 10 };
      expect((await api.request("POST", DATASETS, { as: "ada", body: again })).status).toBe(201);
      expect(findDataset(api.database, key)?.filePath).toBeString();
    }));
});

function refined(
  name: string,
  stage: Stage | null,
  body: unknown,
  expected: Expected,
  changes: Parameters<typeof addRunAt>[3] = {},
): Scenario {
  const keyIn = (api: TestApi) => (stage === null ? UNKNOWN : addRunAt(api, "ada", stage, changes).key);
  const path = (api: TestApi) => `${DATASETS}/feature-refinery/${keyIn(api)}`;
  return { name, method: "POST", path, as: "ada", body, expect: expected };
}

const ASKED = { name: "refined churn" };
const notReady: Expected = {
  status: 409,
  code: "NOT_READY",
  effect: (api) => expect(datasetsOf(api)).toEqual([]),
};
const wrong = (...fields: string[]): Expected => ({ status: 400, code: "VALIDATION_FAILED", fields });
const stored = (row: object): Expected => ({
  status: 201,
  effect: (api) => {
    expect(datasetsOf(api)).toMatchObject([{ status: "PROCESSING", source: "REFINEMENT", ...row }]);
    expect(api.told).toEqual(["wake"]);
  },
});

describeScenarios("a dataset from a refinement", startApi, [
  refined(
    "has the refinement's settings, target and TRAIN file",
    "REFINEMENT_COMPLETED",
    ASKED,
    {
      status: 201,
      effect: async (api, response, body) => {
        const { key, featureRefinementKey } = datasetsOf(api)[0]!;
        const url = `http://localhost${DATASETS}/${key}`;
        expect(body).toEqual({ datasetKey: key, status: "PROCESSING", datasetCreationProgressUrl: url });
        expect(response.headers.get("location")).toBe(url);
        expect(api.told).toEqual(["wake"]);
        const train = findRefinementFile(api.database, api.ada.key, featureRefinementKey!, "TRAIN", "RESULT")!;
        expect(findOwnedDataset(api.database, api.ada.key, key)).toMatchObject({
          ...{ name: "refined churn", description: null, numberOfBuckets: 10, source: "REFINEMENT" },
          ...{ labelColumn: "left", positiveLabel: "no", missingValues: ["-"], recommendedThreshold: 0.88 },
          originalColumns: ["tenure", "plan"],
          ...{ filePath: train.path, sizeBytes: train.sizeBytes, sha256: train.sha256 },
        });
        const shown = await api.request("GET", `${DATASETS}/${key}`, { as: "ada" });
        const record = { recommendedThreshold: 0.88, featureRefinementKey, source: "REFINEMENT" };
        expect(await shown.json()).toMatchObject(record as never);
      },
    },
    { numberOfBuckets: 10, labelColumn: "left", positiveLabel: "no", missingValues: ["-"] },
  ),
  refined(
    "with a number of its own",
    "REFINEMENT_COMPLETED",
    { ...ASKED, numberOfBuckets: 1000 },
    stored({ numberOfBuckets: 1000 }),
  ),
  refined(
    "with a description",
    "REFINEMENT_COMPLETED",
    { ...ASKED, description: "Two words" },
    stored({ description: "Two words" }),
  ),
  refined("needs a name", "REFINEMENT_COMPLETED", {}, wrong("name")),
  refined("takes no label column", "REFINEMENT_COMPLETED", { ...ASKED, labelColumn: "left" }, wrong("labelColumn")),
  refined(
    "of 3 buckets is refused",
    "REFINEMENT_COMPLETED",
    { ...ASKED, numberOfBuckets: 3 },
    wrong("numberOfBuckets"),
  ),
  ...(["PENDING", "QUEUED", "REFINING_LOOP_1", "ERROR", "TIMEOUT", "PARTIAL", "CANCELLED"] as const).map((stage) =>
    refined(`of one that is ${stage}`, stage, ASKED, notReady),
  ),
  {
    name: "with a name that is taken",
    method: "POST",
    path: (api) => {
      addDatasetAt(api, "ada", "PENDING", ASKED.name);
      return `${DATASETS}/feature-refinery/${addRunAt(api, "ada", "REFINEMENT_COMPLETED").key}`;
    },
    as: "ada",
    body: ASKED,
    expect: { status: 409, code: "NAME_TAKEN" },
  },
]);

describe("two datasets of one refinement", () => {
  test("stand on the same file, and deleting one leaves the other", () =>
    withApi(async (api) => {
      const path = `${DATASETS}/feature-refinery/${addRunAt(api, "ada", "REFINEMENT_COMPLETED").key}`;
      for (const name of ["one", "two"])
        expect((await api.request("POST", path, { as: "ada", body: { name } })).status).toBe(201);
      const [two, one] = datasetsOf(api);
      expect(one!.filePath).toBe(two!.filePath);
      expect((await api.request("DELETE", `${DATASETS}/${one!.key}`, { as: "ada" })).status).toBe(204);
      expect(claimNextDataset(api.database)?.key).toBe(two!.key);
      expect(await Bun.file(api.services.state.locate(two!.filePath!)).exists()).toBeTrue();
    }));
});
