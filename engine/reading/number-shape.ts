// Adds plain numbers to a column's evidence by their shapes, with the same outcome as `noteText` on their texts.

import { type CellEvidence, FIRST_YEAR, LAST_YEAR } from "../columns/cell-evidence.ts";
import { DATE_FORMS, type DateOrder } from "../columns/dates.ts";
import { FITS_COMMA_GROUPS, FITS_DECIMAL_COMMA, FITS_PLAIN, FITS_POINT_GROUPS } from "../columns/numbers.ts";
import { FRACTION_SHIFT, HAS_EXPONENT, HAS_SIGN, STARTS_WITH_ZERO, WHOLE_DIGITS } from "../kernels/reading/layout.ts";

const YEAR_DIGITS = 4;
const GROUP_DIGITS = 3;

/** Plain numbers without needless leading zeros, which would make them codes. */
export interface PlainNumbers {
  count: number;
  /** Characters of all of them. */
  chars: number;
  lowest: number;
  highest: number;
  /** Line of the first. */
  line: number;
  /** Every shape among them, see kernels/reading/layout.ts. */
  shapes: Iterable<number>;
  /** The orders in which all of them are dates; their parts are noted elsewhere. */
  dateOrders: readonly DateOrder[];
}

/** Takes in the cells that hold these numbers. */
export function noteNumbers(
  evidence: CellEvidence,
  { count, chars, lowest, highest, line, shapes, dateOrders }: PlainNumbers,
): void {
  if (count === 0) return;
  evidence.cells += count;
  evidence.charCount += chars;
  evidence.wordCount += count;
  evidence.partCount += count;
  evidence.plain += count;
  evidence.lowest = Math.min(evidence.lowest, lowest);
  evidence.highest = Math.max(evidence.highest, highest);
  evidence.allYears &&= lowest >= FIRST_YEAR && highest <= LAST_YEAR;
  evidence.allUuids = false;
  evidence.length = -1;
  evidence.allDressed = false;
  for (const { order } of DATE_FORMS) {
    const tally = evidence.dates[order];
    if (dateOrders.includes(order)) tally.fits += count;
    else tally.firstMisfit = Math.min(tally.firstMisfit, line);
  }
  for (const shape of shapes) noteShape(evidence, shape);
}

function noteShape(evidence: CellEvidence, shape: number): void {
  const wholeDigits = shape & WHOLE_DIGITS;
  const isInteger = !hasPoint(shape) && (shape & HAS_EXPONENT) === 0;
  const isBare = isInteger && (shape & HAS_SIGN) === 0;
  evidence.allIntegers &&= isInteger;
  evidence.allYears &&= isBare && wholeDigits === YEAR_DIGITS;
  if (evidence.hexDigits >= 0) {
    const isHex = isBare && (evidence.hexDigits === 0 || evidence.hexDigits === wholeDigits);
    evidence.hexDigits = isHex ? wholeDigits : -1;
  }
  noteBodies(evidence, shape);
}

function noteBodies(evidence: CellEvidence, shape: number): void {
  if (evidence.bodies === 0) return;
  if (evidence.affixes.length === 0) evidence.affixes = [""];
  evidence.bodies &= evidence.affixes[0] === "" ? bodiesOf(shape) : 0;
  // A plain number with a point that fits groups of points has three digits after it, which show a group.
  if ((evidence.bodies & FITS_POINT_GROUPS) !== 0 && hasPoint(shape)) evidence.separators |= FITS_POINT_GROUPS;
}

export function hasPoint(shape: number): boolean {
  return (shape & (WHOLE_DIGITS << FRACTION_SHIFT)) !== 0;
}

/** Returns what `fittingBodies` finds for a plain number of this shape. */
export function bodiesOf(shape: number): number {
  const wholeDigits = shape & WHOLE_DIGITS;
  const isShort = wholeDigits >= 1 && wholeDigits <= GROUP_DIGITS;
  if ((shape & HAS_EXPONENT) !== 0) return hasPoint(shape) ? FITS_PLAIN : FITS_PLAIN | FITS_DECIMAL_COMMA;
  if (!hasPoint(shape)) {
    const fits = FITS_PLAIN | FITS_DECIMAL_COMMA;
    return isShort ? fits | FITS_COMMA_GROUPS | FITS_POINT_GROUPS : fits;
  }
  const fractionDigits = ((shape >> FRACTION_SHIFT) & WHOLE_DIGITS) - 1;
  const isGroup = fractionDigits === GROUP_DIGITS && (shape & STARTS_WITH_ZERO) === 0;
  if (!isShort) return FITS_PLAIN;
  return isGroup ? FITS_PLAIN | FITS_COMMA_GROUPS | FITS_POINT_GROUPS : FITS_PLAIN | FITS_COMMA_GROUPS;
}
