// The order of a category's buckets by their signal for the label, so that trees can split them by "code above t".
import { chiSquare } from "../chi-square.ts";

const POWER_ITERATIONS = 100;
/** Rows of the prior that a bucket's share is shrunk towards: a bucket of one row says little. */
const PRIOR_ROWS = 2;
/** Times its mean under shuffled labels that chi-square is at least where half of it or more is beyond chance. */
const LEAST_TIMES_CHANCE = 2;
/** Among fewer buckets, neighbours are alike by chance. */
const LEAST_NEIGHBOURS = 8;
/** Neighbours are alike that differ at most by this share of what any two do. */
const MOST_APART = 0.5;

/**
 * Ranks buckets by their class counts (`bucketCount × classCount`, row-major): two classes by the shrunken share of the
 * second one, which is the best order for any two-class split criterion (Breiman et al. 1984);
 * more by the first principal component of the count-weighted, centred class shares
 * (Coppersmith, Hong, Hosking 1999). Ties keep their order, and all buckets do where most of what tells them apart is
 * chance: an order by it gives trees the labels of the very rows that they learn from (D169).
 *
 * @returns the rank of each bucket.
 */
export function orderBySignal(counts: Float64Array, classCount: number): Uint16Array {
  const bucketCount = counts.length / classCount;
  const order = Array.from({ length: bucketCount }, (_, bucket) => bucket);
  const totals = totalsOf(counts, classCount);
  if (isMostlySignal(counts, totals) && !areNeighboursAlike(counts, totals)) {
    const signal = classCount === 2 ? shrunkenShares(counts, totals) : principalScores(counts, totals);
    order.sort((a, b) => signal[a]! - signal[b]! || a - b);
  }
  const rank = new Uint16Array(bucketCount);
  order.forEach((bucket, position) => {
    rank[bucket] = position;
  });
  return rank;
}

/** Whether Pearson's chi-square of buckets and classes is well above its mean over all shuffles of the labels. */
function isMostlySignal(counts: Float64Array, { weights, prior, total }: Totals): boolean {
  const freedom = (presentCount(weights) - 1) * (presentCount(prior) - 1);
  const least = (LEAST_TIMES_CHANCE * freedom * total) / Math.max(1, total - 1);
  return chiSquare(counts, weights, prior, total) >= least;
}

/**
 * Whether buckets beside each other differ little beyond chance: at most half as much as pairs of any two, by the mean
 * squared difference of their shares, where pairs of many rows weigh more. O(buckets² × classes).
 */
function areNeighboursAlike(counts: Float64Array, { weights, prior, total }: Totals): boolean {
  const classCount = prior.length;
  const present = [...weights.keys()].filter((bucket) => weights[bucket]! > 0);
  if (present.length < LEAST_NEIGHBOURS) return false;
  const byChance = presentCount(prior) - 1;
  const sums = { neighbours: { weight: 0, excess: 0 }, all: { weight: 0, excess: 0 } };
  for (const [at, b] of present.entries()) {
    for (const [other, a] of present.slice(0, at).entries()) {
      const weight = (weights[a]! * weights[b]!) / (weights[a]! + weights[b]!);
      let apart = 0;
      for (let k = 0; k < classCount; k++) {
        const difference = counts[a * classCount + k]! / weights[a]! - counts[b * classCount + k]! / weights[b]!;
        if (prior[k]! > 0) apart += difference ** 2 / (prior[k]! / total);
      }
      for (const sum of other === at - 1 ? [sums.all, sums.neighbours] : [sums.all]) {
        sum.weight += weight;
        sum.excess += weight * apart - byChance;
      }
    }
  }
  const { neighbours, all } = sums;
  return neighbours.excess / neighbours.weight <= MOST_APART * (all.excess / all.weight);
}

function presentCount(totals: Float64Array): number {
  return totals.reduce((count, total) => count + (total > 0 ? 1 : 0), 0);
}

function shrunkenShares(counts: Float64Array, { weights, prior, total }: Totals): Float64Array {
  const ones = total > 0 ? prior[1]! / total : 0;
  return weights.map((n, bucket) => (counts[bucket * 2 + 1]! + PRIOR_ROWS * ones) / (n + PRIOR_ROWS));
}

/**
 * Projections of the shrunken, centred class shares on the leading axis of their weighted scatter, by power iteration.
 */
function principalScores(counts: Float64Array, totals: Totals): Float64Array {
  const { weights } = totals;
  const [bucketCount, classCount] = [weights.length, totals.prior.length];
  const centred = centredShares(counts, totals);
  const scatter = new Float64Array(classCount * classCount);
  for (let bucket = 0; bucket < bucketCount; bucket++) {
    for (let a = 0; a < classCount; a++) {
      const scaled = weights[bucket]! * centred[bucket * classCount + a]!;
      for (let b = 0; b < classCount; b++) scatter[a * classCount + b]! += scaled * centred[bucket * classCount + b]!;
    }
  }
  const axis = leadingAxis(scatter, classCount);
  const scores = new Float64Array(bucketCount);
  for (let bucket = 0; bucket < bucketCount; bucket++) {
    for (let k = 0; k < classCount; k++) scores[bucket]! += centred[bucket * classCount + k]! * axis[k]!;
  }
  return scores;
}

/** Rows of each bucket, of each class, and of all. */
interface Totals {
  weights: Float64Array;
  prior: Float64Array;
  total: number;
}

function totalsOf(counts: Float64Array, classCount: number): Totals {
  const weights = new Float64Array(counts.length / classCount);
  const prior = new Float64Array(classCount);
  let total = 0;
  counts.forEach((count, cell) => {
    weights[Math.floor(cell / classCount)]! += count;
    prior[cell % classCount]! += count;
    total += count;
  });
  return { weights, prior, total };
}

function centredShares(counts: Float64Array, { weights, prior, total }: Totals): Float64Array {
  const classCount = prior.length;
  const centred = new Float64Array(counts.length);
  for (let bucket = 0; bucket < weights.length; bucket++) {
    for (let k = 0; k < classCount; k++) {
      const share = total > 0 ? prior[k]! / total : 0;
      const cell = bucket * classCount + k;
      centred[cell] = (counts[cell]! + PRIOR_ROWS * share) / (weights[bucket]! + PRIOR_ROWS) - share;
    }
  }
  return centred;
}

/** The eigenvector of the largest eigenvalue; starts from the axis of largest spread and has a fixed sign. */
function leadingAxis(scatter: Float64Array, size: number): Float64Array {
  let widest = 0;
  for (let k = 1; k < size; k++) if (scatter[k * size + k]! > scatter[widest * size + widest]!) widest = k;
  let axis = scatter.slice(widest * size, (widest + 1) * size);
  for (let iteration = 0; iteration < POWER_ITERATIONS; iteration++) {
    const next = new Float64Array(size);
    let squares = 0;
    for (let a = 0; a < size; a++) {
      for (let b = 0; b < size; b++) next[a]! += scatter[a * size + b]! * axis[b]!;
      squares += next[a]! ** 2;
    }
    if (squares === 0) return axis;
    const scale = 1 / Math.sqrt(squares);
    axis = next.map((value) => value * scale);
  }
  return axis;
}
