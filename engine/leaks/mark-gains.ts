// Does the mark of a column tell what the other columns do not, and does it come from the outcome?

import { countClasses } from "../fitting/class-counts.ts";
import { type RowSample, sampleStretches } from "../row-dependence/sample.ts";
import { FIRST_TREES, lossOf, Trial, type TrialComparison } from "../row-dependence/trial.ts";
import type { StopSignal } from "../stop-signal.ts";
import {
  type CategoryFeature,
  FIRST_LEVEL,
  type LabelledRows,
  selectFeatures,
  sourcesOf,
  type Table,
  withoutScores,
} from "../table/table.ts";
import { emptyRows, withNested } from "./empty-rows.ts";
import { findLeaks, type LeakSuspect, spacedRows } from "./leaks.ts";
import { isOfCause, isOfOutcome, type MarkOrigin, markOrigin } from "./mark-origin.ts";
import { findMarks, type Mark, PURE_ONLY } from "./marks.ts";
import { countsByClass, guessGain, mostMarked, type RowPattern } from "./row-patterns.ts";
import { sourceSplits } from "./source-splits.ts";

/** Marks of either kind tried, at most: those of most rows. */
const MOST_MARKS = 8;
/** Honest columns have pure values too, but mostly tell what others tell as well. In accuracy and standard errors. */
const LEAST_GAIN = 0.02;
const GAIN_Z = 3.5;
/** A mark that comes from the outcome needs to gain less. */
const LEAST_OUTCOME_GAIN = 0.01;
/** A mark of so many of a label's rows is asked about wherever it is from, if the other columns do not tell more. */
const MOST_OF_LABEL = 0.5;
/** Empty rows are asked about where they bring at least so much of what all other columns bring, of few patterns. */
const SHARE_OF_OTHERS = 0.5;
const MOST_EMPTY = 3;

type MarkedBy = "mark" | "empty rows" | "two sources";

const MARK: CategoryFeature = { kind: "category", name: "mark", column: -1, part: null, names: ["no", "yes"] };

/**
 * Columns that seem to be filled in after the outcome, and columns that are empty in the same rows where that alone
 * brings much of the accuracy, as of visits that no longer took place. All columns with a mark, and those that give the
 * label away alone, are left out of the model: several may be filled in together, and each would hide what the others
 * tell. About 30 fits of 20 trees on at most 4,000 rows for each mark, twice as many for empty rows, and none where
 * there is neither; pure marks come first.
 * @throws Cancelled, OutOfTime
 */
export function* findMarkedLeaks(table: Table, seed: number, stop: StopSignal): Generator<LeakSuspect> {
  const sampled = spacedRows(table);
  const { pure, telling } = findMarks(sampled, stop);
  const further = telling.filter((mark) => !pure.includes(mark));
  const marks = [pure, further].flatMap((found) => found.slice(0, MOST_MARKS));
  const patterns = emptyRows(withoutScores(sampled));
  const empty = tellingMost(patterns, sampled);
  const sources = tellingMost(sourceSplits(sampled, stop), sampled);
  if (marks.length + empty.length + sources.length === 0) return;
  const others = withoutSuspects(sampled, [...pure, ...telling], stop);
  const named = new Set<number>();
  const isNamed = ({ columns }: { columns: readonly number[] }) => columns.some((column) => named.has(column));
  const name = (by: MarkedBy, mark: Mark, gain: TrialComparison) => {
    const suspect = suspectOf(by, { ...mark, columns: mark.columns.filter((column) => !named.has(column)) }, gain);
    for (const column of mark.columns) named.add(column);
    return suspect;
  };
  const ofPattern = function* (by: MarkedBy, pattern: RowPattern) {
    const mark = markOf(pattern, sampled);
    const judged = marksBeside(withoutColumns(others, mark.columns), seed, stop)(mark);
    if (judged !== null && isMuch(judged)) yield name(by, mark, judged.gain);
  };
  for (const pattern of sources) if (!isNamed(pattern)) yield* ofPattern("two sources", pattern);
  const judge = marksBeside(others, seed, stop);
  for (const mark of marks) {
    if (isNamed(mark)) continue;
    const judged = judge(mark);
    if (judged !== null && isAsked(mark, judged)) yield name("mark", mark, judged.gain);
  }
  for (const pattern of empty) {
    if (!isNamed(pattern)) yield* ofPattern("empty rows", withNested(pattern, patterns, sampled.rowCount));
  }
}

/** The patterns by which most is guessed rightly. */
function tellingMost(patterns: readonly RowPattern[], table: Table): RowPattern[] {
  return patterns
    .map((pattern) => ({ pattern, gain: guessGain(pattern, table) }))
    .filter(({ gain }) => gain >= LEAST_GAIN)
    .sort((a, b) => b.gain - a.gain)
    .slice(0, MOST_EMPTY)
    .map(({ pattern }) => pattern);
}

