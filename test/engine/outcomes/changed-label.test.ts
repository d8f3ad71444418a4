// Shares of labels that came later beside those of the training rows.
import { expect, test } from "bun:test";
import { array, assert, integer, property } from "fast-check";
import { changedLabel } from "../../../engine/outcomes/changed-label.ts";
import { Random } from "../../../engine/random.ts";
import { sumOf } from "../../../engine/sums.ts";

const LABELS = ["no", "yes"];

/** Rows by label, all decided alike. */
function decided(counts: readonly number[]): number[][] {
  return counts.map((count) => [count, ...counts.slice(1).map(() => 0)]);
}

test("the label that grew most is told with both shares", () => {
  expect(changedLabel(LABELS, [760, 240], decided([500, 500]))).toEqual({ label: "yes", trained: 0.24, later: 0.5 });
  expect(changedLabel(LABELS, [990, 10], decided([970, 30]))).toEqual({ label: "yes", trained: 0.01, later: 0.03 });
  const three = changedLabel(["a", "b", "c"], [500, 300, 200], decided([300, 350, 350]));
  expect(three).toEqual({ label: "c", trained: 0.2, later: 0.35 });
});

test("a change that is within chance, or too little to matter, is not told", () => {
  expect(changedLabel(LABELS, [760, 240], decided([7, 3]))).toBeNull();
  expect(changedLabel(LABELS, [76_000, 24_000], decided([75_000, 25_000]))).toBeNull();
});

test("without labels, or counts of the training, nothing is told", () => {
  expect(changedLabel(LABELS, [760, 240], decided([0, 0]))).toBeNull();
  expect(changedLabel(LABELS, [], decided([500, 500]))).toBeNull();
});

test("the same shares in more or fewer rows are never told", () => {
  const counts = array(integer({ min: 0, max: 500 }), { minLength: 2, maxLength: 6 });
  assert(
    property(counts, integer({ min: 1, max: 9 }), (trained, times) => {
      const later = trained.map((count) => count * times);
      const labels = trained.map((_, at) => `label ${at}`);
      expect(changedLabel(labels, trained, decided(later))).toBeNull();
    }),
  );
});

test("rows drawn with the training's shares are said to have others in one of a hundred draws at most", () => {
  const random = new Random(7);
  let told = 0;
  const drawn = (rowCount: number, share: number) => {
    const yes = sumOf(Array.from({ length: rowCount }, () => (random.nextFloat() < share ? 1 : 0)));
    return [rowCount - yes, yes];
  };
  for (let draw = 0; draw < 1_000; draw++) {
    if (changedLabel(LABELS, drawn(300, 0.2), decided(drawn(200, 0.2))) !== null) told++;
  }
  expect(told).toBeLessThanOrEqual(20);
});
