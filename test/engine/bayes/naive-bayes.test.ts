// Naive Bayes: its tables against naive counting, left-out rows against counting without
// them, the search and the weights against slow versions.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { countBayesTables, leaveOneOutLifts, ownLogPriors } from "../../../engine/bayes/bayes-tables.ts";
import { fitNaiveBayes, type NaiveBayesSettings } from "../../../engine/bayes/naive-bayes.ts";
import { searchFeatures } from "../../../engine/bayes/naive-bayes-selection.ts";
import { fitWeights } from "../../../engine/bayes/naive-bayes-weights.ts";
import type { FitInput } from "../../../engine/fitting/family.ts";
import { Cancelled } from "../../../engine/stop-signal.ts";
import { FIRST_CODE, MISSING_CODE, UNSEEN_CODE } from "../../../engine/table/buckets.ts";
import {
  categoryFeature,
  correctCount,
  drawInput,
  inputOf,
  numberFeature,
  probabilitiesOf,
  reorder,
} from "../families/coded-input.ts";

const variants: readonly NaiveBayesSettings["variant"][] = ["plain", "selective", "weighted"];
const wide = [6, 4, 5, 3, 8];

/**
 * log(p(code | k) / p(code)) by counting; the shares p(code) always count every fit row, the rest leaves `without` out.
 */
function naiveLift(input: FitInput, feature: number, code: number, k: number, m: number, without = -1): number {
  const { codes, codeCount } = input.view.features[feature]!;
  const rows = [...input.rows];
  const kept = rows.filter((row) => row !== without);
  if (!kept.some((row) => codes[row] === code)) return 0;
  const share = (rows.filter((row) => codes[row] === code).length + 1) / (rows.length + codeCount - 1);
  const own = kept.filter((row) => input.classes[row] === k);
  const met = own.filter((row) => codes[row] === code).length;
  return Math.log((met + m * share) / (own.length + m) / share);
}

/** Scores of one left-out row over some weighted features, by counting without it. */
function naiveLeftOut(input: FitInput, row: number, weights: readonly number[], shifts: readonly number[]): number[] {
  const kept = [...input.rows].filter((other) => other !== row);
  return Array.from({ length: input.classCount }, (_, k) => {
    const met = kept.filter((other) => input.classes[other] === k).length;
    let score = Math.log(met + 1) + (shifts[k] ?? 0);
    for (const [feature, weight] of weights.entries()) {
      if (weight === 0) continue;
      const code = input.view.features[feature]!.codes[row]!;
      score += weight * naiveLift(input, feature, code, k, 1, row);
    }
    return score;
  });
}

function logShare(scores: readonly number[], own: number): number {
  return scores[own]! - Math.log(scores.reduce((sum, score) => sum + Math.exp(score), 0));
}

function naiveCriterion(input: FitInput, features: readonly number[]): number {
  const weights = input.view.features.map((_, index) => (features.includes(index) ? 1 : 0));
  let sum = 0;
  for (const row of input.rows) {
    const own = input.classes[row]!;
    const scores = naiveLeftOut(input, row, weights, []);
    const right = scores.every((score, k) => k === own || score < scores[own]!);
    sum += (right ? 1 : 0) + 1e-3 * logShare(scores, own);
  }
  return sum / input.rows.length;
}

describe("count tables", () => {
  test("lifts equal naive counting, for all rows and for each row left out", () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 2, max: 4 }), (seed, classCount) => {
        const input = drawInput({ seed, rowCount: 40, classCount, bucketCounts: [5, 9] });
        fc.pre(new Set([...input.rows].map((row) => input.classes[row])).size === classCount);
        const bayes = countBayesTables(input, 1.5);
        for (const [index, { codes, codeCount }] of input.view.features.entries()) {
          const leftOut = leaveOneOutLifts(bayes, index);
          for (let k = 0; k < classCount; k++) {
            for (let code = 0; code < codeCount; code++) {
              const expected = naiveLift(input, index, code, k, 1.5);
              expect(bayes.lifts[index]![code * classCount + k]).toBeCloseTo(expected, 10);
            }
            for (const row of input.rows) {
              const table = input.classes[row] === k ? leftOut.own : leftOut.others;
              const expected = naiveLift(input, index, codes[row]!, k, 1.5, row);
              expect(table[codes[row]! * classCount + k]).toBeCloseTo(expected, 10);
            }
          }
        }
      }),
      { numRuns: 15 },
    );
  });

  test("the prior of the own class counts one row less", () => {
    const bayes = countBayesTables(inputOf([categoryFeature([2, 3, 2, 3], 2)], [0, 0, 0, 1], 2), 1);
    expect(Math.exp(bayes.logPriors[0]!)).toBeCloseTo(4 / 6, 12);
    expect(Math.exp(ownLogPriors(bayes)[0]!)).toBeCloseTo(3 / 6, 12);
    expect(Math.exp(ownLogPriors(bayes)[1]!)).toBeCloseTo(1 / 6, 12);
  });
});

