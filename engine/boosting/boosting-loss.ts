// The log-loss of scores that lie output by output, and the sums that turn them into probabilities.

/** Writes log Σ exp(score) over the outputs of each row. */
export function writeLogSums(scores: readonly Float64Array[], logSums: Float64Array): void {
  for (let row = 0; row < logSums.length; row++) {
    let highest = Number.NEGATIVE_INFINITY;
    for (let k = 0; k < scores.length; k++) highest = Math.max(highest, scores[k]![row]!);
    let sum = 0;
    for (let k = 0; k < scores.length; k++) sum += Math.exp(scores[k]![row]! - highest);
    logSums[row] = highest + Math.log(sum);
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
