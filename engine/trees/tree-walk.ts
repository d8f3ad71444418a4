// Nodes of trees, and many rows down one tree after the other: the walking
// kernel takes rows and tree as they are laid out here.
import type { TreeNodes } from "../fitting/tree-nodes.ts";
import { type CodedView, FIRST_CODE } from "../table/buckets.ts";
import { WalkingKernel } from "./walking-kernel.ts";

/** Set in a threshold that sends missing and unseen values right. */
export const MISSING_RIGHT = 0x8000;

/** Codes in a block of rows at most, 2 MiB. The larger the block, the less often all trees pass through the caches. */
const BLOCK_CODE_COUNT = 1 << 20;
const BLOCK_ROW_COUNT = 32_768;
/** Codes of one row at most: a split names the code that it compares by 16 bits. */
export const MOST_SLOTS = 0x10000;
/** A code above all thresholds. */
export const ABOVE_ALL = 0xffff;
/** Set in the upper word of a leaf. */
export const LEAF = 0x80000000 | 0;

/**
 * Takes the leaves of `count` rows, from row `start` on, in one tree: they
 * stand from `leaves[from]` on until the call returns.
 */
export type TakeLeaves = (tree: number, leaves: Uint32Array, from: number, start: number, count: number) => void;

/**
 * Walks rows down the first trees in blocks: each tree is laid out once for all rows of
 * a block. A view has `MOST_SLOTS / 2` features at most.
 */
export function walkBlocks(
  trees: TreeNodes,
  treeCount: number,
  view: CodedView,
  rows: Uint32Array,
  take: TakeLeaves,
): void {
  const { featureCount, roots } = trees;
  const fitting = Math.floor(BLOCK_CODE_COUNT / Math.max(1, 2 * featureCount));
  const blockRowCount = Math.max(1, Math.min(BLOCK_ROW_COUNT, rows.length, fitting));
  const mostNodes = roots.reduce((most, root, tree) => Math.max(most, endOfTree(trees, tree) - root), 0);
  const kernel = WalkingKernel.take(mostNodes, blockRowCount * 2 * featureCount, blockRowCount);
  for (let start = 0; start < rows.length; start += blockRowCount) {
    const block = rows.subarray(start, start + blockRowCount);
    const { slots, stride } = layOutRows(view, block, kernel.codes);
    for (let tree = 0; tree < treeCount; tree++) {
      const root = roots[tree]!;
      layOutTree(trees, root, endOfTree(trees, tree), slots, kernel.nodes);
      kernel.walk(stride, block.length, root);
      take(tree, kernel.leaves, 0, start, block.length);
    }
  }
  kernel.giveBack();
}

/** One past the last node of a tree. */
export function endOfTree({ roots, children }: TreeNodes, tree: number): number {
  return roots[tree + 1] ?? children.length;
}

/**
 * Writes the rows' codes side by side, `stride` for each row. A split on feature `j` finds its code at `slots[j]` of
 * the row, or at `slots[featureCount + j]` if it sends missing values right. A feature with missing values has two such
 * places: one holds 0 for them, the other a code above all thresholds. So a step down is one comparison.
 */
function layOutRows(
  { features }: CodedView,
  rows: Uint32Array,
  codes: Uint16Array,
): { slots: Uint16Array; stride: number } {
  const slots = new Uint16Array(2 * features.length);
  let stride = 0;
  for (const [index, feature] of features.entries()) {
    slots[index] = stride++;
    slots[features.length + index] = lacksSome(feature.codes, rows) ? stride++ : slots[index]!;
  }
  for (const [index, feature] of features.entries()) {
    const left = slots[index]!;
    const right = slots[features.length + index]!;
    writeCodes(feature.codes, rows, codes, left, stride, 0);
    if (right !== left) writeCodes(feature.codes, rows, codes, right, stride, ABOVE_ALL);
  }
  return { slots, stride };
}

function lacksSome(codes: ArrayLike<number>, rows: Uint32Array): boolean {
  for (let i = 0; i < rows.length; i++) if (codes[rows[i]!]! < FIRST_CODE) return true;
  return false;
}

function writeCodes(
  codes: ArrayLike<number>,
  rows: Uint32Array,
  target: Uint16Array,
  slot: number,
  stride: number,
  codeOfNone: number,
): void {
  for (let i = 0, at = slot; i < rows.length; i++, at += stride) {
    const code = codes[rows[i]!]!;
    target[at] = code < FIRST_CODE ? codeOfNone : code;
  }
}

/**
 * Writes a tree as two words a node: `slot << 16 | threshold`, and the byte offset of the left child, which the right
 * child follows. A leaf leads to itself whatever the code.
 */
function layOutTree(
  { featureCount, features, thresholds, children }: TreeNodes,
  root: number,
  end: number,
  slots: Uint16Array,
  nodes: Int32Array,
): void {
  for (let node = root, at = 0; node < end; node++, at += 2) {
    const child = children[node]!;
    // All bits set at a leaf, instead of a branch: half of the nodes are
    // leaves, in an order that no processor predicts.
    const isLeaf = child >> 31;
    const threshold = thresholds[node]! & ~isLeaf;
    const slot = slots[(features[node]! & ~isLeaf) + (threshold >>> 15) * featureCount]!;
    nodes[at] = (slot << 16) | (threshold & ~MISSING_RIGHT) | (ABOVE_ALL & isLeaf);
    nodes[at + 1] = ((8 * (child - root)) & ~isLeaf) | (((4 * at) | LEAF) & isLeaf);
  }
}

/** Tells `take` the feature of each split on one row's way down a tree, the split's node and the next one. */
export function eachStep(
  { features, thresholds, children }: TreeNodes,
  root: number,
  codes: ArrayLike<number>,
  take: (feature: number, node: number, next: number) => void,
): void {
  let node = root;
  for (let child = children[node]!; child >= 0; child = children[node]!) {
    const feature = features[node]!;
    const code = codes[feature]! < FIRST_CODE ? 0 : codes[feature]!;
    const next = child + sideOf(thresholds[node]!, code);
    take(feature, node, next);
    node = next;
  }
}

/**
 * 1 for the right child, 0 for the left: the sign of a difference, without a
 * branch. `code` is 0 where the value is missing.
 */
export function sideOf(threshold: number, code: number): number {
  // With the shift, code 0 wraps to the largest code: missing goes right.
  const shift = threshold >>> 15;
  return ((threshold & 0x7fff) - shift - ((code - shift) & 0xffff)) >>> 31;
}
