// The importance of columns over re-splits: the mean over all, and how far two halves of them differ.
import { expect, test } from "bun:test";
import type { Confirmation } from "../../../engine/search/refit.ts";
import { importanceOf } from "../../../src/training/importance-of.ts";

function confirmations(losses: readonly Readonly<Record<number, number>>[]): Confirmation[] {
  return losses.map((own) => ({
    decisions: new Uint8Array(10),
    importance: Object.entries(own).map(([column, loss]) => ({ column: Number(column), loss })),
  }));
}

test("of two re-splits the least and most are their own, of four those of two halves", () => {
  expect(importanceOf(confirmations([{ 0: 0.5 }, { 0: 0.25 }]))).toEqual([
    { column: 0, mean: 0.375, low: 0.25, high: 0.5 },
  ]);
  const four = confirmations([{ 0: 0.5 }, { 0: 0 }, { 0: 0.125 }, { 0: 0.375 }]);
  expect(importanceOf(four)).toEqual([{ column: 0, mean: 0.25, low: 0.25, high: 0.25 }]);
});

test("the most important comes first; a model that uses no cell of a column says nothing of it", () => {
  const found = importanceOf(confirmations([{ 0: 0.125, 3: 0.25 }, { 3: 0.5 }, { 0: 0.125 }, {}]));
  expect(found).toEqual([
    { column: 3, mean: 0.375, low: 0.375, high: 0.375 },
    { column: 0, mean: 0.125, low: 0.125, high: 0.125 },
  ]);
});

test("without re-splits there is none", () => {
  expect(importanceOf([])).toEqual([]);
});
