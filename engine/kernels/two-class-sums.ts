// Sums of the marks of a node's rows by code, for one feature or several at a time: the loops in which trees spend most of their growth.
import { addressOfItem, markOf, rowOf } from "./item.ts";
import { codesOf, Matrix } from "./matrix.ts";
import { allocateArray, at, put } from "./memory.ts";
import { allocateOccupied, bitOf, markOccupied, occupiedWordCount } from "./occupied.ts";

/** Features whose histograms are made in one pass over the rows, at most. */
export const BATCH: i32 = 4;

/** i64 sums of marks by code, one histogram for each feature of a batch; all 0 between searches. */
let histograms: usize = 0;
/** The codes that nodes of few rows hold, for each feature of a batch. */
let occupied: usize = 0;

export function prepareSums(): void {
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

export function occupiedOf(place: i32): usize {
  return occupied + usize(place * occupiedWordCount(Matrix.mostCodes)) * sizeof<u64>();
}

/** The exclusive upper bound of the codes of some features. */
export function mostCodesOf(features: usize, count: i32): i32 {
  let most = 0;
  for (let place = 0; place < count; place++) {
    most = max(most, at<i32>(Matrix.codeCounts, at<i32>(features, place)));
  }
  return most;
}

/** Where rows are few, following the rows is cheaper than following the codes. */
export function hasFewRows(codeCount: i32, from: i32, to: i32): bool {
  return (to - from) * 2 < codeCount;
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

/** Sums of the rows' marks by code, in the first histogram; whoever asked sets them back to 0. */
export function sumMarks<Code>(feature: i32, items: usize, from: i32, to: i32): void {
  const codes = codesOf<Code>(feature);
  const end = addressOfItem(items, to);
  for (let place = addressOfItem(items, from); place < end; place += sizeof<u64>()) {
    const item = load<u64>(place);
    addMark<Code>(histograms, codes, rowOf(item), markOf(item));
  }
}

/**
 * The same for two to four features, each in its histogram. Written out for each number of them: one feature after the other takes a
 * tenth longer, trees included.
 */
export function sumBatch<Code>(features: usize, count: i32, items: usize, from: i32, to: i32): void {
  if (count === BATCH) sumFourMarks<Code>(features, items, from, to);
  else if (count > 2) sumThreeMarks<Code>(features, items, from, to);
  else sumTwoMarks<Code>(features, items, from, to);
}

function sumTwoMarks<Code>(features: usize, items: usize, from: i32, to: i32): void {
  const codes0 = codesOf<Code>(at<i32>(features, 0));
  const codes1 = codesOf<Code>(at<i32>(features, 1));
  const histogram0 = histogramOf(0);
  const histogram1 = histogramOf(1);
  const end = addressOfItem(items, to);
  for (let place = addressOfItem(items, from); place < end; place += sizeof<u64>()) {
    const item = load<u64>(place);
    const row = rowOf(item);
    const mark = markOf(item);
    addMark<Code>(histogram0, codes0, row, mark);
    addMark<Code>(histogram1, codes1, row, mark);
  }
}

function sumThreeMarks<Code>(features: usize, items: usize, from: i32, to: i32): void {
  const codes0 = codesOf<Code>(at<i32>(features, 0));
  const codes1 = codesOf<Code>(at<i32>(features, 1));
  const codes2 = codesOf<Code>(at<i32>(features, 2));
  const histogram0 = histogramOf(0);
  const histogram1 = histogramOf(1);
  const histogram2 = histogramOf(2);
  const end = addressOfItem(items, to);
  for (let place = addressOfItem(items, from); place < end; place += sizeof<u64>()) {
    const item = load<u64>(place);
    const row = rowOf(item);
    const mark = markOf(item);
    addMark<Code>(histogram0, codes0, row, mark);
    addMark<Code>(histogram1, codes1, row, mark);
    addMark<Code>(histogram2, codes2, row, mark);
  }
}

function sumFourMarks<Code>(features: usize, items: usize, from: i32, to: i32): void {
  const codes0 = codesOf<Code>(at<i32>(features, 0));
  const codes1 = codesOf<Code>(at<i32>(features, 1));
  const codes2 = codesOf<Code>(at<i32>(features, 2));
  const codes3 = codesOf<Code>(at<i32>(features, 3));
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

/** The same for one feature, with the codes that there are. */
export function sumFewMarks<Code>(feature: i32, items: usize, from: i32, to: i32): void {
  const codes = codesOf<Code>(feature);
  const end = addressOfItem(items, to);
  for (let place = addressOfItem(items, from); place < end; place += sizeof<u64>()) {
    const item = load<u64>(place);
    const row = rowOf(item);
    addMark<Code>(histograms, codes, row, markOf(item));
    markOccupied(occupied, i32(load<Code>(codes + row * sizeof<Code>())));
  }
}

/** The same for four features whose bits fit a word, which stays out of memory until the end. */
export function sumFourFewMarks<Code>(features: usize, items: usize, from: i32, to: i32): void {
  const codes0 = codesOf<Code>(at<i32>(features, 0));
  const codes1 = codesOf<Code>(at<i32>(features, 1));
  const codes2 = codesOf<Code>(at<i32>(features, 2));
  const codes3 = codesOf<Code>(at<i32>(features, 3));
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
