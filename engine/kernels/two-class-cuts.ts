// The best cut of one feature at a node of two classes, from the class counts of its rows by code.
import { addressOfItem, rowOf, secondOf, totalOf } from "./item.ts";
import { codesOf, Matrix, Settings } from "./matrix.ts";
import { at, put } from "./memory.ts";
import { Best, keepCut, Node, PRESENT_LEFT } from "./node.ts";
import { lowestCode, occupiedWordCount, takeOccupied } from "./occupied.ts";
import { hasFewRows, histogramOf, occupied, sumCounts, sumFewCounts } from "./two-class-sums.ts";

/** More than rounding can take from a product: only scores that may beat the best are divided. */
const ROUNDING: f64 = 1 - 1e-12;
const PAIR_BYTES: usize = 16;
/** Cuts of a code: missing values on the right, or on the left. */
const PLACES: i64 = 2;
const TWO_TO_52: f64 = 4503599627370496;

// The best cut of the current feature.
let score: f64 = 0;
let cut: i32 = 0;
let leftCounts: i64 = 0;
let missingRight: i32 = 0;

/**
 * Keeps the best cut of the feature among the rows `[from, to)` if it beats
 * the best so far. False if the feature is constant.
 */
export function searchTwoClassCut<Code>(feature: i32, items: usize, from: i32, to: i32): bool {
  const first = codeAt<Code>(feature, items, from);
  if (hasFewRows(at<i32>(Matrix.codeCounts, feature), from, to)) {
    sumFewCounts<Code>(feature, items, from, to);
    return scoreOccupied(feature, first);
  }
  sumCounts<Code>(feature, items, from, to);
  return scoreHistogram(feature, histogramOf(0), first);
}

export function codeAt<Code>(feature: i32, items: usize, index: i32): i32 {
  return i32(load<Code>(codesOf<Code>(feature) + rowOf(load<u64>(addressOfItem(items, index))) * sizeof<Code>()));
}

function startCuts(): void {
  score = Best.score;
  cut = -1;
}

/** Scores the cut that leaves `left` on the left. Where a side is empty, the score is NaN and never above the best. */
function scoreCut(code: i32, left: i64, side: i32): void {
  const weight = i64(Node.weight);
  const leftWeight = totalOf(left);
  const rightWeight = weight - leftWeight;
  const change = f64(secondOf(left) * weight - secondOf(Node.counts) * leftWeight);
  const square = change * change;
  const product = f64(leftWeight * rightWeight);
  if (square < score * product * ROUNDING) return;
  const found = square / product;
  if (found > score && i32(leftWeight) >= Settings.minLeafRows && i32(rightWeight) >= Settings.minLeafRows) {
    score = found;
    cut = code;
    leftCounts = left;
    missingRight = side;
  }
}

function takeCut(feature: i32, nextCode: i32, missing: i64): void {
  const threshold = nextCode < 0 ? PRESENT_LEFT : (cut + nextCode) >> 1;
  keepCut(score, feature, threshold, missingRight, missing > 0, i32(totalOf(leftCounts)));
  Best.leftCounts = leftCounts;
}

/**
 * Scores the cuts after each code, and sets the sums back to 0. False where all rows have the code `first`. The cut
 * after a code without rows scores as the one before it, and so is never above the best.
 */
export function scoreHistogram(feature: i32, histogram: usize, first: i32): bool {
  if (at<i64>(histogram, first) === Node.counts) {
    put<i64>(histogram, first, 0);
    return false;
  }
  const codeCount = at<i32>(Matrix.codeCounts, feature);
  const end = histogram + usize(codeCount) * sizeof<i64>();
  const missing = at<i64>(histogram, 0);
  put<i64>(histogram, 0, 0);
  startCuts();
  scorePairs(histogram, end, missing);
  if (cut >= 0) {
    const below = at<i64>(histogram, cut);
    leftCounts = missingRight === 0 ? below + missing : below;
    let next = histogram + usize(cut + 1) * sizeof<i64>();
    while (next < end && load<i64>(next) === below) next += sizeof<i64>();
    takeCut(feature, next >= end ? -1 : i32((next - histogram) >> 3), missing);
  }
  clearSums(histogram, codeCount);
  return true;
}

/** Sets the sums of a feature back to 0: they lie in pairs. */
export function clearSums(histogram: usize, codeCount: i32): void {
  const end = histogram + usize(codeCount) * sizeof<i64>();
  for (let pair = histogram; pair < end; pair += PAIR_BYTES) v128.store(pair, i64x2.splat(0));
}

