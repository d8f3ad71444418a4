// The model of gradient boosting: its nodes in one table, and scoring rows by the sums of their leaves.

import { concatenate } from "../concatenate.ts";
import { scoresToProbabilities } from "../fitting/score-tables.ts";
import type { CodedView } from "../table/buckets.ts";
import { type GrownTree, joinTrees } from "../trees/grown-trees.ts";
import { walkTrees } from "../trees/walk-trees.ts";

/** Boosted trees as model files name their kind. */
export const BOOSTED_TREES_KIND = "additive trees";

/**
 * score_k(row) = intercepts[k] + Σ over the rounds of the value of the row's leaf in the tree of output k; then
 * softmax, or the logistic function for two classes. A row goes to the right child if its code exceeds the threshold,
 * or if its value is missing or unseen and `MISSING_RIGHT` is set.
 */
export interface BoostedTrees {
  kind: typeof BOOSTED_TREES_KIND;
  classCount: number;
  featureCount: number;
  /** 1 for two classes (the log-odds of class 1 against class 0), else `classCount`. */
  outputCount: number;
  /** `outputCount` long. */
  intercepts: Float64Array;
  /** Node index of each tree's root; the trees of a round, one per output, stand together. */
  roots: Uint32Array;
  /** Feature index of each split; 0 at leaves. */
  features: Uint16Array;
  /** Largest code that goes left, in the low 15 bits, and `MISSING_RIGHT`; 0 at leaves. */
  thresholds: Uint16Array;
  /** Node index of the left child, the right one follows it; -1 at leaves. */
  children: Int32Array;
  /** The value that a leaf adds to the score; at a split, the value that it would add as a leaf. */
  values: Float32Array;
}

/** One tree. Its children count from its root. */
export interface BoostedTree extends GrownTree {
  values: Float32Array;
}

type BoostedHead = Pick<BoostedTrees, "classCount" | "featureCount" | "outputCount" | "intercepts">;

/** The model of trees that grew one after the other: whole rounds. */
export function joinBoostedTrees(
  { classCount, featureCount, outputCount, intercepts }: BoostedHead,
  trees: readonly BoostedTree[],
): BoostedTrees {
  const values = trees.map((tree) => tree.values);
  return {
    ...{ kind: BOOSTED_TREES_KIND, classCount, featureCount, outputCount, intercepts: intercepts.slice() },
    ...joinTrees(trees),
    values: concatenate(Float32Array, values),
  };
}

/**
 * Writes the probabilities of all classes, `rows.length * classCount` long, row after row. Sums run in tree order, so a
 * row's result does not depend on its neighbours. The view must have the bucketing that the model was fitted on.
 */
export function scoreBoostedTrees(model: BoostedTrees, view: CodedView, rows: Uint32Array, out: Float64Array): void {
  const { classCount, outputCount, intercepts, roots } = model;
  const cellCount = rows.length * classCount;
  for (let at = 0; at < cellCount; at += classCount) out.set(intercepts, at + classCount - outputCount);
  walkTrees(model, roots.length, view, rows, (tree, leaves, from, start, count) =>
    addValues(model, tree, leaves, from, count, out, start * classCount),
  );
  for (let at = 0; at < cellCount; at += classCount) scoresToProbabilities(out, at, classCount);
}

/** Adds the values of some rows' leaves to the scores of the tree's output. */
function addValues(
  { values, classCount, outputCount }: BoostedTrees,
  tree: number,
  leaves: Uint32Array,
  firstLeaf: number,
  count: number,
  scores: Float64Array,
  start: number,
): void {
  let at = start + classCount - outputCount + (tree % outputCount);
  for (let i = 0; i < count; i++, at += classCount) scores[at] = scores[at]! + values[leaves[firstLeaf + i]!]!;
}
