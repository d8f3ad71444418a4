// Gradient boosting: node by node against a naive one, few histograms, bounds, judged rows, time and cancellation.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { BoostedTrees } from "../../../engine/boosting/boosted-trees.ts";
import { BoostingGrower } from "../../../engine/boosting/boosting-growth.ts";
import { type BoostingSettings, boostingSettings } from "../../../engine/boosting/boosting-settings.ts";
import { fitBoosting } from "../../../engine/boosting/gradient-boosting.ts";
import type { FitInput } from "../../../engine/fitting/family.ts";
import { Cancelled, type StopSignal } from "../../../engine/stop-signal.ts";
import { everyRow } from "../../support/tables.ts";
import { categoryFeature, correctCount, drawInput, inputOf, smallInputs } from "../families/coded-input.ts";
import { plain, scores } from "./boosting-scores.ts";
import { fitNaively, unfold } from "./naive-boosting.ts";

const inputs = smallInputs({ classes: 4, features: 9 });

const settings: fc.Arbitrary<BoostingSettings> = fc.record({
  roundCount: fc.constantFrom(1, 3),
  learningRate: fc.constantFrom(0.05, 0.3, 1),
  maxDepth: fc.constantFrom(null, 1, 2, 4),
  maxLeaves: fc.constantFrom(2, 5, 16),
  featureShare: fc.constantFrom(1, 0.5, 0.1),
  rowShare: fc.constantFrom(1, 0.7),
  l2: fc.constantFrom(0.1, 0.3, 1, 10),
  minLeafRows: fc.constantFrom(1, 1, 2, 5),
});

/** What the naive one's scores come to as probabilities. */
function naiveProbabilities(scoresOfRows: number[][]): number[] {
  return scoresOfRows.flatMap((own) => {
    const all = own.length === 1 ? [0, own[0]!] : own;
    const sum = all.reduce((total, score) => total + Math.exp(score), 0);
    return all.map((score) => Math.exp(score) / sum);
  });
}

function logLoss(model: BoostedTrees, input: FitInput): number {
  const probabilities = scores(model, input);
  return input.rows.reduce(
    (sum, row) => sum - Math.log(probabilities[row * input.classCount + input.classes[row]!]!),
    0,
  );
}

function depthOf(model: BoostedTrees, node: number): number {
  const child = model.children[node]!;
  return child < 0 ? 0 : 1 + Math.max(depthOf(model, child), depthOf(model, child + 1));
}

function leafCountOf(model: BoostedTrees, node: number): number {
  const child = model.children[node]!;
  return child < 0 ? 1 : leafCountOf(model, child) + leafCountOf(model, child + 1);
}

/** Says that the time is up, or that the work is cancelled, from the given look on. */
function stopAt(look: number, what: "time" | "cancel"): StopSignal & { looks: () => number } {
  let looks = 0;
  const isOver = () => ++looks >= look;
  const never = () => false;
  return {
    cancelled: what === "cancel" ? isOver : never,
    timeIsUp: what === "time" ? isOver : never,
    looks: () => looks,
  };
}

describe("against the naive model", () => {
  test("trees are equal node by node, and scores follow from them", () => {
    fc.assert(
      fc.property(inputs, settings, (input, given) => {
        const model = fitBoosting(input, given);
        const naive = fitNaively(input, given);
        const unfolded = [...model.roots].map((root) => unfold(model, root));
        expect(unfolded).toEqual(naive.rounds.flat());
        const expected = naiveProbabilities(naive.scores);
        scores(model, input).forEach((probability, cell) => {
          expect(probability).toBeCloseTo(expected[cell]!, 12);
        });
      }),
      { numRuns: 100 },
    );
  });

  test("so they are where nodes keep histograms and lend them on", () => {
    for (const classCount of [2, 3]) {
      const input = drawInput({ seed: 5, rowCount: 400, classCount, bucketCounts: [6, 3, 9, 4, 5, 2, 7] });
      for (const given of [
        { ...plain, maxDepth: 5, maxLeaves: 32 },
        { ...plain, maxDepth: null, maxLeaves: 12, minLeafRows: 4, rowShare: 0.8, featureShare: 0.6 },
      ]) {
        const model = fitBoosting(input, given);
        expect([...model.roots].map((root) => unfold(model, root))).toEqual(fitNaively(input, given).rounds.flat());
      }
    }
  });
});

