// Growing one boosted tree: which leaf is split next, how its rows are divided, and what its leaves add to the scores.
import {
  addFeature,
  addFourFeatures,
  cellsOf,
  gatherPairs,
  giveBack,
  resetPool,
  subtractHistogram,
  takeHistogram,
} from "./boosting-histogram.ts";
import { searchHistogram, searchRows, startSearch, takeSplit } from "./boosting-search.ts";
import { Growth, Layout, Leaf, leafAt, othersOf, rowsOf } from "./boosting-state.ts";
import { codesOf } from "./matrix.ts";
import { allocateArray, at, put } from "./memory.ts";
import { divideRows, MISSING_RIGHT } from "./row-division.ts";

/** Asked now and then; anything but 0 drops the tree. */
declare function shouldStop(): i32;

/** A leaf with at least this many rows for each code of an average feature gets a histogram of its own. */
const DENSE_ROWS: f64 = 0.5;
/** Codes read between two looks at the stop signal: about a millisecond of work. */
const CODES_BETWEEN_LOOKS: i32 = 1 << 19;
const DROPPED: i32 = -1;
/** The child of a leaf. */
const LEAF: i32 = -1;

export class Nodes {
  /** Nodes of the current tree: u16 features and thresholds, i32 children (-1 at leaves), f32 values. */
  static features: usize = 0;
  static thresholds: usize = 0;
  static children: usize = 0;
  static values: usize = 0;
  static room: i32 = 0;
}

let leafCount: i32 = 0;
let nodeCount: i32 = 0;
let codesRead: i32 = 0;
let isStopped: bool = false;

/** Enlarges the buffers to a tree of `count` nodes. */
export function reserveNodes(count: i32): void {
  if (count <= Nodes.room) return;
  Nodes.room = count;
  Nodes.features = allocateArray<u16>(count);
  Nodes.thresholds = allocateArray<u16>(count);
  Nodes.children = allocateArray<i32>(count);
  Nodes.values = allocateArray<f32>(count);
}

/**
 * Grows a tree on the first `rowCount` rows with the features of the layout; also sends the first `otherCount` others
 * down it. Returns its number of nodes, or -1 if it was dropped. Children count from 0.
 */
export function growTree<Code>(rowCount: i32, otherCount: i32, gradientSum: f64, hessianSum: f64): i32 {
  resetPool();
  isStopped = false;
  nodeCount = 0;
  leafCount = 1;
  const root = leafAt(0);
  placeLeaf(root, takeNode(), 0, 0, rowCount, 0, otherCount, gradientSum, hessianSum);
  openRoot<Code>(root);
  while (!isStopped) {
    const index = nextLeaf();
    if (index < 0) return nodeCount;
    splitLeaf<Code>(leafAt(index), leafAt(leafCount++));
  }
  return DROPPED;
}

/** Adds the values of the tree's leaves to f64 scores of all rows. */
export function addToScores(scores: usize): void {
  for (let index = 0; index < leafCount; index++) {
    const leaf = leafAt(index);
    const value = f64(at<f32>(Nodes.values, leaf.node));
    addValue(scores, rowsOf(leaf.depth), leaf.from, leaf.to, value);
    addValue(scores, othersOf(leaf.depth), leaf.otherFrom, leaf.otherTo, value);
  }
}

function addValue(scores: usize, rows: usize, from: i32, to: i32, value: f64): void {
  for (let index = from; index < to; index++) {
    const row = at<i32>(rows, index);
    put<f64>(scores, row, at<f64>(scores, row) + value);
  }
}

function takeNode(): i32 {
  put<u16>(Nodes.features, nodeCount, 0);
  put<u16>(Nodes.thresholds, nodeCount, 0);
  put<i32>(Nodes.children, nodeCount, LEAF);
  return nodeCount++;
}

/** Sets a leaf without a split, and the value of its node: the share of a Newton step, -G / (H + l2). */
function placeLeaf(
  leaf: Leaf,
  node: i32,
  depth: i32,
  from: i32,
  to: i32,
  otherFrom: i32,
  otherTo: i32,
  gradient: f64,
  hessian: f64,
): void {
  leaf.node = node;
  leaf.depth = depth;
  leaf.from = from;
  leaf.to = to;
  leaf.otherFrom = otherFrom;
  leaf.otherTo = otherTo;
  leaf.gradient = gradient;
  leaf.hessian = hessian;
  leaf.slot = -1;
  leaf.gain = 0;
  const step = -Growth.stepShare * gradient * Growth.gradientUnit;
  put<f32>(Nodes.values, node, f32(step / (hessian * Growth.hessianUnit + Growth.l2)));
}

/** The leaf to split next, or -1: that of the largest gain, the first of equals, or else the last one. */
function nextLeaf(): i32 {
  if (leafCount === Growth.maxLeaves) return -1;
  let next = -1;
  let gain: f64 = 0;
  for (let index = leafCount - 1; index >= 0; index--) {
    const leafGain = leafAt(index).gain;
    if (leafGain <= 0) continue;
    if (!Growth.isBestFirst) return index;
    if (next < 0 || leafGain >= gain) {
      next = index;
      gain = leafGain;
    }
  }
  return next;
}