describe("fitNaiveBayes", () => {
  test("two classes as one score equal the softmax of both", () => {
    const input = drawInput({ seed: 11, rowCount: 200, classCount: 2, bucketCounts: [5, 4] });
    const probabilities = probabilitiesOf(fitNaiveBayes(input, { variant: "plain", smoothing: 1 }), input.view);
    const bayes = countBayesTables(input, 1);
    for (let row = 0; row < 200; row++) {
      const scores = [0, 1].map((k) =>
        input.view.features.reduce(
          (sum, feature, index) => sum + bayes.lifts[index]![feature.codes[row]! * 2 + k]!,
          bayes.logPriors[k]!,
        ),
      );
      expect(probabilities[2 * row + 1]).toBeCloseTo(Math.exp(logShare(scores, 1)), 12);
    }
  });

  test("codes that no fit row has are neutral, and constant features take no part", () => {
    const codes = [2, 3, 2, 3, 2, 1, 0];
    const input = inputOf(
      [categoryFeature(codes, 3), numberFeature([2, 2, 2, 2, 2, 3, 3], 2)],
      [0, 1, 0, 1, 2, 0, 0],
      3,
    );
    const model = fitNaiveBayes({ ...input, rows: input.rows.subarray(0, 5) }, { variant: "plain", smoothing: 1 });
    for (const code of [MISSING_CODE, UNSEEN_CODE, FIRST_CODE + 2]) {
      expect([...model.tables[0]!.subarray(3 * code, 3 * code + 3)]).toEqual([0, 0, 0]);
    }
    expect(model.tables[1]).toBeNull();
  });

  test("the order of the rows changes no byte of the plain model", () => {
    const drawn = drawInput({ seed: 12, rowCount: 300, classCount: 4, bucketCounts: wide });
    const input = { ...drawn, rows: Uint32Array.from({ length: 300 }, (_, row) => row) };
    const order = Array.from({ length: 300 }, (_, row) => (row * 101) % 300);
    const settings = { variant: "plain", smoothing: 1 } as const;
    expect(fitNaiveBayes(reorder(input, order), settings)).toEqual(fitNaiveBayes(input, settings));
  });

  test.each(variants)("learns the signal of unseen rows and repeats to the byte: %s", (variant) => {
    const input = drawInput({ seed: 13, rowCount: 2000, classCount: 3, bucketCounts: wide });
    const model = fitNaiveBayes(input, { variant, smoothing: 1 });
    const held = Array.from({ length: 500 }, (_, i) => 4 * i + 3);
    expect(correctCount(probabilitiesOf(model, input.view), input, held)).toBeGreaterThan(300);
    expect(fitNaiveBayes(input, { variant, smoothing: 1 })).toEqual(model);
  });

  test.each(variants)(
    "stays finite when a feature separates, a class has one row or none, all is missing: %s",
    (variant) => {
      const codes = Array.from({ length: 60 }, (_, row) => (row < 30 ? 2 : 3));
      const classes = codes.map((code, row) => (row === 59 ? 2 : code - 2));
      const features = [numberFeature(codes, 2), categoryFeature(Array(60).fill(0), 3), categoryFeature(codes, 2)];
      const input = inputOf(features, classes, 4);
      const probabilities = probabilitiesOf(fitNaiveBayes(input, { variant, smoothing: 1e-3 }), input.view);
      for (let at = 0; at < probabilities.length; at += 4) {
        const row = probabilities.subarray(at, at + 4);
        expect(row.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 12);
        expect(row[3]!).toBeLessThanOrEqual(row[classes[at / 4]!]!);
      }
      expect(correctCount(probabilities, input, input.rows)).toBeGreaterThanOrEqual(58);
    },
  );

  test("a class without rows never wins", () => {
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom(...variants), (seed, variant) => {
        const input = { ...drawInput({ seed, rowCount: 60, classCount: 3, bucketCounts: wide }), classCount: 4 };
        const probabilities = probabilitiesOf(fitNaiveBayes(input, { variant, smoothing: 1 }), input.view);
        for (let at = 0; at < probabilities.length; at += 4) {
          expect(probabilities[at + 3]!).toBeLessThan(Math.max(...probabilities.subarray(at, at + 3)));
        }
      }),
      { numRuns: 30 },
    );
  });

  test.each(variants)("without time it is still whole, cancelled it throws: %s", (variant) => {
    const input = drawInput({ seed: 14, rowCount: 400, classCount: 3, bucketCounts: wide });
    const late = { ...input, stop: { cancelled: () => false, timeIsUp: () => true } };
    const probabilities = probabilitiesOf(fitNaiveBayes(late, { variant, smoothing: 1 }), input.view);
    expect(correctCount(probabilities, input, input.rows)).toBeGreaterThan(150);
    const gone = { ...input, stop: { cancelled: () => true, timeIsUp: () => false } };
    expect(() => fitNaiveBayes(gone, { variant, smoothing: 1 })).toThrow(Cancelled);
  });
});