test("of two leaves with equal gain the first is split", () => {
  // Class 1 in 0, 3, 7 and 10 of 10 rows: what is left of the root mirrors what is right of it.
  const ones = [0, 3, 7, 10];
  const rows = ones.flatMap((count, cell) => Array.from({ length: 10 }, (_, i) => ({ cell, own: i < count ? 1 : 0 })));
  const features = [
    categoryFeature(
      rows.map(({ cell }) => 2 + (cell >> 1)),
      2,
    ),
    categoryFeature(
      rows.map(({ cell }) => 2 + (cell & 1)),
      2,
    ),
  ];
  const input = inputOf(
    features,
    rows.map(({ own }) => own),
    2,
  );
  const given = { ...plain, maxDepth: null, maxLeaves: 3, roundCount: 1 };
  const model = fitBoosting(input, given);
  expect(leafCountOf(model, model.children[0]!)).toBe(2);
  expect(unfold(model, 0)).toEqual(fitNaively(input, given).rounds[0]![0]!);
});

test("trees are the same however few histograms are at hand", () => {
  const input = drawInput({ seed: 15, rowCount: 2000, classCount: 2, bucketCounts: [30, 12, 50, 4, 9] });
  const given = { ...plain, maxDepth: null, maxLeaves: 20, roundCount: 2 };
  const whole = fitBoosting(input, given);
  const histogramBytes = 16 * input.view.features.reduce((sum, { codeCount }) => sum + codeCount, 0);
  for (const count of [0, 1, 2, 3, 7]) {
    const grower = new BoostingGrower(input, given, { poolBytes: count * histogramBytes });
    while (grower.roundCount < given.roundCount) grower.addRound();
    expect(grower.trees()).toEqual(whole);
  }
});

describe("rounds", () => {
  test("a small learning rate lowers the training loss with every round", () => {
    for (const classCount of [2, 4]) {
      const input = drawInput({ seed: 11, rowCount: 600, classCount, bucketCounts: [20, 5, 40, 3] });
      const given = { ...plain, learningRate: 0.1, l2: 0.1 };
      let last = Number.POSITIVE_INFINITY;
      for (let roundCount = 0; roundCount <= 12; roundCount++) {
        const loss = logLoss(fitBoosting(input, { ...given, roundCount }), input);
        expect(loss).toBeLessThan(last);
        last = loss;
      }
    }
  });

  test("more rounds leave the earlier ones as they are", () => {
    const input = drawInput({ seed: 3, rowCount: 300, classCount: 3, bucketCounts: [12, 30, 4] });
    const given = { ...plain, rowShare: 0.7, featureShare: 0.7 };
    const few = fitBoosting(input, { ...given, roundCount: 2 });
    const many = fitBoosting(input, { ...given, roundCount: 5 });
    expect(many.roots.subarray(0, 6)).toEqual(few.roots);
    expect(many.children.subarray(0, few.children.length)).toEqual(few.children);
    expect(many.values.subarray(0, few.values.length)).toEqual(few.values);
  });

  test("the same input gives the same bytes, another seed other ones", () => {
    const input = drawInput({ seed: 4, rowCount: 500, classCount: 2, bucketCounts: [200, 30, 4, 90] });
    const given = { ...plain, rowShare: 0.6, featureShare: 0.5, roundCount: 6 };
    const model = fitBoosting(input, given);
    expect(fitBoosting(input, given)).toEqual(model);
    expect(fitBoosting({ ...input, seed: 5 }, given).values).not.toEqual(model.values);
  });

  test("without rounds, every row has the smoothed class frequencies", () => {
    const input = inputOf([categoryFeature([2, 3, 2, 3], 2)], [0, 2, 2, 2], 3);
    const model = fitBoosting(input, { ...plain, roundCount: 0 });
    const probabilities = scores(model, input);
    expect(probabilities[0]).toBeCloseTo(2 / 7, 12);
    expect(probabilities[1]).toBeCloseTo(1 / 7, 12);
    expect(probabilities[2]).toBeCloseTo(4 / 7, 12);
  });

  test("trees keep to their depth, leaves and rows", () => {
    const input = drawInput({ seed: 8, rowCount: 900, classCount: 2, bucketCounts: [250, 30, 4, 90, 12] });
    for (const given of [
      { ...plain, maxDepth: 2, maxLeaves: 4 },
      { ...plain, maxDepth: null, maxLeaves: 7 },
      { ...plain, maxDepth: 4, maxLeaves: 6 },
    ]) {
      const model = fitBoosting(input, given);
      for (const root of model.roots) {
        expect(leafCountOf(model, root)).toBe(given.maxLeaves);
        expect(depthOf(model, root)).toBeLessThanOrEqual(given.maxDepth ?? 6);
      }
    }
    const wide = fitBoosting(input, { ...plain, maxDepth: null, maxLeaves: 100, minLeafRows: 300 });
    for (const root of wide.roots) expect(leafCountOf(wide, root)).toBe(2);
  });

  test("named settings learn what one feature tells", () => {
    for (const classCount of [2, 3]) {
      const input = drawInput({ seed: 21, rowCount: 1200, classCount, bucketCounts: [12, 30, 4, 90, 12] });
      const unseen = [...everyRow(input.view)].filter((row) => row % 4 === 3);
      const least = classCount === 2 ? 0.8 : 0.72;
      for (const name of ["c2", "c3", "c4", "c6", "c31", "c63", "c64"] as const) {
        const model = fitBoosting(input, { ...boostingSettings(name, 900, classCount), roundCount: 30 });
        expect(correctCount(scores(model, input), input, unseen)).toBeGreaterThan(least * unseen.length);
      }
    }
  });
});

