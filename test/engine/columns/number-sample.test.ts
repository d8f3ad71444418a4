// The sample of a column's numbers against its definition.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { NumberSample, rowHashOf } from "../../../engine/columns/number-sample.ts";
import { PLAIN_FORM } from "../../../engine/columns/numbers.ts";

test("a sample is of the rows below the highest threshold that leaves no more of them than there is room for", () => {
  const rows = fc.uniqueArray(fc.nat({ max: 5000 }), { minLength: 1, maxLength: 120, size: "max" });
  let halvedCount = 0;
  fc.assert(
    fc.property(rows, fc.integer({ min: 1, max: 9 }), (indices, most) => {
      const sample = new NumberSample(most);
      for (const index of indices) sample.add(index, String(index / 4), 1);
      let depth = 0;
      const isBelow = (index: number) => rowHashOf(index) < 2 ** (32 - depth);
      while (indices.filter(isBelow).length > most) depth++;
      expect([sample.depth, sample.weight]).toEqual([depth, 2 ** depth]);
      expect([...sample.valuesIn(PLAIN_FORM)]).toEqual(indices.filter(isBelow).map((index) => index / 4));
      halvedCount += depth;
    }),
    { numRuns: 300 },
  );
  expect(halvedCount).toBeGreaterThan(300);
});
