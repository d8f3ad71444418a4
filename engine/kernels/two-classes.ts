// The best cut of one feature at one node for two classes, or of several.
import { addressOfItem, rowOf } from "./item.ts";
import { codesOf, Matrix } from "./matrix.ts";
import { at } from "./memory.ts";
import { scoreHistogram, scoreOccupied } from "./two-class-cuts.ts";
import { hasFewRows, histogramOf, mostCodesOf, sumBatch, sumCounts, sumFewCounts } from "./two-class-sums.ts";

/** Keeps the best cut of the feature among the rows `[from, to)` if it beats the best so far. False if the feature is constant. */
export function searchTwoClassCut<Code>(feature: i32, items: usize, from: i32, to: i32): bool {
  const first = codeAt<Code>(feature, items, from);
  if (hasFewRows(at<i32>(Matrix.codeCounts, feature), from, to)) {
    sumFewCounts<Code>(feature, items, from, to);
    return scoreOccupied(feature, first);
  }
  sumCounts<Code>(feature, items, from, to);
  return scoreHistogram(feature, histogramOf(0), first);
}

/** Searches two or four features in their order; returns how many are not constant. */
export function searchTwoClassCuts<Code>(features: usize, count: i32, items: usize, from: i32, to: i32): i32 {
  const hasFew = hasFewRows(mostCodesOf(features, count), from, to);
  if (!hasFew) sumBatch<Code>(features, count, items, from, to);
  let varied = 0;
  for (let place = 0; place < count; place++) {
    const feature = at<i32>(features, place);
    if (hasFew) varied += i32(searchTwoClassCut<Code>(feature, items, from, to));
    else varied += i32(scoreHistogram(feature, histogramOf(place), codeAt<Code>(feature, items, from)));
  }
  return varied;
}

function codeAt<Code>(feature: i32, items: usize, index: i32): i32 {
  return i32(load<Code>(codesOf<Code>(feature) + rowOf(load<u64>(addressOfItem(items, index))) * sizeof<Code>()));
}