/** Scores cuts two by two, and leaves in each place the class counts up to it. */
function scorePairs(histogram: usize, end: usize, missing: i64): void {
  const weight = f64x2.splat(f64(Node.weight));
  const second = f64x2.splat(f64(secondOf(Node.counts)));
  const least = f64x2.splat(f64(Settings.minLeafRows));
  let sum: i64 = 0;
  let places = i64x2(0, PLACES);
  let best = f64x2.splat(score);
  let bestPlaces = i64x2.splat(-1);
  for (let pair = histogram; pair < end; pair += PAIR_BYTES) {
    const first = sum + load<i64>(pair);
    sum = first + load<i64>(pair, sizeof<i64>());
    const left = i64x2.replace_lane(i64x2.splat(first), 1, sum);
    v128.store(pair, left);
    const scores = scoresOf(left, weight, second, least);
    const isBest = f64x2.gt(scores, best);
    best = v128.bitselect(scores, best, isBest);
    bestPlaces = v128.bitselect(places, bestPlaces, isBest);
    if (missing !== 0) {
      // Without any other row on the left, it is the cut between rows with a value and rows without.
      const isEmpty = i64x2.eq(left, i64x2.splat(0));
      const others = v128.andnot(scoresOf(i64x2.add(left, i64x2.splat(missing)), weight, second, least), isEmpty);
      const isBetter = f64x2.gt(others, best);
      best = v128.bitselect(others, best, isBetter);
      bestPlaces = v128.bitselect(i64x2.add(places, i64x2.splat(1)), bestPlaces, isBetter);
    }
    places = i64x2.add(places, i64x2.splat(2 * PLACES));
  }
  takeBetter(best, bestPlaces);
}

/** The scores of two cuts by the counts on their left, 0 where a side has too few rows. */
function scoresOf(left: v128, weight: v128, second: v128, least: v128): v128 {
  const leftWeight = doublesOf(v128.and(left, i64x2.splat(0xffff_ffff)));
  const leftSecond = doublesOf(i64x2.shr_u(left, 32));
  const rightWeight = f64x2.sub(weight, leftWeight);
  // Products of counts below 2^25, which doubles hold exactly.
  const change = f64x2.sub(f64x2.mul(leftSecond, weight), f64x2.mul(second, leftWeight));
  const scores = f64x2.div(f64x2.mul(change, change), f64x2.mul(leftWeight, rightWeight));
  return v128.and(scores, f64x2.ge(f64x2.pmin(leftWeight, rightWeight), least));
}

/** Whole numbers below 2^32 as doubles: with the exponent of 2^52, their bits are its last digits. */
function doublesOf(numbers: v128): v128 {
  return f64x2.sub(v128.or(numbers, f64x2.splat(TWO_TO_52)), f64x2.splat(TWO_TO_52));
}

/** Takes the better of the best cuts in both lanes, and of equal ones the first; -1 stands for none. */
function takeBetter(scores: v128, places: v128): void {
  const score0 = f64x2.extract_lane(scores, 0);
  const score1 = f64x2.extract_lane(scores, 1);
  const place0 = i32(i64x2.extract_lane(places, 0));
  const place1 = i32(i64x2.extract_lane(places, 1));
  const isSecond = score1 > score0 || (score1 === score0 && place1 < place0);
  const place = isSecond ? place1 : place0;
  if (place < 0) return;
  score = isSecond ? score1 : score0;
  cut = place >> 1;
  missingRight = 1 - (place & 1);
}

/**
 * Scores the cuts between the occupied codes of the first histogram, and
 * clears it. False if all rows have the code `first`.
 */
function scoreOccupied(feature: i32, first: i32): bool {
  const histogram = histogramOf(0);
  const missing = at<i64>(histogram, 0);
  const isConstant = at<i64>(histogram, first) === Node.counts;
  startCuts();
  let left: i64 = 0;
  let last = -1;
  let next = -1;
  const wordCount = occupiedWordCount(at<i32>(Matrix.codeCounts, feature));
  for (let word = 0; word < wordCount; word++) {
    for (let bits = takeOccupied(occupied, word); bits !== 0; bits &= bits - 1) {
      const code = lowestCode(word, bits);
      const counts = at<i64>(histogram, code);
      put<i64>(histogram, code, 0);
      if (code === 0 || isConstant) continue;
      if (cut === last) next = code;
      last = code;
      left += counts;
      scoreCut(code, left, 1);
      if (missing > 0) scoreCut(code, left + missing, 0);
    }
  }
  if (cut >= 0) takeCut(feature, cut === last ? -1 : next, missing);
  return !isConstant;
}
