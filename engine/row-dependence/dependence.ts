// Does the random split flatter? A fast model is judged at random and by what may belong together: stretches of the
// file, what the rows say of their time, columns that look like a group or whose values the label goes by or recur
// together, copies, near-twins.
//
// Thresholds were chosen on 24 public tables, others and drawn ones;
// test/bench/field-study.ts draws fresh ones and counts.

import { mapped } from "../mapped.ts";
import { deriveSeed } from "../random.ts";
import { OutOfTime, type StopSignal } from "../stop-signal.ts";
import { DIFFERENCE_PART, selectTableRows, type Table, withoutPart, withoutScores } from "../table/table.ts";
import { findAgreeingRows } from "./agreeing-rows.ts";
import { type CopiedRows, findCopiedRows, keptAgain } from "./copied-rows.ts";
import { withDomains } from "./domains.ts";
import { lossInFileOrder, worstLoss } from "./file-order.ts";
import { costByModel, findGroupLosses } from "./group-losses.ts";
import { drawWholeGroups, groupsOf } from "./group-rows.ts";
import { hasYears, measureLaterYears } from "./later-years.ts";
import { type Measure, measureOf } from "./measure.ts";
import { findNearTwins } from "./near-twins.ts";
import { findNoisyRepeats } from "./noisy-repeats.ts";
import { columnValues, lateLabel, latestFirst, orderBy, splitTime, timeColumns } from "./order-columns.ts";
import { findPlaces } from "./places.ts";
import { findRecurringColumns } from "./recurring-columns.ts";
import { measureOrder, sortedColumns } from "./row-order.ts";
import { codeSample, inStretches, type RowSample, sampleStretches, spreadOver } from "./sample.ts";
import { findTextLosses } from "./text-losses.ts";
import { isLoss, LEAST_LOSS, lossOf, Trial, type TrialComparison, type TrialSettings } from "./trial.ts";

/** Below, differences of this size are chance. */
const LEAST_ROWS = 200;
/** Years are judged by one model, not five, whose random draws add to the error. */
const LEAST_Z_OF_YEARS = 3.5;
/** With fewer columns, most rows lie near others by chance. */
const LEAST_TWIN_FEATURES = 5;
const COPY_DRAW = 85;
const RECURRING_DRAW = 87;
const REPEAT_DRAW = 88;
const AGREEING_DRAW = 89;
/** Independent rows tell of each other too where columns go together: letter loses 1.7 points. */
const LEAST_LOSS_OF_RECURRING = 0.05;
const LEAST_LOSS_OF_REPEATS = 0.1;
const LEAST_LOSS_OF_AGREEING = 0.05;

/** Ways in which rows may belong together. */
type Bond =
  | "file order"
  | "time"
  | "split time"
  | "later years"
  | "sorted"
  | "group"
  | "few groups"
  | "values"
  | "seen values"
  | "recurring"
  | "places"
  | "copies"
  | "near-twins"
  | "noisy repeats"
  | "agreeing rows"
  | "texts"
  | "few texts"
  | "endings";

/** A split under which much less is right than at random. */
export interface Flattery {
  bond: Bond;
  /**
   * The column of the file, by position, that names the group or the time, whose values the label goes by, that the
   * file is sorted by, or whose texts are alike; else null.
   */
  column: number | null;
  /** Columns whose values recur together or nearly so, or that tell a time or place together; only for these bonds. */
  columns?: readonly number[];
  /** The column that tells nearly all rows that agree apart from others by itself; left out where there is none. */
  naming?: number;
  /** How many domains the column's addresses have, where rows belong together by these; else left out. */
  domainCount?: number;
  /** By a time: a label that only the newest rows have, and most of these; left out where there is none. */
  lateLabel?: string;
  /** The figure that both are: the balanced accuracy where labels are rare, since the accuracy hardly moves there. */
  measure: Measure;
  /** The fast model's at random, and where what may belong together was held out. */
  random: number;
  held: number;
}

