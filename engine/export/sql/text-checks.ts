// How a query tells what a text is: a plain number, or a date of one of the forms that the engine reads.

/** Conditions on a text without blanks at its ends, which is the column of a subquery. */
export interface TextChecks {
  /** Whether it is a plain number without a leading zero, of few enough digits for a double to tell them apart. */
  isExactNumber(text: string): string;
  /** Whether it is a date in ISO form that the calendar has, the year 0 left out. */
  isIsoDate(text: string): string;
  /** Whether it is a year and a month. */
  isMonth(text: string): string;
  /** Whether it is eight digits, from a table that holds them as numbers too. */
  isEightDigits(text: string): string;
  /** Whether it may be seconds, or milliseconds, since 1970. */
  isUnix(text: string, unit: "seconds" | "milliseconds"): string;
}

/** A plain number without a leading zero; two digits of exponent, so that no database runs out of range. */
const PLAIN_NUMBER = "'^[+-]?((0|[1-9][0-9]*)([.][0-9]*)?|[.][0-9]+)([eE][+-]?[0-9]{1,2})?$'";
const NOT_DIGITS = "'[eE].*$|[^0-9]'";
/** Days that the calendar has from the year 1 on: February 29 in leap years alone. */
const YEAR = "([1-9][0-9]{3}|0[1-9][0-9]{2}|00[1-9][0-9]|000[1-9])";
const LEAP_YEAR = "([0-9]{2}(0[48]|[2468][048]|[13579][26])|(0[48]|[2468][048]|[13579][26])00)";
const LONG_MONTH = "(0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])";
const SHORT_MONTH = "(0[469]|11)-(0[1-9]|[12][0-9]|30)";
const DAY = `(${YEAR}-(${LONG_MONTH}|${SHORT_MONTH}|02-(0[1-9]|1[0-9]|2[0-8]))|${LEAP_YEAR}-02-29)`;
const SECOND = "(:([0-5][0-9]|60)([.,][0-9]+)?)?";
const TIME = `([T ]([01][0-9]|2[0-3]):[0-5][0-9]${SECOND}(Z|[+-][0-9]{2}(:?[0-5][0-9])?)?)?`;
/** The dates that the engine reads in ISO form, except the year 0. */
const ISO_DATE = `'^${DAY}${TIME}$'`;
/** Eight digits, from a table that holds them as numbers too. */
const DIGITS = "'^[0-9]{8}([.]0*)?$'";
/** Seconds or milliseconds since 1970. */
const UNIX_SECONDS = "'^[12][0-9]{9}([.][0-9]*)?$'";
const UNIX_MILLISECONDS = "'^[12][0-9]{12}([.][0-9]*)?$'";
/** A month stands for its first day. */
const MONTH = "'^(1[89]|20)[0-9][0-9]-(0[1-9]|1[0-2])$'";
/** More digits than a double can tell apart make no alias. */
export const EXACT_DIGITS = 15;
const FEW_DIGITS = `'^0*[0-9]{0,${EXACT_DIGITS}}0*$'`;

/**
 * The checks of a database that has regular expressions. `matches`: whether a text matches a pattern, a literal;
 * patterns are anchored and hold no backslash. `without`: the text without all that matches.
 */
export function patternChecks(
  matches: (text: string, pattern: string) => string,
  without: (text: string, pattern: string) => string,
): TextChecks {
  return {
    isExactNumber: (text) => `${matches(text, PLAIN_NUMBER)} AND ${matches(without(text, NOT_DIGITS), FEW_DIGITS)}`,
    isIsoDate: (text) => matches(text, ISO_DATE),
    isMonth: (text) => matches(text, MONTH),
    isEightDigits: (text) => matches(text, DIGITS),
    isUnix: (text, unit) => matches(text, unit === "seconds" ? UNIX_SECONDS : UNIX_MILLISECONDS),
  };
}
