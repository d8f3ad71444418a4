// The test of independence: its moments and exact p-values by enumeration,
// and that shuffled labels do not look significant.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { Random, shuffle } from "../../../engine/random.ts";
import { testIndependence } from "../../../engine/refinement/independence.ts";
import { upperGamma } from "../../../engine/statistics/tail-probabilities.ts";

/** As many rows of each code, and of each class, as the totals say. */
interface Margins {
  codes: readonly number[];
  classes: readonly number[];
}

function repeat(count: number, total: number): number[] {
  return new Array<number>(count).fill(total);
}

/** 0 as often as the first total says, then 1, … */
function spell(totals: readonly number[]): Uint32Array {
  return Uint32Array.from(totals.flatMap((total, index) => repeat(total, index)));
}

function cross(
  codes: ArrayLike<number>,
  classes: ArrayLike<number>,
  codeCount: number,
  classCount: number,
): Int32Array {
  const counts = new Int32Array(codeCount * classCount);
  for (let row = 0; row < codes.length; row++) counts[codes[row]! * classCount + classes[row]!]!++;
  return counts;
}

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

function meanAndVariance(values: readonly number[]): { mean: number; variance: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return { mean, variance: values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length };
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

/** The tests of so many shuffles. */
function testShuffled({ codes, classes }: Margins, shuffleCount: number, seed: number) {
  const codeOfRow = spell(codes);
  const classOfRow = spell(classes);
  expect(codeOfRow.length).toBe(classOfRow.length);
  const random = new Random(seed);
  return Array.from({ length: shuffleCount }, () => {
    shuffle(classOfRow, random);
    return testIndependence(cross(codeOfRow, classOfRow, codes.length, classes.length), classes.length);
  });
}

const rareClasses = [400, 200, 85, 50, 50, 40, 30, 20, 20, 20, 10, 10, 10, 10, 10, 10, 10, 10, 5];

test.each<[string, Margins]>([
  ["uneven codes, three classes", { codes: [100, 60, 30, 10, 5, 1], classes: [120, 70, 16] }],
  ["rare categories, rare classes", { codes: repeat(250, 4), classes: rareClasses }],
])("mean and variance are those of random shuffles: %s", (_, margins) => {
  const shuffleCount = 300;
  const results = testShuffled(margins, shuffleCount, 11);
  const { mean, variance } = meanAndVariance(results.map(({ statistic }) => statistic));
  expect(Math.abs(mean - results[0]!.mean)).toBeLessThan(5 * Math.sqrt(variance / shuffleCount));
  expect(variance / results[0]!.variance).toBeWithin(0.6, 1.6);
});

test.each<[string, Margins, number]>([
  ["ten balanced buckets, two classes", { codes: repeat(10, 200), classes: [1000, 1000] }, 3_000],
  ["200 rare categories, three classes", { codes: repeat(200, 4), classes: [400, 250, 150] }, 1_000],
  ["a class of 3% over 20 buckets", { codes: repeat(20, 100), classes: [60, 1940] }, 3_000],
  ["a class of 3% over 20 small buckets", { codes: repeat(20, 20), classes: [12, 388] }, 6_000],
  ["two codes, six rows of the rare class", { codes: [500, 500], classes: [6, 994] }, 3_000],
  ["uneven codes, six rows of the rare class", { codes: [100, 900], classes: [6, 994] }, 3_000],
  ["200 rare categories, a class of 3%", { codes: repeat(200, 4), classes: [24, 776] }, 3_000],
  ["three rows of the rare class over 250 categories", { codes: repeat(250, 4), classes: [3, 997] }, 3_000],
  ["a small code and a small class", { codes: [900, 95, 5], classes: [800, 180, 20] }, 3_000],
  ["rare categories, rare classes", { codes: repeat(250, 4), classes: rareClasses }, 300],
])("shuffled labels do not look significant: %s", (_, margins, shuffleCount) => {
  const pValues = testShuffled(margins, shuffleCount, 5).map(({ pValue }) => pValue);
  // Four standard errors above a level that is itself generous by a quarter.
  for (const level of [0.1, 0.02, 0.002]) {
    const found = pValues.filter((pValue) => pValue <= level).length;
    const most = 1.25 * level * shuffleCount;
    expect(found).toBeLessThanOrEqual(most + 4 * Math.sqrt(most));
  }
});

test("the p-values of shuffled labels are uniform where there are many rows", () => {
  const pValues = testShuffled({ codes: repeat(10, 100), classes: [300, 700] }, 4_000, 6).map(({ pValue }) => pValue);
  for (const level of [0.02, 0.1, 0.3, 0.5, 0.7, 0.9]) {
    const share = pValues.filter((pValue) => pValue <= level).length / pValues.length;
    expect(Math.abs(share - level)).toBeLessThan(4 * Math.sqrt((level * (1 - level)) / pValues.length) + 0.005);
  }
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
