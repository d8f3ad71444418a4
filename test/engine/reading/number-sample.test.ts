// The sample of a column's numbers, which rows it holds and how they can be read.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { FITS_ALL, FITS_PLAIN, PLAIN_FORM } from "../../../engine/columns/numbers.ts";
import { takeKernel } from "../../../engine/csv/reading-kernel.ts";
import { READS_NUMBERS } from "../../../engine/kernels/reading/layout.ts";
import { deriveSeed } from "../../../engine/random.ts";
import { NumberSample } from "../../../engine/reading/number-sample.ts";
import { emptyDictionary, findTexts } from "../../support/cells.ts";

const rowHashOf = (row: number) => deriveSeed(0x43757065, row);
const cellsThatFit = (bodies: number) => ({ bodies, affixes: [] });
const sampleOf = (cells: number, kernel = takeKernel()) => new NumberSample(kernel, cells);

describe("number sample", () => {
  test("is of the rows below the highest threshold that leaves no more of them than there is room for", () => {
    const rows = fc.uniqueArray(fc.nat({ max: 5000 }), { minLength: 1, maxLength: 120, size: "max" });
    let halvedCount = 0;
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 9 }), (indices, most) => {
        const sample = sampleOf(most);
        for (const index of indices) sample.add(rowHashOf(index), String(index / 4), cellsThatFit(1));
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
    const sample = sampleOf(100);
    ["1.234", "12", "x", "-5.678", "1,5"].forEach((text, row) => {
      sample.add(rowHashOf(row), text, cellsThatFit(FITS_ALL));
    });
    expect([...sample.valuesIn(PLAIN_FORM)]).toEqual([1.234, 12, -5.678]);
    expect([...sample.valuesIn({ decimal: ",", grouping: ".", affix: "" })]).toEqual([1234, 12, -5678, 1.5]);
    expect([...sample.valuesIn({ decimal: ",", grouping: "", affix: "" })]).toEqual([12, 1.5]);
    expect(sample.weight).toBe(1);
  });

  test("keeps affixed numbers apart from plain ones", () => {
    const sample = sampleOf(100);
    ["$1,234", "$5"].forEach((text, row) => {
      sample.add(rowHashOf(row), text, cellsThatFit(FITS_ALL));
    });
    expect([...sample.valuesIn({ decimal: ".", grouping: ",", affix: "$" })]).toEqual([1234, 5]);
    expect([...sample.valuesIn(PLAIN_FORM)]).toEqual([]);
  });

  test("reads units of one quantity in the unit that is chosen later", () => {
    const sample = sampleOf(100);
    const affixes = ["min", "h"];
    ["20 min", "1h", "2h 5min", "1.5 h", "-1h 20min"].forEach((text, row) => {
      sample.add(rowHashOf(row), text, { bodies: FITS_ALL, affixes });
    });
    const form = { ...PLAIN_FORM, affix: "min", units: { min: 1, h: 60, s: 1 / 60 } };
    expect([...sample.valuesIn(form)]).toEqual([20, 60, 125, 90, -80]);
  });

  test("beyond its bound is a fair part of the rows, the same whatever else the column holds", () => {
    const sample = sampleOf(1000);
    for (let row = 0; row < 20_000; row++) sample.add(rowHashOf(row), String(row), cellsThatFit(FITS_PLAIN));
    const kept = sample.valuesIn(PLAIN_FORM);
    expect(kept.length).toBeLessThanOrEqual(1000);
    expect(Math.abs((kept.length * sample.weight) / 20_000 - 1)).toBeLessThan(0.15);
    const mean = kept.reduce((sum, value) => sum + value, 0) / kept.length;
    expect(Math.abs(mean / 10_000 - 1)).toBeLessThan(0.1);
  });

  test("takes many numbers as it takes each of them", () => {
    const cell = fc.oneof(
      fc.integer({ min: -1e6, max: 1e6 }).map(String),
      fc.integer({ min: -1e6, max: 1e6 }).map((number) => (number / 1000).toFixed(3)),
      fc.constantFrom("", "x"),
    );
    const cells = fc.array(cell, { minLength: 1, maxLength: 300, size: "max" });
    fc.assert(
      fc.property(cells, fc.integer({ min: 2, max: 40 }), fc.nat(5000), (texts, most, firstIndex) => {
        const dictionary = emptyDictionary(1);
        dictionary.close();
        findTexts(dictionary, texts, READS_NUMBERS);
        const { kernel } = dictionary;
        kernel.exports.drawRows(firstIndex, texts.length);
        const [together, apart] = [sampleOf(most, kernel), sampleOf(most, kernel)];
        const middle = texts.length >> 1;
        kernel.exports.sampleNumbers(together.at, 0, middle);
        kernel.exports.sampleNumbers(together.at, middle, texts.length);
        texts.forEach((text, row) => {
          expect(kernel.hashes[row]).toBe(rowHashOf(firstIndex + row));
          apart.add(kernel.hashes[row]!, text, cellsThatFit(FITS_ALL));
        });
        expect(together.depth).toBe(apart.depth);
        for (const form of [PLAIN_FORM, { decimal: ",", grouping: ".", affix: "" }] as const) {
          expect(together.valuesIn(form)).toEqual(apart.valuesIn(form));
        }
      }),
      { numRuns: 200 },
    );
  });
});
