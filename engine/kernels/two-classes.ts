// The best cut of one feature at one node for two classes, or of several.
import { addressOfItem, countsOf, rowOf } from "./item.ts";
import { codesOf, Matrix } from "./matrix.ts";
import { at } from "./memory.ts";
import { WORD_CODES } from "./occupied.ts";
import { scoreHistogram, scoreOccupied, scoreOnlyCut } from "./two-class-cuts.ts";
import {
  BATCH,
  hasFewRows,
  histogramOf,
  mostCodesOf,
  occupiedOf,
  sumBatch,
  sumCounts,
  sumFewCounts,
  sumFourFewCounts,
} from "./two-class-sums.ts";

/** The best cut of the feature among the rows `[from, to)`, if it beats what was found. False where the feature is constant. */
export function searchTwoClassCut<Code>(feature: i32, items: usize, from: i32, to: i32): bool {
  if (to - from === 2) return cutPair<Code>(feature, items, from);
  const first = codeAt<Code>(feature, items, from);
  if (hasFewRows(at<i32>(Matrix.codeCounts, feature), from, to)) {
    sumFewCounts<Code>(feature, items, from, to);
    return scoreOccupied(feature, histogramOf(0), occupiedOf(0), first);
  }
  sumCounts<Code>(feature, items, from, to);
  return scoreHistogram(feature, histogramOf(0), first);
}

/** The same for two to four features in their order; returns how many are not constant. */
export function searchTwoClassCuts<Code>(features: usize, count: i32, items: usize, from: i32, to: i32): i32 {
  const most = mostCodesOf(features, count);
  const hasFew = hasFewRows(most, from, to);
  let varied = 0;
  if (hasFew && (most > WORD_CODES || count < BATCH)) {
    for (let place = 0; place < count; place++) {
      varied += i32(searchTwoClassCut<Code>(at<i32>(features, place), items, from, to));
    }
    return varied;
  }
  if (hasFew) sumFourFewCounts<Code>(features, items, from, to);
  else sumBatch<Code>(features, count, items, from, to);
  for (let place = 0; place < count; place++) {
    const feature = at<i32>(features, place);
    const first = codeAt<Code>(feature, items, from);
    const histogram = histogramOf(place);
    if (hasFew) varied += i32(scoreOccupied(feature, histogram, occupiedOf(place), first));
    else varied += i32(scoreHistogram(feature, histogram, first));
  }
  return varied;
}

/** The same for two rows, one of each class: the only cut there is. */
function cutPair<Code>(feature: i32, items: usize, from: i32): bool {
  const code0 = codeAt<Code>(feature, items, from);
  const code1 = codeAt<Code>(feature, items, from + 1);
  if (code0 === code1) return false;
  // A row without a value goes right.
  const isFirstLeft = code1 === 0 || (code0 !== 0 && code0 < code1);
  const left = countsOf(load<u64>(addressOfItem(items, from + i32(!isFirstLeft))));
  scoreOnlyCut(feature, min(code0, code1), max(code0, code1), left);
  return true;
}

function codeAt<Code>(feature: i32, items: usize, index: i32): i32 {
  return i32(load<Code>(codesOf<Code>(feature) + rowOf(load<u64>(addressOfItem(items, index))) * sizeof<Code>()));
}
