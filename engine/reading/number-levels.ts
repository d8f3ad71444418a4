// Levels of a number feature: its distinct values where they fit, else fine quantiles.
import type { ReadingKernel } from "../csv/reading-kernel.ts";

/**
 * Finer than any buckets. Levels could be twice as many, but that makes the second pass over
 * numbers a sixth slower, and a sample has too few cells for that many.
 */
export const MOST_QUANTILES = 2 ** 15;

/** `values[i]` stands for `weights[i]` cells, for none where it is NaN. */
interface WeightedValues {
  values: Float64Array;
  weights: Float64Array | Uint32Array;
}

/**
 * Returns the levels, ascending, of listed values and of a sample of others that stand for
 * `sampleWeight` cells each: all distinct values where they are at most `maxLevels`, else the quantiles
 * at the middles of equal shares of the weight, without repeats.
 */
export function levelValues(
  { exports, scratch }: ReadingKernel,
  listed: WeightedValues,
  sample: Float64Array,
  sampleWeight: number,
  maxLevels: number,
): Float64Array {
  const { length } = listed.values;
  const size = length + sample.length;
  // Fresh arrays for each column would take longer to come by than to fill.
  const numbers = scratch.subarray(0, size);
  numbers.set(listed.values);
  numbers.set(sample, length);
  numbers.sort();
  scratch.set(listed.values, 2 * size);
  scratch.set(listed.weights, 2 * size + length);
  const shareCount = Math.min(maxLevels, MOST_QUANTILES);
  return numbers.slice(0, exports.pickLevels(numbers.byteOffset, size, length, sampleWeight, maxLevels, shareCount));
}
