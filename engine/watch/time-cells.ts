// Times of day in a date column, counted behind its dates in ranges of three hours: a model has no counts of them, but
// knows whether it learned from the hour.

import { datePart } from "../columns/dates.ts";
import { sumOf } from "../sums.ts";
import { FIRST_CODE } from "../table/buckets.ts";

/** Dates take three codes: before the range, in it and after it. */
export const NO_TIME = FIRST_CODE + 3;
const HOURS = 3;
const RANGES = 24 / HOURS;

/** Hours of one range, the last included; null for none. */
export interface OneTime {
  hours: { from: number; to: number } | null;
}

/** The code of a packed date's time. */
export function timeCode(date: number): number {
  const hour = datePart(date, "hour");
  return Number.isNaN(hour) ? NO_TIME : NO_TIME + 1 + Math.floor(hour / HOURS);
}

/**
 * Tells if all dates of a file have one time of day, or none, though the model learned from several. Null where they
 * differ, or were counted by an earlier version. `hourCount`: how many hours the model tells apart.
 */
export function oneTime(codes: readonly number[], hourCount: number): OneTime | null {
  const [without, ...ranges] = codes.slice(NO_TIME, NO_TIME + 1 + RANGES) as [number, ...number[]];
  const dated = sumOf(codes.slice(FIRST_CODE, NO_TIME));
  if (dated === 0) return null;
  if (without === dated && hourCount > 0) return { hours: null };
  const range = ranges.indexOf(dated);
  if (range < 0 || hourCount <= HOURS) return null;
  return { hours: { from: range * HOURS, to: (range + 1) * HOURS - 1 } };
}
