// The column filter: by position, by name where the order differs, untouched where already stripped, else refused.
import { describe, expect, test } from "bun:test";
import { filterColumns } from "../../../engine/scoring/column-filter.ts";
import { ColumnMismatch } from "../../../engine/scoring/column-mismatch.ts";

const ORIGINAL = ["id", "a", "noise", "b"];
const NEEDED = ["a", "b"];
const filtered = (names: readonly string[]) => {
  const { names: scored, warnings } = filterColumns(names, ORIGINAL, NEEDED);
  return [scored, warnings.map(({ code }) => code)];
};

describe("the column filter", () => {
  test("strips the dropped positions of a full file", () => {
    expect(filtered(ORIGINAL)).toEqual([[null, "a", null, "b"], []]);
  });

  test("takes other names by position, and says so", () => {
    expect(filtered(["ID", "A", "n", "B"])).toEqual([[null, "a", null, "b"], ["COLUMN_NAMES_DIFFER"]]);
    expect(filtered(["x", "b", "y", "z"])).toEqual([[null, "a", null, "b"], ["COLUMN_NAMES_DIFFER"]]);
  });

  test("goes by name where the names stand in another order, and says so", () => {
    expect(filtered(["b", "noise", "id", "a"])).toEqual([["b", null, null, "a"], ["COLUMN_ORDER"]]);
  });

  test("lets a stripped file pass as it is", () => {
    expect(filtered(NEEDED)).toEqual([NEEDED, []]);
  });

  test("takes a stripped file by position or name too, and says so", () => {
    expect(filtered(["b", "a"])).toEqual([["b", "a"], ["COLUMN_ORDER"]]);
    expect(filtered(["other", "names"])).toEqual([NEEDED, ["COLUMN_NAMES_DIFFER"]]);
  });

  test("goes by name where all needed columns are there, and lets a file that lacks one keep its names", () => {
    const kept = ["a", "visit", "b"];
    const of = (names: string[]) => {
      const { names: scored, warnings } = filterColumns(names, [...ORIGINAL, "visit"], NEEDED, kept);
      return [scored, warnings.map(({ code }) => code)];
    };
    expect(of(["other", "a", "b"])).toEqual([["other", "a", "b"], ["COLUMN_ORDER"]]);
    expect(of(["a", "noise", "x"])).toEqual([["a", "noise", "x"], []]);
    expect(of(["p", "q", "r"])).toEqual([kept, ["COLUMN_NAMES_DIFFER"]]);
  });

  test("lets the refinement's own file pass, which has columns to judge by that no model needs", () => {
    const kept = ["id", ...NEEDED];
    expect(filterColumns(kept, ORIGINAL, NEEDED, kept)).toEqual({ names: kept, warnings: [] });
    expect(filterColumns(NEEDED, ORIGINAL, NEEDED, kept)).toEqual({ names: NEEDED, warnings: [] });
    expect(filterColumns(ORIGINAL, ORIGINAL, NEEDED, kept).names).toEqual([null, "a", null, "b"]);
    expect(() => filterColumns(["a"], ORIGINAL, NEEDED, kept)).toThrow("with the 3 that it kept");
  });

  test("goes by position where the refinement dropped nothing", () => {
    expect(filterColumns(["x", "y"], ["a", "b"], ["a", "b"]).names).toEqual(["a", "b"]);
  });

  test("refuses any other number of columns, with what is missing and what nobody expects", () => {
    let error: unknown;
    try {
      filterColumns(["a", "b", "label"], ORIGINAL, NEEDED);
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(ColumnMismatch);
    expect(error).toMatchObject({
      code: "COLUMN_MISMATCH",
      missing: ["id", "noise"],
      unexpected: ["label"],
      expectedCount: 4,
      message: expect.stringMatching(/3 columns.*all 4.*the 2 that it kept/),
    });
  });
});
