// The exports of the kernel of boosted trees: scratch memory, buffers for the
// matrices of growers that share it, and trees.
import { reservePool } from "./boosting-histogram.ts";
import { reserveSearch } from "./boosting-search.ts";
import { Growth, Layout, prepareScratch, reserveLeaves, Scratch } from "./boosting-state.ts";
import { addToScores, growTree, Nodes, reserveNodes } from "./boosting-tree.ts";
import { Matrix } from "./matrix.ts";
import { allocateArray } from "./memory.ts";

export { addToScores, prepareScratch };

let layoutCapacity: i32 = 0;

/** Allocates a grower's own array. */
export function allocateBytes(count: usize): usize {
  return allocateArray<u8>(count);
}

/** Enlarges the buffers for trees of this shape. */
export function reserve(featureCount: i32, mostCodes: i32, maxLeaves: i32, poolBytes: usize): void {
  if (featureCount > layoutCapacity) {
    layoutCapacity = featureCount;
    Layout.features = allocateArray<i32>(featureCount);
    Layout.starts = allocateArray<i32>(featureCount);
  }
  reserveSearch(mostCodes);
  reserveLeaves(maxLeaves);
  reserveNodes(2 * maxLeaves);
  reservePool(poolBytes, maxLeaves + 1);
}

/** Switches to a grower's matrix. */
export function useMatrix(codes: usize, codeCounts: usize, rowCount: i32, isWide: bool): void {
  Matrix.codes = codes;
  Matrix.codeCounts = codeCounts;
  Matrix.rowCount = rowCount;
  Matrix.isWide = isWide;
}

export function setSettings(
  maxDepth: i32,
  maxLeaves: i32,
  minLeafRows: i32,
  isBestFirst: bool,
  l2: f64,
  stepShare: f64,
  gradientUnit: f64,
): void {
  Growth.maxDepth = maxDepth;
  Growth.maxLeaves = maxLeaves;
  Growth.minLeafRows = minLeafRows;
  Growth.isBestFirst = isBestFirst;
  Growth.l2 = l2;
  Growth.stepShare = stepShare;
  Growth.gradientUnit = gradientUnit;
}

/** Sets the units of the next tree's gradient pairs. */
export function setUnits(countSpan: f64, hessianUnit: f64): void {
  Growth.countSpan = countSpan;
  Growth.hessianUnit = hessianUnit;
  Growth.unitL2 = Growth.l2 / hessianUnit;
}

/** Call once the features of the next tree are listed; see `Layout`. */
export function setLayout(count: i32, cellCount: i32): void {
  Layout.count = count;
  Layout.cellCount = cellCount;
}

/** Grows a tree: see `growTree`. */
export function grow(rowCount: i32, otherCount: i32, gradientSum: f64, hessianSum: f64): i32 {
  return Matrix.isWide
    ? growTree<u16>(rowCount, otherCount, gradientSum, hessianSum)
    : growTree<u8>(rowCount, otherCount, gradientSum, hessianSum);
}

// Addresses of arrays.
export function layoutFeaturesAt(): usize {
  return Layout.features;
}
export function layoutStartsAt(): usize {
  return Layout.starts;
}
export function gradientsAt(): usize {
  return Scratch.gradients;
}
export function hessiansAt(): usize {
  return Scratch.hessians;
}
export function rowsAt(): usize {
  return Scratch.rows0;
}
export function othersAt(): usize {
  return Scratch.others0;
}
export function featuresAt(): usize {
  return Nodes.features;
}
export function thresholdsAt(): usize {
  return Nodes.thresholds;
}
export function childrenAt(): usize {
  return Nodes.children;
}
export function valuesAt(): usize {
  return Nodes.values;
}
