// Rounds the numbers of a picture for people: short, but never two different ones to the same.

/** A number moves by at most the step's tenth. */
const PARTS_OF_STEP = 10;
/** Digits that give back any double exactly. */
const ALL_DIGITS = 17;

/**
 * Rounds each value to `least` significant digits, or to as many more as bring it within a tenth of the step to the
 * nearest different one: so different values stay different, and in their order. O(values²).
 */
export function roundedApart(values: readonly number[], least: number): Map<number, number> {
  return new Map(values.map((value) => [value, roundedWithin(value, stepAt(value, values) / PARTS_OF_STEP, least)]));
}

function stepAt(value: number, values: readonly number[]): number {
  return Math.min(...values.map((other) => (other === value ? Number.POSITIVE_INFINITY : Math.abs(other - value))));
}

function roundedWithin(value: number, margin: number, least: number): number {
  for (let digits = least; digits < ALL_DIGITS; digits++) {
    const rounded = Number(value.toPrecision(digits));
    if (Number.isFinite(rounded) && Math.abs(rounded - value) <= margin) return rounded;
  }
  return value;
}
