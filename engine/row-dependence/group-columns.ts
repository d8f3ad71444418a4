// Columns that look like the name of a group: rows with the same value resemble each other in all other columns, or in
// the label.

import { inversePriors } from "../judging/objective.ts";
import { deriveSeed } from "../random.ts";
import { rowsUpTo } from "../row-lists.ts";
import { type StopSignal, throwIfCancelled, throwIfOutOfTime } from "../stop-signal.ts";
import { FIRST_LEVEL, labelledRows, selectTableRows, type Table } from "../table/table.ts";
import { type RankedRows, rankRows } from "./distances.ts";
import { drawWholeGroups } from "./group-rows.ts";
import { guessed, type Measure } from "./measure.ts";
import { columnValues } from "./order-columns.ts";

/** Rows that neighbours are sought among, at most: the cost grows with the square. */
const MOST_ROWS = 1_500;
const FEWEST_VALUES = 10;
/** A value recurs three times in the mean, or more. */
const ROWS_PER_VALUE = 3;
const COMMONEST_SHARE = 0.5;
/** The nearest row has the same value at least this many times as often as by chance. */
const LEAST_LIFT = 6;
/** A number may be the same in a group by the way, as an income is: a text of about the same lift goes first. */
const NUMBER_WEIGHT = 2 / 3;
/** An ordinal's neighbours have the next value about as often as the same one. */
const ADJACENT_SHARE = 0.4;
const MOST_COLUMNS = 2;
/** Columns with small groups, at most: each takes a search of its own, .1 s with sixty columns. */
const MOST_OWN_DRAWS = 8;
const SCREENING_DRAW = 83;

interface Screened {
  column: number;
  lift: number;
}

/**
 * Columns of the file, the strongest first, two at most. `table`: all rows; `sample`: some of them. Large groups show
 * among any rows; of small ones, whole groups are drawn from the table. @throws OutOfTime or Cancelled
 */
export function findGroupColumns(table: Table, sample: Table, seed: number, stop: StopSignal): number[] {
  const shared = selectTableRows(sample, rowsUpTo(Math.min(MOST_ROWS, sample.rowCount)));
  const among = candidateColumns(shared);
  const own = candidateColumns(table)
    .filter((column) => !among.includes(column))
    .sort((a, b) => Number(isInteger(table, a)) - Number(isInteger(table, b)) || a - b)
    .slice(0, MOST_OWN_DRAWS);
  const screened = screen(shared, among);
  for (const column of own) {
    throwIfCancelled(stop);
    throwIfOutOfTime(stop);
    const drawn = drawWholeGroups(columnValues(table, column), MOST_ROWS, deriveSeed(seed, SCREENING_DRAW, column));
    screened.push(...screen(selectTableRows(table, drawn), [column]));
  }
  const weightOf = ({ column, lift }: Screened) => (isInteger(table, column) ? NUMBER_WEIGHT : 1) * lift;
  return screened
    .sort((a, b) => weightOf(b) - weightOf(a))
    .slice(0, MOST_COLUMNS)
    .map(({ column }) => column);
}

/**
 * Categories whose recurring values tell the label, the strongest first, two at most. Each row's label is guessed from
 * the other rows with its value: the most frequent label or, for the balanced accuracy, the one whose share is most
 * above its share of all rows. Numbers are left out: a new number has neighbours that tell. O(rows × columns).
 */
export function findTellingColumns(table: Table, leastGain: number, measure: Measure): number[] {
  const guess = guessed(measure, table);
  const weights =
    measure === "accuracy"
      ? new Float64Array(table.labels.length).fill(1)
      : inversePriors(labelledRows(table, rowsUpTo(table.rowCount)));
  const gainOf = (column: number) =>
    rightByOthers(columnValues(table, column), table, weights) / table.rowCount - guess;
  return candidateColumns(table)
    .filter((column) => !isInteger(table, column))
    .map((column) => ({ column, gain: gainOf(column) }))
    .filter(({ gain }) => gain >= leastGain)
    .sort((a, b) => b.gain - a.gain)
    .slice(0, MOST_COLUMNS)
    .map(({ column }) => column);
}

/** The weight of the rows whose label alone weighs most among the other rows with their value. */
function rightByOthers(values: Float64Array, { classes, labels }: Table, weights: Float64Array): number {
  const counts = new Map<number, Float64Array>();
  for (const [row, value] of values.entries()) {
    const own = counts.get(value) ?? new Float64Array(labels.length);
    own[classes[row]!]!++;
    counts.set(value, own);
  }
  let right = 0;
  for (const own of counts.values()) {
    const weighed = own.map((count, code) => count * weights[code]!);
    const most = Math.max(...weighed);
    const first = weighed.indexOf(most);
    const second = Math.max(...weighed.with(first, 0));
    for (const [code, weight] of weighed.entries()) {
      if (weight - weights[code]! > (code === first ? second : most)) right += weight;
    }
  }
  return right;
}

