// Counts rows of the blind test that also stand in TRAIN, cell by cell and with the same label.
import { FIRST_START, mixFirst, mixSecond, SECOND_START } from "./fingerprint.ts";
import { type RefinementTask, trainRows } from "./task.ts";

/**
 * Share of TEST rows, 0 to 1, whose levels of all features and whose class a TRAIN row has as well; 0
 * without TEST rows. A number in TEST counts as the nearest one of TRAIN, texts are compared by their
 * terms, and columns that make no feature are not looked at, so the share is an upper bound, and high
 * in tables of few distinct rows. O(rows × features + entries).
 */
export function rowOverlap(task: RefinementTask): number {
  const { test } = task;
  if (test.length === 0) return 0;
  const fingerprints = fingerprintRows(task);
  const known = new Set<number>();
  for (const row of trainRows(task)) known.add(fingerprints[row]!);
  return test.filter((row) => known.has(fingerprints[row]!)).length / test.length;
}

/** 53 bits for each row, as many as a number holds. Column by column, as the levels lie in memory. */
function fingerprintRows({ table: { levels, classes, rowCount, texts = [] } }: RefinementTask): Float64Array {
  const first = new Int32Array(rowCount).fill(FIRST_START);
  const second = new Int32Array(rowCount).fill(SECOND_START);
  for (const column of [...levels, classes]) {
    for (let row = 0; row < rowCount; row++) {
      first[row] = mixFirst(first[row]!, column[row]!);
      second[row] = mixSecond(second[row]!, column[row]!);
    }
  }
  for (const { starts, terms, counts } of texts) {
    for (let row = 0; row < rowCount; row++) {
      const length = starts[row + 1]! - starts[row]!;
      first[row] = mixFirst(first[row]!, length);
      second[row] = mixSecond(second[row]!, length);
      for (let at = starts[row]!; at < starts[row + 1]!; at++) {
        first[row] = mixFirst(mixFirst(first[row]!, terms[at]!), counts[at]!);
        second[row] = mixSecond(mixSecond(second[row]!, terms[at]!), counts[at]!);
      }
    }
  }
  return Float64Array.from(first, (hash, row) => (hash >>> 0) * 2 ** 21 + (second[row]! >>> 11));
}
