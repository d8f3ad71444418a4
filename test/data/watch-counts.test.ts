// Counts of what versions are given: added by day, once for each prediction,
// trimmed with time; and the state that was noted last.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { deleteModel, listModels, listModelsInState, moveChampion } from "../../data/models.ts";
import {
  claimNextPrediction,
  completePrediction,
  insertPrediction,
  recoverPredictions,
} from "../../data/predictions.ts";
import {
  addWatchCounts,
  dayOf,
  findWatchedVersion,
  listWatchDays,
  noteWatchState,
  recentlyUsedVersions,
  removeWatchDays,
  versionsToJudge,
} from "../../data/watch-counts.ts";
import type { ScoredCounts } from "../../engine/watch/scored-counts.ts";
import { ALL, addDataset, addModel, later, NOON, openTestState, type TestState } from "./state.ts";

const DAY = 86_400;
const TODAY = dayOf(NOON);

let state: TestState;
let modelKey: string;

beforeEach(() => {
  state = openTestState();
  modelKey = addModel(state.database, addDataset(state.database, state.ann)).key;
});
afterEach(() => state.close());

function countsOf(rowCount: number, columnCount = 2): ScoredCounts {
  return {
    ...{ rowCount, countedRows: rowCount, asTrained: true, reliability: [] },
    cells: Array.from({ length: columnCount }, () => [0, 0, rowCount]),
    decisions: [rowCount, 0],
    confidence: { sum: rowCount * 0.75, tenths: [0, 0, 0, 0, 0, 0, 0, rowCount, 0, 0] },
  };
}

const rowsOf = (version = 1) =>
  listWatchDays(state.database, { modelKey, version }, "").map(({ day, counts }) => [day, counts.rowCount]);

describe("counts", () => {
  test("are added up by version and day", () => {
    const { database } = state;
    for (const [version, rows, seconds] of [
      [1, 3, 0],
      [1, 4, 60],
      [2, 9, 0],
      [1, 5, DAY],
    ] as const) {
      addWatchCounts(database, { modelKey, version }, countsOf(rows), later(seconds));
    }
    addWatchCounts(database, { modelKey, version: 3 }, countsOf(0), NOON);
    expect(rowsOf()).toEqual([
      [TODAY, 7],
      [dayOf(later(DAY)), 5],
    ]);
    expect(rowsOf(2)).toEqual([[TODAY, 9]]);
    expect(rowsOf(3)).toEqual([]);
    const [first] = listWatchDays(database, { modelKey, version: 1 }, TODAY);
    expect(first!.counts).toEqual(countsOf(7));
    expect(findWatchedVersion(database, { modelKey, version: 1 })).toMatchObject({
      ...{ rowCount: 12, lastUsedOn: later(DAY).toISOString(), state: null },
    });
    expect(recentlyUsedVersions(database, 50).map(({ version }) => version)).toEqual([1, 2]);
    expect(recentlyUsedVersions(database, 1)).toHaveLength(1);
  });

  test("are of the first thousand columns, and of one way of counting", () => {
    const { database } = state;
    const id = { modelKey, version: 1 };
    addWatchCounts(database, id, countsOf(3, 1_200), NOON);
    expect(listWatchDays(database, id, "")[0]!.counts.cells).toHaveLength(1_000);
    addWatchCounts(database, id, countsOf(4, 1_200), NOON);
    expect(rowsOf()).toEqual([[TODAY, 7]]);
    // Counted otherwise, such as by a newer program: not added up with the others.
    addWatchCounts(database, id, countsOf(5, 2), NOON);
    expect(rowsOf()).toEqual([[TODAY, 5]]);
  });

  test("of a prediction are added once, whatever becomes of the process before", () => {
    const { database } = state;
    const key = randomUUID();
    const asked = { key, userKey: state.ann, modelKey, version: 2, inputPath: "files/none", inputBytes: 1 };
    insertPrediction(database, { ...asked, filterColumns: false }, NOON);
    const end = { resultPath: "results/none", resultBytes: 1, rowCount: 6, warnings: [], counts: countsOf(6) };
    claimNextPrediction(database, NOON);
    // As after a kill: it was scored and its end not written.
    expect(recoverPredictions(database, NOON).resumed).toEqual([key]);
    expect(completePrediction(database, key, end, NOON)).toBeFalse();
    expect(rowsOf(2)).toEqual([]);
    claimNextPrediction(database, NOON);
    expect(completePrediction(database, key, end, NOON)).toBeTrue();
    expect(completePrediction(database, key, end, NOON)).toBeFalse();
    expect(rowsOf(2)).toEqual([[TODAY, 6]]);
  });

  test("and the end of their prediction are written together or not at all", () => {
    const { database } = state;
    const key = randomUUID();
    const asked = { key, userKey: state.ann, modelKey, version: 1, inputPath: "files/none", inputBytes: 1 };
    insertPrediction(database, { ...asked, filterColumns: false }, NOON);
    claimNextPrediction(database, NOON);
    database.client.run("CREATE TRIGGER full BEFORE INSERT ON watchDays BEGIN SELECT RAISE(ABORT, 'full'); END");
    const end = { resultPath: "results/none", resultBytes: 1, rowCount: 6, warnings: [], counts: countsOf(6) };
    expect(() => completePrediction(database, key, end, NOON)).toThrow("full");
    database.client.run("DROP TRIGGER full");
    expect(completePrediction(database, key, end, NOON)).toBeTrue();
    expect(rowsOf()).toEqual([[TODAY, 6]]);
  });

  test("go with their time, and with their model", () => {
    const { database } = state;
    const other = addModel(database, addDataset(database, state.bob)).key;
    for (let day = 0; day < 5; day++) addWatchCounts(database, { modelKey, version: 1 }, countsOf(1), later(day * DAY));
    addWatchCounts(database, { modelKey: other, version: 1 }, countsOf(1), NOON);
    expect(removeWatchDays(database, dayOf(later(2 * DAY)), 2)).toBe(2);
    expect(removeWatchDays(database, dayOf(later(2 * DAY)), 2)).toBe(1);
    expect(rowsOf().map(([day]) => day)).toEqual([2, 3, 4].map((day) => dayOf(later(day * DAY))));
    expect(findWatchedVersion(database, { modelKey: other, version: 1 })?.rowCount).toBe(1);
    expect(deleteModel(database, state.ann, modelKey, NOON)).toBe("DELETED");
    expect(recentlyUsedVersions(database, 9).map((version) => version.modelKey)).toEqual([other]);
    expect(removeWatchDays(database, "", 9)).toBe(3);
    expect([rowsOf(), findWatchedVersion(database, { modelKey, version: 1 })]).toEqual([[], null]);
  });
});

