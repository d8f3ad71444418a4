// Which rows of a large table the attempts compete on, and which ones the best of them may grow on afterwards.
import { concatenate } from "../concatenate.ts";
import { sampleRows } from "../fitting/row-sample.ts";
import { deriveSeed, Random, shuffled } from "../random.ts";
import { HOLDOUT_PART, type RowParts, splitByPart } from "../splits/holdout.ts";
import { areIndependent, type RowKeys } from "../splits/row-keys.ts";
import { labelledRows, type Table } from "../table/table.ts";

/** Learning rows of a sample: of six columns and three classes the plan takes some 100 processor seconds then. */
export const MOST_SEARCH_ROWS = 160_000;
/** A table that has no more rows than the sample and its holdout, a fifth, is searched whole. */
const SAMPLED_FROM = 5 / 4;
export const MOST_WHOLE_ROWS = SAMPLED_FROM * MOST_SEARCH_ROWS;
export const LEAST_SEARCH_ROWS = 10_000;
/** Trees of a sample's forests at most: on smaller samples more of them would take as long as on the largest. */
export const MOST_SAMPLE_TREES = 80;
/** Held-out rows of a sample: they know an accuracy to 0.3 points. */
export const MOST_JUDGING_ROWS = 100_000;
/** Rows that tell when boosting has learned enough, and weigh the members of a grown stack. */
const MOST_ASIDE_ROWS = 50_000;
/** Rows × (features + 4) × classes that the first twenty attempts learn from in a second of the time cap. */
const CELLS_PER_SECOND = 16_000;

/** Second parts of seeds. */
const SEARCH_DRAW = 51;
const ASIDE_DRAW = 52;
const GROWTH_DRAW = 53;

/** The rows of a large table's search, as row indexes of the table; all but `pool` ascend. */
export interface SearchSample {
  /** Learning and held-out rows of the search together. */
  rows: Uint32Array;
  learning: Uint32Array;
  judging: Uint32Array;
  /** Learned from by no model, nor held out. */
  aside: Uint32Array;
  /** Rows to grow on: the search's learning rows first, then all others in a drawn order. */
  pool: Uint32Array;
}

/** Whether a table is searched on a sample. Rows that belong together, or to a time, are searched whole. */
export function isSampled(
  { rowCount }: Pick<Table, "rowCount">,
  keys: RowKeys,
  searchRows = MOST_SEARCH_ROWS,
): boolean {
  return rowCount > SAMPLED_FROM * searchRows && areIndependent(keys);
}

/** Learning rows of a sample: as many as the plan's attempts can learn from in their share of the time cap. */
export function searchRowCount(
  { features, labels }: Pick<Table, "features" | "labels">,
  timeCapSeconds: number,
): number {
  const affordable = (CELLS_PER_SECOND * timeCapSeconds) / ((features.length + 4) * labels.length);
  return Math.round(Math.min(MOST_SEARCH_ROWS, Math.max(LEAST_SEARCH_ROWS, affordable)) / 1000) * 1000;
}

/**
 * Draws the sample, stratified by label; held-out rows are some of those that a search of all rows holds out. O(rows).
 */
export function drawSearchSample(table: Table, parts: RowParts, learningCount: number, seed: number): SearchSample {
  const wholeSplit = splitByPart(parts, HOLDOUT_PART);
  const draw = (from: Uint32Array, most: number, ...path: number[]) =>
    sampleRows(labelledRows(table, from), most, deriveSeed(seed, ...path));
  const learning = draw(wholeSplit.learning, learningCount, SEARCH_DRAW, 0);
  const judging = draw(wholeSplit.judging, Math.min(MOST_JUDGING_ROWS, learningCount), SEARCH_DRAW, 1);
  const isTaken = new Uint8Array(table.rowCount);
  for (const row of learning) isTaken[row] = 1;
  const others = wholeSplit.learning.filter((row) => isTaken[row] === 0);
  const aside = draw(others, Math.min(MOST_ASIDE_ROWS, others.length / 4), ASIDE_DRAW);
  for (const row of aside) isTaken[row] = 1;
  const untaken = others.filter((row) => isTaken[row] === 0);
  const growthRows = shuffled(untaken, new Random(deriveSeed(seed, GROWTH_DRAW)));
  const rows = concatenate(Uint32Array, [learning, judging]).sort();
  return { rows, learning, judging, aside, pool: concatenate(Uint32Array, [learning, growthRows]) };
}
