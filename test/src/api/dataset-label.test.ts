// Looking into a dataset's file and choosing another label: what is shown at each status, and when it is too late.
import { expect } from "bun:test";
import { writeFileSync } from "node:fs";
import { claimNextDataset, failDataset } from "../../../data/dataset-processing.ts";
import { findOwnedDataset } from "../../../data/datasets.ts";
import { addTrainingJob } from "../../data/state.ts";
import { describeScenarios, startApi, type TestApi } from "../../support/api.ts";
import { addDatasetAt } from "./intake.ts";

const pathOf = (name: string) => (api: TestApi) => `/api/v1/datasets/${keyOf(api)}${name}`;
const keys = new WeakMap<TestApi, string>();
const keyOf = (api: TestApi) => keys.get(api)!;

/** A dataset of ada's whose file holds `text`. */
function addWith(status: Parameters<typeof addDatasetAt>[2], text = "a,b,c\n1,2,x\n3,4,y\n") {
  return (api: TestApi) => {
    const { key } = addDatasetAt(api, "ada", status);
    keys.set(api, key);
    const { filePath } = findOwnedDataset(api.database, api.ada.key, key)!;
    if (filePath !== null) writeFileSync(api.state.locate(filePath), text);
  };
}

describeScenarios("a look into a dataset", startApi, [
  {
    name: "shows names and first rows as soon as the file is there",
    method: "GET",
    path: pathOf("/preview"),
    as: "ada",
    before: addWith("PROCESSING"),
    expect: {
      status: 200,
      body: {
        columns: ["a", "b", "c"],
        rows: [
          ["1", "2", "x"],
          ["3", "4", "y"],
        ],
      },
    },
  },
  {
    name: "shows few and short cells of a long file",
    method: "GET",
    path: pathOf("/preview"),
    as: "ada",
    before: addWith("COMPLETED", `a;b\n${`${"x".repeat(100)};1\n`.repeat(5_000)}`),
    expect: {
      status: 200,
      effect: (_api, _response, body) => {
        const { columns, rows } = body as { columns: string[]; rows: string[][] };
        expect([columns, rows.length, rows[0]!]).toEqual([["a", "b"], 10, [`${"x".repeat(80)}…`, "1"]]);
      },
    },
  },
  {
    name: "shows whole characters of a long cell",
    method: "GET",
    path: pathOf("/preview"),
    as: "ada",
    before: addWith("COMPLETED", `a,b\n${"x".repeat(79)}\u{1f600},1\n`),
    expect: { status: 200, body: { rows: [[`${"x".repeat(79)}…`, "1"]] } },
  },
  {
    name: "shows what comes before a fault",
    method: "GET",
    path: pathOf("/preview"),
    as: "ada",
    before: addWith("COMPLETED", "a,b\n1,2\n3\n"),
    expect: { status: 200, body: { columns: ["a", "b"] } },
  },
  {
    name: "says what keeps a header from being read",
    method: "GET",
    path: pathOf("/preview"),
    as: "ada",
    before: addWith("COMPLETED", "\u0000\u0001\u0002\u0000"),
    expect: { status: 400, code: "FILE_UNUSABLE" },
  },
  {
    name: "has to wait for the file",
    method: "GET",
    path: pathOf("/preview"),
    as: "ada",
    before: addWith("PENDING"),
    expect: { status: 409, code: "DATASET_NOT_READY" },
  },
  {
    name: "has no histograms of what was not kept",
    method: "GET",
    path: pathOf("/distributions"),
    as: "ada",
    before: addWith("COMPLETED"),
    expect: { status: 200, body: { columns: [] } },
  },
]);

describeScenarios("another label", startApi, [
  ...(["COMPLETED", "FAILED"] as const).map((status) => ({
    name: `lets a ${status} dataset be read again`,
    method: "PATCH",
    path: pathOf(""),
    as: "ada" as const,
    body: { labelColumn: "b" },
    before: (api: TestApi) => {
      addWith(status === "FAILED" ? "PROCESSING" : status)(api);
      if (status === "FAILED") {
        claimNextDataset(api.database);
        failDataset(api.database, keyOf(api), "There are too many labels.", api.services.now());
      }
    },
    expect: {
      status: 200,
      body: { status: "PROCESSING" },
      effect: (api: TestApi) => {
        const dataset = findOwnedDataset(api.database, api.ada.key, keyOf(api))!;
        expect(dataset).toMatchObject({ labelColumn: "b", positiveLabel: null, errorReason: null, columns: null });
        expect(api.told).toEqual(["wake"]);
        expect(claimNextDataset(api.database)!.key).toBe(dataset.key);
      },
    },
  })),
  {
    name: "is too late once something was trained",
    method: "PATCH",
    path: pathOf(""),
    as: "ada",
    body: { labelColumn: "b" },
    before: (api) => {
      addWith("COMPLETED")(api);
      addTrainingJob(api.database, findOwnedDataset(api.database, api.ada.key, keyOf(api))!);
    },
    expect: { status: 409, code: "IN_USE" },
  },
  {
    name: "has to wait until the file is read",
    method: "PATCH",
    path: pathOf(""),
    as: "ada",
    body: { labelColumn: "b" },
    before: addWith("PROCESSING"),
    expect: { status: 409, code: "DATASET_NOT_READY" },
  },
]);
