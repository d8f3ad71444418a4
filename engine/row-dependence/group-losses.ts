// Losses by columns that may name a group: by the other columns alone, since these may tell whose row it is, and by the
// column itself.

import { deriveSeed } from "../random.ts";
import { meanOf } from "../sums.ts";
import { selectTableRows, type Table } from "../table/table.ts";
import {
  candidateColumns,
  fewGroupColumns,
  findFewGroups,
  findGroupColumns,
  isInteger,
  MOST_COLUMNS,
} from "./group-columns.ts";
import { drawWholeGroups, groupsOf } from "./group-rows.ts";
import { guessed } from "./measure.ts";
import { columnValues } from "./order-columns.ts";
import { codeSample, type RowSample } from "./sample.ts";
import { findColumnsTellingBeside } from "./telling-beside.ts";
import { areAllSeen, findTellingColumns } from "./telling-columns.ts";
import { heldByWords } from "./text-losses.ts";
import {
  type FastModel,
  isLoss,
  isLossOfFew,
  LEAST_LOSS,
  Trial,
  type TrialComparison,
  type TrialSettings,
} from "./trial.ts";

/** Naive Bayes learns more of what the values of one category say, trees more of what they say beside other columns. */
const MODELS: readonly FastModel[] = ["naive Bayes", "extra-trees"];
/** Samples have this many times the rows where labels are rare: of 1%, a usual sample has too few. */
const RARE_LABEL_SAMPLES = 5;
const GROUP_DRAW = 84;
/** Other columns must tell the group at least this well: else only its labels' shares differ from the rest. */
const LEAST_TOLD = 0.1;

export interface GroupLoss {
  /**
   * Rows of one group resemble each other; so do those of a few; or the label goes by the values, of which new rows may
   * have others or, as far as the file tells, hardly will.
   */
  bond: "group" | "few groups" | "values" | "seen values";
  /** By position in the file. */
  column: number;
  loss: TrialComparison;
}

/** `whole`: all rows but copies. `sample`: some of them. @throws OutOfTime or Cancelled */
export function* findGroupLosses(whole: Table, sample: RowSample, settings: TrialSettings): Generator<GroupLoss> {
  const costsWithout = new Map<number, CostWithout | null>();
  for (const column of findGroupColumns(whole, sample.table, settings.seed, settings.stop)) {
    const without = costWithout(groupSample(whole, sample, column, settings), column, settings);
    costsWithout.set(column, without);
    if (!isGroup(without)) continue;
    const comparison = atLeastByWords(without, column, settings);
    if (isLoss(comparison)) yield { bond: "group", column, loss: comparison };
  }
  const categories = candidateColumns(whole).filter((column) => !isInteger(whole, column));
  const few = fewGroupColumns(whole);
  const beside = findColumnsTellingBeside(whole, [...categories, ...few], settings.measure);
  const besideAmong = (columns: readonly number[]) =>
    beside.filter((column) => columns.includes(column)).slice(0, MOST_COLUMNS);
  yield* byTellingColumns(whole, sample, { beside: besideAmong(categories), costsWithout }, settings);
  yield* byFewGroups(whole, sample, besideAmong(few), settings);
}

function* byTellingColumns(
  whole: Table,
  sample: RowSample,
  { beside, costsWithout }: { beside: readonly number[]; costsWithout: ReadonlyMap<number, CostWithout | null> },
  settings: TrialSettings,
): Generator<GroupLoss> {
  const { seed, measure } = settings;
  const telling = findTellingColumns(whole, { leastGain: LEAST_LOSS, measure, seed });
  for (const column of new Set([...telling, ...beside])) {
    const knownCost = costsWithout.get(column) ?? null;
    if (isGroup(knownCost)) continue;
    const groups = groupSample(whole, sample, column, settings);
    // A new number has neighbours that tell, which naive Bayes does not know.
    const models = isInteger(whole, column) ? (["extra-trees"] as const) : MODELS;
    const costs = costByModel(groups, columnValues(groups.table, column), settings, models);
    const areSeen = areAllSeen(whole, column);
    const worst = costs.find((cost) => isLoss(cost) || (areSeen && isLossOfFew(cost, groups.table)));
    if (worst === undefined) continue;
    // Where other columns tell whose row it is too, leaving this one out does not help.
    const without = knownCost ?? costWithout(groups, column, settings);
    const byValues = areSeen ? "seen values" : "values";
    yield { bond: isGroup(without) ? "group" : byValues, column, loss: worst };
  }
}

