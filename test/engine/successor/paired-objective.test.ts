// Which of two models serves balanced accuracy, mean F1 or costs better: the difference against both figures, and
// simulated luck.
import { describe, expect, test } from "bun:test";
import { array, assert, constantFrom, integer, property, tuple } from "fast-check";
import type { Aim } from "../../../engine/judging/estimate.ts";
import { emptyConfusion } from "../../../engine/judging/metrics.ts";
import { achieved } from "../../../engine/judging/objective.ts";
import { Random } from "../../../engine/random.ts";
import { judgePaired, type PairedDecisions } from "../../../engine/successor/paired-decisions.ts";

const LABELS = ["a", "b", "c"];
const COSTS = [
  [0, 1, 2],
  [5, 0, 1],
  [1, 0.5, 0],
];

/** The actual label and both decisions, by place. */
type Row = readonly [actual: number, champion: number, challenger: number];

function counted(rows: readonly Row[], labels: readonly string[] = LABELS): PairedDecisions {
  const [champion, challenger] = [emptyConfusion(labels.length), emptyConfusion(labels.length)];
  for (const [actual, one, other] of rows) {
    champion[actual]![one]!++;
    challenger[actual]![other]!++;
  }
  return {
    ...{ labels, champion, challenger },
    championAlone: rows.filter(([actual, one, other]) => one === actual && other !== actual).length,
    challengerAlone: rows.filter(([actual, one, other]) => one !== actual && other === actual).length,
    differing: rows.filter(([, one, other]) => one !== other).map((row) => [...row, 1] as const),
  };
}

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
      const decisions = counted(rows);
      const { byObjective, difference, pValue, outcome } = judgePaired(decisions, aim);
      const [own, other] = [decisions.champion, decisions.challenger].map((confusion) =>
        achieved(aim.objective, confusion, aim.costs),
      );
      expect(byObjective!.champion).toBeCloseTo(own!, 12);
      expect(byObjective!.challenger).toBeCloseTo(other!, 12);
      expect(difference.mean).toBeCloseTo(other! - own!, 12);
      const turned = judgePaired(counted(rows.map(([actual, one, two]): Row => [actual, two, one])), aim);
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
    const { difference, pValue, outcome } = judgePaired(counted(rows), { objective, costs: null });
    expect([difference.low, difference.high, pValue, outcome]).toEqual([-1, 1, 1, "WITHIN_CHANCE"]);
    expect(difference.mean).toBe(1);
  }
  expect(judgePaired(counted(rows), { objective: "cost", costs: COSTS }).outcome).toBe("CHALLENGER_BETTER");
});

test("accuracy goes by right decisions, and so does what was compared before differing rows were counted", () => {
  const rows = Array.from({ length: 60 }, (_, at): Row => (at < 40 ? [0, 0, 0] : [0, at % 5 === 0 ? 0 : 1, 0]));
  const { differing: _, ...before } = counted(rows);
  const known = judgePaired(before);
  expect(known).toMatchObject({ byObjective: null, outcome: "CHALLENGER_BETTER" });
  expect(judgePaired(counted(rows))).toEqual(known);
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

/** Chances of the decision for the second of two labels, by actual label. */
type Model = readonly [ofFirst: number, ofSecond: number];

const SHARE = 0.2;
const TWO: Record<string, Aim> = {
  "balanced accuracy": { objective: "balanced-accuracy", costs: null },
  "mean F1": { objective: "f1", costs: null },
  costs: {
    objective: "cost",
    costs: [
      [0, 1],
      [5, 0],
    ],
  },
};

/** The score that a model reaches on endless rows. */
function truth([ofFirst, ofSecond]: Model, { objective, costs }: Aim): number {
  const confusion = [
    [(1 - SHARE) * (1 - ofFirst), (1 - SHARE) * ofFirst],
    [SHARE * (1 - ofSecond), SHARE * ofSecond],
  ];
  return achieved(objective, confusion, costs);
}

/** One that decides more rows for the second label, and achieves just as much. */
function equalOf(champion: Model, aim: Aim, ofSecond: number): Model {
  let [low, high] = [0, 1];
  for (let at = 0; at < 60; at++) {
    const middle = (low + high) / 2;
    if (truth([middle, ofSecond], aim) > truth(champion, aim)) low = middle;
    else high = middle;
  }
  return [low, ofSecond];
}

/** The share of comparisons that call the challenger better. */
function calls(champion: Model, challenger: Model, aim: Aim, rowCount: number, random: Random): number {
  const trials = 300;
  let called = 0;
  for (let trial = 0; trial < trials; trial++) {
    const rows = Array.from({ length: rowCount }, (): Row => {
      const actual = random.nextFloat() < SHARE ? 1 : 0;
      // Rows that one finds easy, the other finds easy too.
      const ease = random.nextFloat();
      return [actual, ease < champion[actual]! ? 1 : 0, ease < challenger[actual]! ? 1 : 0];
    });
    if (judgePaired(counted(rows, ["a", "b"]), aim).outcome === "CHALLENGER_BETTER") called++;
  }
  return called / trials;
}

describe.each(Object.entries(TWO))("a challenger by %s", (_, aim) => {
  test("that is as good, with other mistakes, is called better at most as often as the level says", () => {
    const random = new Random(11);
    const champion: Model = [0.15, 0.8];
    for (const ofSecond of [0.77, 0.95]) {
      const challenger = equalOf(champion, aim, ofSecond);
      expect(truth(challenger, aim)).toBeCloseTo(truth(champion, aim), 9);
      for (const rowCount of [60, 250]) {
        expect(calls(champion, challenger, aim, rowCount, random)).toBeLessThanOrEqual(0.025);
      }
    }
  });

  test("that is much better is called so", () => {
    expect(calls([0.2, 0.5], [0.1, 0.9], aim, 400, new Random(3))).toBeGreaterThan(0.9);
  });
});
