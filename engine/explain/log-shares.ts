// Converts a row's contributions between scales: scores, class shares and their logarithms, feature by feature.
import { softmaxInPlace } from "../fitting/score-tables.ts";
import { sumOf } from "../sums.ts";
import type { TermRows } from "../text/term-rows.ts";

/** One row's answer taken apart. */
export interface Contributions {
  /** The classes' answers before any feature is read, `classCount` long. */
  base: Float64Array;
  /** `items × classCount`. Items are the features, then the slots of each text where the model reads terms. */
  contributions: Float64Array;
}

/**
 * Explains the answer for the codes of one row: softmax(base + Σ contributions) is the model's answer. `texts`: the
 * terms of the row, one row for each text; left out where the model reads none.
 */
export type Explainer = (codes: ArrayLike<number>, texts?: readonly TermRows[]) => Contributions;

/**
 * Class shares p = base + Σ contributions, taken apart on the scale of ln(p + least): `base` becomes ln(base + least),
 * and each contribution is divided by the logarithmic mean of p + least and base + least, which is what makes the sum
 * exact (the logarithmic mean Divisia index: Ang 2004). Every contribution keeps its sign.
 */
export function logsOfShares({ base, contributions }: Contributions, least: number): Contributions {
  const classCount = base.length;
  const shares = totals(base, contributions);
  const means = shares.map((share, k) => logarithmicMean(Math.max(0, share) + least, base[k]! + least));
  return {
    base: base.map((share) => Math.log(share + least)),
    contributions: contributions.map((value, at) => value / means[at % classCount]!),
  };
}

/**
 * Scores s = base + Σ contributions, converted to the scale of ln p, p = softmax(s), or with `least` above 0 to that of
 * ln(p + least). What the scores of a feature do to all classes alike cancels in p: with weights proportional to the
 * logarithmic means of p and its base, the weighted mean of ln p - ln p_base is 0, so that the same mean of a feature's
 * contributions is its exact part of that. The step from ln p to ln(p +
 * least) is a slope between 0 and 1 for each class.
 */
export function logsOfScores({ base, contributions }: Contributions, least: number): Contributions {
  const classCount = base.length;
  const before = logProbabilities(base);
  const after = logProbabilities(totals(base, contributions));
  const means = after.map((log, k) => logarithmicMeanOfLogs(log, before[k]!));
  const sum = sumOf(means);
  const slopes = after.map((log, k) => slope(log, before[k]!, least));
  const logs = new Float64Array(contributions.length);
  for (let at = 0; at < logs.length; at += classCount) {
    let common = 0;
    for (let k = 0; k < classCount; k++) common += (means[k]! / sum) * contributions[at + k]!;
    for (let k = 0; k < classCount; k++) logs[at + k] = slopes[k]! * (contributions[at + k]! - common);
  }
  return { base: before.map((log) => (least > 0 ? Math.log(Math.exp(log) + least) : log)), contributions: logs };
}

/** Scores on their own scale, or, with `least`, on that of ln(p + least). */
export function onLogScale(scores: Contributions, least: number | null): Contributions {
  return least === null ? scores : logsOfScores(scores, least);
}

/** Scores taken apart on the scale of p = softmax(s): base + Σ contributions = p. */
export function sharesOfScores(scores: Contributions): Contributions {
  const { base, contributions } = logsOfScores(scores, 0);
  const classCount = base.length;
  const after = totals(base, contributions);
  const means = after.map((log, k) => logarithmicMeanOfLogs(log, base[k]!));
  return { base: base.map(Math.exp), contributions: contributions.map((value, at) => value * means[at % classCount]!) };
}

/** Adds `share` times one answer to another, both taken apart on the same scale. */
export function addShare(to: Contributions, from: Contributions, share: number): void {
  for (const [k, value] of from.base.entries()) to.base[k] = to.base[k]! + share * value;
  // Texts have slots after the features, which only models of terms fill: `from` may be shorter than `to`.
  for (const [at, contribution] of from.contributions.entries())
    to.contributions[at] = to.contributions[at]! + share * contribution;
}

/** base + Σ contributions, class by class. */
export function totals(base: Float64Array, contributions: Float64Array): Float64Array {
  const sums = base.slice();
  for (const [at, value] of contributions.entries()) sums[at % base.length] = sums[at % base.length]! + value;
  return sums;
}

/** The logarithmic mean (a - b) / (ln a - ln b) of two positive numbers; a where they are equal. */
function logarithmicMean(a: number, b: number): number {
  return logarithmicMeanOfLogs(Math.log(a), Math.log(b));
}

/** The same of exp(a) and exp(b). */
function logarithmicMeanOfLogs(a: number, b: number): number {
  const half = (a - b) / 2;
  // sinh(x) / x, where both are nearly equal by its series.
  const spread = Math.abs(half) < 1e-4 ? 1 + (half * half) / 6 : Math.sinh(half) / half;
  return Number.isFinite(spread) ? Math.exp((a + b) / 2) * spread : Math.exp(Math.max(a, b)) / Math.abs(a - b);
}

/** By how much ln(exp(x) + least) changes from `before` to `after`, for each unit of x. */
function slope(after: number, before: number, least: number): number {
  if (least === 0) return 1;
  const change = after - before;
  const share = Math.exp(before);
  if (Math.abs(change) < 1e-6) return share / (share + least);
  return Math.log((Math.exp(after) + least) / (share + least)) / change;
}

function logProbabilities(scores: Float64Array): Float64Array {
  const sum = softmaxInPlace(scores.slice(), 0, scores.length);
  return scores.map((score) => score - sum);
}
