// Gradients and hessians as whole numbers: sums stay exact and count their rows; and the pool that lends histograms of them.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { HistogramPool } from "../../../engine/families/additive-histogram.ts";
import {
  GRADIENT_UNIT,
  type GradientMarks,
  markByClass,
  markByLogOdds,
  newGradientMarks,
} from "../../../engine/families/additive-marks.ts";

/** Marks every row by log-odds; row 0 alone is of class 1. */
function marksOf(scores: readonly number[]): GradientMarks {
  const marks = newGradientMarks(scores.length);
  const gathered = newGradientMarks(scores.length);
  const rows = Int32Array.from(scores, (_, row) => row);
  const classes = Uint8Array.from(scores, (_, row) => (row === 0 ? 1 : 0));
  markByLogOdds(marks, gathered, Float64Array.from(scores), classes, rows, scores.length);
  expect(gathered.gradients).toEqual(marks.gradients);
  expect(gathered.weights).toEqual(marks.weights);
  return marks;
}

function expectExact({ gradients, weights, gradientSum, weightSum, countSpan }: GradientMarks): void {
  const sumOf = (values: Float64Array) => values.reduce((sum, value) => sum + BigInt(value), 0n);
  expect(sumOf(gradients)).toBe(BigInt(gradientSum));
  expect(sumOf(weights)).toBe(BigInt(weightSum));
  expect(weightSum).toBeLessThan(2 ** 53);
  expect(weightSum % countSpan).toBe(weights.length);
}

describe("marks", () => {
  test("sum exactly, count their rows, and are near what they stand for", () => {
    const score = fc.oneof(fc.double({ min: -40, max: 40, noNaN: true }), fc.constantFrom(0, -800, 800));
    fc.assert(
      fc.property(fc.array(score, { minLength: 1, maxLength: 80 }), (scores) => {
        const marks = marksOf(scores);
        expectExact(marks);
        const probabilities = scores.map((own) => 1 / (1 + Math.exp(-own)));
        const hessianSum = probabilities.reduce((sum, p) => sum + p * (1 - p), 0);
        expect(Math.abs(marks.weightSum * marks.weightUnit - hessianSum)).toBeLessThanOrEqual(
          scores.length * marks.weightUnit * marks.countSpan + 1e-9 * hessianSum,
        );
        marks.gradients.forEach((gradient, row) => {
          expect(gradient * GRADIENT_UNIT).toBeCloseTo(probabilities[row]! - (row === 0 ? 1 : 0), 8);
        });
      }),
    );
  });

  test("are exact to the last row where the sums come closest to 2^53", () => {
    for (const count of [2 ** 16, 2 ** 16 - 1, 2 ** 17 - 1, 100_000]) expectExact(marksOf(new Array(count).fill(0)));
  });

  test("of one class among several follow its probability", () => {
    const marks = newGradientMarks(2);
    const logSums = Float64Array.of(Math.log(4), Math.log(2));
    const gathered = newGradientMarks(2);
    markByClass(marks, gathered, new Float64Array(2), logSums, Uint8Array.of(2, 0), 2, Int32Array.of(1, 0), 2);
    expect([...marks.gradients].map((gradient) => gradient * GRADIENT_UNIT)).toEqual([-0.75, 0.5]);
    expect(gathered.gradients).toEqual(marks.gradients.slice().reverse());
    expect(marks.weights[1]! / marks.weights[0]!).toBeCloseTo(0.25 / 0.1875, 6);
  });
});

describe("the pool of histograms", () => {
  test("lends as many as its memory holds, all zero, and lends again what came back", () => {
    const pool = new HistogramPool(100);
    pool.reset(4);
    const slots = [pool.take(), pool.take(), pool.take()];
    expect(slots).toEqual([0, 1, 2]);
    expect(pool.take()).toBe(-1);
    pool.cellsOf(1).fill(7);
    pool.giveBack(1);
    expect(pool.take()).toBe(1);
    expect([...pool.cellsOf(1)]).toEqual([0, 0, 0, 0]);
    pool.giveBack(-1);
    expect(pool.take()).toBe(-1);
    pool.reset(12);
    expect(pool.take()).toBe(0);
    expect(pool.cellsOf(0)).toHaveLength(12);
    expect(pool.take()).toBe(-1);
  });
});
