// A forest's settings: chosen among rivals by their first trees, before the forest is grown.
import type { BaseSettings } from "../families/base-algorithms.ts";
import type { FitInput } from "../families/family.ts";
import { sampleRows } from "../families/row-sample.ts";
import { quadraticLoss } from "../judging/metrics.ts";
import { ForestGrower } from "../trees/forest-growth.ts";

/** Trees and rows by which all rivals are compared, and then those that did best. */
const FIRST_TREES = 20;
const FIRST_ROWS = 10_000;
export const FINAL_TREES = 60;
export const FINAL_ROWS = 20_000;
const FINAL_RIVALS = 3;
const RUNGS = { first: { trees: FIRST_TREES, rows: FIRST_ROWS }, final: { trees: FINAL_TREES, rows: FINAL_ROWS } };

export type ForestAttempt = Extract<BaseSettings, { algorithm: "forest" }>;

/**
 * The forest of the candidate whose first trees do best out of bag, in two rungs; begun, where the
 * choice was made on all rows. Candidates are compared by squared error: with few votes a row, the
 * log-loss is that of the rows that no vote favours, and says little else.
 */
export function chooseForest(input: FitInput, candidates: readonly ForestAttempt[]): ForestGrower {
  const { seed, stop } = input;
  const [first] = candidates;
  if (candidates.length === 1) return new ForestGrower(input, first!);
  const firstRows = sampleRows(input, FIRST_ROWS, seed);
  const scored = candidates.map((candidate) => {
    if (stop.timeIsUp()) return { candidate, loss: Number.POSITIVE_INFINITY };
    return { candidate, loss: growFirst({ ...input, rows: firstRows }, candidate, FIRST_TREES).loss };
  });
  scored.sort((a, b) => a.loss - b.loss);
  const rows = sampleRows(input, FINAL_ROWS, seed);
  let best: { grower: ForestGrower; loss: number } | null = null;
  for (const { candidate } of scored.slice(0, FINAL_RIVALS)) {
    if (best !== null && stop.timeIsUp()) break;
    const grown = growFirst({ ...input, rows }, candidate, FINAL_TREES);
    if (best === null || grown.loss < best.loss) best = grown;
  }
  const { grower } = best!;
  return rows.length === input.rows.length ? grower : new ForestGrower(input, grower.settings);
}

/** The loss of a candidate's first trees on the rows of a rung; without time, more than that of any other. */
export function tryForest(input: FitInput, candidate: ForestAttempt, rung: keyof typeof RUNGS): number {
  if (input.stop.timeIsUp()) return Number.POSITIVE_INFINITY;
  const { trees, rows } = RUNGS[rung];
  const { grower, loss } = growFirst({ ...input, rows: sampleRows(input, rows, input.seed) }, candidate, trees);
  grower.release();
  return loss;
}

/** The candidates that stay for the final rung. */
export function bestForests(candidates: readonly ForestAttempt[], losses: readonly number[]): ForestAttempt[] {
  const byLoss = [...candidates.keys()].sort((a, b) =>
    losses[a]! < losses[b]! ? -1 : Number(losses[a]! > losses[b]!),
  );
  return byLoss.slice(0, FINAL_RIVALS).map((index) => candidates[index]!);
}

function growFirst(input: FitInput, settings: ForestAttempt, treeCount: number) {
  const grower = new ForestGrower(input, settings);
  grower.growTo(treeCount);
  const { rows, classes, classCount } = input;
  return { grower, loss: quadraticLoss(grower.outOfBag(), rows, classes, classCount) };
}
