// Labels of rows that were chosen by their decisions: found, and not where rows were drawn at random.
import { expect, test } from "bun:test";
import { chosenRows } from "../../../engine/outcomes/chosen-rows.ts";
import { Random } from "../../../engine/random.ts";

const LABELS = ["ok", "scrap"];

/** `right` and `wrong`: labelled rows of each decision. */
const counts = (right: readonly [number, number], wrong: readonly [number, number], without: number[]) => ({
  confusion: [
    [right[0], wrong[1]],
    [wrong[0], right[1]],
  ],
  withoutLabelBy: without,
});

test("labels of rows with one decision alone are called chosen, with both shares", () => {
  const ofScrap = counts([0, 150], [0, 50], [300, 0]);
  expect(chosenRows(LABELS, ofScrap)).toEqual({ decision: "scrap", labelled: 1, all: 0.4 });
});

test("labels of all rows, and of nearly all, are not", () => {
  expect(chosenRows(LABELS, counts([200, 150], [50, 50], [0, 0]))).toBeNull();
  expect(chosenRows(LABELS, counts([200, 150], [50, 50], [20, 0]))).toBeNull();
  expect(chosenRows(LABELS, counts([0, 0], [0, 0], [100, 50]))).toBeNull();
  // Counts of earlier versions do not say what the other rows were decided for.
  expect(chosenRows(LABELS, { confusion: counts([0, 150], [0, 50], []).confusion })).toBeNull();
});

test("labels of rows drawn at random are called chosen in less than one of 100 files", () => {
  const random = new Random(5);
  let called = 0;
  for (let file = 0; file < 2_000; file++) {
    const labelled = [0, 0];
    const without = [0, 0];
    for (let row = 0; row < 60; row++)
      (random.nextFloat() < 0.4 ? labelled : without)[random.nextFloat() < 0.3 ? 1 : 0]!++;
    if (chosenRows(LABELS, counts(labelled as [number, number], [0, 0], without)) !== null) called++;
  }
  expect(called).toBeLessThan(20);
});
