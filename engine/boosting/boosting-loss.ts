// The log-loss of scores that lie output by output, and the sums that turn them into probabilities.

/** Rows summed together, so that their sums stay in the first-level cache while the outputs pass by. */
const BLOCK_ROWS = 1000;

/** Writes log Σ exp(score) over the outputs of each row. */
export function writeLogSums(scores: readonly Float64Array[], logSums: Float64Array): void {
  const highest = new Float64Array(BLOCK_ROWS);
  const sums = new Float64Array(BLOCK_ROWS);
  for (let start = 0; start < logSums.length; start += BLOCK_ROWS) {
    const count = Math.min(BLOCK_ROWS, logSums.length - start);
    highest.fill(Number.NEGATIVE_INFINITY);
    sums.fill(0);
    for (const own of scores) raiseTo(highest, own, start, count);
    for (const own of scores) addExponentials(sums, highest, own, start, count);
    for (let i = 0; i < count; i++) logSums[start + i] = highest[i]! + Math.log(sums[i]!);
  }
}

/** The sum of -ln p(own class) over the rows from `from` on; `scores` are the log-odds of class 1. */
export function binaryLoss(scores: Float64Array, classes: Uint8Array, from: number): number {
  let loss = 0;
  // One logarithm for 32 rows: the product stays below 2^32.
  let product = 1;
  for (let row = from; row < scores.length; row++) {
    const score = scores[row]!;
    const size = Math.abs(score);
    if (classes[row] === 1 ? score < 0 : score > 0) loss += size;
    product *= 1 + Math.exp(-size);
    if ((row & 31) === 31) {
      loss += Math.log(product);
      product = 1;
    }
  }
  return loss + Math.log(product);
}

/** The sum of -ln p(own class) over the rows from `from` on, with one output per class. */
export function softmaxLoss(
  scores: readonly Float64Array[],
  logSums: Float64Array,
  classes: Uint8Array,
  from: number,
): number {
  let loss = 0;
  for (let row = from; row < logSums.length; row++) loss += logSums[row]! - scores[classes[row]!]![row]!;
  return loss;
}

function raiseTo(highest: Float64Array, scores: Float64Array, start: number, count: number): void {
  for (let i = 0; i < count; i++) {
    const score = scores[start + i]!;
    if (score > highest[i]!) highest[i] = score;
  }
}

function addExponentials(
  sums: Float64Array,
  highest: Float64Array,
  scores: Float64Array,
  start: number,
  count: number,
): void {
  for (let i = 0; i < count; i++) sums[i] = sums[i]! + Math.exp(scores[start + i]! - highest[i]!);
}
