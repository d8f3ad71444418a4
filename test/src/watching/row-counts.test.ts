// Counts of single rows: gathered, written together, kept where nothing can be written.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { listWatchDays } from "../../../data/watch-counts.ts";
import { FileCounts } from "../../../engine/watch/file-counts.ts";
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

test("a scorer that goes on is drained: each row counts once, also beside another scorer of the version", () => {
  const model = watchedPenguins();
  const scorers = [new FileCounts(model, false, 1), new FileCounts(model, false, 1)];
  const codes = Array.from({ length: model.features.length + model.columns.length }, () => Uint8Array.of(2));
  for (let row = 0; row < 300; row++) {
    const scorer = scorers[row % 7 === 0 ? 1 : 0]!;
    scorer.add(codes, 1, { probabilities: Float64Array.of(0.2, 0.1, 0.7), decisions: Uint8Array.of(2) });
    rowCounts.addFrom({ modelKey, version: 1 }, scorer);
    if (row % 100 === 50) rowCounts.flush();
  }
  rowCounts.flush();
  const [day] = listWatchDays(state.database, { modelKey, version: 1 }, "");
  expect(day!.counts).toMatchObject({
    rowCount: 300,
    countedRows: 300,
    decisions: [0, 0, 300],
    reliability: [0, 300, 0],
  });
  expect(day!.counts.cells.map((cells) => cells[2])).toEqual(model.columns.map(() => 300));
});
