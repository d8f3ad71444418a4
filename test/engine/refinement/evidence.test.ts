// Joining the evidence: each kind on its own, near copies together, hints
// apart from signals, z-scores against the naive ones.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { ClusterLoss } from "../../../engine/refinement/cluster-permutation.ts";
import {
  type ForestEvidence,
  type GroupEvidence,
  isRelevant,
  judgeFeatures,
} from "../../../engine/refinement/evidence.ts";
import type { FeatureFacts } from "../../../engine/refinement/feature-facts.ts";

function factOf(featureIndex: number, pValue: number, significantQuarters = 0): FeatureFacts {
  const none = { mostFrequentCount: 1, missingCount: 0, presentCodeCount: 2, mutualInformation: 0, strength: 0 };
  const rest = { missingPValue: 1, driftPValue: 1, stabilityIndex: 0, copySignature: "" };
  return { featureIndex, pValue, significantQuarters, ...none, ...rest };
}

function forestOf(feature: number, hits: number): ForestEvidence {
  return {
    feature,
    hits,
    rounds: 20,
    isRelevant: hits > 15,
    isHinted: hits > 5,
    gain: 0.1,
    shadowGain: 0.05,
  };
}

/** Losses whose mean is so many standard errors above 0. */
function lossOf(z: number): ClusterLoss {
  const rowCount = 400;
  const mean = z / Math.sqrt(rowCount);
  return { sum: mean * rowCount, sumOfSquares: rowCount - 1 + rowCount * mean * mean, rowCount, accuracyLossSum: 4 };
}

describe("evidence", () => {
  test("of any one kind makes a feature relevant", () => {
    const facts = [factOf(0, 1e-9, 4), factOf(1, 0.5), factOf(2, 0.5), factOf(3, 0.5)];
    const forests = [forestOf(0, 0), forestOf(1, 20), forestOf(2, 0), forestOf(3, 0)];
    const groups = [
      { features: [2], folds: [lossOf(9), lossOf(8)] },
      { features: [3], folds: [lossOf(0), lossOf(0.5)] },
    ];
    const judged = judgeFeatures([0, 1, 2, 3], facts, forests, { groups, isTimeUp: false });
    const kinds = [...judged.values()].map(({ isUnivariate, isForest, isInteraction }) => [
      isUnivariate,
      isForest,
      isInteraction,
    ]);
    expect(kinds).toEqual([
      [true, false, false],
      [false, true, false],
      [false, false, true],
      [false, false, false],
    ]);
    expect([...judged.values()].map(isRelevant)).toEqual([true, true, true, false]);
    expect([...judged.values()].map(({ stability }) => stability)).toEqual([1, 1, 1, 0]);
  });

  test("that is weak is a hint", () => {
    const facts = [factOf(0, 0.05), factOf(1, 0.9), factOf(2, 0.9)];
    const judged = judgeFeatures([0, 1, 2], facts, [forestOf(1, 8), forestOf(2, 3)], { groups: [], isTimeUp: false });
    expect([...judged.values()].map((evidence) => [isRelevant(evidence), evidence.isHinted])).toEqual([
      [false, true],
      [false, true],
      [false, false],
    ]);
  });

  test("says why a feature was not shuffled", () => {
    const facts = [factOf(0, 1), factOf(1, 1), factOf(2, 1)];
    const reasonsOf = (groups: readonly GroupEvidence[], isTimeUp: boolean) =>
      [...judgeFeatures([0, 1, 2], facts, [forestOf(0, 9), forestOf(1, 1)], { groups, isTimeUp }).values()].map(
        ({ notShuffled }) => notShuffled,
      );
    const group = { features: [0], folds: [lossOf(6)] };
    expect(reasonsOf([group], false)).toEqual([null, "WEAK_GROUP", "SCREENED_OUT"]);
    expect(reasonsOf([], true)).toEqual(["TIME_UP", "TIME_UP", "SCREENED_OUT"]);
  });

  test("of a group is that of each of its members", () => {
    const facts = [factOf(0, 1), factOf(1, 1)];
    const judged = judgeFeatures([0, 1], facts, [], {
      groups: [{ features: [1, 0], folds: [lossOf(6), lossOf(6)] }],
      isTimeUp: false,
    });
    expect(judged.get(0)).toEqual(judged.get(1)!);
    expect(judged.get(0)!.accuracyLoss).toBe(0.01);
  });

  test("of shuffling is the mean over its standard error, less what shared forests add", () => {
    const values = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 3, maxLength: 40 });
    fc.assert(
      fc.property(fc.array(values, { minLength: 1, maxLength: 4 }), (folds) => {
        const losses = folds.map((fold) => ({
          sum: fold.reduce((a, b) => a + b, 0),
          sumOfSquares: fold.reduce((a, b) => a + b * b, 0),
          rowCount: fold.length,
          accuracyLossSum: 0,
        }));
        const all = folds.flat();
        const mean = all.reduce((a, b) => a + b, 0) / all.length;
        const variance = all.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (all.length - 1);
        fc.pre(variance > 1e-6);
        const { permutationZ } = judgeFeatures([0], [factOf(0, 1)], [], {
          groups: [{ features: [0], folds: losses }],
          isTimeUp: false,
        }).get(0)!;
        expect(permutationZ!).toBeCloseTo(mean / Math.sqrt(variance / all.length) / 1.1, 6);
      }),
    );
  });
});
