// Logistic regression with interactions: terms over pairs of features that a
// screen finds, beside the features' own tables.

import { gatherClasses } from "../fitting/class-counts.ts";
import { type CoarseColumns, fitCoarseColumns } from "../fitting/coarse-columns.ts";
import type { FitInput } from "../fitting/family.ts";
import { bestPairs, type ColumnPairs, jointCode, type PairedModel, widenView } from "../fitting/pair-columns.ts";
import { MOST_PAIRED } from "../fitting/pair-information.ts";
import { sampleRows } from "../fitting/row-sample.ts";
import { outputCountOf } from "../fitting/score-tables.ts";
import { deriveSeed } from "../random.ts";
import { rowsUpTo } from "../row-lists.ts";
import { type CodedFeature, FIRST_CODE, selectRows } from "../table/buckets.ts";
import { LogisticProblem, type LogisticSettings } from "./logistic-regression.ts";
import { productGains, residualsOf, tableGains } from "./pair-screen.ts";
import type { TableForm } from "./table-basis.ts";

export interface InteractionSettings extends LogisticSettings {
  /**
   * tables: a contribution per combination of two features' groups. products: a weight on the product of two numbers.
   */
  interactions: "tables" | "products";
  /** Pairs at most. */
  pairCount: number;
}

/** Groups of a feature in a joint table, and in a product. */
const TABLE_GROUPS = 8;
const PRODUCT_GROUPS = 16;
/** Values are cut off at this many standard deviations, since products of outliers would outweigh all others. */
const MOST_DEVIATIONS = 3;
/** The fit of the features' own tables, whose residuals the screen examines. */
const MAIN_L2 = 1;
const MAIN_ITERATIONS = 60;
/** Screened rows × pairs × outputs at most, about a second of work: wide tables screen fewer rows. */
const MAX_SCREENED = 400_000_000;
const MIN_SCREENED_ROWS = 2_000;
/** Rows × pairs at most: a code takes one or two bytes, and two more in the solver's copy. */
const MAX_JOINT_CODES = 2 ** 26;
const SCREEN_DRAW = 5;

/**
 * Fits the features' own tables, screens pairs by what they would explain of the residuals, then fits the tables and
 * the best pairs together. A product becomes a joint table with one parameter, so both kinds end as one form of model.
 * When the time is up it returns the best model so far, at the least the class frequencies. Throws `Cancelled`.
 */
export function fitInteractions(input: FitInput, settings: InteractionSettings): PairedModel {
  const { basis, interactions, pairCount, l2, maxIterations } = settings;
  const { view, rows, classes, classCount } = input;
  const mains = new LogisticProblem(input, basis);
  const residuals = residualsOf(mains.solve(MAIN_L2, MAIN_ITERATIONS), input, screenedRows(input));
  const columns = fitCoarseColumns(input, MOST_PAIRED, interactions === "tables" ? TABLE_GROUPS : PRODUCT_GROUPS);
  const values = interactions === "tables" ? null : groupMeans(columns, input);
  const gains =
    values === null ? tableGains(input, columns, residuals) : productGains(input, columns, values, residuals);
  const pairs = bestPairs(columns, gains, Math.min(pairCount, Math.floor(MAX_JOINT_CODES / rows.length)));
  const features = widenView(selectRows(view, rows), pairs).features.map((feature, index) =>
    values === null || index < view.features.length
      ? feature
      : productFeature(feature, pairs, values, index - view.features.length),
  );
  const forms = features.map((_, index): TableForm => {
    if (index < view.features.length) return basis;
    return values === null ? "joint" : "linear";
  });
  const everyRow = rowsUpTo(rows.length);
  const problem = new LogisticProblem(
    { ...input, view: { rowCount: rows.length, features }, rows: everyRow, classes: gatherClasses(classes, rows) },
    forms,
  );
  problem.continueFrom(mains);
  return { kind: "paired", classCount, pairs, additive: problem.solve(l2, maxIterations) };
}

function screenedRows(input: FitInput): Uint32Array {
  const columnCount = Math.min(MOST_PAIRED, input.view.features.length);
  const perRow = Math.max(1, (columnCount ** 2 / 2) * outputCountOf(input.classCount));
  const limit = Math.max(MIN_SCREENED_ROWS, Math.floor(MAX_SCREENED / perRow));
  return sampleRows(input, limit, deriveSeed(input.seed, SCREEN_DRAW));
}

/** The mean of the fit rows' standardised values in each group of each column; 0 for missing, and for categories. */
function groupMeans({ features, groupCounts, starts, groupOfCode }: CoarseColumns, input: FitInput): Float64Array[] {
  return Array.from(features, (featureIndex, column) => {
    const means = new Float64Array(groupCounts[column]!);
    const { kind, codes, centres } = input.view.features[featureIndex]!;
    if (kind === "category") return means;
    const counts = new Float64Array(means.length);
    for (const row of input.rows) {
      const code = codes[row]!;
      const group = groupOfCode[starts[column]! + code]!;
      counts[group] = counts[group]! + 1;
      means[group] = means[group]! + (centres[code]! - means[group]!) / counts[group]!;
    }
    return means.map((mean) => Math.max(-MOST_DEVIATIONS, Math.min(MOST_DEVIATIONS, mean)));
  });
}

/** A joint column as a number: the product of its two groups' values. */
function productFeature(
  joint: CodedFeature,
  { columns, firsts, seconds }: ColumnPairs,
  values: readonly Float64Array[],
  pair: number,
): CodedFeature {
  const [first, second] = [firsts[pair]!, seconds[pair]!];
  const centres = new Float64Array(joint.codeCount);
  for (const [group, value] of values[first]!.entries()) {
    for (const [other, factor] of values[second]!.entries()) {
      const code = jointCode(group, other, columns.groupCounts[second]!);
      if (code >= FIRST_CODE) centres[code] = value * factor;
    }
  }
  return { ...joint, kind: "number", centres };
}
