// The forest model: its compact nodes, and scoring rows by the mean of the trees' leaf class shares.
import { type CodedView, FIRST_CODE } from "../buckets.ts";
import { type RowTrees, rowWalkerOf } from "./row-walk.ts";
import { codesOfRow, isWorthLayingOut, leavesOfRow, sideOf, TreeWalker } from "./tree-walk.ts";

/** How a forest is grown. */
export interface ForestSettings {
  /** "forest": bootstrap draws and best splits (Breiman 2001). "extra-trees": random cut points (Geurts, Ernst, Wehenkel 2006). */
  variant: "forest" | "extra-trees";
  treeCount: number;
  /** How many features that are not constant at a node are tried there (mtry). */
  featuresPerSplit: number;
  /** Rows on each side of a split at least; a row that the bootstrap drew twice counts twice. */
  minLeafRows: number;
  /** Splits on the way to a leaf at most; null for no limit. */
  maxDepth: number | null;
  /** Bootstrap draws, or rows without replacement for extra-trees, of each tree at most; null for as many as there are rows. */
  rowsPerTree: number | null;
  /** Whether every tree draws as many rows of each class (Chen, Liaw, Breiman 2004); left out for draws from all rows. */
  balanced?: boolean;
}

/** A threshold above every code: rows with any value go left, rows without one right. */
export const PRESENT_LEFT = 0x7fff;

/**
 * All nodes of all trees in parallel arrays. A row goes to the right child where its code exceeds the threshold, or where
 * its code tells nothing and `MISSING_RIGHT` is set.
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

/** The rows that a leaf was made of, each as often as it was drawn; 0 in the files of versions that did not keep it. */
export function leafWeight({ features, thresholds }: Forest, leaf: number): number {
  return thresholds[leaf]! * 0x10000 + features[leaf]!;
}

/** Codes in a block of few rows at most: 128 KiB, so that a block and the tree at hand stay in the second-level cache. */
const BLOCK_CODE_COUNT = 1 << 16;
const BLOCK_ROW_COUNT = 2048;
/** Rows that go down a tree together where they are few. */
const ROWS_TOGETHER = 4;

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
  const cellCount = rows.length * forest.classCount;
  out.fill(0, 0, cellCount);
  if (isWorthLayingOut(forest, rows.length)) scoreMany(forest, treeCount, view, rows, out);
  else if (rows.length < ROWS_TOGETHER) scoreEach(forest, treeCount, view, rows, out);
  else scoreFew(forest, treeCount, view, rows, out);
  const scale = 1 / treeCount;
  for (let cell = 0; cell < cellCount; cell++) out[cell] = out[cell]! * scale;
}

function scoreMany(forest: Forest, treeCount: number, view: CodedView, rows: Uint32Array, out: Float64Array): void {
  const walker = new TreeWalker(forest, rows.length);
  for (let start = 0; start < rows.length; start += walker.blockRowCount) {
    const block = rows.subarray(start, start + walker.blockRowCount);
    walker.take(view, block);
    for (let tree = 0; tree < treeCount; tree++) {
      addShares(forest, walker.leavesOf(tree), block.length, out, start * forest.classCount);
    }
  }
  walker.end();
}

function addShares(
  { classCount, children, distributions }: Forest,
  leaves: Uint32Array,
  count: number,
  out: Float64Array,
  outStart: number,
): void {
  for (let i = 0, to = outStart; i < count; i++) {
    const from = ~children[leaves[i]!]! * classCount;
    for (let k = 0; k < classCount; k++, to++) out[to] = out[to]! + distributions[from + k]!;
  }
}

/** What `layOutForRows` takes of a forest: leaves tell their distribution as `children` do. */
export function forestForRows(forest: Forest): RowTrees {
  return { trees: forest, words: forest.children };
}

