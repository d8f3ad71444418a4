// Versions are judged once a day; a change of state is told once, in keys and words of ours; the figures have both.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { openStateFolder, statePaths } from "../../../data/files/state-folder.ts";
import { findModelVersion, findOwnedModel } from "../../../data/models.ts";
import { removeOutcomes, setOutcomes } from "../../../data/outcomes.ts";
import { claimNextPrediction, completePrediction, insertPrediction } from "../../../data/predictions.ts";
import { addWatchCounts, findWatchedVersion } from "../../../data/watch-counts.ts";
import { wilsonInterval } from "../../../engine/judging/metrics.ts";
import { packModel } from "../../../engine/model/model-file.ts";
import { noOutcomes } from "../../../engine/outcomes/outcomes.ts";
import { exposition } from "../../../src/metrics/exposition.ts";
import { watchFigures } from "../../../src/metrics/watch-figures.ts";
import { RowCounts } from "../../../src/watching/row-counts.ts";
import { accuracyBetween, versionOutcomes } from "../../../src/watching/version-outcomes.ts";
import { type WatchChange, WatchRounds } from "../../../src/watching/watch-rounds.ts";
import { addDataset, addModel, later, NOON, openTestState, type TestState } from "../../data/state.ts";
import { readExposition } from "../../support/exposition.ts";
import { penguinCounts, watchedPenguins } from "../../support/watched-model.ts";

const DAY = 86_400;
const MODEL = watchedPenguins();

let world: TestState;
let modelKey: string;
let modelPath: string;
let now: Date;
let changes: WatchChange[];
let faults: unknown[];
let rounds: WatchRounds;
let rowCounts: RowCounts;

beforeEach(() => {
  world = openTestState();
  const { database, folder } = world;
  const state = openStateFolder(folder);
  modelKey = addModel(database, addDataset(database, world.ann)).key;
  modelPath = state.locate(findModelVersion(database, modelKey, 1)!.filePath);
  mkdirSync(dirname(modelPath), { recursive: true });
  writeFileSync(modelPath, packModel(MODEL));
  [now, changes, faults] = [NOON, [], []];
  const services = { database, state, now: () => now, report: (fault: unknown) => void faults.push(fault) };
  rowCounts = new RowCounts(services);
  rounds = new WatchRounds({ ...services, rowCounts, changed: (change) => void changes.push(change) });
});
afterEach(() => {
  rounds.stop();
  world.close();
});

const statesOf = () => changes.map(({ state }) => state);

test("a version is judged once a day, and its changes are told once", async () => {
  rowCounts.add({ modelKey, version: 1 }, penguinCounts());
  await rounds.round();
  expect(statesOf()).toEqual(["TOO_FEW_ROWS"]);
  now = later(DAY);
  await rounds.round();
  expect(statesOf()).toEqual(["TOO_FEW_ROWS", "STEADY"]);
  rowCounts.add({ modelKey, version: 1 }, penguinCounts(true));
  await rounds.round();
  now = later(2 * DAY);
  await rounds.round();
  await rounds.round();
  now = later(3 * DAY);
  await rounds.round();
  expect(changes).toEqual([
    { modelKey, version: 1, previousState: null, state: "TOO_FEW_ROWS", from: null, to: null },
    { modelKey, version: 1, previousState: "TOO_FEW_ROWS", state: "STEADY", from: "2031-05-06", to: "2031-05-06" },
    { modelKey, version: 1, previousState: "STEADY", state: "SHIFTED", from: "2031-05-07", to: "2031-05-07" },
  ]);
  expect(findWatchedVersion(world.database, { modelKey, version: 1 })).toMatchObject({
    ...{ state: "SHIFTED", stateSince: later(2 * DAY).toISOString(), judgedOn: "2031-05-09" },
  });
  expect(faults).toEqual([]);
});

test("figures are of the newest stretch that is over, and of versions of models that are there", async () => {
  addWatchCounts(world.database, { modelKey, version: 1 }, penguinCounts(), NOON);
  addWatchCounts(world.database, { modelKey, version: 2 }, penguinCounts(), NOON);
  now = later(DAY);
  await rounds.round();
  const samples = readExposition(exposition(watchFigures(world.database)));
  const of = (name: string, version: string) =>
    samples.filter((sample) => sample.name === name && sample.labels["version"] === version);
  expect(of("cupel_model_rows_total", "1").map(({ value }) => value)).toEqual([280]);
  expect(of("cupel_model_state", "1").map(({ labels }) => labels["state"])).toEqual(["STEADY"]);
  expect(of("cupel_model_mean_confidence", "1")[0]!.value).toBeCloseTo(0.75, 12);
  expect(of("cupel_model_expected_accuracy", "1")[0]!.value).toBeCloseTo(0.7, 12);
  // Version 2 has no file.
  expect(of("cupel_model_state", "2").map(({ labels }) => labels["state"])).toEqual(["NOT_WATCHED"]);
  expect(of("cupel_model_expected_accuracy", "2")).toEqual([]);
});

