// A row's class and weight in one number, so that the growing of trees moves and adds one array instead of two.

/** Two classes: class 1 adds its weight times this to its weight, so that a sum of marks counts both classes exactly. */
export const SECOND_CLASS = 2 ** 26;
/**
 * Adding this to a sum of marks and taking it away again rounds to a multiple of `SECOND_CLASS`: the part of class 1. It is
 * cheaper than a division, and exact while weights sum to less than 2^25.
 */
export const SECOND_CLASS_ROUNDING = 1.5 * 2 ** 78;
/** More classes: a mark is the weight shifted by this many bits, plus the class. */
export const CLASS_BITS = 8;
export const CLASS_MASK = (1 << CLASS_BITS) - 1;
/** Rows, and draws for one tree, at most: 33,554,431. */
export const MAX_TOTAL_WEIGHT = 2 ** 25 - 1;

/** The mark of a row that was drawn `weight` times; weights of more than two classes stay below 2^23. */
export function markOf(classCount: number, code: number, weight: number): number {
  if (classCount === 2) return code === 0 ? weight : weight * (SECOND_CLASS + 1);
  return weight * (1 << CLASS_BITS) + code;
}

/** Sums marks. Four running sums, because each addition waits for the one before; all are whole, so the order is free. */
export function sumOfMarks(marks: Float64Array, from: number, to: number): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let at = from;
  for (; at + 3 < to; at += 4) {
    a += marks[at]!;
    b += marks[at + 1]!;
    c += marks[at + 2]!;
    d += marks[at + 3]!;
  }
  for (; at < to; at++) a += marks[at]!;
  return a + b + (c + d);
}

/** Takes a sum of two-class marks apart into `totals`. */
export function splitSum(sum: number, totals: Float64Array): void {
  const second = Math.floor(sum / SECOND_CLASS);
  totals[0] = sum - second * (SECOND_CLASS + 1);
  totals[1] = second;
}
