// Numbers for people: short, and different ones stay different, however near they lie beside their size.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { roundedApart } from "../../engine/rounded-apart.ts";
import { distributionOf } from "../../engine/table/distribution.ts";
import { makeTable } from "../support/tables.ts";

const LEAST = 4;

/** Columns whose values lie anywhere, or near each other and far from 0. */
const values = fc.oneof(
  fc.array(fc.double({ min: -1e308, max: 1e308, noNaN: true }), { minLength: 1, maxLength: 21 }),
  fc
    .tuple(
      fc.constantFrom(0, 1, -1, 2_012, 1e6, -1e5, 1.7e9, 1e15),
      fc.constantFrom(1e-6, 0.01, 1, 25, 1e4),
      fc.array(fc.double({ min: 0, max: 12, noNaN: true }), { minLength: 1, maxLength: 21 }),
    )
    .map(([from, width, places]) => places.map((place) => from + place * width)),
);

test("different values stay different, in order, within half a step, with few digits", () => {
  fc.assert(
    fc.property(values, (drawn) => {
      const sorted = [...new Set(drawn)].sort((a, b) => a - b);
      const rounded = roundedApart(drawn, LEAST);
      sorted.forEach((value, at) => {
        const own = rounded.get(value)!;
        if (at > 0) expect(own).toBeGreaterThan(rounded.get(sorted[at - 1]!)!);
        const steps = [sorted[at - 1], sorted[at + 1]].flatMap((other) =>
          other === undefined ? [] : [Math.abs(other - value)],
        );
        const step = Math.min(...steps);
        expect(Math.abs(own - value)).toBeLessThanOrEqual(step / 2);
        const needed = steps.length === 0 || value === 0 ? 0 : Math.log10(Math.abs(value)) - Math.log10(step) + 3;
        expect(digitsOf(own)).toBeLessThanOrEqual(Math.max(LEAST, Math.min(17, needed)));
      });
    }),
    { numRuns: 2_000 },
  );
});

test("values that four digits tell apart have four", () => {
  const rounded = roundedApart([0.123456, 1.98765, 1_234.56, -7], LEAST);
  expect([...rounded.values()]).toEqual([0.1235, 1.988, 1_235, -7]);
  expect(roundedApart([1_234.56], LEAST).get(1_234.56)).toBe(1_235);
});

test.each([
  ["seconds of a day", 1_700_000_000, 25, "from 1700000003 to 1700000030"],
  ["prices near each other", 1_000_000, 1, "from 1000000.1 to 1000001.1"],
  ["parts of a millionth", 1, 1e-8, "from 1.000000001 to 1.000000011"],
  ["years", 2_010, 0.125, "from 2010.02 to 2010.14"],
])("the bars of %s have bounds that differ", (_, from, width, first) => {
  const cells = Array.from({ length: 101 }, (__, at) => from + (at * 12 * width) / 98);
  const { bars, counts } = distributionOf(
    makeTable(
      [cells],
      cells.map((__, at) => (at % 2 === 0 ? "no" : "yes")),
    ),
    0,
  );
  expect(bars).toHaveLength(12);
  expect(new Set(bars).size).toBe(12);
  expect(bars[0]).toBe(first);
  // Each bar begins where the one before it ends.
  const bounds = bars.map((bar) => bar.split(" "));
  expect(bounds.slice(1).map(([, start]) => start)).toEqual(bounds.slice(0, -1).map(([, , , end]) => end));
  expect(counts.flat().reduce((sum, count) => sum + count, 0)).toBe(101);
});

function digitsOf(value: number): number {
  const [mantissa = ""] = Math.abs(value).toExponential().split("e");
  return mantissa.replace(".", "").length;
}
