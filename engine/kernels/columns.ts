// Products of a matrix of numbers, column after column, with vectors: two rows at a time, four columns a pass.
// Addresses are in bytes; columns lie `columnBytes` apart, and a multiple of four of them.

const PAIR_BYTES: usize = 16;

/** Adds the columns' numbers of `pairCount` pairs of rows, times the columns' weights, to the rows' scores. */
export function addColumns(
  columns: usize,
  columnBytes: usize,
  columnCount: i32,
  weights: usize,
  scores: usize,
  pairCount: i32,
): void {
  const end = scores + usize(pairCount) * PAIR_BYTES;
  for (let column = 0; column < columnCount; column += 4) {
    const w = v128.load_splat<f64>(weights);
    const x = v128.load_splat<f64>(weights, 8);
    const y = v128.load_splat<f64>(weights, 16);
    const z = v128.load_splat<f64>(weights, 24);
    let a = columns;
    let b = a + columnBytes;
    let c = b + columnBytes;
    let d = c + columnBytes;
    columns = d + columnBytes;
    weights += 32;
    for (let at = scores; at < end; at += PAIR_BYTES) {
      const first = f64x2.add(f64x2.mul(w, v128.load(a)), f64x2.mul(x, v128.load(b)));
      const second = f64x2.add(f64x2.mul(y, v128.load(c)), f64x2.mul(z, v128.load(d)));
      v128.store(at, f64x2.add(v128.load(at), f64x2.add(first, second)));
      a += PAIR_BYTES;
      b += PAIR_BYTES;
      c += PAIR_BYTES;
      d += PAIR_BYTES;
    }
  }
}

/** Writes each column's sum of the rows' numbers times the rows' residuals. */
export function sumColumns(
  columns: usize,
  columnBytes: usize,
  columnCount: i32,
  residuals: usize,
  sums: usize,
  pairCount: i32,
): void {
  const end = residuals + usize(pairCount) * PAIR_BYTES;
  for (let column = 0; column < columnCount; column += 4) {
    let w = f64x2.splat(0);
    let x = w;
    let y = w;
    let z = w;
    let a = columns;
    let b = a + columnBytes;
    let c = b + columnBytes;
    let d = c + columnBytes;
    columns = d + columnBytes;
    for (let at = residuals; at < end; at += PAIR_BYTES) {
      const residual = v128.load(at);
      w = f64x2.add(w, f64x2.mul(residual, v128.load(a)));
      x = f64x2.add(x, f64x2.mul(residual, v128.load(b)));
      y = f64x2.add(y, f64x2.mul(residual, v128.load(c)));
      z = f64x2.add(z, f64x2.mul(residual, v128.load(d)));
      a += PAIR_BYTES;
      b += PAIR_BYTES;
      c += PAIR_BYTES;
      d += PAIR_BYTES;
    }
    store<f64>(sums, halves(w));
    store<f64>(sums, halves(x), 8);
    store<f64>(sums, halves(y), 16);
    store<f64>(sums, halves(z), 24);
    sums += 32;
  }
}

function halves(pair: v128): f64 {
  return f64x2.extract_lane(pair, 0) + f64x2.extract_lane(pair, 1);
}