describe("judged rows", () => {
  test("have the scores that the finished model gives them", () => {
    for (const classCount of [2, 3]) {
      // More judged rows than one product of their probabilities can hold.
      const input = drawInput({ seed: 12, rowCount: 6000, classCount, bucketCounts: [30, 8, 100] });
      const judging = everyRow(input.view).filter((row) => row % 4 === 3);
      const grower = new BoostingGrower(input, { ...plain, rowShare: 0.8 }, { judging });
      for (let round = 0; round < 5; round++) grower.addRound();
      const probabilities = scores(grower.trees(), input);
      const loss = judging.reduce(
        (sum, row) => sum - Math.log(probabilities[row * classCount + input.classes[row]!]!),
        0,
      );
      expect(grower.judgedLoss()).toBeCloseTo(loss, 7);
    }
  });

  test("have no part in the model", () => {
    const input = drawInput({ seed: 13, rowCount: 300, classCount: 2, bucketCounts: [30, 8, 100] });
    const judging = everyRow(input.view).filter((row) => row % 4 === 3);
    const grower = new BoostingGrower(input, { ...plain, rowShare: 0.8 }, { judging });
    for (let round = 0; round < plain.roundCount; round++) grower.addRound();
    expect(grower.trees()).toEqual(fitBoosting(input, { ...plain, rowShare: 0.8 }));
  });
});

describe("time and cancellation", () => {
  const input = drawInput({ seed: 14, rowCount: 40_000, classCount: 3, bucketCounts: [250, 250, 250, 250, 250, 250] });
  const given: BoostingSettings = { ...plain, maxDepth: 6, maxLeaves: 64, roundCount: 4 };

  test("finished rounds are kept when time is up, wherever it comes", () => {
    const counting = stopAt(Number.POSITIVE_INFINITY, "time");
    const whole = fitBoosting({ ...input, stop: counting }, given);
    // Looks are not only at the seams of rounds: 4 rounds of 3 trees.
    expect(counting.looks()).toBeGreaterThan(12);
    const kept = new Set<number>();
    for (let look = 1; look <= counting.looks(); look += 3) {
      const model = fitBoosting({ ...input, stop: stopAt(look, "time") }, given);
      const treeCount = model.roots.length;
      expect(treeCount % 3).toBe(0);
      expect(model.roots).toEqual(whole.roots.slice(0, treeCount));
      expect(model.children).toEqual(whole.children.slice(0, model.children.length));
      expect(model.children.length).toBe(whole.roots[treeCount] ?? whole.children.length);
      kept.add(treeCount / 3);
    }
    expect([...kept]).toEqual([0, 1, 2, 3]);
  });

  test("a cancelled fit leaves at once", () => {
    expect(() => fitBoosting({ ...input, stop: stopAt(1, "cancel") }, given)).toThrow(Cancelled);
    expect(() => fitBoosting({ ...input, stop: stopAt(9, "cancel") }, given)).toThrow(Cancelled);
  });
});
