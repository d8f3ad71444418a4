// Shares of labels among the newest rows, which judge by time, beside the older ones.
import { expect, test } from "bun:test";
import { confusionMatrix } from "../../../engine/judging/metrics.ts";
import { Random } from "../../../engine/random.ts";
import { openTraining } from "../../../engine/search/open-training.ts";
import { labelledRows } from "../../../engine/table/table.ts";
import { changedByTime } from "../../../src/training/changed-by-time.ts";

const ROWS = 2_000;

/** Rows in time order with a label of this share, all of which are decided as the other label. */
function changeOf(shareAt: (age: number) => number, isByTime = true, objective: "accuracy" | "f1" = "accuracy") {
  const random = new Random(1);
  const classes = Uint8Array.from({ length: ROWS }, (_, row) => Number(random.nextFloat() < shareAt(row / ROWS)));
  const table = { rowCount: ROWS, features: [], levels: [], labels: ["no", "yes"], classes };
  const times = isByTime ? Float64Array.from({ length: ROWS }, (_, row) => row) : null;
  const options = { numberOfBuckets: 20, target: null, seed: 1, objective };
  const task = openTraining(table, options, { groups: null, times });
  const judging = labelledRows(table, task.split.judging);
  return changedByTime(task, confusionMatrix(new Uint8Array(judging.rows.length), judging));
}

test("is told where the newest rows have far more of a label", () => {
  const found = changeOf((age) => (age < 0.8 ? 0.35 : 0.67))!;
  expect(found.label).toBe("yes");
  expect(found.older).toBeCloseTo(0.35, 1);
  expect(found.newest).toBeCloseTo(0.67, 1);
  expect(found.accuracy).toBeCloseTo(1 - found.newest, 9);
  expect(changeOf((age) => (age < 0.8 ? 0.35 : 0.67), true, "f1")!.accuracy).toBeNull();
  expect(changeOf((age) => (age < 0.8 ? 0.4 : 0.1))!.label).toBe("no");
});

test("is not told where the shares stay or move a little, nor of rows without a time", () => {
  for (const last of [0.35, 0.42]) expect(changeOf((age) => (age < 0.8 ? 0.35 : last))).toBeNull();
  expect(changeOf((age) => (age < 0.8 ? 0.35 : 0.67), false)).toBeNull();
});
