// Spearman's rank correlation of columns of codes or levels.

interface Ranked {
  codes: ArrayLike<number>;
  codeCount: number;
}

/**
 * The ranks of codes on some rows (ties averaged), centred and of length 1, so that a dot product is a correlation;
 * null where all are equal.
 */
export function standardRanks({ codes, codeCount }: Ranked, rows: Uint32Array): Float64Array | null {
  const counts = new Uint32Array(codeCount);
  for (let i = 0; i < rows.length; i++) counts[codes[rows[i]!]!]!++;
  // Twice the rank less twice the mean rank: a whole number, so sums of squares are exact.
  const rankOfCode = new Float64Array(codeCount);
  let below = 0;
  let squares = 0;
  for (let code = 0; code < codeCount; code++) {
    const count = counts[code]!;
    const rank = 2 * below + count - rows.length;
    rankOfCode[code] = rank;
    squares += count * rank * rank;
    below += count;
  }
  if (squares === 0) return null;
  const scale = 1 / Math.sqrt(squares);
  const ranks = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) ranks[i] = rankOfCode[codes[rows[i]!]!]! * scale;
  return ranks;
}

/** The correlation of two columns, given by their standard ranks. */
export function rankCorrelation(a: Float64Array, b: Float64Array): number {
  // Four running sums, since one would wait for each addition in turn.
  const whole = a.length - (a.length % 4);
  let first = 0;
  let second = 0;
  let third = 0;
  let fourth = 0;
  for (let i = 0; i < whole; i += 4) {
    first += a[i]! * b[i]!;
    second += a[i + 1]! * b[i + 1]!;
    third += a[i + 2]! * b[i + 2]!;
    fourth += a[i + 3]! * b[i + 3]!;
  }
  for (let i = whole; i < a.length; i++) first += a[i]! * b[i]!;
  return first + second + (third + fourth);
}
