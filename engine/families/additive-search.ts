// The search for a node's best split: every cut of every feature in use, scored by the fall of the penalised log-loss.
import { FIRST_CODE } from "../buckets.ts";
import type { HistogramLayout } from "./additive-histogram.ts";
import type { Marks } from "./additive-marks.ts";
import { MISSING_RIGHT, PRESENT_LEFT } from "./forest.ts";
import type { TrainingMatrix } from "./forest-rows.ts";

/** A cut must beat its node by more than what rounding can feign. */
const LEAST_GAIN = 1 + 1e-12;

/**
 * The node at hand and its best cut so far. A side scores G² / (H + l2), where G and H are the sums of its gradients and
 * hessians: twice the fall of the loss that its best step brings (Friedman, Hastie, Tibshirani 2000). All sums are whole.
 */
export interface CutSearch {
  matrix: TrainingMatrix;
  minLeafRows: number;
  /** In units of the weights. */
  l2: number;
  countSpan: number;
  /** Sums over the node. */
  gradient: number;
  weight: number;
  bestScore: number;
  /** -1 where no cut gains anything. */
  bestFeature: number;
  /** Largest code that goes left, and `MISSING_RIGHT` where rows without a value do not. */
  bestThreshold: number;
  /** Sums over the left side. */
  bestGradient: number;
  bestWeight: number;
  /** Cells of one feature, for nodes without a histogram; all 0 between searches. */
  cells: Float64Array;
  /** One bit for each code that such a node holds; all 0 between searches. */
  occupied: Int32Array;
  /** The codes it holds, ascending. */
  present: Int32Array;
  /** 0, 1, 2, … for nodes with a histogram, which hold most codes anyway. */
  everyCode: Int32Array;
}

export function newCutSearch(matrix: TrainingMatrix, minLeafRows: number): CutSearch {
  const codeCount = matrix.codeCounts.reduce((most, count) => Math.max(most, count), FIRST_CODE);
  return {
    matrix,
    minLeafRows,
    l2: 0,
    countSpan: 1,
    gradient: 0,
    weight: 0,
    bestScore: 0,
    bestFeature: -1,
    bestThreshold: 0,
    bestGradient: 0,
    bestWeight: 0,
    cells: new Float64Array(2 * codeCount),
    occupied: new Int32Array((codeCount + 31) >>> 5),
    present: new Int32Array(codeCount),
    everyCode: Int32Array.from({ length: codeCount }, (_, code) => code),
  };
}

/** Starts the search at a node with the given sums. */
export function startNode(search: CutSearch, gradient: number, weight: number): void {
  search.gradient = gradient;
  search.weight = weight;
  search.bestFeature = -1;
  search.bestScore = nodeScore(search) * LEAST_GAIN;
}

/** What the best cut brings over none, for comparison between nodes of one tree. */
export function gainOf(search: CutSearch): number {
  return search.bestScore - nodeScore(search);
}

/** Scores the cuts of all features in use from the node's histogram. */
export function searchHistogram(search: CutSearch, layout: HistogramLayout, cells: Float64Array): void {
  const { features, starts, count } = layout;
  const { codeCounts } = search.matrix;
  for (let index = 0; index < count; index++) {
    const feature = features[index]!;
    scoreCuts(search, feature, cells, starts[index]!, search.everyCode, codeCounts[feature]!);
  }
}

/** Scores the cuts of one feature from the node's rows `[from, to)`, of which there are few: O(rows + codes / 32). */
export function searchRows(
  search: CutSearch,
  feature: number,
  rows: Int32Array,
  from: number,
  to: number,
  gathered: Marks,
): void {
  const { matrix, cells, occupied, present } = search;
  sumRows(search, feature * matrix.rowCount, rows, from, to, gathered);
  const count = takeOccupied(occupied, present);
  scoreCuts(search, feature, cells, 0, present, count);
  for (let index = 0; index < count; index++) {
    const cell = present[index]! << 1;
    cells[cell] = 0;
    cells[cell + 1] = 0;
  }
}

function sumRows(
  { matrix, cells, occupied }: CutSearch,
  base: number,
  rows: Int32Array,
  from: number,
  to: number,
  { gradients, weights }: Marks,
): void {
  const { codes } = matrix;
  for (let at = from; at < to; at++) {
    const code = codes[base + rows[at]!]!;
    const cell = code << 1;
    cells[cell] = cells[cell]! + gradients[at]!;
    cells[cell + 1] = cells[cell + 1]! + weights[at]!;
    occupied[code >>> 5] = occupied[code >>> 5]! | (1 << (code & 31));
  }
}

