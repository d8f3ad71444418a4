// One row after the other down all trees of a model that stays: the trees are laid out once, in one memory of the walking kernel.
import { type CodedView, FIRST_CODE } from "../buckets.ts";
import type { KernelInstance } from "../webassembly.ts";
import { ABOVE_ALL, endOf, LEAF, MISSING_RIGHT, MOST_SLOTS, type TreeNodes } from "./tree-walk.ts";
import { createWalking, type WalkingExports } from "./walking-kernel.ts";

/** Trees that the kernel walks together. */
const TOGETHER = 8;
const NODE_BYTES = 8;
/**
 * Nodes that are near in a tree lie together, in two lines of the processor's cache. A row of a model of four million nodes took 0.31 ms
 * so, and 0.50 where they lay in the order of growth.
 */
const CLUSTER_NODES = 16;
const CLUSTER_BYTES = CLUSTER_NODES * NODE_BYTES;

/** `words`: of each node; what is asked of leaves. */
export interface RowTrees {
  trees: TreeNodes;
  words: Int32Array;
}

/** That all parts may take: where a node's child is has 31 bits. */
const MOST_BYTES = 2 ** 31;

const walkers = new WeakMap<TreeNodes, RowWalker>();

/**
 * Lays trees out that are not to change any more, and returns how many bytes that has taken, about eight a node; they go with the
 * trees. Those of very many nodes or columns are left as they are.
 */
export function layOutForRows(parts: readonly RowTrees[]): number {
  const fitting = parts.filter(({ trees }) => 2 * trees.featureCount <= MOST_SLOTS);
  const byteCount = fitting.reduce((sum, { trees }) => sum + RowWalker.bytesFor(trees), 0);
  if (byteCount === 0 || byteCount > MOST_BYTES) return 0;
  const kernel = createWalking(byteCount);
  let at = 0;
  for (const part of fitting) {
    walkers.set(part.trees, new RowWalker(part, kernel, at));
    at += RowWalker.bytesFor(part.trees);
  }
  return byteCount;
}

/** What walks rows down these trees; null where they are not laid out. */
export function rowWalkerOf(trees: TreeNodes): RowWalker | null {
  return walkers.get(trees) ?? null;
}

/** Trees in a part of a kernel's memory, with room for the codes of a row and for the words of its leaves. */
export class RowWalker {
  /** Of the row's leaf in each tree, once more as single-precision numbers. */
  readonly words: Int32Array;
  readonly numbers: Float32Array;
  private readonly exports: WalkingExports;
  private readonly nodesAt: number;
  private readonly rootsAt: number;
  private readonly wordsAt: number;
  private readonly codesAt: number;
  /** By feature, then again for splits where what tells nothing goes right. */
  private readonly codes: Uint16Array;

  static bytesFor({ featureCount, roots, children }: TreeNodes): number {
    return (
      aligned(NODE_BYTES * (children.length + roots.length)) +
      2 * aligned(4 * placesFor(roots)) +
      aligned(4 * featureCount)
    );
  }

  /** `at`: where its part begins. */
  constructor(part: RowTrees, { exports, memory }: KernelInstance<WalkingExports>, at: number) {
    const { featureCount, roots, children } = part.trees;
    const places = placesFor(roots);
    this.exports = exports;
    this.nodesAt = at;
    this.rootsAt = at + aligned(NODE_BYTES * (children.length + roots.length));
    this.wordsAt = this.rootsAt + aligned(4 * places);
    this.codesAt = this.wordsAt + aligned(4 * places);
    this.words = new Int32Array(memory.buffer, this.wordsAt, places);
    this.numbers = new Float32Array(memory.buffer, this.wordsAt, places);
    this.codes = new Uint16Array(memory.buffer, this.codesAt, 2 * featureCount);
    const nodes = new Int32Array(memory.buffer, at, 2 * (children.length + roots.length));
    // Behind the last tree is the first one's root.
    new Uint32Array(memory.buffer, this.rootsAt, places).set(layOutNodes(part, nodes));
  }

  /** Has the words of one row's leaves in the first trees, until the next call. */
  walk({ features }: CodedView, row: number, treeCount: number): void {
    const { exports, nodesAt, codesAt, rootsAt, wordsAt, codes } = this;
    for (let feature = 0; feature < features.length; feature++) {
      const code = features[feature]!.codes[row]!;
      codes[feature] = code < FIRST_CODE ? 0 : code;
      codes[features.length + feature] = code < FIRST_CODE ? ABOVE_ALL : code;
    }
    exports.walkRow(nodesAt, codesAt, rootsAt, Math.ceil(treeCount / TOGETHER) * TOGETHER, wordsAt);
  }
}

/** Writes all trees, one after the other, and returns where in bytes their roots are. */
function layOutNodes(part: RowTrees, nodes: Int32Array): Uint32Array {
  const { trees } = part;
  const sizes = trees.roots.map((root, tree) => endOf(trees, tree) - root);
  const most = sizes.reduce((most, size) => Math.max(most, size), 0);
  const places = new Uint32Array(most);
  const open = new Uint32Array(most);
  let first = 0;
  return trees.roots.map((root, tree) => {
    const rootAt = NODE_BYTES * first;
    placeNodes(trees.children, root, places, open, first);
    writeNodes(part, root, sizes[tree]!, places, nodes);
    first += sizes[tree]! + 1;
    return rootAt;
  });
}

/**
 * Finds the place of each node of a tree, from `first` on: a cluster takes the nodes below its first ones, level by level. A root
 * takes the room of two. `places`, by node of the tree, and `open` have room for it.
 */
function placeNodes(children: Int32Array, root: number, places: Uint32Array, open: Uint32Array, first: number): void {
  /** Left children of the cluster at hand, in order; those that it had no room for are open. */
  const below = new Uint32Array(2 * CLUSTER_NODES);
  let next = first + 2;
  let openCount = 0;
  places[0] = first;
  if (children[root]! >= 0) open[openCount++] = children[root]!;
  while (openCount > 0) {
    below[0] = open[--openCount]!;
    let belowCount = 1;
    let taken = 0;
    do {
      const left = below[taken++]!;
      places[left - root] = next;
      places[left + 1 - root] = next + 1;
      next += 2;
      if (children[left]! >= 0) below[belowCount++] = children[left]!;
      if (children[left + 1]! >= 0) below[belowCount++] = children[left + 1]!;
    } while (taken < belowCount && next % CLUSTER_NODES !== 0);
    while (belowCount > taken) open[openCount++] = below[--belowCount]!;
  }
}

/**
 * Writes the nodes of a tree at their places as two words: `slot << 16 | threshold`, and where in bytes the left child's words are,
 * the right one's behind them; of a leaf its own word, and `LEAF`.
 */
function writeNodes(
  { trees, words }: RowTrees,
  root: number,
  size: number,
  places: Uint32Array,
  nodes: Int32Array,
): void {
  const { featureCount, features, thresholds, children } = trees;
  for (let node = root; node < root + size; node++) {
    const at = 2 * places[node - root]!;
    const child = children[node]!;
    if (child < 0) {
      nodes[at] = words[node]!;
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
