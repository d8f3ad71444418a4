// The random cut of extremely randomized trees: one feature, one node, one threshold drawn between the codes present.
import type { Random } from "../random.ts";
import { CLASS_BITS, CLASS_MASK, splitSum } from "./forest-marks.ts";
import { keepCut, PRESENT_LEFT, type SplitSearch } from "./forest-search.ts";

/**
 * Scores one cut drawn uniformly between the smallest and the largest code of the node's rows `[from, to)`, with a drawn side
 * for rows without a value, and keeps it if it is the best. False where the feature is constant.
 */
export function searchRandomCut(
  search: SplitSearch,
  feature: number,
  rows: Int32Array,
  marks: Float64Array,
  from: number,
  to: number,
  random: Random,
): boolean {
  const { codes, rowCount } = search.matrix;
  const base = feature * rowCount;
  let smallest = 0xffff;
  let largest = 0;
  let missingCount = 0;
  for (let at = from; at < to; at++) {
    const code = codes[base + rows[at]!]!;
    // Less one, code 0 wraps to the largest number and so is never the smallest.
    smallest = Math.min(smallest, (code - 1) & 0xffff);
    largest = Math.max(largest, code);
    missingCount += code === 0 ? 1 : 0;
  }
  smallest++;
  if (largest === 0 || (smallest === largest && missingCount === 0)) return false;
  let threshold = PRESENT_LEFT;
  let missingRight = 1;
  if (smallest < largest) {
    threshold = smallest + random.nextBelow(largest - smallest);
    if (missingCount > 0) missingRight = random.nextBelow(2);
  }
  search.missingWeight = missingCount;
  sumLeft(search, base, rows, marks, from, to, threshold, missingRight);
  scoreCut(search, feature, threshold, missingRight);
  return true;
}

/** Sets `left` to the weights by class of the rows that a cut sends left. */
function sumLeft(
  search: SplitSearch,
  base: number,
  rows: Int32Array,
  marks: Float64Array,
  from: number,
  to: number,
  threshold: number,
  missingRight: number,
): void {
  const { codes } = search.matrix;
  const { left } = search;
  const limit = threshold - missingRight;
  if (left.length === 2) {
    let sum = 0;
    for (let at = from; at < to; at++) {
      const goesLeft = 1 + ((limit - ((codes[base + rows[at]!]! - missingRight) & 0xffff)) >> 31);
      sum += goesLeft * marks[at]!;
    }
    splitSum(sum, left);
    return;
  }
  for (let k = 0; k < left.length; k++) left[k] = 0;
  for (let at = from; at < to; at++) {
    const goesLeft = 1 + ((limit - ((codes[base + rows[at]!]! - missingRight) & 0xffff)) >> 31);
    const mark = marks[at]! | 0;
    const k = mark & CLASS_MASK;
    left[k] = left[k]! + goesLeft * (mark >> CLASS_BITS);
  }
}

function scoreCut(search: SplitSearch, feature: number, threshold: number, missingRight: number): void {
  const { left, totals, minLeafRows, weight } = search;
  let leftWeight = 0;
  let leftSquares = 0;
  let rightSquares = 0;
  for (let k = 0; k < left.length; k++) {
    const onLeft = left[k]!;
    const onRight = totals[k]! - onLeft;
    leftWeight += onLeft;
    leftSquares += onLeft * onLeft;
    rightSquares += onRight * onRight;
  }
  const rightWeight = weight - leftWeight;
  if (leftWeight < minLeafRows || rightWeight < minLeafRows) return;
  let score = leftSquares / leftWeight + rightSquares / rightWeight;
  if (left.length === 2) {
    const change = left[1]! * weight - totals[1]! * leftWeight;
    score = (change * change) / (leftWeight * rightWeight);
  }
  if (score > search.bestScore) keepCut(search, score, feature, threshold, missingRight, leftWeight);
}
