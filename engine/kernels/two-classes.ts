// The best cut of one feature at one node for two classes: the kernel in which fully grown trees spend their time.
import { addressOfItem, markOf, rowOf } from "./item.ts";
import { codesOf, Matrix } from "./matrix.ts";
import { allocateArray, at, put } from "./memory.ts";
import { allocateOccupied, bitOf, markOccupied, occupiedWordCount, WORD_CODES } from "./occupied.ts";
import { scoreHistogram, scoreOccupied, scoreOnlyCut } from "./two-class-cuts.ts";

/** Features whose histograms are made in one pass over the rows. */
export const BATCH: i32 = 4;

/** i64 sums of marks by code, one histogram for each feature of a batch; all 0 between searches. */
let histograms: usize = 0;
/** The codes that nodes of few rows hold, for each feature of a batch. */
let occupied: usize = 0;

export function prepareTwoClasses(): void {
  histograms = allocateArray<i64>(BATCH * histogramCodes());
  occupied = allocateOccupied(BATCH);
}

/** An even number, since cuts are scored in pairs. */
function histogramCodes(): i32 {
  return (Matrix.mostCodes + 1) & ~1;
}

/** The sums of one feature of a batch. */
export function histogramOf(place: i32): usize {
  return histograms + usize(place) * usize(histogramCodes()) * sizeof<i64>();
}

function occupiedOf(place: i32): usize {
  return occupied + usize(place * occupiedWordCount(Matrix.mostCodes)) * sizeof<u64>();
}

/** The best cut of the feature among the rows `[from, to)`, if it beats what was found. False where the feature is constant. */
export function searchTwoClassCut<Code>(feature: i32, items: usize, from: i32, to: i32): bool {
  if (to - from === 2) return cutPair<Code>(feature, items, from);
  const first = codeAt<Code>(feature, items, from);
  if (hasFewRows(at<i32>(Matrix.codeCounts, feature), from, to)) {
    sumFewMarks<Code>(feature, items, from, to);
    return scoreOccupied(feature, histogramOf(0), occupiedOf(0), first);
  }
  sumMarks<Code>(feature, items, from, to);
  return scoreHistogram(feature, histogramOf(0), first);
}

/** The same for four features in their order; returns how many are not constant. */
export function searchTwoClassCuts<Code>(f0: i32, f1: i32, f2: i32, f3: i32, items: usize, from: i32, to: i32): i32 {
  const most = mostCodesOf(f0, f1, f2, f3);
  const hasFew = hasFewRows(most, from, to);
  if (hasFew && most > WORD_CODES) {
    return (
      i32(searchTwoClassCut<Code>(f0, items, from, to)) +
      i32(searchTwoClassCut<Code>(f1, items, from, to)) +
      i32(searchTwoClassCut<Code>(f2, items, from, to)) +
      i32(searchTwoClassCut<Code>(f3, items, from, to))
    );
  }
  const first0 = codeAt<Code>(f0, items, from);
  const first1 = codeAt<Code>(f1, items, from);
  const first2 = codeAt<Code>(f2, items, from);
  const first3 = codeAt<Code>(f3, items, from);
  if (hasFew) {
    sumFourFewMarks<Code>(f0, f1, f2, f3, items, from, to);
    return (
      i32(scoreOccupied(f0, histogramOf(0), occupiedOf(0), first0)) +
      i32(scoreOccupied(f1, histogramOf(1), occupiedOf(1), first1)) +
      i32(scoreOccupied(f2, histogramOf(2), occupiedOf(2), first2)) +
      i32(scoreOccupied(f3, histogramOf(3), occupiedOf(3), first3))
    );
  }
  sumFourMarks<Code>(f0, f1, f2, f3, items, from, to);
  return (
    i32(scoreHistogram(f0, histogramOf(0), first0)) +
    i32(scoreHistogram(f1, histogramOf(1), first1)) +
    i32(scoreHistogram(f2, histogramOf(2), first2)) +
    i32(scoreHistogram(f3, histogramOf(3), first3))
  );
}

/** The same for two rows, one of each class: the only cut there is. */
function cutPair<Code>(feature: i32, items: usize, from: i32): bool {
  const code0 = codeAt<Code>(feature, items, from);
  const code1 = codeAt<Code>(feature, items, from + 1);
  if (code0 === code1) return false;
  // A row without a value goes right.
  const isFirstLeft = code1 === 0 || (code0 !== 0 && code0 < code1);
  const left = markOf(load<u64>(addressOfItem(items, from + i32(!isFirstLeft))));
  scoreOnlyCut(feature, min(code0, code1), max(code0, code1), left);
  return true;
}

