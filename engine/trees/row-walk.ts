// One row after the other down all trees of a cached model: the trees are laid
// out once, in one memory of the walking kernel.

import type { TreeNodes } from "../fitting/tree-nodes.ts";
import { type CodedView, FIRST_CODE } from "../table/buckets.ts";
import type { KernelInstance } from "../webassembly.ts";
import { ABOVE_ALL, endOfTree, LEAF, MISSING_RIGHT, MOST_SLOTS } from "./tree-walk.ts";
import { createWalking, type WalkingExports } from "./walking-kernel.ts";

/** Trees that the kernel walks together. */
const TOGETHER = 8;
const NODE_BYTES = 8;
/**
 * Nodes that are close in a tree lie together, in two cache lines. One row of a model of four million nodes took 0.31
 * ms this way, and 0.50 ms with the nodes in the order of growth.
 */
const CLUSTER_NODES = 16;
const CLUSTER_BYTES = CLUSTER_NODES * NODE_BYTES;

/** Bytes of all parts together at most: the offset of a child has 31 bits. */
const MOST_BYTES = 2 ** 31;

const walkers = new WeakMap<TreeNodes, RowWalker>();

/**
 * Lays out trees that no longer change; returns the bytes used, about eight a node, which are freed with the trees.
 * Trees of very many nodes or features are left as they are.
 */
export function layOutForRows(parts: readonly TreeNodes[]): number {
  const fitting = parts.filter(({ featureCount }) => 2 * featureCount <= MOST_SLOTS);
  const byteCount = fitting.reduce((sum, trees) => sum + RowWalker.bytesFor(trees), 0);
  if (byteCount === 0 || byteCount > MOST_BYTES) return 0;
  const kernel = createWalking(byteCount);
  let at = 0;
  for (const trees of fitting) {
    walkers.set(trees, new RowWalker(trees, kernel, at));
    at += RowWalker.bytesFor(trees);
  }
  return byteCount;
}

/** Null where the trees are not laid out. */
export function rowWalkerOf(trees: TreeNodes): RowWalker | null {
  return walkers.get(trees) ?? null;
}

/** Trees in a part of a kernel's memory, with buffers for the codes and the leaves of one row. */
export class RowWalker {
  /** The row's leaf in each tree, as a node. */
  readonly leaves: Uint32Array;
  private readonly exports: WalkingExports;
  private readonly nodesAt: number;
  private readonly rootsAt: number;
  private readonly leavesAt: number;
  private readonly codesAt: number;
  /** By feature, then again for splits that send missing values right. */
  private readonly codes: Uint16Array;

  static bytesFor({ featureCount, roots, children }: TreeNodes): number {
    return (
      aligned(NODE_BYTES * (children.length + roots.length)) +
      2 * aligned(4 * placesFor(roots)) +
      aligned(4 * featureCount)
    );
  }

  /** `at`: where its part of the memory begins. */
  constructor(trees: TreeNodes, { exports, memory }: KernelInstance<WalkingExports>, at: number) {
    const { featureCount, roots, children } = trees;
    const places = placesFor(roots);
    this.exports = exports;
    this.nodesAt = at;
    this.rootsAt = at + aligned(NODE_BYTES * (children.length + roots.length));
    this.leavesAt = this.rootsAt + aligned(4 * places);
    this.codesAt = this.leavesAt + aligned(4 * places);
    this.leaves = new Uint32Array(memory.buffer, this.leavesAt, places);
    this.codes = new Uint16Array(memory.buffer, this.codesAt, 2 * featureCount);
    const nodes = new Int32Array(memory.buffer, at, 2 * (children.length + roots.length));
    // Places past the last tree hold offset 0, the root of the first tree.
    new Uint32Array(memory.buffer, this.rootsAt, places).set(layOutNodes(trees, nodes));
  }

  /** Writes the leaves of one row in the first trees. */
  walk({ features }: CodedView, row: number, treeCount: number): void {
    const { exports, nodesAt, codesAt, rootsAt, leavesAt, codes } = this;
    for (let feature = 0; feature < features.length; feature++) {
      const code = features[feature]!.codes[row]!;
      codes[feature] = code < FIRST_CODE ? 0 : code;
      codes[features.length + feature] = code < FIRST_CODE ? ABOVE_ALL : code;
    }
    exports.walkRow(nodesAt, codesAt, rootsAt, Math.ceil(treeCount / TOGETHER) * TOGETHER, leavesAt);
  }
}

/** Writes all trees, one after the other; returns the byte offsets of their roots. */
function layOutNodes(trees: TreeNodes, nodes: Int32Array): Uint32Array {
  const sizes = trees.roots.map((root, tree) => endOfTree(trees, tree) - root);
  const most = sizes.reduce((most, size) => Math.max(most, size), 0);
  const places = new Uint32Array(most);
  const open = new Uint32Array(most);
  let first = 0;
  return trees.roots.map((root, tree) => {
    const rootAt = NODE_BYTES * first;
    placeNodes(trees.children, root, places, open, first);
    writeNodes(trees, root, sizes[tree]!, places, nodes);
    first += sizes[tree]! + 1;
    return rootAt;
  });
}

/**
 * Finds the place of each node of a tree, from `first` on. A cluster is filled level by level
 * with the nodes below the one it starts from. A root takes the room of two nodes. `places`, by
 * node of the tree, and `open` are long enough for the tree.
 */
function placeNodes(children: Int32Array, root: number, places: Uint32Array, open: Uint32Array, first: number): void {
  /** Left children for the current cluster, in order; those that it has no room for start clusters of their own. */
  const below = new Uint32Array(2 * CLUSTER_NODES);
  let next = first + 2;
  let openCount = 0;
  places[0] = first;
  if (children[root]! >= 0) open[openCount++] = children[root]!;
  while (openCount > 0) {
    below[0] = open[--openCount]!;
    let belowCount = 1;
    let visitedCount = 0;
    do {
      const left = below[visitedCount++]!;
      places[left - root] = next;
      places[left + 1 - root] = next + 1;
      next += 2;
      if (children[left]! >= 0) below[belowCount++] = children[left]!;
      if (children[left + 1]! >= 0) below[belowCount++] = children[left + 1]!;
    } while (visitedCount < belowCount && next % CLUSTER_NODES !== 0);
    while (belowCount > visitedCount) open[openCount++] = below[--belowCount]!;
  }
}

/**
 * Writes the nodes of a tree at their places as two words: `slot << 16 | threshold`, and the byte offset of the left
 * child, which the right child follows. A leaf is its own index, and `LEAF`.
 */
function writeNodes(
  { featureCount, features, thresholds, children }: TreeNodes,
  root: number,
  size: number,
  places: Uint32Array,
  nodes: Int32Array,
): void {
  for (let node = root; node < root + size; node++) {
    const at = 2 * places[node - root]!;
    const child = children[node]!;
    if (child < 0) {
      nodes[at] = node;
      nodes[at + 1] = LEAF;
      continue;
    }
    const threshold = thresholds[node]!;
    const slot = features[node]! + (threshold >>> 15) * featureCount;
    nodes[at] = (slot << 16) | (threshold & ~MISSING_RIGHT);
    nodes[at + 1] = NODE_BYTES * places[child - root]!;
  }
}

function placesFor(roots: Uint32Array): number {
  return Math.ceil(roots.length / TOGETHER) * TOGETHER;
}

function aligned(byteCount: number): number {
  return Math.ceil(byteCount / CLUSTER_BYTES) * CLUSTER_BYTES;
}
