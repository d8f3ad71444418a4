// Lists of rows, and the rows of matrices that lie row after row.

export const NO_ROWS = new Uint32Array(0);

/** 0, 1, … below `count`. */
export function rowsUpTo(count: number): Uint32Array {
  const rows = new Uint32Array(count);
  for (let row = 0; row < count; row++) rows[row] = row;
  return rows;
}

/** `most` of the numbers below `count`, evenly spaced, or all where these are fewer. */
export function evenlySpaced(count: number, most: number): Uint32Array {
  const kept = Math.min(count, Math.floor(most));
  return Uint32Array.from({ length: kept }, (_, index) => Math.floor((index * count) / kept));
}

/** Where each row stands in an ascending list: entry `rows[i]` is `i`. */
export function placesOf(rows: Uint32Array): Uint32Array {
  const places = new Uint32Array((rows.at(-1) ?? -1) + 1);
  for (let i = 0; i < rows.length; i++) places[rows[i]!] = i;
  return places;
}

/** Writes some rows of a matrix one after the other; a row has `width` cells. */
export function pickRows<T extends Float32Array | Float64Array>(
  from: ArrayLike<number>,
  rows: Uint32Array,
  width: number,
  to: T,
): T {
  for (let i = 0, at = 0; i < rows.length; i++) {
    for (let cell = rows[i]! * width; cell < (rows[i]! + 1) * width; cell++, at++) to[at] = from[cell]!;
  }
  return to;
}

/** Writes the rows of `from`, one after the other, to the given rows of `to`. */
export function placeRows(from: Float64Array, to: Float64Array, rows: Uint32Array, width: number): void {
  for (let i = 0; i < rows.length; i++) to.set(from.subarray(i * width, (i + 1) * width), rows[i]! * width);
}
