// Count tables of naive Bayes: priors, how much likelier each bucket is within a class, and both with a row left out.

import { chooseFeatures, countClasses, countCodes, gatherClasses, mutualInformation } from "../fitting/class-counts.ts";
import type { FitInput } from "../fitting/family.ts";
import { throwIfCancelled } from "../stop-signal.ts";
import { FIRST_CODE, UNSEEN_CODE } from "../table/buckets.ts";

export interface BayesTables {
  /** The m of the m-estimate: p(code) counts as this many more rows of each class. */
  smoothing: number;
  classCounts: Float64Array;
  /** log((n_k + 1) / (n + classCount)). */
  logPriors: Float64Array;
  /** Rows by `code * classCount + class` per feature of the view; null where the feature takes no part. */
  counts: (Int32Array | null)[];
  /** log(p(code | class) / p(code)), laid out and null as `counts`; 0 (neutral) for codes that no fit row has. */
  lifts: (Float64Array | null)[];
  /** Mutual information of each feature and the class, in nats; 0 where it takes no part. */
  information: Float64Array;
}

/** Lifts for a row that is itself left out of the counts. */
export interface LeaveOneOutLifts {
  /** For the row's own class, at `code * classCount + class`. */
  own: Float64Array;
  /** For every other class. */
  others: Float64Array;
}

/** Cells of all tables at most, 12 bytes each; if there are more, only the most informative features take part. */
export const MAX_CELLS = 8_000_000;

/**
 * One pass over the rows. With c rows of bucket b in class k, p(b|k) = (c + m p(b)) / (n_k +
 * m), where p(b) is the overall share of the bucket, smoothed by one row per bucket. When
 * time is up, the features not counted yet take no part.
 */
export function countBayesTables(input: FitInput, smoothing: number): BayesTables {
  const { view, rows, classes, classCount } = input;
  const classCounts = countClasses(input);
  const rowClasses = gatherClasses(classes, rows);
  const bayes: BayesTables = {
    smoothing,
    classCounts,
    logPriors: classCounts.map((count) => Math.log((count + 1) / (rows.length + classCount))),
    counts: view.features.map(() => null),
    lifts: view.features.map(() => null),
    information: new Float64Array(view.features.length),
  };
  for (const index of chooseFeatures(input, MAX_CELLS, (feature) => feature.codeCount * classCount)) {
    throwIfCancelled(input.stop);
    const counts = countCodes(view.features[index]!, rows, rowClasses, classCount);
    bayes.counts[index] = counts;
    bayes.lifts[index] = liftTable(counts, classCounts, smoothing);
    bayes.information[index] = mutualInformation(counts, classCount, classCounts);
    if (input.stop.timeIsUp()) break;
  }
  return bayes;
}

/** The features that take part, ascending; at most `limit` of them, by information. */
export function informativeFeatures(bayes: BayesTables, limit: number): number[] {
  return [...bayes.lifts.keys()]
    .filter((index) => bayes.lifts[index] !== null)
    .sort((a, b) => bayes.information[b]! - bayes.information[a]! || a - b)
    .slice(0, limit)
    .sort((a, b) => a - b);
}

/**
 * log((n_y - 1 + 1) / (n + classCount)): the prior of a row's own class y
 * without the row, on the denominator of `logPriors`.
 */
export function ownLogPriors(bayes: BayesTables): Float64Array {
  const { classCounts, logPriors } = bayes;
  return logPriors.map((value, k) => value + Math.log(Math.max(classCounts[k]!, 1) / (classCounts[k]! + 1)));
}

/**
 * Lifts with one row less in the row's own cell and class; overall shares stay.
 * Neutral if the row is the only one of its code.
 */
export function leaveOneOutLifts(bayes: BayesTables, feature: number): LeaveOneOutLifts {
  const { classCounts, smoothing } = bayes;
  const counts = bayes.counts[feature]!;
  const classCount = classCounts.length;
  const codeCounts = countBuckets(counts, classCount);
  const shares = bucketShares(codeCounts);
  const ofOwnClass = new Float64Array(counts.length);
  const ofOtherClasses = bayes.lifts[feature]!.slice();
  for (let code = 0; code < codeCounts.length; code++) {
    const base = code * classCount;
    if (codeCounts[code]! <= 1) ofOtherClasses.fill(0, base, base + classCount);
    else {
      for (let k = 0; k < classCount; k++) {
        const count = counts[base + k]!;
        if (count > 0) ofOwnClass[base + k] = lift(count - 1, classCounts[k]! - 1, shares[code]!, smoothing);
      }
    }
  }
  return { own: ofOwnClass, others: ofOtherClasses };
}

function liftTable(counts: Int32Array, classCounts: Float64Array, smoothing: number): Float64Array {
  const classCount = classCounts.length;
  const codeCounts = countBuckets(counts, classCount);
  const shares = bucketShares(codeCounts);
  const lifts = new Float64Array(counts.length);
  for (let code = 0; code < codeCounts.length; code++) {
    if (codeCounts[code] === 0) continue;
    const base = code * classCount;
    let lowest = Number.POSITIVE_INFINITY;
    for (let k = 0; k < classCount; k++) {
      if (classCounts[k] === 0) continue;
      lifts[base + k] = lift(counts[base + k]!, classCounts[k]!, shares[code]!, smoothing);
      lowest = Math.min(lowest, lifts[base + k]!);
    }
    // A class without rows must not win where all others have little: it is
    // never likelier than the least likely of them.
    for (let k = 0; k < classCount; k++) if (classCounts[k] === 0) lifts[base + k] = lowest;
  }
  return lifts;
}

/** Rows of each code; the unseen code counts as empty and so stays neutral. */
function countBuckets(counts: Int32Array, classCount: number): Int32Array {
  const sums = new Int32Array(counts.length / classCount);
  for (let code = 0, cell = 0; code < sums.length; code++) {
    for (let k = 0; k < classCount; k++, cell++) sums[code] = sums[code]! + counts[cell]!;
  }
  sums[UNSEEN_CODE] = 0;
  return sums;
}

/** p(b) of missing and every bucket; the unseen code has none. */
function bucketShares(codeCounts: Int32Array): Float64Array {
  let rowCount = 0;
  for (const count of codeCounts) rowCount += count;
  const possible = codeCounts.length - (FIRST_CODE - UNSEEN_CODE);
  return Float64Array.from(codeCounts, (count, code) =>
    code === UNSEEN_CODE ? 0 : (count + 1) / (rowCount + possible),
  );
}

function lift(count: number, classRows: number, share: number, smoothing: number): number {
  return Math.log((count / share + smoothing) / (classRows + smoothing));
}
