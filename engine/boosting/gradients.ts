// Gradient and hessian of each row as whole numbers, so that their sums over
// rows are exact in whatever order they are taken.

import { type Thinning, thinRows } from "./row-thinning.ts";

/** One unit of a gradient: gradients lie in [-4, 4], so sums over 2^21 rows stay below 2^53. */
export const GRADIENT_UNIT = 2 ** -30;
/** Rows that one tree learns from at most: more would leave the mean hessian of a row less than 13 bits. */
export const MAX_ROWS_PER_TREE = 2 ** 20;
/** The sum of all hessians in units at most; fewer where many rows leave fewer bits. */
const MAX_HESSIAN_SUM = 2 ** 40;
/** Adding this and taking it away again rounds to a whole number below 2^51. */
const ROUNDING = 1.5 * 2 ** 52;

/**
 * The pairs of all rows, each at its own place, and the units of their sums. `countSpan` exceeds the
 * number of rows, so a sum of hessians modulo `countSpan` counts the rows. The sum times
 * `hessianUnit` is that of the hessians, to less than one unit.
 */
export interface GradientPairs {
  /** The derivative of the log-loss by the score, in units of `GRADIENT_UNIT`. */
  gradients: Float64Array;
  /** The hessian as a whole number of units, times `countSpan`, plus 1 for the row itself. */
  hessians: Float64Array;
  countSpan: number;
  hessianUnit: number;
  /** Sums over the rows that have pairs. */
  gradientSum: number;
  hessianSum: number;
}

/** Gradient pairs over the given arrays, to be filled in. */
export function pairsOver(gradients: Float64Array, hessians: Float64Array): GradientPairs {
  return { gradients, hessians, countSpan: 1, hessianUnit: 1, gradientSum: 0, hessianSum: 0 };
}

/** Writes the gradient pairs of the first `count` of `rows`, each at its own place, from the log-odds of class 1. */
export function pairsByLogOdds(
  pairs: GradientPairs,
  scores: Float64Array,
  classes: Uint8Array,
  rows: Int32Array,
  count: number,
): void {
  const { gradients, hessians } = pairs;
  let hessianSum = 0;
  for (let at = 0; at < count; at++) {
    const row = rows[at]!;
    const probability = 1 / (1 + Math.exp(-scores[row]!));
    const hessian = probability * (1 - probability);
    gradients[row] = probability - classes[row]!;
    hessians[row] = hessian;
    hessianSum += hessian;
  }
  makeWhole(pairs, rows, count, hessianSum);
}

/**
 * Writes the gradient pairs of the first `count` of `rows` for one class among several. `scores` are
 * those of `scoredClass`, `logSums` the logarithms of the sums over all classes of exp(score). Returns how
 * many of `rows` have pairs; with `thinning` the rest move to its `others`.
 */
export function pairsByClass(
  pairs: GradientPairs,
  scores: Float64Array,
  logSums: Float64Array,
  classes: Uint8Array,
  scoredClass: number,
  rows: Int32Array,
  count: number,
  thinning: Thinning | null,
): number {
  const { gradients, hessians } = pairs;
  for (let at = 0; at < count; at++) {
    const row = rows[at]!;
    const probability = Math.exp(scores[row]! - logSums[row]!);
    gradients[row] = probability - (classes[row] === scoredClass ? 1 : 0);
    hessians[row] = Math.max(0, probability * (1 - probability));
  }
  const kept = thinning === null ? count : thinRows(gradients, hessians, rows, count, thinning);
  let hessianSum = 0;
  for (let at = 0; at < kept; at++) hessianSum += hessians[rows[at]!]!;
  makeWhole(pairs, rows, kept, hessianSum);
  return kept;
}

/** Chooses the finest units whose sums stay exact, and rounds to them. */
function makeWhole(pairs: GradientPairs, rows: Int32Array, count: number, exactSum: number): void {
  const { gradients, hessians } = pairs;
  const countSpan = 2 ** (32 - Math.clz32(count));
  // Rounding adds at most half a unit a row.
  const limit = Math.min(2 ** 53 / countSpan, MAX_HESSIAN_SUM) - count;
  let unit = 2 ** -70;
  while (exactSum > unit * limit) unit *= 2;
  const gradientScale = 1 / GRADIENT_UNIT;
  const hessianScale = 1 / unit;
  let gradientSum = 0;
  let hessianSum = 0;
  for (let at = 0; at < count; at++) {
    const row = rows[at]!;
    const gradient = gradients[row]! * gradientScale + ROUNDING - ROUNDING;
    const weight = (hessians[row]! * hessianScale + ROUNDING - ROUNDING) * countSpan + 1;
    gradients[row] = gradient;
    hessians[row] = weight;
    gradientSum += gradient;
    hessianSum += weight;
  }
  pairs.countSpan = countSpan;
  pairs.hessianUnit = unit / countSpan;
  pairs.gradientSum = gradientSum;
  pairs.hessianSum = hessianSum;
}