function markOf(pattern: RowPattern, table: Table): Mark {
  const { columns, isMarked, rowCount } = pattern;
  const { code, coverage, others } = mostMarked(countsByClass(pattern, table));
  const rule = { columns, by: "value", text: null, part: null, isMarked } as const;
  return { ...rule, label: table.labels[code]!, rowCount, coverage, others, isUsual: false };
}

interface Judgement {
  gain: TrialComparison;
  origin: MarkOrigin;
  /** How much more is right without the mark than by always answering the most frequent label. */
  others: number;
}

/** Judges marks beside the other columns; null where the fast model gains nothing for certain. */
function marksBeside(others: Table, seed: number, stop: StopSignal): (mark: Mark) => Judgement | null {
  const sampleWith = (mark: Mark | null) => sampleStretches(withMark(others, mark));
  const settings = { seed, stop, measure: "accuracy" } as const;
  const without = new Trial(sampleWith(null), settings);
  const guess = mostFrequentShare(without.everyRow);
  return (mark) => {
    const sample = sampleWith(mark);
    const gain = new Trial(sample, settings).gainOver(without);
    if (gain.z < GAIN_Z) return null;
    return { gain, origin: originOf(sample, without, others.labels.indexOf(mark.label)), others: gain.held - guess };
  };
}

/** Without these, the columns that give the label away alone, and texts. */
export function withoutSuspects(
  table: Table,
  suspects: readonly { columns: readonly number[] }[],
  stop: StopSignal,
): Table {
  const givers = findLeaks(table, stop).filter(({ by, columns }) => by !== "values" || columns.length === 1);
  const { texts: _, ...plain } = withoutScores(table);
  return withoutColumns(
    plain,
    [...givers, ...suspects].flatMap(({ columns }) => columns),
  );
}

/** Differences of these columns are left out too. */
export function withoutColumns(table: Table, columns: readonly number[]): Table {
  const isLeftOut = (column: number) => columns.includes(column);
  const kept = [...table.features.keys()].filter((index) => !sourcesOf(table.features[index]!).some(isLeftOut));
  return selectFeatures(table, kept);
}

/** A feature that says which rows are marked; without a mark the same in every row, so that trees draw as many. */
function withMark(table: Table, mark: Mark | null): Table {
  const levels = new Uint8Array(table.rowCount);
  for (let row = 0; row < levels.length; row++) levels[row] = FIRST_LEVEL + (mark?.isMarked(row) === true ? 1 : 0);
  return { ...table, features: [...table.features, MARK], levels: [...table.levels, levels] };
}

/** The mark is the last feature of the sample. */
function originOf({ table, view }: RowSample, without: Trial, code: number): MarkOrigin {
  const { everyRow } = without;
  const { probabilities } = without.atRandom(0, FIRST_TREES);
  const marks = table.levels.at(-1)!;
  return markOrigin(
    everyRow,
    view.features.slice(0, -1),
    code,
    (row) => (marks[row] === FIRST_LEVEL ? 0 : 1),
    (row) => probabilities[row * everyRow.classCount + code]!,
  );
}

/**
 * A pure mark has to gain much; one that is less pure has to come from the outcome besides. Or a mark brings as much as
 * all other columns do over `guess`, always answering the most frequent label; not where pure ones alone are asked of.
 */
function isAsked(mark: Mark, { gain: comparison, origin, others }: Judgement): boolean {
  if (isOfCause(origin)) return false;
  const gain = lossOf(comparison);
  if (gain >= LEAST_GAIN && mark.others === undefined) return true;
  if (gain >= LEAST_OUTCOME_GAIN && isOfOutcome(origin)) return true;
  return (
    !mark.isUsual && !PURE_ONLY.has(mark.by) && mark.coverage >= MOST_OF_LABEL && gain >= others && gain + others > 0
  );
}

/** Empty rows may tell honestly, as of tests that nobody saw a reason for. */
function isMuch({ gain, origin, others }: Judgement): boolean {
  return !isOfCause(origin) && lossOf(gain) >= Math.max(LEAST_GAIN, SHARE_OF_OTHERS * others);
}

function mostFrequentShare(rows: LabelledRows): number {
  return countClasses(rows).reduce((most, count) => Math.max(most, count), 0) / rows.rows.length;
}

function suspectOf(
  by: MarkedBy,
  { isMarked: _, isUsual: __, columns, coverage, ...mark }: Mark,
  { random, held }: TrialComparison,
): LeakSuspect {
  return { columns: [...columns], by, strength: coverage, mark: { ...mark, withIt: random, without: held } };
}
