// Levels of numbers: distinct values and quantiles.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { takeKernel } from "../../../engine/csv/reading-kernel.ts";
import { countBelow, midpointsOf } from "../../../engine/midpoints.ts";
import { levelValues } from "../../../engine/reading/number-levels.ts";
import { MAX_LEVELS } from "../../../engine/table/table.ts";

const kernel = takeKernel();
const NOTHING = { values: new Float64Array(0), weights: new Float64Array(0) };

/** Of values alone. */
function levelsOf(values: Float64Array, weights: Float64Array, maxLevels: number): Float64Array {
  return levelValues(kernel, { values, weights }, NOTHING.values, 1, maxLevels);
}

const anyNumber = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: -50, max: 50 }).map((half) => half / 2),
);

function ascending(values: readonly number[]): Float64Array {
  return Float64Array.from(new Set(values.map((value) => value + 0))).sort();
}

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
    for (const cell of cells) counts[countBelow(midpoints, cell)]!++;
    // 100 cells each but for the bend of the curve between two levels.
    for (const count of counts.subarray(1)) expect(Math.abs(count - 100)).toBeLessThan(30);
  });

  test("are all 65,534 distinct values that may be, and 32,768 quantiles of more", () => {
    const firstLevels = (count: number) =>
      levelValues(
        kernel,
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
          kernel,
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
