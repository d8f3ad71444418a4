// Picks the levels of a number column: its distinct values, or quantiles of them.

import { at, put } from "../memory.ts";

/**
 * Moves levels to the front of the ascending f64 `values` and returns their number: all distinct values if they are at
 * most `most`, else the quantiles at the middles of `shareCount` equal shares of the weight, without repeats. NaN, last
 * of the values, is not counted. In memory there follow room for one weight each, the `listedCount` values with a
 * weight of their own, and these weights, all f64; every other value weighs `weight`.
 */
export function pickLevels(values: usize, size: i32, listedCount: i32, weight: f64, most: i32, shareCount: i32): i32 {
  const weights = values + (usize(size) << 3);
  const listed = weights + (usize(size) << 3);
  const count = weighDistinct(values, size, weights, weight);
  if (count <= most) return count;
  for (let place = 0; place < listedCount; place++) {
    const value = at<f64>(listed, place);
    if (Number.isNaN(value)) continue;
    const index = countBelow(values, count, value);
    put<f64>(weights, index, at<f64>(weights, index) + (at<f64>(listed, listedCount + place) - weight));
  }
  return pickQuantiles(values, weights, count, shareCount);
}

/** Moves distinct values to the front, and sums their weights. */
function weighDistinct(values: usize, size: i32, weights: usize, weight: f64): i32 {
  let count = 0;
  let sum: f64 = 0;
  for (let place = 0; place < size; place++) {
    const value = at<f64>(values, place);
    if (Number.isNaN(value)) break;
    if (count === 0 || value !== at<f64>(values, count - 1)) {
      // Adding 0 makes 0 of -0.
      put<f64>(values, count++, value + 0);
      sum = 0;
    }
    sum += weight;
    put<f64>(weights, count - 1, sum);
  }
  return count;
}

function countBelow(values: usize, count: i32, value: f64): i32 {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at<f64>(values, middle) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function pickQuantiles(values: usize, weights: usize, count: i32, shareCount: i32): i32 {
  let total: f64 = 0;
  for (let value = 0; value < count; value++) total += at<f64>(weights, value);
  let levelCount = 0;
  let last = -1;
  let picked = 0;
  let below = at<f64>(weights, 0);
  for (let share = 0; share < shareCount; share++) {
    const position = ((f64(share) + 0.5) / f64(shareCount)) * total;
    while (below < position && picked < count - 1) below += at<f64>(weights, ++picked);
    if (picked !== last) put<f64>(values, levelCount++, at<f64>(values, picked));
    last = picked;
  }
  return levelCount;
}
