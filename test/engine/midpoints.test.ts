// The nearest of ascending numbers, and that a value has the same code by its nearest level as by itself.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { codeOfNumber, codeTable, fitBuckets, type NumberBuckets } from "../../engine/buckets.ts";
import { countBelow, midpointsOf } from "../../engine/midpoints.ts";
import { levelValues } from "../../engine/reading/number-levels.ts";
import { takeKernel } from "../../engine/reading/reading-kernel.ts";
import { FIRST_LEVEL, type Table } from "../../engine/table.ts";
import { everyRow } from "../support/tables.ts";

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
        for (const cell of cells) expect(countBelow(midpoints, cell)).toBe(naiveNearest(values, cell));
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
          expect(countBelow(midpoints, value)).toBe(at);
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
    expect([...close].map((value) => countBelow(midpointsOf(close), value))).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });
});

const kernel = takeKernel();

test("buckets of quantile levels code a fitting value alike by its nearest level and by itself", () => {
  const cells = fc.array(fc.double({ min: -5, max: 5, noNaN: true }), { minLength: 20, maxLength: 200 });
  fc.assert(
    fc.property(cells, fc.integer({ min: 4, max: 15 }), fc.integer({ min: 2, max: 12 }), (drawn, most, maxBuckets) => {
      const weights = new Float64Array(drawn.length).fill(1);
      const listed = { values: Float64Array.from(drawn), weights };
      const values = levelValues(kernel, listed, new Float64Array(0), 1, most);
      const midpoints = midpointsOf(values);
      const table: Table = {
        rowCount: drawn.length,
        features: [{ kind: "number", name: "x", column: 0, part: null, values }],
        levels: [Uint16Array.from(drawn, (value) => FIRST_LEVEL + countBelow(midpoints, value))],
        labels: ["a", "b"],
        classes: Uint8Array.from(drawn, (_, row) => row % 2),
      };
      const [buckets] = fitBuckets(table, everyRow(table), maxBuckets) as [NumberBuckets];
      const { codes } = codeTable(table, [buckets]).features[0]!;
      expect([...codes]).toEqual(drawn.map((value) => codeOfNumber(value, buckets.cutPoints)));
    }),
    { numRuns: 500 },
  );
});
