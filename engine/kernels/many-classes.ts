// The best cut of one feature at one node for any number of classes.
import { addressOfItem, classOf, rowOf, weightOf } from "./item.ts";
import { codesOf, Matrix, Settings } from "./matrix.ts";
import { allocateArray, at, put } from "./memory.ts";
import { Best, keepCut, Node, PRESENT_LEFT } from "./node.ts";
import { allocateOccupied, lowestCode, markOccupied, occupiedWordCount, takeOccupied } from "./occupied.ts";

/** From this many cells (codes × classes) per row on, a pass over the rows is cheaper than one over the cells. */
const FEW_ROWS_CELLS: i32 = 4;
const FIRST_CODE: i32 = 2;

/** i32 weights by code and class; all 0 between searches. */
let histogram: usize = 0;
/** Chains of rows by code: i32 place + 1 of the first row of each code (0 for none), and of the row after each row. */
let heads: usize = 0;
let links: usize = 0;
let occupied: usize = 0;
/** f64 weights by class on the left of the current cut, and of the rows with a missing value. */
let left: usize = 0;
let missing: usize = 0;

// All whole numbers below 2^53, so that sums are exact in any order.
let leftWeight: f64 = 0;
let leftSquares: f64 = 0;
let rightSquares: f64 = 0;
/** Sum over classes of the weight on the left times that of the rows without a value. */
let leftMissing: f64 = 0;
let missingWeight: f64 = 0;
let missingSquares: f64 = 0;
/** Sum over classes of the weight of the rows without a value times the node's. */
let missingTotals: f64 = 0;

export function prepareManyClasses(): void {
  histogram = allocateArray<i32>(Matrix.mostCodes * Matrix.classCount);
  heads = allocateArray<i32>(Matrix.mostCodes);
  links = allocateArray<i32>(Matrix.rowCount);
  occupied = allocateOccupied(Matrix.mostCodes);
  left = allocateArray<f64>(Matrix.classCount);
  missing = allocateArray<f64>(Matrix.classCount);
}

/**
 * Keeps the best cut of the feature among the rows `[from, to)` if it beats
 * the best so far. False if the feature is constant.
 */
export function searchManyClassCut<Code>(feature: i32, items: usize, from: i32, to: i32): bool {
  const codeCount = at<i32>(Matrix.codeCounts, feature);
  startCuts();
  if ((to - from) * FEW_ROWS_CELLS < codeCount * Matrix.classCount) {
    chainRows<Code>(feature, items, from, to);
    return scoreChains(feature, items, codeCount);
  }
  sumWeights<Code>(feature, items, from, to);
  return scoreHistogram(feature, codeCount);
}

function startCuts(): void {
  const byteCount = usize(Matrix.classCount) * sizeof<f64>();
  memory.fill(left, 0, byteCount);
  memory.fill(missing, 0, byteCount);
  leftWeight = 0;
  leftSquares = 0;
  rightSquares = Node.squares;
  leftMissing = 0;
  missingWeight = 0;
  missingSquares = 0;
  missingTotals = 0;
}

function chainRows<Code>(feature: i32, items: usize, from: i32, to: i32): void {
  const codes = codesOf<Code>(feature);
  for (let index = from; index < to; index++) {
    const row = rowOf(load<u64>(addressOfItem(items, index)));
    const code = i32(load<Code>(codes + row * sizeof<Code>()));
    put<i32>(links, index, at<i32>(heads, code));
    put<i32>(heads, code, index + 1);
    markOccupied(occupied, code);
  }
}

/** Scores the cuts between the occupied codes row by row along their chains, and clears these. */
function scoreChains(feature: i32, items: usize, codeCount: i32): bool {
  let last = 0;
  let count = 0;
  const wordCount = occupiedWordCount(codeCount);
  for (let word = 0; word < wordCount; word++) {
    for (let bits = takeOccupied(occupied, word); bits !== 0; bits &= bits - 1) {
      const code = lowestCode(word, bits);
      if (last > 0) considerCut(feature, (last + code) >> 1, leftWeight, leftSquares, rightSquares, leftMissing);
      for (let link = at<i32>(heads, code); link > 0; link = at<i32>(links, link - 1)) {
        const item = load<u64>(addressOfItem(items, link - 1));
        if (code === 0) addMissing(classOf(item), f64(weightOf(item)));
        else addLeft(classOf(item), f64(weightOf(item)));
      }
      put<i32>(heads, code, 0);
      last = code;
      count++;
    }
  }
  considerPresence(feature);
  return count > 1;
}

