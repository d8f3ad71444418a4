// The search for a node's best split: the node's totals, the best cut so far, and the scratch memory of the kernels.
import { FIRST_CODE } from "../buckets.ts";
import { CLASS_BITS, CLASS_MASK, splitSum, sumOfMarks } from "./forest-marks.ts";
import type { TrainingMatrix } from "./forest-rows.ts";

/** A threshold above every code: rows with any value go left, rows without one right. */
export const PRESENT_LEFT = 0x7fff;
/** With more than two classes, a cut must beat its node by more than what rounding can feign. */
const LEAST_GAIN = 1 + 1e-12;

/**
 * Splits are scored by how far they lower the Gini impurity. Two classes: (left1 · weight - total1 · leftWeight)² /
 * (leftWeight · rightWeight), which is proportional to it, and 0 exactly where nothing is gained. More classes: the sum over
 * both sides of squared class weights over weight.
 */
export interface SplitSearch {
  matrix: TrainingMatrix;
  minLeafRows: number;
  /** Weights by class at the node, their sum, the sum of their squares, and (two classes) the sum of the marks. */
  totals: Float64Array;
  weight: number;
  squares: number;
  markSum: number;
  /** Of the node's rows without a value of the feature at hand: weights by class, sum, squares, products with `totals`. */
  missing: Float64Array;
  missingWeight: number;
  missingSquares: number;
  missingTotals: number;
  bestScore: number;
  /** -1 where no cut gains anything. */
  bestFeature: number;
  bestThreshold: number;
  /** 1 or 0: the side of rows without a value. */
  bestMissingRight: number;
  /** Two classes: sums of marks by code. More: weights by code and class. All 0 between searches. */
  histogram: Float64Array;
  /** One bit for each code that the node holds; all 0 between searches. */
  occupied: Int32Array;
  /** Codes that the node holds, ascending. */
  present: Int32Array;
  /** 0, 1, 2, … for nodes that hold most codes anyway. */
  everyCode: Int32Array;
  /** Chains of rows by code: position + 1 of the first row of each code (0 for none), and of the row after each row. */
  heads: Int32Array;
  links: Int32Array;
  /** Weights by class on the left of the cut at hand. */
  left: Float64Array;
}

export function newSplitSearch(matrix: TrainingMatrix, minLeafRows: number): SplitSearch {
  const { rowCount, classCount } = matrix;
  const codeCount = matrix.codeCounts.reduce((most, count) => Math.max(most, count), FIRST_CODE);
  return {
    matrix,
    minLeafRows,
    totals: new Float64Array(classCount),
    weight: 0,
    squares: 0,
    markSum: 0,
    missing: new Float64Array(classCount),
    missingWeight: 0,
    missingSquares: 0,
    missingTotals: 0,
    bestScore: 0,
    bestFeature: -1,
    bestThreshold: 0,
    bestMissingRight: 0,
    histogram: new Float64Array(codeCount * (classCount === 2 ? 1 : classCount)),
    occupied: new Int32Array((codeCount + 31) >>> 5),
    present: new Int32Array(codeCount),
    everyCode: Int32Array.from({ length: codeCount }, (_, code) => code),
    heads: new Int32Array(codeCount),
    links: new Int32Array(classCount === 2 ? 0 : rowCount),
    left: new Float64Array(classCount),
  };
}

/** Starts the search at a node: sets its totals and drops the best cut. True where more than one class is present. */
export function startNode(search: SplitSearch, marks: Float64Array, from: number, to: number): boolean {
  const { totals } = search;
  search.bestFeature = -1;
  if (totals.length === 2) {
    search.markSum = sumOfMarks(marks, from, to);
    splitSum(search.markSum, totals);
    search.weight = totals[0]! + totals[1]!;
    search.bestScore = 0;
    return totals[0]! > 0 && totals[1]! > 0;
  }
  for (let k = 0; k < totals.length; k++) totals[k] = 0;
  for (let at = from; at < to; at++) {
    const mark = marks[at]! | 0;
    const k = mark & CLASS_MASK;
    totals[k] = totals[k]! + (mark >> CLASS_BITS);
  }
  let weight = 0;
  let squares = 0;
  for (let k = 0; k < totals.length; k++) {
    const total = totals[k]!;
    weight += total;
    squares += total * total;
  }
  search.weight = weight;
  search.squares = squares;
  search.bestScore = (squares / weight) * LEAST_GAIN;
  return squares < weight * weight;
}

/** Notes the best cut so far. Where no row of the node lacks a value, later rows that do will follow the heavier side. */
export function keepCut(
  search: SplitSearch,
  score: number,
  feature: number,
  threshold: number,
  missingRight: number,
  leftWeight: number,
): void {
  search.bestScore = score;
  search.bestFeature = feature;
  search.bestThreshold = threshold;
  search.bestMissingRight = search.missingWeight > 0 ? missingRight : 2 * leftWeight < search.weight ? 1 : 0;
}

/** The Gini decrease of the best cut, in rows: the node's weight times how far the cut lowers its mean impurity. */
export function giniDecrease(search: SplitSearch): number {
  const { bestScore, squares, weight } = search;
  return search.totals.length === 2 ? (2 * bestScore) / weight : bestScore - squares / weight;
}

/** Lists the codes whose bit is set, and clears the bits; returns their number. */
export function takeOccupied(occupied: Int32Array, present: Int32Array): number {
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
