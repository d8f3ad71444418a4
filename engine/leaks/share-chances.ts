// How likely the numbers of a column agree with shares of a label by luck, where they are not made of these.

import { upperGamma, upperNormal } from "../statistics/tail-probabilities.ts";

/** A value of the column, and its rows. Values are listed in ascending order, each with a row or more. */
export interface ShareCount {
  /** The value, from 0 to 1. */
  share: number;
  rows: number;
  labelled: number;
}

/** Fewer distinct shares between 0 and 1 may agree by chance. */
const LEAST_SHARES = 4;
/** Fewer values may all lie on one side by chance. */
const LEAST_DRAWN = 20;
/** Values on either side that tell how often a value's rows should have the label. */
const NEIGHBOURS = 2;
/** Smaller groups have their values in common. */
const LEAST_GROUP = 5;
const MOST_DECIMALS = 12;
/** Doubles that should be equal differ by less. */
const LEAST_STEP = 1e-9;

/**
 * The p-value of agreeing this closely if each value were the true probability. The p-values of the single values, by
 * the normal approximation with a continuity correction, are combined by Fisher's method. 1 if a 0 or 1 is wrong.
 */
export function chanceOfShares(counts: readonly ShareCount[]): number {
  let shareCount = 0;
  let surprise = 0;
  for (const { share, rows, labelled } of counts) {
    const away = Math.abs(labelled - share * rows);
    if (share === 0 || share === 1) {
      if (away > 0) return 1;
      continue;
    }
    shareCount++;
    const within = 1 - 2 * upperNormal((away + 0.5) / Math.sqrt(rows * share * (1 - share)));
    surprise -= Math.log(within);
  }
  return shareCount < LEAST_SHARES ? 1 : upperGamma(shareCount, surprise);
}

/**
 * Shares that are drawn towards that of all rows, such as (labelled + 10 · overall) / (rows + 10). Whatever draws them,
 * the true share of each value's rows lies beyond the value. Returns the chance of that where the label is as frequent
 * as among the values beside it, or beside it on the same side of the overall share; 1 where one value is otherwise.
 */
export function chanceOfDrawnShares(counts: readonly ShareCount[]): number {
  const overall = totalOf(counts);
  const center = overall.labelled / overall.rows;
  const unit = unitOf(counts);
  let drawnCount = 0;
  let chance = 1;
  for (const [at, own] of counts.entries()) {
    const { share, rows, labelled } = own;
    const isEqual = Math.abs(labelled - share * rows) <= (unit / 2 + LEAST_STEP) * rows;
    if (isEqual || Math.abs(share - center) <= unit) continue;
    const isAbove = share > center;
    if (labelled > share * rows !== isAbove) return 1;
    const around = counts.slice(Math.max(0, at - NEIGHBOURS), at + NEIGHBOURS + 1).filter((each) => each !== own);
    const sameSide = around.filter((each) => each.share > center === isAbove);
    chance *= Math.max(chanceBeyond(own, isAbove, totalOf(around)), chanceBeyond(own, isAbove, totalOf(sameSide)));
    drawnCount++;
  }
  return drawnCount < LEAST_DRAWN ? 1 : chance;
}

/**
 * The chance that more of a value's rows have the label than it says, or fewer, if others tell how often. One more row
 * counts among the others, which is as the value's rows should be.
 */
function chanceBeyond({ share, rows }: ShareCount, isAbove: boolean, others: Omit<ShareCount, "share">): number {
  const hits = isAbove ? others.labelled : others.rows - others.labelled;
  const expected = (hits + 1) / (others.rows + 1);
  const least = Math.floor((isAbove ? share : 1 - share) * rows + LEAST_STEP) + 1;
  return upperNormal((least - 0.5 - expected * rows) / Math.sqrt(rows * expected * (1 - expected)));
}

/**
 * Shares among the other rows of a group, without the row's own label: a group of n rows of which k have the label says
 * (k − 1) / (n − 1) in these k and k / (n − 1) in the others. Returns 0 where enough values come in such pairs, beyond
 * those that come in pairs with the two kinds of rows exchanged; else 1.
 */
export function chanceOfOtherShares(counts: readonly ShareCount[]): number {
  const exchanged = counts.map(({ share, rows, labelled }) => ({ share, rows, labelled: rows - labelled }));
  return countPairs(counts) - countPairs(exchanged) < LEAST_SHARES ? 1 : 0;
}

function countPairs(counts: readonly ShareCount[]): number {
  const tolerance = unitOf(counts) / 2 + LEAST_STEP;
  const withLabel = counts.filter(({ rows, labelled, share }) => labelled === rows && rows > 1 && share > 0);
  const without = counts.filter(({ labelled }) => labelled === 0);
  let pairCount = 0;
  let first = 0;
  // The partner's share rises with the share, but for groups of other sizes: it is looked for from the share on.
  for (const { share, rows } of withLabel) {
    const otherCount = Math.round((rows - 1) / share);
    if (otherCount + 1 < LEAST_GROUP || Math.abs((rows - 1) / otherCount - share) > tolerance) continue;
    while (first < without.length && without[first]!.share < share) first++;
    const partner = rows / otherCount;
    for (let at = first; at < without.length && without[at]!.share <= partner + tolerance; at++) {
      const other = without[at]!;
      if (other.rows !== otherCount + 1 - rows || other.share < partner - tolerance) continue;
      pairCount++;
      break;
    }
  }
  return pairCount;
}

function totalOf(counts: readonly ShareCount[]): Omit<ShareCount, "share"> {
  const total = { rows: 0, labelled: 0 };
  for (const { rows, labelled } of counts) {
    total.rows += rows;
    total.labelled += labelled;
  }
  return total;
}

/** The last decimal place of the values; 0 where they are not rounded. */
function unitOf(counts: readonly ShareCount[]): number {
  for (let decimals = 0; decimals <= MOST_DECIMALS; decimals++) {
    const scale = 10 ** decimals;
    if (counts.every(({ share }) => Math.abs(share * scale - Math.round(share * scale)) < 1e-6)) return 1 / scale;
  }
  return 0;
}
