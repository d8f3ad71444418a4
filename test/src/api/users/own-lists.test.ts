// Lists of all that is one's own, and the search by name.
import { describe, expect, test } from "bun:test";
import { deleteDataset } from "../../../../data/datasets.ts";
import { joinLine, promoteModel } from "../../../../data/model-lines.ts";
import { addWatchCounts, noteWatchState } from "../../../../data/watch-counts.ts";
import type { OwnModel } from "../../../../src/api/users/own-lists.ts";
import {
  describeScenarios,
  type Expected,
  type Scenario,
  startApi,
  type TestApi,
  withApi,
} from "../../../support/api.ts";
import { addDatasetAt, addRunAt } from "../intake.ts";
import { addJobIn, addPredictionIn, addScorer } from "../service.ts";

/** Two models of ada's and one of bob's. */
function fill(api: TestApi): void {
  const { modelKey } = addScorer(api, "ada");
  addScorer(api, "bob");
  addJobIn(api, "ada", "FAILED");
  addScorer(api, "ada");
  addPredictionIn(api, modelKey, "COMPLETED");
  addPredictionIn(api, modelKey, "PENDING");
}

/** A model of ada's whose champion has shifted. */
function addShifted(api: TestApi): string {
  const { modelKey } = addScorer(api, "ada");
  const id = { modelKey, version: 1 };
  const confidence = { sum: 1, tenths: [] };
  const counts = { rowCount: 1, countedRows: 1, asTrained: true, cells: [], decisions: [1], confidence };
  addWatchCounts(api.database, id, { ...counts, reliability: [] }, api.services.now());
  noteWatchState(api.database, id, { state: "SHIFTED", figures: null }, api.services.now());
  return modelKey;
}

/** A model of ada's that has shifted, and a successor that answers in its place. */
function addReplaced(api: TestApi): void {
  const [first, second] = [addShifted(api), addScorer(api, "ada").modelKey];
  joinLine(api.database, second, first);
  promoteModel(api.database, api.ada.key, second);
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
    name: "models whose champion has shifted, and those alone",
    method: "GET",
    path: (api) => {
      addShifted(api);
      return "/api/v1/models?watchState=SHIFTED";
    },
    as: "ada",
    before: fill,
    expect: { status: 200, body: { ...page(1), models: [{ version: 1, watchState: "SHIFTED", answeredBy: null }] } },
  },
  {
    name: "no model of that state at whose address a successor answers",
    method: "GET",
    path: "/api/v1/models?watchState=SHIFTED",
    as: "ada",
    before: addReplaced,
    expect: { status: 200, body: { ...page(0), models: [] } },
  },
  {
    name: "models, and who answers in their place",
    method: "GET",
    path: "/api/v1/models",
    as: "ada",
    before: addReplaced,
    expect: {
      status: 200,
      body: page(2),
      effect: (_api, _setup, body) => {
        const { models } = body as { models: OwnModel[] };
        const first = models.find(({ watchState }) => watchState === "SHIFTED")!;
        const second = models.find((model) => model !== first)!;
        expect(first.answeredBy).toEqual({ modelKey: second.modelKey, name: null });
        expect(second.answeredBy).toBeNull();
      },
    },
  },
  {
    name: "models of another state cannot be asked for",
    method: "GET",
    path: "/api/v1/models?watchState=STEADY",
    as: "ada",
    expect: { status: 400, code: "VALIDATION_FAILED", fields: ["watchState"] },
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

const datasetsNamed = (api: TestApi, ...names: string[]) => {
  for (const name of names) addDatasetAt(api, "ada", "COMPLETED", name);
};
const list = (query: string, expected: Expected): Scenario => ({
  name: query,
  method: "GET",
  path: `/api/v1/datasets?${query}`,
  as: "ada",
  before: (api) => datasetsNamed(api, "beta", "Alpha", "gamma"),
  expect: expected,
});
const place = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString("base64url");
const refusedPlace: Expected = { status: 400, code: "VALIDATION_FAILED", fields: ["after"] };

describeScenarios("a list in another order", startApi, [
  list("sort=name&limit=2", {
    status: 200,
    body: { datasets: [{ name: "Alpha" }, { name: "beta" }], total: 3, nextOffset: 2, nextAfter: expect.any(String) },
  }),
  list("sort=-name&offset=2", { status: 200, body: { datasets: [{ name: "Alpha" }], nextAfter: null } }),
  list("sort=password", { status: 400, code: "VALIDATION_FAILED", fields: ["sort"] }),
  list("after=%25", refusedPlace),
  list(`after=${place("-createdOn")}`, refusedPlace),
  list(`after=${place("name", crypto.randomUUID(), "x")}`, refusedPlace),
  list(`after=${place("-createdOn", crypto.randomUUID(), "x")}`, refusedPlace),
  list(`after=${place("-createdOn", crypto.randomUUID(), "x")}&offset=1`, refusedPlace),
  list(`after=${"a".repeat(5_000)}`, refusedPlace),
]);

describe("pages behind a place", () => {
  test.each([
    ["/api/v1/training", "trainingJobs", ["createdOn", "datasetName", "achievedPerformance"]],
    ["/api/v1/models", "models", ["createdOn", "name", "testPerformance"]],
    ["/api/v1/predictions", "predictions", ["createdOn", "fileName", "rowCount"]],
    ["/api/v1/feature-refinery", "refinements", ["createdOn", "name", "trainFileName"]],
    ["/api/v1/datasets", "datasets", ["createdOn", "name", "rowCount", "columnCount", "sizeBytes"]],
  ] as const)("%s: every item once, whatever the order", (path, name, fields) =>
    withApi(async (api) => {
      fill(api);
      for (const stage of ["PENDING", "ERROR"] as const) addRunAt(api, "ada", stage);
      const read = async (query: string) => {
        const response = await api.request("GET", `${path}?${query}`, { as: "ada" });
        return (await response.json()) as { [name: string]: unknown } & { nextAfter: string | null };
      };
      for (const sort of fields.flatMap((field) => [field, `-${field}`])) {
        const all = (await read(`sort=${sort}`))[name] as unknown[];
        expect(all.length).toBeGreaterThan(1);
        const seen: unknown[] = [];
        for (let after: string | null = ""; after !== null; ) {
          const page = await read(`sort=${sort}&limit=1${after === "" ? "" : `&after=${after}`}`);
          seen.push(...(page[name] as unknown[]));
          after = page.nextAfter;
        }
        expect(seen).toEqual(all);
      }
    }),
  );
});

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