test("a version is judged once a day; a change of its state is told once", () => {
  const { database } = state;
  const id = { modelKey, version: 1 };
  expect(noteWatchState(database, id, { state: "STEADY", figures: null }, NOON)).toBeFalse();
  addWatchCounts(database, id, countsOf(1), NOON);
  const due = (seconds: number) => versionsToJudge(database, dayOf(later(seconds)), 9).map(({ version }) => version);
  expect(due(0)).toEqual([1]);
  expect(versionsToJudge(database, TODAY, 9)[0]!.filePath).toStartWith("models/");
  const note = (watched: "STEADY" | "SHIFTED", seconds: number) =>
    noteWatchState(database, id, { state: watched, figures: null }, later(seconds));
  expect(note("STEADY", 0)).toBeTrue();
  expect(due(0)).toEqual([]);
  expect(due(DAY)).toEqual([1]);
  expect(note("STEADY", DAY)).toBeFalse();
  expect(note("SHIFTED", 2 * DAY)).toBeTrue();
  expect(findWatchedVersion(database, id)).toMatchObject({
    ...{ state: "SHIFTED", stateSince: later(2 * DAY).toISOString(), judgedOn: dayOf(later(2 * DAY)) },
  });
});

test("lists of models tell the state of the champion, and those that shifted are found however old", () => {
  const { database, ann, bob } = state;
  const newer = addModel(database, addDataset(database, ann)).key;
  const stateOf = () => listModels(database, ann, ALL).items.map(({ watchState }) => watchState);
  const shifted = (userKey: string) => {
    const { items, total } = listModelsInState(database, userKey, ALL, "SHIFTED");
    return [total, ...items.map(({ key }) => key)];
  };
  expect([stateOf(), shifted(ann)]).toEqual([[null, null], [0]]);
  for (const [key, version, watchState] of [
    [modelKey, 1, "SHIFTED"],
    [newer, 1, "STEADY"],
    [newer, 2, "SHIFTED"],
  ] as const) {
    addWatchCounts(database, { modelKey: key, version }, countsOf(1), NOON);
    noteWatchState(database, { modelKey: key, version }, { state: watchState, figures: null }, NOON);
  }
  expect(stateOf()).toEqual(["STEADY", "SHIFTED"]);
  expect([shifted(ann), shifted(bob)]).toEqual([[1, modelKey], [0]]);
  const { trainingJobKey } = listModels(database, ann, ALL).items[0]!;
  moveChampion(database, ann, trainingJobKey, 2);
  expect(shifted(ann)).toEqual([2, newer, modelKey]);
  noteWatchState(database, { modelKey, version: 1 }, { state: "WORSE_THAN_PROMISED", figures: null }, NOON);
  expect(shifted(ann)).toEqual([1, newer]);
  expect(listModelsInState(database, ann, ALL, "WORSE_THAN_PROMISED").items.map(({ key }) => key)).toEqual([modelKey]);
});