function* byFewGroups(
  whole: Table,
  sample: RowSample,
  beside: readonly number[],
  settings: TrialSettings,
): Generator<GroupLoss> {
  const { measure } = settings;
  const withOwnRules: number[] = [];
  for (const column of beside) {
    const groups = groupSample(whole, sample, column, settings);
    const [loss] = costByModel(groups, columnValues(groups.table, column), settings, ["extra-trees"]);
    if (!isLossOfFew(loss!, groups.table)) continue;
    withOwnRules.push(column);
    yield { bond: "seen values", column, loss: loss! };
  }
  for (const column of findFewGroups(whole, measure)) {
    if (withOwnRules.includes(column)) continue;
    const without = costWithout(groupSample(whole, sample, column, settings), column, settings);
    if (without === null || !isLossOfFew(without.comparison, without.table)) continue;
    const comparison = atLeastByWords(without, column, settings);
    if (!isLossOfFew(comparison, without.table) || toldByOthers(without, settings) < LEAST_TOLD) continue;
    // A whole run would not be worse than guessing.
    const held = Math.max(comparison.held, guessed(measure, without.table));
    yield { bond: "few groups", column, loss: { ...comparison, held } };
  }
}

/** Its column left out of the view. */
interface CostWithout extends RowSample {
  groups: Uint32Array;
  comparison: TrialComparison;
}

/** The loss by the other columns alone, if rows of the same value are held out together; null without others. */
function costWithout(
  { table, view: allFeatures }: RowSample,
  column: number,
  settings: TrialSettings,
): CostWithout | null {
  const features = allFeatures.features.filter((_, feature) => table.features[feature]!.column !== column);
  if (features.length === 0) return null;
  const groups = groupsOf(columnValues(table, column));
  const view = { ...allFeatures, features };
  return { table, view, groups, comparison: new Trial({ table, view }, settings).costOfGroups(groups) };
}

function isGroup(without: CostWithout | null): without is CostWithout {
  return without !== null && isLoss(without.comparison);
}

/** By the words of the other columns. */
function atLeastByWords(
  { table, groups, comparison }: CostWithout,
  column: number,
  settings: TrialSettings,
): TrialComparison {
  const { texts = [] } = table;
  const others = { ...table, texts: texts.filter((text) => text.column !== column) };
  return { ...comparison, held: Math.max(comparison.held, heldByWords(others, groups, settings)) };
}

/** How much the other columns tell of which value a row has: 0 as guessing does, 1 all. */
function toldByOthers({ table, view, groups }: CostWithout, settings: TrialSettings): number {
  const labels = [...new Set(groups)].map(String);
  const asLabels = { ...table, labels, classes: Uint8Array.from(groups) };
  const guess = guessed("accuracy", asLabels);
  const right = meanOf(new Trial({ table: asLabels, view }, { ...settings, measure: "accuracy" }).atRandom(0).right);
  return (right - guess) / (1 - guess);
}

/** By each fast model, the better one at random first, if rows of the same value are held out together. */
export function costByModel(
  sample: RowSample,
  values: Float64Array,
  settings: TrialSettings,
  models = MODELS,
): TrialComparison[] {
  const groups = groupsOf(values);
  const comparisons = models.map((model) => new Trial(sample, { ...settings, model }).costOfGroups(groups));
  const byWords = comparisons.some((comparison) => isLoss(comparison))
    ? heldByWords(sample.table, groups, settings)
    : 0;
  // A whole run would not be worse than guessing.
  const least = Math.max(guessed(settings.measure, sample.table), byWords);
  return comparisons
    .map((comparison) => ({ ...comparison, held: Math.max(comparison.held, least) }))
    .sort((a, b) => b.random - a.random);
}

/** Whole groups by the column, without rows that name none; the sample itself where it has all rows. */
function groupSample(whole: Table, sample: RowSample, column: number, { seed, measure }: TrialSettings): RowSample {
  const values = columnValues(whole, column);
  const named = Uint32Array.from(values.keys()).filter((row) => !Number.isNaN(values[row]!));
  const mostRows = Math.min(named.length, sample.view.rowCount * (measure === "accuracy" ? 1 : RARE_LABEL_SAMPLES));
  const hasAll = named.length === whole.rowCount;
  if (hasAll && whole.rowCount === sample.view.rowCount) return sample;
  const groups = hasAll ? whole : selectTableRows(whole, named);
  const drawn = drawWholeGroups(columnValues(groups, column), mostRows, deriveSeed(seed, GROUP_DRAW, column));
  return codeSample(selectTableRows(groups, drawn));
}