function screen(table: Table, candidates: readonly number[]): Screened[] {
  if (candidates.length === 0) return [];
  const nearest = nearestWithout(rankRows(table), table, candidates);
  return candidates.flatMap((column, at) => {
    const lift = liftOf(columnValues(table, column), nearest[at]!, isInteger(table, column));
    return lift >= LEAST_LIFT ? [{ column, lift }] : [];
  });
}

/** Categories and whole numbers whose values recur. */
function candidateColumns(table: Table): number[] {
  const { rowCount } = table;
  return table.features.flatMap(({ column, part, kind }, feature) => {
    if (part !== null || (kind === "number" && !isInteger(table, column))) return [];
    const counts = new Map<number, number>();
    for (const level of table.levels[feature]!) {
      if (level >= FIRST_LEVEL) counts.set(level, (counts.get(level) ?? 0) + 1);
    }
    const commonest = counts.values().reduce((most, count) => Math.max(most, count), 0);
    const recurs = counts.size >= FEWEST_VALUES && counts.size <= rowCount / ROWS_PER_VALUE;
    return recurs && commonest <= COMMONEST_SHARE * rowCount ? [column] : [];
  });
}

function isInteger(table: Table, column: number): boolean {
  return table.features.some(
    (feature) => feature.column === column && feature.kind === "number" && feature.values.every(Number.isInteger),
  );
}

/**
 * For each candidate the nearest other row of each row, by all columns but the candidate; the same array for all
 * candidates that distances do not look at. O(rows² × (features + candidates that they look at)).
 */
function nearestWithout(
  { rowCount, featureCount, ranks, features }: RankedRows,
  table: Table,
  candidates: readonly number[],
): Int32Array[] {
  const placesOf = candidates.map((column) =>
    features.flatMap((feature, place) => (table.features[feature]!.column === column ? [place] : [])),
  );
  const searches = [[], ...placesOf.filter((places) => places.length > 0)].map((places) => ({
    places,
    nearest: new Int32Array(rowCount).fill(-1),
    least: new Float64Array(rowCount).fill(Number.POSITIVE_INFINITY),
  }));
  const squares = new Float64Array(featureCount);
  for (let a = 0; a < rowCount; a++) {
    const ofA = a * featureCount;
    for (let b = a + 1; b < rowCount; b++) {
      const ofB = b * featureCount;
      let total = 0;
      for (let place = 0; place < featureCount; place++) {
        const square = (ranks[ofA + place]! - ranks[ofB + place]!) ** 2;
        squares[place] = square;
        total += square;
      }
      for (const { places, nearest, least } of searches) {
        let own = total;
        for (let at = 0; at < places.length; at++) own -= squares[places[at]!]!;
        if (own < least[a]!) {
          least[a] = own;
          nearest[a] = b;
        }
        if (own < least[b]!) {
          least[b] = own;
          nearest[b] = a;
        }
      }
    }
  }
  let search = 1;
  return placesOf.map((places) => searches[places.length === 0 ? 0 : search++]!.nearest);
}

/** How often the nearest row has the same value, over how often any other row has; 0 for an ordinal. */
function liftOf(values: Float64Array, nearest: Int32Array, isWhole: boolean): number {
  const counts = new Map<number, number>();
  const places = new Map(
    [...new Set(values.filter((value) => !Number.isNaN(value)))]
      .sort((a, b) => a - b)
      .entries()
      .map(([place, value]) => [value, place]),
  );
  let rowCount = 0;
  for (let row = 0; row < nearest.length; row++) {
    if (Number.isNaN(values[row]!)) continue;
    counts.set(values[row]!, (counts.get(values[row]!) ?? 0) + 1);
    rowCount++;
  }
  let same = 0;
  let adjacent = 0;
  nearest.forEach((other, row) => {
    if (other < 0 || Number.isNaN(values[row]!)) return;
    if (values[other] === values[row]) same++;
    else if (Math.abs((places.get(values[other]!) ?? -9) - places.get(values[row]!)!) === 1) adjacent++;
  });
  if (isWhole && adjacent > ADJACENT_SHARE * same) return 0;
  const chance = [...counts.values()].reduce(
    (sum, count) => sum + (count / rowCount) * ((count - 1) / Math.max(1, rowCount - 1)),
    0,
  );
  return chance === 0 ? 0 : same / rowCount / chance;
}
