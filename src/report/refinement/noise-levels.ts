// The noise levels: the p-value and z-score that a column must pass, given how many columns were tested.
import type { ColumnDecision } from "../../../engine/refinement/decision.ts";
import { DISCOVERY_RATE } from "../../../engine/refinement/evidence.ts";
import { benjaminiHochberg } from "../../../engine/statistics/false-discovery.ts";
import { upperNormal } from "../../../engine/statistics/tail-probabilities.ts";

export interface NoiseLevels {
  pValue: number;
  permutationZ: number;
}

/**
 * Both levels by Benjamini and Hochberg (1995), over the columns that were judged by their evidence. Near copies are
 * shuffled together and share a z-score, which counts once.
 */
export function noiseLevels(columns: readonly ColumnDecision[]): NoiseLevels {
  const judged = columns.filter(isJudged).map(({ evidence }) => evidence);
  const pValues = judged.flatMap(({ pValue }) => (pValue === null ? [] : [pValue]));
  const scores = new Set(judged.flatMap(({ permutationZ }) => (permutationZ === null ? [] : [permutationZ])));
  return {
    pValue: levelAskedFor(pValues),
    permutationZ: scoreOf(levelAskedFor([...scores].map(upperNormal))),
  };
}

/**
 * False if a check kept or removed the column, so that its evidence did not
 * count. Only what was judged has a stability.
 */
export function isJudged({ stability }: ColumnDecision): boolean {
  return stability !== null;
}

/** The p-value limit for the last column to pass, or for the first if none passes. */
function levelAskedFor(pValues: readonly number[]): number {
  const passing = benjaminiHochberg(pValues, DISCOVERY_RATE).reduce((count, passes) => count + passes, 0);
  return (DISCOVERY_RATE * Math.max(1, passing)) / Math.max(1, pValues.length);
}

/** The z-score above which the normal distribution holds `share`, by bisection. */
function scoreOf(share: number): number {
  let low = 0;
  let high = 40;
  // Sixty halvings of 40 are below the precision of a double.
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (upperNormal(middle) > share) low = middle;
    else high = middle;
  }
  return low;
}
