// Divides the rows of TRAIN and TEST by use: learning, gathering evidence, the reserve, the blind test.

import { gatherClasses } from "../fitting/class-counts.ts";
import { sampleRows } from "../fitting/row-sample.ts";
import { InputError } from "../input-error.ts";
import { deriveSeed } from "../random.ts";
import { rowsUpTo } from "../row-lists.ts";
import { foldSplits } from "../splits/holdout.ts";
import { areIndependent, INDEPENDENT_ROWS, type RowKeys, selectKeys } from "../splits/row-keys.ts";
import { labelledRows, type Table } from "../table/table.ts";
import type { RefinementTask } from "./task.ts";

/** With this many TRAIN rows or more, a tenth becomes the reserve. */
const LEAST_ROWS_FOR_RESERVE = 2_000;
const RESERVE_SHARE = 0.1;
/**
 * Rows and cells at most that all evidence but the test of independence is gathered
 * on, so that a wide table stays within memory and time.
 */
export const MOST_SELECTION_ROWS = 20_000;
export const MOST_SELECTION_CELLS = 40_000_000;
export const LEAST_SELECTION_ROWS = 2_000;

/** Second parts of seeds. */
const RESERVE_DRAW = 41;
const SELECTION_DRAW = 42;
const FOLD_DRAW = 43;

export interface RefinementRows {
  table: Table;
  train: Uint32Array;
  test: Uint32Array;
  /** Keys of the table's rows; left out where rows are independent. */
  keys?: RowKeys;
}

/**
 * Every draw derives from the seed alone. O(rows). The positive class is the last one unless another is given.
 *
 * @throws InputError where groups and times leave no fold
 */
export function openRefinement(
  rows: RefinementRows,
  numberOfBuckets: number,
  seed: number,
  positiveClass: number = rows.table.labels.length - 1,
): RefinementTask {
  const { table, test, keys = INDEPENDENT_ROWS } = rows;
  const hasKeys = !areIndependent(keys);
  const { learning, reserve } = putAside(rows, deriveSeed(seed, RESERVE_DRAW));
  const affordable = Math.max(LEAST_SELECTION_ROWS, Math.floor(MOST_SELECTION_CELLS / cellsPerRow(table)));
  const most = Math.min(MOST_SELECTION_ROWS, affordable);
  const selection = sampleRows(labelledRows(table, learning), most, deriveSeed(seed, SELECTION_DRAW));
  const positions = rowsUpTo(selection.length);
  const selected = { ...labelledRows(table, positions), classes: gatherClasses(table.classes, selection) };
  const folds = foldSplits(selected, deriveSeed(seed, FOLD_DRAW), selectKeys(keys, selection));
  if (folds.length === 0) {
    const message =
      "No rows of TRAIN can be judged by models of its other groups, or of older rows of these, so columns cannot be " +
      "compared. Leave out the group or the time column, or add rows.";
    throw new InputError("UNUSABLE_GROUP", message);
  }
  return { table, learning, reserve, test, selection, folds, numberOfBuckets, positiveClass, hasKeys, seed };
}

/** Features, and the mean number of terms in a row. */
function cellsPerRow({ features, rowCount, texts = [] }: Table): number {
  return features.length + texts.reduce((sum, { terms }) => sum + terms.length / rowCount, 0);
}

/** Rows that belong together cannot be separated, so there is no reserve. */
function putAside({ table, train, keys = INDEPENDENT_ROWS }: RefinementRows, seed: number) {
  if (train.length < LEAST_ROWS_FOR_RESERVE || !areIndependent(keys))
    return { learning: train, reserve: new Uint32Array(0) };
  const size = Math.round(train.length * RESERVE_SHARE);
  const reserve = sampleRows(labelledRows(table, train), size, seed);
  const isReserved = new Uint8Array(table.rowCount);
  for (const row of reserve) isReserved[row] = 1;
  return { learning: train.filter((row) => isReserved[row] === 0), reserve };
}
