// A forest's settings, chosen among rivals by their first trees: all on few trees and rows, the best of them on more.
import type { BaseSettings } from "../families/base-algorithms.ts";
import type { FitInput } from "../fitting/family.ts";
import { sampleRows } from "../fitting/row-sample.ts";
import { brierScores } from "../judging/metrics.ts";
import { meanOf } from "../sums.ts";
import { ForestGrower } from "../trees/forest-growth.ts";

export const FINAL_TREES = 60;
export const FINAL_ROWS = 20_000;
/** Trees and rows of the two rungs: first for all rivals, then for the best of them. */
const RUNGS = { first: { trees: 20, rows: 10_000 }, final: { trees: FINAL_TREES, rows: FINAL_ROWS } };
const FINAL_RIVALS = 3;

export type ForestAttempt = Extract<BaseSettings, { algorithm: "forest" }>;

/**
 * Grows the candidate whose first trees do best out of bag, in two rungs. If the last rung had all rows, its trees are
 * the first of the forest. Candidates are compared by squared error: with few votes a row, the log-loss is mostly that
 * of the rows whose class got no vote.
 */
export function chooseForest(input: FitInput, candidates: readonly ForestAttempt[]): ForestGrower {
  const { seed, stop } = input;
  const [first] = candidates;
  if (candidates.length === 1) return new ForestGrower(input, first!);
  const losses = candidates.map((candidate) => tryForest(input, candidate, "first"));
  const rows = sampleRows(input, FINAL_ROWS, seed);
  let best: { grower: ForestGrower; loss: number } | null = null;
  for (const candidate of bestForests(candidates, losses)) {
    if (best !== null && stop.timeIsUp()) break;
    const grown = growFirst({ ...input, rows }, candidate, FINAL_TREES);
    if (best === null || grown.loss < best.loss) best = grown;
  }
  const { grower } = best!;
  return rows.length === input.rows.length ? grower : new ForestGrower(input, grower.settings);
}

/** The loss of a candidate's first trees on the rows of a rung; infinite where time is up. */
export function tryForest(input: FitInput, candidate: ForestAttempt, rung: keyof typeof RUNGS): number {
  if (input.stop.timeIsUp()) return Number.POSITIVE_INFINITY;
  const { trees, rows } = RUNGS[rung];
  const { grower, loss } = growFirst({ ...input, rows: sampleRows(input, rows, input.seed) }, candidate, trees);
  grower.release();
  return loss;
}

/** The candidates that stay for the final rung, the best first. */
export function bestForests(candidates: readonly ForestAttempt[], losses: readonly number[]): ForestAttempt[] {
  const byLoss = [...candidates.keys()].sort((a, b) =>
    losses[a]! < losses[b]! ? -1 : Number(losses[a]! > losses[b]!),
  );
  return byLoss.slice(0, FINAL_RIVALS).map((index) => candidates[index]!);
}

function growFirst(input: FitInput, settings: ForestAttempt, treeCount: number) {
  const grower = new ForestGrower(input, settings);
  grower.growTo(treeCount);
  return { grower, loss: meanOf(brierScores(grower.outOfBag(), input)) };
}
