// Models over HTTP: lists, details, files, reports, and deleting them.
import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { statePaths } from "../../../data/files/state-folder.ts";
import { unpackModel } from "../../../engine/model/model-file.ts";
import { VERDICT_EXAMPLE } from "../../../src/api/verdict.ts";
import { describeScenarios, expectAnswer, type Scenario, startApi, type TestApi, withApi } from "../../support/api.ts";
import { binarySummary } from "../../support/summaries.ts";
import { addDatasetIn, addJobIn, addPredictionIn, addScorer, REPORT } from "./service.ts";

const NOT_FOUND = { status: 404, code: "NOT_FOUND" } as const;

async function jobOf(api: TestApi, jobKey: string) {
  const response = await api.request("GET", `/api/v1/training/${jobKey}`, { as: "ada" });
  return (await response.json()) as { modelKey: string; datasetKey: string };
}
const modelPath = (api: TestApi) => `/api/v1/models/${addScorer(api, "ada").modelKey}`;

describeScenarios("the models of a dataset", startApi, [
  {
    name: "with the figures of the champion, as numbers",
    method: "GET",
    path: async (api) => {
      const { jobKey } = addScorer(api, "ada");
      await api.request("POST", `/api/v1/training/${jobKey}/champion`, { as: "ada", body: { version: 2 } });
      return `/api/v1/models/datasets/${(await jobOf(api, jobKey)).datasetKey}`;
    },
    as: "ada",
    expect: {
      status: 200,
      effect: (_, __, body) =>
        expect(body).toEqual({
          models: [
            {
              modelKey: expect.any(String),
              version: 2,
              name: null,
              achievedPerformance: 0.89,
              trainingPerformance: 0.94,
              testPerformance: 0.89,
              createdOn: expect.any(String),
            },
          ],
          offset: 0,
          limit: 20,
          total: 1,
          nextOffset: null,
        }),
    },
  },
  {
    name: "none yet",
    method: "GET",
    path: (api) => `/api/v1/models/datasets/${addDatasetIn(api, "ada").key}?offset=5&limit=1`,
    as: "ada",
    expect: { status: 200, body: { models: [], offset: 5, limit: 1, total: 0, nextOffset: null } },
  },
]);

describeScenarios("a model", startApi, [
  {
    name: "versions best first, one champion, every field of D03 and D47",
    method: "GET",
    path: modelPath,
    as: "ada",
    expect: {
      status: 200,
      effect: (_, __, body) => {
        const version = (number: number, confirmedPerformance: object | null) => ({
          version: number,
          name: null,
          note: null,
          algorithm: `algorithm ${number}`,
          achievedPerformance: expect.closeTo(0.91 - number / 100, 10),
          trainingPerformance: expect.closeTo(0.96 - number / 100, 10),
          testPerformance: expect.closeTo(0.91 - number / 100, 10),
          falseDecisions: 9 + number,
          confirmedPerformance,
          champion: number === 1,
        });
        expect(body).toEqual({
          modelKey: expect.any(String),
          version: 1,
          name: null,
          note: null,
          datasetKey: expect.any(String),
          trainingJobKey: expect.any(String),
          achievedPerformance: 0.9,
          createdOn: expect.any(String),
          versions: [version(1, { mean: 0.89, low: 0.86, high: 0.92 }), version(2, null), version(3, null)],
          verdict: null,
          watchState: null,
        });
      },
    },
  },
  {
    name: "the verdict of its training",
    method: "GET",
    path: (api) => {
      const { modelKey } = addScorer(api, "ada");
      const verdict = JSON.stringify(VERDICT_EXAMPLE);
      api.database.client.run("UPDATE trainingJobs SET verdict = ? WHERE modelKey = ?", [verdict, modelKey]);
      return `/api/v1/models/${modelKey}`;
    },
    as: "ada",
    expect: { status: 200, body: { verdict: VERDICT_EXAMPLE } },
  },
]);

const filePath = (version: number | string) => (api: TestApi) => `${modelPath(api)}/versions/${version}/file`;
const reportPath = (version: number | string) => (api: TestApi) => `${modelPath(api)}/versions/${version}/report`;

describeScenarios("the file of a version", startApi, [
  ...(["forest", "additive", "additive"] as const).map(
    (kind, index): Scenario => ({
      name: `version ${index + 1} is a model that can be used`,
      method: "GET",
      path: filePath(index + 1),
      as: "ada",
      expect: {
        status: 200,
        headers: {
          "content-type": "application/octet-stream",
          "content-disposition": new RegExp(`^attachment; filename="[0-9a-f-]{36}-v${index + 1}\\.cupel"$`),
          etag: /^"[0-9a-f-]{36}-v\d-\d+"$/,
        },
        effect: async (_, response) => {
          expect(unpackModel(new Uint8Array(await response.arrayBuffer())).model.kind).toBe(kind);
        },
      },
    }),
  ),
  {
    name: "a range of it",
    method: "GET",
    path: filePath(1),
    as: "ada",
    headers: { range: "bytes=0-7" },
    expect: {
      status: 206,
      headers: { "content-range": /^bytes 0-7\/\d+$/ },
      effect: async (_, response) => expect(await response.text()).toBe("CUPELMDL"),
    },
  },
  {
    name: "a range behind its end",
    method: "GET",
    path: filePath(1),
    as: "ada",
    headers: { range: "bytes=999999999-" },
    expect: { status: 416, code: "RANGE_NOT_SATISFIABLE" },
  },
  ...[0, 4, "x", "1.5", "-1"].map(
    (version): Scenario => ({
      name: `version ${version}`,
      method: "GET",
      path: filePath(version),
      as: "ada",
      expect: { status: 400, code: "VALIDATION_FAILED", fields: ["version"] },
    }),
  ),
  {
    name: "of a version that was not kept",
    method: "GET",
    path: async (api) => {
      const { modelKey } = await jobOf(api, addJobIn(api, "ada", "COMPLETED", 2).key);
      return `/api/v1/models/${modelKey}/versions/3/file`;
    },
    as: "ada",
    expect: NOT_FOUND,
  },
  {
    name: "as JSON",
    method: "GET",
    path: filePath(1),
    as: "ada",
    headers: { accept: "application/json" },
    expect: { status: 406, code: "NOT_ACCEPTABLE" },
  },
]);

