// Thins the rows that a tree learns from when there are many classes: some of the
// rows with small gradients stand for all of them.

/** With this many classes or more, most rows have small gradients for each class. */
const LEAST_CLASSES = 11;
/** With fewer rows there is no time to gain. */
const LEAST_ROWS = 4_000;
/** Share of the sum of all gradient sizes that the thinned rows hold. */
const THINNED_SHARE = 0.3;
/** One in this many rows with small gradients is kept, with this many times its gradient. */
const STANDS_FOR = 4;
/** Rows sampled to find which gradients are small. */
const TOLD_BY_ROWS = 2_000;
/** Units of a gradient of 1, so that gradients are whole numbers of 31 bits. */
const UNITS = 2 ** 30;
/** Classes of size: the first eight units, then eight for each octave. */
const SIZE_COUNT = 8 * 29;

/** The list that receives the rows that a tree does not learn from. */
export interface Thinning {
  others: Int32Array;
  otherCount: number;
  /** Shifts which of four rows is kept, from tree to tree. */
  offset: number;
}

export function isThinned(classCount: number, rowCount: number): boolean {
  return classCount >= LEAST_CLASSES && rowCount >= LEAST_ROWS;
}

/**
 * Keeps every fourth of the rows with the smallest gradients, which hold about three tenths of the sum of gradients,
 * with four times its gradient and hessian: gradient-based one-side sampling (Ke et al. 2017), after the influence
 * trimming of Friedman, Hastie, Tibshirani 2000, but without its bias. A hessian is never greater than its gradient.
 * Kept rows come first in `rows`, in their order; returns their number.
 */
export function thinRows(
  gradients: Float64Array,
  hessians: Float64Array,
  rows: Int32Array,
  count: number,
  { others, otherCount, offset }: Thinning,
): number {
  const least = leastKept(gradients, rows, count);
  let keptCount = 0;
  let small = offset;
  for (let at = 0; at < count; at++) {
    const row = rows[at]!;
    if (Math.abs(gradients[row]!) >= least) rows[keptCount++] = row;
    else if (++small % STANDS_FOR === 0) {
      gradients[row] = STANDS_FOR * gradients[row]!;
      hessians[row] = STANDS_FOR * hessians[row]!;
      rows[keptCount++] = row;
    } else others[otherCount + at - keptCount] = row;
  }
  return keptCount;
}

/** The size from which on all gradients are kept, from a sample of rows and to an eighth of an octave. */
function leastKept(gradients: Float64Array, rows: Int32Array, count: number): number {
  const step = Math.max(1, Math.floor(count / TOLD_BY_ROWS));
  const sums = new Float64Array(SIZE_COUNT);
  let total = 0;
  for (let at = 0; at < count; at += step) {
    const gradient = Math.abs(gradients[rows[at]!]!);
    const size = sizeOf(gradient);
    sums[size] = sums[size]! + gradient;
    total += gradient;
  }
  let size = 0;
  for (let sum = sums[0]!; sum <= THINNED_SHARE * total && size < SIZE_COUNT - 1; sum += sums[size]!) size++;
  const units = size < 8 ? size : (8 + (size & 7)) * 2 ** ((size >>> 3) - 1);
  return units / UNITS;
}

/** The octave of a gradient, and which eighth of it. */
function sizeOf(gradient: number): number {
  const units = (gradient * UNITS) | 0;
  const octave = 31 - Math.clz32(units);
  return octave < 3 ? units : 8 * (octave - 2) + ((units >>> (octave - 3)) & 7);
}
