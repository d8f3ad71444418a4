// Coarse columns against the coarser view of the buckets, and what is neutral in them.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { checkCoarseColumns, fitCoarseColumns, gatherGroups } from "../../../engine/fitting/coarse-columns.ts";
import { neverStop } from "../../../engine/stop-signal.ts";
import { codeTable, FIRST_CODE, fitBuckets, mergeBuckets, UNSEEN_CODE } from "../../../engine/table/buckets.ts";
import { drawTable, everyRow } from "../../support/tables.ts";
import { categoryFeature, drawInput, inputOf } from "../families/coded-input.ts";

describe("fitCoarseColumns", () => {
  test("groups the fine view of numbers as the coarser view does", () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 30, max: 300 }), (seed, rowCount) => {
        const table = drawTable(rowCount, 3, seed);
        const rows = everyRow(table).filter((row) => row % 4 !== 1);
        const fine = fitBuckets(table, rows, 254);
        const coarse = codeTable(table, mergeBuckets(fine, 10));
        const input = {
          view: codeTable(table, fine),
          rows,
          classes: table.classes,
          classCount: 3,
          seed,
          stop: neverStop,
        };
        const columns = fitCoarseColumns(input, 100);
        for (const [column, groups] of gatherGroups(columns, input.view, rows).entries()) {
          const { kind, codes } = coarse.features[columns.features[column]!]!;
          if (kind === "number") expect([...groups]).toEqual([...rows].map((row) => codes[row]!));
        }
      }),
      { numRuns: 20 },
    );
  });

  test("of a category with many levels, neighbours in code order share a group of about equal count", () => {
    const codes = Array.from({ length: 800 }, (_, row) => FIRST_CODE + (row % 40));
    const input = inputOf(
      [categoryFeature(codes, 40)],
      codes.map((code) => code % 2),
      2,
    );
    const columns = fitCoarseColumns(input, 100);
    expect([...columns.groupCounts]).toEqual([12]);
    expect([...columns.groupOfCode.subarray(FIRST_CODE)]).toEqual(
      Array.from({ length: 40 }, (_, level) => FIRST_CODE + Math.floor(level / 4)),
    );
  });

  test("a code that no fit row has is unseen, missing among them; constant features are no columns", () => {
    const input = inputOf(
      [categoryFeature([2, 4, 2, 0, 3], 3), categoryFeature([2, 2, 2, 2, 2], 3)],
      [0, 1, 0, 1, 0],
      2,
    );
    const columns = fitCoarseColumns({ ...input, rows: Uint32Array.of(0, 1, 2) }, 100);
    expect([...columns.features]).toEqual([0]);
    expect([...columns.groupOfCode]).toEqual([UNSEEN_CODE, UNSEEN_CODE, FIRST_CODE, UNSEEN_CODE, FIRST_CODE + 1]);
    const withMissing = fitCoarseColumns(input, 100);
    expect(withMissing.groupOfCode[0]).toBe(0);
  });

  test("beyond the limit the most informative features are columns", () => {
    const input = drawInput({ seed: 3, rowCount: 600, classCount: 2, bucketCounts: [4, 4, 4, 4] });
    const { features } = input.view;
    const view = { rowCount: 600, features: [features[1]!, features[2]!, features[0]!, features[3]!] };
    expect([...fitCoarseColumns({ ...input, view }, 1).features]).toEqual([2]);
  });
});

describe("checkCoarseColumns", () => {
  const input = drawInput({ seed: 4, rowCount: 200, classCount: 2, bucketCounts: [4, 30, 4] });
  const columns = fitCoarseColumns(input, 100);

  test("holds for what was fitted", () => {
    expect(checkCoarseColumns(columns, 3)).toBeTrue();
  });

  test.each([
    ["a feature that is not there", { ...columns, features: Uint16Array.of(0, 1, 3) }],
    ["a group that is not there", { ...columns, groupOfCode: columns.groupOfCode.map(() => 12) }],
    ["groups of fewer columns", { ...columns, groupCounts: columns.groupCounts.slice(1) }],
    ["too many groups", { ...columns, groupCounts: columns.groupCounts.map(() => 257) }],
    ["codes of fewer features", { ...columns, groupOfCode: columns.groupOfCode.slice(1) }],
  ])("fails for %s", (_, spoiled) => {
    expect(checkCoarseColumns(spoiled, 3)).toBeFalse();
  });
});
