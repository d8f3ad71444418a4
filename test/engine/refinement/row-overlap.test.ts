// Rows that TEST shares with TRAIN, against a comparison of every pair.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { rowOverlap } from "../../../engine/refinement/row-overlap.ts";
import { makeTable } from "../../support/tables.ts";
import { taskOf } from "./checked-task.ts";

type Row = readonly [number | null, string | null, string];

function overlapOf(train: readonly Row[], test: readonly Row[]): number {
  const all = [...train, ...test];
  const table = makeTable(
    [all.map(([number]) => number), all.map(([, text]) => text)],
    all.map(([, , label]) => label),
  );
  return rowOverlap(taskOf(table, test.length, 10, (row) => row % 3 === 0));
}

test("is what comparing every pair of rows gives", () => {
  const row = fc.tuple(
    fc.option(fc.integer({ min: 0, max: 4 })),
    fc.option(fc.constantFrom("p", "q", "r")),
    fc.constantFrom("no", "yes"),
  );
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 1, maxLength: 40 }),
      fc.array(row, { minLength: 1, maxLength: 40 }),
      (train, tested) => {
        const shared = tested.filter((one) => train.some((other) => other.every((cell, at) => cell === one[at])));
        expect(overlapOf(train, tested)).toBe(shared.length / tested.length);
      },
    ),
    { numRuns: 300 },
  );
});

test("the label must be the same too", () => {
  expect(overlapOf([[1, "p", "yes"]], [[1, "p", "no"]])).toBe(0);
  expect(overlapOf([[1, "p", "yes"]], [[1, "p", "yes"]])).toBe(1);
});

test("is 0 without TEST rows", () => {
  expect(overlapOf([[1, "p", "yes"]], [])).toBe(0);
});
