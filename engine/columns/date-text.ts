// Takes apart a text that says a day, and perhaps a time of day: numbers or names of months, in any usual order.
import { LETTER } from "../letter.ts";

/** A day as a text says it; the calendar may not have it. */
export interface WrittenDate {
  /** Bits of the orders that it may be read in: `YMD`, `DMY`, `MDY`. */
  orders: number;
  year: number;
  /** The year has two digits. */
  hasShortYear: boolean;
  /** The first and the second number beside the year: the month and the day, but by `DMY` the other way round. */
  first: number;
  second: number;
  /** Null where there is no time of day. */
  time: WrittenTime | null;
}

/** A time that the clock has; `second` with its fraction, "" where it is left out. */
interface WrittenTime {
  hour: number;
  minute: number;
  second: string;
}

export const YMD = 1;
export const DMY = 2;
export const MDY = 4;

/** `20240131`, and `20240131T140500`. Few other numbers of eight digits are a day of these two centuries. */
const COMPACT = /^((?:19|20)\d\d|9999)(\d\d)(\d\d)(?:T?([01]\d|2[0-3])([0-5]\d)([0-5]\d)?Z?$|(?!\d))/;
/** A month without a day, which stands for its first one. Codes such as 4711-03 are none. */
const YEAR_MONTH = /^((?:1[89]|20)\d\d)-(\d\d)$/;
const MONTH_YEAR = /^(\d{1,2})[-/]((?:19|20)\d\d)$/;
/** Latin letters: those of the names below, and of weekdays. */
const NAME_SECOND = new RegExp(
  `^(\\d{1,4})(?:st|nd|rd|th|er)?(?: de |[-/. ]{0,2})(${LETTER}{3,10})\\.?(?: de |[-/., ]{0,2})(\\d{1,4})(?!\\d)`,
);
const NAME_FIRST = new RegExp(
  `^(${LETTER}{3,10})\\.?,?[-/ ]{1,2}(?:(\\d{1,2})(?:st|nd|rd|th)?(?:, ?|[-/ ]{1,2}))?(\\d{4}|\\d\\d)(?!\\d)`,
);
const WEEKDAY = new RegExp(`^(${LETTER}{2,10})[.,]{0,2} +`);
/** Hours are of 24, or of 12 with AM or PM; a zone may follow. */
const CLOCK =
  /^(?:T|,? +|:)(\d{1,2})([:.h])([0-5]\d)(?:\2((?:[0-5]\d|60)(?:[.,]\d+)?))?(?: ?([AaPp])\.?[Mm]\.?)?(?: ?(?:Z|UTC|GMT)?(?:[+-]\d\d?(?::?[0-5]\d)?)?)?$/;

/** Months in English, German, French, Spanish, Italian, Portuguese and Dutch; their first three letters will do. */
const MONTH_NAMES = [
  "january januar janvier janeiro januari enero gennaio",
  "february februar février fevrier febrero febbraio fevereiro februari",
  "march märz maerz mrz mars marzo março marco maart mrt",
  "april avril abril aprile",
  "may mai mayo maggio maio mei",
  "june juni juin junio giugno junho",
  "july juli juillet julio luglio julho",
  "august août aout agosto augustus",
  "september septembre septiembre setiembre settembre setembro",
  "october oktober octobre octubre ottobre outubro",
  "november novembre noviembre novembro",
  "december dezember décembre decembre diciembre dicembre dezembro",
].map((names) => names.split(" "));
/** How the days of the week begin; the shortest ones alone. */
const WEEKDAYS: ReadonlySet<string> = new Set(
  "mo di mi do fr sa so mon tue wed thu fri sat sun die mit don fre sam son lun mar mer jeu ven dim jue vie sáb dom gio".split(
    " ",
  ),
);
/** Years of two digits from this one on are of the last century, as spreadsheets take them. */
const CENTURY_TURN = 30;
const DIGIT_0 = 48;
const HYPHEN = 45;
const SLASH = 47;
const SEPARATORS: ReadonlySet<number> = new Set([..."-/."].map((sign) => sign.charCodeAt(0)));

/** Null where a trimmed text says no day. Linear. */
export function splitDate(text: string): WrittenDate | null {
  if (isDigit(text, 0)) return splitDigitsFirst(text);
  const found = splitNameFirst(text);
  const weekday = found === null ? WEEKDAY.exec(text) : null;
  if (weekday === null || !WEEKDAYS.has(weekday[1]!.slice(0, 3).toLowerCase())) return found;
  const rest = text.slice(weekday[0].length);
  return isDigit(rest, 0) ? splitDigitsFirst(rest) : splitNameFirst(rest);
}

/** `Feb 3, 2023`, or `Feb 2023` for its first day. */
function splitNameFirst(text: string): WrittenDate | null {
  const named = NAME_FIRST.exec(text);
  const month = named === null ? 0 : monthOf(named[1]!);
  if (named === null || month === 0) return null;
  const [{ length: end }, , day, year = ""] = named;
  if (year.length === 4 && !isUsual(Number(year))) return null;
  if (day !== undefined) return withTime(text, end, MDY, Number(year), year.length, month, Number(day));
  return year.length < 4 ? null : withTime(text, end, DMY, Number(year), 4, 1, month);
}

