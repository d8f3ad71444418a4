// POST, GET and DELETE …/outcomes: labels beside decisions, replaced as a whole,
// counted once, deleted with all that was counted.
import { expect, test } from "bun:test";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { statePaths } from "../../../data/files/state-folder.ts";
import { findOutcomes } from "../../../data/outcomes.ts";
import { claimNextPrediction, completePrediction, insertPrediction } from "../../../data/predictions.ts";
import { releaseFinishedPredictions } from "../../../data/retention.ts";
import { usageOf } from "../../../data/usage.ts";
import type { Estimate } from "../../../engine/judging/metrics.ts";
import { packModel } from "../../../engine/model/model-file.ts";
import type { ModelHealth } from "../../../src/api/models/model-health.ts";
import type { PredictionOutcomesAnswer } from "../../../src/api/predictions/outcomes.ts";
import { describeScenarios, type Scenario, startApi, type TestApi, withApi } from "../../support/api.ts";
import { confirmedPenguins } from "../../support/watched-model.ts";
import { addPredictionIn, addScorer } from "./service.ts";

const LABELS = ["Adelie", "Chinstrap", "Gentoo"];

/** A model with a confirmed accuracy. */
function addModel(api: TestApi, confirmed: Estimate | null = { mean: 0.89, low: 0.86, high: 0.92 }): string {
  const { modelKey } = addScorer(api, "ada");
  writeFileSync(api.state.locate(statePaths.modelVersion(modelKey, 1)), packModel(confirmedPenguins(confirmed)));
  return modelKey;
}

/** A completed prediction of as many rows, all decided as the first label; keys are `r0`, `r1`, … */
function predicted(api: TestApi, rowCount = 4, modelKey: string = addModel(api), keyColumn?: string): string {
  const { database, state } = api;
  const key = crypto.randomUUID();
  const now = api.services.now();
  const asked = { key, userKey: api.ada.key, modelKey, version: 1, inputPath: statePaths.file(key), inputBytes: 1 };
  insertPrediction(database, { ...asked, filterColumns: false, keyColumn: keyColumn ?? null }, now);
  claimNextPrediction(database, now);
  const rows = Array.from({ length: rowCount }, (_, at) => `r${at},${LABELS[0]},0.9\n`);
  const resultPath = statePaths.result(key);
  writeFileSync(state.locate(asked.inputPath), "x");
  writeFileSync(state.locate(resultPath), `id,prediction,confidence\n${rows.join("")}`);
  const labelCounts = LABELS.map((label, at) => ({ label, count: at === 0 ? rowCount : 0 }));
  completePrediction(database, key, { resultPath, resultBytes: 1, rowCount, labelCounts, warnings: [] }, now);
  return key;
}

const labelsOf = (...labels: string[]) => `species,n\n${labels.map((label, at) => `${label},${at}\n`).join("")}`;
const path = (key: string) => `/api/v1/predictions/${key}/outcomes`;

function form(text: string, fields: Readonly<Record<string, string>> = {}): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  data.append("file", new File([text], "labels.csv"));
  return data;
}

const post = (name: string, body: FormData, expected: Scenario["expect"], keyColumn?: string): Scenario => ({
  name,
  method: "POST",
  path: (api) => path(predicted(api, 4, undefined, keyColumn)),
  as: "ada",
  body,
  expect: expected,
});

const unusable = (code: string, message: RegExp, line?: number): Scenario["expect"] => ({
  status: 400,
  code: "FILE_UNUSABLE",
  effect: (api, _, body) => {
    expect(body).toMatchObject({ errors: [{ field: "file", code, ...(line !== undefined && { line }) }] });
    expect((body as { detail: string }).detail).toMatch(message);
    // The prediction's input alone.
    expect(readdirSync(api.state.locate("files"))).toHaveLength(1);
  },
});

