// The best cut of one feature at one node for two classes: the kernel in which fully grown trees spend their time.
import type { CodeArray } from "../buckets.ts";
import { SECOND_CLASS, SECOND_CLASS_ROUNDING } from "./forest-marks.ts";
import { keepCut, PRESENT_LEFT, type SplitSearch, takeOccupied } from "./forest-search.ts";

/**
 * Scores every cut halfway between two neighbouring codes among the node's rows `[from, to)`, with rows without a value on
 * either side, and keeps the best. False where the feature is constant. O(rows + codes), and O(rows) where rows are few.
 */
export function searchTwoClassCut(
  search: SplitSearch,
  feature: number,
  rows: Int32Array,
  marks: Float64Array,
  from: number,
  to: number,
): boolean {
  const { matrix, histogram, occupied } = search;
  const { codes } = matrix;
  const base = feature * matrix.rowCount;
  const codeCount = matrix.codeCounts[feature]!;
  const few = (to - from) * 2 < codeCount;
  if (few) sumFewMarks(codes, base, rows, marks, from, to, histogram, occupied);
  else sumMarks(codes, base, rows, marks, from, to, histogram);
  const first = codes[base + rows[from]!]!;
  if (histogram[first] === search.markSum) {
    histogram[first] = 0;
    occupied[first >>> 5] = 0;
    return false;
  }
  if (few) scoreCuts(search, feature, search.present, takeOccupied(occupied, search.present));
  else scoreCuts(search, feature, search.everyCode, codeCount);
  return true;
}

function sumMarks(
  codes: CodeArray,
  base: number,
  rows: Int32Array,
  marks: Float64Array,
  from: number,
  to: number,
  histogram: Float64Array,
): void {
  for (let at = from; at < to; at++) {
    const code = codes[base + rows[at]!]!;
    histogram[code] = histogram[code]! + marks[at]!;
  }
}

function sumFewMarks(
  codes: CodeArray,
  base: number,
  rows: Int32Array,
  marks: Float64Array,
  from: number,
  to: number,
  histogram: Float64Array,
  occupied: Int32Array,
): void {
  for (let at = from; at < to; at++) {
    const code = codes[base + rows[at]!]!;
    histogram[code] = histogram[code]! + marks[at]!;
    occupied[code >>> 5] = occupied[code >>> 5]! | (1 << (code & 31));
  }
}

/**
 * Scores the cuts after each listed code but the last that holds rows, and clears the sums. An empty code scores as the cut
 * before it does, and an empty side gives NaN: neither is ever greater than the best, so neither needs a branch.
 */
function scoreCuts(search: SplitSearch, feature: number, list: Int32Array, count: number): void {
  const { histogram, minLeafRows, weight } = search;
  const total1 = search.totals[1]!;
  const scaledWeight = weight / SECOND_CLASS;
  const missing = histogram[0]!;
  const missingSecond = missing + SECOND_CLASS_ROUNDING - SECOND_CLASS_ROUNDING;
  const missingWeight = missing - missingSecond;
  let bestScore = search.bestScore;
  let bestIndex = -1;
  let bestLeft = 0;
  let bestSide = 1;
  let sum = 0;
  for (let index = list[0] === 0 ? 1 : 0; index < count; index++) {
    sum += histogram[list[index]!]!;
    const second = sum + SECOND_CLASS_ROUNDING - SECOND_CLASS_ROUNDING;
    const leftWeight = sum - second;
    const rightWeight = weight - leftWeight;
    const change = second * scaledWeight - total1 * leftWeight;
    const score = (change * change) / (leftWeight * rightWeight);
    if (score > bestScore && leftWeight >= minLeafRows && rightWeight >= minLeafRows) {
      bestScore = score;
      bestIndex = index;
      bestLeft = leftWeight;
      bestSide = 1;
    }
    if (missing > 0 && leftWeight > 0) {
      const withMissing = leftWeight + missingWeight;
      const without = rightWeight - missingWeight;
      const change = (second + missingSecond) * scaledWeight - total1 * withMissing;
      const score = (change * change) / (withMissing * without);
      if (score > bestScore && withMissing >= minLeafRows && without >= minLeafRows) {
        bestScore = score;
        bestIndex = index;
        bestLeft = withMissing;
        bestSide = 0;
      }
    }
  }
  if (bestIndex >= 0) {
    let next = bestIndex + 1;
    while (next < count && histogram[list[next]!] === 0) next++;
    const threshold = next === count ? PRESENT_LEFT : (list[bestIndex]! + list[next]!) >>> 1;
    search.missingWeight = missingWeight;
    keepCut(search, bestScore, feature, threshold, bestSide, bestLeft);
  }
  for (let index = 0; index < count; index++) histogram[list[index]!] = 0;
}
