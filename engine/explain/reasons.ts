// Reasons for a decision: the columns of a file, and differences of two, that moved it the most, towards the decided
// label or away from it.
import { isDifference, type ModelFeature } from "../model/model-file.ts";
import { DIFFERENCE_PART } from "../table/table.ts";
import type { Contributions } from "./log-shares.ts";

/** A word of the row, or two neighbouring ones, and what it added to a decision, see `Reason`. */
export interface WordEffect {
  word: string;
  effect: number;
}

/** A part of a date or a text, by the engine's name of it, and what it added to a decision. */
interface PartEffect {
  part: string;
  effect: number;
}

/** A column of the model by its index, or the difference of two: each is a reason by itself. */
export interface ReasonSource {
  column: number;
  /** The column that is taken off. */
  minus?: number;
}

/** The effect of one column, or of one difference, on a decision. */
export interface Reason extends ReasonSource {
  /**
   * The part of the log-odds of the decided label against the most probable other one that it adds: above 0 it speaks
   * for the decision, below 0 against it.
   */
  effect: number;
  /** Where the column is read as text: words and pairs of words of the row with the largest part in it. */
  words?: WordEffect[];
  /** Where the column holds dates or texts: their parts with the largest part in it. */
  parts?: PartEffect[];
}

/** Words and parts that are named for each reason, at most. */
const MOST_NAMED = 3;

/** Less than this is what rounding leaves of nothing. */
const LEAST_EFFECT = 1e-9;

/** All that a model's reasons can name, its columns and then its differences; and for each feature which of these. */
export function reasonSources(
  columnCount: number,
  features: readonly ModelFeature[],
): { sources: ReasonSource[]; sourceOfFeature: number[] } {
  const sources = Array.from({ length: columnCount }, (_, column): ReasonSource => ({ column }));
  const sourceOfFeature = features.map((feature) =>
    isDifference(feature) ? sources.push({ column: feature.column, minus: feature.minus }) - 1 : feature.column,
  );
  return { sources, sourceOfFeature };
}

/**
 * The sources with the strongest effects, `count` at most, those without any left out; of equal ones the first. Effects
 * of the items of one source are summed.
 */
export function strongestReasons(
  effects: Float64Array,
  sourceOfItem: readonly number[],
  sources: readonly ReasonSource[],
  count: number,
): Reason[] {
  const sums = new Map<number, number>();
  effects.forEach((effect, item) => {
    const source = sourceOfItem[item]!;
    sums.set(source, (sums.get(source) ?? 0) + effect);
  });
  return [...sums]
    .filter(([, effect]) => Math.abs(effect) >= LEAST_EFFECT)
    .sort(([a, ofA], [b, ofB]) => Math.abs(ofB) - Math.abs(ofA) || a - b)
    .slice(0, count)
    .map(([source, effect]): Reason => ({ ...sources[source]!, effect }));
}

/** The strongest of effects by name, those without any left out; of equal ones the first name. */
export function strongestOf(effects: ReadonlyMap<string, number>): [name: string, effect: number][] {
  return [...effects]
    .filter(([, effect]) => Math.abs(effect) >= LEAST_EFFECT)
    .sort(([a, ofA], [b, ofB]) => Math.abs(ofB) - Math.abs(ofA) || (a < b ? -1 : 1))
    .slice(0, MOST_NAMED);
}

/** Whether a feature is a part of a column's dates or texts. */
export function isPart({ part }: ModelFeature): boolean {
  return part !== null && part !== DIFFERENCE_PART;
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
