// Levels of a number feature: its distinct values where they fit, else fine quantiles, and the nearest level of any value.
import { MAX_LEVELS } from "../table.ts";
import { SortRoom, sortNumbers } from "./sort-numbers.ts";

/** Finer than any buckets. Twice as many, which levels could be, make the second pass over numbers a sixth slower. */
const MOST_QUANTILES = 2 ** 15;

/**
 * The levels of finite values, each of which stands for `weights[i]` cells: all distinct values where they are at most
 * `maxLevels`, else the values at the middles of equal shares of the weight, without repeats. Ascending.
 */
export function levelValues(
  values: Float64Array,
  weights: Float64Array,
  maxLevels: number = MAX_LEVELS,
  room = new SortRoom(),
): Float64Array {
  const { values: sorted, order } = sortNumbers(values, room);
  let distinctCount = 0;
  for (let at = 0; at < sorted.length; at++) {
    if (at === 0 || sorted[at] !== sorted[at - 1]) distinctCount++;
  }
  if (distinctCount > maxLevels) return quantiles(sorted, order, weights, Math.min(maxLevels, MOST_QUANTILES));
  const distinct = new Float64Array(distinctCount);
  let count = 0;
  for (let at = 0; at < sorted.length; at++) {
    if (count === 0 || sorted[at] !== distinct[count - 1]) distinct[count++] = sorted[at]!;
  }
  return distinct;
}

function quantiles(sorted: Float64Array, order: Uint32Array, weights: Float64Array, shareCount: number): Float64Array {
  let total = 0;
  for (let at = 0; at < weights.length; at++) total += weights[at]!;
  const levels = new Float64Array(shareCount);
  let levelCount = 0;
  let at = 0;
  let below = weights[order[0]!]!;
  for (let share = 0; share < shareCount; share++) {
    const position = ((share + 0.5) / shareCount) * total;
    while (below < position && at < order.length - 1) below += weights[order[++at]!]!;
    const value = sorted[at]!;
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
