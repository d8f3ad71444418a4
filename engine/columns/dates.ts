// Reads dates in ISO 8601, with a day or without, day first or month first, checks them against the calendar
// and splits them into parts. Time zones are ignored.
import type { DatePart } from "../table/table.ts";

/** The order of year, month and day; `ymd` is ISO 8601. */
export type DateOrder = "ymd" | "dmy" | "mdy";

/** How the dates of one column are written. */
export interface DateForm {
  order: DateOrder;
}

export const ISO_DATE: DateForm = { order: "ymd" };
export const DAY_FIRST: DateForm = { order: "dmy" };
export const MONTH_FIRST: DateForm = { order: "mdy" };
export const DATE_FORMS: readonly DateForm[] = [ISO_DATE, DAY_FIRST, MONTH_FIRST];

/** A bit for each order; one text can fit both with the year last. */
const DATE_BITS = { ymd: 1, dmy: 2, mdy: 4 };

export const DATE_PARTS: readonly DatePart[] = ["year", "month", "day", "weekday", "hour"];

export function isDatePart(part: string | null): part is DatePart {
  return part !== null && (DATE_PARTS as readonly string[]).includes(part);
}

/** The time after an ISO date: hour and minute; seconds, a fraction and a zone are optional. */
const ISO_TIME = /^[T ]\d{2}:[0-5]\d(?::(?:[0-5]\d|60)(?:[.,]\d+)?)?(?:Z|[+-]\d{2}(?::?[0-5]\d)?)?$/;
/** The time after a year-last date: of 24 hours, or of 12 with AM or PM. */
const CLOCK = /^ +(\d{1,2}):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?: ?([AaPp])[Mm])?$/;
/** Minutes, and seconds with a fraction or not, as both clocks have them. */
const MINUTES = /:[0-5]\d(?::[0-5]\d(?:[.,]\d+)?)?/;
/** A month without a day, which stands for its first one. Codes such as 4711-03 are none. */
const MONTH = /^(?:1[89]|20)\d\d-\d\d$/;
const MONTH_LENGTH = 7;
/** A month, a quarter or a week with its year. */
const PERIOD = /^(\d{4})(?:[-/.](0[1-9]|1[0-2])|[-/. ]?Q([1-4])|-?W(0[1-9]|[1-4]\d|5[0-3]))$/;
/** Weeks as parts of a year that never reach the next. */
const WEEKS = 54;
const HYPHEN = 45;
const POINT = 46;
const SLASH = 47;
const NO_HOUR = 24;
/** Packed dates of one day are below the next day's: its hours, then none at all. */
export const PACKED_DAY = NO_HOUR + 1;
const MONTH_DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
/**
 * Sakamoto's table: how many weekdays each month starts later than January; from March on, years of leap days count.
 */
const MONTH_SHIFTS = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4];

/**
 * Returns the date of a trimmed text, packed into one integer for `datePart`; -1 where the text is
 * no date in this form. A time zone is accepted and not applied.
 */
export function packDate(text: string, form: DateForm): number {
  return form.order === "ymd" ? packIsoDate(text) : packYearLast(text, form.order === "dmy");
}

export function dateBit(form: DateForm): number {
  return DATE_BITS[form.order];
}

/** Returns the bits of the orders in which a trimmed text is a date. */
export function fittingDates(text: string): number {
  return DATE_FORMS.reduce((fits, form) => (packDate(text, form) < 0 ? fits : fits | dateBit(form)), 0);
}

/** Returns a date in another form, with its time but without a zone; null where the text is no date in `from`. */
export function rewriteDate(text: string, from: DateForm, to: DateForm): string | null {
  const date = packDate(text, from);
  if (date < 0) return null;
  const [year, month, day] = [paddedPart(date, "year", 4), paddedPart(date, "month", 2), paddedPart(date, "day", 2)];
  const hasTime = date % 25 !== NO_HOUR;
  const time = hasTime ? ` ${paddedPart(date, "hour", 2)}${MINUTES.exec(text)![0].replace(",", ".")}` : "";
  if (to.order === "ymd") return `${year}-${month}-${day}${time}`;
  return `${to.order === "dmy" ? `${day}/${month}` : `${month}/${day}`}/${year}${time}`;
}

function paddedPart(date: number, part: DatePart, digits: number): string {
  return String(datePart(date, part)).padStart(digits, "0");
}

/**
 * Returns one part of a packed date: month and day from 1, weekday 0 = Monday to 6 =
 * Sunday, an hour of NaN where the date has no time.
 */
