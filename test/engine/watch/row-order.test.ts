// The order of two files by their common columns: told where it differs, and nothing where cells are only written anew.
import { expect, test } from "bun:test";
import { addFirstRows, columnOutOfOrder } from "../../../engine/watch/row-order.ts";

const ROWS = 200;
const own = Array.from({ length: ROWS }, (_, row) => [`k${row}`, `${row % 70}`, row % 2 === 0 ? "a" : "b"]);
const names = ["id", "age", "kind"];
const file = (records: string[][], columns = names) => ({ names: columns, records });
const moved = own.map((_, row) => own[(row * 7 + 3) % ROWS]!);
const without = (records: string[][], ...places: number[]) =>
  records.map((record) => record.filter((_, place) => !places.includes(place)));

test.each([
  ["the same order", file(own), null],
  ["another order, by the column that tells most rows apart", file(moved), "id"],
  ["another order, where only ages show it", file(without(moved, 0), ["age", "kind"]), "age"],
  ["another order that no column of enough cells shows", file(without(moved, 0, 1), ["kind"]), null],
  ["cells that are written in another way", file(own.map(([id, age, kind]) => [`${id}.0`, `${age}.0`, kind!])), null],
  [
    "a column that has changed since, beside one in order",
    file(own.map(([id], row) => [id!, moved[row]![1]!, ""])),
    null,
  ],
  ["nothing in common", file(moved, ["x", "y", "z"]), null],
  ["other rows", file(own.map((_, row) => [`n${row}`, `${row + 500}`, "a"])), null],
])("%s", (_, other, column) => {
  expect(columnOutOfOrder(file(own), other, new Set())).toBe(column);
});

test("columns of labels and answers do not count", () => {
  expect(columnOutOfOrder(file(own), file(moved), new Set(["id", "age"]))).toBeNull();
});

test("only the first rows are kept", () => {
  const first = file([]);
  for (let batch = 0; batch < 7; batch++) addFirstRows(first, own);
  expect(first.records).toHaveLength(1_000);
});
