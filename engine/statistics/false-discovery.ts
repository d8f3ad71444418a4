// The control of false discoveries among many p-values.

/**
 * Marks the discoveries (1) at a false discovery `rate`: step-up procedure of Benjamini and
 * Hochberg (1995), the k smallest p-values for the largest k whose k-th is at most `rate` × k
 * / all. Equal p-values share their fate; NaN counts as 1.
 */
export function benjaminiHochberg(pValues: ArrayLike<number>, rate: number): Uint8Array {
  const values = Float64Array.from(pValues, (value) => (Number.isNaN(value) ? 1 : value));
  const ascending = values.toSorted();
  let last = ascending.length - 1;
  while (last >= 0 && ascending[last]! > (rate * (last + 1)) / ascending.length) last--;
  const highest = last < 0 ? Number.NEGATIVE_INFINITY : ascending[last]!;
  return Uint8Array.from(values, (value) => (value <= highest ? 1 : 0));
}
