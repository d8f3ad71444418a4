// The sample of a column's numbers, which rows it holds and how they can be read.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { NumberSample, rowHashOf } from "../../../engine/columns/number-sample.ts";
import { FITS_ALL, FITS_PLAIN, PLAIN_FORM } from "../../../engine/columns/numbers.ts";

describe("number sample", () => {
  test("is of the rows below the highest threshold that leaves no more of them than there is room for", () => {
    const rows = fc.uniqueArray(fc.nat({ max: 5000 }), { minLength: 1, maxLength: 120, size: "max" });
    let halvedCount = 0;
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 9 }), (indices, most) => {
        const sample = new NumberSample(most, null);
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

  test("keeps every number while it may, and reads it in the form that is chosen later", () => {
    const sample = new NumberSample(100, null);
    ["1.234", "12", "x", "-5.678", "1,5"].forEach((text, row) => {
      sample.add(row, text, FITS_ALL);
    });
    expect([...sample.valuesIn(PLAIN_FORM)]).toEqual([1.234, 12, -5.678]);
    expect([...sample.valuesIn({ decimal: ",", grouping: ".", affix: "" })]).toEqual([1234, 12, -5678, 1.5]);
    expect([...sample.valuesIn({ decimal: ",", grouping: "", affix: "" })]).toEqual([12, 1.5]);
    expect(sample.weight).toBe(1);
  });

  test("keeps affixed numbers apart from plain ones", () => {
    const sample = new NumberSample(100, null);
    ["$1,234", "$5"].forEach((text, row) => {
      sample.add(row, text, FITS_ALL);
    });
    expect([...sample.valuesIn({ decimal: ".", grouping: ",", affix: "$" })]).toEqual([1234, 5]);
    expect([...sample.valuesIn(PLAIN_FORM)]).toEqual([]);
  });

  test("beyond its bound is a fair part of the rows, the same whatever else the column holds", () => {
    const sample = new NumberSample(1000, null);
    for (let row = 0; row < 20_000; row++) sample.add(row, String(row), FITS_PLAIN);
    const kept = sample.valuesIn(PLAIN_FORM);
    expect(kept.length).toBeLessThanOrEqual(1000);
    expect(Math.abs((kept.length * sample.weight) / 20_000 - 1)).toBeLessThan(0.15);
    const mean = kept.reduce((sum, value) => sum + value, 0) / kept.length;
    expect(Math.abs(mean / 10_000 - 1)).toBeLessThan(0.1);
  });
});
