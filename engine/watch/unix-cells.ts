// Columns of numbers that may be Unix times and are not read as dates, by the counts of the training rows: like dates,
// new rows have later ones.

import type { ReferenceColumn } from "../model/reference-counts.ts";
import { FIRST_CODE } from "../table/buckets.ts";
import { unixUnit } from "../unix-times.ts";

/** With fewer ranges the column has too few values to be a time. */
const LEAST_RANGES = 5;
/** Seconds between the first and the last: amounts such as bytes and hertz are seldom this near to each other. */
const MOST_SECONDS = 10 * 365.25 * 86_400;

/** Parts of a second that the column counts; null where it is no time. */
export function unixUnitOf(column: ReferenceColumn): number | null {
  if (column.kind !== "number" || column.range === null || column.counts.length < LEAST_RANGES) return null;
  const { low, high } = column.range;
  const unit = unixUnit([low, high]);
  return unit === null || high - low > MOST_SECONDS * unit ? null : unit;
}

/**
 * The code of numbers too high for such a time, as where a file counts milliseconds and the training seconds: behind
 * that of later times, which all numbers above the range have.
 */
export function beyondTimes({ counts }: ReferenceColumn): number {
  return FIRST_CODE + counts.length + 2;
}
