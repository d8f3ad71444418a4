// Plain numbers in text: `-12`, `+3`, `.5`, `5.`, `1e5`. The kernel reads most of them from bytes.

/** Any integer of this many digits is exact in a double. */
export const EXACT_DIGITS = 15;
const PLAIN = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const INTEGER = /^[+-]?\d+$/;
const LEADING_ZERO = /^[+-]?0\d/;

/**
 * Returns the value of a trimmed text in the plain form; NaN where the text
 * has another form. Too large a number is infinite.
 */
export function parsePlainNumber(text: string): number {
  // Adding 0 turns -0 into 0.
  return PLAIN.test(text) ? Number(text) + 0 : Number.NaN;
}

/** True for an optional sign and digits alone. */
export function isIntegerText(text: string): boolean {
  return INTEGER.test(text);
}

/**
 * True where a digit follows a leading zero, as in `007`, `-01` or `00.5`.
 * Such a text is a code whose zeros carry meaning.
 */
export function hasLeadingZero(text: string): boolean {
  return LEADING_ZERO.test(text);
}