/** A prediction of `right` and `wrong` rows whose labels have come. */
function labelled(right: number, wrong: number): string {
  const { database, ann } = world;
  const key = crypto.randomUUID();
  const inputPath = statePaths.file(key);
  const asked = { key, userKey: ann, modelKey, version: 1, inputPath, inputBytes: 1, keyColumn: null };
  insertPrediction(database, { ...asked, filterColumns: false }, now);
  claimNextPrediction(database, now);
  const result = { resultPath: statePaths.result(key), resultBytes: 1, labelCounts: [], warnings: [] };
  completePrediction(database, key, { ...result, rowCount: right + wrong }, now);
  const labels = { path: `files/labels-${key}`, bytes: 1, labelColumn: null, keyColumn: null, asTrained: true };
  const outcomes = noOutcomes(3);
  outcomes.confusion[0] = [right, wrong, 0];
  expect(setOutcomes(database, ann, { ...labels, predictionKey: key, counts: outcomes }, now)).not.toBe("NOT_FOUND");
  return key;
}

test("labels without a confirmed accuracy to hold them against are told, but not above a shift", async () => {
  writeFileSync(modelPath, packModel(watchedPenguins(null)));
  labelled(100, 300);
  await rounds.round();
  const nothing = { from: null, to: null };
  expect(changes).toEqual([{ modelKey, version: 1, previousState: null, state: "NO_PROMISE", ...nothing }]);
  const sampled = readExposition(exposition(watchFigures(world.database)));
  const states = sampled.filter(({ name }) => name === "cupel_model_state");
  expect(states.map(({ labels }) => labels["state"])).toEqual(["NO_PROMISE"]);
  rowCounts.add({ modelKey, version: 1 }, penguinCounts(true));
  await rounds.round();
  now = later(DAY);
  await rounds.round();
  expect(statesOf()).toEqual(["NO_PROMISE", "SHIFTED"]);
});

test("labels that come are judged with the next round, and being worse than promised is told above a shift", async () => {
  rowCounts.add({ modelKey, version: 1 }, penguinCounts(true));
  now = later(DAY);
  await rounds.round();
  const scoredOn = now.toISOString().slice(0, 10);
  const bad = labelled(100, 100);
  await rounds.round();
  await rounds.round();
  const state = { modelKey, version: 1 };
  expect(changes.slice(1)).toEqual([
    { ...state, previousState: "SHIFTED", state: "WORSE_THAN_PROMISED", from: scoredOn, to: scoredOn },
  ]);
  const sampled = readExposition(exposition(watchFigures(world.database)));
  const of = (name: string) => sampled.filter((sample) => sample.name === name);
  expect(of("cupel_model_state").map(({ labels }) => labels["state"])).toEqual(["WORSE_THAN_PROMISED"]);
  expect(of("cupel_model_real_accuracy").map(({ value }) => value)).toEqual([0.5]);
  expect(findOwnedModel(world.database, world.ann, modelKey)!.watchState).toBe("WORSE_THAN_PROMISED");
  removeOutcomes(world.database, bad, now);
  await rounds.round();
  expect(changes.at(-1)).toMatchObject({ previousState: "WORSE_THAN_PROMISED", state: "SHIFTED" });
  expect(faults).toEqual([]);
});

test("a version that nothing was counted of is judged by labels alone", async () => {
  labelled(100, 100);
  await rounds.round();
  expect(statesOf()).toEqual(["WORSE_THAN_PROMISED"]);
});

test("real accuracy is that of the rows scored between two days, whenever their labels came", () => {
  labelled(30, 10);
  now = later(DAY);
  labelled(5, 5);
  const { scored } = versionOutcomes(world.database, { modelKey, version: 1 }, MODEL);
  expect([...scored]).toEqual([
    ["2031-05-06", { right: 30, wrong: 10 }],
    ["2031-05-07", { right: 5, wrong: 5 }],
  ]);
  expect(accuracyBetween(scored, "2031-05-01", "2031-05-06")).toEqual({ rowCount: 40, ...wilsonInterval(30, 40) });
  expect(accuracyBetween(scored, "2031-05-06", "2031-05-08")).toEqual({ rowCount: 50, ...wilsonInterval(35, 50) });
  expect(accuracyBetween(scored, "2031-05-08", "2031-05-09")).toBeNull();
});

test("figures are of fifty versions at most", () => {
  const { database, ann } = world;
  for (let model = 0; model < 20; model++) {
    const { key } = addModel(database, addDataset(database, ann));
    for (const version of [1, 2, 3])
      addWatchCounts(database, { modelKey: key, version }, penguinCounts(), later(model));
  }
  const [rows] = watchFigures(database);
  expect("samples" in rows! && rows.samples.length).toBe(50);
});

test("a model whose file is gone or damaged is not watched, and no fault", async () => {
  addWatchCounts(world.database, { modelKey, version: 1 }, penguinCounts(), NOON);
  writeFileSync(modelPath, "CUPELMDL");
  await rounds.round();
  now = later(DAY);
  rmSync(modelPath);
  await rounds.round();
  expect([statesOf(), faults]).toEqual([["NOT_WATCHED"], []]);
});
