// Walking rows down a tree as they are and with each cluster of features shuffled, following only the ways that differ.

import { deriveSeed, Random, shuffle } from "../random.ts";
import { type StopSignal, throwIfCancelled } from "../stop-signal.ts";
import { type CodeArray, type CodedFeature, FIRST_CODE } from "../table/buckets.ts";
import type { Forest } from "../trees/forest.ts";
import { sideOf } from "../trees/tree-walk.ts";

/** Shuffles of each cluster. */
export const SHUFFLE_COUNT = 2;
/** Codes of each cell: its own and those of the shuffles, side by side because a node reads them all. */
const CELL_SIZE = 1 + SHUFFLE_COUNT;

/** State that all walks of one forest share. */
export interface ShuffledWalks {
  forest: Forest;
  /** Row by row and feature by feature, `CELL_SIZE` codes each; 0 for every code that tells nothing. */
  codes: CodeArray;
  /** The cluster of each feature; -1 for none. */
  clusterOf: Int32Array;
  clusterCount: number;
  /** Rows that are walked before the sums are read and cleared. */
  blockRowCount: number;
  /** Leaf shares of each row of the block, `classCount` each, summed over the trees. */
  sums: Float64Array;
  /** The change by each shuffle of each cluster: row by row, cluster by cluster, shuffle by shuffle. */
  changes: Float64Array;
  /** For each shuffle of each cluster, the number of the last walk that left its way. */
  lastLeft: Int32Array;
  walkCount: number;
}

/**
 * The codes of some rows, each with the codes of the rows that stand in for it when the feature's
 * cluster is shuffled. All members of a cluster follow one order, drawn from the seed, the cluster
 * and the shuffle. One or two bytes a code. Throws `Cancelled`.
 */
export function shuffleCodes(
  features: readonly CodedFeature[],
  rows: Uint32Array,
  clusters: readonly (readonly number[])[],
  seed: number,
  stop: StopSignal,
): CodeArray {
  const size = rows.length * features.length * CELL_SIZE;
  const codes = features.every(({ codeCount }) => codeCount <= 256) ? new Uint8Array(size) : new Uint16Array(size);
  const step = features.length * CELL_SIZE;
  for (const [feature, { codes: from }] of features.entries()) {
    throwIfCancelled(stop);
    copyCodes(from, rows, codes, feature * CELL_SIZE, step);
  }
  const order = new Uint32Array(rows.length);
  for (const [cluster, members] of clusters.entries()) {
    throwIfCancelled(stop);
    for (let shuffled = 0; shuffled < SHUFFLE_COUNT; shuffled++) {
      order.set(rows);
      shuffle(order, new Random(deriveSeed(seed, cluster, shuffled)));
      for (const member of members) {
        copyCodes(features[member]!.codes, order, codes, member * CELL_SIZE + 1 + shuffled, step);
      }
    }
  }
  return codes;
}

function copyCodes(from: CodeArray, rows: Uint32Array, to: CodeArray, start: number, step: number): void {
  for (let i = 0, at = start; i < rows.length; i++, at += step) {
    const code = from[rows[i]!]!;
    to[at] = code < FIRST_CODE ? 0 : code;
  }
}

/**
 * `blockRowCount` below 1 counts as 1. Memory is 8 · rows · classes ·
 * clusters · shuffles bytes, for the rows of a block.
 */
export function newShuffledWalks(
  forest: Forest,
  codes: CodeArray,
  clusterOf: Int32Array,
  clusterCount: number,
  blockRowCount: number,
): ShuffledWalks {
  const rowCount = Math.max(1, blockRowCount);
  const cellCount = clusterCount * SHUFFLE_COUNT;
  return {
    forest,
    codes,
    clusterOf,
    clusterCount,
    blockRowCount: rowCount,
    sums: new Float64Array(rowCount * forest.classCount),
    changes: new Float64Array(rowCount * cellCount * forest.classCount),
    lastLeft: new Int32Array(cellCount),
    walkCount: 0,
  };
}

/**
 * Takes `count` rows from `start` on down one tree. Where a shuffle would send a row to the
 * other side of a node on its way, the first time in this tree, the row also goes down there
 * and the difference of the two leaves is added to `changes`.
 */
export function addWalks(walks: ShuffledWalks, root: number, start: number, count: number): void {
  const { forest, codes, clusterOf, sums } = walks;
  const { distributions, classCount, featureCount } = forest;
  for (let row = 0; row < count; row++) {
    const base = (start + row) * featureCount * CELL_SIZE;
    const leaf = leafOf(forest, root, codes, base, clusterOf, -1, 0);
    for (let k = 0; k < classCount; k++) {
      sums[row * classCount + k] = sums[row * classCount + k]! + distributions[leaf * classCount + k]!;
    }
    addTurns(walks, root, base, leaf, row);
  }
}

/** Adds, for one row that ends in `leaf`, how all shuffles change its class shares. */
function addTurns(walks: ShuffledWalks, root: number, base: number, leaf: number, row: number): void {
  const { forest, codes, clusterOf, lastLeft } = walks;
  const { features, thresholds, children } = forest;
  const rowStart = row * lastLeft.length;
  walks.walkCount++;
  const walk = walks.walkCount;
  let node = root;
  let child = children[root]!;
  while (child >= 0) {
    const feature = features[node]!;
    const cluster = clusterOf[feature]!;
    const threshold = thresholds[node]!;
    const cell = base + feature * CELL_SIZE;
    const side = sideOf(threshold, codes[cell]!);
    for (let offset = cluster < 0 ? CELL_SIZE : 1; offset < CELL_SIZE; offset++) {
      const place = cluster * SHUFFLE_COUNT + offset - 1;
      if (sideOf(threshold, codes[cell + offset]!) === side || lastLeft[place] === walk) continue;
      lastLeft[place] = walk;
      const other = leafOf(forest, child + 1 - side, codes, base, clusterOf, cluster, offset);
      if (other !== leaf) addDifference(walks, rowStart + place, other, leaf);
    }
    node = child + side;
    child = children[node]!;
  }
}

function addDifference({ forest, changes }: ShuffledWalks, place: number, other: number, leaf: number): void {
  const { distributions, classCount } = forest;
  const target = place * classCount;
  for (let k = 0; k < classCount; k++) {
    const difference = distributions[other * classCount + k]! - distributions[leaf * classCount + k]!;
    changes[target + k] = changes[target + k]! + difference;
  }
}

/**
 * The leaf below a node of the row whose codes begin at `base`, with the codes at `offset` for features of one cluster.
 */
function leafOf(
  forest: Forest,
  from: number,
  codes: CodeArray,
  base: number,
  clusterOf: Int32Array,
  cluster: number,
  offset: number,
): number {
  const { features, thresholds, children } = forest;
  let node = from;
  let child = children[node]!;
  while (child >= 0) {
    const feature = features[node]!;
    const cell = base + feature * CELL_SIZE + (clusterOf[feature] === cluster ? offset : 0);
    node = child + sideOf(thresholds[node]!, codes[cell]!);
    child = children[node]!;
  }
  return ~child;
}
