// Groups of features that are nearly copies of each other, by the rank correlation of their codes.

import { evenlySpaced } from "../row-lists.ts";
import { rankCorrelation, standardRanks } from "../statistics/rank-correlation.ts";
import type { CodedView } from "../table/buckets.ts";

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
    const leader = leaders.find((other) => Math.abs(rankCorrelation(other.ranks, ranks)) >= threshold - ROUNDING);
    if (leader !== undefined) return leader.position;
    leaders.push({ position, ranks });
    return position;
  });
}
