// What the kernel of boosted trees offers: scratch memory, room for the matrices of growers that share it, and trees.
import { reservePool } from "./boosting-histogram.ts";
import { reserveSearch } from "./boosting-search.ts";
import { Growth, Layout, prepareScratch, reserveLeaves, Scratch } from "./boosting-state.ts";
import { addToScores, growTree, Nodes, reserveNodes } from "./boosting-tree.ts";
import { Matrix } from "./matrix.ts";
import { allocateArray } from "./memory.ts";

export { addToScores, prepareScratch };

let layoutCapacity: i32 = 0;

/** Room for the bytes of a grower's own arrays. */
export function allocateBytes(count: usize): usize {
  return allocateArray<u8>(count);
}

/** Sees that there is room for trees of these shapes. */
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

/** Turns to a grower's matrix. */
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

/** What the pairs of the next tree mean. */
export function setUnits(countSpan: f64, hessianUnit: f64): void {
  Growth.countSpan = countSpan;
  Growth.hessianUnit = hessianUnit;
  Growth.unitL2 = Growth.l2 / hessianUnit;
}

/** The features of the next tree are listed; see `Layout`. */
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

// Where things lie.
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
