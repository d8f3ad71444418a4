// Counts of single rows: gathered, written together, kept where nothing can be written.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { listWatchDays } from "../../../data/watch-counts.ts";
import { Scorer } from "../../../engine/scoring/scorer.ts";
import type { ScoredCounts } from "../../../engine/watch/scored-counts.ts";
import { RowCounts } from "../../../src/watching/row-counts.ts";
import { addDataset, addModel, later, NOON, openTestState, type TestState } from "../../data/state.ts";
import { watchedPenguins } from "../../support/watched-model.ts";

let state: TestState;
let modelKey: string;
let faults: unknown[];
let now: Date;
let rowCounts: RowCounts;

beforeEach(() => {
  state = openTestState();
  modelKey = addModel(state.database, addDataset(state.database, state.ann)).key;
  faults = [];
  now = NOON;
  const report = (fault: unknown) => faults.push(fault);
  rowCounts = new RowCounts({ database: state.database, now: () => now, report });
});
afterEach(() => state.close());

const one = (rangeCount = 0): ScoredCounts => ({
  ...{ rowCount: 1, countedRows: 1, asTrained: true, cells: [[0, 1]], decisions: [1, 0] },
  confidence: { sum: 0.5, tenths: [0, 0, 0, 0, 0, 1, 0, 0, 0, 0] },
  reliability: new Array<number>(rangeCount).fill(0),
});

const written = (version = 1) =>
  listWatchDays(state.database, { modelKey, version }, "").map(({ day, counts }) => [day, counts.rowCount]);

test("rows are written together, by version and day", () => {
  for (let row = 0; row < 1_000; row++) rowCounts.add({ modelKey, version: 1 }, one());
  rowCounts.add({ modelKey, version: 2 }, one());
  now = later(86_400);
  rowCounts.add({ modelKey, version: 1 }, one());
  expect(written()).toEqual([]);
  rowCounts.flush();
  expect(written()).toEqual([
    ["2031-05-06", 1_000],
    ["2031-05-07", 1],
  ]);
  expect(written(2)).toEqual([["2031-05-06", 1]]);
  rowCounts.flush();
  expect(written(2)).toEqual([["2031-05-06", 1]]);
});

test("what cannot be written is kept, told of once, and written later", () => {
  state.database.client.run("CREATE TRIGGER full BEFORE INSERT ON watchDays BEGIN SELECT RAISE(ABORT, 'full'); END");
  for (let time = 0; time < 3; time++) {
    rowCounts.add({ modelKey, version: 1 }, one());
    rowCounts.flush();
  }
  expect([faults.length, written()]).toEqual([1, []]);
  state.database.client.run("DROP TRIGGER full");
  rowCounts.flush();
  expect(written()).toEqual([["2031-05-06", 3]]);
});

test("a version that begins to count otherwise is written first", () => {
  rowCounts.add({ modelKey, version: 1 }, one(0));
  rowCounts.add({ modelKey, version: 1 }, one(3));
  expect(written()).toEqual([["2031-05-06", 1]]);
  rowCounts.flush();
  expect(listWatchDays(state.database, { modelKey, version: 1 }, "")[0]!.counts.reliability).toEqual([0, 0, 0]);
});

test("memory is bounded: versions beyond a hundred are written at once", () => {
  for (let day = 0; day < 101; day++) {
    now = later(day * 86_400);
    rowCounts.add({ modelKey, version: 1 }, one());
  }
  expect(written()).toHaveLength(100);
});

test("a scorer is followed: each row counts once, on its day, also beside another scorer of the version", () => {
  const model = watchedPenguins();
  const names = model.columns.map(({ name }) => name);
  const scorers = [new Scorer(model, names, 0, 1), new Scorer(model, names, 0, 1)];
  const scoreRows = (from: number, to: number) => {
    for (let row = from; row < to; row++) {
      const scorer = scorers[row % 7 === 0 ? 1 : 0]!;
      rowCounts.follow({ modelKey, version: 1 }, scorer.counts!);
      scorer.score([names.map(() => "")]);
      if (row % 100 === 50) rowCounts.flush();
    }
  };
  scoreRows(0, 270);
  now = later(86_400);
  scoreRows(270, 300);
  rowCounts.flush();
  rowCounts.flush();
  const days = listWatchDays(state.database, { modelKey, version: 1 }, "");
  expect(days.map(({ day, counts }) => [day, counts.rowCount, counts.countedRows])).toEqual([
    ["2031-05-06", 270, 270],
    ["2031-05-07", 30, 30],
  ]);
  expect(days[0]!.counts.cells.map((cells) => cells[0])).toEqual(names.map(() => 270));
  expect(days[0]!.counts.decisions.reduce((sum, count) => sum + count, 0)).toBe(270);
});

test("a scorer that is followed and scores nothing leaves no day", () => {
  const model = watchedPenguins();
  const scorer = new Scorer(
    model,
    model.columns.map(({ name }) => name),
    0,
    1,
  );
  rowCounts.follow({ modelKey, version: 1 }, scorer.counts!);
  rowCounts.flush();
  expect(written()).toEqual([]);
});
