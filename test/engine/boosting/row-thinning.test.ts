// Thinning: large gradients stay as they are, one of four small ones stands for all, and nothing is lost.
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { BoostedTrees } from "../../../engine/boosting/boosted-trees.ts";
import { boostingSettings } from "../../../engine/boosting/boosting-settings.ts";
import { fitBoosting } from "../../../engine/boosting/gradient-boosting.ts";
import { isThinned, thinRows } from "../../../engine/boosting/row-thinning.ts";
import { correctCount, drawInput } from "../families/coded-input.ts";
import { scores } from "./boosting-scores.ts";

const gradient = fc.oneof(
  fc.double({ min: -1, max: 1, noNaN: true }),
  fc.double({ min: -1e-3, max: 1e-3, noNaN: true }),
  fc.constantFrom(0, -0, 1, -1, 2 ** -30, -(2 ** -40)),
);

test("each row is kept as it is, kept four times as heavy, or goes to the others", () => {
  fc.assert(
    fc.property(fc.array(gradient, { maxLength: 300 }), fc.nat({ max: 9 }), (given, offset) => {
      const gradients = Float64Array.from(given);
      const hessians = gradients.map((each) => Math.abs(each) * (1 - Math.abs(each)));
      const before = { gradients: gradients.slice(), hessians: hessians.slice() };
      const rows = Int32Array.from(given, (_, row) => row);
      const others = new Int32Array(given.length + 2).fill(-1);
      const kept = thinRows(gradients, hessians, rows, given.length, { others, otherCount: 2, offset });
      const keptRows = [...rows.subarray(0, kept)];
      const otherRows = [...others.subarray(2, 2 + given.length - kept)];
      expect([...keptRows, ...otherRows].sort((a, b) => a - b)).toEqual(given.map((_, row) => row));
      expect(keptRows).toEqual([...keptRows].sort((a, b) => a - b));
      const heavier = keptRows.filter((row) => gradients[row] !== before.gradients[row]);
      for (const row of heavier) {
        expect(gradients[row]).toBe(4 * before.gradients[row]!);
        expect(hessians[row]).toBe(4 * before.hessians[row]!);
      }
      const sizeOf = (row: number) => Math.abs(before.gradients[row]!);
      const largestGone = Math.max(0, ...otherRows.map(sizeOf));
      const plain = keptRows.filter((row) => gradients[row] === before.gradients[row] && gradients[row] !== 0);
      for (const row of plain) expect(sizeOf(row)).toBeGreaterThanOrEqual(largestGone);
      const sum = (list: readonly number[]) => list.reduce((total, row) => total + sizeOf(row), 0);
      expect(sum([...otherRows, ...heavier])).toBeLessThanOrEqual(0.3 * sum(given.map((_, row) => row)) + 1e-12);
    }),
  );
});

test("two classes, few classes and few rows are never thinned", () => {
  expect(isThinned(2, 1_000_000)).toBeFalse();
  expect(isThinned(10, 1_000_000)).toBeFalse();
  expect(isThinned(26, 3_999)).toBeFalse();
  expect(isThinned(11, 4_000)).toBeTrue();
});

test("trees of many classes on thinned rows still learn them, and the same every time", () => {
  const input = drawInput({ seed: 4, rowCount: 6_000, classCount: 12, bucketCounts: [30, 30, 30, 8] });
  const settings = { ...boostingSettings("c31", 6_000, 12), roundCount: 12 };
  const model = fitBoosting(input, settings);
  expect(fitBoosting(input, settings)).toEqual(model);
  const once = fitBoosting(input, { ...settings, roundCount: 1 });
  const correct = (trees: BoostedTrees) => correctCount(scores(trees, input), input, input.rows);
  expect(correct(model)).toBeGreaterThan(correct(once));
});
