// Rows that TEST shares with TRAIN, against a comparison of every pair.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { rowOverlap } from "../../../engine/refinement/row-overlap.ts";
import type { RefinementTask } from "../../../engine/refinement/task.ts";
import { makeTable } from "../../support/tables.ts";

type Row = readonly [number | null, string | null, string];

function taskOf(train: readonly Row[], test: readonly Row[]): RefinementTask {
  const all = [...train, ...test];
  const table = makeTable(
    [all.map(([number]) => number), all.map(([, text]) => text)],
    all.map(([, , label]) => label),
  );
  const rows = Uint32Array.from(all, (_, row) => row);
  const learning = rows.filter((row) => row < train.length && row % 3 !== 0);
  const reserve = rows.filter((row) => row < train.length && row % 3 === 0);
  const tested = rows.subarray(train.length);
  return {
    table,
    learning,
    reserve,
    test: tested,
    selection: learning,
    folds: [],
    numberOfBuckets: 10,
    positiveClass: 1,
    hasKeys: false,
    seed: 1,
  };
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
        expect(rowOverlap(taskOf(train, tested))).toBe(shared.length / tested.length);
      },
    ),
    { numRuns: 300 },
  );
});

test("the label must be the same too", () => {
  expect(rowOverlap(taskOf([[1, "p", "yes"]], [[1, "p", "no"]]))).toBe(0);
  expect(rowOverlap(taskOf([[1, "p", "yes"]], [[1, "p", "yes"]]))).toBe(1);
});

test("is 0 without TEST rows", () => {
  expect(rowOverlap(taskOf([[1, "p", "yes"]], []))).toBe(0);
});
