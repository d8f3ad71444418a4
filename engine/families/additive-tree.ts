// Growing one stage-wise tree: which leaf is split next, how its rows are divided, and what its leaves add to the scores.
import type { CodeArray } from "../buckets.ts";
import { type AdditiveGrowth, type Leaf, look, openChildren, openRoot } from "./additive-leaves.ts";
import { GRADIENT_UNIT } from "./additive-marks.ts";
import { type AdditiveNodes, addLeaves } from "./additive-nodes.ts";
import { MISSING_RIGHT } from "./forest.ts";

/**
 * Grows a tree on the first `rowCount` of `scratch.rows[0]`, as marked, with the features of `layout`; takes the first
 * `otherCount` of `scratch.others[0]` along. Returns its root; the ranges of `leaves` tell where each row is. Where the time
 * is up, drops the tree and returns -1.
 */
export function growTree(growth: AdditiveGrowth, nodes: AdditiveNodes, rowCount: number, otherCount: number): number {
  const { scratch, layout, search, settings, leaves } = growth;
  const { marks, pool } = scratch;
  pool.reset(layout.cellCount);
  search.l2 = settings.l2 / marks.weightUnit;
  search.countSpan = marks.countSpan;
  const root = addLeaves(nodes, 1);
  const first = leaves[0]!;
  placeLeaf(growth, nodes, first, root, 0, 0, rowCount, 0, otherCount, marks.gradientSum, marks.weightSum);
  growth.leafCount = 1;
  openRoot(growth, first);
  for (;;) {
    if (growth.isTimeUp) {
      nodes.count = root;
      return -1;
    }
    const leaf = nextLeaf(growth);
    if (leaf === null) return root;
    splitLeaf(growth, nodes, leaf, leaves[growth.leafCount++]!);
  }
}

/** Adds the values of the tree's leaves to the scores of all rows. */
export function addToScores(growth: AdditiveGrowth, nodes: AdditiveNodes, scores: Float64Array): void {
  const { rows, others } = growth.scratch;
  for (let index = 0; index < growth.leafCount; index++) {
    const { node, depth, from, to, otherFrom, otherTo } = growth.leaves[index]!;
    const value = nodes.values[node]!;
    addValue(scores, rows[depth & 1]!, from, to, value);
    addValue(scores, others[depth & 1]!, otherFrom, otherTo, value);
  }
}

function addValue(scores: Float64Array, rows: Int32Array, from: number, to: number, value: number): void {
  for (let at = from; at < to; at++) {
    const row = rows[at]!;
    scores[row] = scores[row]! + value;
  }
}

/** Sets a leaf without a split, and the value of its node: the share of a Newton step, -G / (H + l2). */
function placeLeaf(
  { scratch, settings, stepShare }: AdditiveGrowth,
  nodes: AdditiveNodes,
  leaf: Leaf,
  node: number,
  depth: number,
  from: number,
  to: number,
  otherFrom: number,
  otherTo: number,
  gradient: number,
  weight: number,
): void {
  leaf.node = node;
  leaf.depth = depth;
  leaf.from = from;
  leaf.to = to;
  leaf.otherFrom = otherFrom;
  leaf.otherTo = otherTo;
  leaf.gradient = gradient;
  leaf.weight = weight;
  leaf.slot = -1;
  leaf.gain = 0;
  nodes.values[node] = (-stepShare * gradient * GRADIENT_UNIT) / (weight * scratch.marks.weightUnit + settings.l2);
}

/** The leaf to split next, or null: that of the largest gain, the first of equals, or else the last one. */
function nextLeaf({ leaves, leafCount, isBestFirst, settings }: AdditiveGrowth): Leaf | null {
  if (leafCount === settings.maxLeaves) return null;
  let next: Leaf | null = null;
  for (let index = leafCount - 1; index >= 0; index--) {
    const leaf = leaves[index]!;
    if (leaf.gain <= 0) continue;
    if (!isBestFirst) return leaf;
    if (next === null || leaf.gain >= next.gain) next = leaf;
  }
  return next;
}

/** Divides a leaf's rows by its split; the leaf becomes the left child and `right` the other. */
function splitLeaf(growth: AdditiveGrowth, nodes: AdditiveNodes, leaf: Leaf, right: Leaf): void {
  const { matrix, scratch } = growth;
  const { depth, from, to, otherFrom, otherTo, slot, feature, threshold, gradient, weight } = leaf;
  const { leftGradient, leftWeight } = leaf;
  const rows = scratch.rows[depth & 1]!;
  const others = scratch.others[depth & 1]!;
  const base = feature * matrix.rowCount;
  const middle = divide(matrix.codes, base, threshold, rows, scratch.rows[1 - (depth & 1)]!, from, to);
  const otherMiddle = divide(
    matrix.codes,
    base,
    threshold,
    others,
    scratch.others[1 - (depth & 1)]!,
    otherFrom,
    otherTo,
  );
  const child = addLeaves(nodes, 2);
  nodes.features[leaf.node] = feature;
  nodes.thresholds[leaf.node] = threshold;
  nodes.children[leaf.node] = child;
  placeLeaf(growth, nodes, leaf, child, depth + 1, from, middle, otherFrom, otherMiddle, leftGradient, leftWeight);
  placeLeaf(
    growth,
    nodes,
    right,
    child + 1,
    depth + 1,
    middle,
    to,
    otherMiddle,
    otherTo,
    gradient - leftGradient,
    weight - leftWeight,
  );
  look(growth, 2 * (to - from + otherTo - otherFrom));
  if (middle - from <= to - middle) openChildren(growth, leaf, right, slot);
  else openChildren(growth, right, leaf, slot);
}

/** Writes left rows from the front and right rows from the back, without a branch; returns where the right ones begin. */
function divide(
  codes: CodeArray,
  base: number,
  threshold: number,
  rows: Int32Array,
  toRows: Int32Array,
  from: number,
  to: number,
): number {
  // With the shift, code 0 wraps to the largest code: missing goes right.
  const shift = threshold >>> 15;
  const limit = (threshold & (MISSING_RIGHT - 1)) - shift;
  let left = from;
  let right = to - 1;
  for (let at = from; at < to; at++) {
    const row = rows[at]!;
    const goesRight = (limit - ((codes[base + row]! - shift) & 0xffff)) >> 31;
    toRows[left + ((right - left) & goesRight)] = row;
    left += 1 + goesRight;
    right += goesRight;
  }
  return left;
}
