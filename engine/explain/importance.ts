// Permutation importance: the accuracy that a model loses when one column of rows it has not seen is shuffled.

import { type CodedView, permuteCodes, selectRows } from "../buckets.ts";
import { formOf, type Model, scoreModel } from "../families/algorithms.ts";
import { gatherClasses } from "../families/class-counts.ts";
import { sampleRows } from "../families/row-sample.ts";
import { judge } from "../judging/metrics.ts";
import { deriveSeed, Random, shuffle } from "../random.ts";
import { rowsUpTo } from "../row-lists.ts";
import { type StopSignal, throwIfCancelled } from "../stop-signal.ts";
import type { Table } from "../table.ts";
import { selectTermRows } from "../text/term-rows.ts";

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

/** The effect of one column of the file. */
export interface ColumnEffect {
  /** Index of the source column. */
  column: number;
  /** Accuracy before less accuracy after: 0 to 1, slightly negative where the column carries nothing. */
  accuracyLoss: number;
}

/**
 * Shuffles each source column in turn (all features made of it together) among at most 2,000 of the rows and scores again
 * (Breiman 2001). One entry per source column that the model uses, in file order; of more than 200 the most used ones. A
 * column without an entry that the model does not use at all has no effect. Rows must be unseen by the model.
 */
export function permutationImportance(
  table: Table,
  model: Model,
  view: CodedView,
  rows: Uint32Array,
  seed: number,
  stop: StopSignal,
): ColumnEffect[] {
  const columns = mostUsedColumns(table, model);
  const drawSeed = deriveSeed(seed, SAMPLE_DRAW);
  const most = sampleSize(columns.length, formOf(model).treesAsked?.(model, MOST_TREES) ?? 1);
  const sample = sampleRows({ rows, classes: table.classes, classCount: table.labels.length }, most, drawSeed);
  const classes = gatherClasses(table.classes, sample);
  const sampled = selectRows(view, sample);
  const everyRow = rowsUpTo(sample.length);
  const accuracyOf = (shown: CodedView) =>
    judge(scoreModel(model, shown, everyRow, MOST_TREES), everyRow, classes, table.labels.length).accuracy;

  const before = accuracyOf(sampled);
  return columns.map((column) => {
    throwIfCancelled(stop);
    const order = everyRow.slice();
    shuffle(order, new Random(deriveSeed(seed, SHUFFLE_DRAW, column)));
    const features = sampled.features.map((feature, index) =>
      table.features[index]!.column === column ? permuteCodes(feature, order) : feature,
    );
    const texts = sampled.texts?.map((text, index) =>
      table.texts![index]!.column === column ? selectTermRows(text, order) : text,
    );
    const shown = texts === undefined ? { ...sampled, features } : { ...sampled, features, texts };
    return { column, accuracyLoss: before - accuracyOf(shown) };
  });
}

function mostUsedColumns(table: Table, model: Model): number[] {
  const use = new Map<number, number>();
  const useOfFeature = formOf(model).featureUse(model, table.features.length);
  table.features.forEach(({ column }, index) => {
    use.set(column, (use.get(column) ?? 0) + useOfFeature[index]!);
  });
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
