// Columns that look like the name of a group: rows with the same value resemble each other in all other columns.
// A trial decides (group-losses.ts).

import { classesByCode } from "../fitting/class-counts.ts";
import { inversePriors } from "../judging/objective.ts";
import { deriveSeed } from "../random.ts";
import { rowsUpTo } from "../row-lists.ts";
import { FEWEST_GROUPS } from "../splits/key-check.ts";
import { simpsonIndex } from "../statistics/simpson-index.ts";
import { type StopSignal, throwIfStopped } from "../stop-signal.ts";
import { sumOf } from "../sums.ts";
import {
  everyRowOf,
  type Feature,
  FIRST_LEVEL,
  levelCount,
  rowsByLevel,
  selectTableRows,
  type Table,
} from "../table/table.ts";
import { type RankedRows, rankRows } from "./distances.ts";
import { drawWholeGroups } from "./group-rows.ts";
import type { Measure } from "./measure.ts";
import { columnValues } from "./order-columns.ts";

/** Rows that neighbours are sought among, at most: the cost grows with the square. */
const MOST_ROWS = 1_500;
/** With fewer values, the nearest row often has the same one by chance; few groups are tested in another way. */
const FEWEST_VALUES = 10;
/** Two random rows share a value in at most one of this many draws: else one value holds most of the rows. */
const LEAST_EVEN_VALUES = 4;
/** A value recurs twice in the mean, or more. */
const ROWS_PER_VALUE = 2;
const COMMONEST_SHARE = 0.5;
/** The nearest row has the same value at least this many times as often as by chance. */
const LEAST_LIFT = 6;
/** A number may be the same in a group by the way, as an income is: a text of about the same lift goes first. */
const NUMBER_WEIGHT = 2 / 3;
/** An ordinal's neighbours have the next value about as often as the same one. */
const ADJACENT_SHARE = 0.4;
export const MOST_COLUMNS = 2;
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
  const smallGroups = candidateColumns(table)
    .filter((column) => !among.includes(column))
    .sort((a, b) => Number(isInteger(table, a)) - Number(isInteger(table, b)) || a - b)
    .slice(0, MOST_OWN_DRAWS);
  const screened = screen(shared, among);
  for (const column of smallGroups) {
    throwIfStopped(stop);
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
 * Columns of so few values that rows are no nearer to those with the same one, two at most: those by whose values the
 * shares of the labels differ most, though the most frequent label may be the same for all. Enough values to judge by.
 * O(rows × columns).
 */
export function findFewGroups(table: Table, measure: Measure): number[] {
  const weights = weightsOf(table, measure);
  return fewGroupColumns(table)
    .map((column) => ({ column, right: rightByShares(countsByValue(table, column), weights) }))
    .sort((a, b) => b.right - a.right)
    .slice(0, MOST_COLUMNS)
    .map(({ column }) => column);
}

/** Columns of enough values to judge by, too few for `findGroupColumns`, and none of which has most of the rows. */
export function fewGroupColumns(table: Table): number[] {
  return columnsWith(
    table,
    (counts) =>
      counts.length >= FEWEST_GROUPS && counts.length < FEWEST_VALUES && simpsonIndex(counts) <= 1 / LEAST_EVEN_VALUES,
  );
}

/** The weight of a row of each class. */
export function weightsOf(table: Table, measure: Measure): Float64Array {
  if (measure === "accuracy") return new Float64Array(table.labels.length).fill(1);
  return inversePriors(everyRowOf(table));
}

/** Counts of rows by class, for each value in ascending order; missing cells are a value. */
export function countsByValue(table: Table, column: number): Uint32Array[] {
  return countsByLevel(table, column).filter(hasRows);
}

export function hasRows(ofLevel: Uint32Array): boolean {
  return ofLevel.some((count) => count > 0);
}

export function countsByLevel({ features, levels, classes, labels }: Table, column: number): Uint32Array[] {
  const at = valueFeature(features, column);
  return classesByCode(levels[at]!, levelCount(features[at]!), classes, labels.length);
}

/** The weight of the rows whose label is drawn rightly, by its share of the rows with their value. */
function rightByShares(counts: readonly Uint32Array[], weights: Float64Array): number {
  return sumOf(
    counts.map((ofValue) => {
      const weighed = weights.map((weight, code) => weight * ofValue[code]!);
      return sumOf(weighed.map((weight) => weight ** 2)) / sumOf(weighed);
    }),
  );
}

function screen(table: Table, candidates: readonly number[]): Screened[] {
  if (candidates.length === 0) return [];
  const nearest = nearestWithout(rankRows(table), table, candidates);
  return candidates.flatMap((column, at) => {
    const lift = liftOf(columnValues(table, column), nearest[at]!, isInteger(table, column));
    return lift >= LEAST_LIFT ? [{ column, lift }] : [];
  });
}

export function candidateColumns(table: Table): number[] {
  const { rowCount } = table;
  return columnsWith(table, (counts) => {
    const recurs = counts.length >= FEWEST_VALUES && counts.length <= rowCount / ROWS_PER_VALUE;
    return recurs && counts.every((count) => count <= COMMONEST_SHARE * rowCount);
  });
}

/** Categories and whole numbers whose values have such counts of rows. */
function columnsWith(table: Table, isMeant: (counts: readonly number[]) => boolean): number[] {
  return table.features.flatMap((feature, at) => {
    const { column, part, kind } = feature;
    if (part !== null || (kind === "number" && !isInteger(table, column))) return [];
    return isMeant([...rowsByLevel(table, at).subarray(FIRST_LEVEL)].filter((count) => count > 0)) ? [column] : [];
  });
}

export function isInteger(table: Table, column: number): boolean {
  const feature = table.features[valueFeature(table.features, column)];
  return feature?.kind === "number" && feature.values.every(Number.isInteger);
}

/** The place of the feature that holds the column's whole values; a category of codes has parts of its texts too. */
export function valueFeature(features: readonly Feature[], column: number): number {
  return features.findIndex((feature) => feature.column === column && feature.part === null);
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
        let distance = total;
        for (let at = 0; at < places.length; at++) distance -= squares[places[at]!]!;
        if (distance < least[a]!) {
          least[a] = distance;
          nearest[a] = b;
        }
        if (distance < least[b]!) {
          least[b] = distance;
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
  let sameCount = 0;
  let adjacentCount = 0;
  nearest.forEach((other, row) => {
    if (other < 0 || Number.isNaN(values[row]!)) return;
    if (values[other] === values[row]) sameCount++;
    else if (Math.abs((places.get(values[other]!) ?? -9) - places.get(values[row]!)!) === 1) adjacentCount++;
  });
  if (isWhole && adjacentCount > ADJACENT_SHARE * sameCount) return 0;
  const chance = [...counts.values()].reduce(
    (sum, count) => sum + (count / rowCount) * ((count - 1) / Math.max(1, rowCount - 1)),
    0,
  );
  return chance === 0 ? 0 : sameCount / rowCount / chance;
}
