// Columns with a value in the first row of each group only, as merged cells are saved, beside columns that are sparse.
import { describe, expect, test } from "bun:test";
import { mergedCellsWarning } from "../../../engine/profile/merged-cells.ts";
import { Random } from "../../../engine/random.ts";
import { profileOf } from "../../support/record-batches.ts";

const ROWS = 400;
const told = (cells: readonly string[]): string[] =>
  profileOf(
    ["c", "label"],
    cells.map((cell, row) => [cell, "ab"[row % 2]!]),
  )
    .warnings.filter(({ code }) => code === "MERGED_CELLS")
    .map(({ column }) => column!);

/** Each value in the first of its rows. */
function merged(values: (group: number) => string, sizeOf: (group: number) => number): string[] {
  const cells: string[] = [];
  for (let group = 0; cells.length < ROWS; group++) cells.push(values(group), ...Array(sizeOf(group) - 1).fill(""));
  return cells.slice(0, ROWS);
}

describe("merged cells are told", () => {
  test.each<[string, (group: number) => string, (group: number) => number]>([
    ["a few sorted groups", (group) => ["Centre", "East", "North", "South", "West"][group]!, () => 80],
    ["numbers of orders", (group) => String(980 + group), (group) => 1 + ((group * 7) % 6)],
    ["days", (group) => `2024-01-${String(1 + group).padStart(2, "0")}`, () => 16],
    ["kinds that take turns", (group) => ["red", "green", "blue"][group % 3]!, (group) => 2 + (group % 4)],
  ])("%s", (_, values, sizeOf) => {
    expect(told(merged(values, sizeOf))).toEqual(["c"]);
  });

  test("in the label", () => {
    const cells = merged(
      (group) => ["red", "green", "blue"][group % 3]!,
      () => 4,
    );
    const { warnings } = profileOf(
      ["x", "label"],
      cells.map((cell, row) => [String(row % 7), cell]),
    );
    expect(warnings).toContainEqual(expect.objectContaining({ code: "MERGED_CELLS", column: "label", count: 300 }));
  });
});

describe("other columns with few values are not told", () => {
  test.each<[string, (row: number) => string]>([
    ["one value", (row) => (row % 5 === 0 ? "yes" : "")],
    ["none in the first row", (row) => (row % 5 === 1 ? String(row) : "")],
    ["a value in most rows", (row) => (row % 3 === 0 ? "" : String(row))],
    ["a text that counts as missing", (row) => (row % 5 === 0 ? String(row) : "NA")],
    ["two values", (row) => (row === 0 || row === 200 ? String(row) : "")],
  ])("%s", (_, cell) => {
    expect(told(Array.from({ length: ROWS }, (_, row) => cell(row)))).toEqual([]);
  });

  test("values at random", () => {
    const random = new Random(1);
    let found = 0;
    for (let draw = 0; draw < 5000; draw++) {
      const share = 0.02 + 0.48 * random.nextFloat();
      const kinds = 1 + random.nextBelow(900);
      const cells = Array.from({ length: ROWS }, () =>
        random.nextFloat() < share ? `v${random.nextBelow(kinds)}` : "",
      );
      const values = cells.filter((cell) => cell !== "");
      found += mergedCellsWarning("c", { values, rowCount: ROWS, isFirstFilled: cells[0] !== "" }, 0).length;
    }
    expect(found).toBeLessThanOrEqual(5);
  });
});
