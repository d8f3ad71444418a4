// Buckets against a plain reading of their rules: quantiles, pooled categories,
// missing, unseen, and the merge of the fine view.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  codeOfNumber,
  codeTable,
  type FeatureBuckets,
  FIRST_CODE,
  fitBuckets,
  MISSING_CODE,
  mergeBuckets,
  type NumberBuckets,
  selectRows,
  UNSEEN_CODE,
} from "../../../engine/table/buckets.ts";
import { FIRST_LEVEL } from "../../../engine/table/table.ts";
import { everyRow, makeTable } from "../../support/tables.ts";

const numbers = fc.array(fc.option(fc.integer({ min: -50, max: 50 }), { nil: null, freq: 8 }), {
  minLength: 2,
  maxLength: 200,
});

describe("numbers", () => {
  test("cut points are the naive quantile cut points", () => {
    fc.assert(
      fc.property(numbers, fc.integer({ min: 2, max: 30 }), (cells, maxBuckets) => {
        const buckets = fitOne(cells, maxBuckets) as NumberBuckets;
        expect([...buckets.cutPoints]).toEqual(
          naiveCutPoints(
            cells.filter((cell) => cell !== null),
            maxBuckets,
          ),
        );
      }),
    );
  });

  test("a cell's code is FIRST_CODE plus the number of cut points below it, and missing has its own", () => {
    fc.assert(
      fc.property(numbers, fc.integer({ min: 2, max: 30 }), (cells, maxBuckets) => {
        const table = makeTable([cells], labelsFor(cells));
        const [buckets] = fitBuckets(table, everyRow(table), maxBuckets) as [NumberBuckets];
        const codes = codeTable(table, [buckets]).features[0]!.codes;
        cells.forEach((cell, row) => {
          const below = cell === null ? null : [...buckets.cutPoints].filter((cut) => cut < cell).length;
          expect(codes[row]).toBe(below === null ? MISSING_CODE : FIRST_CODE + below);
          expect(codes[row]).toBe(codeOfNumber(cell ?? Number.NaN, buckets.cutPoints));
        });
      }),
    );
  });

  test("only the fitting rows matter", () => {
    fc.assert(
      fc.property(numbers, numbers, (cells, others) => {
        const alone = fitOne(cells, 8) as NumberBuckets;
        const table = makeTable([[...cells, ...others]], labelsFor([...cells, ...others]));
        const [beside] = fitBuckets(
          table,
          Uint32Array.from(cells, (_, row) => row),
          8,
        ) as [NumberBuckets];
        expect(beside.cutPoints).toEqual(alone.cutPoints);
        expect(beside.counts).toEqual(alone.counts);
      }),
    );
  });

  test("few distinct values get a bucket each, and 1000 buckets take two bytes a cell", () => {
    const cells = Array.from({ length: 3000 }, (_, i) => i % 900);
    const table = makeTable([cells], labelsFor(cells));
    const wide = codeTable(table, fitBuckets(table, everyRow(table), 1000)).features[0]!;
    expect(wide.codeCount).toBe(FIRST_CODE + 900);
    expect(wide.codes).toBeInstanceOf(Uint16Array);
    const fine = codeTable(table, fitBuckets(table, everyRow(table), 254)).features[0]!;
    expect(fine.codeCount).toBe(256);
    expect(fine.codes).toBeInstanceOf(Uint8Array);
  });

  test("a heavy value is never split, and the cut stands before the next one", () => {
    const cells = [...new Array(90).fill(0), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
    const buckets = fitOne(cells, 4) as NumberBuckets;
    expect([...buckets.cutPoints]).toEqual([0.5]);
    expect([...buckets.counts]).toEqual([90, 10]);
  });

  test("neighbours without a number between them stay apart", () => {
    const low = 1;
    const high = 1 + Number.EPSILON;
    const { cutPoints } = fitOne([low, high, low, high], 4) as NumberBuckets;
    expect(codeOfNumber(low, cutPoints)).toBe(FIRST_CODE);
    expect(codeOfNumber(high, cutPoints)).toBe(FIRST_CODE + 1);
    const huge = fitOne([-Number.MAX_VALUE, Number.MAX_VALUE], 4) as NumberBuckets;
    expect([...huge.cutPoints]).toEqual([0]);
  });

  test("centres have weighted mean 0 and deviation 1", () => {
    const cells = Array.from({ length: 500 }, (_, i) => (i * i) % 97);
    const table = makeTable([cells], labelsFor(cells));
    const [buckets] = fitBuckets(table, everyRow(table), 10) as [NumberBuckets];
    const { centres } = codeTable(table, [buckets]).features[0]!;
    const total = cells.length;
    const mean = buckets.counts.reduce((sum, count, i) => sum + count * centres[FIRST_CODE + i]!, 0) / total;
    const squares = buckets.counts.reduce((sum, count, i) => sum + count * centres[FIRST_CODE + i]! ** 2, 0) / total;
    expect(mean).toBeCloseTo(0, 10);
    expect(squares).toBeCloseTo(1, 10);
    expect(centres[MISSING_CODE]).toBe(0);
  });
});

describe("the coarser view", () => {
  test("is a merge of the fine one: its cut points are among the fine ones, its codes follow from the fine codes", () => {
    fc.assert(
      fc.property(numbers, fc.integer({ min: 4, max: 12 }), (cells, maxBuckets) => {
        const table = makeTable([cells], labelsFor(cells));
        const fine = fitBuckets(table, everyRow(table), 40) as [NumberBuckets];
        const coarse = mergeBuckets(fine, maxBuckets) as [NumberBuckets];
        const finePoints = [...fine[0].cutPoints];
        expect([...coarse[0].cutPoints].every((cut) => finePoints.includes(cut))).toBeTrue();
        expect(coarse[0].cutPoints.length).toBeLessThan(maxBuckets);
        const codes = codeTable(table, coarse).features[0]!.codes;
        cells.forEach((cell, row) => {
          expect(codes[row]).toBe(codeOfNumber(cell ?? Number.NaN, coarse[0].cutPoints));
        });
        const total = (counts: Float64Array) => counts.reduce((sum, count) => sum + count, 0);
        expect(total(coarse[0].counts)).toBe(total(fine[0].counts));
      }),
    );
  });

  test("is the same as fitting it directly where the fine view has a bucket per value", () => {
    fc.assert(
      fc.property(numbers, fc.integer({ min: 2, max: 12 }), (cells, maxBuckets) => {
        const table = makeTable([cells], labelsFor(cells));
        const merged = mergeBuckets(fitBuckets(table, everyRow(table), 254), maxBuckets);
        expect(merged).toEqual(fitBuckets(table, everyRow(table), maxBuckets));
      }),
    );
  });
});

describe("categories", () => {
  test("up to twenty levels all have their own bucket, however rare", () => {
    const cells = ["x", "x", "x", "y", null, "z"];
    const buckets = fitOne(cells, 4);
    expect(buckets.codeCount).toBe(FIRST_CODE + 3);
    expect(buckets.kind === "category" && buckets.codeOfOthers).toBe(UNSEEN_CODE);
  });

  test("above twenty, levels below four rows share a bucket, which takes unseen ones too", () => {
    const frequent = Array.from({ length: 21 }, (_, i) => new Array(5).fill(`level ${i}`)).flat();
    const buckets = fitOne([...frequent, "rare a", "rare b", "rare b"], 4);
    if (buckets.kind !== "category") throw new Error("not a category");
    expect(buckets.codeCount).toBe(FIRST_CODE + 22);
    const rare = ["rare a", "rare b"].map((_, i) => buckets.codeOfLevel[FIRST_LEVEL + 21 + i]);
    expect(rare).toEqual([buckets.codeOfOthers, buckets.codeOfOthers]);
    expect(buckets.codeOfOthers).toBeGreaterThanOrEqual(FIRST_CODE);
  });

  test("at most 250 levels have their own bucket", () => {
    const cells = Array.from({ length: 400 }, (_, i) => new Array(i < 10 ? 9 : 4).fill(`level ${i}`)).flat();
    expect(fitOne(cells, 20).codeCount).toBe(FIRST_CODE + 251);
  });

  test("a level that the fitting rows lack is unseen", () => {
    const table = makeTable([["a", "b", "a", "b", "c"]], ["n", "y", "n", "y", "y"]);
    const view = codeTable(table, fitBuckets(table, Uint32Array.of(0, 1, 2, 3), 20));
    expect([...view.features[0]!.codes]).toEqual([2, 3, 2, 3, UNSEEN_CODE]);
  });

  test("codes ascend with the share of the second class", () => {
    const cells = ["hi", "hi", "hi", "lo", "lo", "lo", "mid", "mid"];
    const labels = ["y", "y", "y", "n", "n", "n", "y", "n"];
    const view = codeTable(
      makeTable([cells], labels),
      fitBuckets(makeTable([cells], labels), everyRow(makeTable([cells], labels)), 20),
    );
    expect([...view.features[0]!.codes]).toEqual([4, 4, 4, 2, 2, 2, 3, 3]);
  });
});

test("a selection of rows has their codes in the order given", () => {
  const table = makeTable([[5, 6, 7, 8]], ["a", "b", "a", "b"]);
  const view = codeTable(table, fitBuckets(table, everyRow(table), 4));
  expect([...selectRows(view, Uint32Array.of(3, 0)).features[0]!.codes]).toEqual([5, 2]);
});

function fitOne(cells: readonly (number | null)[] | readonly (string | null)[], maxBuckets: number): FeatureBuckets {
  const table = makeTable([cells], labelsFor(cells));
  return fitBuckets(table, everyRow(table), maxBuckets)[0]!;
}

function labelsFor(cells: readonly unknown[]): string[] {
  return cells.map((_, row) => (row % 2 === 0 ? "even" : "odd"));
}

/** The rule of the documentation, word by word. */
function naiveCutPoints(cells: readonly number[], maxBuckets: number): number[] {
  const sorted = [...cells].sort((a, b) => a - b);
  const distinct = [...new Set(sorted)];
  const halfway = (i: number) => (distinct[i]! + distinct[i + 1]!) / 2;
  if (distinct.length <= maxBuckets) return distinct.slice(0, -1).map((_, i) => halfway(i));
  const cuts = new Set<number>();
  for (let t = 1; t < maxBuckets; t++) {
    const i = distinct.findIndex(
      (value) => sorted.filter((cell) => cell <= value).length / sorted.length >= t / maxBuckets,
    );
    if (i < distinct.length - 1) cuts.add(halfway(i));
  }
  return [...cuts];
}