describeScenarios("labels that come later", startApi, [
  post("are counted in the rows' order", form(labelsOf("Adelie", "Gentoo", "", "Emperor")), {
    status: 200,
    body: {
      version: 1,
      labels: LABELS,
      outcomes: { rowCount: 3, rightCount: 1, unknownLabels: 1, withoutLabel: 1, unmatched: 0, keyColumn: null },
      ofVersion: { predictionCount: 1, rowCount: 3, state: "TOO_FEW", falseCallLevel: 0.01 },
    },
    effect: (api, _, body) => {
      const { outcomes, ofVersion, predictionKey } = body as PredictionOutcomesAnswer;
      expect(outcomes!.accuracy!.mean).toBeCloseTo(1 / 3, 12);
      expect(outcomes!.confusion).toEqual([
        [1, 0, 0],
        [0, 0, 0],
        [1, 0, 0],
      ]);
      expect(ofVersion.message).toStartWith("Too few labels so far");
      const { path: stored, bytes } = findOutcomes(api.database, predictionKey)!;
      expect(existsSync(api.state.locate(stored!))).toBeTrue();
      // The input's and the result's one byte, and the labels.
      expect(usageOf(api.database, api.ada.key).predictions).toBe(2 + bytes!);
    },
  }),
  post("find their rows by a key", form("id,y\nr3,Adelie\nr9,Adelie\n", { keyColumn: "id", labelColumn: "y" }), {
    status: 200,
    body: {
      outcomes: { rowCount: 1, rightCount: 1, withoutLabel: 3, unmatched: 1, keyColumn: "id", labelColumn: "y" },
    },
  }),
  post(
    "find their rows by the key that the prediction was made with",
    form("id,y\nr3,Adelie\n"),
    { status: 200, body: { outcomes: { rowCount: 1, keyColumn: "id" } } },
    "id",
  ),
  post(
    "or in the rows' order all the same",
    form(labelsOf("Adelie", "", "", ""), { keyColumn: "" }),
    { status: 200, body: { outcomes: { rowCount: 1, keyColumn: null } } },
    "id",
  ),
  post(
    "of another number of rows are refused with both",
    form(labelsOf("Adelie")),
    unusable("ROW_COUNT", /has 1 row; the prediction has 4/),
  ),
  post(
    "with a key twice are refused with the line",
    form("id,y\nr1,Adelie\nr1,Adelie\n", { keyColumn: "id" }),
    unusable("DUPLICATE_KEY", /Line 3/, 3),
  ),
  post(
    "without a column of labels are refused",
    form("a,b\n1,2\n"),
    unusable("NO_LABEL_COLUMN", /no column "species"/, 1),
  ),
  post(
    "of which the model knows none are refused",
    form(labelsOf("0", "1", "", "0")),
    unusable("UNKNOWN_LABELS", /^Of 3 labels the model knows none: they are written like "0", and it knows "Adelie",/),
  ),
  post("that are no table are refused", form('a,species\n"1,2\n'), unusable("UNCLOSED_QUOTE", /quote/)),
  {
    name: "are not asked of a prediction that is not done",
    method: "POST",
    path: (api) => path(addPredictionIn(api, addScorer(api, "ada").modelKey, "FAILED")),
    as: "ada",
    body: form(labelsOf("Adelie")),
    expect: { status: 409, code: "NOT_READY" },
  },
  {
    name: "are null where none came",
    method: "GET",
    path: (api) => path(predicted(api)),
    as: "ada",
    expect: { status: 200, body: { outcomes: null, ofVersion: { predictionCount: 0, state: "TOO_FEW" } } },
  },
]);

/** Runs a test, and expects no fault in the log. */
const withoutFaults = (use: (api: TestApi) => Promise<void>) =>
  withApi(async (api) => {
    await use(api);
    expect(api.faults).toEqual([]);
  });

const send = async (api: TestApi, key: string, labels: string[]) => {
  const answer = await api.request("POST", path(key), { as: "ada", body: form(labelsOf(...labels)) });
  expect(answer.status).toBe(200);
  return (await answer.json()) as PredictionOutcomesAnswer;
};
const healthOf = async (api: TestApi, modelKey: string) => {
  const answer = await api.request("GET", `/api/v1/models/${modelKey}/versions/1/health`, { as: "ada" });
  return ((await answer.json()) as ModelHealth).outcomes;
};
const times = (count: number, label: string) => new Array<string>(count).fill(label);