/** The findings of the check; finding nothing does not prove that rows are independent. */
export interface DependenceAnswer {
  /** Rows looked at. */
  rowCount: number;
  /** The largest loss first. */
  found: Flattery[];
  /** Columns that the file is sorted by, by position. */
  sortedBy: number[];
  /** Rows that repeat an earlier one, cell by cell, beyond chance. */
  copiedRowCount: number;
  /** False where the time was up first, or the table is too small or has nothing but the terms of texts. */
  isWhole: boolean;
  /** The table is too small; left out for any other. */
  tooFewRows?: true;
  /** The time was up first; left out for any other reason. */
  outOfTime?: true;
}

/**
 * The questions of the check, which threads may answer side by side. Columns that name a group come first: they say
 * what to do.
 */
export const DEPENDENCE_QUESTIONS = ["groups", "order", "copies", "near-twins", "texts"] as const;
export type DependenceQuestion = (typeof DEPENDENCE_QUESTIONS)[number];

/**
 * `table`: in file order. About 20 fits of 20 trees on at most 4,000 rows; where these hint at a loss, twice as many of
 * 50. All questions but `texts` see the shape of texts alone: what their terms say would have to be learned anew for
 * each fit. @throws Cancelled
 */
export function findDependence(
  table: Table,
  seed: number,
  stop: StopSignal,
  questions: readonly DependenceQuestion[] = DEPENDENCE_QUESTIONS,
): DependenceAnswer {
  const flatteries: Flattery[] = [];
  const features = withoutPart(withoutScores(table), DIFFERENCE_PART);
  let answer = { rowCount: 0, found: flatteries, sortedBy: [] as number[], copiedRowCount: 0 };
  if (table.rowCount < LEAST_ROWS) return { ...answer, isWhole: false, tooFewRows: true };
  if (features.features.length === 0) return { ...answer, isWhole: false };
  try {
    const copied = findCopiedRows(features, stop);
    // Copies resemble each other in every column: what else rows have in common shows without them.
    const unique = copied === null ? features : selectTableRows(features, copied.kept);
    const sample = sampleStretches(unique);
    const { view } = sample;
    const sortedBy = sortedColumns(sample);
    answer = { ...answer, rowCount: view.rowCount, sortedBy, copiedRowCount: table.rowCount - unique.rowCount };
    const settings: TrialSettings = { seed, stop, measure: measureOf(unique) };
    const trial = new Trial(sample, settings);
    const findings = {
      groups: function* () {
        yield* byGroups(unique, sample, settings);
        yield* byRecurringColumns(unique, sample, settings);
        yield* byPlaces(sample, trial);
      },
      order: function* () {
        const again = copied === null ? null : () => sampleStretches(selectTableRows(features, keptAgain(copied)));
        const times = latestFirst(sample.table, timeColumns(sample.table));
        const differing = withDifferences(withoutScores(table), features, copied, sample);
        const ofTimes = differing === null ? trial : new Trial(differing, settings);
        yield* byOrder(sample, ofTimes, times, sortedBy, settings, again);
        yield* byYears(unique, sample, ofTimes, times, settings);
      },
      copies: () => (copied === null ? [] : byCopies(features, copied, view.rowCount, settings)),
      "near-twins": () => byNearRows(sample, trial, settings),
      texts: () => byTexts(withoutPart(table, DIFFERENCE_PART), settings),
    };
    for (const question of questions) for (const flattery of findings[question]()) flatteries.push(flattery);
    return { ...answer, found: largestFirst(flatteries), isWhole: true };
  } catch (error) {
    if (error instanceof OutOfTime) return { ...answer, isWhole: false, outOfTime: true };
    throw error;
  }
}

/**
 * The rows of the sample with differences of columns: one of two dates tells how long something took, and without it a
 * model learns that from rows of about the same times. Null where there are none.
 */
function withDifferences(
  whole: Table,
  { features }: Table,
  copied: CopiedRows | null,
  { table, view }: RowSample,
): RowSample | null {
  if (whole.features.length === features.length) return null;
  const unique = copied === null ? whole : selectTableRows(whole, copied.kept);
  return { table, view: codeSample(inStretches(unique, view.rowCount)).view };
}

