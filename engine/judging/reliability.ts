// How often decisions of each confidence were right on rows that the model had
// not learned from, and what that lets one expect.

import { sumOf } from "../sums.ts";
import { type Estimate, Z_95 } from "./metrics.ts";

/**
 * Decisions by ranges of confidence: range `i` holds confidences above cut point `i - 1`, up to cut point `i`. It
 * stands for every kind of model, tempered or not, and for what decides by class weights or costs.
 */
export interface ReliabilityMap {
  /** Ascending, one fewer than there are ranges. */
  cutPoints: readonly number[];
  /** Rows that the model had not learned from, by range; and how many of these decisions were right. */
  rows: readonly number[];
  right: readonly number[];
}

export const MOST_RANGES = 20;
/** With fewer rows, a range says little: its share has a deviation of 0.07. */
const LEAST_ROWS_OF_RANGE = 50;

/** `isRight`: 1 where the decision of the row with that confidence was right. O(rows × log rows). */
export function reliabilityMap(confidences: Float64Array, isRight: Uint8Array): ReliabilityMap {
  const sorted = confidences.toSorted();
  const rangeCount = Math.max(1, Math.min(MOST_RANGES, Math.floor(sorted.length / LEAST_ROWS_OF_RANGE)));
  const ends = Array.from(
    { length: rangeCount - 1 },
    (_, at) => sorted[Math.ceil(((at + 1) * sorted.length) / rangeCount) - 1]!,
  );
  const cutPoints = [...new Set(ends)].filter((end) => end < sorted.at(-1)!);
  const map = { cutPoints, rows: new Array<number>(cutPoints.length + 1).fill(0), right: [0] };
  map.right = map.rows.slice();
  for (const [row, confidence] of confidences.entries()) {
    const range = rangeIndexOf(map, confidence);
    map.rows[range]!++;
    map.right[range]! += isRight[row]!;
  }
  return map;
}

/** The range of a confidence. O(log ranges). */
export function rangeIndexOf({ cutPoints }: Pick<ReliabilityMap, "cutPoints">, confidence: number): number {
  let low = 0;
  let high = cutPoints.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (confidence > cutPoints[middle]!) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The accuracy of rows counted by range, if each range is right as often as before. The 95% interval has the sampling
 * errors of these rows and of the map. Rows are assumed to be independent. Null without rows.
 */
export function expectedAccuracy({ rows, right }: ReliabilityMap, counts: readonly number[]): Estimate | null {
  const rowCount = sumOf(counts);
  if (rowCount === 0) return null;
  let mean = 0;
  let variance = 0;
  for (const [range, count] of counts.entries()) {
    const share = count / rowCount;
    // As if one more decision had been right and one wrong: no range is certain (Laplace).
    const spread = (right[range]! + 1) / (rows[range]! + 2);
    mean += share * (rows[range]! === 0 ? spread : right[range]! / rows[range]!);
    variance += spread * (1 - spread) * (share / rowCount + share ** 2 / Math.max(1, rows[range]!));
  }
  const half = Z_95 * Math.sqrt(variance);
  return { mean, low: Math.max(0, mean - half), high: Math.min(1, mean + half) };
}
