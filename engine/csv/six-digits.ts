// Writes probabilities as text of six significant digits, straight into bytes.

const ZERO = 48;
const POINT = 46;
const MINUS = 45;
const LOWER_E = 101;
/** Digits kept. */
const DIGITS = 6;
const DECADE = 1e6;
/** With more zeros after the point than these, a number is written with an exponent. */
const MOST_ZEROS = 5;
/** Numbers from here up are scaled by powers of ten that doubles hold exactly. */
const LEAST_SCALED = 1e-16;
/**
 * A number this close to the middle between two neighbours is rounded in the exact, slower way. The error of the
 * product is far smaller than this.
 */
const DOUBT = 1e-6;
/** No number takes more bytes. */
export const MOST_NUMBER_BYTES = 32;

/** Returns the shortest text of the number rounded to six significant digits. */
export function sixDigits(value: number): string {
  return String(Number(value.toPrecision(DIGITS)));
}

/** Writes `sixDigits` of a number at `at`, where there are `MOST_NUMBER_BYTES`; returns where it ends. */
export function writeSixDigits(value: number, target: Uint8Array, at: number): number {
  if (value === 0 || value === 1) {
    target[at] = ZERO + value;
    return at + 1;
  }
  if (value >= LEAST_SCALED && value < 1) {
    let zeros = 0;
    let scale = DECADE;
    for (let least = 0.1; value < least; least = DECADES[zeros]!) {
      zeros++;
      scale *= 10;
    }
    const scaled = value * scale;
    const whole = Math.floor(scaled);
    const rest = scaled - whole;
    if (Math.abs(rest - 0.5) > DOUBT) return writeShare(rest < 0.5 ? whole : whole + 1, zeros, target, at);
  }
  const text = sixDigits(value);
  for (let i = 0; i < text.length; i++) target[at + i] = text.charCodeAt(i);
  return at + text.length;
}

/** By a number of zeros: the smallest number with that many zeros after the decimal point. */
const DECADES = Array.from({ length: 18 }, (_, zeros) => Number(`1e-${zeros + 1}`));

/**
 * Writes a number below 1: `zeros` after the point, then the six digits;
 * rounding may have carried `digits` to the next decade.
 */
function writeShare(digits: number, zeros: number, target: Uint8Array, at: number): number {
  if (digits === DECADE) {
    if (zeros > 0) return writeShare(DECADE / 10, zeros - 1, target, at);
    target[at] = ZERO + 1;
    return at + 1;
  }
  let withoutZeros = digits;
  let count = DIGITS;
  while (withoutZeros % 10 === 0) {
    withoutZeros = (withoutZeros / 10) | 0;
    count--;
  }
  if (zeros > MOST_ZEROS) return writeWithExponent(withoutZeros, count, zeros + 1, target, at);
  target[at] = ZERO;
  target[at + 1] = POINT;
  const first = at + 2 + zeros;
  target.fill(ZERO, at + 2, first);
  return writeDigits(withoutZeros, count, target, first);
}

/** Writes the first digit, a point, the other digits and a negative exponent. */
function writeWithExponent(digits: number, count: number, exponent: number, target: Uint8Array, from: number): number {
  let at = writeDigits(digits, count, target, from + 1);
  target[from] = target[from + 1]!;
  if (count > 1) target[from + 1] = POINT;
  else at--;
  target[at] = LOWER_E;
  target[at + 1] = MINUS;
  return writeDigits(exponent, exponent < 10 ? 1 : 2, target, at + 2);
}

function writeDigits(digits: number, count: number, target: Uint8Array, from: number): number {
  let rest = digits;
  for (let at = from + count - 1; at >= from; at--) {
    target[at] = ZERO + (rest % 10);
    rest = (rest / 10) | 0;
  }
  return from + count;
}
