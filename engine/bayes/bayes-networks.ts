// Ensembles of Bayesian networks, in which a column depends on the class and on
// up to two other columns, and their pooled answers.

import { type CoarseColumns, checkCoarseColumns, writeGroups } from "../fitting/coarse-columns.ts";
import { logistic, outputCountOf, scoresToProbabilities, softmaxInPlace } from "../fitting/score-tables.ts";
import type { CodedView } from "../table/buckets.ts";

/**
 * arithmetic: the mean of the members' probabilities. geometric: the mean of their
 * logarithms, normalised; then the ensemble is itself a sum of terms.
 */
export type Pooling = "arithmetic" | "geometric";

/**
 * A member scores a row by score_k = logPriors[k] + Σ over its nodes of log(p(group | class
 * k, parents' groups) / p(group)). These terms are backed off when the model is fitted, so
 * that a row costs one look-up per node and no logarithm.
 */
export interface BayesNetworks {
  kind: "networks";
  classCount: number;
  /** 1 for two classes (the log-odds of class 1 against class 0), else `classCount`. */
  outputCount: number;
  pooling: Pooling;
  columns: CoarseColumns;
  /** `outputCount` long. */
  logPriors: Float64Array;
  /** The first node of each member, and the end of the last one. */
  memberStarts: Uint32Array;
  /** The column of each node, and its parents; the number of columns stands for no parent. */
  nodeColumns: Uint16Array;
  firstParents: Uint16Array;
  secondParents: Uint16Array;
  /**
   * The start of each node's part of `contexts`, which has an entry for each `first group * groups of
   * second + second group`. A missing parent counts as one group.
   */
  contextStarts: Uint32Array;
  /**
   * The start of the `groups of the column * outputCount` terms under these parents; contexts that back off share them.
   */
  contexts: Uint32Array;
  terms: Float32Array;
}

/** Rows scored together, so that their groups and scores stay in cache while the nodes pass by. */
const BLOCK_ROWS = 1024;

/**
 * Writes the probabilities of all classes, `rows.length * classCount` long, row after row; each row sums to 1.
 * The view must have the bucketing that the model was fitted on. O(rows × nodes × outputs).
 */
export function scoreNetworks(model: BayesNetworks, view: CodedView, rows: Uint32Array, out: Float64Array): void {
  const { classCount, outputCount, columns, memberStarts } = model;
  const memberCount = memberStarts.length - 1;
  const size = Math.min(BLOCK_ROWS, rows.length);
  // The last column stands for no parent: all zeros.
  const groups = Array.from({ length: columns.features.length + 1 }, () => new Uint8Array(size));
  const scores = new Float64Array(size * outputCount);
  const pooled = new Float64Array(size * outputCount);
  for (let start = 0; start < rows.length; start += size) {
    const block = rows.subarray(start, start + size);
    for (const [column, feature] of columns.features.entries()) {
      writeGroups(columns, column, view.features[feature]!.codes, block, groups[column]!);
    }
    pooled.fill(0);
    for (let member = 0; member < memberCount; member++) {
      scoreMember(model, member, groups, scores, block.length);
      addMember(model, scores, pooled, block.length);
    }
    writeMean(model, pooled, memberCount, block.length, out, start * classCount);
  }
}

/** Groups of a parent; one if there is no parent. */
export function parentGroups({ groupCounts }: CoarseColumns, parent: number): number {
  return groupCounts[parent] ?? 1;
}

/** The start of each node's contexts, and the end of the last ones. */
export function contextStarts(
  columns: CoarseColumns,
  firstParents: Uint16Array,
  secondParents: Uint16Array,
): Uint32Array {
  const starts = new Uint32Array(firstParents.length + 1);
  for (const [node, first] of firstParents.entries()) {
    starts[node + 1] = starts[node]! + parentGroups(columns, first) * parentGroups(columns, secondParents[node]!);
  }
  return starts;
}

/**
 * True where every look-up of a model read from a file stays within its
 * arrays. `featureCount`: of the views it is to score.
 */
