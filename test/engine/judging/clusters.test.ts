// Sums by cluster, and the quantile that few clusters need.
import { expect, test } from "bun:test";
import { clusterVariance, studentQuantile, sumsByCluster } from "../../../engine/judging/clusters.ts";

test("values are added up by the cluster of their row", () => {
  const clusters = Uint32Array.of(7, 8, 7, 9);
  expect(sumsByCluster(Uint32Array.of(0, 2, 3), clusters, [1, 10, 100])).toEqual([11, 100]);
  expect(sumsByCluster(new Uint32Array(0), clusters, [])).toEqual([]);
});

test("the variance of a sum is that of its clusters", () => {
  expect(clusterVariance([1, -1])).toBe(4);
  expect(clusterVariance([2, -1, -1])).toBe(9);
});

test.each([
  [1, 12.706],
  [2, 4.303],
  [3, 3.182],
  [5, 2.571],
  [10, 2.228],
  [30, 2.042],
  [120, 1.98],
])("Student's quantile with %d degrees is that of the tables", (degrees, quantile) => {
  expect(Math.abs(studentQuantile(degrees) - quantile)).toBeLessThan(0.01);
});
