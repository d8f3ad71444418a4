// Permutation importance: how much worse a model meets its aim when one column of rows it has not seen is shuffled.

import { formOf, type Model, scoreModel } from "../families/algorithms.ts";
import { sampleRows } from "../fitting/row-sample.ts";
import { deriveSeed, Random, shuffled } from "../random.ts";
import { rowsUpTo } from "../row-lists.ts";
import type { StopSignal } from "../stop-signal.ts";
import { type CodedView, permuteCodes, selectRows } from "../table/buckets.ts";
import { type LabelledRows, labelledRows, sourcesOf, type Table } from "../table/table.ts";
import { type ChangedCells, scoreChanged } from "./changed-cells.ts";
import { featureUseOf } from "./explanations.ts";

/** Rows and trees that the measure looks at: enough for a ranking, and bounded on any table. */
const MOST_ROWS = 2_000;
const LEAST_ROWS = 200;
const MOST_TREES = 100;
const MOST_WALKS = 50_000_000;
/** Columns that are shuffled at most: those that the model uses most. */
const MOST_COLUMNS = 200;

/** Second parts of seeds: of the sample, and of the shuffles. */
const SAMPLE_DRAW = 21;
const SHUFFLE_DRAW = 22;

/** One of `of` equal parts of the columns, in file order. */
export interface ColumnPart {
  part: number;
  of: number;
}

const ALL_COLUMNS: ColumnPart = { part: 0, of: 1 };

/** A model, rows that it has not seen, and how well its probabilities for rows meet its aim: more is better. */
export interface MeasuredModel {
  table: Table;
  model: Model;
  view: CodedView;
  rows: Uint32Array;
  seed: number;
  achieved: (probabilities: Float64Array, judged: LabelledRows) => number;
}

/** How much one column of the file matters. */
export interface ColumnImportance {
  /** Index of the source column. */
  column: number;
  /** The aim met before less the aim met after: slightly negative where the column carries nothing. */
  loss: number;
}

/**
 * Shuffles each source column in turn (all features made of it together) among at most 2,000 of the rows and scores
 * again (Breiman 2001). One entry per source column that the model uses, in file order; of more than 200 the most used
 * ones. A column without an entry that the model does not use at all has no effect. A column's entry does not depend on
 * the part in which it is measured.
 */
export function permutationImportance(
  { table, model, view, rows, seed, achieved }: MeasuredModel,
  stop: StopSignal,
  { part, of }: ColumnPart = ALL_COLUMNS,
): ColumnImportance[] {
  const used = mostUsedColumns(table, model);
  const columns = used.slice(Math.floor((used.length * part) / of), Math.floor((used.length * (part + 1)) / of));
  const drawSeed = deriveSeed(seed, SAMPLE_DRAW);
  const most = sampleSize(used.length, formOf(model).treesAsked?.(model, MOST_TREES) ?? 1);
  const sample = sampleRows(labelledRows(table, rows), most, drawSeed);
  const sampled = selectRows(view, sample);
  const shuffles = columns.map((column) => {
    const order = shuffled(rowsUpTo(sample.length), new Random(deriveSeed(seed, SHUFFLE_DRAW, column)));
    return shuffledColumn(table, sampled, column, order);
  });
  const score = (shown: CodedView) => scoreModel(model, shown, rowsUpTo(shown.rowCount), MOST_TREES);
  const [before, ...after] = scoreChanged(sampled, [{ codes: new Map() }, ...shuffles], score, stop).map(
    (probabilities) => achieved(probabilities, labelledRows(table, sample)),
  );
  return columns.map((column, index) => ({ column, loss: before! - after[index]! }));
}

/** The cells of all features that are made of the column, and its terms, in another order of the rows. */
function shuffledColumn(table: Table, view: CodedView, column: number, order: Uint32Array): ChangedCells {
  const codes = new Map<number, ArrayLike<number>>();
  for (const [index, feature] of view.features.entries()) {
    if (sourcesOf(table.features[index]!).includes(column)) codes.set(index, permuteCodes(feature, order).codes);
  }
  const termRows = new Map<number, Uint32Array>();
  for (const [index, text] of (table.texts ?? []).entries()) if (text.column === column) termRows.set(index, order);
  return { codes, termRows };
}

function mostUsedColumns(table: Table, model: Model): number[] {
  const use = new Map<number, number>();
  const useOfFeature = featureUseOf(model, table.features.length);
  for (const [index, feature] of table.features.entries()) {
    for (const column of sourcesOf(feature)) use.set(column, (use.get(column) ?? 0) + useOfFeature[index]!);
  }
  // Terms are no features: where there are any, some member reads them.
  for (const { column } of table.texts ?? []) use.set(column, Number.POSITIVE_INFINITY);
  return [...use]
    .filter(([, amount]) => amount > 0)
    .sort(([a, useOfA], [b, useOfB]) => useOfB - useOfA || a - b)
    .slice(0, MOST_COLUMNS)
    .map(([column]) => column)
    .sort((a, b) => a - b);
}

/** How many rows the work bound allows; a model without trees costs about as much as a few. */
function sampleSize(columnCount: number, treeCount: number): number {
  const affordable = Math.floor(MOST_WALKS / (Math.max(MOST_TREES, treeCount) * columnCount));
  return Math.min(MOST_ROWS, Math.max(LEAST_ROWS, affordable));
}
