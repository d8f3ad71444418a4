// Benjamini and Hochberg's procedure: the definition word by word as oracle, ties, NaN and the ends.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { benjaminiHochberg } from "../../../engine/statistics/false-discovery.ts";

const pValue = fc.oneof(
  fc.double({ min: 0, max: 1, noNaN: true }),
  fc.double({ min: 0, max: 0.02, noNaN: true }),
  fc.constantFrom(0, 0.01, 0.02, 1, Number.NaN),
);

/** A p-value is discovered where some k not below its rank has the k-th smallest p-value at most rate × k / all. */
function naive(pValues: readonly number[], rate: number): number[] {
  const known = pValues.map((p) => (Number.isNaN(p) ? 1 : p));
  const order = known.map((_, index) => index).sort((a, b) => known[a]! - known[b]!);
  const found = known.map(() => 0);
  order.forEach((_, rank) => {
    if (known[order[rank]!]! <= (rate * (rank + 1)) / known.length)
      for (const i of order.slice(0, rank + 1)) found[i] = 1;
  });
  return found;
}

test("equals the definition", () => {
  fc.assert(
    fc.property(fc.array(pValue, { maxLength: 60 }), fc.constantFrom(0.02, 0.05, 0.2), (pValues, rate) => {
      expect([...benjaminiHochberg(pValues, rate)]).toEqual(naive(pValues, rate));
    }),
  );
});

test("the example of the paper: four of fifteen at 5%", () => {
  const pValues = [
    0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.324, 0.4262, 0.5719, 0.6528, 0.759, 1,
  ];
  expect([...benjaminiHochberg(pValues, 0.05)]).toEqual([1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
});

test("a later p-value carries earlier ones that fail their own bound", () => {
  expect([...benjaminiHochberg([0.04, 0.04, 0.9], 0.06)]).toEqual([1, 1, 0]);
});

test("NaN is no discovery, and nothing gives nothing", () => {
  expect([...benjaminiHochberg(Float64Array.of(Number.NaN, 0.001), 0.02)]).toEqual([0, 1]);
  expect(benjaminiHochberg([], 0.02)).toHaveLength(0);
});
