// Stacking: one non-negative weight per base model, fitted on the log-odds
// that the bases gave rows they did not learn from.

import { gatherClasses } from "../fitting/class-counts.ts";
import { softmaxInPlace } from "../fitting/score-tables.ts";
import type { StopSignal } from "../stop-signal.ts";
import type { LabelledRows } from "../table/table.ts";
import { removalCosts, type StackInput, solveStack } from "./stack-solver.ts";

/** Added to every probability, so that a base that was sure and wrong does not dominate. */
export const LEAST_SHARE = 0.002;
/** A base of less weight is left out; on few rows also one of a smaller share of the largest weight. */
const LEAST_WEIGHT = 1e-3;
const LEAST_SHARE_OF_LARGEST = 0.15;
/**
 * A base must lower the loss by this share. Without those that do not, three tables of four did no worse on new rows.
 */
export const LEAST_WORTH = 2e-3;

/** score_k(row) = intercepts[k] + Σ_m weights[m] · log-odds of base m for class k; then softmax. */
export interface Stacking {
  /** One per base, none negative, shared by all classes. */
  weights: Float64Array;
  /** One per class. */
  intercepts: Float64Array;
}

/** A base's part of a stack's scores, before its weight. Rounded, since fits keep it for every base and row. */
export function centredLogOdds(probabilities: ArrayLike<number>, classCount: number): Float32Array {
  const logOdds = new Float32Array(probabilities.length);
  writeLogOdds(probabilities, classCount, logOdds);
  return logOdds;
}

/** The answers of bases to some rows. `votes`: the class probabilities of each base, `rows × classes`. */
export function stackInputOf(
  votes: readonly ArrayLike<number>[],
  { rows, classes, classCount }: LabelledRows,
): StackInput {
  const logOdds = votes.map((vote) => centredLogOdds(vote, classCount));
  return { logOdds, classes: gatherClasses(classes, rows), classCount };
}

/** Writes ln(p + e), less its mean over the classes of the row, to `logOdds`, which may be `probabilities` itself. */
export function writeLogOdds(
  probabilities: ArrayLike<number>,
  classCount: number,
  logOdds: Float32Array | Float64Array,
): void {
  for (let base = 0; base < logOdds.length; base += classCount) {
    let sum = 0;
    for (let k = 0; k < classCount; k++) sum += Math.log(probabilities[base + k]! + LEAST_SHARE);
    const mean = sum / classCount;
    for (let k = 0; k < classCount; k++) logOdds[base + k] = Math.log(probabilities[base + k]! + LEAST_SHARE) - mean;
  }
}

/**
 * Stacked generalisation (Wolpert 1992) with non-negative weights (Breiman 1996): the multinomial likelihood with a
 * ridge towards equal weights. The problem is convex, so the bytes of the result depend only on the order of summation.
 */
export function fitStacking(input: StackInput, stop: StopSignal): Stacking {
  const { theta } = solveStack(input, stop);
  const baseCount = input.logOdds.length;
  return { weights: theta.slice(0, baseCount), intercepts: theta.slice(baseCount) };
}

/**
 * The bases that a stack needs, ascending, since one that hardly helps costs each refit and each scored row as much as
 * any other. Bases without weight go first, then the one that is missed least, again and again, while the loss rises by
 * at most `LEAST_WORTH` of it. On few rows (D137) it is chance which ones help: those stay whose weight is not small.
 */
export function chooseBases(input: StackInput, stop: StopSignal, hasFewRows: boolean): number[] {
  const among = (bases: readonly number[]) => ({ ...input, logOdds: bases.map((base) => input.logOdds[base]!) });
  let bases = [...input.logOdds.keys()];
  let solution = solveStack(input, stop);
  const weights = solution.theta.slice(0, bases.length);
  const least = hasFewRows ? LEAST_SHARE_OF_LARGEST * weights.reduce((most, weight) => Math.max(most, weight), 0) : 0;
  const weighing = bases.filter((base) => weights[base]! >= Math.max(LEAST_WEIGHT, least));
  if (weighing.length === 0) return bases;
  if (hasFewRows) return weighing;
  if (weighing.length < bases.length) {
    const near = solution.theta.filter((_, parameter) => parameter >= bases.length || weighing.includes(parameter));
    bases = weighing;
    solution = solveStack(among(bases), stop, near);
  }
  const mostRise = LEAST_WORTH * solution.loss;
  while (bases.length > 1) {
    const costs = removalCosts(among(bases), solution);
    const cheapest = costs.indexOf(Math.min(...costs));
    const fewer = bases.filter((_, index) => index !== cheapest);
    const near = solution.theta.filter((_, parameter) => parameter !== cheapest);
    const without = solveStack(among(fewer), stop, near);
    if (without.loss > solution.loss + mostRise) break;
    bases = fewer;
    solution = without;
  }
  return bases;
}

/** Probabilities of rows, `rows × classCount`, by the log-odds of every base, which are asked for once and in order. */
export function applyStacking(
  { weights, intercepts }: Stacking,
  logOdds: Iterable<Float32Array | Float64Array>,
  rowCount: number,
): Float64Array {
  const classCount = intercepts.length;
  const scores = new Float64Array(rowCount * classCount);
  for (let at = 0; at < scores.length; at += classCount) scores.set(intercepts, at);
  let base = 0;
  for (const ofBase of logOdds) {
    const weight = weights[base++]!;
    if (weight === 0) continue;
    for (let at = 0; at < scores.length; at++) scores[at] = scores[at]! + weight * ofBase[at]!;
  }
  for (let at = 0; at < scores.length; at += classCount) softmaxInPlace(scores, at, classCount);
  return scores;
}
