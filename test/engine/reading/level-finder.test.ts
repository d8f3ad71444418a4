// The levels of found cells by the kernel, against the nearest of the same midpoints one by one.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { takeKernel } from "../../../engine/csv/reading-kernel.ts";
import { FIRST_LEVEL, NO_TEXT, NOT_A_NUMBER } from "../../../engine/kernels/reading/layout.ts";
import { countBelow, midpointsOf } from "../../../engine/midpoints.ts";
import { levelsOfTexts, NumberLevels } from "../../../engine/reading/level-finder.ts";
import { MISSING_LEVEL } from "../../../engine/table/table.ts";

const LEVEL_OF_TEXT = Uint16Array.of(7, 9, 4);
const kernel = takeKernel();
const levelsOf = (values: Float64Array, midpoints: Float64Array) =>
  new NumberLevels(kernel, midpoints).of(values, LEVEL_OF_TEXT);
const anyNumber = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: -50, max: 50 }).map((half) => half / 2),
  fc.constantFrom(5e-324, -5e-324, Number.MAX_VALUE, -Number.MAX_VALUE, 1e-310),
);

test("numbers have the nearest level, at midpoints the lower one, few or many", () => {
  const copies = fc.constantFrom(1, 40, 700);
  fc.assert(
    fc.property(fc.array(anyNumber), fc.array(anyNumber), copies, (levels, cells, count) => {
      const spread = levels.flatMap((level) => Array.from({ length: count }, (_, at) => level * (1 + at / 1000)));
      const own = new Set(spread.filter(Number.isFinite).map((level) => level + 0));
      const midpoints = midpointsOf(Float64Array.from(own).sort());
      const values = Float64Array.from([...cells, ...midpoints, ...levels]);
      const expected = Array.from(values, (value) => FIRST_LEVEL + countBelow(midpoints, value));
      expect([...levelsOf(values, midpoints)]).toEqual(expected);
    }),
    { numRuns: 300 },
  );
});

test("as many levels as there may be do not get in each other's way", () => {
  const midpoints = Float64Array.from({ length: 65_533 }, (_, at) => 0.37 * at - 3000 + (at % 7) / 100);
  const values = Float64Array.from({ length: 70_000 }, (_, at) => ((at * 7919) % 24_000) - 3500 + at / 70_000);
  const expected = Array.from(values, (value) => FIRST_LEVEL + countBelow(midpoints, value));
  expect([...levelsOf(values, midpoints)]).toEqual(expected);
});

test("what is no number has the level of its text, or is missing", () => {
  const cells = Float64Array.of(-2, -1.5, -1.4, 0, 1e-300, 2, 3, 1e301, 0, 0);
  const words = new Int32Array(cells.buffer);
  for (const [place, text] of [2, NO_TEXT].entries()) words.set([text, NOT_A_NUMBER], 16 + 2 * place);
  const found = levelsOf(cells, Float64Array.of(-1.5, 0, 2, 1e300));
  expect([...found]).toEqual([2, 2, 3, 3, 4, 4, 5, 6, 4, MISSING_LEVEL]);
  expect([...levelsOfTexts(kernel, Uint8Array.of(2, 0, 1, 2), LEVEL_OF_TEXT)]).toEqual([4, 7, 9, 4]);
});
