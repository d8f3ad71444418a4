// Reasons for a decision: the columns of a file that moved it the most, towards the decided label or away from it.
import type { Contributions } from "./log-shares.ts";

/** What one column did to a decision. */
export interface Reason {
  /** Index among the model's columns. */
  column: number;
  /**
   * What it added to the log-odds of the decided label against the most probable other one: above 0 it spoke for the
   * decision, below 0 against it.
   */
  effect: number;
}

/** Less than this is what rounding leaves of nothing. */
const LEAST_EFFECT = 1e-9;

/**
 * The columns with the strongest effects, `count` at most, those without any left out; of equal ones the first in the file.
 * Effects of the features of one column are summed. `probabilities`: of one row.
 */
export function strongestReasons(
  { contributions }: Contributions,
  probabilities: Float64Array,
  decided: number,
  columnOfFeature: readonly number[],
  count: number,
): Reason[] {
  const classCount = probabilities.length;
  const other = mostProbableOther(probabilities, decided);
  const effects = new Map<number, number>();
  columnOfFeature.forEach((column, feature) => {
    const at = feature * classCount;
    const effect = contributions[at + decided]! - contributions[at + other]!;
    effects.set(column, (effects.get(column) ?? 0) + effect);
  });
  return [...effects]
    .map(([column, effect]): Reason => ({ column, effect }))
    .filter(({ effect }) => Math.abs(effect) >= LEAST_EFFECT)
    .sort((a, b) => Math.abs(b.effect) - Math.abs(a.effect) || a.column - b.column)
    .slice(0, count);
}

/** The most probable class besides the decided one, the first of equals. */
function mostProbableOther(probabilities: Float64Array, decided: number): number {
  let other = decided === 0 ? 1 : 0;
  for (let k = other + 1; k < probabilities.length; k++) {
    if (k !== decided && probabilities[k]! > probabilities[other]!) other = k;
  }
  return other;
}
