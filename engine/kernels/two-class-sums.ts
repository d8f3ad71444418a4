// Sums of the counts of a node's rows by code, for one feature or several at
// a time: trees spend most of their growth here.
import { addressOfItem, countsOf, rowOf } from "./item.ts";
import { codesOf, Matrix } from "./matrix.ts";
import { allocateArray, at } from "./memory.ts";
import { allocateOccupied, markOccupied } from "./occupied.ts";

/** Features whose histograms are made in one pass over the rows, at most. */
export const BATCH: i32 = 4;

/** i64 class counts by code, one histogram for each feature of a batch; all 0 between searches. */
let histograms: usize = 0;
/** The codes that the rows of a node hold, where they are few. */
export let occupied: usize = 0;

export function prepareSums(): void {
  histograms = allocateArray<i64>(BATCH * histogramCodes());
  occupied = allocateOccupied(Matrix.mostCodes);
}

/** An even number, since cuts are scored in pairs. */
function histogramCodes(): i32 {
  return (Matrix.mostCodes + 1) & ~1;
}

/** The sums of one feature of a batch. */
export function histogramOf(place: i32): usize {
  return histograms + usize(place) * usize(histogramCodes()) * sizeof<i64>();
}

/** The exclusive upper bound of the codes of some features. */
export function mostCodesOf(features: usize, count: i32): i32 {
  let most = 0;
  for (let place = 0; place < count; place++) {
    most = max(most, at<i32>(Matrix.codeCounts, at<i32>(features, place)));
  }
  return most;
}

/** True if there are so few rows that a pass over them is cheaper than one over the codes. */
export function hasFewRows(codeCount: i32, from: i32, to: i32): bool {
  return (to - from) * 2 < codeCount;
}

function addCounts<Code>(histogram: usize, codes: usize, row: usize, counts: i64): void {
  const cell = histogram + usize(load<Code>(codes + row * sizeof<Code>())) * sizeof<i64>();
  store<i64>(cell, load<i64>(cell) + counts);
}

/** Sums of the rows' counts by code, in the first histogram; the caller sets them back to 0. */
export function sumCounts<Code>(feature: i32, items: usize, from: i32, to: i32): void {
  const codes = codesOf<Code>(feature);
  const end = addressOfItem(items, to);
  for (let place = addressOfItem(items, from); place < end; place += sizeof<u64>()) {
    const item = load<u64>(place);
    addCounts<Code>(histograms, codes, rowOf(item), countsOf(item));
  }
}

/**
 * Sums for two or four features, each in its histogram. Written out for both: one feature
 * after the other makes the growth of trees a tenth slower.
 */
export function sumBatch<Code>(features: usize, count: i32, items: usize, from: i32, to: i32): void {
  if (count === BATCH) sumFourCounts<Code>(features, items, from, to);
  else sumTwoCounts<Code>(features, items, from, to);
}

function sumTwoCounts<Code>(features: usize, items: usize, from: i32, to: i32): void {
  const codes0 = codesOf<Code>(at<i32>(features, 0));
  const codes1 = codesOf<Code>(at<i32>(features, 1));
  const histogram0 = histogramOf(0);
  const histogram1 = histogramOf(1);
  const end = addressOfItem(items, to);
  for (let place = addressOfItem(items, from); place < end; place += sizeof<u64>()) {
    const item = load<u64>(place);
    const row = rowOf(item);
    const counts = countsOf(item);
    addCounts<Code>(histogram0, codes0, row, counts);
    addCounts<Code>(histogram1, codes1, row, counts);
  }
}

function sumFourCounts<Code>(features: usize, items: usize, from: i32, to: i32): void {
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
    const counts = countsOf(item);
    addCounts<Code>(histogram0, codes0, row, counts);
    addCounts<Code>(histogram1, codes1, row, counts);
    addCounts<Code>(histogram2, codes2, row, counts);
    addCounts<Code>(histogram3, codes3, row, counts);
  }
}

/** Sums of the rows' counts by code for one feature, and the codes that occur. */
export function sumFewCounts<Code>(feature: i32, items: usize, from: i32, to: i32): void {
  const codes = codesOf<Code>(feature);
  const end = addressOfItem(items, to);
  for (let place = addressOfItem(items, from); place < end; place += sizeof<u64>()) {
    const item = load<u64>(place);
    const row = rowOf(item);
    addCounts<Code>(histograms, codes, row, countsOf(item));
    markOccupied(occupied, i32(load<Code>(codes + row * sizeof<Code>())));
  }
}
