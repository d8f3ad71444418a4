// Does the mark of a column tell what the other columns do not, and does it come from the outcome?

import { countClasses } from "../fitting/class-counts.ts";
import { type RowSample, sampleStretches } from "../row-dependence/sample.ts";
import { type Difference, FIRST_TREES, Trial } from "../row-dependence/trial.ts";
import type { StopSignal } from "../stop-signal.ts";
import {
  type CategoryFeature,
  FIRST_LEVEL,
  type LabelledRows,
  selectFeatures,
  type Table,
  withoutScores,
} from "../table/table.ts";
import { findLeaks, type LeakSuspect, spacedRows } from "./leaks.ts";
import { isOfCause, isOfOutcome, type MarkOrigin, markOrigin } from "./mark-origin.ts";
import { findMarks, type Mark, PURE_ONLY } from "./marks.ts";

/** Marks of either kind tried, at most: those of most rows. */
const MOST_MARKS = 8;
/** Honest columns have pure values too, but mostly tell what others tell as well. In accuracy and standard errors. */
const LEAST_GAIN = 0.02;
const GAIN_Z = 3.5;
/** A mark that comes from the outcome needs to gain less. */
const LEAST_OUTCOME_GAIN = 0.01;
/** A mark of so many of a label's rows is asked about wherever it is from, if the other columns do not tell more. */
const MOST_OF_LABEL = 0.5;

const MARK: CategoryFeature = { kind: "category", name: "mark", column: -1, part: null, names: ["no", "yes"] };

/**
 * Columns that seem to be filled in after the outcome. All columns with a mark, and those that give the label away
 * alone, are left out of the model: several may be filled in together, and each would hide what the others tell. About
 * 30 fits of 20 trees on at most 4,000 rows for each mark, and none where there is none; pure marks come first.
 * @throws Cancelled, OutOfTime
 */
export function* findMarkedLeaks(table: Table, seed: number, stop: StopSignal): Generator<LeakSuspect> {
  const sampled = spacedRows(table);
  const { pure, telling } = findMarks(sampled, stop);
  const marks = [...firstOf(pure), ...firstOf(telling.filter((mark) => !pure.includes(mark)))];
  if (marks.length === 0) return;
  const others = withoutSuspects(sampled, [...pure, ...telling], stop);
  const sampleWith = (mark: Mark | null) => sampleStretches(withMark(others, mark));
  const without = new Trial(sampleWith(null), seed, stop);
  const guess = mostFrequentShare(without.everyRow);
  const named = new Set<number>();
  for (const mark of marks) {
    if (named.has(mark.column)) continue;
    const sample = sampleWith(mark);
    const gain = new Trial(sample, seed, stop).gainOver(without);
    if (gain.z < GAIN_Z) continue;
    const origin = originOf(sample, without, sampled.labels.indexOf(mark.label));
    if (!isAsked(mark, gain, origin, guess)) continue;
    named.add(mark.column);
    yield suspect(mark, gain);
  }
}

function firstOf(marks: readonly Mark[]): Mark[] {
  return marks.slice(0, MOST_MARKS);
}

function withoutSuspects(table: Table, marks: readonly Mark[], stop: StopSignal): Table {
  const givers = findLeaks(table, stop).filter(({ columns }) => columns.length === 1);
  const suspects = new Set([...givers.map(({ columns: [column] }) => column!), ...marks.map(({ column }) => column)]);
  const { texts: _, ...plain } = withoutScores(table);
  const kept = [...plain.features.keys()].filter((index) => !suspects.has(plain.features[index]!.column));
  return selectFeatures(plain, kept);
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
function isAsked(mark: Mark, { random, held }: Difference, origin: MarkOrigin, guess: number): boolean {
  if (isOfCause(origin)) return false;
  const gain = random - held;
  if (gain >= LEAST_GAIN && mark.others === undefined) return true;
  if (gain >= LEAST_OUTCOME_GAIN && isOfOutcome(origin)) return true;
  return (
    !mark.isUsual && !PURE_ONLY.has(mark.by) && mark.coverage >= MOST_OF_LABEL && gain >= held - guess && random > guess
  );
}

function mostFrequentShare(rows: LabelledRows): number {
  return countClasses(rows).reduce((most, count) => Math.max(most, count), 0) / rows.rows.length;
}

function suspect(
  { isMarked: _, isUsual: __, column, coverage, ...mark }: Mark,
  { random, held }: Difference,
): LeakSuspect {
  return { columns: [column], by: "mark", strength: coverage, mark: { ...mark, withIt: random, without: held } };
}