export function checkNetworks(model: BayesNetworks, featureCount: number): boolean {
  const { outputCount, classCount, columns, memberStarts, nodeColumns, contexts, terms } = model;
  const columnCount = columns.features.length;
  const nodeCount = nodeColumns.length;
  const isWhole =
    outputCount === outputCountOf(classCount) &&
    model.logPriors.length === outputCount &&
    model.firstParents.length === nodeCount &&
    model.secondParents.length === nodeCount &&
    model.contextStarts.length === nodeCount + 1 &&
    model.contextStarts[nodeCount] === contexts.length &&
    memberStarts.length >= 2 &&
    memberStarts[0] === 0 &&
    memberStarts.at(-1) === nodeCount &&
    memberStarts.every((start, member) => member === 0 || start >= memberStarts[member - 1]!);
  if (!isWhole || !checkCoarseColumns(columns, featureCount)) return false;
  return nodeColumns.every((column, node) => {
    if (column >= columnCount || model.firstParents[node]! > columnCount || model.secondParents[node]! > columnCount) {
      return false;
    }
    const length = columns.groupCounts[column]! * outputCount;
    const from = model.contextStarts[node]!;
    const to = model.contextStarts[node + 1]!;
    return from < to && contexts.subarray(from, to).every((offset) => offset + length <= terms.length);
  });
}

function scoreMember(
  model: BayesNetworks,
  member: number,
  groups: readonly Uint8Array[],
  scores: Float64Array,
  count: number,
): void {
  const { outputCount, logPriors, memberStarts, nodeColumns, firstParents, secondParents, columns } = model;
  for (let i = 0; i < count * outputCount; i++) scores[i] = logPriors[i % outputCount]!;
  const add = outputCount === 1 ? addTerms : addTermRows;
  for (let node = memberStarts[member]!; node < memberStarts[member + 1]!; node++) {
    const second = secondParents[node]!;
    const stride = parentGroups(columns, second);
    const codes = groups[nodeColumns[node]!]!;
    add(model, model.contextStarts[node]!, stride, codes, groups[firstParents[node]!]!, groups[second]!, scores, count);
  }
}

function addTerms(
  { contexts, terms }: BayesNetworks,
  start: number,
  stride: number,
  groups: Uint8Array,
  first: Uint8Array,
  second: Uint8Array,
  scores: Float64Array,
  count: number,
): void {
  for (let i = 0; i < count; i++) {
    scores[i] = scores[i]! + terms[contexts[start + first[i]! * stride + second[i]!]! + groups[i]!]!;
  }
}

function addTermRows(
  { contexts, terms, outputCount }: BayesNetworks,
  start: number,
  stride: number,
  groups: Uint8Array,
  first: Uint8Array,
  second: Uint8Array,
  scores: Float64Array,
  count: number,
): void {
  for (let i = 0, to = 0; i < count; i++) {
    const from = contexts[start + first[i]! * stride + second[i]!]! + groups[i]! * outputCount;
    for (let k = 0; k < outputCount; k++, to++) scores[to] = scores[to]! + terms[from + k]!;
  }
}

/** Adds a member's probabilities (of two classes, that of class 1) or, for geometric pooling, its scores. */
function addMember(
  { pooling, outputCount }: BayesNetworks,
  scores: Float64Array,
  pooled: Float64Array,
  count: number,
): void {
  if (pooling === "arithmetic") {
    if (outputCount === 1) for (let i = 0; i < count; i++) scores[i] = logistic(scores[i]!);
    else for (let i = 0; i < count; i++) softmaxInPlace(scores, i * outputCount, outputCount);
  }
  for (let i = 0; i < count * outputCount; i++) pooled[i] = pooled[i]! + scores[i]!;
}

function writeMean(
  { pooling, outputCount, classCount }: BayesNetworks,
  pooled: Float64Array,
  memberCount: number,
  count: number,
  out: Float64Array,
  offset: number,
): void {
  for (let i = 0, at = offset; i < count; i++, at += classCount) {
    for (let k = 0; k < outputCount; k++) {
      out[at + classCount - outputCount + k] = pooled[i * outputCount + k]! / memberCount;
    }
    if (pooling === "geometric") scoresToProbabilities(out, at, classCount);
    else if (outputCount === 1) out[at] = 1 - out[at + 1]!;
  }
}
