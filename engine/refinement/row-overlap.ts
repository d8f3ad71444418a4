// How many rows of the blind test also stand in TRAIN, cell by cell and with the same label.
import { FIRST_START, mixFirst, mixSecond, SECOND_START } from "./fingerprint.ts";
import type { RefinementTask } from "./task.ts";
import { trainRows } from "./train-rows.ts";

/**
 * Share of TEST rows, 0 to 1, whose levels of all features and whose class a TRAIN row has as well; 0 without TEST rows.
 * A number in TEST counts as the nearest one of TRAIN, and columns that make no feature are not looked at, so the share is
 * an upper bound, and high in tables of few distinct rows. O(rows × features).
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
function fingerprintRows({ table: { levels, classes, rowCount } }: RefinementTask): Float64Array {
  const first = new Int32Array(rowCount).fill(FIRST_START);
  const second = new Int32Array(rowCount).fill(SECOND_START);
  for (const column of [...levels, classes]) {
    for (let row = 0; row < rowCount; row++) {
      first[row] = mixFirst(first[row]!, column[row]!);
      second[row] = mixSecond(second[row]!, column[row]!);
    }
  }
  return Float64Array.from(first, (own, row) => (own >>> 0) * 2 ** 21 + (second[row]! >>> 11));
}