function splitDigitsFirst(text: string): WrittenDate | null {
  const digits = digitsFrom(text, 0);
  if (digits > 4) return splitCompact(text);
  const numbers = splitNumbers(text, digits);
  if (numbers !== undefined) return numbers;
  const month = digits === 4 ? YEAR_MONTH.exec(text) : null;
  if (month !== null) return withTime(text, text.length, YMD, Number(month[1]), 4, Number(month[2]), 1);
  const ofYear = digits <= 2 ? MONTH_YEAR.exec(text) : null;
  if (ofYear !== null) return withTime(text, text.length, DMY, Number(ofYear[2]), 4, 1, Number(ofYear[1]));
  return splitNameSecond(text);
}

function splitCompact(text: string): WrittenDate | null {
  const compact = COMPACT.exec(text);
  if (compact === null) return null;
  const [{ length: end }, year, first, second, hour, minute, seconds = ""] = compact;
  const day = withTime(text, end, YMD, Number(year), 4, Number(first), Number(second));
  if (hour === undefined || day === null) return day;
  return { ...day, time: { hour: Number(hour), minute: Number(minute), second: seconds } };
}

/** `3-Feb-23`, `2023-Feb-03`. */
function splitNameSecond(text: string): WrittenDate | null {
  const named = NAME_SECOND.exec(text);
  const name = named === null ? 0 : monthOf(named[2]!);
  if (named === null || name === 0) return null;
  const [{ length: end }, one = "", , other = ""] = named;
  const year = [one, other].find(({ length }) => length === 4);
  if (year !== undefined && !isUsual(Number(year))) return null;
  if (one.length === 4) {
    return other.length > 2 ? null : withTime(text, end, YMD, Number(one), 4, name, Number(other));
  }
  const isDay = one.length <= 2 && isYear(other.length);
  return isDay ? withTime(text, end, DMY, Number(other), other.length, Number(one), name) : null;
}

/** `2023-02-03`, `3.2.2023`; undefined where three numbers do not stand so. No pattern, as most dates are such. */
function splitNumbers(text: string, one: number): WrittenDate | null | undefined {
  const secondAt = one + 1;
  const separator = text.charCodeAt(one);
  if (!SEPARATORS.has(separator)) return undefined;
  const two = digitsFrom(text, secondAt);
  const thirdAt = secondAt + two + 1;
  if (two < 1 || two > 2 || text.charCodeAt(thirdAt - 1) !== separator) return undefined;
  const three = digitsFrom(text, thirdAt);
  if (three < 1 || three > 4) return undefined;
  const [first, second, third] = [
    numberAt(text, 0, one),
    numberAt(text, secondAt, two),
    numberAt(text, thirdAt, three),
  ];
  const end = thirdAt + three;
  if (one === 4 && three <= 2) {
    const isIso = separator === HYPHEN && two === 2 && three === 2;
    return isIso || isUsual(first) ? withTime(text, end, YMD, first, 4, second, third) : null;
  }
  // Spreadsheets leave zeros out only where they write slashes; 7.4.33 and 15-5-20 are versions and codes.
  const isDay = one <= 2 && (three === 4 || (three === 2 && (separator === SLASH || one + two === 4)));
  return isDay ? withTime(text, end, DMY | MDY, third, three, first, second) : null;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= DIGIT_0 && code <= DIGIT_0 + 9;
}

/** How many digits stand from here on. */
function digitsFrom(text: string, start: number): number {
  let end = start;
  while (isDigit(text, end)) end++;
  return end - start;
}

/** The number that so many digits make. */
function numberAt(text: string, start: number, count: number): number {
  let value = 0;
  for (let at = start; at < start + count; at++) value = 10 * value + text.charCodeAt(at) - DIGIT_0;
  return value;
}

function isYear(digitCount: number): boolean {
  return digitCount === 2 || digitCount === 4;
}

/** `end`: where the time begins; `written`: the year, of `yearDigits`. */
function withTime(
  text: string,
  end: number,
  orders: number,
  written: number,
  yearDigits: number,
  first: number,
  second: number,
): WrittenDate | null {
  const time = text.length === end ? null : timeAt(text, end);
  if (time === undefined) return null;
  const hasShortYear = yearDigits === 2;
  const year = hasShortYear ? written + (written < CENTURY_TURN ? 2000 : 1900) : written;
  return { orders, year, hasShortYear, first, second, time };
}

/** Undefined where the text behind the date is no time. */
function timeAt(text: string, end: number): WrittenTime | undefined {
  const isIso = text.length === end + 9 && text[end + 3] === ":" && text[end + 6] === ":" && "T ".includes(text[end]!);
  if (isIso && digitsFrom(text, end + 1) === 2 && digitsFrom(text, end + 4) === 2 && digitsFrom(text, end + 7) === 2) {
    const [hour, minute, second] = [numberAt(text, end + 1, 2), numberAt(text, end + 4, 2), text.slice(end + 7)];
    return hour > 23 || minute > 59 || Number(second) > 60 ? undefined : { hour, minute, second };
  }
  const match = CLOCK.exec(text.slice(end));
  if (match === null) return undefined;
  const [, hours, , minutes, second = "", half] = match;
  let hour = Number(hours);
  if (half !== undefined && (hour < 1 || hour > 12)) return undefined;
  if (half !== undefined) hour = (hour % 12) + (half === "p" || half === "P" ? 12 : 0);
  return hour > 23 ? undefined : { hour, minute: Number(minutes), second: second.replace(",", ".") };
}

/** 0 where the word names no month, nor begins a name of one. */
export function monthOf(word: string): number {
  const name = word.toLowerCase();
  return 1 + MONTH_NAMES.findIndex((names) => names.some((known) => known.startsWith(name)));
}

/** Dates of other years are codes, but for the one that means "for ever". */
function isUsual(year: number): boolean {
  return (year >= 1800 && year < 2200) || year === 9999;
}