/** The largest of the exclusive upper bounds of four features' codes. */
export function mostCodesOf(f0: i32, f1: i32, f2: i32, f3: i32): i32 {
  const counts = Matrix.codeCounts;
  return max(max(at<i32>(counts, f0), at<i32>(counts, f1)), max(at<i32>(counts, f2), at<i32>(counts, f3)));
}

/** Where rows are few, following the rows is cheaper than following the codes. */
export function hasFewRows(codeCount: i32, from: i32, to: i32): bool {
  return (to - from) * 2 < codeCount;
}

function codeAt<Code>(feature: i32, items: usize, index: i32): i32 {
  return i32(load<Code>(codesOf<Code>(feature) + rowOf(load<u64>(addressOfItem(items, index))) * sizeof<Code>()));
}

function addMark<Code>(histogram: usize, codes: usize, row: usize, mark: i64): void {
  const cell = histogram + usize(load<Code>(codes + row * sizeof<Code>())) * sizeof<i64>();
  store<i64>(cell, load<i64>(cell) + mark);
}

/** Adds a mark to a histogram and returns the code's bit. */
function addFewMark<Code>(histogram: usize, codes: usize, row: usize, mark: i64): u64 {
  const code = i32(load<Code>(codes + row * sizeof<Code>()));
  put<i64>(histogram, code, at<i64>(histogram, code) + mark);
  return bitOf(code);
}

/** Sums of the rows' marks by code; whoever asked sets them back to 0. */
export function sumMarks<Code>(feature: i32, items: usize, from: i32, to: i32): usize {
  const codes = codesOf<Code>(feature);
  const end = addressOfItem(items, to);
  for (let place = addressOfItem(items, from); place < end; place += sizeof<u64>()) {
    const item = load<u64>(place);
    addMark<Code>(histograms, codes, rowOf(item), markOf(item));
  }
  return histograms;
}

/** The same for four features, each in its histogram. */
export function sumFourMarks<Code>(f0: i32, f1: i32, f2: i32, f3: i32, items: usize, from: i32, to: i32): void {
  const codes0 = codesOf<Code>(f0);
  const codes1 = codesOf<Code>(f1);
  const codes2 = codesOf<Code>(f2);
  const codes3 = codesOf<Code>(f3);
  const histogram0 = histogramOf(0);
  const histogram1 = histogramOf(1);
  const histogram2 = histogramOf(2);
  const histogram3 = histogramOf(3);
  const end = addressOfItem(items, to);
  for (let place = addressOfItem(items, from); place < end; place += sizeof<u64>()) {
    const item = load<u64>(place);
    const row = rowOf(item);
    const mark = markOf(item);
    addMark<Code>(histogram0, codes0, row, mark);
    addMark<Code>(histogram1, codes1, row, mark);
    addMark<Code>(histogram2, codes2, row, mark);
    addMark<Code>(histogram3, codes3, row, mark);
  }
}

function sumFewMarks<Code>(feature: i32, items: usize, from: i32, to: i32): void {
  const codes = codesOf<Code>(feature);
  const end = addressOfItem(items, to);
  for (let place = addressOfItem(items, from); place < end; place += sizeof<u64>()) {
    const item = load<u64>(place);
    const row = rowOf(item);
    addMark<Code>(histograms, codes, row, markOf(item));
    markOccupied(occupied, i32(load<Code>(codes + row * sizeof<Code>())));
  }
}

/** For features whose bits fit a word, which stays out of memory until the end. */
function sumFourFewMarks<Code>(f0: i32, f1: i32, f2: i32, f3: i32, items: usize, from: i32, to: i32): void {
  const codes0 = codesOf<Code>(f0);
  const codes1 = codesOf<Code>(f1);
  const codes2 = codesOf<Code>(f2);
  const codes3 = codesOf<Code>(f3);
  const histogram0 = histogramOf(0);
  const histogram1 = histogramOf(1);
  const histogram2 = histogramOf(2);
  const histogram3 = histogramOf(3);
  let bits0: u64 = 0;
  let bits1: u64 = 0;
  let bits2: u64 = 0;
  let bits3: u64 = 0;
  const end = addressOfItem(items, to);
  for (let place = addressOfItem(items, from); place < end; place += sizeof<u64>()) {
    const item = load<u64>(place);
    const row = rowOf(item);
    const mark = markOf(item);
    bits0 |= addFewMark<Code>(histogram0, codes0, row, mark);
    bits1 |= addFewMark<Code>(histogram1, codes1, row, mark);
    bits2 |= addFewMark<Code>(histogram2, codes2, row, mark);
    bits3 |= addFewMark<Code>(histogram3, codes3, row, mark);
  }
  store<u64>(occupiedOf(0), bits0);
  store<u64>(occupiedOf(1), bits1);
  store<u64>(occupiedOf(2), bits2);
  store<u64>(occupiedOf(3), bits3);
}
