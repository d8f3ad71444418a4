// What short decimals say of a column, read off their keys: the same as `noteText` finds in their texts, without a string.
import { decimalValue, digitCountOf, fractionDigitsOf, signOf, startsWithZero } from "../csv/cell-key.ts";
import { type Evidence, FIRST_YEAR, LAST_YEAR } from "./evidence.ts";
import { FITS_COMMA_GROUPS, FITS_DECIMAL_COMMA, FITS_PLAIN, FITS_POINT_GROUPS } from "./numbers.ts";

/** Takes in `count` cells with this short decimal, which has no needless leading zero: that would make it a code. As `noteText`. */
export function noteDecimal(evidence: Evidence, low: number, meta: number, count: number, line: number): void {
  const sign = signOf(meta);
  const digitCount = digitCountOf(meta);
  const fractionDigits = fractionDigitsOf(meta);
  const isInteger = fractionDigits < 0;
  const length = digitCount + (sign === 0 ? 0 : 1) + (isInteger ? 0 : 1);
  const value = decimalValue(low, meta);
  evidence.cells += count;
  evidence.charCount += count * length;
  evidence.wordCount += count;
  evidence.plain += count;
  if (value < evidence.lowest) evidence.lowest = value;
  if (value > evidence.highest) evidence.highest = value;
  if (!isInteger) evidence.allIntegers = false;
  if (evidence.allYears) evidence.allYears = isInteger && length === 4 && value >= FIRST_YEAR && value <= LAST_YEAR;
  noteBodies(evidence, low, meta);
  evidence.allUuids = false;
  if (evidence.hexDigits >= 0) {
    const isHex = isInteger && sign === 0 && (evidence.hexDigits === 0 || evidence.hexDigits === digitCount);
    evidence.hexDigits = isHex ? digitCount : -1;
  }
  const { ymd, dmy, mdy } = evidence.dates;
  if (line < ymd.firstMisfit) ymd.firstMisfit = line;
  if (line < dmy.firstMisfit) dmy.firstMisfit = line;
  if (line < mdy.firstMisfit) mdy.firstMisfit = line;
}

function noteBodies(evidence: Evidence, low: number, meta: number): void {
  const { bodies, affix } = evidence;
  // Nothing more can be learnt.
  if (bodies === 0 || (bodies === FITS_PLAIN && affix === "")) return;
  if (affix !== null && affix !== "") {
    evidence.bodies = 0;
    return;
  }
  evidence.affix = "";
  const fits = decimalFits(low, meta, bodies);
  evidence.bodies = fits;
  // Whoever fits groups of points with a point shows one: its three digits.
  if ((fits & FITS_POINT_GROUPS) !== 0 && fractionDigitsOf(meta) >= 0) evidence.separators |= FITS_POINT_GROUPS;
}

/** `fittingBodies` of a short decimal. */
export function decimalFits(low: number, meta: number, asked: number): number {
  const fractionDigits = fractionDigitsOf(meta);
  const wholeDigits = digitCountOf(meta) - Math.max(0, fractionDigits);
  const isShort = wholeDigits >= 1 && wholeDigits <= 3;
  let fits = FITS_PLAIN;
  if (fractionDigits < 0) {
    fits |= FITS_DECIMAL_COMMA;
    if (isShort) fits |= FITS_COMMA_GROUPS | FITS_POINT_GROUPS;
  } else if (isShort) {
    fits |= FITS_COMMA_GROUPS;
    if (fractionDigits === 3 && !startsWithZero(low, meta)) fits |= FITS_POINT_GROUPS;
  }
  return fits & asked;
}