/** Divides a leaf's rows by its split; the leaf becomes the left child and `right` the other. */
function splitLeaf<Code>(leaf: Leaf, right: Leaf): void {
  const depth = leaf.depth;
  const to = leaf.to;
  const otherTo = leaf.otherTo;
  const slot = leaf.slot;
  const gradient = leaf.gradient - leaf.leftGradient;
  const hessian = leaf.hessian - leaf.leftHessian;
  const middle = divide<Code>(leaf, rowsOf(depth), rowsOf(depth + 1), leaf.from, to);
  const otherMiddle = divide<Code>(leaf, othersOf(depth), othersOf(depth + 1), leaf.otherFrom, otherTo);
  look(2 * (to - leaf.from + otherTo - leaf.otherFrom));
  const child = takeNode();
  put<u16>(Nodes.features, leaf.node, u16(leaf.feature));
  put<u16>(Nodes.thresholds, leaf.node, u16(leaf.threshold));
  put<i32>(Nodes.children, leaf.node, child);
  placeLeaf(right, takeNode(), depth + 1, middle, to, otherMiddle, otherTo, gradient, hessian);
  placeLeaf(
    leaf,
    child,
    depth + 1,
    leaf.from,
    middle,
    leaf.otherFrom,
    otherMiddle,
    leaf.leftGradient,
    leaf.leftHessian,
  );
  if (middle - leaf.from <= to - middle) openChildren<Code>(leaf, right, slot);
  else openChildren<Code>(right, leaf, slot);
}

function divide<Code>(leaf: Leaf, source: usize, target: usize, from: i32, to: i32): i32 {
  const threshold = leaf.threshold & (MISSING_RIGHT - 1);
  return divideRows<Code, i32>(codesOf<Code>(leaf.feature), threshold, leaf.threshold >> 15, source, target, from, to);
}

function openRoot<Code>(root: Leaf): void {
  if (!maySplit(root)) return;
  if (isDense(root)) root.slot = takeHistogram();
  gatherPairs(root, 1);
  if (root.slot >= 0) addGathered<Code>(root, cellsOf(root.slot));
  findSplit<Code>(root);
}

/**
 * Finds the splits of two children. The smaller one's rows are read; the larger one's histogram is the parent's less
 * the smaller one's. Gives back the parent's histogram if neither child takes it.
 */
function openChildren<Code>(smaller: Leaf, larger: Leaf, slot: i32): void {
  if (maySplit(smaller) && isDense(smaller)) smaller.slot = histogramOf<Code>(smaller);
  if (maySplit(larger) && isDense(larger)) {
    if (slot < 0) larger.slot = histogramOf<Code>(larger);
    else {
      larger.slot = slot;
      if (smaller.slot < 0) addRows<Code>(smaller, -1, cellsOf(slot));
      else subtractHistogram(cellsOf(slot), cellsOf(smaller.slot));
    }
  } else giveBack(slot);
  if (maySplit(smaller)) findSplit<Code>(smaller);
  if (maySplit(larger)) findSplit<Code>(larger);
}

function isDense(leaf: Leaf): bool {
  return f64(leaf.to - leaf.from) * f64(Layout.count) >= DENSE_ROWS * f64(Layout.cellCount);
}

/** A histogram of the leaf's rows, or -1 where the pool has none left. */
function histogramOf<Code>(leaf: Leaf): i32 {
  const slot = takeHistogram();
  if (slot >= 0) addRows<Code>(leaf, 1, cellsOf(slot));
  return slot;
}

/** Adds the leaf's rows to a histogram, or takes them off where `sign` is -1. */
function addRows<Code>(leaf: Leaf, sign: f64, cells: usize): void {
  gatherPairs(leaf, sign);
  addGathered<Code>(leaf, cells);
}

function addGathered<Code>(leaf: Leaf, cells: usize): void {
  const count = leaf.to - leaf.from;
  let index = 0;
  for (; index + 3 < Layout.count; index += 4) {
    addFourFeatures<Code>(leaf, index, cells);
    look(4 * count);
  }
  for (; index < Layout.count; index++) {
    addFeature<Code>(leaf, index, cells);
    look(count);
  }
}

/** Finds the best split of a leaf; gives back the histogram of a leaf that has none. */
function findSplit<Code>(leaf: Leaf): void {
  startSearch(leaf);
  if (leaf.slot >= 0) searchHistogram(cellsOf(leaf.slot));
  else searchFewRows<Code>(leaf);
  look(2 * Layout.cellCount);
  if (!takeSplit(leaf)) giveBack(leaf.slot);
}

function searchFewRows<Code>(leaf: Leaf): void {
  gatherPairs(leaf, 1);
  for (let index = 0; index < Layout.count; index++) {
    searchRows<Code>(leaf, at<i32>(Layout.features, index));
    look(leaf.to - leaf.from + 16);
  }
}

/** Looks at the stop signal once enough codes were read since the last look. */
function look(codeCount: i32): void {
  codesRead += codeCount;
  if (codesRead < CODES_BETWEEN_LOOKS) return;
  codesRead = 0;
  if (shouldStop() !== 0) isStopped = true;
}

function maySplit(leaf: Leaf): bool {
  return leafCount < Growth.maxLeaves && leaf.depth < Growth.maxDepth && leaf.to - leaf.from >= 2 * Growth.minLeafRows;
}
