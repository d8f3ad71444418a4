// Levels of a number feature: its distinct values where they fit, else fine quantiles.
import { countBelow } from "../midpoints.ts";

/**
 * Finer than any buckets. Levels could be twice as many, but that makes the second pass over numbers a sixth slower, and a sample does not
 * tell so many.
 */
export const MOST_QUANTILES = 2 ** 15;

/** Finite values; `values[i]` stands for `weights[i]` cells. */
export interface WeightedValues {
  values: Float64Array;
  weights: Float64Array;
}

/**
 * Returns the levels, ascending, of listed values and of a sample of others that stand for `sampleWeight` cells each: all distinct values
 * where they are at most `maxLevels`, else the quantiles at the middles of equal shares of the weight, without repeats. Sorts the sample.
 */
export function levelValues(
  listed: WeightedValues,
  sample: Float64Array,
  sampleWeight: number,
  maxLevels: number,
): Float64Array {
  const all = merge(inOrder(listed), sample.sort(), sampleWeight);
  return all.values.length <= maxLevels ? all.values : quantiles(all, Math.min(maxLevels, MOST_QUANTILES));
}

/** Returns the distinct values, ascending, each with the sum of its weights. 0 and -0 are the same. */
function inOrder({ values, weights }: WeightedValues): WeightedValues {
  const sorted = values.slice().sort();
  let count = 0;
  for (let at = 0; at < sorted.length; at++) {
    if (count === 0 || sorted[at] !== sorted[count - 1]) sorted[count++] = sorted[at]!;
  }
  const distinct = sorted.slice(0, count);
  const sums = new Float64Array(count);
  for (let at = 0; at < values.length; at++) sums[countBelow(distinct, values[at]!)]! += weights[at]!;
  return { values: distinct, weights: sums };
}

/** Adds an ascending sample to ascending values. */
function merge({ values, weights }: WeightedValues, sample: Float64Array, sampleWeight: number): WeightedValues {
  const all = new Float64Array(values.length + sample.length);
  const sums = new Float64Array(all.length);
  let last = -1;
  let own = 0;
  let sampled = 0;
  while (own < values.length || sampled < sample.length) {
    const isSampled = own === values.length || sample[sampled]! <= values[own]!;
    // Adding 0 makes 0 of -0.
    const value = (isSampled ? sample[sampled]! : values[own]!) + 0;
    if (last < 0 || all[last] !== value) all[++last] = value;
    sums[last]! += isSampled ? sampleWeight : weights[own]!;
    if (isSampled) sampled++;
    else own++;
  }
  return { values: all.slice(0, last + 1), weights: sums.subarray(0, last + 1) };
}

function quantiles({ values, weights }: WeightedValues, shareCount: number): Float64Array {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const levels = new Float64Array(shareCount);
  let levelCount = 0;
  let at = 0;
  let below = weights[0]!;
  for (let share = 0; share < shareCount; share++) {
    const position = ((share + 0.5) / shareCount) * total;
    while (below < position && at < values.length - 1) below += weights[++at]!;
    if (levelCount === 0 || levels[levelCount - 1] !== values[at]) levels[levelCount++] = values[at]!;
  }
  return levels.slice(0, levelCount);
}
