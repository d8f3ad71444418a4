// Rows of a cluster, a group or a stretch of time, are right or wrong together: sums by cluster, and what they vary by.

import { Z_95 } from "./metrics.ts";

/** The sums of the rows' values by cluster, in order of appearance. `clusters`: of every row of a table. */
export function sumsByCluster(rows: Uint32Array, clusters: Uint32Array, values: ArrayLike<number>): number[] {
  const sums = new Map<number, number>();
  rows.forEach((row, at) => {
    sums.set(clusters[row]!, (sums.get(clusters[row]!) ?? 0) + values[at]!);
  });
  return [...sums.values()];
}

/** The variance of a sum over clusters whose expected sums are 0. At least two clusters. */
export function clusterVariance(sums: readonly number[]): number {
  return (sums.reduce((sum, value) => sum + value ** 2, 0) * sums.length) / (sums.length - 1);
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