describeScenarios("the report of a version", startApi, [
  {
    name: "comes with the policy that its own page states, so that its styles hold and nothing else runs",
    method: "GET",
    path: reportPath(2),
    as: "ada",
    expect: {
      status: 200,
      headers: {
        "content-type": /^text\/html/,
        "content-security-policy": "default-src 'none'; style-src 'sha256-abc='; frame-ancestors 'none'",
      },
      effect: async (_, response) => expect(await response.text()).toBe(REPORT),
    },
  },
  {
    name: "of a model without one",
    method: "GET",
    path: (api) => {
      const { modelKey } = addScorer(api, "ada");
      rmSync(api.state.locate(statePaths.modelReport(modelKey)));
      return `/api/v1/models/${modelKey}/versions/1/report`;
    },
    as: "ada",
    expect: NOT_FOUND,
  },
  {
    name: "version 0",
    method: "GET",
    path: reportPath(0),
    as: "ada",
    expect: { status: 400, code: "VALIDATION_FAILED", fields: ["version"] },
  },
]);

describeScenarios("deleting a model", startApi, [
  ...(["PENDING", "RUNNING"] as const).map(
    (status): Scenario => ({
      name: `that a ${status} prediction needs`,
      method: "DELETE",
      path: (api) => {
        const { modelKey } = addScorer(api, "ada");
        addPredictionIn(api, modelKey, status);
        return `/api/v1/models/${modelKey}`;
      },
      as: "ada",
      expect: {
        status: 409,
        code: "IN_USE",
        effect: ({ state }) => expect(readdirSync(state.locate("models"))).toHaveLength(1),
      },
    }),
  ),
]);

describe("a deleted model", () => {
  test("is gone with its files, twice; its job and its predictions stay", () =>
    withApi(async (api) => {
      const get = (path: string) => api.request("GET", path, { as: "ada" });
      const { modelKey, jobKey } = addScorer(api, "ada");
      const predictionKey = addPredictionIn(api, modelKey, "COMPLETED");
      const files = api.state.locate(statePaths.modelFolder(modelKey));
      expect(readFileSync(`${files}/v1.cupel`).length).toBeGreaterThan(0);
      for (const _ of ["first", "again"]) {
        const response = await api.request("DELETE", `/api/v1/models/${modelKey}`, { as: "ada" });
        await expectAnswer(api, response, { status: 204 });
        expect(existsSync(files)).toBe(false);
      }
      await expectAnswer(api, await get(`/api/v1/models/${modelKey}`), NOT_FOUND);
      await expectAnswer(api, await get(`/api/v1/models/${modelKey}/versions/1/file`), NOT_FOUND);
      await expectAnswer(api, await get(`/api/v1/training/${jobKey}`), { status: 200, body: { status: "COMPLETED" } });
      await expectAnswer(api, await get(`/api/v1/predictions/${predictionKey}/file`), { status: 200 });
      await expectAnswer(api, await get(`/api/v1/predictions/models/${modelKey}`), { status: 200, body: { total: 1 } });
      const list = `/api/v1/models/datasets/${(await jobOf(api, jobKey)).datasetKey}`;
      await expectAnswer(api, await get(list), { status: 200, body: { models: [], total: 0 } });
    }));
});

/** Of a model with the summary of a run. */
function detailsPath(summary: object): (api: TestApi) => string {
  return (api) => {
    const { modelKey } = addScorer(api, "ada");
    writeFileSync(api.state.locate(statePaths.modelSummary(modelKey)), JSON.stringify(summary));
    return `/api/v1/models/${modelKey}/details`;
  };
}

describeScenarios("the evidence behind a model", startApi, [
  {
    name: "is what its run measured",
    method: "GET",
    path: detailsPath(binarySummary()),
    as: "ada",
    expect: {
      status: 200,
      effect: (_, __, body) => {
        const { label, classes, holdout, baseline, columns, versions } = binarySummary();
        expect(body).toMatchObject({
          label,
          positiveLabel: "yes",
          classes,
          holdout,
          baseline: { label: "no", accuracy: baseline.accuracy },
          verdict: binarySummary().verdict,
          versions: versions.map(
            ({ version, confusion, calibration, importance, temperature, byClass, macroAverages }) => ({
              version,
              confusion,
              calibration,
              importance,
              temperature,
              byClass,
              macroAverages,
              balancedAccuracy: macroAverages.recall,
            }),
          ),
        });
        const features = columns.filter(({ role, used }) => role === "feature" && used).map(({ name }) => name);
        expect((body as { columns: { name: string }[] }).columns.map(({ name }) => name)).toEqual(features);
      },
    },
  },
  {
    name: "of a model without a summary",
    method: "GET",
    path: (api) => `/api/v1/models/${addScorer(api, "ada").modelKey}/details`,
    as: "ada",
    expect: NOT_FOUND,
  },
]);
