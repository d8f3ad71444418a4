// Takes apart a text that says a day, and perhaps a time of day: numbers or names of months, in any usual order.

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

const NUMBERS = /^(\d{1,4})([-/.])(\d{1,2})\2(\d{1,4})(?!\d)/;
/** `20240131`, and `20240131T140500`. Few other numbers of eight digits are a day of these two centuries. */
const COMPACT = /^((?:19|20)\d\d)(\d\d)(\d\d)(?:T?([01]\d|2[0-3])([0-5]\d)([0-5]\d)?Z?$|(?!\d))/;
/** A month without a day, which stands for its first one. Codes such as 4711-03 are none. */
const YEAR_MONTH = /^((?:1[89]|20)\d\d)-(\d\d)$/;
const MONTH_YEAR = /^(\d{1,2})[-/]((?:1[89]|20)\d\d)$/;
/** Latin letters: those of the names below, and of weekdays. */
const LETTER = "[A-Za-z\\u00c0-\\u024f]";
const NAME_SECOND = new RegExp(
  `^(\\d{1,4})(?:st|nd|rd|th|er)?(?: de |[-/. ]{0,2})(${LETTER}{3,10})\\.?(?: de |[-/., ]{0,2})(\\d{1,4})(?!\\d)`,
);
const NAME_FIRST = new RegExp(
  `^(${LETTER}{3,10})\\.?,?[-/ ]{1,2}(?:(\\d{1,2})(?:st|nd|rd|th)?(?:, ?|[-/ ]{1,2}))?(\\d{4}|\\d\\d)(?!\\d)`,
);
const WEEKDAY = new RegExp(`^${LETTER}{2,10}[.,]{0,2} +`);
/** Hours are of 24, or of 12 with AM or PM; a zone may follow. */
const CLOCK =
  /^(?:T|,? +|:)(\d{1,2})([:.h])([0-5]\d)(?:\2((?:[0-5]\d|60)(?:[.,]\d+)?))?(?: ?([AaPp])\.?[Mm]\.?)?(?: ?(?:Z|UTC|GMT|[+-]\d\d(?::?[0-5]\d)?))?$/;

/** How names of the months begin in English, German, French, Spanish, Italian, Portuguese and Dutch. */
const MONTH_OPENINGS = [
  "jan ene gen",
  "feb fev fév",
  "mar mär mrz mrt maa",
  "apr avr abr",
  "may mai mei mag",
  "jun juin giu",
  "jul juil lug",
  "aug ago aoû aou",
  "sep set",
  "oct okt ott out",
  "nov",
  "dec dez déc dic",
];
const MONTH_BY_OPENING: ReadonlyMap<string, number> = new Map(
  MONTH_OPENINGS.flatMap((openings, at) => openings.split(" ").map((opening) => [opening, at + 1] as const)),
);
/** Years of two digits from this one on are of the last century, as spreadsheets take them. */
const CENTURY_TURN = 30;

/** Null where a trimmed text says no day. Linear. */
export function splitDate(text: string): WrittenDate | null {
  if (isDigit(text.charCodeAt(0))) return splitDigitsFirst(text);
  const found = splitNameFirst(text);
  const weekday = found === null ? WEEKDAY.exec(text)?.[0] : undefined;
  if (weekday === undefined) return found;
  const rest = text.slice(weekday.length);
  return isDigit(rest.charCodeAt(0)) ? splitDigitsFirst(rest) : splitNameFirst(rest);
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** `Feb 3, 2023`, or `Feb 2023` for its first day. */
function splitNameFirst(text: string): WrittenDate | null {
  const named = NAME_FIRST.exec(text);
  const month = named === null ? 0 : monthOf(named[1]!);
  if (named === null || month === 0) return null;
  const [found, , day, year = ""] = named;
  if (day !== undefined) return withTime(text, found, MDY, year, month, Number(day));
  return year.length < 4 ? null : withTime(text, found, DMY, year, 1, month);
}

function splitDigitsFirst(text: string): WrittenDate | null {
  const numbers = NUMBERS.exec(text);
  if (numbers !== null) return splitNumbers(text, numbers);
  const month = YEAR_MONTH.exec(text);
  if (month !== null) return withTime(text, text, YMD, month[1]!, Number(month[2]), 1);
  const ofYear = MONTH_YEAR.exec(text);
  if (ofYear !== null) return withTime(text, text, DMY, ofYear[2]!, 1, Number(ofYear[1]));
  const compact = COMPACT.exec(text);
  if (compact !== null) {
    const [found, year = "", first, second, hour, minute, seconds = ""] = compact;
    const day = withTime(text, found, YMD, year, Number(first), Number(second));
    if (hour === undefined || day === null) return day;
    return { ...day, time: { hour: Number(hour), minute: Number(minute), second: seconds } };
  }
  const named = NAME_SECOND.exec(text);
  const name = named === null ? 0 : monthOf(named[2]!);
  if (named === null || name === 0) return null;
  const [found, one = "", , other = ""] = named;
  if (one.length === 4) return other.length > 2 ? null : withTime(text, found, YMD, one, name, Number(other));
  return one.length > 2 || !isYear(other) ? null : withTime(text, found, DMY, other, Number(one), name);
}

function splitNumbers(text: string, numbers: RegExpExecArray): WrittenDate | null {
  const [found, one = "", , two = "", three = ""] = numbers;
  if (one.length === 4 && three.length <= 2) return withTime(text, found, YMD, one, Number(two), Number(three));
  if (one.length > 2 || !isYear(three)) return null;
  return withTime(text, found, DMY | MDY, three, Number(one), Number(two));
}

function isYear(digits: string): boolean {
  return digits.length === 2 || digits.length === 4;
}

/** `found`: the text up to the time. */
function withTime(
  text: string,
  found: string,
  orders: number,
  written: string,
  first: number,
  second: number,
): WrittenDate | null {
  const time = text.length === found.length ? null : timeIn(text.slice(found.length));
  if (time === undefined) return null;
  const number = Number(written);
  const hasShortYear = written.length === 2;
  const year = hasShortYear ? number + (number < CENTURY_TURN ? 2000 : 1900) : number;
  return { orders, year, hasShortYear, first, second, time };
}

/** Undefined where the text is no time. */
function timeIn(text: string): WrittenTime | undefined {
  const match = CLOCK.exec(text);
  if (match === null) return undefined;
  const [, hours, , minutes, second = "", half] = match;
  let hour = Number(hours);
  if (half !== undefined && (hour < 1 || hour > 12)) return undefined;
  if (half !== undefined) hour = (hour % 12) + (half === "p" || half === "P" ? 12 : 0);
  return hour > 23 ? undefined : { hour, minute: Number(minutes), second: second.replace(",", ".") };
}

/** 0 where the word names no month. */
function monthOf(word: string): number {
  const name = word.toLowerCase();
  return MONTH_BY_OPENING.get(name.slice(0, 3)) ?? MONTH_BY_OPENING.get(name.slice(0, 4)) ?? 0;
}
