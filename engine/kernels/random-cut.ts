// The random cut of extremely randomized trees: one feature, one node, one threshold drawn between the codes present.
import { addressOfItem, classOf, countsOf, rowOf, secondOf, totalOf, weightOf } from "./item.ts";
import { codesOf, Matrix, Settings } from "./matrix.ts";
import { allocateArray, at, put } from "./memory.ts";
import { Best, isPerfect, keepCut, Node, PRESENT_LEFT } from "./node.ts";
import { nextBelow } from "./random.ts";
import { clearSums } from "./two-class-cuts.ts";
import { hasFewRows, histogramOf, sumCounts } from "./two-class-sums.ts";

/** Codes of the node's rows side by side: read from the matrix once, used twice. */
let gathered: usize = 0;
/** More than two classes: f64 weights by class on the left. */
let left: usize = 0;

let smallest: i32 = 0;
let largest: i32 = 0;
let hasMissing: bool = false;
let threshold: i32 = 0;
let missingRight: i32 = 0;

export function prepareRandomCut(): void {
  gathered = Matrix.isWide ? allocateArray<u16>(Matrix.rowCount) : allocateArray<u8>(Matrix.rowCount);
  left = allocateArray<f64>(Matrix.classCount);
}

/**
 * Scores one cut drawn uniformly between the smallest and the largest code of the rows `[from, to)`, with a drawn side
 * for rows without a value, and keeps it if it is the best. False where the feature is constant.
 */
export function searchRandomCut<Code>(feature: i32, items: usize, from: i32, to: i32): bool {
  if (Matrix.classCount === 2 && !hasFewRows(at<i32>(Matrix.codeCounts, feature), from, to)) {
    sumCounts<Code>(feature, items, from, to);
    return cutBySums(feature, histogramOf(0));
  }
  gather<Code>(feature, items, from, to);
  if (!drawCut()) return false;
  if (isPerfect()) return true;
  if (Matrix.classCount === 2) scoreTwoClasses(feature, sumLeft<Code>(items, from, to));
  else scoreManyClasses<Code>(feature, items, from, to);
  return true;
}

/** Draws a threshold and a side for missing values; false if all rows are alike. */
function drawCut(): bool {
  if (largest === 0 || (smallest === largest && !hasMissing)) return false;
  threshold = PRESENT_LEFT;
  missingRight = 1;
  if (smallest < largest) {
    threshold = smallest + nextBelow(largest - smallest);
    if (hasMissing) missingRight = nextBelow(2);
  }
  return true;
}

/** Draws and scores a cut from the class counts by code, and sets them back to 0. False if all rows are alike. */
export function cutBySums(feature: i32, histogram: usize): bool {
  const codeCount = at<i32>(Matrix.codeCounts, feature);
  const missing = at<i64>(histogram, 0);
  hasMissing = missing !== 0;
  smallest = 1;
  while (smallest < codeCount && at<i64>(histogram, smallest) === 0) smallest++;
  largest = codeCount - 1;
  while (largest > 0 && at<i64>(histogram, largest) === 0) largest--;
  const varies = drawCut();
  if (varies && !isPerfect()) {
    let left: i64 = missingRight === 0 ? missing : 0;
    const last = min(threshold, largest);
    for (let code = smallest; code <= last; code++) left += at<i64>(histogram, code);
    scoreTwoClasses(feature, left);
  }
  clearSums(histogram, codeCount);
  return varies;
}

function gather<Code>(feature: i32, items: usize, from: i32, to: i32): void {
  const codes = codesOf<Code>(feature);
  let least = 0xffff;
  let most = 0;
  let without: i32 = 0;
  let target = gathered;
  const end = addressOfItem(items, to);
  for (let place = addressOfItem(items, from); place < end; place += sizeof<u64>()) {
    const code = load<Code>(codes + rowOf(load<u64>(place)) * sizeof<Code>());
    store<Code>(target, code);
    target += sizeof<Code>();
    // Code 0 less one wraps to the largest number, so it is never the smallest.
    least = min(least, (i32(code) - 1) & 0xffff);
    most = max(most, i32(code));
    without += i32(code === 0);
  }
  smallest = least + 1;
  largest = most;
  hasMissing = without > 0;
}

/** -1 where a gathered code goes left, 0 where it goes right. */
function leftMask<Code>(index: i32, limit: i32, missingRight: i32): i32 {
  const code = i32(load<Code>(gathered + usize(index) * sizeof<Code>()));
  return ~((limit - ((code - missingRight) & 0xffff)) >> 31);
}

function sumLeft<Code>(items: usize, from: i32, to: i32): i64 {
  const side = missingRight;
  const limit = threshold - side;
  let sum: i64 = 0;
  for (let index = from; index < to; index++) {
    const counts = countsOf(load<u64>(addressOfItem(items, index)));
    sum += counts & i64(leftMask<Code>(index - from, limit, side));
  }
  return sum;
}

function scoreTwoClasses(feature: i32, left: i64): void {
  const leftWeight = totalOf(left);
  const rightWeight = i64(Node.weight) - leftWeight;
  const least = i64(Settings.minLeafRows);
  if (leftWeight < least || rightWeight < least) return;
  const change = f64(secondOf(left) * i64(Node.weight) - secondOf(Node.counts) * leftWeight);
  const score = (change * change) / f64(leftWeight * rightWeight);
  if (score <= Best.score) return;
  keepCut(score, feature, threshold, missingRight, hasMissing, i32(leftWeight));
  Best.leftCounts = left;
}

function scoreManyClasses<Code>(feature: i32, items: usize, from: i32, to: i32): void {
  const side = missingRight;
  const classCount = Matrix.classCount;
  const limit = threshold - side;
  memory.fill(left, 0, usize(classCount) * sizeof<f64>());
  for (let index = from; index < to; index++) {
    const item = load<u64>(addressOfItem(items, index));
    const k = classOf(item);
    const weight = weightOf(item) & leftMask<Code>(index - from, limit, side);
    put<f64>(left, k, at<f64>(left, k) + f64(weight));
  }
  let leftWeight: f64 = 0;
  let leftSquares: f64 = 0;
  let rightSquares: f64 = 0;
  for (let k = 0; k < classCount; k++) {
    const onLeft = at<f64>(left, k);
    const onRight = at<f64>(Node.totals, k) - onLeft;
    leftWeight += onLeft;
    leftSquares += onLeft * onLeft;
    rightSquares += onRight * onRight;
  }
  const rightWeight = f64(Node.weight) - leftWeight;
  const least = f64(Settings.minLeafRows);
  if (leftWeight < least || rightWeight < least) return;
  const score = leftSquares / leftWeight + rightSquares / rightWeight;
  if (score > Best.score) keepCut(score, feature, threshold, missingRight, hasMissing, i32(leftWeight));
}
