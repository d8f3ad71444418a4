// Columns that seem to be set, counted or measured after the outcome, or by another source for one label than for the
// others, though no single value marks them: a count of calls, a state, an amount put aside, two laboratories (D195).

import { countClasses } from "../fitting/class-counts.ts";
import { measureOf } from "../row-dependence/measure.ts";
import { type RowSample, sampleStretches } from "../row-dependence/sample.ts";
import { FIRST_TREES, lossOf, Trial } from "../row-dependence/trial.ts";
import { upperNormal } from "../statistics/tail-probabilities.ts";
import { type StopSignal, throwIfCancelled } from "../stop-signal.ts";
import { sumOf } from "../sums.ts";
import { everyRowOf, FIRST_LEVEL, type LabelledRows, levelCount, sourcesOf, type Table } from "../table/table.ts";
import { type LeakSuspect, spacedRows } from "./leaks.ts";
import { withoutColumns, withoutSuspects } from "./mark-gains.ts";
import { isOfOutcome, labelShares, markOrigin, type OfRow, togetherWithin } from "./mark-origin.ts";

/** Columns that are asked about, at most: those that tell most by themselves. */
const MOST_ASKED = 8;
/** A column that tells less by itself flatters too little. */
const LEAST_TOLD = 0.16;
/** Rows of a label that one column tells wholly hardly differ in it, so nothing else shows among them. */
const MOST_TOLD = 0.95;
/** A label with fewer rows, or with fewer others beside it, shows too little. */
const LEAST_LABEL_ROWS = 50;
/** Each value of a category with more of them tells little for sure. */
const MOST_VALUES = 50;
/** Columns that go together among rows of one label are one thing: that chance makes them seem to, and how many. */
const LEAST_CHANCE = 0.01;
const MOST_TOGETHER = 4;
/** All that are found gain so much together, in accuracy and standard errors. */
const LEAST_GAIN = 0.03;
const GAIN_Z = 3.5;

/** How one column, or the difference of two, tells a label by itself. */
interface Telling {
  columns: readonly number[];
  /** The share of the label among rows with a like cell. */
  shareOf: OfRow;
  /** The standard deviation of these shares, over that of the label itself. */
  told: number;
}

/**
 * A cause of the label opposes the other causes among rows of one label, and symptoms go with each other. What was made
 * of the label alone has nothing to do with the others there. `known`: suspects that were found otherwise, whose
 * columns are left out. About 25 fits of 20 trees on at most 4,000 rows, twice as many where there is a sign.
 * @throws Cancelled, OutOfTime
 */
export function findOutcomeColumns(
  table: Table,
  known: readonly LeakSuspect[],
  seed: number,
  stop: StopSignal,
): LeakSuspect | null {
  const open = withoutSuspects(spacedRows(table), known, stop);
  const sample = sampleStretches(open);
  const settings = { seed, stop, measure: measureOf(open) };
  const trialWithout = (groups: readonly Telling[][]) => {
    const rest = sampleStretches(withoutColumns(open, columnsOf(groups)));
    return { rest, trial: new Trial(rest, settings) };
  };
  const { code, telling } = mostTold(sample, stop);
  const rows = everyRowOf(sample.table);
  const isOutcome = (group: readonly Telling[], leftOut: readonly Telling[][]) => {
    const { rest, trial } = trialWithout(leftOut);
    if (rest.table.features.length === 0) return false;
    const { probabilities } = trial.atRandom(0, FIRST_TREES);
    const mark = (row: number) => group.reduce((sum, { shareOf }) => sum + shareOf(row), 0);
    const score = (row: number) => probabilities[row * rows.classCount + code]!;
    return isOfOutcome(markOrigin(rows, rest.view.features, code, mark, score));
  };
  // Another column of the outcome hides what the others say, so all that may be one are left out at last.
  const first = groupsOf(telling, rows, stop).filter((group) => isOutcome(group, [group]));
  const found = first.filter((group) => isOutcome(group, first));
  if (found.length === 0) return null;
  const gain = new Trial(sample, settings).gainOver(trialWithout(found).trial);
  if (lossOf(gain) < LEAST_GAIN || gain.z < GAIN_Z) return null;
  const { measure, random: withIt, held: without } = gain;
  return { columns: columnsOf(found), by: "outcome", strength: lossOf(gain), gain: { measure, withIt, without } };
}

function columnsOf(groups: readonly Telling[][]): number[] {
  return [...new Set(groups.flat().flatMap(({ columns }) => columns))].sort((a, b) => a - b);
}

/** The label of which one column tells most by itself, though not all, and what each column tells of it. */
function mostTold(sample: RowSample, stop: StopSignal): { code: number; telling: Telling[] } {
  const counts = countClasses(everyRowOf(sample.table));
  const rowCount = sumOf(counts);
  let most = { code: 0, told: 0, telling: [] as Telling[] };
  for (const code of counts.length === 2 ? [1] : counts.keys()) {
    throwIfCancelled(stop);
    if (Math.min(counts[code]!, rowCount - counts[code]!) < LEAST_LABEL_ROWS) continue;
    const telling = toldOf(sample, code, counts[code]! / rowCount);
    const told = telling[0]?.told ?? 0;
    if (told > most.told && told < MOST_TOLD) most = { code, told, telling };
  }
  return most;
}

/** Each column with what it tells of a label, the most first. `share`: of the rows that have it. */
function toldOf({ table, view }: RowSample, code: number, share: number): Telling[] {
  const rows = everyRowOf(table);
  const best = new Map<string, Telling>();
  for (const [index, feature] of table.features.entries()) {
    if (feature.kind === "category" && levelCount(feature) - FIRST_LEVEL > MOST_VALUES) continue;
    const columns = sourcesOf(feature);
    const key = columns.join(" ");
    const shareOf = labelShares(rows, view.features[index]!, code);
    const told = toldBy(rows, shareOf, share);
    if (told > (best.get(key)?.told ?? 0)) best.set(key, { columns, shareOf, told });
  }
  return [...best.values()].sort((a, b) => b.told - a.told);
}

/** `mean`: the share of the label. */
function toldBy({ rows }: LabelledRows, shareOf: OfRow, mean: number): number {
  let squares = 0;
  for (const row of rows) squares += (shareOf(row) - mean) ** 2;
  return Math.sqrt(squares / rows.length / (mean * (1 - mean)));
}

/** Columns that tell much, each with those that go with it among rows of one label; none that opposes another. */
function groupsOf(telling: readonly Telling[], rows: LabelledRows, stop: StopSignal): Telling[][] {
  const groups = new Map<string, Telling[]>();
  for (const start of telling.slice(0, MOST_ASKED)) {
    throwIfCancelled(stop);
    const group = start.told < LEAST_TOLD ? null : goingTogether(start, telling, rows);
    if (group !== null) groups.set(columnsOf([group]).join(" "), group);
  }
  return [...groups.values()];
}

/** Null where one of them opposes another column, or where they are many. */
function goingTogether(start: Telling, telling: readonly Telling[], rows: LabelledRows): Telling[] | null {
  const group = [start];
  for (const member of group) {
    for (const other of telling) {
      if (group.some(({ columns }) => columns.some((column) => other.columns.includes(column)))) continue;
      const z = togetherWithin(rows, member.shareOf, other.shareOf);
      if (2 * upperNormal(Math.abs(z)) * telling.length >= LEAST_CHANCE) continue;
      if (z < 0 || group.length === MOST_TOGETHER) return null;
      group.push(other);
    }
  }
  return group;
}
