// Reads numbers with a decimal comma, groups of thousands, an affix such as a unit, or a bound such as `<0.5`, and
// tells which of these forms a text fits.
import { bareNumber, CURRENCY_BEFORE } from "./bare-number.ts";
import { isClockAffix, splitClockTime } from "./clock-times.ts";
import { EXACT_DIGITS, hasLeadingZero, isIntegerText, parsePlainNumber } from "./plain-number.ts";
import { type NumberParts, splitQuantity, type UnitSizes } from "./quantity-text.ts";

/** How the numbers of one column are written. `affix`: "", a unit, a currency sign or code, or how times are. */
export interface NumberForm {
  decimal: "." | ",";
  grouping: "" | "," | ".";
  affix: string;
  /** Where a column has several units, such as hours and minutes: what each is worth in the affix, the value's unit. */
  units?: UnitSizes;
}

export const PLAIN_FORM: NumberForm = { decimal: ".", grouping: "", affix: "" };

/** The ways of writing digits, those that group thousands last. */
export const BODY_FORMS: readonly [NumberForm, NumberForm, NumberForm, NumberForm] = [
  PLAIN_FORM,
  { decimal: ",", grouping: "", affix: "" },
  { decimal: ".", grouping: ",", affix: "" },
  { decimal: ",", grouping: ".", affix: "" },
];

export function isSameForm(a: NumberForm, b: NumberForm): boolean {
  return a.decimal === b.decimal && a.grouping === b.grouping && a.affix === b.affix;
}

/** A bit for each way of writing digits; one text can fit several. */
export const FITS_PLAIN = 1;
export const FITS_DECIMAL_COMMA = 2;
export const FITS_COMMA_GROUPS = 4;
export const FITS_POINT_GROUPS = 8;
export const FITS_ALL = 15;

const DECIMAL_COMMA = /^[+-]?(?:\d+(?:,\d*)?|,\d+)(?:[eE][+-]?\d+)?$/;
/** At most three digits stand without a separator: a column with groups of thousands writes 1234 as 1,234. */
const COMMA_GROUPS = /^[+-]?(?:\d{1,3}|[1-9]\d{0,2}(?:,\d{3})+)(?:\.\d*)?$/;
const POINT_GROUPS = /^[+-]?(?:\d{1,3}|[1-9]\d{0,2}(?:\.\d{3})+)(?:,\d*)?$/;
const COMMA_GROUP = /\d,\d{3}(?!\d)/;
const POINT_GROUP = /\d\.\d{3}(?!\d)/;
const LEADING_ZERO_CODE = /^[+-]?\d+(?:[.,]\d*)?(?:[eE][+-]?\d+)?$/;
const HEXADECIMAL = /^0[xX][0-9a-fA-F]+$/;
const INFINITY_TEXT = /^[+-]?inf(?:inity)?$/i;
const SIGNIFICANT = /[1-9](?:[\d.]*[1-9])?/;
/** At the start of a trimmed text. */
const BOUND = /^[<>≤≥]=?\s*(?![<>≤≥=\s])/;
const MAY_LEAD = new RegExp(`^(?:${CURRENCY_BEFORE})$`);
const OR_MORE = /^[^+]*\d\+$/;
/** The share of the number by which a bound lies beyond it: little, but more than 32-bit numbers are apart. */
const BEYOND = 2 ** -16;
/** A bound on a number, as of what is too little to be measured, taken apart. */
export interface Bound {
  isUpper: boolean;
  /** The text without the sign. */
  number: string;
}

/** Takes `<0.5`, `>= 40` or `89+` apart; null for a trimmed text with no such sign. */
export function boundIn(text: string): Bound | null {
  const sign = BOUND.exec(text)?.[0];
  if (sign === undefined) return OR_MORE.test(text) ? { isUpper: false, number: text.slice(0, -1) } : null;
  return { isUpper: sign.startsWith("<") || sign.startsWith("≤"), number: text.slice(sign.length) };
}

/**
 * Returns the value of a trimmed text in this form: NaN where it is no number in this form, infinite where it is too
 * large. An upper bound lies just below its number, a lower one just above it (D162).
 */
export function readNumber(text: string, form: NumberForm): number {
  const bound = boundIn(text);
  if (bound === null) return readExact(text, form);
  const value = readExact(bound.number, form);
  const distance = BEYOND * (value === 0 ? 1 : Math.abs(value));
  return bound.isUpper ? value - distance : value + distance;
}

function readExact(text: string, form: NumberForm): number {
  const value = readBare(text, form);
  if (!Number.isNaN(value)) return value;
  const bare = bareNumber(text);
  return bare === text ? value : readBare(bare, form);
}

function readBare(text: string, form: NumberForm): number {
  if (form.units !== undefined) return readQuantity(text, form, form.units);
  const body = form.affix === "" ? text : withoutAffix(text, form.affix);
  if (form.decimal === "." && form.grouping === "") return parsePlainNumber(body);
  if (fittingBodies(body, bodyBit(form)) === 0) return Number.NaN;
  return parsePlainNumber(asPlainText(body, form));
}

/** The digits beside this affix: a unit stands behind them, a currency before them too. "" where it is not there. */
function withoutAffix(text: string, affix: string): string {
  if (isClockAffix(affix)) {
    const time = splitClockTime(text);
    return time?.affix === affix ? time.body : "";
  }
  if (text.endsWith(affix)) return text.slice(0, -affix.length).trimEnd();
  const sign = /^[+-]/.exec(text)?.[0] ?? "";
  const unsigned = text.slice(sign.length).trimStart();
  if (!MAY_LEAD.test(affix) || !unsigned.startsWith(affix)) return "";
  return sign + unsigned.slice(affix.length).trimStart();
}

