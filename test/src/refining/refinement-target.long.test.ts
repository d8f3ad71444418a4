// The target that a refinement reached is more than guessing reaches, or there is none.
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { BlindScore } from "../../../engine/refinement/blind-score.ts";
import type { RowScores } from "../../../engine/refinement/cross-validation.ts";
import { guessOnFifth, reachedTarget } from "../../../src/refining/refinement-target.ts";

const share = fc.double({ min: 0, max: 1, noNaN: true });

test("for any figures it lies above guessing and no higher than what was measured", () => {
  fc.assert(
    fc.property(fc.integer({ min: 10, max: 5_000 }), share, share, share, (rowCount, blind, crossed, guess) => {
      const rightCount = Math.floor(blind * rowCount);
      const best = { falseDecisions: rowCount - rightCount, rowCount } as BlindScore;
      const right = Uint8Array.from({ length: 1_000 }, (_, row) => Number(row < crossed * 1_000));
      const scores = { right } as RowScores;
      const target = reachedTarget(best, scores, { trainRowCount: 4 * rowCount, guess });
      if (target === null) return true;
      return target > guess && target <= Math.min(rightCount / rowCount, right.filter(Boolean).length / 1_000);
    }),
  );
});

test("is the least above guessing where chance may take all that a model has on it", () => {
  const best = { falseDecisions: 250, rowCount: 1_000 } as BlindScore;
  const scores = { right: Uint8Array.from({ length: 1_000 }, (_, row) => Number(row < 750)) } as RowScores;
  const of = (guess: number) => reachedTarget(best, scores, { trainRowCount: 100, guess });
  expect([of(0.5) === of(0.6), of(0.7), of(0.70005), of(0.76)]).toEqual([true, 0.7001, 0.7001, null]);
});

test("guessing is counted with the row that dealing may add to a fifth", () => {
  const classes = Uint8Array.from({ length: 100 }, (_, row) => Number(row < 60));
  const rows = Uint32Array.from(classes.keys());
  expect(guessOnFifth({ classes, labels: ["a", "b"] }, rows)).toBeCloseTo(0.65, 12);
});
