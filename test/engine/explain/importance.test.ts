// Permutation importance: columns that carry the label cost accuracy, or whatever the aim is, when shuffled, the others
// do not, and the work is bounded.
import { expect, test } from "bun:test";
import { type ColumnPart, permutationImportance } from "../../../engine/explain/importance.ts";
import { type BaseSettings, fitBase } from "../../../engine/families/base-algorithms.ts";
import { Random } from "../../../engine/random.ts";
import { type Decider, judgeDecided, scoreOf } from "../../../engine/search/decider.ts";
import { assignParts, splitByPart } from "../../../engine/splits/holdout.ts";
import { Cancelled, neverStop } from "../../../engine/stop-signal.ts";
import { codeTable, fitBuckets } from "../../../engine/table/buckets.ts";
import type { Table } from "../../../engine/table/table.ts";
import { forestOf } from "../../support/forests.ts";
import { drawTable, makeTable } from "../../support/tables.ts";

const forest = forestOf({ treeCount: 40, featuresPerSplit: 2, minLeafRows: 3 });
const selective: BaseSettings = { algorithm: "naive Bayes", variant: "selective", smoothing: 1 };
const logistic: BaseSettings = { algorithm: "logistic regression", basis: "smooth", l2: 1, maxIterations: 50 };

const mostProbable: Decider = { objective: "accuracy", temperature: 1, classWeights: null };

function importanceOf(
  table: Table,
  settings: BaseSettings,
  stop = neverStop,
  columns?: ColumnPart,
  decider = mostProbable,
) {
  const classCount = table.labels.length;
  const { learning, judging } = splitByPart(assignParts(table.classes, classCount, 1), 0);
  const view = codeTable(table, fitBuckets(table, learning, 20));
  const model = fitBase(settings, {
    view,
    rows: learning,
    classes: table.classes,
    classCount,
    seed: 1,
    stop: neverStop,
  });
  const measured = { table, model, view, rows: judging, seed: 1 };
  return permutationImportance(
    {
      ...measured,
      achieved: (shares, judged) => scoreOf(decider, judgeDecided(decider, shares, judged).decisions, judged),
    },
    stop,
    columns,
  );
}

test.each([forest, logistic])("columns with signal lose more than noise: %o", (settings) => {
  const effects = new Map(importanceOf(drawTable(2000, 2, 8), settings).map((effect) => [effect.column, effect.loss]));
  const [signal, other, , noise] = [0, 1, 2, 3].map((column) => effects.get(column) ?? 0);
  expect(signal!).toBeGreaterThan(noise! + 0.05);
  expect(other!).toBeGreaterThan(noise! + 0.05);
  expect(Math.abs(noise!)).toBeLessThan(0.03);
});

test("a column that tells a rare label is worth nothing to accuracy, and much to other aims", () => {
  const random = new Random(5);
  const signal = Array.from({ length: 4_000 }, () => random.nextBelow(40));
  // Three tenths of the rows with the highest value are rare, and a thousandth of the others.
  const texts = signal.map((value) => (random.nextBelow(1_000) < (value === 39 ? 300 : 1) ? "rare" : "usual"));
  const table = makeTable([signal], texts);
  const [rare, usual] = ["rare", "usual"].map((label) => table.labels.indexOf(label)) as [number, number];
  const classWeights = table.labels.map((label) => (label === "rare" ? 100 : 1));
  const costs = table.labels.map(() => [0, 0]);
  costs[rare]![usual] = 20;
  costs[usual]![rare] = 1;
  const lossBy = (decider: Pick<Decider, "objective" | "classWeights" | "costs">) =>
    importanceOf(table, logistic, neverStop, undefined, { temperature: 1, ...decider })[0]!.loss;
  expect(Math.abs(lossBy({ objective: "accuracy", classWeights: null }))).toBeLessThan(0.01);
  expect(lossBy({ objective: "balanced-accuracy", classWeights })).toBeGreaterThan(0.2);
  expect(lossBy({ objective: "f1", classWeights: classWeights.map(Math.sqrt) })).toBeGreaterThan(0.1);
  // The mean cost of a decision; never deciding "rare" would cost 0.17.
  const costLoss = lossBy({ objective: "cost", classWeights: null, costs });
  expect(costLoss).toBeGreaterThan(0.02);
  expect(costLoss).toBeLessThan(0.3);
});

test("a column that the model does not use has no entry", () => {
  const random = new Random(2);
  const signal = Array.from({ length: 400 }, () => random.nextBelow(4));
  const noise = Array.from({ length: 400 }, () => random.nextBelow(4));
  const table = makeTable(
    [signal, noise],
    signal.map((value) => (value > 1 ? "high" : "low")),
  );
  expect(importanceOf(table, selective).map(({ column }) => column)).toEqual([0]);
});

test("of many columns the 200 that the model uses most are measured", () => {
  const random = new Random(3);
  const columns = Array.from({ length: 260 }, () => Array.from({ length: 120 }, () => random.nextBelow(9)));
  const table = makeTable(
    columns,
    columns[7]!.map((value) => (value > 4 ? "high" : "low")),
  );
  const effects = importanceOf(table, logistic);
  expect(effects).toHaveLength(200);
  expect(effects.map(({ column }) => column)).toContain(7);
  expect(effects.map(({ column }) => column)).toEqual(effects.map(({ column }) => column).sort((a, b) => a - b));
});

test.each([forest, logistic])("measured in parts, each column has the same effect: %o", (settings) => {
  const table = drawTable(600, 3, 7);
  const whole = importanceOf(table, settings);
  for (const of of [2, 3, whole.length + 2]) {
    const parts = Array.from({ length: of }, (_, part) => importanceOf(table, settings, neverStop, { part, of }));
    expect(parts.flat()).toEqual(whole);
  }
});

test("leaves when cancelled", () => {
  expect(() => importanceOf(drawTable(200, 2, 1), forest, { ...neverStop, cancelled: () => true })).toThrow(Cancelled);
});
