// Which columns depend on which: random structures of k-dependence members,
// and AODE's one parent for all other columns.

import type { PairInformation } from "../fitting/pair-information.ts";
import { deriveSeed, Random } from "../random.ts";

/** A column and its parents besides the class; the number of columns stands for no parent. */
export interface NetworkNode {
  column: number;
  first: number;
  second: number;
}

/** Weight of a Gumbel draw in the choice of parents: less than in the order, so that strong parents mostly stay. */
const PARENT_NOISE = 0.5;
/** Less information counts as this much, so that its logarithm is finite. */
const LEAST_INFORMATION = 1e-9;

/**
 * A member of an ensemble of 2-dependence classifiers (Sahami 1996) drawn at random: the informative columns in the
 * order of log I(X; Y) + Gumbel noise, each with the two earlier ones of largest log I(X; Z | Y) + 0.5 × Gumbel noise
 * as parents, the larger first. A column without information about another does not become its parent.
 */
export function drawDependence(
  information: PairInformation,
  informative: readonly number[],
  seed: number,
  member: number,
): NetworkNode[] {
  const { columnCount, single, conditional } = information;
  const random = new Random(deriveSeed(seed, member));
  const order = informative
    .map((column) => ({ column, rank: logOf(single[column]!) + gumbel(random) }))
    .sort((a, b) => b.rank - a.rank || a.column - b.column)
    .map(({ column }) => column);
  return order.map((column, position) => {
    const node = { column, first: columnCount, second: columnCount };
    let firstScore = Number.NEGATIVE_INFINITY;
    let secondScore = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < position; i++) {
      const earlier = order[i]!;
      const shared = conditional[column * columnCount + earlier]!;
      if (shared === 0) continue;
      const score = logOf(shared) + PARENT_NOISE * gumbel(random);
      if (score > firstScore) {
        node.second = node.first;
        secondScore = firstScore;
        node.first = earlier;
        firstScore = score;
      } else if (score > secondScore) {
        node.second = earlier;
        secondScore = score;
      }
    }
    return node;
  });
}

/**
 * The member of AODE (Webb, Boughton & Wang 2005) in which one column is the parent of all informative columns that it
 * says something about. With the number of columns as the parent: plain naive Bayes.
 */
export function dependOnOne(
  information: PairInformation,
  informative: readonly number[],
  parent: number,
): NetworkNode[] {
  const { columnCount, conditional } = information;
  return informative.map((column) => {
    const isChild = parent < columnCount && column !== parent && conditional[column * columnCount + parent]! > 0;
    return { column, first: isChild ? parent : columnCount, second: columnCount };
  });
}

function logOf(information: number): number {
  return Math.log(Math.max(LEAST_INFORMATION, information));
}

/**
 * A draw of the standard Gumbel distribution: sorting by log-weights and such noise draws in proportion to the weights.
 */
function gumbel(random: Random): number {
  return -Math.log(-Math.log((random.nextUint32() + 0.5) * 2 ** -32));
}
