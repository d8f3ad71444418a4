// The model of additive logistic regression: its nodes in one table, and scoring rows by the sums of their leaves.
import { type CodedView, FIRST_CODE } from "../buckets.ts";
import { logistic, softmaxInPlace } from "./additive-tables.ts";
import { sideOf } from "./forest.ts";

/**
 * score_k(row) = intercepts[k] + Σ over the rounds of the value of the row's leaf in the tree of output k; then softmax, or the
 * logistic function for two classes. A row goes to the right child where its code exceeds the threshold, or where its code
 * tells nothing and `MISSING_RIGHT` is set.
 */
export interface AdditiveTrees {
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

/** Codes in a block of rows at most: 256 KiB, so that a block stays in the second-level cache while the trees pass. */
const BLOCK_CODE_COUNT = 1 << 17;
const BLOCK_ROW_COUNT = 2048;
const LEAST_BLOCK_ROWS = 64;

/**
 * Writes the probabilities of all classes, `rows.length * classCount` long, row after row. Sums run in tree order, so a
 * row's result does not depend on its neighbours. The view must have the bucketing that the model was fitted on.
 */
export function scoreAdditiveTrees(model: AdditiveTrees, view: CodedView, rows: Uint32Array, out: Float64Array): void {
  const { classCount, featureCount, outputCount, intercepts, roots } = model;
  const wanted = Math.floor(BLOCK_CODE_COUNT / Math.max(1, featureCount));
  const blockRowCount = Math.max(1, Math.min(rows.length, BLOCK_ROW_COUNT, Math.max(LEAST_BLOCK_ROWS, wanted)));
  const block = new Uint16Array(blockRowCount * featureCount);
  const scores = new Float64Array(blockRowCount * outputCount);
  for (let start = 0; start < rows.length; start += blockRowCount) {
    const count = Math.min(blockRowCount, rows.length - start);
    fillBlock(block, view, rows, start, count, blockRowCount);
    for (let cell = 0; cell < count * outputCount; cell++) scores[cell] = intercepts[cell % outputCount]!;
    for (let tree = 0; tree < roots.length; tree++) {
      addTree(model, roots[tree]!, block, blockRowCount, count, scores, tree % outputCount);
    }
    for (let i = 0; i < count; i++) {
      writeProbabilities(scores, i * outputCount, outputCount, out, (start + i) * classCount);
    }
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

/**
 * Copies the codes of rows feature after feature, with code 0 wherever a code tells nothing: a tree of a few splits then
 * reads a few short runs, however many features there are.
 */
function fillBlock(
  block: Uint16Array,
  view: CodedView,
  rows: Uint32Array,
  start: number,
  count: number,
  blockRowCount: number,
): void {
  for (const [feature, { codes }] of view.features.entries()) {
    const base = feature * blockRowCount;
    for (let i = 0; i < count; i++) {
      const code = codes[rows[start + i]!]!;
      block[base + i] = code < FIRST_CODE ? 0 : code;
    }
  }
}

/**
 * Adds one tree's leaf values to the block's scores of one output. Four rows go down together until one is at its leaf,
 * because each step waits for memory.
 */
function addTree(
  model: AdditiveTrees,
  root: number,
  block: Uint16Array,
  blockRowCount: number,
  count: number,
  scores: Float64Array,
  output: number,
): void {
  const { features, thresholds, children, outputCount } = model;
  let row = 0;
  for (; row + 3 < count; row += 4) {
    let a = root;
    let b = root;
    let c = root;
    let d = root;
    let childA = children[root]!;
    let childB = childA;
    let childC = childA;
    let childD = childA;
    while ((childA | childB | childC | childD) >= 0) {
      a = childA + sideOf(thresholds[a]!, block[features[a]! * blockRowCount + row]!);
      b = childB + sideOf(thresholds[b]!, block[features[b]! * blockRowCount + row + 1]!);
      c = childC + sideOf(thresholds[c]!, block[features[c]! * blockRowCount + row + 2]!);
      d = childD + sideOf(thresholds[d]!, block[features[d]! * blockRowCount + row + 3]!);
      childA = children[a]!;
      childB = children[b]!;
      childC = children[c]!;
      childD = children[d]!;
    }
    const target = row * outputCount + output;
    addLeaf(model, a, block, blockRowCount, row, scores, target);
    addLeaf(model, b, block, blockRowCount, row + 1, scores, target + outputCount);
    addLeaf(model, c, block, blockRowCount, row + 2, scores, target + 2 * outputCount);
    addLeaf(model, d, block, blockRowCount, row + 3, scores, target + 3 * outputCount);
  }
  for (; row < count; row++) addLeaf(model, root, block, blockRowCount, row, scores, row * outputCount + output);
}

/** Takes a row of the block from a node down to its leaf and adds the value there. */
function addLeaf(
  { features, thresholds, children, values }: AdditiveTrees,
  from: number,
  block: Uint16Array,
  blockRowCount: number,
  row: number,
  scores: Float64Array,
  target: number,
): void {
  let node = from;
  let child = children[node]!;
  while (child >= 0) {
    node = child + sideOf(thresholds[node]!, block[features[node]! * blockRowCount + row]!);
    child = children[node]!;
  }
  scores[target] = scores[target]! + values[node]!;
}
