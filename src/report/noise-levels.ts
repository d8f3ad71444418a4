// Where noise ends among the columns judged: what the bars of the evidence are multiples of.
import type { ColumnDecision } from "../../engine/refinement/decision.ts";
import { DISCOVERY_RATE } from "../../engine/refinement/evidence.ts";
import { benjaminiHochberg } from "../../engine/refinement/false-discovery.ts";
import { upperNormal } from "../../engine/refinement/tail-probabilities.ts";

/** Where noise ends: the p-value and the z-score that the tests over all columns ask for. */
export interface NoiseLevels {
  pValue: number;
  permutationZ: number;
}

/**
 * Both levels by Benjamini and Hochberg (1995) over the columns that were judged by their evidence; near copies are shuffled
 * together and share a z-score, which counts once.
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

/** False where a check removed the column before its evidence could count. */
function isJudged({ decision, reason }: ColumnDecision): boolean {
  return decision === "KEEP" || reason === "NO_SIGNAL" || reason === "REDUNDANT_WITH";
}

/** The p-value that the test over all of them asks of the last one to pass, or of the first where none does. */
function levelAskedFor(pValues: readonly number[]): number {
  const passing = benjaminiHochberg(pValues, DISCOVERY_RATE).reduce((count, passes) => count + passes, 0);
  return (DISCOVERY_RATE * Math.max(1, passing)) / Math.max(1, pValues.length);
}

/** The z-score above which the normal distribution holds `share`, by halving the interval. */
function scoreOf(share: number): number {
  let low = 0;
  let high = 40;
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (upperNormal(middle) > share) low = middle;
    else high = middle;
  }
  return low;
}
