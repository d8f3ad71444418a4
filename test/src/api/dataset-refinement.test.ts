// Refining a dataset that is there already: the run, its files, and what its evidence shows.
import { expect } from "bun:test";
import { existsSync } from "node:fs";
import { findOwnedDataset } from "../../../data/datasets.ts";
import { listRefinementFiles } from "../../../data/refinements/refinement-files.ts";
import { findOwnedRefinement, listRefinements } from "../../../data/refinements/refinements.ts";
import { describeScenarios, startApi, type TestApi } from "../../support/api.ts";
import { addDatasetAt, addRunAt } from "./intake.ts";

const keys = new WeakMap<TestApi, string>();
const keyOf = (api: TestApi) => keys.get(api)!;
const refinePath = (api: TestApi) => `/api/v1/feature-refinery/datasets/${keyOf(api)}`;
const add = (status: Parameters<typeof addDatasetAt>[2]) => (api: TestApi) => {
  keys.set(api, addDatasetAt(api, "ada", status).key);
};

const runsOf = ({ database, ada }: TestApi) => listRefinements(database, ada.key, { offset: 0, limit: 10 });
const uploaded = (api: TestApi) => [...new Bun.Glob("*").scanSync(api.state.locate("files"))];

describeScenarios("refining a dataset", startApi, [
  {
    name: "queues a run on links of its file",
    method: "POST",
    path: refinePath,
    as: "ada",
    body: { name: "of a dataset", numberOfBuckets: 10 },
    before: add("COMPLETED"),
    expect: {
      status: 201,
      body: { state: "PENDING" },
      effect: (api, _response, body) => {
        const { featureRefinementKey: key } = body as { featureRefinementKey: string };
        const dataset = findOwnedDataset(api.database, api.ada.key, keyOf(api))!;
        const run = findOwnedRefinement(api.database, api.ada.key, key)!;
        expect(run).toMatchObject({ name: "of a dataset", numberOfBuckets: 10, labelColumn: dataset.labelColumn });
        expect(run.queuedOn).not.toBeNull();
        const files = listRefinementFiles(api.database, key);
        expect(files.map(({ kind, sha256 }) => [kind, sha256])).toEqual([
          ["TRAIN", dataset.sha256!],
          ["TEST", dataset.sha256!],
        ]);
        expect(new Set([dataset.filePath, ...files.map(({ path }) => path)]).size).toBe(3);
        for (const { path } of files) expect(existsSync(api.state.locate(path))).toBeTrue();
        expect(api.told).toEqual(["wake"]);
      },
    },
  },
  {
    name: "leaves nothing where the name is taken",
    method: "POST",
    path: refinePath,
    as: "ada",
    body: { name: "taken" },
    before: (api) => {
      addRunAt(api, "ada", "PENDING", { name: "taken" });
      add("COMPLETED")(api);
    },
    expect: {
      status: 409,
      code: "NAME_TAKEN",
      effect: (api) => expect([runsOf(api).total, uploaded(api).length]).toEqual([1, 1]),
    },
  },
  {
    name: "needs a name of more than blanks",
    method: "POST",
    path: refinePath,
    as: "ada",
    body: { name: "   " },
    before: add("COMPLETED"),
    expect: {
      status: 400,
      body: { code: "VALIDATION_FAILED", errors: [{ field: "name", code: "WRONG_LENGTH" }] },
      effect: (api) => expect([runsOf(api).total, uploaded(api).length]).toEqual([0, 1]),
    },
  },
  {
    name: "has to wait until the dataset is read",
    method: "POST",
    path: refinePath,
    as: "ada",
    body: {},
    before: add("PROCESSING"),
    expect: { status: 409, code: "DATASET_NOT_READY", effect: (api) => expect(runsOf(api).total).toBe(0) },
  },
  {
    name: "is refused where the label is another than expected",
    method: "POST",
    path: refinePath,
    as: "ada",
    body: { labelColumn: "another" },
    before: add("COMPLETED"),
    expect: {
      status: 409,
      code: "LABEL_CHANGED",
      effect: (api) => expect([runsOf(api).total, uploaded(api).length]).toEqual([0, 1]),
    },
  },
]);

const evidencePath = (api: TestApi) => `/api/v1/feature-refinery/${keyOf(api)}/evidence`;

describeScenarios("the evidence of a refinement", startApi, [
  {
    name: "is there with the result",
    method: "GET",
    path: evidencePath,
    as: "ada",
    before: (api) => {
      keys.set(api, addRunAt(api, "ada", "REFINEMENT_COMPLETED").key);
    },
    expect: {
      status: 200,
      body: {
        labelColumn: "left",
        testRowCount: 100,
        keptPerformances: [{ family: "random forest", falseDecisions: 12 }],
        checkpoints: [{ proposal: "columns with a signal", accepted: true }],
        evidence: [{ name: "tenure" }, { name: "plan" }],
        distributions: [{ name: "tenure", bars: ["from 0 to 9"], counts: [[2, 1]] }],
      },
    },
  },
  {
    name: "has to be waited for",
    method: "GET",
    path: evidencePath,
    as: "ada",
    before: (api) => {
      keys.set(api, addRunAt(api, "ada", "REFINING_LOOP_1").key);
    },
    expect: { status: 409, code: "NOT_READY" },
  },
  {
    name: "was not kept by earlier versions",
    method: "GET",
    path: evidencePath,
    as: "ada",
    before: (api) => {
      const { key } = addRunAt(api, "ada", "REFINEMENT_COMPLETED");
      keys.set(api, key);
      api.database.client.run(`UPDATE refinements SET result = json_remove(result, '$.grounds') WHERE key = '${key}'`);
    },
    expect: { status: 410, code: "FILE_REMOVED" },
  },
]);
