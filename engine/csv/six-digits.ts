// Probabilities as text of six significant digits, straight into bytes.

const ZERO = 48;
const POINT = 46;
/** Digits kept. */
const DIGITS = 6;
const DECADE = 1e6;
/** Below this a number is written with an exponent. */
const LEAST_PLAIN = 1e-6;
/** So close to the middle between two neighbours only the exact way tells which is nearer: far more than a product is off by. */
const DOUBT = 1e-6;
/** Bytes of any number that is written. */
export const MOST_NUMBER_BYTES = 32;

/** The shortest text of the number that is left once six significant digits are kept. */
export function sixDigits(value: number): string {
  return String(Number(value.toPrecision(DIGITS)));
}

/** Writes `sixDigits` of a number at `at`, where there are `MOST_NUMBER_BYTES`; returns where it ends. */
export function writeSixDigits(value: number, target: Uint8Array, at: number): number {
  if (value >= LEAST_PLAIN && value < 1) {
    let zeros = 0;
    let scale = DECADE;
    for (let least = 0.1; value < least; least = POWERS[zeros]!) {
      zeros++;
      scale *= 10;
    }
    const scaled = value * scale;
    const whole = Math.floor(scaled);
    const rest = scaled - whole;
    const digits = rest < 0.5 ? whole : whole + 1;
    if (Math.abs(rest - 0.5) > DOUBT && digits < DECADE) return writeFraction(digits, zeros, target, at);
  }
  const text = sixDigits(value);
  for (let i = 0; i < text.length; i++) target[at + i] = text.charCodeAt(i);
  return at + text.length;
}

/** The least number with so many zeros behind the point. */
const POWERS = [1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6];

/** Zero, point, zeros, then six digits without the zeros that they end with; `digits` has six and is no round zero. */
function writeFraction(digits: number, zeros: number, target: Uint8Array, from: number): number {
  let rest = digits;
  let count = DIGITS;
  while (rest % 10 === 0) {
    rest = (rest / 10) | 0;
    count--;
  }
  target[from] = ZERO;
  target[from + 1] = POINT;
  const first = from + 2 + zeros;
  for (let at = from + 2; at < first; at++) target[at] = ZERO;
  for (let at = first + count - 1; at >= first; at--) {
    target[at] = ZERO + (rest % 10);
    rest = (rest / 10) | 0;
  }
  return first + count;
}
