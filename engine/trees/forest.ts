// The forest model: its compact nodes, and scoring rows by the mean of the trees' leaf class shares.
import type { CodedView } from "../table/buckets.ts";
import { walkTrees } from "./walk-trees.ts";

/** How a forest is grown. */
export interface ForestSettings {
  /**
   * "forest": bootstrap draws and best splits (Breiman 2001). "extra-trees":
   * random cut points (Geurts, Ernst, Wehenkel 2006).
   */
  variant: "forest" | "extra-trees";
  treeCount: number;
  /** How many features that are not constant at a node are tried there (mtry). */
  featuresPerSplit: number;
  /** Rows on each side of a split at least; a row that the bootstrap drew twice counts twice. */
  minLeafRows: number;
  /** Splits on the way to a leaf at most; null for no limit. */
  maxDepth: number | null;
  /**
   * Bootstrap draws, or rows without replacement for extra-trees, of each
   * tree at most; null for as many as there are rows.
   */
  rowsPerTree: number | null;
}

/**
 * All nodes of all trees in parallel arrays. A row goes to the right child if its code exceeds the threshold, or if its
 * value is missing or unseen and `MISSING_RIGHT` is set.
 */
export interface Forest {
  kind: "forest";
  classCount: number;
  featureCount: number;
  /** Node index of each tree's root. */
  roots: Uint32Array;
  /** Feature index of each split; at leaves the low 16 bits of their weight. */
  features: Uint16Array;
  /** Largest code that goes left, in the low 15 bits, and `MISSING_RIGHT`; at leaves the high bits of their weight. */
  thresholds: Uint16Array;
  /** Node index of the left child, the right one follows it; at leaves the complement (~) of a distribution index. */
  children: Int32Array;
  /** Class shares of leaves, `classCount` each; equal ones are stored once. */
  distributions: Float32Array;
}

/** The number of rows that a leaf was made of, each counted as often as it was drawn; 0 in files of early builds. */
export function leafWeight({ features, thresholds }: Forest, leaf: number): number {
  return thresholds[leaf]! * 0x10000 + features[leaf]!;
}

/**
 * Writes the mean class shares of the first `treeLimit` trees (all by default) for the view's `rows` into `out`,
 * `rows.length * classCount` long. Sums run in tree order, so a row's result does not depend on its neighbours.
 */
export function scoreForest(
  forest: Forest,
  view: CodedView,
  rows: Uint32Array,
  out: Float64Array,
  treeLimit: number = forest.roots.length,
): void {
  const treeCount = Math.min(treeLimit, forest.roots.length);
  out.fill(0, 0, rows.length * forest.classCount);
  sumShares(forest, treeCount, view, rows, out);
  scaleShares(out, rows.length * forest.classCount, treeCount);
}

/** Scores as `scoreForest` does, a forest whose trees lie in several ranges. */
export function scoreRanges(ranges: readonly Forest[], view: CodedView, rows: Uint32Array): Float64Array {
  const out = new Float64Array(rows.length * ranges[0]!.classCount);
  for (const range of ranges) sumShares(range, range.roots.length, view, rows, out);
  scaleShares(
    out,
    out.length,
    ranges.reduce((sum, range) => sum + range.roots.length, 0),
  );
  return out;
}

function sumShares(forest: Forest, treeCount: number, view: CodedView, rows: Uint32Array, out: Float64Array): void {
  walkTrees(forest, treeCount, view, rows, (_, leaves, from, start, count) =>
    addShares(forest, leaves, from, count, out, start * forest.classCount),
  );
}

function scaleShares(out: Float64Array, cellCount: number, treeCount: number): void {
  const scale = 1 / treeCount;
  for (let cell = 0; cell < cellCount; cell++) out[cell] = out[cell]! * scale;
}

function addShares(
  { classCount, children, distributions }: Forest,
  leaves: Uint32Array,
  firstLeaf: number,
  count: number,
  out: Float64Array,
  outStart: number,
): void {
  for (let i = 0, to = outStart; i < count; i++) {
    const from = ~children[leaves[firstLeaf + i]!]! * classCount;
    for (let k = 0; k < classCount; k++, to++) out[to] = out[to]! + distributions[from + k]!;
  }
}
