// Gradients and hessians as whole numbers: sums stay exact and count their rows.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  GRADIENT_UNIT,
  type GradientPairs,
  pairsByClass,
  pairsByLogOdds,
  pairsOver,
} from "../../../engine/boosting/gradients.ts";

function noMarks(rowCount: number): GradientPairs {
  return pairsOver(new Float64Array(rowCount), new Float64Array(rowCount));
}

/** Gradient pairs every row by log-odds; row 0 alone is of class 1. */
function marksOf(scores: readonly number[]): GradientPairs {
  const pairs = noMarks(scores.length);
  const rows = Int32Array.from(scores, (_, row) => row);
  const classes = Uint8Array.from(scores, (_, row) => (row === 0 ? 1 : 0));
  pairsByLogOdds(pairs, Float64Array.from(scores), classes, rows, scores.length);
  return pairs;
}

function expectExact({ gradients, hessians, gradientSum, hessianSum, countSpan }: GradientPairs): void {
  const sumOf = (values: Float64Array) => values.reduce((sum, value) => sum + BigInt(value), 0n);
  expect(sumOf(gradients)).toBe(BigInt(gradientSum));
  expect(sumOf(hessians)).toBe(BigInt(hessianSum));
  expect(hessianSum).toBeLessThan(2 ** 53);
  expect(hessianSum % countSpan).toBe(hessians.length);
}

describe("pairs", () => {
  test("sum exactly, count their rows, and are near what they stand for", () => {
    const score = fc.oneof(fc.double({ min: -40, max: 40, noNaN: true }), fc.constantFrom(0, -800, 800));
    fc.assert(
      fc.property(fc.array(score, { minLength: 1, maxLength: 80 }), (scores) => {
        const pairs = marksOf(scores);
        expectExact(pairs);
        const probabilities = scores.map((own) => 1 / (1 + Math.exp(-own)));
        const hessianSum = probabilities.reduce((sum, p) => sum + p * (1 - p), 0);
        expect(Math.abs(pairs.hessianSum * pairs.hessianUnit - hessianSum)).toBeLessThanOrEqual(
          scores.length * pairs.hessianUnit * pairs.countSpan + 1e-9 * hessianSum,
        );
        pairs.gradients.forEach((gradient, row) => {
          expect(gradient * GRADIENT_UNIT).toBeCloseTo(probabilities[row]! - (row === 0 ? 1 : 0), 8);
        });
      }),
    );
  });

  test("are exact to the last row where the sums come closest to 2^53", () => {
    for (const count of [2 ** 16, 2 ** 16 - 1, 2 ** 17 - 1, 100_000]) expectExact(marksOf(new Array(count).fill(0)));
  });

  test("of one class among several follow its probability", () => {
    const pairs = noMarks(2);
    const logSums = Float64Array.of(Math.log(4), Math.log(2));
    pairsByClass(pairs, new Float64Array(2), logSums, Uint8Array.of(2, 0), 2, Int32Array.of(1, 0), 2, null);
    expect([...pairs.gradients].map((gradient) => gradient * GRADIENT_UNIT)).toEqual([-0.75, 0.5]);
    expect(pairs.hessians[1]! / pairs.hessians[0]!).toBeCloseTo(0.25 / 0.1875, 6);
  });
});
