// Many rows down one tree after the other: rows and the tree at hand are laid out for the walking kernel.
import { type CodedView, FIRST_CODE } from "../buckets.ts";
import { WalkingKernel } from "./walking-kernel.ts";

/** Set in a threshold where rows without information (missing or unseen) go right. */
export const MISSING_RIGHT = 0x8000;

/** Nodes of trees that lie one after the other, in parallel arrays; see `Forest`. */
export interface TreeNodes {
  featureCount: number;
  /** Node index of each tree's root. */
  roots: Uint32Array;
  features: Uint16Array;
  thresholds: Uint16Array;
  children: Int32Array;
}

/** Codes in a block of rows at most, 2 MiB. The larger, the seldomer all trees pass through the caches for so many rows. */
const BLOCK_CODE_COUNT = 1 << 20;
const BLOCK_ROW_COUNT = 32_768;
/** Nodes that are laid out in the time that one row saves on its way down. */
const NODES_PER_ROW = 8;
/** Of a row: a split has sixteen bits for its own. */
export const MOST_SLOTS = 0x10000;
/** A code above all thresholds. */
export const ABOVE_ALL = 0xffff;
/** Set in the upper word of a leaf. */
export const LEAF = 0x80000000 | 0;

/** Whether so many rows are walked sooner together than each by itself. */
export function isWorthLayingOut({ featureCount, roots, children }: TreeNodes, rowCount: number): boolean {
  return rowCount * NODES_PER_ROW * roots.length >= children.length && 2 * featureCount <= MOST_SLOTS;
}

/** Walks blocks of rows of one view, one after the other, down any of the trees. */
export class TreeWalker {
  /** Rows of a block at most. */
  readonly blockRowCount: number;
  private readonly trees: TreeNodes;
  private readonly kernel: WalkingKernel;
  private slots: Uint16Array = new Uint16Array(0);
  private stride = 0;
  private rowCount = 0;

  /** Only where `isWorthLayingOut`. */
  constructor(trees: TreeNodes, rowCount: number) {
    const { featureCount, roots } = trees;
    this.trees = trees;
    const fitting = Math.floor(BLOCK_CODE_COUNT / Math.max(1, 2 * featureCount));
    this.blockRowCount = Math.max(1, Math.min(BLOCK_ROW_COUNT, rowCount, fitting));
    const nodeCount = roots.reduce((most, root, tree) => Math.max(most, endOf(trees, tree) - root), 0);
    this.kernel = WalkingKernel.take(nodeCount, this.blockRowCount * 2 * featureCount, this.blockRowCount);
  }

  /** The block of rows that is walked from now on. */
  take(view: CodedView, rows: Uint32Array): void {
    const { slots, stride } = layOutRows(view, rows, this.kernel.codes);
    this.slots = slots;
    this.stride = stride;
    this.rowCount = rows.length;
  }

  /** The leaf of each row of the block in one tree, as a node; good until the next call. */
  leavesOf(tree: number): Uint32Array {
    const { trees, kernel, stride, rowCount } = this;
    const root = trees.roots[tree]!;
    layOutTree(trees, root, endOf(trees, tree), this.slots, kernel.nodes);
    kernel.walk(stride, rowCount, root);
    return kernel.leaves;
  }

  /** Call once, after the last walk. */
  end(): void {
    this.kernel.giveBack();
  }
}

/** Behind the last node of a tree. */
export function endOf({ roots, children }: TreeNodes, tree: number): number {
  return roots[tree + 1] ?? children.length;
}

