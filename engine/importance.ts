// Permutation importance: the accuracy that a model loses when one column of rows it has not seen is shuffled.
import { type CodedView, permuteCodes, selectRows } from "./buckets.ts";
import type { AdditiveModel } from "./families/additive-tables.ts";
import type { AdditiveTrees } from "./families/additive-trees.ts";
import type { BayesNetworks } from "./families/bayes-networks.ts";
import { gatherClasses } from "./families/class-counts.ts";
import type { Forest } from "./families/forest.ts";
import { type Model, scoreModel } from "./families/model.ts";
import type { PairedModel } from "./families/pair-columns.ts";
import { sampleRows } from "./families/row-sample.ts";
import type { StackModel } from "./families/stack-model.ts";
import { judge } from "./metrics.ts";
import { deriveSeed, Random, shuffle } from "./random.ts";
import { type StopSignal, throwIfCancelled } from "./stop-signal.ts";
import type { Table } from "./table.ts";

/** Rows and trees that the measure looks at: enough for a ranking, and bounded on any table. */
const MOST_ROWS = 2_000;
const LEAST_ROWS = 200;
const MOST_TREES = 100;
const MOST_WALKS = 50_000_000;
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
  const most = sampleSize(columns.length, treesAsked(model));
  const sample = sampleRows(rows, table.classes, table.labels.length, most, drawSeed);
  const classes = gatherClasses(table.classes, sample);
  const sampled = selectRows(view, sample);
  const everyRow = Uint32Array.from(sample, (_, index) => index);
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
    return { column, accuracyLoss: before - accuracyOf({ rowCount: sampled.rowCount, features }) };
  });
}

function mostUsedColumns(table: Table, model: Model): number[] {
  const use = new Map<number, number>();
  const useOfFeature = featureUse(model, table.features.length);
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

/** How much a model makes of each feature, in units of its kind. */
function featureUse(model: Model, featureCount: number): Float64Array {
  switch (model.kind) {
    case "forest":
    case "additive trees":
      return splitCounts(model);
    case "additive":
      return tableSpreads(model);
    case "paired":
      return pairedSpreads(model);
    case "networks":
      return nodeCounts(model, featureCount);
    case "stack":
      return stackUse(model, featureCount);
  }
}

function stackUse(model: StackModel, featureCount: number): Float64Array {
  const uses = new Float64Array(featureCount);
  model.members.forEach((member, index) => {
    addShares(uses, featureUse(member.model, featureCount), model.weights[index]!);
  });
  if (model.mains !== null) addShares(uses, tableSpreads(model.mains.tables), 1);
  return uses;
}

/** Adds each feature's share of one member's uses. */
function addShares(uses: Float64Array, own: Float64Array, weight: number): void {
  const total = own.reduce((sum, use) => sum + use, 0);
  if (total > 0)
    for (let feature = 0; feature < uses.length; feature++) uses[feature]! += (weight * own[feature]!) / total;
}

function splitCounts({ children, features, featureCount }: Forest | AdditiveTrees): Float64Array {
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

/** What a joint column spreads counts for both of its columns. */
function pairedSpreads({ additive, pairs }: PairedModel): Float64Array {
  const spreads = tableSpreads(additive);
  const featureCount = spreads.length - pairs.firsts.length;
  const uses = spreads.slice(0, featureCount);
  for (let pair = 0; pair < pairs.firsts.length; pair++) {
    for (const column of [pairs.firsts[pair]!, pairs.seconds[pair]!]) {
      uses[pairs.columns.features[column]!]! += spreads[featureCount + pair]!;
    }
  }
  return uses;
}

function nodeCounts({ nodeColumns, columns }: BayesNetworks, featureCount: number): Float64Array {
  const uses = new Float64Array(featureCount);
  for (const column of nodeColumns) uses[columns.features[column]!]!++;
  return uses;
}

/** Trees that a row is sent down; what has none costs about as much as a few. */
function treesAsked(model: Model): number {
  switch (model.kind) {
    case "forest":
      return Math.min(MOST_TREES, model.roots.length);
    case "additive trees":
      return model.roots.length;
    case "stack":
      return model.members.reduce((sum, member) => sum + treesAsked(member.model), 0);
    default:
      return 1;
  }
}

/** How many rows the work bound allows. */
function sampleSize(columnCount: number, treeCount: number): number {
  const affordable = Math.floor(MOST_WALKS / (Math.max(MOST_TREES, treeCount) * columnCount));
  return Math.min(MOST_ROWS, Math.max(LEAST_ROWS, affordable));
}
