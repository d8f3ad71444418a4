// Levels of a number feature: its distinct values where they fit, else fine quantiles. Finds the level nearest to a value.

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
  for (let at = 0; at < values.length; at++) sums[nearestIndex(distinct, values[at]!)]! += weights[at]!;
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

/** Returns the midpoints between neighbours: `midpoints[i]` is the largest number that is nearest to `values[i]`, where ties go down. */
export function midpointsOf(values: Float64Array): Float64Array {
  const midpoints = new Float64Array(Math.max(0, values.length - 1));
  for (let at = 0; at < midpoints.length; at++) {
    const low = values[at]!;
    const high = values[at + 1]!;
    const middle = low / 2 + high / 2;
    // Rounding can carry the middle of close neighbours out of their interval.
    midpoints[at] = middle >= low && middle < high ? middle : low;
  }
  return midpoints;
}

/** Returns the index of the value nearest to `value`, which is how many midpoints lie below it. */
export function nearestIndex(midpoints: Float64Array, value: number): number {
  let low = 0;
  let high = midpoints.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (midpoints[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
