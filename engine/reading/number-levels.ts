// Levels of a number feature: its distinct values where they fit, else fine quantiles.
import { countBelow } from "../midpoints.ts";

/**
 * Finer than any buckets. Levels could be twice as many, but that makes the second pass over numbers a sixth slower, and a sample does not
 * tell so many.
 */
export const MOST_QUANTILES = 2 ** 15;

/** `values[i]` stands for `weights[i]` cells, for none where it is NaN. */
interface WeightedValues {
  values: Float64Array;
  weights: Float64Array | Uint32Array;
}

/**
 * Returns the levels, ascending, of listed values and of a sample of others that stand for `sampleWeight` cells each: all distinct values
 * where they are at most `maxLevels`, else the quantiles at the middles of equal shares of the weight, without repeats.
 */
export function levelValues(
  listed: WeightedValues,
  sample: Float64Array,
  sampleWeight: number,
  maxLevels: number,
): Float64Array {
  const all = new Float64Array(listed.values.length + sample.length);
  all.set(listed.values);
  all.set(sample, listed.values.length);
  all.sort();
  const weights = new Float64Array(all.length);
  let count = 0;
  // NaN is sorted behind all numbers.
  for (let at = 0; at < all.length && !Number.isNaN(all[at]!); at++) {
    // Adding 0 makes 0 of -0.
    if (count === 0 || all[at] !== all[count - 1]) all[count++] = all[at]! + 0;
    weights[count - 1]! += sampleWeight;
  }
  const values = all.slice(0, count);
  if (count <= maxLevels) return values;
  for (let at = 0; at < listed.values.length; at++) {
    const value = listed.values[at]!;
    if (!Number.isNaN(value)) weights[countBelow(values, value)]! += listed.weights[at]! - sampleWeight;
  }
  return quantiles({ values, weights: weights.subarray(0, count) }, Math.min(maxLevels, MOST_QUANTILES));
}

function quantiles({ values, weights }: WeightedValues, shareCount: number): Float64Array {
  let total = 0;
  for (let value = 0; value < weights.length; value++) total += weights[value]!;
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
