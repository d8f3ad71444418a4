// GET …/predictions/{key}/shift: what was stored with a completed prediction, for its owner alone.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { claimNextPrediction, completePrediction, findShift, insertPrediction } from "../../../data/predictions.ts";
import { unpackModel } from "../../../engine/model/model-file.ts";
import type { WatchReport } from "../../../engine/watch/watch-report.ts";
import { describeScenarios, type Scenario, startApi, type TestApi, withApi } from "../../support/api.ts";
import { scoreText } from "../../support/scored-text.ts";
import { addPredictionIn, addScorer } from "./service.ts";

const MODELS = join(import.meta.dir, "../../fixtures/models");

/** A model of an earlier version judges labels alone; a column is added as a newer one would tell of it. */
function report(): WatchReport {
  const model = unpackModel(new Uint8Array(readFileSync(join(MODELS, "penguins-naive-Bayes.cupel"))));
  const { watch } = scoreText(model, readFileSync(join(MODELS, "penguins-input.csv"), "utf8"));
  const judged = { verdict: "SHIFTED", index: 3.2, pValue: 0 } as const;
  const shares = { missing: { trained: 0, file: 0.25 }, unseen: null };
  const range = { low: 1, high: 9, below: 0, above: 0.5, middle: null };
  return { ...watch, columns: [{ name: "mass", kind: "number", ...judged, ...shares, range }], decisions: judged };
}

function completed(api: TestApi): string {
  const { modelKey } = addScorer(api, "ada");
  const key = crypto.randomUUID();
  const now = api.services.now();
  const asked = { key, userKey: api.ada.key, modelKey, version: 1, inputPath: "files/none", inputBytes: 1 };
  insertPrediction(api.database, { ...asked, filterColumns: false }, now);
  claimNextPrediction(api.database, now);
  const end = { resultPath: "results/none", resultBytes: 1, rowCount: 2, warnings: [], watch: report() };
  expect(completePrediction(api.database, key, end, now)).toBeTrue();
  // A prediction completes once.
  expect(completePrediction(api.database, key, end, now)).toBeFalse();
  return key;
}

const shift = (name: string, pathOf: (api: TestApi) => string, expected: Scenario["expect"]) =>
  ({
    ...{ name, method: "GET", as: "ada", expect: expected },
    path: (api) => `/api/v1/predictions/${pathOf(api)}/shift`,
  }) satisfies Scenario;

describeScenarios("the shift of a prediction's file", startApi, [
  shift("is told in figures and words", completed, {
    status: 200,
    body: {
      shifted: true,
      columns: [
        {
          name: "mass",
          verdict: "SHIFTED",
          difference: "50.0% lie above 9, the highest in training; 25.0% have no value (training 0.0%)",
          range: { low: 1, high: 9, above: 0.5 },
        },
      ],
      decisions: { verdict: "SHIFTED" },
      confidence: null,
    },
    effect: (_, __, body) => {
      const { labelled } = body as { labelled: { rowCount: number; labels: string[]; confusion: number[][] } };
      const counted = labelled.confusion.flat().reduce((sum, count) => sum + count, 0);
      expect([labelled.confusion.length, counted]).toEqual([labelled.labels.length, labelled.rowCount]);
      expect(counted).toBeGreaterThan(0);
    },
  }),
  shift("of an earlier version is empty", (api) => addPredictionIn(api, addScorer(api, "ada").modelKey, "COMPLETED"), {
    status: 200,
    body: { shifted: false, rowCount: 2, columns: null, decisions: null, confidence: null, labelled: null },
  }),
  ...(["PENDING", "RUNNING", "FAILED"] as const).map((status) =>
    shift(`is not there while it is ${status}`, (api) => addPredictionIn(api, addScorer(api, "ada").modelKey, status), {
      status: 409,
      code: "NOT_READY",
    }),
  ),
]);

test("what is stored is what comes back", () =>
  withApi(async (api) => {
    expect(findShift(api.database, completed(api))).toEqual(report());
    expect(findShift(api.database, crypto.randomUUID())).toBeNull();
  }));
