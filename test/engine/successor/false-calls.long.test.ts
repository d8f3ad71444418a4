// How often a model is called better by balanced accuracy, mean F1 or costs: in simulations, of models that are as good
// and of much better ones.
import { describe, expect, test } from "bun:test";
import type { Aim } from "../../../engine/judging/estimate.ts";
import { achieved } from "../../../engine/judging/objective.ts";
import { Random } from "../../../engine/random.ts";
import { judgePaired } from "../../../engine/successor/paired-decisions.ts";
import { counted, type Row } from "./counted-rows.ts";

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
