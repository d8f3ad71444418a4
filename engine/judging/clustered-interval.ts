// The interval of an accuracy whose rows are not independent: wider, by how much their clusters differ.

import { sumOf } from "../sums.ts";
import { type Estimate, wilsonInterval, Z_95 } from "./metrics.ts";

/** Rows judged and decided wrong in each group, or stretch of time. */
export interface ClusterCounts {
  rows: readonly number[];
  wrong: readonly number[];
}

/** Counts of some judged rows by their cluster. `isRight`: 1 where the decision of `rows[i]` was right. */
export function countClusters(
  rows: Uint32Array,
  isWrong: (index: number) => boolean,
  clusters: Uint32Array,
): ClusterCounts {
  const places = new Map<number, number>();
  const counts = { rows: [] as number[], wrong: [] as number[] };
  for (let i = 0; i < rows.length; i++) {
    const cluster = clusters[rows[i]!]!;
    const place = places.get(cluster) ?? places.size;
    if (place === places.size) {
      places.set(cluster, place);
      counts.rows.push(0);
      counts.wrong.push(0);
    }
    counts.rows[place]!++;
    if (isWrong(i)) counts.wrong[place]!++;
  }
  return counts;
}

/** Joins the counts of several judgements; clusters of different ones count apart. */
export function joinClusters(counts: readonly ClusterCounts[]): ClusterCounts {
  return { rows: counts.flatMap(({ rows }) => rows), wrong: counts.flatMap(({ wrong }) => wrong) };
}

/**
 * The share of right decisions with its 95% interval: Wilson's, for as many independent rows as the clusters are worth,
 * and with Student's t for the number of clusters (Korn & Graubard 1998, as Dean & Pagano 2015 apply it to Wilson's
 * interval). The design effect is that of the ratio estimator, the variance between clusters over that of independent
 * rows, at least 1. Where every decision is right, or none, clusters cannot be told apart, and each counts as one row.
 */
export function clusteredInterval({ rows, wrong }: ClusterCounts): Estimate | null {
  const clusterCount = rows.length;
  const rowCount = sumOf(rows);
  if (rowCount === 0) return null;
  const share = 1 - sumOf(wrong) / rowCount;
  if (clusterCount < 2) return { mean: share, low: 0, high: 1 };
  const worth = Math.min(rowCount, worthOf(rows, wrong, rowCount, share));
  const { low, high } = wilsonInterval(share * worth, worth, studentQuantile(clusterCount - 1));
  return { mean: share, low: Math.min(low, share), high: Math.max(high, share) };
}

/** How many independent rows would estimate the share as well. */
function worthOf(rows: readonly number[], wrong: readonly number[], rowCount: number, share: number): number {
  const clusterCount = rows.length;
  if (share === 0 || share === 1) return clusterCount;
  const variance = clusterVariance(rows, wrong, 1 - share);
  const independent = (share * (1 - share)) / rowCount;
  return rowCount / Math.max(1, variance / independent);
}

/** The variance of a mean over rows, by how much the sums over clusters differ from it. At least two clusters. */
export function clusterVariance(rows: readonly number[], sums: readonly number[], mean: number): number {
  const rowCount = sumOf(rows);
  const squares = sums.reduce((sum, own, i) => sum + (own - mean * rows[i]!) ** 2, 0);
  return (squares * rows.length) / (rows.length - 1) / rowCount ** 2;
}

/** Two-sided 95% quantiles of Student's t with 1 and 2 degrees of freedom, where the expansion does not hold. */
const FEW_DEGREES = [12.706, 4.303];

/**
 * The two-sided 95% quantile of Student's t, by the expansion of Cornish and Fisher
 * (Abramowitz & Stegun 26.7.5); within .001 from 5 degrees on.
 */
export function studentQuantile(degrees: number): number {
  if (degrees <= FEW_DEGREES.length) return FEW_DEGREES[degrees - 1]!;
  const z = Z_95;
  const n = degrees;
  const g1 = (z ** 3 + z) / 4;
  const g2 = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96;
  const g3 = (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384;
  const g4 = (79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 - 945 * z) / 92_160;
  return z + g1 / n + g2 / n ** 2 + g3 / n ** 3 + g4 / n ** 4;
}
