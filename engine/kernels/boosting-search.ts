// The search for a leaf's best split: every cut of every feature in use, scored by the fall of the penalised log-loss.
import { CELL_BYTES } from "./boosting-histogram.ts";
import { Growth, Layout, Leaf, rowsOf, Scratch } from "./boosting-state.ts";
import { codesOf, Matrix } from "./matrix.ts";
import { allocateArray, at } from "./memory.ts";
import { PRESENT_LEFT } from "./node.ts";
import { allocateOccupied, lowestCode, markOccupied, occupiedWordCount, takeOccupied } from "./occupied.ts";
import { MISSING_RIGHT } from "./row-division.ts";

/** A cut must beat its node by more than rounding errors. */
const LEAST_GAIN: f64 = 1 + 1e-12;
/** More than rounding can take from a product: only scores that may beat the best are divided. */
const ROUNDING: f64 = 1 - 1e-12;

/**
 * The best cut of the current leaf. A side scores G² / (H + l2), where G and H are the sums
 * of its gradients and hessians: twice the fall of the loss that its best step brings
 * (Friedman, Hastie, Tibshirani 2000). All sums are whole.
 */
class Cut {
  static score: f64 = 0;
  /** -1 where no cut gains anything. */
  static feature: i32 = -1;
  static threshold: i32 = 0;
  static gradient: f64 = 0;
  static hessian: f64 = 0;
}

// The leaf, and the best cut of the current feature.
let gradient: f64 = 0;
let hessian: f64 = 0;
let missingGradient: f64 = 0;
let missingHessian: f64 = 0;
let bestCode: i32 = -1;
let bestSide: i32 = 0;

/** Cells of one feature for leaves without a histogram, and the codes they hold; all 0 between searches. */
let cells: usize = 0;
let occupied: usize = 0;
let codeCapacity: i32 = 0;

/** Enlarges the buffers for features of up to `mostCodes` codes. */
export function reserveSearch(mostCodes: i32): void {
  if (mostCodes <= codeCapacity) return;
  codeCapacity = mostCodes;
  cells = allocateArray<v128>(mostCodes);
  occupied = allocateOccupied(mostCodes);
}

/** Begins the search for a leaf's best split. */
export function startSearch(leaf: Leaf): void {
  gradient = leaf.gradient;
  hessian = leaf.hessian;
  Cut.feature = -1;
  Cut.score = leafScore() * LEAST_GAIN;
}

/** Gives the leaf the best split that was found; false where there is none. */
export function takeSplit(leaf: Leaf): bool {
  if (Cut.feature < 0) return false;
  leaf.gain = Cut.score - leafScore();
  leaf.feature = Cut.feature;
  leaf.threshold = Cut.threshold;
  leaf.leftGradient = Cut.gradient;
  leaf.leftHessian = Cut.hessian;
  return true;
}

/** Scores the cuts of all features in use from the leaf's histogram. */
export function searchHistogram(histogram: usize): void {
  for (let index = 0; index < Layout.count; index++) {
    const feature = at<i32>(Layout.features, index);
    const cells = histogram + usize(at<i32>(Layout.starts, index)) * CELL_BYTES;
    const codeCount = at<i32>(Matrix.codeCounts, feature);
    startFeature(cells);
    let leftGradient: f64 = 0;
    let leftHessian: f64 = 0;
    for (let code = 1; code < codeCount; code++) {
      const cell = cells + usize(code) * CELL_BYTES;
      leftGradient += load<f64>(cell);
      leftHessian += load<f64>(cell, 8);
      scoreCut(code, leftGradient, leftHessian);
    }
    if (bestCode < 0) continue;
    let next = bestCode + 1;
    while (next < codeCount && load<f64>(cells + usize(next) * CELL_BYTES, 8) === 0) next++;
    keepCut(feature, next === codeCount ? -1 : next);
  }
}

