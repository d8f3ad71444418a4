// Sums brought to other scales: exact in sum, with the sign of each part, also where classes are all but ruled out.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { logsOfScores, logsOfShares, sharesOfScores, totals } from "../../../engine/explain/log-shares.ts";
import { softmaxInPlace } from "../../../engine/fitting/score-tables.ts";

const LEAST = 0.002;

/** Scores of up to 30 features and 5 classes; large ones leave nothing to some classes. */
const scores = fc
  .tuple(fc.integer({ min: 2, max: 5 }), fc.integer({ min: 1, max: 30 }), fc.constantFrom(0.01, 1, 20, 200))
  .chain(([classCount, featureCount, scale]) => {
    const value = fc.double({ min: -scale, max: scale, noNaN: true });
    const some = (count: number) => fc.array(value, { minLength: count, maxLength: count });
    return fc
      .tuple(some(classCount), some(classCount * featureCount))
      .map(([base, own]) => ({ base: Float64Array.from(base), contributions: Float64Array.from(own) }));
  });

function softmax(values: Float64Array): Float64Array {
  const probabilities = values.slice();
  softmaxInPlace(probabilities, 0, values.length);
  return probabilities;
}

function expectClose(actual: Float64Array, expected: Float64Array): void {
  for (const [k, value] of expected.entries()) {
    expect(Math.abs(actual[k]! - value)).toBeLessThan(1e-7 * (1 + Math.abs(value)));
  }
}

describe("scores", () => {
  test("come to the logarithms of their softmax, with and without a least share", () => {
    fc.assert(
      fc.property(scores, (given) => {
        const plain = logsOfScores(given, 0);
        expectClose(softmax(totals(plain.base, plain.contributions)), softmax(totals(given.base, given.contributions)));
        const raised = logsOfScores(given, LEAST);
        const expected = softmax(totals(given.base, given.contributions)).map((p) => Math.log(p + LEAST));
        expectClose(totals(raised.base, raised.contributions), expected);
      }),
    );
  });

  test("come to their softmax itself", () => {
    fc.assert(
      fc.property(scores, (given) => {
        const { base, contributions } = sharesOfScores(given);
        expectClose(base, softmax(given.base));
        expectClose(totals(base, contributions), softmax(totals(given.base, given.contributions)));
      }),
    );
  });

  test("keep their sign between two classes", () => {
    fc.assert(
      fc.property(scores, (given) => {
        const own = { base: given.base.slice(0, 2), contributions: given.contributions.slice(0, 2) };
        const { contributions } = logsOfScores(own, LEAST);
        const before = own.contributions[1]! - own.contributions[0]!;
        expect(Math.sign(contributions[1]! - contributions[0]!) * Math.sign(before)).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

test("shares come to logarithms, and each part keeps its sign", () => {
  fc.assert(
    fc.property(scores, (given) => {
      const shares = sharesOfScores(given);
      const { base, contributions } = logsOfShares(shares, LEAST);
      const expected = totals(shares.base, shares.contributions).map((p) => Math.log(Math.max(0, p) + LEAST));
      expectClose(totals(base, contributions), expected);
      for (const [at, own] of contributions.entries()) {
        expect(Math.sign(own)).toBe(Math.sign(shares.contributions[at]!));
      }
    }),
  );
});