/**
 * Writes the rows' codes side by side, `stride` for each row. `slots`: where in a row a split finds the code of feature `j`, at
 * `j`, and at `featureCount + j` where what tells nothing goes right. A feature that some row lacks has two places, one with
 * 0 and one with a code above all thresholds instead, so that a step is one comparison.
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
 * Writes a tree as two words a node: `slot << 16 | threshold`, and where in bytes the left child's words are, the right one's behind
 * them. A leaf leads to itself whatever the code.
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
    // All ones at a leaf: half of the nodes are leaves, and no processor foresees which.
    const isLeaf = child >> 31;
    const threshold = thresholds[node]! & ~isLeaf;
    const slot = slots[(features[node]! & ~isLeaf) + (threshold >>> 15) * featureCount]!;
    nodes[at] = (slot << 16) | (threshold & ~MISSING_RIGHT) | (ABOVE_ALL & isLeaf);
    nodes[at + 1] = ((8 * (child - root)) & ~isLeaf) | (((4 * at) | LEAF) & isLeaf);
  }
}

/**
 * The leaf of one row in each of the first trees, as many as `leaves` has room for. `codes`: by feature, 0 where a code tells
 * nothing; one entry at least. Six trees at a time, because each step waits for memory, and a leaf leads
 * to itself. Written out: with a function called for each it takes a quarter longer.
 */
export function leavesOfRow(
  { roots, features, thresholds, children }: TreeNodes,
  codes: Uint16Array,
  leaves: Uint32Array,
): void {
  const last = leaves.length - 1;
  for (let tree = 0; tree <= last; tree += 6) {
    let a = roots[tree]!;
    let b = roots[Math.min(tree + 1, last)]!;
    let c = roots[Math.min(tree + 2, last)]!;
    let d = roots[Math.min(tree + 3, last)]!;
    let e = roots[Math.min(tree + 4, last)]!;
    let f = roots[Math.min(tree + 5, last)]!;
    let childA = children[a]!;
    let childB = children[b]!;
    let childC = children[c]!;
    let childD = children[d]!;
    let childE = children[e]!;
    let childF = children[f]!;
    // All ones at a leaf, whose words are no feature's.
    let isLeaf = 0;
    while ((childA & childB & childC & childD & childE & childF) >= 0) {
      isLeaf = childA >> 31;
      a = ((childA + sideOf(thresholds[a]!, codes[features[a]! & ~isLeaf]!)) & ~isLeaf) | (a & isLeaf);
      isLeaf = childB >> 31;
      b = ((childB + sideOf(thresholds[b]!, codes[features[b]! & ~isLeaf]!)) & ~isLeaf) | (b & isLeaf);
      isLeaf = childC >> 31;
      c = ((childC + sideOf(thresholds[c]!, codes[features[c]! & ~isLeaf]!)) & ~isLeaf) | (c & isLeaf);
      isLeaf = childD >> 31;
      d = ((childD + sideOf(thresholds[d]!, codes[features[d]! & ~isLeaf]!)) & ~isLeaf) | (d & isLeaf);
      isLeaf = childE >> 31;
      e = ((childE + sideOf(thresholds[e]!, codes[features[e]! & ~isLeaf]!)) & ~isLeaf) | (e & isLeaf);
      isLeaf = childF >> 31;
      f = ((childF + sideOf(thresholds[f]!, codes[features[f]! & ~isLeaf]!)) & ~isLeaf) | (f & isLeaf);
      childA = children[a]!;
      childB = children[b]!;
      childC = children[c]!;
      childD = children[d]!;
      childE = children[e]!;
      childF = children[f]!;
    }
    leaves[tree] = a;
    // Beyond the last tree nothing is written.
    leaves[tree + 1] = b;
    leaves[tree + 2] = c;
    leaves[tree + 3] = d;
    leaves[tree + 4] = e;
    leaves[tree + 5] = f;
  }
}

/** 1 for the right child, 0 for the left: the sign of a difference, without a branch. `code`: 0 where it tells nothing. */
export function sideOf(threshold: number, code: number): number {
  // With the shift, code 0 wraps to the largest code: missing goes right.
  const shift = threshold >>> 15;
  return ((threshold & 0x7fff) - shift - ((code - shift) & 0xffff)) >>> 31;
}

/** The codes of one row, as `leavesOfRow` wants them. */
export function codesOfRow({ features }: CodedView, row: number): Uint16Array {
  const codes = new Uint16Array(Math.max(1, features.length));
  for (const [index, feature] of features.entries()) {
    const code = feature.codes[row]!;
    codes[index] = code < FIRST_CODE ? 0 : code;
  }
  return codes;
}