/** The answer that one look for all questions would give. */
export function joinAnswers(answers: readonly DependenceAnswer[]): DependenceAnswer {
  const found = largestFirst(answers.flatMap((answer) => answer.found));
  const isLate = answers.some(({ outOfTime }) => outOfTime);
  return {
    ...answers[0]!,
    found,
    isWhole: answers.every(({ isWhole }) => isWhole),
    ...(isLate && { outOfTime: true }),
  };
}

function largestFirst(found: Flattery[]): Flattery[] {
  return found.sort((a, b) => lossOf(b) - lossOf(a));
}

/** By columns, or else by the domains of their addresses. */
function* byGroups(whole: Table, sample: RowSample, settings: TrialSettings): Generator<Flattery> {
  const named = new Set<number>();
  for (const { loss, ...told } of findGroupLosses(whole, sample, settings)) {
    named.add(told.column);
    yield { ...told, ...figures(loss) };
  }
  const domains = withDomains(whole);
  if (domains === null) return;
  const { table, counts } = domains;
  for (const { loss, ...told } of findGroupLosses(table, sampleStretches(table), settings)) {
    const domainCount = named.has(told.column) ? undefined : counts.get(told.column);
    if (domainCount !== undefined) yield { ...told, domainCount, ...figures(loss) };
  }
}

/**
 * `times`: columns that say when a row is of, the latest first. `again`: a sample by a second draw of copies, null
 * where there are none. A copy stands where its row does not: only an order that both draws show is told.
 */
function* byOrder(
  sample: RowSample,
  trial: Trial,
  times: readonly number[],
  sortedBy: readonly number[],
  settings: TrialSettings,
  again: (() => RowSample) | null,
): Generator<Flattery> {
  const { table } = sample;
  const sortedTime = times.find((column) => sortedBy.includes(column));
  const first = lossInFileOrder(sample, (rows) => (rows === sample ? trial : new Trial(rows, settings)));
  const isChance =
    first !== null && again !== null && lossInFileOrder(again(), (rows) => new Trial(rows, settings)) === null;
  const inFileOrder = isChance ? null : first;
  if (inFileOrder !== null) {
    const column = sortedTime ?? sortedBy[0] ?? null;
    const bond = sortedTime !== undefined ? "time" : column === null ? "file order" : "sorted";
    const late = sortedTime === undefined ? null : lateLabel(table, columnValues(table, sortedTime));
    yield { bond, column, ...(late !== null && { lateLabel: late }), ...figures(inFileOrder) };
  }
  const unsortedTime = times.find((column) => !sortedBy.includes(column));
  if (unsortedTime !== undefined) {
    const values = columnValues(table, unsortedTime);
    const loss = worstLoss(measureOrder(trial, orderBy(values), false));
    const late = loss === null ? null : lateLabel(table, values);
    if (loss !== null)
      yield { bond: "time", column: unsortedTime, ...(late !== null && { lateLabel: late }), ...figures(loss) };
    return;
  }
  const split = times.length > 0 ? null : splitTime(table);
  if (split === null || inFileOrder !== null) return;
  const loss = worstLoss(measureOrder(trial, orderBy(split.values), false));
  if (loss !== null) yield { bond: "split time", column: null, columns: [split.year, split.month], ...figures(loss) };
}

/** By the latest date that tells years: a model that learns from it may be wrong in a year that it has not seen. */
function* byYears(
  wholeTable: Table,
  sample: RowSample,
  trial: Trial,
  times: readonly number[],
  settings: TrialSettings,
): Generator<Flattery> {
  const column = times.find((time) => hasYears(sample.table, time));
  if (column === undefined) return;
  const spread = spreadOver(wholeTable, sample);
  const ofSpread = spread === sample ? trial : new Trial(spread, settings);
  const comparison = measureLaterYears(ofSpread, spread.table, column, settings.seed);
  if (comparison !== null && isLoss(comparison, { z: LEAST_Z_OF_YEARS }))
    yield { bond: "later years", column, ...figures(comparison) };
}

