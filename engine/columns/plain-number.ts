// A fast exact parser of plain numbers: `-12`, `+3`, `.5`, `5.`, `1e5`.

const MINUS = 45;
const PLUS = 43;
const POINT = 46;
const ZERO = 48;
const NINE = 57;
const UPPER_E = 69;
const LOWER_E = 101;
/** Integers and powers of ten up to these are exact in a double, so one division by the power rounds correctly (Clinger 1990). */
export const EXACT_DIGITS = 15;
const POWERS_OF_TEN = Float64Array.from({ length: EXACT_DIGITS + 1 }, (_, power) => Number(`1e${power}`));
const PLAIN = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * Returns the value of a trimmed text in the plain form, equal to `Number(text)`; NaN where the text has another form. Too large a number is
 * infinite; -0 reads as 0.
 */
export function parsePlainNumber(text: string): number {
  const length = text.length;
  const sign = length === 0 ? 0 : text.charCodeAt(0);
  let at = sign === MINUS || sign === PLUS ? 1 : 0;
  let mantissa = 0;
  let digitCount = 0;
  let pointAt = -1;
  for (; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code >= ZERO && code <= NINE) {
      mantissa = mantissa * 10 + (code - ZERO);
      digitCount++;
    } else if (code === POINT && pointAt < 0) {
      pointAt = at;
    } else {
      return code === LOWER_E || code === UPPER_E ? parseSlowly(text) : Number.NaN;
    }
  }
  if (digitCount === 0) return Number.NaN;
  // Adding 0 turns -0 into 0.
  if (digitCount > EXACT_DIGITS) return Number(text) + 0;
  const value = pointAt < 0 ? mantissa : mantissa / POWERS_OF_TEN[length - 1 - pointAt]!;
  return sign === MINUS && value !== 0 ? -value : value;
}

/** True for an optional sign and digits alone. */
export function isIntegerText(text: string): boolean {
  const length = text.length;
  const first = text.charCodeAt(0);
  let at = first === MINUS || first === PLUS ? 1 : 0;
  if (at === length) return false;
  for (; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code < ZERO || code > NINE) return false;
  }
  return true;
}

/** True where a digit follows a leading zero, as in `007`, `-01` or `00.5`. Such a text is a code whose zeros carry meaning. */
export function hasLeadingZero(text: string): boolean {
  const first = text.charCodeAt(0);
  const at = first === MINUS || first === PLUS ? 1 : 0;
  const next = text.charCodeAt(at + 1);
  return text.charCodeAt(at) === ZERO && next >= ZERO && next <= NINE;
}

function parseSlowly(text: string): number {
  return PLAIN.test(text) ? Number(text) + 0 : Number.NaN;
}
