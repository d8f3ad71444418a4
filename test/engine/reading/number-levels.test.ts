// Levels of numbers: distinct values, quantiles, and the nearest level.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { levelValues, midpointsOf, nearestIndex } from "../../../engine/reading/number-levels.ts";
import { MAX_LEVELS } from "../../../engine/table.ts";

const NOTHING = { values: new Float64Array(0), weights: new Float64Array(0) };

/** Of values alone. */
function levelsOf(values: Float64Array, weights: Float64Array, maxLevels: number): Float64Array {
  return levelValues({ values, weights }, NOTHING.values, 1, maxLevels);
}

const anyNumber = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: -50, max: 50 }).map((half) => half / 2),
);

function ascending(values: readonly number[]): Float64Array {
  return Float64Array.from(new Set(values.map((value) => value + 0))).sort();
}

function naiveNearest(values: Float64Array, value: number): number {
  let nearest = 0;
  for (let at = 1; at < values.length; at++) {
    if (Math.abs(values[at]! - value) < Math.abs(values[nearest]! - value)) nearest = at;
  }
  return nearest;
}

describe("nearest level", () => {
  test("is the one that a search of all finds, ties going down", () => {
    const halves = fc.integer({ min: -400, max: 400 }).map((half) => half / 2);
    fc.assert(
      fc.property(fc.array(halves, { minLength: 1 }), fc.array(halves.map((half) => half / 2)), (levels, cells) => {
        const values = ascending(levels);
        const midpoints = midpointsOf(values);
        for (const cell of cells) expect(nearestIndex(midpoints, cell)).toBe(naiveNearest(values, cell));
      }),
      { numRuns: 500 },
    );
  });

  test("of a level's own value is that level, at any magnitude", () => {
    fc.assert(
      fc.property(fc.array(anyNumber, { minLength: 1 }), (levels) => {
        const values = ascending(levels);
        const midpoints = midpointsOf(values);
        values.forEach((value, at) => {
          expect(nearestIndex(midpoints, value)).toBe(at);
        });
      }),
      { numRuns: 500 },
    );
    const close = Float64Array.of(
      -5e-324,
      0,
      5e-324,
      1e-323,
      1,
      1 + Number.EPSILON,
      1 + 2 * Number.EPSILON,
      Number.MAX_VALUE,
    );
    expect([...close].map((value) => nearestIndex(midpointsOf(close), value))).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });
});

describe("level values", () => {
  test("are all distinct values where they fit", () => {
    fc.assert(
      fc.property(fc.array(anyNumber), (numbers) => {
        const values = Float64Array.from(numbers, (value) => value + 0);
        const weights = new Float64Array(values.length).fill(1);
        expect([...levelsOf(values, weights, 1000)]).toEqual([...ascending(numbers)]);
      }),
    );
  });

  test("beyond that each stand for about the same share of the cells", () => {
    const cells = Float64Array.from({ length: 10_000 }, (_, at) => (at / 10_000) ** 3);
    const levels = levelsOf(cells, new Float64Array(cells.length).fill(1), 100);
    expect(levels.length).toBe(100);
    const midpoints = midpointsOf(levels);
    const counts = new Uint32Array(100);
    for (const cell of cells) counts[nearestIndex(midpoints, cell)]!++;
    // 100 cells each but for the bend of the curve between two levels.
    for (const count of counts.subarray(1)) expect(Math.abs(count - 100)).toBeLessThan(30);
  });

  test("are all 65,534 distinct values that may be, and 32,768 quantiles of more", () => {
    const firstLevels = (count: number) =>
      levelValues(
        NOTHING,
        Float64Array.from({ length: count }, (_, at) => count - at - 1),
        1,
        MAX_LEVELS,
      );
    expect(firstLevels(65_534)).toEqual(Float64Array.from({ length: 65_534 }, (_, at) => at));
    const levels = firstLevels(100_000);
    expect(levels.length).toBe(32_768);
    const steps = levels.subarray(1).map((level, at) => level - levels[at]!);
    expect([Math.min(...steps), Math.max(...steps), levels[0]]).toEqual([3, 4, 1]);
  });

  test("hold a frequent value once", () => {
    const values = Float64Array.from({ length: 50 }, (_, at) => at);
    const weights = values.map((value) => (value === 20 ? 1000 : 1));
    const levels = levelsOf(values, weights, 10);
    expect(levels).toContain(20);
    expect(new Set(levels).size).toBe(levels.length);
    expect(levels.length).toBeLessThanOrEqual(10);
  });

  test("are those at the middles of equal shares of all cells, listed and sampled", () => {
    const number = fc.integer({ min: -40, max: 40 });
    const listed = fc.array(fc.tuple(number, fc.integer({ min: 1, max: 9 })), { minLength: 1 });
    const sampled = fc.array(number);
    fc.assert(
      fc.property(listed, sampled, fc.constantFrom(1, 4), fc.nat(11), (pairs, sample, weight, last) => {
        const most = last + 1;
        const weighted = [...pairs, ...sample.map((value): [number, number] => [value, weight])];
        const cells = weighted
          .flatMap(([value, count]) => Array.from({ length: count }, () => value))
          .sort((a, b) => a - b);
        const distinct = [...new Set(cells)];
        const middles = Array.from(
          { length: most },
          (_, share) => cells[Math.ceil(((share + 0.5) / most) * cells.length) - 1]!,
        );
        const found = levelValues(
          { values: Float64Array.from(pairs, ([value]) => value), weights: Float64Array.from(pairs, ([, own]) => own) },
          Float64Array.from(sample),
          weight,
          most,
        );
        expect([...found]).toEqual(distinct.length <= most ? distinct : [...new Set(middles)]);
      }),
      { numRuns: 500 },
    );
  });
});
