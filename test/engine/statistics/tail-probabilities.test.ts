// Tail probabilities: values computed with 60 digits, identities, and naive sums.
import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  upperFairCoin,
  upperGamma,
  upperHypergeometric,
  upperNormal,
} from "../../../engine/statistics/tail-probabilities.ts";

/** Passes where the two agree to a share of the second. */
function expectNear(actual: number, expected: number, share = 1e-10): void {
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(share * Math.abs(expected));
}

test.each([
  [0.00005, 1, 1.0969757900902e-5],
  [0.01, 1.5, 0.0010135430224953],
  [0.01, 10, 4.2817049774099e-8],
  [0.01, 60, 1.5046561796622e-30],
  [0.5, 0.01, 0.88753708398172],
  [0.5, 60, 6.3260682636773e-28],
  [0.5, 400, 5.3958656116079e-176],
  [1.4, 1.4, 0.38788098135151],
  [1.4, 3.5, 0.061801161558764],
  [1.4, 84, 2.2027803479242e-36],
  [2.5, 0.75, 0.9130698145444],
  [2.5, 25, 1.385797336701e-9],
  [7, 7, 0.4497110558487],
  [15, 150, 2.6480484856309e-46],
  [50, 15, 0.99999999999909],
  [50, 125, 7.7669364035392e-15],
  [333.25, 333.25, 0.49271531254227],
  [333.25, 833.125, 4.8132666635729e-87],
  [5000, 5500, 3.6183295580965e-12],
  [63000, 62937, 0.59861103991529],
  [63000, 63063, 0.40042688730812],
  [63000, 69300, 7.6632512671091e-131],
])("upper gamma of shape %d at %d", (shape, x, expected) => {
  expectNear(upperGamma(shape, x), expected);
});

test("the upper gamma of shape 1 is the exponential tail, down to the end of doubles", () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 700, noNaN: true }), (x) => expectNear(upperGamma(1, x), Math.exp(-x))),
  );
});

test("the upper gamma of a whole shape is a Poisson sum", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), fc.double({ min: 0.001, max: 300, noNaN: true }), (shape, x) => {
      let term = Math.exp(-x);
      let sum = term;
      for (let k = 1; k < shape; k++) {
        term *= x / k;
        sum += term;
      }
      expectNear(upperGamma(shape, x), sum, 1e-11);
    }),
  );
});

test("the upper gamma obeys the recurrence in its shape on both sides of the switch of method", () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.1, max: 400, noNaN: true }),
      fc.double({ min: 0.2, max: 3, noNaN: true }),
      (shape, ratio) => {
        const x = shape * ratio;
        let logGamma = 0;
        // ln Γ(shape + 1) by shifting up to where Stirling's two terms are exact.
        let at = shape + 1;
        for (; at < 1000; at++) logGamma -= Math.log(at);
        logGamma += (at - 0.5) * Math.log(at) - at + 0.5 * Math.log(2 * Math.PI) + 1 / (12 * at) - 1 / (360 * at ** 3);
        const step = Math.exp(shape * Math.log(x) - x - logGamma);
        expectNear(upperGamma(shape + 1, x), upperGamma(shape, x) + step, 1e-9);
      },
    ),
  );
});

test("the upper gamma at the ends", () => {
  expect(upperGamma(3, 0)).toBe(1);
  expect(upperGamma(3, -1)).toBe(1);
  expect(upperGamma(3, Number.POSITIVE_INFINITY)).toBe(0);
  expect(upperGamma(3, 1e5)).toBe(0);
  expect(upperGamma(Number.NaN, 1)).toBeNaN();
  expect(upperGamma(1, Number.NaN)).toBeNaN();
  expect(upperGamma(0, 1)).toBeNaN();
});

test.each([
  [-8, 1],
  [-1, 0.84134474606854],
  [0, 0.5],
  [1e-9, 0.49999999960106],
  [0.1, 0.46017216272297],
  [1.6448536269515, 0.05],
  [2, 0.022750131948179],
  [5, 2.8665157187919e-7],
  [12, 1.7764821120777e-33],
  [20, 2.7536241186062e-89],
  [37, 5.7255712225246e-300],
])("upper normal at %d", (z, expected) => {
  expectNear(upperNormal(z), expected);
});

test("the normal tails on both sides sum to 1, and fall", () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 36, noNaN: true }), (z) => {
      expectNear(upperNormal(z) + upperNormal(-z), 1, 1e-15);
      expect(upperNormal(z + 0.01)).toBeLessThan(upperNormal(z));
    }),
  );
});

test("hypergeometric tails", () => {
  expectNear(upperHypergeometric(12, 40, 60, 1000), 1.0947080065481e-6);
  expectNear(upperHypergeometric(3, 3, 250, 1000), 0.01548442229805);
  expectNear(upperHypergeometric(290, 10000, 300, 20000), 9.7819108476243e-74);
  expect(upperHypergeometric(0, 5, 3, 10)).toBe(1);
  expect(upperHypergeometric(3, 8, 5, 10)).toBe(1);
  expect(upperHypergeometric(4, 8, 3, 10)).toBe(0);
});

test("hypergeometric tails are the naive sums, and the sample and the marked rows change places", () => {
  const anyCase = fc
    .integer({ min: 1, max: 40 })
    .chain((total) =>
      fc.tuple(fc.integer({ min: 0, max: total }), fc.integer({ min: 0, max: total }), fc.constant(total)),
    );
  fc.assert(
    fc.property(anyCase, fc.integer({ min: -1, max: 41 }), ([sample, marked, total], drawn) => {
      let sum = 0;
      for (let count = Math.max(0, drawn); count <= Math.min(sample, marked); count++) {
        sum += (choose(marked, count) * choose(total - marked, sample - count)) / choose(total, sample);
      }
      expect(upperHypergeometric(drawn, sample, marked, total)).toBeCloseTo(sum, 12);
      expect(upperHypergeometric(drawn, marked, sample, total)).toBeCloseTo(sum, 12);
    }),
  );
});

test("fair-coin tails are the sums of whole numbers", () => {
  fc.assert(
    fc.property(fc.nat(800), fc.nat(800), (one, other) => {
      const [heads, throws] = [Math.min(one, other), Math.max(one, other)];
      let ways = 1n;
      let sum = 0n;
      for (let count = 0; count <= throws; count++) {
        if (count >= heads) sum += ways;
        ways = (ways * BigInt(throws - count)) / BigInt(count + 1);
      }
      const digits = 10n ** 18n;
      expect(upperFairCoin(heads, throws)).toBeCloseTo(Number((sum * digits) >> BigInt(throws)) / 1e18, 10);
    }),
  );
});

function choose(all: number, some: number): number {
  if (some < 0 || some > all) return 0;
  let ways = 1;
  for (let i = 1; i <= some; i++) ways = (ways * (all - some + i)) / i;
  return ways;
}
