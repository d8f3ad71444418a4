// Levels of a number feature: its distinct values where they fit, else fine quantiles, and the nearest level of any value.

/**
 * Finer than any buckets. Twice as many, which levels could be, make the second pass over numbers a sixth slower, and a sample of what is
 * there does not tell them all.
 */
export const MOST_QUANTILES = 2 ** 15;

/** Finite values, each of which stands for `weights[i]` cells. */
export interface WeightedValues {
  values: Float64Array;
  weights: Float64Array;
}

/**
 * The levels of values, and of a sample of others that stand for `sampleWeight` cells each: all distinct ones where they are at most
 * `maxLevels`, else those at the middles of equal shares of the weight, without repeats. Ascending. Sorts the sample.
 */
export function levelValues(
  listed: WeightedValues,
  sample: Float64Array,
  sampleWeight: number,
  maxLevels: number,
): Float64Array {
  const sorted = new Float64Array(listed.values.length + sample.length);
  sorted.set(listed.values);
  sorted.set(sample, listed.values.length);
  const levels = distinctOf(sorted.sort());
  if (levels.length <= maxLevels) return levels;
  return quantiles(inOrder(listed), sample.sort(), sampleWeight, Math.min(maxLevels, MOST_QUANTILES));
}

/** Of ascending values; 0 and -0 are the same. */
function distinctOf(sorted: Float64Array): Float64Array {
  let count = 0;
  for (let at = 0; at < sorted.length; at++) {
    const value = sorted[at]! + 0;
    if (count === 0 || value !== sorted[count - 1]) sorted[count++] = value;
  }
  return sorted.slice(0, count);
}

/** Distinct values, ascending, with the weights of all that are equal. */
function inOrder({ values, weights }: WeightedValues): WeightedValues {
  const sorted = distinctOf(values.slice().sort());
  const sums = new Float64Array(sorted.length);
  for (let at = 0; at < values.length; at++) sums[nearestIndex(sorted, values[at]!)]! += weights[at]!;
  return { values: sorted, weights: sums };
}

/** Both ascending. */
function quantiles(listed: WeightedValues, sample: Float64Array, weight: number, shareCount: number): Float64Array {
  const total = listed.weights.reduce((sum, own) => sum + own, 0) + weight * sample.length;
  const levels = new Float64Array(shareCount);
  let levelCount = 0;
  let [own, sampled, below, value] = [0, 0, 0, Number.NaN];
  for (let share = 0; share < shareCount; share++) {
    const position = ((share + 0.5) / shareCount) * total;
    while (below < position) {
      const isSampled = own === listed.values.length || sample[sampled]! <= listed.values[own]!;
      value = (isSampled ? sample[sampled]! : listed.values[own]!) + 0;
      below += isSampled ? weight : listed.weights[own]!;
      if (isSampled) sampled++;
      else own++;
    }
    if (levelCount === 0 || levels[levelCount - 1] !== value) levels[levelCount++] = value;
  }
  return levels.slice(0, levelCount);
}

/** Between neighbours: `midpoints[i]` is the largest number that is nearest to `values[i]`, ties going down. One shorter. */
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

/** Index of the value nearest to `value`: how many midpoints lie below it. */
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