function sumWeights<Code>(feature: i32, items: usize, from: i32, to: i32): void {
  const codes = codesOf<Code>(feature);
  const classCount = Matrix.classCount;
  const end = addressOfItem(items, to);
  for (let place = addressOfItem(items, from); place < end; place += sizeof<u64>()) {
    const item = load<u64>(place);
    const code = i32(load<Code>(codes + rowOf(item) * sizeof<Code>()));
    const cell = code * classCount + classOf(item);
    put<i32>(histogram, cell, at<i32>(histogram, cell) + weightOf(item));
  }
}

/** Scores the cuts between codes from the weights by code and class, and clears these. */
function scoreHistogram(feature: i32, codeCount: i32): bool {
  const classCount = Matrix.classCount;
  for (let k = 0; k < classCount; k++) addMissing(k, f64(at<i32>(histogram, k)));
  let last = 0;
  let count = i32(missingWeight > 0);
  for (let code = FIRST_CODE; code < codeCount; code++) {
    const weightBefore = leftWeight;
    const leftBefore = leftSquares;
    const rightBefore = rightSquares;
    const missingBefore = leftMissing;
    const start = code * classCount;
    for (let k = 0; k < classCount; k++) {
      const weight = at<i32>(histogram, start + k);
      if (weight !== 0) addLeft(k, f64(weight));
    }
    if (leftWeight === weightBefore) continue;
    if (last > 0) considerCut(feature, (last + code) >> 1, weightBefore, leftBefore, rightBefore, missingBefore);
    count++;
    last = code;
  }
  memory.fill(histogram, 0, usize(codeCount * classCount) * sizeof<i32>());
  considerPresence(feature);
  return count > 1;
}

function addLeft(k: i32, weight: f64): void {
  const before = at<f64>(left, k);
  leftWeight += weight;
  leftSquares += weight * (2 * before + weight);
  rightSquares -= weight * (2 * (at<f64>(Node.totals, k) - before) - weight);
  leftMissing += weight * at<f64>(missing, k);
  put<f64>(left, k, before + weight);
}

function addMissing(k: i32, weight: f64): void {
  const before = at<f64>(missing, k);
  put<f64>(missing, k, before + weight);
  missingWeight += weight;
  missingSquares += weight * (2 * before + weight);
  missingTotals += weight * at<f64>(Node.totals, k);
}

/**
 * Scores a cut with missing values on the right, then on the left: `onLeftMissing` gives the
 * squares of the second without another pass over the classes.
 */
function considerCut(feature: i32, threshold: i32, weight: f64, onLeft: f64, onRight: f64, onLeftMissing: f64): void {
  const least = f64(Settings.minLeafRows);
  const rightWeight = f64(Node.weight) - weight;
  if (weight >= least && rightWeight >= least) {
    const score = onLeft / weight + onRight / rightWeight;
    if (score > Best.score) keepCut(score, feature, threshold, 1, missingWeight > 0, i32(weight));
  }
  if (missingWeight === 0) return;
  const withMissing = weight + missingWeight;
  const without = rightWeight - missingWeight;
  if (withMissing < least || without < least) return;
  const leftWithMissing = onLeft + 2 * onLeftMissing + missingSquares;
  const rightWithout = onRight - 2 * (missingTotals - onLeftMissing) + missingSquares;
  const score = leftWithMissing / withMissing + rightWithout / without;
  if (score > Best.score) keepCut(score, feature, threshold, 0, missingWeight > 0, i32(withMissing));
}

/** Scores the cut between present and missing values. */
function considerPresence(feature: i32): void {
  const least = f64(Settings.minLeafRows);
  const weight = f64(Node.weight) - missingWeight;
  if (weight < least || missingWeight < least) return;
  const score = (Node.squares - 2 * missingTotals + missingSquares) / weight + missingSquares / missingWeight;
  if (score > Best.score) keepCut(score, feature, PRESENT_LEFT, 1, missingWeight > 0, i32(weight));
}
