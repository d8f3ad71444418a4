// Which years, months, days, weekdays and hours a date column holds.
import type { DatePart } from "../table.ts";
import { DATE_PARTS, datePart } from "./dates.ts";

/** 1 at every value of a part that was seen. */
export type DateValues = Record<DatePart, Uint8Array>;

export function createDateValues(): DateValues {
  return {
    year: new Uint8Array(10_000),
    month: new Uint8Array(13),
    day: new Uint8Array(32),
    weekday: new Uint8Array(7),
    hour: new Uint8Array(24),
  };
}

/** `date` is packed as `packDate` gives it. */
export function noteDateValues(values: DateValues, date: number): void {
  for (const part of DATE_PARTS) {
    const value = datePart(date, part);
    if (!Number.isNaN(value)) values[part][value] = 1;
  }
}

/** The values of one part, ascending. */
export function partValues(values: DateValues, part: DatePart): Float64Array {
  const found: number[] = [];
  values[part].forEach((seen, value) => {
    if (seen === 1) found.push(value);
  });
  return Float64Array.from(found);
}
