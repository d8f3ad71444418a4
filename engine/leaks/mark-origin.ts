// Was a mark there before the outcome, or does it come from it? Told by the other columns (D171).

import { upperNormal } from "../statistics/tail-probabilities.ts";
import { type CodedFeature, FIRST_CODE } from "../table/buckets.ts";
import type { LabelledRows } from "../table/table.ts";

/**
 * In standard errors: a mark is a cause, or a consequence, if it is this far from the one and this near to the other.
 */
const APART_Z = 3.5;
const NEAR_Z = 2.5;
/** A mark comes from the outcome only where the other columns say enough to be sure, and hardly anything besides. */
const MOST_ERROR = 0.15;
const MOST_BESIDES = 0.2;
/** Less likely is what no longer passes for independence once the label is known. */
const LEAST_CHANCE = 0.01;
/** Ranges of a number with as many rows each. */
const RANGES = 10;

export type OfRow = (row: number) => number;

/**
 * `causeShare` is 1 for a cause of the label and 0 for a consequence. A cause has nothing to do with other causes, so
 * among rows of one label it is the rarer the more likely these make the label. A consequence has nothing to do with
 * them once the label is known. It is below 0 for what goes with them beyond the label.
 */
export interface MarkOrigin {
  causeShare: number;
  /** The standard error from 0: large where the other columns say little. */
  error: number;
  /** The chance that a mark which is independent of each column, once the label is known, seems to depend as much. */
  chance: number;
  /** The chance that the other columns seem to depend on each other as much, if they do not: symptoms need not. */
  chanceOfOthers: number;
}

/**
 * `mark` is 0 or 1. `scoreOf`: how likely the label `code` is by the other columns, `features`, of rows that did not
 * teach it. O(rows × features).
 */
export function markOrigin(
  rows: LabelledRows,
  features: readonly CodedFeature[],
  code: number,
  mark: OfRow,
  scoreOf: OfRow,
): MarkOrigin {
  const { within, deviation, throughLabel } = covariance(rows, mark, scoreOf);
  const scores = features.map((feature) => labelShares(rows, feature, code));
  return {
    causeShare: -within / throughLabel,
    error: deviation / Math.abs(throughLabel),
    chance: leastChance(scores.map((score) => covariance(rows, mark, score))),
    chanceOfOthers: chanceOfAll(rows, scores),
  };
}

/** By each column beside the sum of all others, and by all pairs together: causes oppose each other, symptoms agree. */
function chanceOfAll(rows: LabelledRows, scores: readonly OfRow[]): number {
  const sums = new Float64Array(rows.classes.length);
  const total = { within: 0, deviation: 0, throughLabel: 0 };
  for (const score of scores) {
    const pairs = covariance(rows, score, (row) => sums[row]!);
    total.within += pairs.within;
    total.deviation = Math.hypot(total.deviation, pairs.deviation);
    for (const row of rows.rows) sums[row] = sums[row]! + score(row);
  }
  const each = scores.map((score) => covariance(rows, score, (row) => sums[row]! - score(row)));
  return 2 * Math.min(leastChance([total]), leastChance(each));
}

export function isOfCause({ causeShare, error }: MarkOrigin): boolean {
  return causeShare >= APART_Z * error && Math.abs(1 - causeShare) <= NEAR_Z * error;
}

export function isOfOutcome({ causeShare, error, chance, chanceOfOthers }: MarkOrigin): boolean {
  if (chance < LEAST_CHANCE || chanceOfOthers >= LEAST_CHANCE) return false;
  return error <= MOST_ERROR && Math.abs(causeShare) <= Math.min(MOST_BESIDES, NEAR_Z * error);
}

/** The share of the label among the rows with the same cell, or with numbers near it: what a column alone says. */
export function labelShares(
  { rows, classes }: LabelledRows,
  { kind, codes, codeCount }: CodedFeature,
  code: number,
): OfRow {
  const counts = new Float64Array(codeCount);
  const ofLabel = new Float64Array(codeCount);
  for (const row of rows) {
    counts[codes[row]!]!++;
    if (classes[row] === code) ofLabel[codes[row]!]!++;
  }
  const shares = ofLabel.map((count, at) => count / counts[at]!);
  if (kind === "number") shareWithNext(shares, counts, ofLabel, rows.length / RANGES);
  return (row) => shares[codes[row]!]!;
}

/** Takes the codes of numbers together until they have so many rows. */
function shareWithNext(shares: Float64Array, counts: Float64Array, ofLabel: Float64Array, leastRows: number): void {
  for (let first = FIRST_CODE; first < counts.length; ) {
    let [last, all, own] = [first, 0, 0];
    for (; last < counts.length && all < leastRows; last++) {
      all += counts[last]!;
      own += ofLabel[last]!;
    }
    shares.fill(own / all, first, last);
    first = last;
  }
}

interface Covariance {
  /** Summed over the rows: that among rows of the same label, and its standard deviation if there is none. */
  within: number;
  deviation: number;
  /** The rest, which is through the label. */
  throughLabel: number;
}

function covariance({ rows, classes, classCount }: LabelledRows, one: OfRow, other: OfRow): Covariance {
  const ofClasses = Array.from({ length: classCount }, () => new Moments());
  const ofAll = new Moments();
  for (const row of rows) {
    const [a, b] = [one(row), other(row)];
    if (Number.isNaN(b)) continue;
    ofClasses[classes[row]!]!.add(a, b);
    ofAll.add(a, b);
  }
  const within = ofClasses.reduce((sum, moments) => sum + moments.product(), 0);
  const variance = ofClasses.reduce((sum, moments) => sum + moments.variance(), 0);
  return { within, deviation: Math.sqrt(variance), throughLabel: ofAll.product() - within };
}

/** Two-sided, that of the least likely, by Bonferroni. */
function leastChance(found: readonly Covariance[]): number {
  const chances = found.map(({ within, deviation }) =>
    deviation > 0 ? 2 * upperNormal(Math.abs(within) / deviation) : 1,
  );
  return found.length * Math.min(1, ...chances);
}

/** How far two figures go together among rows of one label, in standard errors: below 0 where one opposes the other. */
export function togetherWithin(rows: LabelledRows, one: OfRow, other: OfRow): number {
  const { within, deviation } = covariance(rows, one, other);
  return deviation > 0 ? within / deviation : 0;
}

/** Sums over rows of two figures. */
class Moments {
  private count = 0;
  private ones = 0;
  private others = 0;
  private oneSquares = 0;
  private otherSquares = 0;
  private products = 0;

  add(one: number, other: number): void {
    this.count++;
    this.ones += one;
    this.others += other;
    this.oneSquares += one * one;
    this.otherSquares += other * other;
    this.products += one * other;
  }

  /** The sum of the products of deviations from the means. */
  product(): number {
    return this.count === 0 ? 0 : this.products - (this.ones * this.others) / this.count;
  }

  /** The variance of `product` where the two are independent. */
  variance(): number {
    const { count, ones, others, oneSquares, otherSquares } = this;
    if (count < 2) return 0;
    return (
      (Math.max(0, oneSquares - ones ** 2 / count) * Math.max(0, otherSquares - others ** 2 / count)) / (count - 1)
    );
  }
}