export function datePart(date: number, part: DatePart): number {
  const hour = date % 25;
  const day = Math.floor(date / 25) % 32;
  const month = Math.floor(date / 800) % 13;
  const year = Math.floor(date / 10_400);
  if (part === "year") return year;
  if (part === "month") return month;
  if (part === "day") return day;
  if (part === "weekday") return weekdayOf(year, month, day);
  return hour === NO_HOUR ? Number.NaN : hour;
}

function packIsoDate(text: string): number {
  if (text.length === MONTH_LENGTH) {
    return MONTH.test(text) ? pack(digitsAt(text, 0, 4), digitsAt(text, 5, 2), 1, NO_HOUR) : -1;
  }
  if (text.charCodeAt(4) !== HYPHEN || text.charCodeAt(7) !== HYPHEN) return -1;
  let hour = NO_HOUR;
  if (text.length > 10) {
    if (!ISO_TIME.test(text.slice(10))) return -1;
    hour = digitsAt(text, 11, 2);
    if (hour > 23) return -1;
  }
  return pack(digitsAt(text, 0, 4), digitsAt(text, 5, 2), digitsAt(text, 8, 2), hour);
}

function packYearLast(text: string, dayFirst: boolean): number {
  const firstDigits = isSeparator(text.charCodeAt(1)) ? 1 : 2;
  const separator = text.charCodeAt(firstDigits);
  if (!isSeparator(separator)) return -1;
  const secondAt = firstDigits + 1;
  const secondDigits = text.charCodeAt(secondAt + 1) === separator ? 1 : 2;
  const yearAt = secondAt + secondDigits + 1;
  if (text.charCodeAt(yearAt - 1) !== separator) return -1;
  const first = digitsAt(text, 0, firstDigits);
  const second = digitsAt(text, secondAt, secondDigits);
  const year = digitsAt(text, yearAt, 4);
  const hour = text.length === yearAt + 4 ? NO_HOUR : clockHour(text.slice(yearAt + 4));
  return pack(year, dayFirst ? second : first, dayFirst ? first : second, hour);
}

function isSeparator(code: number): boolean {
  return code === SLASH || code === POINT || code === HYPHEN;
}

/** Returns the number that `count` digits make; -1 where a character is no digit. */
function digitsAt(text: string, start: number, count: number): number {
  let value = 0;
  for (let at = start; at < start + count; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (!(digit >= 0 && digit <= 9)) return -1;
    value = 10 * value + digit;
  }
  return value;
}

/** Returns the hour from 0 to 23; -1 where the text is no time. */
function clockHour(text: string): number {
  const match = CLOCK.exec(text);
  if (match === null) return -1;
  const hour = Number(match[1]);
  const half = match[2];
  if (half === undefined) return hour < 24 ? hour : -1;
  if (hour < 1 || hour > 12) return -1;
  return (hour % 12) + (half === "p" || half === "P" ? 12 : 0);
}

/** Numbers below 0 could not be read; returns -1 for them, and for dates that the calendar does not have. */
function pack(year: number, month: number, day: number, hour: number): number {
  if (year < 0 || month < 1 || month > 12 || day < 1 || hour < 0) return -1;
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  if (day > MONTH_DAYS[month - 1]! || (month === 2 && day === 29 && !leap)) return -1;
  return ((year * 13 + month) * 32 + day) * 25 + hour;
}

function weekdayOf(year: number, month: number, day: number): number {
  // Shifted by 400 years, a whole number of weeks, so that the year before year 0 stays positive.
  const y = year + 400 - (month < 3 ? 1 : 0);
  const sunday0 = y + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400) + MONTH_SHIFTS[month - 1]! + day;
  return (sunday0 + 6) % 7;
}

/** For each part, 1 at every value that a date column holds. */
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

/** `date`: as `packDate` returns it. */
export function noteDateValues(values: DateValues, date: number): void {
  for (const part of DATE_PARTS) {
    const value = datePart(date, part);
    if (!Number.isNaN(value)) values[part][value] = 1;
  }
}

/** Returns the values of one part, ascending. */
export function partValues(values: DateValues, part: DatePart): Float64Array {
  const found: number[] = [];
  values[part].forEach((seen, value) => {
    if (seen === 1) found.push(value);
  });
  return Float64Array.from(found);
}

/**
 * When a month, quarter or week begins that is written as 2024-03, 2024Q1 or 2024-W06, in months: weeks to within one.
 * NaN where the text is none. Names of one form sort by it.
 */
export function periodValue(text: string): number {
  const found = PERIOD.exec(text);
  if (found === null) return Number.NaN;
  const [, year, month, quarter, week] = found;
  if (month !== undefined) return 12 * Number(year) + Number(month) - 1;
  if (quarter !== undefined) return 12 * Number(year) + 3 * (Number(quarter) - 1);
  return 12 * (Number(year) + (Number(week) - 1) / WEEKS);
}
