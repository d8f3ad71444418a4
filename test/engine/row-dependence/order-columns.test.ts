// Columns that tell when: dates, and numbers and texts that are a time in one way of writing.
import { describe, expect, test } from "bun:test";
import { lateLabel, timeColumns } from "../../../engine/row-dependence/order-columns.ts";
import type { NumberFeature, Table } from "../../../engine/table/table.ts";

const numbers = (column: number, values: number[]): NumberFeature => ({
  ...{ kind: "number", name: "n", column, part: null },
  values: Float64Array.from(values),
});
const timesAmong = (...features: Table["features"][number][]) => timeColumns({ features });
const five = (first: number, step = 1) => Array.from({ length: 5 }, (_, at) => first + step * at);

test.each([
  ["years", five(1998)],
  ["months", [202311, 202312, 202401, 202402, 202403]],
  ["seconds of Unix", five(1_700_000_000, 0.5)],
  ["milliseconds of Unix", five(1_700_000_000_000)],
])("%s are times", (_, values) => expect(timesAmong(numbers(3, values))).toEqual([3]));

test.each([
  ["too few years", five(1998).slice(1)],
  ["halves of years", five(1998, 0.5)],
  ["amounts about 2000", [...five(1998), 2_312]],
  ["months and a thirteenth", [202311, 202312, 202313, 202401, 202402]],
  ["counters", five(1)],
  ["long numbers", five(9_700_000_000)],
])("%s are none", (_, values) => expect(timesAmong(numbers(3, values))).toEqual([]));

test("months, quarters and weeks are times; other texts are none", () => {
  const texts = (names: string[]) => timesAmong({ kind: "category", name: "t", column: 2, part: null, names });
  expect(texts(five(2019).map((year) => `${year}Q1`))).toEqual([2]);
  expect(texts(five(1).map((month) => `2024-0${month}`))).toEqual([2]);
  expect(texts(five(10).map((week) => `2024-W${week}`))).toEqual([2]);
  expect(
    texts(
      five(10)
        .map((week) => `2024-W${week}`)
        .with(2, "later"),
    ),
  ).toEqual([]);
  expect(texts(["2024Q1", "2024Q2"])).toEqual([]);
});

test("dates come first, each column once", () => {
  const part = (name: "year" | "month", column: number): NumberFeature => ({ ...numbers(column, [1, 2]), part: name });
  expect(timesAmong(numbers(0, five(1998)), part("year", 1), part("month", 1))).toEqual([1, 0]);
});

describe("a label that only the newest rows have", () => {
  const labels = ["no", "open", "yes"];
  const late = (code: (day: number) => number) => {
    const days = Float64Array.from({ length: 200 }, (_, row) => (row * 77) % 200);
    return lateLabel({ labels, classes: Uint8Array.from(days, code) }, days);
  };
  const usual = (day: number) => (day % 3 === 0 ? 0 : 2);

  test("is found, with a few others between", () => {
    expect(late((day) => (day >= 150 && day % 5 !== 0 ? 1 : usual(day)))).toBe("open");
  });

  test("is none where it begins earlier, stays rare, has few rows or stands anywhere", () => {
    expect(late((day) => (day >= 90 ? 1 : usual(day)))).toBeNull();
    expect(late((day) => (day >= 150 && day % 3 === 0 ? 1 : usual(day)))).toBeNull();
    expect(late((day) => (day >= 185 ? 1 : usual(day)))).toBeNull();
    expect(late((day) => day % 3)).toBeNull();
  });
});
