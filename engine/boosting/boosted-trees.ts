// The model of gradient boosting: its nodes in one table, and scoring rows by the sums of their leaves.
import type { CodedView } from "../buckets.ts";
import { logistic, softmaxInPlace } from "../families/score-tables.ts";
import { type RowTrees, rowWalkerOf } from "../trees/row-walk.ts";
import { codesOfRow, isWorthLayingOut, leavesOfRow, TreeWalker } from "../trees/tree-walk.ts";

/**
 * score_k(row) = intercepts[k] + Σ over the rounds of the value of the row's leaf in the tree of output k; then softmax, or the
 * logistic function for two classes. A row goes to the right child where its code exceeds the threshold, or where its code
 * tells nothing and `MISSING_RIGHT` is set.
 */
export interface BoostedTrees {
  kind: "additive trees";
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
  /** What a leaf adds to the score; at a split, what it would add were it a leaf. */
  values: Float32Array;
}

/**
 * Writes the probabilities of all classes, `rows.length * classCount` long, row after row. Sums run in tree order, so a
 * row's result does not depend on its neighbours. The view must have the bucketing that the model was fitted on.
 */
export function scoreBoostedTrees(model: BoostedTrees, view: CodedView, rows: Uint32Array, out: Float64Array): void {
  if (isWorthLayingOut(model, rows.length)) scoreMany(model, view, rows, out);
  else scoreFew(model, view, rows, out);
}

function scoreMany(model: BoostedTrees, view: CodedView, rows: Uint32Array, out: Float64Array): void {
  const { classCount, outputCount, intercepts, roots } = model;
  const walker = new TreeWalker(model, rows.length);
  const scores = new Float64Array(walker.blockRowCount * outputCount);
  for (let start = 0; start < rows.length; start += walker.blockRowCount) {
    const block = rows.subarray(start, start + walker.blockRowCount);
    walker.take(view, block);
    for (let cell = 0; cell < block.length * outputCount; cell++) scores[cell] = intercepts[cell % outputCount]!;
    for (let tree = 0; tree < roots.length; tree++) {
      addValues(model, walker.leavesOf(tree), block.length, scores, tree % outputCount);
    }
    for (let i = 0; i < block.length; i++) {
      writeProbabilities(scores, i * outputCount, outputCount, out, (start + i) * classCount);
    }
  }
  walker.end();
}

function addValues(
  { values, outputCount }: BoostedTrees,
  leaves: Uint32Array,
  count: number,
  scores: Float64Array,
  output: number,
): void {
  for (let i = 0, at = output; i < count; i++, at += outputCount) scores[at] = scores[at]! + values[leaves[i]!]!;
}

/** What `layOutForRows` takes of the trees: leaves tell their value. */
export function boostedForRows(model: BoostedTrees): RowTrees {
  const { values } = model;
  return { trees: model, words: new Int32Array(values.buffer, values.byteOffset, values.length) };
}

function scoreFew(model: BoostedTrees, view: CodedView, rows: Uint32Array, out: Float64Array): void {
  const { classCount, outputCount, intercepts, roots, values } = model;
  const walker = rowWalkerOf(model);
  const leaves = new Uint32Array(walker === null ? roots.length : 0);
  const found = walker?.numbers ?? new Float32Array(roots.length);
  for (let i = 0; i < rows.length; i++) {
    if (walker !== null) walker.walk(view, rows[i]!, roots.length);
    else {
      leavesOfRow(model, codesOfRow(view, rows[i]!), leaves);
      for (let tree = 0; tree < leaves.length; tree++) found[tree] = values[leaves[tree]!]!;
    }
    const scores = intercepts.slice();
    for (let tree = 0, output = 0; tree < roots.length; tree++) {
      scores[output] = scores[output]! + found[tree]!;
      output = output + 1 === outputCount ? 0 : output + 1;
    }
    writeProbabilities(scores, 0, outputCount, out, i * classCount);
  }
}

/** Turns the scores of one row, `outputCount` of them from `from` on, into its class probabilities. Spoils the scores. */
export function writeProbabilities(
  scores: Float64Array,
  from: number,
  outputCount: number,
  out: Float64Array,
  to: number,
): void {
  if (outputCount === 1) {
    out[to] = logistic(-scores[from]!);
    out[to + 1] = logistic(scores[from]!);
    return;
  }
  softmaxInPlace(scores, from, outputCount);
  for (let k = 0; k < outputCount; k++) out[to + k] = scores[from + k]!;
}
