// The exports of the forest kernel: buffers for a matrix, and trees on it.
import { dropLeavesFrom, leafCount, leafSharesAt, prepareLeaves } from "./leaves.ts";
import { prepareManyClasses } from "./many-classes.ts";
import { Matrix, Settings } from "./matrix.ts";
import { allocateArray, FIRST_ADDRESS, reset } from "./memory.ts";
import { prepareNode } from "./node.ts";
import { setRandom } from "./random.ts";
import { prepareRandomCut } from "./random-cut.ts";
import { growTree, prepareTree, Tree } from "./tree.ts";
import { prepareSums } from "./two-class-sums.ts";

export { dropLeavesFrom, leafCount, leafSharesAt, setRandom };

/** See `ForestSettings` in engine/trees/forest.ts. */
export function setSettings(isRandomCut: bool, featuresPerSplit: i32, minLeafRows: i32, maxDepth: i32): void {
  Settings.isRandomCut = isRandomCut;
  Settings.featuresPerSplit = featuresPerSplit;
  Settings.minLeafRows = minLeafRows;
  Settings.maxDepth = maxDepth;
}

/** Frees the buffers of an earlier matrix and allocates those of one of this shape, which the caller fills. */
export function prepare(rowCount: i32, featureCount: i32, classCount: i32, mostCodes: i32, isWide: bool): void {
  reset(FIRST_ADDRESS);
  Matrix.rowCount = rowCount;
  Matrix.featureCount = featureCount;
  Matrix.classCount = classCount;
  Matrix.mostCodes = mostCodes;
  Matrix.isWide = isWide;
  const cellCount = usize(rowCount) * usize(featureCount);
  Matrix.codes = isWide ? allocateArray<u16>(cellCount) : allocateArray<u8>(cellCount);
  Matrix.codeCounts = allocateArray<i32>(featureCount);
  Matrix.classes = allocateArray<u8>(rowCount);
  Matrix.drawn = allocateArray<i32>(rowCount);
  prepareTree();
  prepareNode();
  if (Settings.isRandomCut) prepareRandomCut();
  if (classCount === 2) prepareSums();
  else if (!Settings.isRandomCut) prepareManyClasses();
  prepareLeaves();
}

/** Grows a tree on the drawn rows: see `growTree`. */
export function grow(takesVotes: bool): i32 {
  return Matrix.isWide ? growTree<u16>(takesVotes) : growTree<u8>(takesVotes);
}

// Addresses of arrays.
export function codesAt(): usize {
  return Matrix.codes;
}
export function codeCountsAt(): usize {
  return Matrix.codeCounts;
}
export function classesAt(): usize {
  return Matrix.classes;
}
export function drawnAt(): usize {
  return Matrix.drawn;
}
export function gainsAt(): usize {
  return Tree.gains;
}
export function featuresAt(): usize {
  return Tree.features;
}
export function thresholdsAt(): usize {
  return Tree.thresholds;
}
export function leafOfOtherAt(): usize {
  return Tree.leafOfOther;
}
export function childrenAt(): usize {
  return Tree.children;
}
