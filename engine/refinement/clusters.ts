// Groups of features that are nearly copies of each other, by the rank correlation of their codes.

import { evenlySpaced } from "../row-lists.ts";
import type { CodedFeature, CodedView } from "../table/buckets.ts";

/** Rows that correlations are taken over at most: they move a correlation of .9 by about .004. */
const CORRELATED_ROWS = 2_000;
/** A copy may fall short of a correlation of 1 by rounding. */
const ROUNDING = 1e-9;

/**
 * Greedy leader clustering. `features` are indexes into the view in order of priority: the first leads, each following
 * one joins the first leader whose absolute Spearman correlation with it reaches `threshold`, or else leads itself.
 * Returns for each position in `features` the position of its leader, its own where it leads.
 *
 * Ranks are of codes (the reserved codes lowest, ties averaged) over at most 2,000 evenly spaced of the `rows`. A
 * feature constant there correlates with nothing. O(features × leaders × 2,000); memory 16 kB per leader.
 */
export function clusterFeatures(
  view: CodedView,
  rows: Uint32Array,
  features: readonly number[],
  threshold = 0.9,
): number[] {
  const sample = evenlySpaced(rows.length, CORRELATED_ROWS).map((index) => rows[index]!);
  const leaders: { position: number; ranks: Float64Array }[] = [];
  return features.map((feature, position) => {
    const ranks = standardRanks(view.features[feature]!, sample);
    if (ranks === null) return position;
    const leader = leaders.find((other) => Math.abs(dot(other.ranks, ranks)) >= threshold - ROUNDING);
    if (leader !== undefined) return leader.position;
    leaders.push({ position, ranks });
    return position;
  });
}

/**
 * The ranks of a feature's codes, centred and of length 1, so that a dot
 * product is a correlation; null where all are equal.
 */
function standardRanks(feature: CodedFeature, rows: Uint32Array): Float64Array | null {
  const { codes, codeCount } = feature;
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

/** Four running sums, since one would wait for each addition in turn. */
function dot(a: Float64Array, b: Float64Array): number {
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
