// Does the mark of a column tell what the other columns do not? A fast model with it, beside one without.

import { countClasses } from "../fitting/class-counts.ts";
import { sampleStretches } from "../row-dependence/sample.ts";
import { type Difference, Trial } from "../row-dependence/trial.ts";
import type { StopSignal } from "../stop-signal.ts";
import {
  type CategoryFeature,
  FIRST_LEVEL,
  type LabelledRows,
  selectFeatures,
  type Table,
  withoutScores,
} from "../table/table.ts";
import { type LeakSuspect, spacedRows } from "./leaks.ts";
import { findMarks, type Mark } from "./marks.ts";

/** Marks tried, at most: those of most rows. */
const MOST_MARKS = 8;
/** Honest columns have pure values too, but mostly tell what others tell as well. In accuracy and standard errors. */
const LEAST_GAIN = 0.02;
const GAIN_Z = 3.5;

const MARK: CategoryFeature = { kind: "category", name: "mark", column: -1, part: null, names: ["no", "yes"] };

/**
 * Columns that seem to be filled in after the outcome. All columns with a mark are left out of the model, since several
 * may be filled in together. About 30 fits of 20 trees on at most 4,000 rows for either kind of mark, and none where
 * there is none; pure marks come first. @throws Cancelled, OutOfTime
 */
export function* findMarkedLeaks(table: Table, seed: number, stop: StopSignal): Generator<LeakSuspect> {
  const sampled = spacedRows(table);
  const { pure, telling } = findMarks(sampled, stop);
  const gainful = (
    marks: readonly Mark[],
    besides: readonly LeakSuspect[],
    isGain: (gain: Difference, guess: number) => boolean,
  ) => {
    if (marks.length === 0) return [];
    const columns = [...besides.flatMap((leak) => leak.columns), ...marks.map(({ column }) => column)];
    const { texts: _, ...others } = withoutColumns(withoutScores(sampled), new Set(columns));
    const trialWith = (mark: Mark | null) => new Trial(sampleStretches(withMark(others, mark)), seed, stop);
    const without = trialWith(null);
    return marks.slice(0, MOST_MARKS).flatMap((mark) => {
      const gain = trialWith(mark).gainOver(without);
      return isGain(gain, mostFrequentShare(without.everyRow)) ? [suspect(mark, gain)] : [];
    });
  };
  const found = gainful(pure, [], isLargeGain);
  yield* found;
  const named = new Set(found.flatMap(({ columns }) => columns));
  const others = telling.filter(({ column }) => !named.has(column));
  yield* gainful(others, found, isMostOfGain);
}

function withoutColumns(table: Table, columns: ReadonlySet<number>): Table {
  const kept = [...table.features.keys()].filter((index) => !columns.has(table.features[index]!.column));
  return selectFeatures(table, kept);
}

/** A feature that says which rows are marked; without a mark the same in every row, so that trees draw as many. */
function withMark(table: Table, mark: Mark | null): Table {
  const levels = new Uint8Array(table.rowCount);
  for (let row = 0; row < levels.length; row++) levels[row] = FIRST_LEVEL + (mark?.isMarked(row) === true ? 1 : 0);
  return { ...table, features: [...table.features, MARK], levels: [...table.levels, levels] };
}

function isLargeGain({ random, held, z }: Difference): boolean {
  return random - held >= LEAST_GAIN && z >= GAIN_Z;
}

/** The mark brings as much as all other columns together do over `guess`, always answering the most frequent label. */
function isMostOfGain({ random, held, z }: Difference, guess: number): boolean {
  return random - held >= held - guess && random > guess && z >= GAIN_Z;
}

function mostFrequentShare(rows: LabelledRows): number {
  return countClasses(rows).reduce((most, count) => Math.max(most, count), 0) / rows.rows.length;
}

function suspect({ isMarked: _, column, coverage, ...mark }: Mark, { random, held }: Difference): LeakSuspect {
  return { columns: [column], by: "mark", strength: coverage, mark: { ...mark, withIt: random, without: held } };
}
