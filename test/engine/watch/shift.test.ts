// Two samples of counts: the test agrees with scipy, the index with its formula, and alarms without a change are rare.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Random } from "../../../engine/random.ts";
import { compareCounts, holm } from "../../../engine/watch/shift.ts";

const counts = fc.array(fc.nat(400), { minLength: 1, maxLength: 12 });
const pair = counts.chain((a) =>
  fc.tuple(fc.constant(a), fc.array(fc.nat(400), { minLength: a.length, maxLength: a.length })),
);

/**
 * The larger of scipy.stats.chi2_contingency([a, b], correction=False) with and
 * without lambda_="log-likelihood", scipy 1.10.1.
 */
const BY_SCIPY: [number[], number[], number][] = [
  [[50, 60, 70], [55, 58, 71], 0.889070230139886],
  [[100, 100, 100, 100], [40, 10, 30, 20], 0.0010254923630019972],
  [new Array<number>(10).fill(5_000), [480, 510, 530, 495, 505, 470, 520, 490, 515, 485], 0.7399058845444205],
  [[900, 90, 10], [700, 180, 120], 7.006557738799325e-33],
  [[30, 20], [10, 40], 4.455709060405612e-5],
  [[500, 500, 500, 500], [8, 9, 10, 28], 0.0008403120284716177],
  [[4_000, 500, 300], [90, 25, 20], 1.4078797159817519e-5],
];

test.each(BY_SCIPY)("%j beside %j", (a, b, pValue) => {
  expect(compareCounts(a, b, true).pValue / pValue).toBeCloseTo(1, 9);
});

/**
 * By scipy.stats.hypergeom, twice the smaller tail of the smaller cell, scipy 1.10.1, which is good to eight digits.
 */
test.each([
  [[50, 50], [1_000, 0], 1.619545255286e-58],
  [[999, 1], [5, 5], 3.472627571471406e-10],
] as [number[], number[], number][])("%j beside %j, too few for two cells", (a, b, pValue) => {
  expect(compareCounts(a, b, true).pValue / pValue).toBeCloseTo(1, 6);
});

describe("two samples", () => {
  test("are as unlike one way round as the other", () => {
    fc.assert(
      fc.property(pair, fc.boolean(), ([a, b], isOrdered) => {
        const there = compareCounts(a, b, isOrdered);
        const back = compareCounts(b, a, isOrdered);
        expect(back.cellCount).toBe(there.cellCount);
        expect(back.pValue).toBeCloseTo(there.pValue, 9);
        expect(back.index).toBeCloseTo(there.index, 9);
      }),
    );
  });

  test("of the same shares are alike", () => {
    fc.assert(
      fc.property(counts, fc.integer({ min: 1, max: 9 }), (a, times) => {
        const found = compareCounts(
          a,
          a.map((count) => count * times),
          false,
        );
        expect(found.pValue).toBeCloseTo(1, 6);
        expect(found.index).toBe(0);
      }),
    );
  });

  test("give the index by its formula where no cell is merged", () => {
    const a = [100, 200, 300];
    const b = [60, 30, 10];
    const smoothed = (own: number[]) => {
      const all = own.reduce((sum, count) => sum + count, 0);
      return own.map((count) => (count + 0.5) / (all + 1.5));
    };
    const q = smoothed(b);
    const psi = smoothed(a).reduce((sum, p, at) => sum + (p - q[at]!) * Math.log(p / q[at]!), 0);
    const found = compareCounts(a, b, true);
    expect(found.cellCount).toBe(3);
    expect(found.index).toBeCloseTo(psi - 2 * (1 / 600 + 1 / 100), 12);
  });

  test("have cells merged until each is expected five times in both", () => {
    // Of 1,010 rows in all, 10 are in the second: a cell needs 505.
    expect(compareCounts([505, 300, 195], [0, 5, 5], true).cellCount).toBe(2);
    // Where one would be left, the largest stands against all others.
    expect(compareCounts([400, 300, 300], [4, 3, 3], true).cellCount).toBe(2);
    expect(compareCounts([0, 300, 0], [0, 7, 0], true).cellCount).toBe(1);
    // Neighbours would be merged; of cells without an order, the small ones go together.
    expect(compareCounts([2, 500, 1, 500, 3], [0, 50, 1, 50, 0], true).cellCount).toBe(2);
    expect(compareCounts([30, 500, 30, 500, 30], [2, 50, 2, 50, 2], false).cellCount).toBe(3);
  });

  test("are told apart by a rare cell that stands by itself", () => {
    const a = [0, ...new Array<number>(10).fill(500)];
    const b = [20, ...new Array<number>(10).fill(48)];
    expect(compareCounts(a, b, true).pValue).toBeGreaterThan(0.01);
    const apart = compareCounts(a, b, true, [0]);
    // All 20 of 5,500 rows among the 500: (1/11)^20 or less, twice for the two sides, times two tests.
    expect(apart.pValue).toBeLessThan(4 * 11 ** -20);
    expect(apart.index).toBeGreaterThan(0.1);
    // A cell without a row counts for no test.
    expect(compareCounts([0, ...a], [0, ...b], true, [0])).toEqual(compareCounts([0, ...a], [0, ...b], true));
  });

  test("say nothing where one has no rows", () => {
    expect(compareCounts([5, 6], [0, 0], true)).toEqual({ cellCount: 0, pValue: 1, index: 0 });
    expect(compareCounts([], [], true)).toEqual({ cellCount: 0, pValue: 1, index: 0 });
  });
});

test("Holm's procedure rejects one by one, the least chance first", () => {
  const naive = (pValues: readonly number[], level: number): boolean[] => {
    const rejected = pValues.map(() => false);
    for (let left = pValues.length; left > 0; left--) {
      const open = pValues.map((p, at) => (rejected[at] ? 2 : p));
      const least = Math.min(...open);
      if (least > level / left) break;
      rejected[open.indexOf(least)] = true;
    }
    return rejected;
  };
  const p = fc.oneof(fc.constantFrom(0, 1, 0.001, 0.0025, 0.005, 0.01), fc.double({ min: 0, max: 0.02, noNaN: true }));
  fc.assert(
    fc.property(fc.array(p, { maxLength: 12 }), (pValues) => {
      expect(holm(pValues, 0.01)).toEqual(naive(pValues, 0.01));
    }),
  );
});

test.each([50, 500, 5_000])("batches of %d rows without a change: one of a hundred speaks at most", (rowCount) => {
  const random = new Random(7);
  const BATCHES = 400;
  const COLUMNS = 20;
  const draw = (rows: number) => {
    const cells = new Array<number>(10).fill(0);
    for (let row = 0; row < rows; row++) cells[random.nextBelow(10)]!++;
    return cells;
  };
  let spoken = 0;
  for (let batch = 0; batch < BATCHES; batch++) {
    const pValues = Array.from({ length: COLUMNS }, () => compareCounts(draw(2_000), draw(rowCount), true).pValue);
    if (holm(pValues, 0.01).includes(true)) spoken++;
  }
  // 400 batches at 1%: over 12 come in 0.1% of such runs.
  expect(spoken).toBeLessThanOrEqual(12);
});