test("labels add up over the predictions of a version, which they call worse since a day; deleted ones count nowhere", () =>
  withoutFaults(async (api) => {
    const modelKey = addModel(api);
    const first = predicted(api, 100, modelKey);
    const good = await send(api, first, times(100, "Adelie"));
    expect(good.ofVersion).toMatchObject({ predictionCount: 1, rowCount: 100, rightCount: 100, since: null });
    api.pass(86_400);
    const second = predicted(api, 400, modelKey);
    const bad = await send(api, second, [...times(100, "Adelie"), ...times(300, "Gentoo")]);
    const today = api.services.now().toISOString().slice(0, 10);
    expect(bad.ofVersion).toMatchObject({
      ...{ predictionCount: 2, rowCount: 500, rightCount: 200, state: "WORSE_THAN_PROMISED", since: today },
      message: expect.stringContaining(`Worse than promised since the labels of ${today}`),
    });
    expect(bad.ofVersion.evidence!).toBeGreaterThan(100);
    expect(await healthOf(api, modelKey)).toEqual(bad.ofVersion);
    // The same once more replaces it: nothing is counted twice, and one file is left of the two.
    const before = findOutcomes(api.database, second)!.path!;
    expect((await send(api, second, times(400, "Adelie"))).ofVersion).toMatchObject({ rowCount: 500, rightCount: 500 });
    expect(existsSync(api.state.locate(before))).toBeFalse();
    const after = findOutcomes(api.database, second)!.path!;
    expect((await api.request("DELETE", path(second), { as: "ada" })).status).toBe(204);
    expect((await api.request("DELETE", path(second), { as: "ada" })).status).toBe(204);
    expect(existsSync(api.state.locate(after))).toBeFalse();
    expect(await healthOf(api, modelKey)).toMatchObject({ predictionCount: 1, rowCount: 100, rightCount: 100 });
    // A deleted prediction takes its labels along.
    const kept = findOutcomes(api.database, first)!.path!;
    expect((await api.request("DELETE", `/api/v1/predictions/${first}`, { as: "ada" })).status).toBe(204);
    expect(existsSync(api.state.locate(kept))).toBeFalse();
    expect(await healthOf(api, modelKey)).toMatchObject({ predictionCount: 0, rowCount: 0, accuracy: null });
  }));

test("the message says how many labels the model does not know where they are more than a twentieth", () =>
  withoutFaults(async (api) => {
    const modelKey = addModel(api);
    const few = predicted(api, 100, modelKey);
    const { message } = (await send(api, few, [...times(5, "adelie"), ...times(95, "Adelie")])).ofVersion;
    expect(message).not.toContain("does not know");
    const many = await send(api, few, [...times(6, "adelie"), ...times(94, "Adelie")]);
    expect(many.ofVersion.message).toBe(
      `${message} The model does not know 6 of 100 labels, whose decisions count as wrong: check how they are written.`,
    );
  }));

test("labels for a version without a confirmed accuracy are held against nothing, and its health says so", () =>
  withoutFaults(async (api) => {
    const modelKey = addModel(api, null);
    const whole = async () => {
      const answer = await api.request("GET", `/api/v1/models/${modelKey}/versions/1/health`, { as: "ada" });
      return (await answer.json()) as ModelHealth;
    };
    const before = await whole();
    // The model is of an earlier version.
    expect(before.state).toBe("NOT_WATCHED");
    const { ofVersion } = await send(api, predicted(api, 400, modelKey), times(400, "Gentoo"));
    expect(ofVersion).toMatchObject({ state: "NO_PROMISE", rowCount: 400, rightCount: 0 });
    expect(await whole()).toMatchObject({
      state: "NO_PROMISE",
      message: `There is no confirmed accuracy to hold the labels against. ${before.message}`,
    });
  }));

test("a refused file leaves the labels that were there", () =>
  withoutFaults(async (api) => {
    const key = predicted(api);
    await send(api, key, times(4, "Adelie"));
    const known = findOutcomes(api.database, key);
    const refused = await api.request("POST", path(key), { as: "ada", body: form(labelsOf("Adelie")) });
    expect(refused.status).toBe(400);
    expect(findOutcomes(api.database, key)).toEqual(known);
    expect(existsSync(api.state.locate(known!.path!))).toBeTrue();
  }));

test("with time the file goes and the counts stay; labels for a removed result are refused", () =>
  withoutFaults(async (api) => {
    const key = predicted(api);
    await send(api, key, times(4, "Adelie"));
    const stored = findOutcomes(api.database, key)!.path!;
    expect(releaseFinishedPredictions(api.database, api.services.now())).toContain(stored);
    expect(findOutcomes(api.database, key)).toMatchObject({ path: null, bytes: null, counts: { unknownLabels: 0 } });
    const answer = await api.request("POST", path(key), { as: "ada", body: form(labelsOf("Adelie")) });
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([410, "FILE_REMOVED"]);
  }));

test("labels of a deleted model are still told, and held against nothing", () =>
  withoutFaults(async (api) => {
    const modelKey = addModel(api);
    const key = predicted(api, 400, modelKey);
    expect((await send(api, key, times(400, "Gentoo"))).ofVersion.state).toBe("WORSE_THAN_PROMISED");
    expect((await api.request("DELETE", `/api/v1/models/${modelKey}`, { as: "ada" })).status).toBe(204);
    const answer = await api.request("GET", path(key), { as: "ada" });
    expect(answer.status).toBe(200);
    expect(((await answer.json()) as PredictionOutcomesAnswer).ofVersion).toMatchObject({
      ...{ rowCount: 400, rightCount: 0, state: "NO_PROMISE", confirmed: null },
    });
  }));
