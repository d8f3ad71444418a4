// Reads dates with the year, the day or the month first, or as seconds since 1970, checks them against the calendar
// and splits them into parts. Time zones are ignored.
import type { DatePart } from "../table/table.ts";
import { unixTime } from "../unix-times.ts";
import { DMY, MDY, splitDate, type WrittenDate, YMD } from "./date-text.ts";
import { parsePlainNumber } from "./plain-number.ts";

/** The order of year, month and day; `unix`: a number of seconds or milliseconds since 1970. */
export type DateOrder = "ymd" | "dmy" | "mdy" | "unix";

/** How the dates of one column are written. */
export interface DateForm {
  order: DateOrder;
}

export const YEAR_FIRST: DateForm = { order: "ymd" };
export const DAY_FIRST: DateForm = { order: "dmy" };
export const MONTH_FIRST: DateForm = { order: "mdy" };
export const UNIX: DateForm = { order: "unix" };
export const DATE_FORMS: readonly DateForm[] = [YEAR_FIRST, DAY_FIRST, MONTH_FIRST, UNIX];

/** A bit for each order; one text can fit both with the year last. */
const DATE_BITS = { ymd: YMD, dmy: DMY, mdy: MDY, unix: 8 };

export const DATE_PARTS: readonly DatePart[] = ["year", "month", "day", "weekday", "hour"];

export function isDatePart(part: string | null): part is DatePart {
  return part !== null && (DATE_PARTS as readonly string[]).includes(part);
}

/** A month, a quarter or a week with its year. */
const PERIOD = /^(\d{4})(?:[-/.](0[1-9]|1[0-2])|[-/. ]?Q([1-4])|-?W(0[1-9]|[1-4]\d|5[0-3]))$/;
/** Weeks as parts of a year that never reach the next. */
const WEEKS = 54;
const NO_HOUR = 24;
/** Packed dates of one day are below the next day's: its hours, then none at all. */
export const PACKED_DAY = NO_HOUR + 1;
const NO_CLOCK = { minute: 0, second: "" };
const DAYS_TO_1970 = 719_469;
const MONTH_DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Returns the date of a trimmed text, packed into one integer for `datePart`; -1 where the text is
 * no date in this form. A time zone is accepted and not applied.
 */
export function packDate(text: string, form: DateForm): number {
  return splitMoment(text, form).date;
}

/** As `packDate`, of what a text says of the day in whatever order. */
export function packWritten(written: WrittenDate | null, order: Exclude<DateOrder, "unix">): number {
  if (written === null || (written.orders & DATE_BITS[order]) === 0) return -1;
  const { year, first, second, time } = written;
  const isDayFirst = order === "dmy";
  return pack(year, isDayFirst ? second : first, isDayFirst ? first : second, time?.hour ?? NO_HOUR);
}

export function dateBit(form: DateForm): number {
  return DATE_BITS[form.order];
}

/** Returns the bits of the orders in which a trimmed text is a date. */
export function fittingDates(text: string): number {
  return DATE_FORMS.reduce((fits, form) => (packDate(text, form) < 0 ? fits : fits | dateBit(form)), 0);
}

/**
 * A date as a number of minutes that grows with it, in whatever form it is written: a calendar's in which each month
 * has 32 days. NaN where the text is no date in this form.
 */
export function minutesOf(text: string, form: DateForm): number {
  const { date, minute, second } = splitMoment(text, form);
  if (date < 0) return Number.NaN;
  return Math.floor(date / PACKED_DAY) * 1440 + (datePart(date, "hour") || 0) * 60 + minute + Number(second) / 60;
}

/** Seconds since the full hour at most: a leap second belongs to the minute before it. */
export const MOST_CLOCK = 3_600;

/** The seconds of a date's time since the full hour, 0 where it has no time; NaN where the text is no date. */
export function clockOf(text: string, form: DateForm): number {
  const { date, minute, second } = splitMoment(text, form);
  return date < 0 ? Number.NaN : 60 * minute + Math.floor(Number(second));
}

