// Dates among the plain numbers of a column that the kernel reads: 20240131, and times since 1970.
import type { CellEvidence } from "../columns/cell-evidence.ts";
import { createDateValues, type DateOrder, noteDateValues, packDate, UNIX, YEAR_FIRST } from "../columns/dates.ts";
import type { NumberSample } from "./number-sample.ts";
import { hasPoint } from "./number-shape.ts";

/** The first of January 1900. */
const FIRST_DAY = 19_000_101;

/** False for a number too small to be one of these dates, as most are. */
export function mayBeDate(value: number): boolean {
  return value >= FIRST_DAY;
}

/**
 * Gives the orders in which all numbers that the dictionary does not list are dates, by their sample, and notes the
 * parts of these: one that only a few rows have may be overlooked.
 */
export function noteNumberDates(
  { dates }: CellEvidence,
  { count, lowest }: { count: number; lowest: number },
  shapes: Iterable<number>,
  sample: NumberSample,
): DateOrder[] {
  if (count === 0 || !mayBeDate(lowest)) return [];
  const texts = Array.from(sample.values.subarray(0, sample.size), String);
  // `20240131140500.0` is no date.
  const forms = [...shapes].some(hasPoint) ? [UNIX] : [YEAR_FIRST, UNIX];
  return forms.flatMap((form) => {
    const found = texts.map((text) => packDate(text, form));
    if (found.some((date) => date < 0)) return [];
    const tally = dates[form.order];
    tally.values ??= createDateValues();
    for (const date of found) noteDateValues(tally.values, date);
    return [form.order];
  });
}
