// The best cut of one feature at one node for any number of classes.
import { type CodeArray, FIRST_CODE } from "../buckets.ts";
import { CLASS_BITS, CLASS_MASK } from "./forest-marks.ts";
import { keepCut, PRESENT_LEFT, type SplitSearch, takeOccupied } from "./forest-search.ts";

/** From this many cells (codes times classes) for each row on, following the rows is cheaper than following the cells. */
const FEW_ROWS_CELLS = 4;

/**
 * Scores every cut halfway between two neighbouring codes among the node's rows `[from, to)`, with rows without a value on
 * either side, and keeps the best. False where the feature is constant. O(rows + codes · classes), O(rows) where rows are few.
 */
export function searchManyClassCut(
  search: SplitSearch,
  feature: number,
  rows: Int32Array,
  marks: Float64Array,
  from: number,
  to: number,
): boolean {
  const { codes, rowCount, classCount } = search.matrix;
  const codeCount = search.matrix.codeCounts[feature]!;
  const base = feature * rowCount;
  startCuts(search);
  if ((to - from) * FEW_ROWS_CELLS < codeCount * classCount) {
    chainRows(codes, base, rows, from, to, search.heads, search.links, search.occupied);
    return scoreChains(search, feature, marks, takeOccupied(search.occupied, search.present));
  }
  sumWeights(codes, base, rows, marks, from, to, search.histogram, classCount);
  return scoreHistogram(search, feature, codeCount);
}

function startCuts(search: SplitSearch): void {
  const { left, missing } = search;
  for (let k = 0; k < left.length; k++) {
    left[k] = 0;
    missing[k] = 0;
  }
  search.missingWeight = 0;
  search.missingSquares = 0;
  search.missingTotals = 0;
}

function chainRows(
  codes: CodeArray,
  base: number,
  rows: Int32Array,
  from: number,
  to: number,
  heads: Int32Array,
  links: Int32Array,
  occupied: Int32Array,
): void {
  for (let at = from; at < to; at++) {
    const code = codes[base + rows[at]!]!;
    links[at] = heads[code]!;
    heads[code] = at + 1;
    occupied[code >>> 5] = occupied[code >>> 5]! | (1 << (code & 31));
  }
}

/** Scores the cuts between the listed codes row by row along their chains, and clears these. */
function scoreChains(search: SplitSearch, feature: number, marks: Float64Array, presentCount: number): boolean {
  const { present, heads, links, totals, left, missing } = search;
  let leftWeight = 0;
  let leftSquares = 0;
  let rightSquares = search.squares;
  let leftMissing = 0;
  let last = 0;
  for (let index = 0; index < presentCount; index++) {
    const code = present[index]!;
    if (last > 0) {
      considerCut(search, feature, (last + code) >>> 1, leftWeight, leftSquares, rightSquares, leftMissing);
    }
    for (let link = heads[code]!; link > 0; link = links[link - 1]!) {
      const mark = marks[link - 1]! | 0;
      const k = mark & CLASS_MASK;
      const weight = mark >> CLASS_BITS;
      if (code === 0) {
        addMissing(search, k, weight);
        continue;
      }
      const before = left[k]!;
      leftWeight += weight;
      leftSquares += weight * (2 * before + weight);
      rightSquares -= weight * (2 * (totals[k]! - before) - weight);
      leftMissing += weight * missing[k]!;
      left[k] = before + weight;
    }
    heads[code] = 0;
    last = code;
  }
  considerPresence(search, feature);
  return presentCount > 1;
}

function sumWeights(
  codes: CodeArray,
  base: number,
  rows: Int32Array,
  marks: Float64Array,
  from: number,
  to: number,
  histogram: Float64Array,
  classCount: number,
): void {
  for (let at = from; at < to; at++) {
    const mark = marks[at]! | 0;
    const cell = codes[base + rows[at]!]! * classCount + (mark & CLASS_MASK);
    histogram[cell] = histogram[cell]! + (mark >> CLASS_BITS);
  }
}

