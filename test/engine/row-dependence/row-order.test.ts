// Rows of one group stand one after another; a column beside them is in their order, or only looks like it.
import { expect, test } from "bun:test";
import { Random } from "../../../engine/random.ts";
import { drawGroups, withoutKey } from "../../bench/field-tables.ts";
import { bondsOf } from "../../support/drawn-tables.ts";

const drawn = withoutKey(drawGroups(40, 25, 1, 1));
const rowCount = drawn.rows.length;

/** Bonds of the drawn rows beside a column of these numbers. */
function bondsBeside(valueAt: (row: number) => number): [string, string | null][] {
  const rows = drawn.rows.map((cells, row) => [String(valueAt(row)), ...cells]);
  return bondsOf({ ...drawn, names: ["hours", ...drawn.names], rows });
}

/** Rising numbers, some of which have changed places with one further down. */
function outOfPlace(count: number, distance: number): number[] {
  const random = new Random(3);
  const values = Array.from({ length: rowCount }, (_, row) => 2 * row);
  for (let moved = 0; moved < count; moved++) {
    const from = random.nextBelow(rowCount - distance);
    const to = from + distance;
    [values[from], values[to]] = [values[to]!, values[from]!];
  }
  return values;
}

const nearSwaps = outOfPlace(12, 1);
const farSwaps = outOfPlace(6, 700);

test.each([
  ["rises", (row: number) => 2 * row],
  ["falls", (row: number) => 5_000 - 2 * row],
  ["rises with ties", (row: number) => Math.floor(row / 6)],
  ["rises after it was one number for long", (row: number) => Math.max(800, row)],
  ["rises but for neighbours", (row: number) => nearSwaps[row]!],
  ["rises but for rows far away", (row: number) => farSwaps[row]!],
])("a file is sorted by a column that %s", (_, valueAt) => {
  expect(bondsBeside(valueAt)).toContainEqual(["sorted", "hours"]);
});

test.each([
  ["at every hundredth row", (row: number) => 2 * (row % 100)],
  ["once", (row: number) => row % (rowCount / 2)],
  ["at every hundredth row, falling", (row: number) => 5_000 - 2 * (row % 100)],
  ["a little higher each time", (row: number) => (row % 100) + row / 100],
])("a file is not sorted by a counter that begins again %s, and its order is told", (_, valueAt) => {
  const bonds = bondsBeside(valueAt);
  expect(bonds).toContainEqual(["file order", null]);
  expect(bonds.map(([bond]) => bond)).not.toContain("sorted");
});