/** Scores the cuts of one feature from the leaf's rows, if they are few; their pairs are gathered. */
export function searchRows<Code>(leaf: Leaf, feature: i32): void {
  const codes = codesOf<Code>(feature);
  const rows = rowsOf(leaf.depth);
  for (let place = leaf.from; place < leaf.to; place++) {
    const code = i32(load<Code>(codes + usize(at<i32>(rows, place)) * sizeof<Code>()));
    const cell = cells + usize(code) * CELL_BYTES;
    v128.store(cell, f64x2.add(v128.load(cell), v128.load(Scratch.gathered + usize(place) * CELL_BYTES)));
    markOccupied(occupied, code);
  }
  startFeature(cells);
  let leftGradient: f64 = 0;
  let leftHessian: f64 = 0;
  let last = -1;
  let next = -1;
  const wordCount = occupiedWordCount(at<i32>(Matrix.codeCounts, feature));
  for (let word = 0; word < wordCount; word++) {
    for (let bits = takeOccupied(occupied, word); bits !== 0; bits &= bits - 1) {
      const code = lowestCode(word, bits);
      const cell = cells + usize(code) * CELL_BYTES;
      if (code > 0) {
        leftGradient += load<f64>(cell);
        leftHessian += load<f64>(cell, 8);
        if (bestCode === last) next = code;
        last = code;
        scoreCut(code, leftGradient, leftHessian);
      }
      v128.store(cell, i64x2.splat(0));
    }
  }
  if (bestCode >= 0) keepCut(feature, bestCode === last ? -1 : next);
}

function startFeature(histogram: usize): void {
  missingGradient = load<f64>(histogram);
  missingHessian = load<f64>(histogram, 8);
  bestCode = -1;
}

/** Scores the cut after a code, with missing values on the right and then on the left. */
function scoreCut(code: i32, leftGradient: f64, leftHessian: f64): void {
  considerSide(code, leftGradient, leftHessian, MISSING_RIGHT);
  if (missingHessian > 0 && leftHessian > 0) {
    considerSide(code, leftGradient + missingGradient, leftHessian + missingHessian, 0);
  }
}

/** An empty code scores as the cut before it does, which is never greater. */
function considerSide(code: i32, onLeft: f64, leftHessian: f64, side: i32): void {
  const onRight = gradient - onLeft;
  const left = leftHessian + Growth.unitL2;
  const right = hessian + Growth.unitL2 - leftHessian;
  const sum = onLeft * onLeft * right + onRight * onRight * left;
  const product = left * right;
  if (sum < Cut.score * product * ROUNDING) return;
  const score = sum / product;
  if (score > Cut.score && holdRows(leftHessian)) {
    Cut.score = score;
    bestCode = code;
    bestSide = side;
    Cut.gradient = onLeft;
    Cut.hessian = leftHessian;
  }
}

/** Keeps the feature's best cut. A cut after the last code that holds rows parts present from missing values. */
function keepCut(feature: i32, next: i32): void {
  const threshold = next < 0 ? PRESENT_LEFT : (bestCode + next) >> 1;
  Cut.feature = feature;
  Cut.threshold = threshold | (missingHessian === 0 ? heavierSide(Cut.hessian) : bestSide);
}

/** True if both sides of a cut hold enough rows. */
function holdRows(left: f64): bool {
  const least = f64(Growth.minLeafRows);
  return countOf(left) >= least && countOf(hessian - left) >= least;
}

/** If no row of the leaf has a missing value, missing values of later rows go where most rows go. */
function heavierSide(left: f64): i32 {
  return 2 * countOf(left) < countOf(hessian) ? MISSING_RIGHT : 0;
}

/** The number of rows in a sum of hessians. */
function countOf(sum: f64): f64 {
  return sum - Math.floor(sum / Growth.countSpan) * Growth.countSpan;
}

function leafScore(): f64 {
  return (gradient * gradient) / (hessian + Growth.unitL2);
}
