// Copies: every recoding is found, whatever its direction or names; one differing row is enough to be no copy.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { copySignature, findColumnCopies, findCopies, isRenaming } from "../../../engine/refinement/copies.ts";
import { type RefinementTask, trainRows } from "../../../engine/refinement/task.ts";
import type { Feature } from "../../../engine/table/table.ts";
import { type Cells, makeTable } from "../../support/tables.ts";
import { taskOf } from "./checked-task.ts";

function copiesOf(columns: readonly Cells[], testCount = 0, reserve: readonly number[] = []): [number, number][] {
  const labels = Array.from(columns[0]!, (_, row) => (row % 2 === 0 ? "no" : "yes"));
  const task = taskOf(makeTable(columns, labels), testCount, 10, (row) => reserve.includes(row));
  return [...findCopies(signaturesOf(task))];
}

function signaturesOf(task: RefinementTask) {
  const rows = trainRows(task);
  return task.table.features.map((_, index) =>
    copySignature(task.table.features[index]!, task.table.levels[index]!, rows),
  );
}

const maybeMissing = <T>(cell: fc.Arbitrary<T>) => fc.oneof({ weight: 9, arbitrary: cell }, fc.constant(null));
const manyNumbers = fc.array(maybeMissing(fc.integer({ min: -5000, max: 5000 })), { minLength: 4, maxLength: 120 });
const fewNumbers = fc.array(maybeMissing(fc.integer({ min: -3, max: 3 })), { minLength: 40, maxLength: 120 });
const numbers = fc.oneof(manyNumbers, fewNumbers).filter((cells) => cells.some((cell) => cell !== null));
const names = fc
  .array(maybeMissing(fc.constantFrom("p", "q", "r", "s")), { minLength: 12, maxLength: 80 })
  .filter((cells) => cells.some((cell) => cell !== null));
const map = <T>(cells: readonly (T | null)[], recode: (cell: T) => number | string) =>
  cells.map((cell) => (cell === null ? null : recode(cell)));

describe("is always a copy", () => {
  test("a strictly monotone recoding of a number, rising or falling", () => {
    fc.assert(
      fc.property(numbers, (cells) => {
        const rising = map(cells, (value) => value ** 3 + 7 * value);
        const falling = map(cells, (value) => Math.exp(-value / 1000) - 4);
        expect(copiesOf([cells, rising, falling])).toEqual([
          [1, 0],
          [2, 0],
        ]);
      }),
      { numRuns: 200 },
    );
  });

  test("a renaming of categories, also to numbers in any order, and of missing cells to a value", () => {
    const renamings = fc.shuffledSubarray([1, 2, 3, 4], { minLength: 4 });
    fc.assert(
      fc.property(names, renamings, (cells, codes) => {
        const renamed = map(cells, (name) => `x${codes["pqrs".indexOf(name)]}`);
        const numbered = map(cells, (name) => codes["pqrs".indexOf(name)]!);
        const filled = cells.map((name) => name ?? "none");
        expect(copiesOf([cells, renamed, numbered, filled]).map(([, first]) => first)).toEqual([0, 0, 0]);
      }),
      { numRuns: 200 },
    );
  });

  test("a category of many names, renamed", () => {
    const cells = Array.from({ length: 900 }, (_, row) => `name ${(row * 7) % 450}`);
    const renamed = cells.map((name) => name.split("").reverse().join(""));
    expect(copiesOf([cells, renamed])).toEqual([[1, 0]]);
  });

  test("a number that differs in TEST only", () => {
    const cells = Array.from({ length: 40 }, (_, row) => row % 7);
    const other = cells.map((value, row) => (row < 30 ? value * 2 : row));
    expect(copiesOf([cells, other], 10)).toEqual([[1, 0]]);
    expect(copiesOf([cells, other], 9)).toEqual([]);
  });
});

describe("is never a copy", () => {
  test("a column that differs in one row, whatever the row and the recoding", () => {
    fc.assert(
      fc.property(numbers, fc.nat(), fc.boolean(), (cells, at, isReversed) => {
        const row = at % cells.length;
        const changed = map(cells, (value) => (isReversed ? -value : value + 1));
        // Where the value stood once, a new one between its neighbours would be a recoding again; missing never is.
        changed[row] = cells[row] === null ? 20_000 : null;
        const hasOtherMissing = cells.some((cell, other) => cell === null && other !== row);
        const isAlone = cells.every((cell, other) => other === row || cell !== cells[row]);
        fc.pre(!isAlone || hasOtherMissing);
        fc.pre(changed.some((cell) => cell !== null));
        expect(copiesOf([cells, changed])).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  test("a category in which one row of a group took another group's name", () => {
    fc.assert(
      fc.property(names, fc.nat(), (cells, at) => {
        const row = at % cells.length;
        fc.pre(cells.filter((cell) => cell === cells[row]).length > 1);
        const changed = cells.map((name, other) => (other === row ? "another" : name));
        expect(copiesOf([cells, changed])).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  test("a row of the reserve that differs", () => {
    const cells = Array.from({ length: 40 }, (_, row) => row % 5);
    const changed = cells.map((value, row) => (row === 39 ? 0 : value));
    expect(copiesOf([cells, changed], 0, [9, 19, 29, 39])).toEqual([]);
  });

  test("another measurement, though both differ in every row", () => {
    const one = Array.from({ length: 60 }, (_, row) => row);
    const two = one.map((value) => (value * 17) % 61);
    const texts = one.map((value) => `id ${value}`);
    expect(copiesOf([one, two, texts])).toEqual([]);
  });

  test("a renamed number of more than 255 values", () => {
    const few = Array.from({ length: 1000 }, (_, row) => row % 255);
    const many = Array.from({ length: 1000 }, (_, row) => row % 256);
    expect(copiesOf([few, few.map((value) => (value * 2) % 255)])).toEqual([[1, 0]]);
    expect(copiesOf([many, many.map((value) => (value * 3) % 256)])).toEqual([]);
    expect(copiesOf([many, many.map((value) => -value)])).toEqual([[1, 0]]);
  });
});

test("copies by source column: a column of several features is one only of a column of the same features, in order", () => {
  const columns = [0, 1, 1, 2, 2, 3, 3, 4, 5, 5];
  const features = columns.map((column): Feature => {
    return { kind: "number", name: "c", column, part: null, values: new Float64Array(0) };
  });
  const copies = new Map([
    [1, 0],
    [3, 0],
    [4, 2],
    [5, 2],
    [6, 0],
    [7, 0],
    [9, 2],
  ]);
  expect([...findColumnCopies(features, copies)]).toEqual([
    [2, 1],
    [4, 0],
  ]);
});

test("a renaming is one in both directions", () => {
  const rows = Uint32Array.of(0, 1, 2, 3);
  expect(isRenaming([4, 4, 5, 6], [1, 1, 0, 2], rows)).toBe(true);
  expect(isRenaming([4, 4, 5, 6], [1, 1, 0, 0], rows)).toBe(false);
  expect(isRenaming([4, 4, 5, 5], [1, 1, 0, 2], rows)).toBe(false);
  expect(isRenaming([4, 4, 5, 9], [1, 1, 0, 1], rows.subarray(0, 3))).toBe(true);
});
