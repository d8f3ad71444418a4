// The memory that fits need at most, from the bounds of each algorithm.

import { MAX_CELLS } from "../bayes/bayes-tables.ts";
import { MAX_ROW_TREES } from "../boosting/refined-forest.ts";
import type { FitSize } from "../fitting/algorithm-entry.ts";
import { outputCountOf } from "../fitting/score-tables.ts";
import { KERNEL_UNITS, MAX_CELLS as MAX_INPUT_CELLS, MAX_UNIT_WEIGHTS } from "../logistic/hidden-layer-rows.ts";
import { KEPT_PAIRS } from "../logistic/lbfgs.ts";
import { MAX_PARAMETERS } from "../logistic/logistic-regression.ts";
import { MOST_FOLDS, SMALL_TABLE_ROWS } from "../splits/holdout.ts";
import { FINE_BUCKETS } from "../table/buckets.ts";
import { MANY_ROWS, MAX_TREE_ROWS } from "../trees/forest-size.ts";

/** The bytes of a code, by the most buckets that a feature has. */
export function bytesPerCode(bucketCount: number): number {
  return bucketCount > FINE_BUCKETS ? 2 : 1;
}

/** Fits of score tables in memory at once: this one, and that of the last fold until it is collected. */
const TABLE_COPIES = 2;
/**
 * Bytes of nodes for each row that a tree draws, for two classes and for more: measured on labels without any signal.
 */
const NODE_BYTES = [6, 10] as const;
/** Bytes for each row drawn by trees with leaves of several rows, and more for each class, whose shares leaves hold. */
const LEAF_BYTES = 3;
const SHARE_BYTES = 0.55;
/** Factor for a forest that keeps growing towards a target. */
const GROWN_SHARE = 1.5;
/** Trees of a plan's forest. */
export const PLANNED_TREES = 300;
/** Rows of the largest table whose plan has refined forests: models learn from four folds of five. */
const MOST_REFINED_ROWS = (5 / 4) * MANY_ROWS;

/** Bytes of one forest at most. */
export function forestBytes({ rowCount, classCount, hasTarget, treeCount }: Omit<FitSize, "forestCopies">): number {
  const perRow = Math.max(NODE_BYTES[classCount === 2 ? 0 : 1], LEAF_BYTES + SHARE_BYTES * classCount);
  return Math.min(treeCount * rowCount, MAX_TREE_ROWS) * perRow * (hasTarget ? GROWN_SHARE : 1);
}

export function forestFitBytes(size: FitSize): number {
  return size.forestCopies * forestBytes(size);
}

/**
 * A forest, and the leaf of each row in every tree: up to two bytes, and two in the solver's copy (forest-leaves.ts).
 */
export function refinedForestFitBytes(size: FitSize): number {
  return forestFitBytes(size) + 4 * Math.min(PLANNED_TREES * Math.min(size.rowCount, MOST_REFINED_ROWS), MAX_ROW_TREES);
}

/** The folds of gradient boosting: the codes of each and its scores, and one more for the fold that grows. */
export function boostingFitBytes({ rowCount, featureCount, classCount, bucketCount }: FitSize): number {
  return (MOST_FOLDS + 1) * rowCount * (bytesPerCode(bucketCount) * featureCount + 8 * classCount);
}

/**
 * The solver's history and six other vectors (lbfgs.ts), then tables and their
 * gradients; a smooth table has two parameters a bucket.
 */
export function logisticFitBytes({ rowCount, featureCount, classCount, bucketCount }: FitSize): number {
  const outputCount = outputCountOf(classCount);
  const tables = featureCount * outputCount * (2 * Math.min(bucketCount, rowCount) + 2);
  const parameters = Math.min(tables, MAX_PARAMETERS);
  return TABLE_COPIES * 8 * (2 * KEPT_PAIRS + 8) * parameters;
}

/** The solver holds vectors of a hidden layer's weights, and its kernel each row's inputs, eight bytes each. */
export function hiddenLayerFitBytes({ rowCount, featureCount, bucketCount, categoryCount }: FitSize): number {
  if (rowCount > SMALL_TABLE_ROWS) return 0;
  const inputCount = featureCount * 2 + Math.min(categoryCount, featureCount * Math.min(bucketCount, rowCount));
  const weights = Math.min(KERNEL_UNITS * inputCount, MAX_UNIT_WEIGHTS);
  const cells = Math.min(rowCount * featureCount, MAX_INPUT_CELLS);
  return TABLE_COPIES * (8 * (2 * KEPT_PAIRS + 8) * weights + 8 * cells);
}

/**
 * Counts and lifts (bayes-tables.ts), the lifts with a row left out of it, and the tables of the model. Joint columns
 * and networks keep to coarse columns and hold less.
 */
export function bayesFitBytes({ rowCount, featureCount, classCount, bucketCount }: FitSize): number {
  const cells = featureCount * classCount * (2 + Math.min(bucketCount, rowCount));
  return TABLE_COPIES * (4 + 8 + 16 + 8) * Math.min(cells, MAX_CELLS);
}

/** Values, row counts, squares and ridges of each term. */
const TERM_FACTS = 20;

/** Weights of a model of terms, and what each term's count is multiplied by. */
export function termModelBytes({ termCount = 0, classCount }: FitSize): number {
  return termCount * (4 + 4 * outputCountOf(classCount));
}

/**
 * Weights, squared ratios and counts of a regression, or sums of naive Bayes,
 * and the last fold's until they are collected.
 */
export function termsFitBytes(size: FitSize): number {
  const { termCount = 0, classCount } = size;
  return TABLE_COPIES * (termCount * (TERM_FACTS + 8 * classCount) + termModelBytes(size));
}
