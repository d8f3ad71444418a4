// The current node: its totals, and the best cut found so far.

import { addressOfItem, classOf, secondOf, totalOf, weightOf } from "./item.ts";
import { Matrix } from "./matrix.ts";
import { allocateArray, at, put } from "./memory.ts";

/** A threshold above every code: rows with any value go left, rows without one right. */
export const PRESENT_LEFT: i32 = 0x7fff;
/** With more than two classes, a cut must beat its node by more than rounding errors. */
const LEAST_GAIN: f64 = 1 + 1e-12;
/** Up to this weight, the scores of two classes are exact enough to recognise a perfect one. */
const MOST_EXACT_WEIGHT: i64 = 4096;

export class Node {
  static weight: i32 = 0;
  /** Two classes: the class counts. */
  static counts: i64 = 0;
  /** More classes: f64 weights by class, and the sum of their squares. */
  static totals: usize = 0;
  static squares: f64 = 0;
  /** The score of a cut with one class alone on each side: none is better. */
  static perfectScore: f64 = 0;
}

/**
 * Cuts are scored by how far they lower the Gini impurity. Two classes: (left1 · weight - total1 · leftWeight)² /
 * (leftWeight · rightWeight), which is proportional to it, and 0 exactly where nothing is gained. More classes: the sum
 * over both sides of squared class weights over weight.
 */
export class Best {
  static score: f64 = 0;
  /** -1 where no cut gains anything. */
  static feature: i32 = -1;
  static threshold: i32 = 0;
  /** 1 or 0: the side of rows without a value. */
  static missingRight: i32 = 0;
  /** Two classes: the class counts on the left. */
  static leftCounts: i64 = 0;
}

export function prepareNode(): void {
  Node.totals = allocateArray<f64>(Matrix.classCount);
}

/** Starts a search at a node of two classes with these counts. True if both are present. */
export function startTwoClassNode(counts: i64): bool {
  Node.counts = counts;
  Node.weight = i32(totalOf(counts));
  Best.feature = -1;
  Best.score = 0;
  const second = secondOf(counts);
  const weight = totalOf(counts);
  Node.perfectScore = weight > MOST_EXACT_WEIGHT ? Infinity : f64(second * (weight - second));
  return second > 0 && second < weight;
}

/** Starts a search at a node of many classes. True if more than one is present. */
export function startManyClassNode(items: usize, from: i32, to: i32): bool {
  const totals = Node.totals;
  const classCount = Matrix.classCount;
  memory.fill(totals, 0, usize(classCount) * sizeof<f64>());
  const end = addressOfItem(items, to);
  for (let place = addressOfItem(items, from); place < end; place += sizeof<u64>()) {
    const item = load<u64>(place);
    const k = classOf(item);
    put<f64>(totals, k, at<f64>(totals, k) + f64(weightOf(item)));
  }
  let weight: f64 = 0;
  let squares: f64 = 0;
  for (let k = 0; k < classCount; k++) {
    const total = at<f64>(totals, k);
    weight += total;
    squares += total * total;
  }
  Node.weight = i32(weight);
  Node.squares = squares;
  Node.perfectScore = weight;
  Best.feature = -1;
  Best.score = (squares / weight) * LEAST_GAIN;
  return squares < weight * weight;
}

/** True if no other cut can beat the best so far. */
export function isPerfect(): bool {
  return Best.score === Node.perfectScore;
}

/**
 * Keeps the best cut so far. If no row of the node has a missing value,
 * missing values of later rows go to the heavier side.
 */
export function keepCut(
  score: f64,
  feature: i32,
  threshold: i32,
  missingRight: i32,
  hasMissing: bool,
  leftWeight: i32,
): void {
  Best.score = score;
  Best.feature = feature;
  Best.threshold = threshold;
  Best.missingRight = hasMissing ? missingRight : i32(2 * leftWeight < Node.weight);
}

/** The Gini decrease of the best cut, in rows: the node's weight times how far the cut lowers its mean impurity. */
export function giniDecrease(): f64 {
  const weight = f64(Node.weight);
  return Matrix.classCount === 2 ? (2 * Best.score) / weight : Best.score - Node.squares / weight;
}
