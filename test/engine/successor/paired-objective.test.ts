// Which of two models serves balanced accuracy, mean F1 or costs better: the difference against both figures.
import { expect, test } from "bun:test";
import { array, assert, constantFrom, integer, property, tuple } from "fast-check";
import type { Aim } from "../../../engine/judging/estimate.ts";
import { achieved } from "../../../engine/judging/objective.ts";
import { judgePaired } from "../../../engine/successor/paired-decisions.ts";
import { counted, type Row } from "./counted-rows.ts";

const LABELS = ["a", "b", "c"];
const COSTS = [
  [0, 1, 2],
  [5, 0, 1],
  [1, 0.5, 0],
];

const place = integer({ min: 0, max: LABELS.length - 1 });
const someRows = array(tuple(place, place, place), { minLength: 1, maxLength: 60 });
/** One row of each label, so that every label has a figure. */
const EACH: readonly Row[] = [
  [0, 0, 1],
  [1, 2, 1],
  [2, 2, 2],
];
const anyAim = constantFrom<Aim[]>(
  { objective: "balanced-accuracy", costs: null },
  { objective: "f1", costs: null },
  { objective: "cost", costs: COSTS },
);

test("the difference is that of what both achieve, and the same the other way round", () => {
  assert(
    property(someRows, anyAim, (some, aim) => {
      const rows = [...EACH, ...some];
      const decisions = counted(rows, LABELS);
      const { byObjective, difference, pValue, outcome } = judgePaired(decisions, aim);
      const [own, other] = [decisions.champion, decisions.challenger].map((confusion) =>
        achieved(aim.objective, confusion, aim.costs),
      );
      expect(byObjective!.champion).toBeCloseTo(own!, 12);
      expect(byObjective!.challenger).toBeCloseTo(other!, 12);
      expect(difference.mean).toBeCloseTo(other! - own!, 12);
      const turned = judgePaired(
        counted(
          rows.map(([actual, one, two]): Row => [actual, two, one]),
          LABELS,
        ),
        aim,
      );
      expect(turned.difference.mean).toBeCloseTo(-difference.mean, 12);
      expect(turned.difference.low).toBeCloseTo(-difference.high, 9);
      expect(turned.pValue).toBeCloseTo(pValue, 9);
      expect(outcome !== "WITHIN_CHANCE").toBe(pValue <= 0.05);
    }),
  );
});

test("a label without a row leaves the difference of balanced accuracy and F1 open, not that of costs", () => {
  const rows = Array.from({ length: 90 }, (_, at): Row => [at % 2, 2, at % 2]);
  for (const objective of ["balanced-accuracy", "f1"] as const) {
    const { difference, pValue, outcome } = judgePaired(counted(rows, LABELS), { objective, costs: null });
    expect([difference.low, difference.high, pValue, outcome]).toEqual([-1, 1, 1, "WITHIN_CHANCE"]);
    expect(difference.mean).toBe(1);
  }
  expect(judgePaired(counted(rows, LABELS), { objective: "cost", costs: COSTS }).outcome).toBe("CHALLENGER_BETTER");
});

test("accuracy goes by right decisions, and so does what was compared before differing rows were counted", () => {
  const rows = Array.from({ length: 60 }, (_, at): Row => (at < 40 ? [0, 0, 0] : [0, at % 5 === 0 ? 0 : 1, 0]));
  const { differing: _, ...before } = counted(rows, LABELS);
  const known = judgePaired(before);
  expect(known).toMatchObject({ byObjective: null, outcome: "CHALLENGER_BETTER" });
  expect(judgePaired(counted(rows, LABELS))).toEqual(known);
  expect(judgePaired(before, { objective: "cost", costs: COSTS })).toEqual(known);
});

test("a challenger that is right more often and dearer is no better", () => {
  // It spares 50 false alarms, and misses 30 rows of which each costs ten.
  const rows = Array.from({ length: 120 }, (_, at): Row => (at < 50 ? [0, 1, 0] : at < 80 ? [1, 1, 0] : [0, 0, 0]));
  const costs = [
    [0, 1],
    [10, 0],
  ];
  const decisions = counted(rows, ["fine", "scrap"]);
  expect(judgePaired(decisions).outcome).toBe("CHALLENGER_BETTER");
  const verdict = judgePaired(decisions, { objective: "cost", costs });
  expect(verdict).toMatchObject({
    outcome: "CHAMPION_BETTER",
    byObjective: { objective: "cost", champion: -50 / 120, challenger: -300 / 120 },
  });
});
