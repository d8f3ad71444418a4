// A model's promise, by objective: the mean loss of decisions is what the objective says of them.
import { expect, test } from "bun:test";
import { array, assert, constantFrom, double, integer, property, tuple } from "fast-check";
import { estimateOf } from "../../../engine/judging/estimate.ts";
import { achieved, type Objective } from "../../../engine/judging/objective.ts";
import { noOutcomes } from "../../../engine/outcomes/outcomes.ts";
import { countKinds, type Promised, promiseOf } from "../../../engine/outcomes/promise.ts";
import { judgePromise } from "../../../engine/outcomes/worse-than-promised.ts";
import { sumOf } from "../../../engine/sums.ts";

const LABELS = ["a", "b", "c"];
const COSTS = [
  [0, 1, 5],
  [2, 0, 1],
  [10, 1, 0],
];

function trained(objective: Objective, confusion: number[][], ofMistakes = COSTS) {
  const costs = objective === "cost" ? ofMistakes : null;
  const estimate = estimateOf({ objective, costs }, confusion);
  const confirmed = { ...estimate, confusion };
  const optimised = { objective, score: estimate.mean, ...(costs !== null && { costs }), confirmed };
  const labels = LABELS.slice(0, confusion.length);
  return { labels, lineage: { performance: { confirmedPerformance: null, optimised } } };
}

/** The mean excess of decisions, counted by label and decision. */
function meanExcess(promised: Promised, confusion: number[][]): number {
  const counts = countKinds(promised, { ...noOutcomes(3), confusion });
  return sumOf(counts.map((count, kind) => count * promised.losses.excess[kind]!)) / sumOf(counts);
}

const confusions = array(array(integer({ min: 1, max: 300 }), { minLength: 3, maxLength: 3 }), {
  minLength: 3,
  maxLength: 3,
});
const objectives = constantFrom<Objective>("balanced-accuracy", "f1", "cost");

test("the confirmed decisions are better than the promise by the half of the interval that is worse", () => {
  assert(
    property(objectives, confusions, (objective, confusion) => {
      const promised = promiseOf(trained(objective, confusion))!;
      const mean = achieved(objective, confusion, promised.aim.costs);
      expect(meanExcess(promised, confusion)).toBeCloseTo(promised.bound - mean, 9);
    }),
  );
});

test("other decisions lose what they lose of the mean cost, or of the balanced accuracy of labels in equal shares", () => {
  const weight = double({ min: 0.05, max: 1, noNaN: true });
  const others = array(tuple(weight, weight, weight), { minLength: 3, maxLength: 3 });
  assert(
    property(confusions, confusions, others, (confusion, later, decided) => {
      const cost = promiseOf(trained("cost", confusion))!;
      expect(meanExcess(cost, later)).toBeCloseTo(cost.bound - achieved("cost", later, COSTS), 9);
      const balanced = promiseOf(trained("balanced-accuracy", confusion))!;
      const alike = confusion.map((row, label) =>
        decided[label]!.map((own) => (sumOf(row) * own) / sumOf(decided[label]!)),
      );
      expect(meanExcess(balanced, alike)).toBeCloseTo(balanced.bound - achieved("balanced-accuracy", alike), 9);
    }),
  );
});

test("labels in other shares are no loss of balanced accuracy where each is found as often", () => {
  const confusion = [
    [900, 50, 50],
    [10, 80, 10],
    [6, 6, 28],
  ];
  const promised = promiseOf(trained("balanced-accuracy", confusion))!;
  const later = confusion.map((row, label) => row.map((count) => count * [1, 3, 8][label]!));
  expect(meanExcess(promised, later)).toBeCloseTo(meanExcess(promised, confusion), 9);
});

test("a model that finds no rare label any more is called, though more decisions are right", () => {
  const confusion = [
    [900, 40],
    [12, 48],
  ];
  const noneFound = [
    [1880, 0],
    [120, 0],
  ];
  const same = confusion.map((row) => row.map((count) => 4 * count));
  const costs = [
    [0, 1],
    [10, 0],
  ];
  for (const objective of ["balanced-accuracy", "f1", "cost"] as const) {
    const promised = promiseOf(trained(objective, confusion, costs))!;
    const stateOf = (later: number[][]) =>
      judgePromise(promised.losses, [countKinds(promised, { ...noOutcomes(2), confusion: later })]).state;
    expect([stateOf(noneFound), stateOf(same)]).toEqual(["WORSE_THAN_PROMISED", "AS_PROMISED"]);
  }
});

test("accuracy promises the upper end of the confirmed interval of wrong decisions, where there is one", () => {
  const held = (confirmedPerformance: { mean: number; low: number; high: number } | null) =>
    promiseOf({ labels: LABELS, lineage: { performance: { confirmedPerformance } } });
  const promised = held({ mean: 0.9, low: 0.87, high: 0.92 })!;
  expect(promised.bound).toBe(0.87);
  const excessOf = (actual: number, decided: number) => promised.losses.excess[promised.kinds[actual]![decided]!];
  expect(excessOf(2, 2)).toBeCloseTo(-0.13, 12);
  expect(excessOf(0, 2)).toBeCloseTo(0.87, 12);
  expect(promised.losses.excess[promised.kindOfUnknown]).toBeCloseTo(0.87, 12);
  expect(held({ mean: 1, low: 1, high: 1 })!.bound).toBe(1 - 1e-4);
  expect(held(null)).toBeNull();
  expect(held({ mean: 0, low: 0, high: 0.1 })).toBeNull();
});

test("a label that the model does not know costs 1, as a wrong decision for which no cost was named", () => {
  const confusion = [
    [90, 5, 5],
    [5, 90, 5],
    [5, 5, 90],
  ];
  const promised = promiseOf(trained("cost", confusion))!;
  expect(promised.losses.excess[promised.kindOfUnknown]).toBeCloseTo(1 + promised.bound, 12);
  const counts = countKinds(promised, { ...noOutcomes(3), unknownLabels: 7 });
  expect(counts[promised.kindOfUnknown]).toBe(7);
  expect(sumOf(counts)).toBe(7);
});