/** Row by row, several trees at a time. */
function scoreEach(forest: Forest, treeCount: number, view: CodedView, rows: Uint32Array, out: Float64Array): void {
  const { classCount, children, distributions } = forest;
  const walker = rowWalkerOf(forest);
  const leaves = new Uint32Array(walker === null ? treeCount : 0);
  const words = walker?.words ?? new Int32Array(treeCount);
  for (let i = 0; i < rows.length; i++) {
    if (walker !== null) walker.walk(view, rows[i]!, treeCount);
    else {
      leavesOfRow(forest, codesOfRow(view, rows[i]!), leaves);
      for (let tree = 0; tree < treeCount; tree++) words[tree] = children[leaves[tree]!]!;
    }
    const to = i * classCount;
    for (let tree = 0; tree < treeCount; tree++) {
      const from = ~words[tree]! * classCount;
      for (let k = 0; k < classCount; k++) out[to + k] = out[to + k]! + distributions[from + k]!;
    }
  }
}

function scoreFew(forest: Forest, treeCount: number, view: CodedView, rows: Uint32Array, out: Float64Array): void {
  const { classCount, featureCount } = forest;
  const blockRowCount = Math.max(
    1,
    Math.min(BLOCK_ROW_COUNT, rows.length, Math.floor(BLOCK_CODE_COUNT / featureCount)),
  );
  const block = new Uint16Array(blockRowCount * featureCount);
  for (let start = 0; start < rows.length; start += blockRowCount) {
    const count = Math.min(blockRowCount, rows.length - start);
    fillBlock(block, view, rows, start, count, featureCount);
    for (let tree = 0; tree < treeCount; tree++)
      addTree(forest, forest.roots[tree]!, block, count, out, start * classCount);
  }
}

/** Copies rows side by side, with code 0 wherever a code tells nothing. */
function fillBlock(
  block: Uint16Array,
  view: CodedView,
  rows: Uint32Array,
  start: number,
  count: number,
  featureCount: number,
): void {
  for (let feature = 0; feature < featureCount; feature++) {
    const codes = view.features[feature]!.codes;
    for (let row = 0; row < count; row++) {
      const code = codes[rows[start + row]!]!;
      block[row * featureCount + feature] = code < FIRST_CODE ? 0 : code;
    }
  }
}

/**
 * Adds one tree's leaf shares to the block's rows. Four rows go down together until one is at its leaf, because each step
 * waits for memory: twice as fast as one by one.
 */
function addTree(
  forest: Forest,
  root: number,
  block: Uint16Array,
  count: number,
  out: Float64Array,
  outStart: number,
): void {
  const { features, thresholds, children, featureCount, classCount } = forest;
  let row = 0;
  for (; row + 3 < count; row += 4) {
    const startA = row * featureCount;
    const startB = startA + featureCount;
    const startC = startB + featureCount;
    const startD = startC + featureCount;
    let a = root;
    let b = root;
    let c = root;
    let d = root;
    let childA = children[root]!;
    let childB = childA;
    let childC = childA;
    let childD = childA;
    while ((childA | childB | childC | childD) >= 0) {
      a = childA + sideOf(thresholds[a]!, block[startA + features[a]!]!);
      b = childB + sideOf(thresholds[b]!, block[startB + features[b]!]!);
      c = childC + sideOf(thresholds[c]!, block[startC + features[c]!]!);
      d = childD + sideOf(thresholds[d]!, block[startD + features[d]!]!);
      childA = children[a]!;
      childB = children[b]!;
      childC = children[c]!;
      childD = children[d]!;
    }
    const target = outStart + row * classCount;
    addLeaf(forest, a, block, startA, out, target);
    addLeaf(forest, b, block, startB, out, target + classCount);
    addLeaf(forest, c, block, startC, out, target + 2 * classCount);
    addLeaf(forest, d, block, startD, out, target + 3 * classCount);
  }
  for (; row < count; row++) addLeaf(forest, root, block, row * featureCount, out, outStart + row * classCount);
}

/** Takes the row at `start` from a node down to its leaf and adds the shares there. */
function addLeaf(
  forest: Forest,
  from: number,
  block: Uint16Array,
  start: number,
  out: Float64Array,
  target: number,
): void {
  const { features, thresholds, children, distributions, classCount } = forest;
  let node = from;
  let child = children[node]!;
  while (child >= 0) {
    node = child + sideOf(thresholds[node]!, block[start + features[node]!]!);
    child = children[node]!;
  }
  const shares = ~child * classCount;
  for (let k = 0; k < classCount; k++) out[target + k] = out[target + k]! + distributions[shares + k]!;
}