/** By rows that lie near each other: near-twins, else noisy repeats, else rows that agree in most cells. */
function* byNearRows(sample: RowSample, trial: Trial, { seed, stop }: TrialSettings): Generator<Flattery> {
  const { table } = sample;
  const twins = table.features.length < LEAST_TWIN_FEATURES ? null : findNearTwins(table, stop);
  if (twins !== null) {
    yield* byFoundGroups(trial, twins, { bond: "near-twins" });
    return;
  }
  const repeats = findNoisyRepeats(table, () => trial.gains(), deriveSeed(seed, REPEAT_DRAW), stop);
  if (repeats !== null) {
    const columns = [...new Set(repeats.features.map((feature) => table.features[feature]!.column))];
    yield* byFoundGroups(trial, repeats.groups, { bond: "noisy repeats", columns }, LEAST_LOSS_OF_REPEATS);
    return;
  }
  const agreeing = findAgreeingRows(sample, deriveSeed(seed, AGREEING_DRAW), stop);
  if (agreeing === null) return;
  const { groups, naming } = agreeing;
  const told = { bond: "agreeing rows", ...(naming !== null && { naming }) } as const;
  yield* byFoundGroups(trial, groups, told, LEAST_LOSS_OF_AGREEING);
}

/** By groups that no column names. */
function* byFoundGroups(
  trial: Trial,
  groups: Uint32Array,
  { bond, ...told }: Pick<Flattery, "bond" | "columns" | "naming">,
  leastLoss: number = LEAST_LOSS,
): Generator<Flattery> {
  const comparison = trial.costOfGroups(groups);
  if (isLoss(comparison, { loss: leastLoss })) yield { bond, column: null, ...told, ...figures(comparison) };
}

/** By twins of texts: does a fast model of their words know the twins? */
function* byTexts(whole: Table, settings: TrialSettings): Generator<Flattery> {
  for (const { loss, ...told } of findTextLosses(whole, settings)) yield { ...told, ...figures(loss) };
}

function* byCopies(
  whole: Table,
  { contents }: CopiedRows,
  mostRows: number,
  settings: TrialSettings,
): Generator<Flattery> {
  const drawn = drawWholeGroups(contents, mostRows, deriveSeed(settings.seed, COPY_DRAW));
  const trial = new Trial(codeSample(selectTableRows(whole, drawn)), settings);
  const groups = groupsOf(mapped(Float64Array, drawn, (row) => contents[row]!));
  yield* byFoundGroups(trial, groups, { bond: "copies" });
}

/**
 * The columns are learned from: by them a model knows whose row it is. Only the better model counts, since a run would
 * choose it: the other may need the same values to come again. The first set that flatters is told.
 */
function* byRecurringColumns(whole: Table, sample: RowSample, settings: TrialSettings): Generator<Flattery> {
  for (const { columns, naming, contents } of findRecurringColumns(whole, settings.stop)) {
    const drawn = drawWholeGroups(contents, sample.view.rowCount, deriveSeed(settings.seed, RECURRING_DRAW));
    const values = mapped(Float64Array, drawn, (row) => contents[row]!);
    const [best] = costByModel(codeSample(selectTableRows(whole, drawn)), values, settings);
    if (!isLoss(best!, { loss: LEAST_LOSS_OF_RECURRING })) continue;
    yield { bond: "recurring", column: naming, columns, ...figures(best!) };
    return;
  }
}

/** By the areas of the map that rows lie in. */
function* byPlaces({ table }: RowSample, trial: Trial): Generator<Flattery> {
  const places = findPlaces(table);
  if (places !== null) yield* byFoundGroups(trial, places.areas, { bond: "places", columns: places.columns });
}

type LossFigures = Pick<Flattery, "measure" | "random" | "held">;

function figures({ measure, random, held }: TrialComparison): LossFigures {
  return { measure, random, held };
}
