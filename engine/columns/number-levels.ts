// Levels of a number feature: its distinct values where they fit, else fine quantiles, and the nearest level of any value.
import { type ReadingKernel, takeKernel } from "../csv/reading-kernel.ts";

/**
 * Finer than any buckets. Twice as many, which levels could be, make the second pass over numbers a sixth slower, and a sample of what is
 * there does not tell them all.
 */
export const MOST_QUANTILES = 2 ** 15;

/** From so many on a kernel is faster: one that is at hand, or another. */
const SOME = 100;
const MANY = 2000;
/** Of each value, for the kernel to sort it. */
const SORTING_BYTES = 24;

/** Where the numbers of one column are put to have their levels found, for all columns in turn. */
export class LevelRoom {
  /** As long as was asked for, or longer. */
  values = new Float64Array(0);
  weights = new Float64Array(0);
  private levels = new Float64Array(0);
  private places: { values: number; weights: number; levels: number; sorting: number } | null = null;
  private kernel: ReadingKernel | null;

  /** `kernel`: one that is at hand. */
  constructor(kernel: ReadingKernel | null) {
    this.kernel = kernel;
  }

  /** Makes room for so many numbers; those of the column before are lost. */
  take(count: number): void {
    if (count <= this.values.length) return;
    const most = 2 ** Math.ceil(Math.log2(count));
    if (this.kernel !== null || count >= MANY) this.places = this.place(most);
    else {
      this.values = new Float64Array(most);
      this.weights = new Float64Array(most);
    }
  }

  /** `levelValues` of the first `count` numbers in the room. */
  levelsOf(count: number, maxLevels: number): Float64Array {
    if (this.places === null || count < SOME) {
      return levelValues(this.values.subarray(0, count), this.weights.subarray(0, count), maxLevels);
    }
    const { values, weights, levels, sorting } = this.places;
    const { exports } = this.kernel!;
    const found = exports.writeNumberLevels(values, weights, count, maxLevels, MOST_QUANTILES, sorting, levels);
    return this.levels.slice(0, found);
  }

  private place(count: number) {
    this.kernel ??= takeKernel();
    const { kernel } = this;
    return {
      values: kernel.place(Float64Array, count, (own) => {
        this.values = own;
      }),
      weights: kernel.place(Float64Array, count, (own) => {
        this.weights = own;
      }),
      levels: kernel.place(Float64Array, count, (own) => {
        this.levels = own;
      }),
      sorting: kernel.place(Uint8Array, SORTING_BYTES * count, () => undefined),
    };
  }
}

/**
 * The levels of finite values, each of which stands for `weights[i]` cells: all distinct values where they are at most
 * `maxLevels`, else the values at the middles of equal shares of the weight, without repeats. Ascending.
 */
export function levelValues(values: Float64Array, weights: Float64Array, maxLevels: number): Float64Array {
  const order = Uint32Array.from(values, (_, at) => at).sort((a, b) => values[a]! - values[b]!);
  // Adding 0 makes 0 of -0.
  const sorted = Float64Array.from(order, (at) => values[at]! + 0);
  const distinct = sorted.filter((value, at) => at === 0 || value !== sorted[at - 1]);
  return distinct.length > maxLevels
    ? quantiles(sorted, order, weights, Math.min(maxLevels, MOST_QUANTILES))
    : distinct;
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