/** Scores the cuts between codes from the weights by code and class, and clears these. */
function scoreHistogram(search: SplitSearch, feature: number, codeCount: number): boolean {
  const { histogram, totals, left, missing } = search;
  const classCount = totals.length;
  for (let k = 0; k < classCount; k++) {
    addMissing(search, k, histogram[k]!);
    histogram[k] = 0;
  }
  let leftWeight = 0;
  let leftSquares = 0;
  let rightSquares = search.squares;
  let leftMissing = 0;
  let last = 0;
  let presentCount = search.missingWeight > 0 ? 1 : 0;
  for (let code = FIRST_CODE; code < codeCount; code++) {
    const start = code * classCount;
    const weightBefore = leftWeight;
    const leftSquaresBefore = leftSquares;
    const rightSquaresBefore = rightSquares;
    const leftMissingBefore = leftMissing;
    for (let k = 0; k < classCount; k++) {
      const weight = histogram[start + k]!;
      if (weight === 0) continue;
      histogram[start + k] = 0;
      const before = left[k]!;
      leftWeight += weight;
      leftSquares += weight * (2 * before + weight);
      rightSquares -= weight * (2 * (totals[k]! - before) - weight);
      leftMissing += weight * missing[k]!;
      left[k] = before + weight;
    }
    if (leftWeight === weightBefore) continue;
    if (last > 0) {
      const threshold = (last + code) >>> 1;
      considerCut(search, feature, threshold, weightBefore, leftSquaresBefore, rightSquaresBefore, leftMissingBefore);
    }
    presentCount++;
    last = code;
  }
  considerPresence(search, feature);
  return presentCount > 1;
}

function addMissing(search: SplitSearch, k: number, weight: number): void {
  const before = search.missing[k]!;
  search.missing[k] = before + weight;
  search.missingWeight += weight;
  search.missingSquares += weight * (2 * before + weight);
  search.missingTotals += weight * search.totals[k]!;
}

/**
 * Scores a cut, with the rows without a value first on the right, then on the left. `leftMissing` is the sum over classes of
 * the left weight times the weight of those rows: it gives the squares of the second without another pass over the classes.
 */
function considerCut(
  search: SplitSearch,
  feature: number,
  threshold: number,
  leftWeight: number,
  leftSquares: number,
  rightSquares: number,
  leftMissing: number,
): void {
  const { minLeafRows, missingWeight } = search;
  const rightWeight = search.weight - leftWeight;
  if (leftWeight >= minLeafRows && rightWeight >= minLeafRows) {
    const score = leftSquares / leftWeight + rightSquares / rightWeight;
    if (score > search.bestScore) keepCut(search, score, feature, threshold, 1, leftWeight);
  }
  if (missingWeight === 0) return;
  const withMissing = leftWeight + missingWeight;
  const without = rightWeight - missingWeight;
  if (withMissing < minLeafRows || without < minLeafRows) return;
  const { missingSquares, missingTotals } = search;
  const leftWithMissing = leftSquares + 2 * leftMissing + missingSquares;
  const rightWithout = rightSquares - 2 * (missingTotals - leftMissing) + missingSquares;
  const score = leftWithMissing / withMissing + rightWithout / without;
  if (score > search.bestScore) keepCut(search, score, feature, threshold, 0, withMissing);
}

/** Scores the cut between rows with a value and rows without. */
function considerPresence(search: SplitSearch, feature: number): void {
  const { weight, squares, missingWeight, missingSquares, missingTotals, minLeafRows } = search;
  const leftWeight = weight - missingWeight;
  if (leftWeight < minLeafRows || missingWeight < minLeafRows) return;
  const score = (squares - 2 * missingTotals + missingSquares) / leftWeight + missingSquares / missingWeight;
  if (score > search.bestScore) keepCut(search, score, feature, PRESENT_LEFT, 1, leftWeight);
}
