// Hints at numbers and dates that may stand for missing cells, such as 999 or 9999-12-31, far outside of the others.
// They are read as numbers and dates all the same.
import { quotedName } from "../csv/header.ts";
import type { Warning } from "../warning.ts";
import { datePart, packDate, YEAR_FIRST } from "./dates.ts";
import { cellCount, listedTexts, missingInAdvice } from "./missing-advice.ts";
import { countCells, type OtherText } from "./other-texts.ts";

const NINES = /^9+(?:\.9+)?$/;
/** Surveys write -9; 9 alone is an ordinary number. */
const LEAST_NINES = { below: 1, above: 2 };
const LEAST_CELLS = 3;
/** Last and first days of their years, so that another date in another year is a year apart or more. */
const OPEN_ENDS = ["9999-12-31", "2999-12-31", "2099-12-31"].map(isoDay);
const OPEN_BEGINNINGS = ["0001-01-01", "1900-01-01", "1970-01-01"].map(isoDay);
/** A lone -1 lies near the others, so it must be frequent, and the others be many. */
const MINUS_ONE_SHARE = 0.01;
const MINUS_ONE_SPREAD = 10;

/** The numbers of a column: `values[i]`, where it is not NaN, stands for `weights[i]` cells. */
export interface ColumnNumbers {
  values: Float64Array;
  weights: Float64Array;
  /** The text of a number as in the file, and its first line; null where it is not listed. */
  writtenAs: (value: number) => { text: string; line: number } | null;
  /** The weights are close estimates. */
  isEstimate: boolean;
  /** Texts that count as missing in this column already. */
  missingTexts: readonly string[];
}

/**
 * Returns SENTINEL_NUMBER for the lowest and the highest number where they look like codes. `listed`: the numbers that
 * `writtenAs` finds. For most columns they already show that there is no code, so that `all` is not called. O(values)
 */
export function sentinelWarnings(column: string, listed: Float64Array, all: () => ColumnNumbers): Warning[] {
  if (codesAmong(extremes(listed)).length === 0) return [];
  const numbers = all();
  const ends = extremes(numbers.values);
  const codes = codesAmong(ends);
  if (codes.length === 0 || ends.low === ends.high) return [];
  const others = extremes(numbers.values.filter((value) => !codes.includes(value)));
  return codes
    .filter((code) => isFarOutside(code, others, numbers))
    .flatMap((code) => hint(column, code, others, numbers));
}

/** The dates of a column. */
export interface ColumnDates {
  /** Those of all cells, ascending. */
  years: Float64Array;
  /** The listed texts that are dates, as `packDate` has them. */
  listed: () => (OtherText & { date: number })[];
  /** Texts that count as missing in this column already. */
  missingTexts: readonly string[];
}

/** Returns SENTINEL_DATE for the lowest and the highest date where they look like "unknown" and "open". O(texts) */
export function sentinelDateWarnings(column: string, { years, listed, missingTexts }: ColumnDates): Warning[] {
  const days = [
    ...OPEN_BEGINNINGS.filter((day) => yearOf(day) === years[0]),
    ...OPEN_ENDS.filter((day) => yearOf(day) === years.at(-1)),
  ];
  if (days.length === 0 || years.length === 1) return [];
  const dates = listed();
  return days.flatMap((day) => {
    const ofYear = dates.filter(({ date }) => yearOf(date) === yearOf(day));
    const count = countCells(ofYear);
    if (count < LEAST_CELLS || ofYear.some(({ date }) => dayOf(date) !== dayOf(day))) return [];
    const others = years.filter((year) => year !== yearOf(day));
    const line = ofYear.reduce((first, each) => Math.min(first, each.line), Number.POSITIVE_INFINITY);
    const [one, are] = ofYear.length === 1 ? ["It", "is read as a date"] : ["They", "are read as dates"];
    const span = others.length === 1 ? String(others[0]) : `${others[0]} to ${others.at(-1)}`;
    const message =
      `Column ${quotedName(column)} holds ${listedTexts(ofYear)}, the first in line ${line}; ` +
      `all its other dates are of ${span}. ${one} ${are}. ` +
      missingInAdvice(
        column,
        ofYear.map(({ text }) => text),
        missingTexts,
      );
    return [{ code: "SENTINEL_DATE", message, line, column, count }];
  });
}

function isoDay(text: string): number {
  return packDate(text, YEAR_FIRST);
}

function yearOf(date: number): number {
  return datePart(date, "year");
}

/** Leaves the hour out. */
function dayOf(date: number): string {
  return `${datePart(date, "month")}-${datePart(date, "day")}`;
}

interface Extremes {
  low: number;
  high: number;
}

function extremes(values: Float64Array): Extremes {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < values.length; at++) {
    if (values[at]! < low) low = values[at]!;
    if (values[at]! > high) high = values[at]!;
  }
  return { low, high };
}

function codesAmong({ low, high }: Extremes): number[] {
  return [low, high].filter((value) => value === -1 || isNines(value));
}

function isNines(value: number): boolean {
  const digits = String(Math.abs(value));
  return NINES.test(digits) && digits.replace(".", "").length >= (value < 0 ? LEAST_NINES.below : LEAST_NINES.above);
}

/** Further from the nearest of the others than these are apart. */
function isFarOutside(code: number, { low, high }: Extremes, numbers: ColumnNumbers): boolean {
  if (!(low < high)) return false;
  const count = cellsOf(code, numbers);
  if (count < LEAST_CELLS) return false;
  if (code === -1 && low >= 0 && high - low >= MINUS_ONE_SPREAD) {
    const total = numbers.weights.reduce(
      (sum, weight, at) => (Number.isNaN(numbers.values[at]!) ? sum : sum + weight),
      0,
    );
    return count >= MINUS_ONE_SHARE * total;
  }
  return code !== -1 && Math.max(low - code, code - high) > high - low;
}

function cellsOf(code: number, { values, weights }: ColumnNumbers): number {
  let count = 0;
  for (let at = 0; at < values.length; at++) if (values[at] === code) count += weights[at]!;
  return count;
}

function hint(column: string, code: number, { low, high }: Extremes, numbers: ColumnNumbers): Warning[] {
  const count = cellsOf(code, numbers);
  const written = numbers.writtenAs(code);
  if (written === null) return [];
  const { text, line } = written;
  const about = numbers.isEstimate ? "about " : "";
  const message =
    `Column ${quotedName(column)} holds ${text} in ${about}${cellCount(count)}, the first in line ${line}; ` +
    `all its other numbers are from ${low} to ${high}. It is read as a number. ` +
    missingInAdvice(column, [text], numbers.missingTexts);
  return [{ code: "SENTINEL_NUMBER", message, line, column, count }];
}
