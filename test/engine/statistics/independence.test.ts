// The test of independence: its moments and exact p-values by enumeration.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { Random, shuffle } from "../../../engine/random.ts";
import { testIndependence } from "../../../engine/statistics/independence.ts";
import { upperGamma } from "../../../engine/statistics/tail-probabilities.ts";
import { cross, meanAndVariance, spell } from "./margins.ts";

/** X² of every shuffle of the labels, each as often as the others: all arrangements of the classes over the rows. */
function everyStatistic(codes: readonly number[], classes: readonly number[]): number[] {
  const left = [0, 0, 0].map((_, k) => classes.filter((code) => code === k).length);
  const arranged: number[] = [];
  const statistics: number[] = [];
  const extend = () => {
    if (arranged.length === codes.length) statistics.push(naiveStatistic(codes, arranged));
    for (let k = 0; k < left.length; k++) {
      if (left[k] === 0) continue;
      left[k]!--;
      arranged.push(k);
      extend();
      arranged.pop();
      left[k]!++;
    }
  };
  extend();
  return statistics;
}

function naiveStatistic(codes: readonly number[], classes: readonly number[]): number {
  let sum = 0;
  for (const code of new Set(codes)) {
    for (const k of new Set(classes)) {
      const ofCode = codes.filter((value) => value === code).length;
      const expected = (ofCode * classes.filter((value) => value === k).length) / codes.length;
      const count = codes.filter((value, row) => value === code && classes[row] === k).length;
      sum += (count - expected) ** 2 / expected;
    }
  }
  return sum;
}

const tinyTable = fc
  .integer({ min: 4, max: 8 })
  .chain((rowCount) =>
    fc.tuple(
      fc.array(fc.integer({ min: 0, max: 3 }), { minLength: rowCount, maxLength: rowCount }),
      fc.array(fc.integer({ min: 0, max: 2 }), { minLength: rowCount, maxLength: rowCount }),
    ),
  )
  .filter(([codes, classes]) => new Set(codes).size > 1 && new Set(classes).size > 1);

test("statistic, mean and variance are those of all shuffles, enumerated", () => {
  fc.assert(
    fc.property(tinyTable, ([codes, classes]) => {
      const result = testIndependence(cross(codes, classes, 4, 3), 3);
      const { mean, variance } = meanAndVariance(everyStatistic(codes, classes));
      expect(result.statistic).toBeCloseTo(naiveStatistic(codes, classes), 9);
      expect(result.mean).toBeCloseTo(mean, 9);
      expect(result.variance).toBeCloseTo(variance, 8);
    }),
    { numRuns: 60 },
  );
});

test("of two codes and two classes the p-value is the share of shuffles as far from independence", () => {
  const binary = fc.array(fc.tuple(fc.integer({ min: 0, max: 1 }), fc.integer({ min: 0, max: 1 })), {
    minLength: 2,
    maxLength: 10,
  });
  fc.assert(
    fc.property(binary, (rows) => {
      const codes = rows.map(([code]) => code);
      const classes = rows.map(([, k]) => k);
      const own = naiveStatistic(codes, classes);
      const all = everyStatistic(codes, classes);
      const share = all.filter((statistic) => statistic >= own - 1e-9).length / all.length;
      expect(testIndependence(cross(codes, classes, 2, 2), 2).pValue).toBeCloseTo(share, 9);
    }),
    { numRuns: 60 },
  );
});

test("of tiny tables no p-value is far below the share of shuffles as far from independence", () => {
  fc.assert(
    fc.property(tinyTable, ([codes, classes]) => {
      const own = naiveStatistic(codes, classes);
      const all = everyStatistic(codes, classes);
      const share = all.filter((statistic) => statistic >= own - 1e-9).length / all.length;
      // Three standard errors of a share of 10,000 drawn tables.
      const drawn = 3 * Math.sqrt(share / 10_000);
      expect(testIndependence(cross(codes, classes, 4, 3), 3).pValue).toBeGreaterThan(
        Math.min(0.1, share / 2 - drawn) - 1e-12,
      );
    }),
    { numRuns: 60 },
  );
});

test("three rows that meet in a code by chance are no discovery, though the gamma distribution alone says so", () => {
  const counts = new Int32Array(250 * 2);
  for (let code = 0; code < 250; code++) {
    counts[2 * code] = code === 0 ? 2 : code === 1 ? 1 : 0;
    counts[2 * code + 1] = 4 - counts[2 * code]!;
  }
  const { pValue, statistic, mean, variance } = testIndependence(counts, 2);
  expect(upperGamma(mean ** 2 / variance, (statistic * mean) / variance)).toBeLessThan(1e-9);
  // Two of three rows share one of 250 codes of four rows: 9 in 999, nearly.
  expect(pValue).toBeWithin(0.005, 0.015);
});

test("signal is found in sparse tables too, and more of it gives less of a p-value", () => {
  const random = new Random(3);
  const codes = Uint32Array.from({ length: 1_000 }, (_, row) => row % 250);
  const pValueAt = (strength: number) => {
    const classes = codes.map((code) => (random.nextFloat() < strength ? (code * 7) % 19 : random.nextBelow(19)));
    return testIndependence(cross(codes, classes, 250, 19), 19).pValue;
  };
  const weak = pValueAt(0.3);
  const strong = pValueAt(0.8);
  expect(weak).toBeLessThan(1e-3);
  expect(strong).toBeLessThan(1e-30);
  expect(strong).toBeLessThan(weak);
});

test("one code, one class, or no rows leave nothing to test", () => {
  expect(testIndependence(Int32Array.of(5, 3, 0, 0), 2).pValue).toBe(1);
  expect(testIndependence(Int32Array.of(5, 0, 3, 0), 2).pValue).toBe(1);
  expect(testIndependence(new Int32Array(6), 3).pValue).toBe(1);
  expect(testIndependence(new Int32Array(0), 3).pValue).toBe(1);
});

test("codes of one row each, and tables of three rows, tell nothing", () => {
  expect(testIndependence(Int32Array.of(1, 0, 0, 1, 1, 0, 0, 1, 1, 0), 2).pValue).toBe(1);
  expect(testIndependence(Int32Array.of(1, 0, 0, 1, 1, 0), 2).pValue).toBe(1);
});

test("empty codes and classes change nothing, nor does asking twice", () => {
  const margins = { codes: [30, 9, 1, 2], classes: [30, 9, 3] };
  const codes = spell(margins.codes);
  const classes = spell(margins.classes);
  const bare = testIndependence(cross(codes, classes, 4, 3), 3);
  const spaced = cross(
    codes.map((code) => 2 * code + 1),
    classes.map((code) => code + 1),
    9,
    5,
  );
  expect(testIndependence(spaced, 5)).toEqual(bare);
  expect(testIndependence(spaced, 5)).toEqual(bare);
});

test("of many rows codes and classes change places", () => {
  const { codes, classes } = { codes: spell([500, 300, 200]), classes: spell([100, 850, 50]) };
  shuffle(classes, new Random(8));
  const there = testIndependence(cross(codes, classes, 3, 3), 3);
  const back = testIndependence(cross(classes, codes, 3, 3), 3);
  expect(back.pValue).toBeCloseTo(there.pValue, 12);
  expect(back.statistic).toBeCloseTo(there.statistic, 9);
});