describe("selectFeatures", () => {
  test("takes the path of a greedy search that counts every row out by itself", () => {
    for (const [seed, classCount] of [
      [21, 2],
      [22, 3],
      [23, 4],
    ] as const) {
      const input = drawInput({ seed, rowCount: 64, classCount, bucketCounts: [4, 3, 4, 2] });
      let best = naiveCriterion(input, []);
      let chosen: number[] = [];
      for (let grew = true; grew; ) {
        grew = false;
        const base = chosen;
        for (const index of input.view.features.keys()) {
          if (base.includes(index)) continue;
          const criterion = naiveCriterion(input, [...base, index]);
          if (criterion <= best) continue;
          best = criterion;
          chosen = [...base, index];
          grew = true;
        }
      }
      expect(chosen.length).toBeGreaterThan(0);
      expect(searchFeatures(input, countBayesTables(input, 1))).toEqual(chosen.sort((a, b) => a - b));
    }
  });

  test("leaves out a copy of a feature, and of many features of noise all but few", () => {
    const drawn = drawInput({ seed: 24, rowCount: 1200, classCount: 2, bucketCounts: [4, 3] });
    const noise = drawInput({ seed: 25, rowCount: 1200, classCount: 7, bucketCounts: Array(70).fill(4) });
    const [first, second] = drawn.view.features;
    const features = [first!, first!, second!, ...noise.view.features];
    const input = { ...drawn, view: { rowCount: 1200, features } };
    const selected = searchFeatures(input, countBayesTables(input, 1));
    expect(selected.filter((index) => index < 2)).toHaveLength(1);
    expect(selected.length).toBeLessThan(30);
  });
});

describe("fitWeights", () => {
  test.each([2, 3])("ends at the least naive leave-one-out loss, %d classes", (classCount) => {
    const input = drawInput({ seed: 31, rowCount: 60, classCount, bucketCounts: [4, 3, 4] });
    const { weights, intercepts } = fitWeights(input, countBayesTables(input, 1));
    const loss = (w: number[], b: number[]) => {
      let sum = 0;
      for (const row of input.rows) sum -= logShare(naiveLeftOut(input, row, w, b), input.classes[row]!);
      for (const weight of w) sum += (10 / 2) * (weight - 0.5) ** 2;
      for (const shift of b) sum += (1e-3 / 2) * shift ** 2;
      return sum;
    };
    const least = loss([...weights], [...intercepts]);
    for (const step of [-0.02, 0.02]) {
      for (const index of weights.keys())
        expect(loss(moved(weights, index, step), [...intercepts])).toBeGreaterThan(least);
      for (const k of intercepts.keys()) expect(loss([...weights], moved(intercepts, k, step))).toBeGreaterThan(least);
    }
  });

  test("two copies of a feature share the weight that one would have", () => {
    const one = drawInput({ seed: 32, rowCount: 2000, classCount: 2, bucketCounts: [4], missing: 0 });
    const two = { ...one, view: { rowCount: 2000, features: [one.view.features[0]!, one.view.features[0]!] } };
    const [single] = fitWeights(one, countBayesTables(one, 1)).weights;
    const [left, right] = fitWeights(two, countBayesTables(two, 1)).weights;
    expect(left).toBeCloseTo(right!, 10);
    expect(left! + right!).toBeCloseTo(single!, 1);
  });
});

function moved(values: Float64Array, index: number, step: number): number[] {
  return [...values].map((value, at) => (at === index ? value + step : value));
}
