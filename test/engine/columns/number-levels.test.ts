// Levels of numbers: distinct values, quantiles, the nearest level, and the sample of rows they come from.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { levelValues, midpointsOf, nearestIndex } from "../../../engine/columns/number-levels.ts";
import { NumberSample } from "../../../engine/columns/number-sample.ts";
import { FITS_ALL, FITS_PLAIN, PLAIN_FORM } from "../../../engine/columns/numbers.ts";

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
        expect([...levelValues(values, weights, 1000)]).toEqual([...ascending(numbers)]);
      }),
    );
  });

  test("beyond that each stand for about the same share of the cells", () => {
    const cells = Float64Array.from({ length: 10_000 }, (_, at) => (at / 10_000) ** 3);
    const levels = levelValues(cells, new Float64Array(cells.length).fill(1), 100);
    expect(levels.length).toBe(100);
    const midpoints = midpointsOf(levels);
    const counts = new Uint32Array(100);
    for (const cell of cells) counts[nearestIndex(midpoints, cell)]!++;
    // 100 cells each but for the bend of the curve between two levels.
    for (const count of counts.subarray(1)) expect(Math.abs(count - 100)).toBeLessThan(30);
  });

  test("hold a frequent value once", () => {
    const values = Float64Array.from({ length: 50 }, (_, at) => at);
    const weights = values.map((value) => (value === 20 ? 1000 : 1));
    const levels = levelValues(values, weights, 10);
    expect(levels).toContain(20);
    expect(new Set(levels).size).toBe(levels.length);
    expect(levels.length).toBeLessThanOrEqual(10);
  });
});

describe("number sample", () => {
  test("keeps every number while it may, and reads it in the form that is chosen later", () => {
    const sample = new NumberSample(100);
    ["1.234", "12", "x", "-5.678", "1,5"].forEach((text, row) => {
      sample.add(row, text, FITS_ALL);
    });
    expect([...sample.valuesIn(PLAIN_FORM)]).toEqual([1.234, 12, -5.678]);
    expect([...sample.valuesIn({ decimal: ",", grouping: ".", affix: "" })]).toEqual([1234, 12, -5678, 1.5]);
    expect([...sample.valuesIn({ decimal: ",", grouping: "", affix: "" })]).toEqual([12, 1.5]);
    expect(sample.weight).toBe(1);
  });

  test("keeps affixed numbers apart from plain ones", () => {
    const sample = new NumberSample(100);
    ["$1,234", "$5"].forEach((text, row) => {
      sample.add(row, text, FITS_ALL);
    });
    expect([...sample.valuesIn({ decimal: ".", grouping: ",", affix: "$" })]).toEqual([1234, 5]);
    expect([...sample.valuesIn(PLAIN_FORM)]).toEqual([]);
  });

  test("beyond its bound is a fair part of the rows, the same whatever else the column holds", () => {
    const sample = new NumberSample(1000);
    for (let row = 0; row < 20_000; row++) sample.add(row, String(row), FITS_PLAIN);
    const kept = sample.valuesIn(PLAIN_FORM);
    expect(kept.length).toBeLessThanOrEqual(1000);
    expect(Math.abs((kept.length * sample.weight) / 20_000 - 1)).toBeLessThan(0.15);
    const mean = kept.reduce((sum, value) => sum + value, 0) / kept.length;
    expect(Math.abs(mean / 10_000 - 1)).toBeLessThan(0.1);
  });
});