/** A date in seconds since 1970, without a zone. NaN where the text is no date in this form. */
export function secondsOf(text: string, form: DateForm): number {
  const { date, minute, second } = splitMoment(text, form);
  if (date < 0) return Number.NaN;
  const [year, month, day, , hour] = DATE_PARTS.map((part) => datePart(date, part));
  return calendarSeconds(year!, month!, day!, hour! || 0) + 60 * minute + Math.floor(Number(second));
}

/** The seconds from 1970 up to a full hour of the calendar. */
export function calendarSeconds(year: number, month: number, day: number, hour: number): number {
  return 86_400 * (dayNumber(year, month, day) - DAYS_TO_1970) + 3_600 * hour;
}

/** The days of the calendar, in which a year begins in March. */
function dayNumber(year: number, month: number, day: number): number {
  const y = year - (month <= 2 ? 1 : 0);
  const leapDays = Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400);
  return 365 * y + leapDays + Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day;
}

/** Returns a date in another form, with its time but without a zone; null where the text is no date in `from`. */
export function rewriteDate(text: string, from: DateForm, to: DateForm): string | null {
  const { date, minute, second } = splitMoment(text, from);
  if (date < 0) return null;
  const [year, month, day] = [paddedPart(date, "year", 4), paddedPart(date, "month", 2), paddedPart(date, "day", 2)];
  const hasTime = date % PACKED_DAY !== NO_HOUR;
  const clock = `${String(minute).padStart(2, "0")}${second === "" ? "" : `:${second}`}`;
  const time = hasTime ? `${paddedPart(date, "hour", 2)}:${clock}` : "";
  if (to.order === "unix") {
    const hour = hasTime ? datePart(date, "hour") : 0;
    return String(Date.UTC(Number(year), Number(month) - 1, Number(day), hour, minute) / 1000 + Number(second));
  }
  const days = {
    ymd: `${year}-${month}-${day}`,
    dmy: `${day}/${month}/${year}`,
    mdy: `${month}/${day}/${year}`,
  };
  return days[to.order] + (hasTime ? ` ${time}` : "");
}

/** The packed date of a text, -1 where it is none, and what it says behind the hour. */
function splitMoment(text: string, { order }: DateForm): { date: number; minute: number; second: string } {
  const written = splitDate(order === "unix" ? isoText(text) : text);
  const { minute, second } = written?.time ?? NO_CLOCK;
  return { date: packWritten(written, order === "unix" ? "ymd" : order), minute, second };
}

/** The ISO text of a number of seconds or milliseconds since 1970; "" where it is none. */
function isoText(text: string): string {
  return unixTime(parsePlainNumber(text))?.toISOString() ?? "";
}

function paddedPart(date: number, part: DatePart, digits: number): string {
  return String(datePart(date, part)).padStart(digits, "0");
}

/**
 * Returns one part of a packed date: month and day from 1, weekday 0 = Monday to 6 =
 * Sunday, an hour of NaN where the date has no time.
 */
export function datePart(date: number, part: DatePart): number {
  const hour = date % PACKED_DAY;
  const day = Math.floor(date / PACKED_DAY) % 32;
  const month = Math.floor(date / 800) % 13;
  const year = Math.floor(date / 10_400);
  if (part === "year") return year;
  if (part === "month") return month;
  if (part === "day") return day;
  if (part === "weekday") return weekdayOf(year, month, day);
  return hour === NO_HOUR ? Number.NaN : hour;
}

/** Returns -1 for a day that the calendar does not have. */
function pack(year: number, month: number, day: number, hour: number): number {
  if (month < 1 || month > 12 || day < 1) return -1;
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  if (day > MONTH_DAYS[month - 1]! || (month === 2 && day === 29 && !leap)) return -1;
  return ((year * 13 + month) * 32 + day) * PACKED_DAY + hour;
}

/** Shifted by 400 years, a whole number of weeks, so that the days before year 1 stay positive. */
function weekdayOf(year: number, month: number, day: number): number {
  return (dayNumber(year + 400, month, day) + 1) % 7;
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
