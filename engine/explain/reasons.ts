// Reasons for a decision: the columns of a file that moved it the most, towards the decided label or away from it.
import type { Contributions } from "./log-shares.ts";

/** A word of the row, or two neighbouring ones, and what it added to a decision, see `Reason`. */
export interface WordEffect {
  word: string;
  effect: number;
}

/** The effect of one column on a decision. */
export interface Reason {
  /** Index among the model's columns. */
  column: number;
  /**
   * The part of the log-odds of the decided label against the most probable other one that this column adds: above 0 it
   * speaks for the decision, below 0 against it.
   */
  effect: number;
  /** Where the column is read as text: words and pairs of words of the row with the largest part in it. */
  words?: WordEffect[];
}

/** Less than this is what rounding leaves of nothing. */
export const LEAST_EFFECT = 1e-9;

/**
 * The columns with the strongest effects, `count` at most, those without any left out; of equal ones the first in the
 * file. Effects of the items of one column are summed.
 */
export function strongestReasons(effects: Float64Array, columnOfItem: readonly number[], count: number): Reason[] {
  const sums = new Map<number, number>();
  effects.forEach((effect, item) => {
    const column = columnOfItem[item]!;
    sums.set(column, (sums.get(column) ?? 0) + effect);
  });
  return [...sums]
    .map(([column, effect]): Reason => ({ column, effect }))
    .filter(({ effect }) => Math.abs(effect) >= LEAST_EFFECT)
    .sort((a, b) => Math.abs(b.effect) - Math.abs(a.effect) || a.column - b.column)
    .slice(0, count);
}

/** Each item's part of the log-odds of the decided class against the most probable other one, for one row. */
export function effectsOn(
  decided: number,
  probabilities: Float64Array,
  { contributions }: Contributions,
): Float64Array {
  const classCount = probabilities.length;
  const other = mostProbableOther(probabilities, decided);
  return Float64Array.from({ length: contributions.length / classCount }, (_, item) => {
    const at = item * classCount;
    return contributions[at + decided]! - contributions[at + other]!;
  });
}

/** The most probable class besides the decided one, the first of equals. */
function mostProbableOther(probabilities: Float64Array, decided: number): number {
  let other = decided === 0 ? 1 : 0;
  for (let k = other + 1; k < probabilities.length; k++) {
    if (k !== decided && probabilities[k]! > probabilities[other]!) other = k;
  }
  return other;
}
