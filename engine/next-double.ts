// The neighbours of a double.

const DOUBLE = new Float64Array(1);
const BITS = new BigInt64Array(DOUBLE.buffer);

/** The smallest double above a finite one. */
export function nextUp(value: number): number {
  if (value === 0) return Number.MIN_VALUE;
  DOUBLE[0] = value;
  BITS[0]! += value > 0 ? 1n : -1n;
  return DOUBLE[0];
}

/** The largest double below a finite one. */
export function nextDown(value: number): number {
  return -nextUp(-value);
}