/**
 * Scores the cut after each listed code, with rows without a value on the right and then on the left, and keeps the best of
 * all. Behind the last code that holds rows, those with any value stand alone against those without one. An empty code scores
 * as the cut before it does, which is never greater, so it needs no branch: up to twice as fast.
 */
function scoreCuts(
  search: CutSearch,
  feature: number,
  cells: Float64Array,
  start: number,
  list: Int32Array,
  count: number,
): void {
  const { l2, gradient, weight, minLeafRows, countSpan } = search;
  const missingGradient = cells[start]!;
  const missingWeight = cells[start + 1]!;
  const whole = weight + l2;
  let bestScore = search.bestScore;
  let bestIndex = -1;
  let bestGradient = 0;
  let bestWeight = 0;
  let bestSide = MISSING_RIGHT;
  let leftGradient = 0;
  let leftWeight = 0;
  for (let index = list[0] === 0 ? 1 : 0; index < count; index++) {
    const cell = start + (list[index]! << 1);
    leftGradient += cells[cell]!;
    leftWeight += cells[cell + 1]!;
    const rightGradient = gradient - leftGradient;
    const left = leftWeight + l2;
    const right = whole - leftWeight;
    const score = (leftGradient * leftGradient * right + rightGradient * rightGradient * left) / (left * right);
    if (score > bestScore && holdRows(leftWeight, weight, countSpan, minLeafRows)) {
      bestScore = score;
      bestIndex = index;
      bestGradient = leftGradient;
      bestWeight = leftWeight;
      bestSide = MISSING_RIGHT;
    }
    if (missingWeight > 0 && leftWeight > 0) {
      const withMissing = leftGradient + missingGradient;
      const without = gradient - withMissing;
      const weightWithMissing = leftWeight + missingWeight;
      const left = weightWithMissing + l2;
      const right = whole - weightWithMissing;
      const score = (withMissing * withMissing * right + without * without * left) / (left * right);
      if (score > bestScore && holdRows(weightWithMissing, weight, countSpan, minLeafRows)) {
        bestScore = score;
        bestIndex = index;
        bestGradient = withMissing;
        bestWeight = weightWithMissing;
        bestSide = 0;
      }
    }
  }
  if (bestIndex < 0) return;
  let next = bestIndex + 1;
  while (next < count && cells[start + (list[next]! << 1) + 1] === 0) next++;
  const threshold = next === count ? PRESENT_LEFT : (list[bestIndex]! + list[next]!) >>> 1;
  if (missingWeight === 0) bestSide = heavierSide(bestWeight, weight, countSpan);
  search.bestScore = bestScore;
  search.bestFeature = feature;
  search.bestThreshold = threshold | bestSide;
  search.bestGradient = bestGradient;
  search.bestWeight = bestWeight;
}

/** Whether both sides of a cut hold enough rows. */
function holdRows(left: number, whole: number, countSpan: number, least: number): boolean {
  return rowsOf(left, countSpan) >= least && rowsOf(whole - left, countSpan) >= least;
}

/** Where no row of the node lacks a value, later rows that do follow most others. */
function heavierSide(left: number, whole: number, countSpan: number): number {
  return 2 * rowsOf(left, countSpan) < rowsOf(whole, countSpan) ? MISSING_RIGHT : 0;
}

/** The number of rows that a sum of weights tells. */
function rowsOf(weight: number, countSpan: number): number {
  return weight - Math.floor(weight / countSpan) * countSpan;
}

function nodeScore({ gradient, weight, l2 }: CutSearch): number {
  return (gradient * gradient) / (weight + l2);
}

/** Lists the codes whose bit is set, and clears the bits; returns their number. */
function takeOccupied(occupied: Int32Array, present: Int32Array): number {
  let count = 0;
  for (let word = 0; word < occupied.length; word++) {
    let bits = occupied[word]!;
    occupied[word] = 0;
    while (bits !== 0) {
      present[count] = (word << 5) | (31 - Math.clz32(bits & -bits));
      count++;
      bits &= bits - 1;
    }
  }
  return count;
}
