// Permutation importance: the accuracy that a model loses when one column of rows it has not seen is shuffled.
import { type CodedView, permuteCodes, selectRows } from "./buckets.ts";
import type { AdditiveModel } from "./families/additive-tables.ts";
import { gatherClasses } from "./families/class-counts.ts";
import { type Forest, scoreForest } from "./families/forest.ts";
import { type Model, scoreModel } from "./families/model.ts";
import { sampleRows } from "./families/row-sample.ts";
import { judge } from "./metrics.ts";
import { deriveSeed, Random, shuffle } from "./random.ts";
import { type StopSignal, throwIfCancelled } from "./stop-signal.ts";
import type { Table } from "./table.ts";

/** Rows and trees that the measure looks at: enough for a ranking, and bounded on any table. */
const MOST_ROWS = 2_000;
const LEAST_ROWS = 200;
const MOST_TREES = 100;
const MOST_WALKS = 100_000_000;
/** Columns that are shuffled at most: those that the model uses most. */
const MOST_COLUMNS = 200;

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
  const sample = sampleRows(rows, table.classes, table.labels.length, sampleSize(columns.length), drawSeed);
  const classes = gatherClasses(table.classes, sample);
  const sampled = selectRows(view, sample);
  const everyRow = Uint32Array.from(sample, (_, index) => index);
  const accuracyOf = (shown: CodedView) =>
    judge(scoreBriefly(model, shown, everyRow), everyRow, classes, table.labels.length).accuracy;

  const before = accuracyOf(sampled);
  return columns.map((column) => {
    throwIfCancelled(stop);
    const order = everyRow.slice();
    shuffle(order, new Random(deriveSeed(seed, SHUFFLE_DRAW, column)));
    const features = sampled.features.map((feature, index) =>
      table.features[index]!.column === column ? permuteCodes(feature, order) : feature,
    );
    return { column, accuracyLoss: before - accuracyOf({ rowCount: sampled.rowCount, features }) };
  });
}

function mostUsedColumns(table: Table, model: Model): number[] {
  const use = new Map<number, number>();
  const useOfFeature = model.kind === "forest" ? splitCounts(model) : tableSpreads(model);
  table.features.forEach(({ column }, index) => {
    use.set(column, (use.get(column) ?? 0) + useOfFeature[index]!);
  });
  return [...use]
    .filter(([, amount]) => amount > 0)
    .sort(([a, useOfA], [b, useOfB]) => useOfB - useOfA || a - b)
    .slice(0, MOST_COLUMNS)
    .map(([column]) => column)
    .sort((a, b) => a - b);
}

function splitCounts({ children, features, featureCount }: Forest): Float64Array {
  const counts = new Float64Array(featureCount);
  for (let node = 0; node < children.length; node++) if (children[node]! >= 0) counts[features[node]!]!++;
  return counts;
}

function tableSpreads({ tables }: AdditiveModel): Float64Array {
  return Float64Array.from(tables, (entries) => {
    let least = 0;
    let most = 0;
    for (const entry of entries ?? []) {
      least = Math.min(least, entry);
      most = Math.max(most, entry);
    }
    return most - least;
  });
}

/** How many rows the work bound allows. */
function sampleSize(columnCount: number): number {
  const affordable = Math.floor(MOST_WALKS / (MOST_TREES * columnCount));
  return Math.min(MOST_ROWS, Math.max(LEAST_ROWS, affordable));
}

function scoreBriefly(model: Model, view: CodedView, rows: Uint32Array): Float64Array {
  if (model.kind !== "forest") return scoreModel(model, view, rows);
  const probabilities = new Float64Array(rows.length * model.classCount);
  scoreForest(model, view, rows, probabilities, MOST_TREES);
  return probabilities;
}
