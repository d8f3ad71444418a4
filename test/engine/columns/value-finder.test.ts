// The levels of logged numbers by the kernel, against the nearest of the same midpoints one by one.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { NO_TEXT } from "../../../engine/columns/cell-log.ts";
import { LevelGrid, nearestInGrid } from "../../../engine/columns/nearest-level.ts";
import { ValueFinder } from "../../../engine/columns/value-finder.ts";
import { takeKernel } from "../../../engine/csv/reading-kernel.ts";
import { FIRST_LEVEL, MISSING_LEVEL } from "../../../engine/table.ts";

const MOST_CELLS = 5000;
/** Of packed decimals: below all multiples, the number of a text and more. */
const FIRST_TEXT = -(2 ** 31) + 1;
const MOST_MULTIPLE = 2 ** 30 - 1;
const LEVEL_OF_TEXT = Uint16Array.of(7, 9, 4);

const finder = new ValueFinder(takeKernel(), MOST_CELLS);
const power = fc.nat({ max: 9 }).map((digits) => 10 ** digits);
const multiple = fc.oneof(
  fc.integer({ min: -MOST_MULTIPLE, max: MOST_MULTIPLE }),
  fc.integer({ min: -50, max: 50 }),
  fc.constantFrom(-MOST_MULTIPLE, MOST_MULTIPLE),
);
const id = fc.constantFrom(NO_TEXT, 0, 1, 2);

const levelOfText = (text: number) => (text === NO_TEXT ? MISSING_LEVEL : LEVEL_OF_TEXT[text]!);

/** Midpoints that are multiples too, between two of them, right beside one, or anywhere. */
function drawMidpoints(unit: number): fc.Arbitrary<Float64Array<ArrayBuffer>> {
  const beside = (number: number, steps: number) => number / unit + steps * Number.EPSILON * Math.abs(number / unit);
  const midpoint = fc.oneof(
    multiple.map((number) => number / unit),
    multiple.map((number) => (number + 0.5) / unit),
    fc.tuple(multiple, fc.integer({ min: -2, max: 2 })).map(([number, steps]) => beside(number, steps)),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  );
  return fc.array(midpoint, { maxLength: 60 }).map((numbers) => Float64Array.from(new Set(numbers)).sort());
}

test("decimals have the levels of their values", () => {
  const columns = power.chain((unit) =>
    fc.record({
      unit: fc.constant(unit),
      midpoints: drawMidpoints(unit),
      cells: fc.array(
        fc.oneof(
          { weight: 5, arbitrary: multiple },
          id.map((text) => FIRST_TEXT + text),
        ),
        {
          maxLength: 100,
        },
      ),
    }),
  );
  fc.assert(
    fc.property(columns, ({ unit, midpoints, cells }) => {
      const grid = new LevelGrid(midpoints);
      finder.hold(grid, 0);
      // Cells at the midpoints, and right beside them.
      const near = [...midpoints].flatMap((midpoint) => {
        const nearest = Math.floor(midpoint * unit);
        return Math.abs(nearest) < MOST_MULTIPLE ? [nearest - 1, nearest, nearest + 1] : [];
      });
      const all = Int32Array.from([...cells, ...near]);
      const expected = Array.from(all, (cell) =>
        cell < -MOST_MULTIPLE ? levelOfText(cell - FIRST_TEXT) : FIRST_LEVEL + nearestInGrid(grid, cell / unit),
      );
      const part = { kind: "decimals", cells: all, power: unit } as const;
      expect([...finder.find(part, 0, all.length, LEVEL_OF_TEXT)]).toEqual(expected);
    }),
    { numRuns: 1000 },
  );
});

test("many levels, powers in turn, and only some of the cells", () => {
  const grid = new LevelGrid(Float64Array.from({ length: 65_000 }, (_, at) => 0.37 * at - 3000 + (at % 7) / 100));
  finder.hold(grid, 0);
  for (const unit of [1, 1000, 1, 10]) {
    const cells = Int32Array.from(
      { length: MOST_CELLS + 20 },
      (_, at) => ((at * 7919 * unit) % (24_000 * unit)) - 3500 * unit,
    );
    const found = finder.find({ kind: "decimals", cells, power: unit }, 20, cells.length, LEVEL_OF_TEXT);
    expect([...found]).toEqual(
      Array.from(cells.subarray(20), (cell) => FIRST_LEVEL + nearestInGrid(grid, cell / unit)),
    );
  }
});

test("values have theirs, and those that are none the levels of their texts", () => {
  const grid = new LevelGrid(Float64Array.of(-1.5, 0, 2, 1e300));
  finder.hold(grid, 10);
  const cells = Float64Array.of(-2, -1.5, -1.4, 0, 1e-300, 2, 3, 1e301, Number.NaN, Number.NaN);
  const words = new Int32Array(cells.buffer);
  for (const [place, text] of [2, NO_TEXT].entries()) words.set([text, 0x7ff8_0000], 16 + 2 * place);
  const found = finder.find({ kind: "values", cells }, 0, cells.length, LEVEL_OF_TEXT);
  expect([...found]).toEqual([2, 2, 3, 3, 4, 4, 5, 6, 4, MISSING_LEVEL]);
});

test("a few values among many levels have the same as many values", () => {
  const grid = new LevelGrid(Float64Array.from({ length: 9000 }, (_, at) => at / 4));
  const values = Array.from({ length: MOST_CELLS }, (_, at) => (at * 7919) / 64 - 10);
  values[3] = Number.NaN;
  const cells = Float64Array.from(values);
  new Int32Array(cells.buffer).set([2, 0x7ff8_0000], 6);
  finder.hold(grid, 100);
  const few = [...finder.find({ kind: "values", cells }, 0, 100, LEVEL_OF_TEXT)];
  expect(few).toEqual(
    Array.from(cells.subarray(0, 100), (value, at) =>
      at === 3 ? LEVEL_OF_TEXT[2]! : FIRST_LEVEL + nearestInGrid(grid, value),
    ),
  );
  finder.hold(grid, MOST_CELLS);
  expect([...finder.find({ kind: "values", cells }, 0, 100, LEVEL_OF_TEXT)]).toEqual(few);
});
