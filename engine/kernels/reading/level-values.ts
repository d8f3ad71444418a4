// Levels of sorted numbers: the distinct ones, or quantiles of their weight.

import { at, put } from "../memory.ts";

/**
 * Moves the distinct ones of ascending f64 to the front, and returns how many they are; NaN, which stands behind all numbers, is left out.
 * `weights`, f64: `weight` for each time that a value stands there.
 */
export function distinctValues(values: usize, size: i32, weights: usize, weight: f64): i32 {
  let count = 0;
  let own: f64 = 0;
  for (let place = 0; place < size; place++) {
    const value = at<f64>(values, place);
    if (Number.isNaN(value)) break;
    if (count === 0 || value !== at<f64>(values, count - 1)) {
      // Adding 0 makes 0 of -0.
      put<f64>(values, count++, value + 0);
      own = 0;
    }
    own += weight;
    put<f64>(weights, count - 1, own);
  }
  return count;
}

/** Replaces `weight` by its own weight for each of the listed f64, which stand among the values; their weights, f64, stand behind them. */
export function weighListed(
  values: usize,
  count: i32,
  weights: usize,
  listed: usize,
  listedCount: i32,
  weight: f64,
): void {
  for (let place = 0; place < listedCount; place++) {
    const value = at<f64>(listed, place);
    if (Number.isNaN(value)) continue;
    let low = 0;
    let high = count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (at<f64>(values, middle) < value) low = middle + 1;
      else high = middle;
    }
    put<f64>(weights, low, at<f64>(weights, low) + (at<f64>(listed, listedCount + place) - weight));
  }
}

/** Moves those of ascending f64 that stand at the middles of equal shares of the weight to the front, and returns how many they are. */
export function quantiles(values: usize, weights: usize, count: i32, shareCount: i32): i32 {
  let total: f64 = 0;
  for (let value = 0; value < count; value++) total += at<f64>(weights, value);
  let levelCount = 0;
  let last = -1;
  let own = 0;
  let below = at<f64>(weights, 0);
  for (let share = 0; share < shareCount; share++) {
    const position = ((f64(share) + 0.5) / f64(shareCount)) * total;
    while (below < position && own < count - 1) below += at<f64>(weights, ++own);
    if (own === last) continue;
    put<f64>(values, levelCount++, at<f64>(values, own));
    last = own;
  }
  return levelCount;
}
