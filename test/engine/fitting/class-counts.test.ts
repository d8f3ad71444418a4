// Class counts, the information in them, the choice of features within a budget, and the stratified sample.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  chooseFeatures,
  classesByCode,
  countClasses,
  countCodes,
  gatherClasses,
  mutualInformation,
} from "../../../engine/fitting/class-counts.ts";
import { sampleRows } from "../../../engine/fitting/row-sample.ts";
import { categoryFeature, drawInput, inputOf } from "../families/coded-input.ts";

function informationOf(input: ReturnType<typeof drawInput>, index: number): number {
  const rowClasses = gatherClasses(input.classes, input.rows);
  const counts = countCodes(input.view.features[index]!, input.rows, rowClasses, input.classCount);
  return mutualInformation(counts, input.classCount, countClasses(input));
}

describe("counts", () => {
  test("hold every fit row once, and no other", () => {
    const input = drawInput({ seed: 1, rowCount: 100, classCount: 3, bucketCounts: [5] });
    const rowClasses = gatherClasses(input.classes, input.rows);
    const counts = countCodes(input.view.features[0]!, input.rows, rowClasses, 3);
    const codes = input.rows.map((row) => input.view.features[0]!.codes[row]!);
    expect(classesByCode(codes, 7, rowClasses, 3).flatMap((own) => [...own])).toEqual([...counts]);
    for (let code = 0; code < 7; code++) {
      for (let k = 0; k < 3; k++) {
        const met = input.rows.filter((row) => input.view.features[0]!.codes[row] === code && input.classes[row] === k);
        expect(counts[code * 3 + k]).toBe(met.length);
      }
    }
  });

  test("a feature that names the class tells its entropy, one that is noise about nothing", () => {
    const classes = Array.from({ length: 4000 }, (_, row) => row % 2);
    const telling = inputOf(
      [
        categoryFeature(
          classes.map((k) => k + 2),
          2,
        ),
      ],
      classes,
      2,
    );
    expect(informationOf(telling, 0)).toBeCloseTo(Math.LN2, 3);
    const noise = { ...drawInput({ seed: 2, rowCount: 4000, classCount: 5, bucketCounts: [50] }), classCount: 2 };
    const coin = { ...noise, classes: Uint8Array.from(classes) };
    expect(Math.abs(informationOf(coin, 0))).toBeLessThan(0.005);
  });
});

describe("chooseFeatures", () => {
  test("within the budget all that vary, beyond it the most informative", () => {
    const input = drawInput({ seed: 3, rowCount: 400, classCount: 2, bucketCounts: [4, 4, 4, 4] });
    const { features } = input.view;
    const constant = categoryFeature(Array(400).fill(2), 4);
    const view = { rowCount: 400, features: [features[1]!, constant, features[0]!, features[2]!] };
    expect(chooseFeatures({ ...input, view }, 18, ({ codeCount }) => codeCount)).toEqual([0, 2, 3]);
    expect(chooseFeatures({ ...input, view }, 6, ({ codeCount }) => codeCount)).toEqual([2]);
    expect(chooseFeatures({ ...input, view }, 5, ({ codeCount }) => codeCount)).toEqual([]);
  });
});

describe("sampleRows", () => {
  test("is ascending, of the wanted size, true to the class shares, and keeps every class", () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 20, max: 400 }), (seed, limit) => {
        const { rows, classes } = drawInput({ seed, rowCount: 1000, classCount: 4, bucketCounts: [2] });
        const sample = sampleRows({ rows, classes, classCount: 4 }, limit, seed);
        expect(sample.every((row, i) => i === 0 || row > sample[i - 1]!)).toBe(true);
        expect(sample.every((row) => rows.includes(row))).toBe(true);
        for (let k = 0; k < 4; k++) {
          const all = rows.filter((row) => classes[row] === k).length;
          const taken = sample.filter((row) => classes[row] === k).length;
          expect(taken).toBe(Math.ceil((all * limit) / rows.length));
        }
      }),
      { numRuns: 50 },
    );
  });

  test("all rows where they fit; the same seed draws the same rows, another seed others", () => {
    const { rows, classes } = drawInput({ seed: 5, rowCount: 400, classCount: 2, bucketCounts: [2] });
    expect(sampleRows({ rows, classes, classCount: 2 }, 300, 1)).toBe(rows);
    expect(sampleRows({ rows, classes, classCount: 2 }, 100, 1)).toEqual(
      sampleRows({ rows, classes, classCount: 2 }, 100, 1),
    );
    expect(sampleRows({ rows, classes, classCount: 2 }, 100, 1)).not.toEqual(
      sampleRows({ rows, classes, classCount: 2 }, 100, 2),
    );
  });
});