/** The sum of `1h 20m`, of which each unit is less than the one before. */
function readQuantity(text: string, { decimal, grouping }: NumberForm, units: UnitSizes): number {
  const quantity = splitQuantity(text);
  if (quantity === null) return Number.NaN;
  let sum = 0;
  let last = Number.POSITIVE_INFINITY;
  for (const { affix, body } of quantity.parts) {
    const size = Object.hasOwn(units, affix) ? units[affix]! : Number.NaN;
    if (!(size < last)) return Number.NaN;
    sum += readBare(body, { decimal, grouping, affix: "" }) * size;
    last = size;
  }
  return quantity.sign === "-" ? 0 - sum : sum;
}

/**
 * Returns the one text for a plain number: "1" for "1.0" and "+1". Returns null for what is no plain number, has
 * leading zeros, or has more digits than a double can tell apart, so that two different codes never become one.
 */
export function canonicalNumberText(text: string): string | null {
  if (hasLeadingZero(text)) return null;
  const value = parsePlainNumber(text);
  if (!Number.isFinite(value)) return null;
  const digitCount = significantDigits(text);
  if (digitCount > EXACT_DIGITS || (value === 0 && digitCount > 0)) return null;
  return String(value);
}

/**
 * How the categories of a column are found: texts are compared exactly; where every category
 * is a plain number, `1.0` is also read as `1`. Returns the category that such a text may
 * stand for, null where it can stand for none but itself.
 */
export function categoryAlias(names: readonly string[]): (text: string) => string | null {
  const allNumbers = names.length > 0 && names.every((name) => canonicalNumberText(name) === name);
  return allNumbers ? canonicalNumberText : () => null;
}

/** Counts the digits of a plain number from the first to the last that is not 0, without its exponent. */
function significantDigits(text: string): number {
  const shown = SIGNIFICANT.exec(text.split(/e/i, 1)[0]!);
  return shown === null ? 0 : shown[0].replace(".", "").length;
}

/** As `fittingBodies`, of a number taken apart: the body of a time is always plain. */
export function fittingParts({ affix, body }: NumberParts, asked: number): number {
  return fittingBodies(body, isClockAffix(affix) ? asked & FITS_PLAIN : asked);
}

/** Returns the bits, among those asked about, of the ways in which a body without affix is a number. */
export function fittingBodies(body: string, asked: number): number {
  let fits = 0;
  if ((asked & FITS_PLAIN) !== 0 && !Number.isNaN(parsePlainNumber(body))) fits |= FITS_PLAIN;
  if ((asked & FITS_DECIMAL_COMMA) !== 0 && DECIMAL_COMMA.test(body)) fits |= FITS_DECIMAL_COMMA;
  if ((asked & FITS_COMMA_GROUPS) !== 0 && COMMA_GROUPS.test(body)) fits |= FITS_COMMA_GROUPS;
  if ((asked & FITS_POINT_GROUPS) !== 0 && POINT_GROUPS.test(body)) fits |= FITS_POINT_GROUPS;
  return fits;
}

/** Returns the bit of the way in which this form writes digits. */
export function bodyBit(form: NumberForm): number {
  if (form.grouping === ",") return FITS_COMMA_GROUPS;
  if (form.grouping === ".") return FITS_POINT_GROUPS;
  return form.decimal === "," ? FITS_DECIMAL_COMMA : FITS_PLAIN;
}

/** Returns the value of a body that fits `fits`. A lone separator is the decimal one where that is possible. */
export function decimalNumber(body: string, fits: number): number {
  for (const form of BODY_FORMS) if ((fits & bodyBit(form)) !== 0) return readNumber(body, form);
  return Number.NaN;
}

/** Returns the bits of the separators that a body fitting `fits` shows: a decimal comma, or a group of thousands. */
export function separatorsSeen(body: string, fits: number): number {
  let seen = 0;
  if ((fits & FITS_DECIMAL_COMMA) !== 0 && body.includes(",")) seen |= FITS_DECIMAL_COMMA;
  if ((fits & FITS_COMMA_GROUPS) !== 0 && COMMA_GROUP.test(body)) seen |= FITS_COMMA_GROUPS;
  if ((fits & FITS_POINT_GROUPS) !== 0 && POINT_GROUP.test(body)) seen |= FITS_POINT_GROUPS;
  return seen;
}

/** True for `inf`, `-Infinity` and the like. Such a cell counts as missing, because it holds no value to learn from. */
export function isInfinityText(text: string): boolean {
  if (text.length < 3 || text.length > 9) return false;
  return INFINITY_TEXT.test(text);
}

/** True for a text whose digits are a code, not a quantity: `007`, `0x1F`, or an integer that a double cannot hold. */
export function isDigitCode(text: string): boolean {
  if (hasLeadingZero(text)) return LEADING_ZERO_CODE.test(text);
  if (text.charCodeAt(0) === 48 && HEXADECIMAL.test(text)) return true;
  return text.length > EXACT_DIGITS && isIntegerText(text) && Math.abs(Number(text)) > Number.MAX_SAFE_INTEGER;
}

function asPlainText(body: string, form: NumberForm): string {
  let plain = body;
  if (form.grouping !== "") plain = plain.replaceAll(form.grouping, "");
  return form.decimal === "," ? plain.replace(",", ".") : plain;
}
