// Differences of two columns as further features: how long something took, what was used between two readings, how far
// two sensors are apart. Trees hardly see them in the columns themselves.

import { freeName } from "../csv/header.ts";
import { evenlySpaced, rowsUpTo } from "../row-lists.ts";
import { quantileLevels } from "../table/quantile-levels.ts";
import {
  CLOCK_PART,
  DIFFERENCE_PART,
  type LevelArray,
  MAX_LEVELS,
  type NumberFeature,
  type Table,
  withoutPart,
} from "../table/table.ts";
import { amountColumns } from "./amounts.ts";
import { type ColumnPair, candidatePairs } from "./candidate-pairs.ts";
import { chanceOf } from "./chance.ts";

/** Rows that are looked at for whether a difference tells the label. */
const JUDGED_ROWS = 20_000;
/** Chance alone makes one of all candidates of a table pass with this probability. */
const LEVEL = 0.001;
const MOST_DIFFERENCES = 100;
/** Cells of all differences at most: no job's memory is planned for them. */
const MOST_CELLS = 10_000_000;
/** Bits of an amount that a subtraction leaves exact. */
const EXACT_BITS = 44;

/**
 * The table with a feature for each difference of two of its columns that tells the label (D186), without the clocks of
 * its dates. `trainRowCount`: the first rows, by which differences are chosen. O(rows × differences).
 */
export function withDifferences(table: Table, trainRowCount: number, names: readonly string[]): Table {
  const columns = amountColumns(table, (column) => names[column]!);
  const rows = evenlySpaced(trainRowCount, JUDGED_ROWS);
  const candidates = candidatePairs(table, columns, rows);
  const chances = candidates.map((pair) => chanceOf(pair, table, rows));
  const most = Math.min(MOST_DIFFERENCES, Math.floor(MOST_CELLS / table.rowCount));
  const chosen = [...candidates.keys()]
    .filter((at) => chances[at]! < LEVEL / candidates.length)
    .sort((a, b) => chances[a]! - chances[b]! || a - b)
    .slice(0, most)
    .sort((a, b) => a - b)
    .map((at) => candidates[at]!);
  const clockless = withoutPart(table, CLOCK_PART);
  const takenNames = new Set([...names, ...table.features.map(({ name }) => name)]);
  const made = chosen.map((pair) => differenceOf(pair, table.rowCount, trainRowCount, takenNames));
  return {
    ...clockless,
    features: [...clockless.features, ...made.map(({ feature }) => feature)],
    levels: [...clockless.levels, ...made.map(({ levels }) => levels)],
  };
}

function differenceOf(
  { column, minus }: ColumnPair,
  rowCount: number,
  trainRowCount: number,
  takenNames: Set<string>,
): { feature: NumberFeature; levels: LevelArray } {
  const differences = new Float64Array(rowCount);
  let largest = 0;
  for (let row = 0; row < rowCount; row++) {
    const amount = column.at(row);
    differences[row] = amount - minus.at(row);
    if (Math.abs(amount) > largest) largest = Math.abs(amount);
  }
  takeOffNoise(differences, largest);
  const levels = new Uint16Array(new SharedArrayBuffer(2 * rowCount));
  const values = quantileLevels(differences, rowsUpTo(trainRowCount), levels, MAX_LEVELS);
  const name = freeName(`${column.name} - ${minus.name}`, takenNames);
  const sources = { column: column.column, minus: minus.column };
  return { feature: { kind: "number", name, ...sources, part: DIFFERENCE_PART, values }, levels };
}

/** Rounds to a power of 2 far below the largest amount: 0.3 - 0.1 is 0.2 then. What is not finite is missing. */
function takeOffNoise(differences: Float64Array, largest: number): void {
  const step = 2 ** Math.floor(Math.log2(largest) - EXACT_BITS);
  for (let row = 0; row < differences.length; row++) {
    const rounded = Math.round(differences[row]! / step) * step;
    differences[row] = Number.isFinite(rounded) ? rounded : Number.NaN;
  }
}
