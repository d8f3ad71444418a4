// Columns by whose recurring values the label goes, unless it follows an order of the values. A trial decides
// (group-losses.ts).

import { naturalOrders } from "../columns/natural-order.ts";
import { deriveSeed, Random, shuffle } from "../random.ts";
import { sumOf } from "../sums.ts";
import { FIRST_LEVEL, type Table } from "../table/table.ts";
import {
  candidateColumns,
  countsByLevel,
  countsByValue,
  hasRows,
  isInteger,
  MOST_COLUMNS,
  valueFeature,
  weightsOf,
} from "./group-columns.ts";
import { guessed, type Measure } from "./measure.ts";
import { columnValues } from "./order-columns.ts";

/**
 * A number of fewer values is rather a count, a code or a measurement: in letter, next values of the 16 mostly have
 * other labels. Where a number is measured, the next values tell more than this share of what its own tells.
 */
const FEWEST_NUMBERS = 100;
const NEIGHBOURS_SHARE = 1 / 4;
/** By chance, one of three orders beats as many shuffles in one column of 67. */
const ORDER_DRAWS = 200;
const ORDER_DRAW = 89;

interface Telling {
  column: number;
  valueCount: number;
  /** How much more is guessed rightly by its values, and by those just below and above them. */
  gain: number;
  gainByNeighbours: number;
}

/**
 * Each row's label is guessed from the other rows with its value: the most frequent label or, for the balanced
 * accuracy, the one whose share is most above its share of all rows.
 */
function byTelling(table: Table, columns: readonly number[], leastGain: number, measure: Measure): Telling[] {
  const { rowCount } = table;
  const guess = guessed(measure, table);
  const weights = weightsOf(table, measure);
  return columns
    .map((column) => {
      const counts = countsByValue(table, column);
      const [gain, gainByNeighbours] = [rightByOthers, rightByNeighbours].map(
        (right) => right(counts, weights) / rowCount - guess,
      );
      return { column, valueCount: counts.length, gain: gain!, gainByNeighbours: gainByNeighbours! };
    })
    .filter(({ gain }) => gain >= leastGain)
    .sort((a, b) => b.gain - a.gain);
}

/**
 * Columns whose recurring values tell the label, the strongest first, two categories and two whole numbers at most.
 * They count where the next values hardly tell it: a new age has neighbours, a new customer has none. Categories have
 * next values where the label follows a natural order of theirs, beyond chance. O(rows × columns).
 */
export function findTellingColumns(
  table: Table,
  { leastGain, measure, seed }: { leastGain: number; measure: Measure; seed: number },
): number[] {
  const telling = byTelling(table, candidateColumns(table), leastGain, measure);
  const isWhole = ({ column }: Telling) => isInteger(table, column);
  const isNumberName = ({ valueCount, gain, gainByNeighbours }: Telling) =>
    valueCount >= FEWEST_NUMBERS && gainByNeighbours <= NEIGHBOURS_SHARE * gain;
  const isName = ({ column, gain }: Telling) => !followsOrder(table, column, { gain, measure, seed });
  const categories = firstOf(
    telling.filter((each) => !isWhole(each)),
    isName,
  );
  const numbers = firstOf(telling.filter(isWhole), isNumberName);
  return [...categories, ...numbers].map(({ column }) => column);
}

/** The first that count, without a look at those behind them. */
function firstOf(telling: readonly Telling[], counts: (each: Telling) => boolean): Telling[] {
  return telling.values().filter(counts).take(MOST_COLUMNS).toArray();
}

/**
 * Whether the label goes by the place of a category's values in a natural order: neighbours tell most of what the
 * values tell, and more than in any of many shuffles of the values.
 */
function followsOrder(
  table: Table,
  column: number,
  { gain, measure, seed }: { gain: number; measure: Measure; seed: number },
): boolean {
  const feature = table.features[valueFeature(table.features, column)];
  if (feature?.kind !== "category") return false;
  const byLevel = countsByLevel(table, column).slice(FIRST_LEVEL);
  const names = feature.names.filter((_, at) => hasRows(byLevel[at]!));
  const counts = byLevel.filter(hasRows);
  const weights = weightsOf(table, measure);
  const guess = guessed(measure, table);
  const random = new Random(deriveSeed(seed, ORDER_DRAW, column));
  const weighed = counts.map((ofValue) => weights.map((weight, code) => weight * ofValue[code]!));
  const distanceIn = (order: Iterable<number>) => distanceToNeighbours(Array.from(order, (at) => weighed[at]!));
  return naturalOrders(names).some((order) => {
    const ordered = order.map((at) => counts[at]!);
    if (rightByNeighbours(ordered, weights) / table.rowCount - guess <= NEIGHBOURS_SHARE * gain) return false;
    const distance = distanceIn(order);
    const shuffled = Uint32Array.from(order);
    for (let draw = 0; draw < ORDER_DRAWS; draw++) {
      shuffle(shuffled, random);
      if (distanceIn(shuffled) <= distance) return false;
    }
    return true;
  });
}

/**
 * Whether the values of new rows were seen for long: none has come in the last half of the file. Rows that are drawn
 * from the same values will hardly have others.
 */
export function areAllSeen(table: Table, column: number): boolean {
  const values = columnValues(table, column);
  const half = Math.ceil(values.length / 2);
  const early = new Set(values.subarray(0, half));
  return values.subarray(half).every((value) => Number.isNaN(value) || early.has(value));
}

/** The weight of the rows whose label alone weighs most among the other rows with their value. */
export function rightByOthers(counts: readonly Uint32Array[], weights: Float64Array): number {
  let right = 0;
  for (const ofValue of counts) {
    const weighed = weights.map((weight, code) => weight * ofValue[code]!);
    const most = Math.max(...weighed);
    const first = weighed.indexOf(most);
    const second = Math.max(...weighed.with(first, 0));
    for (const [code, weight] of weighed.entries()) {
      if (weight - weights[code]! > (code === first ? second : most)) right += weight;
    }
  }
  return right;
}

/** The weight of the rows whose label weighs most among the rows with the next values below and above. */
function rightByNeighbours(counts: readonly Uint32Array[], weights: Float64Array): number {
  return sumOf(
    counts.map((ofValue, at) => {
      const near = weights.map(
        (weight, code) => weight * ((counts[at - 1]?.[code] ?? 0) + (counts[at + 1]?.[code] ?? 0)),
      );
      const first = near.indexOf(Math.max(...near));
      return ofValue[first]! * weights[first]!;
    }),
  );
}

/**
 * How far the labels' shares of each value are from those of the next values together: squares, over all rows.
 * `weighed`: the weight of the rows of each label, by value.
 */
function distanceToNeighbours(weighed: readonly Float64Array[]): number {
  let distance = 0;
  for (const [at, own] of weighed.entries()) {
    const [below, above] = [weighed[at - 1], weighed[at + 1]];
    const total = sumOf(own);
    const nearTotal = sumOf(below ?? []) + sumOf(above ?? []);
    for (const [code, weight] of own.entries()) {
      const near = (below?.[code] ?? 0) + (above?.[code] ?? 0);
      distance += total * (weight / total - near / nearTotal) ** 2;
    }
  }
  return distance;
}
