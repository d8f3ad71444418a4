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
import { testDifference } from "./difference-test.ts";

/** Rows that are looked at for whether a difference tells the label. */
const JUDGED_ROWS = 20_000;
/** The chance that any candidate of a table passes where none tells the label (Bonferroni). */
const MOST_CHANCE = 0.001;
const MOST_DIFFERENCES = 100;
/** Cells of all differences at most: no job's memory is planned for them. */
const MOST_CELLS = 10_000_000;
/** Bits of the largest amount that differences keep: the rest is rounding of the subtraction. */
const KEPT_BITS = 44;

/**
 * The table with a feature for each difference of two of its columns that tells the label (D186), without the clocks of
 * its dates. `trainRowCount`: the first rows, by which differences are chosen. O(rows × differences).
 */
export function withDifferences(table: Table, trainRowCount: number, names: readonly string[]): Table {
  const chosen = choosePairs(table, evenlySpaced(trainRowCount, JUDGED_ROWS), names);
  const takenNames = new Set([...names, ...table.features.map(({ name }) => name)]);
  const made = chosen.map((pair) => differenceOf(pair, table.rowCount, trainRowCount, takenNames));
  const clockless = withoutPart(table, CLOCK_PART);
  return {
    ...clockless,
    features: [...clockless.features, ...made.map(({ feature }) => feature)],
    levels: [...clockless.levels, ...made.map(({ levels }) => levels)],
  };
}

/** The pairs whose difference tells the label on these rows, by the order of their columns. */
function choosePairs(table: Table, rows: Uint32Array, names: readonly string[]): ColumnPair[] {
  const candidates = candidatePairs(table, amountColumns(table, names), rows);
  const pValues = candidates.map((pair) => testDifference(pair, table, rows));
  return [...candidates.keys()]
    .filter((at) => pValues[at]! < MOST_CHANCE / candidates.length)
    .sort((a, b) => pValues[a]! - pValues[b]! || a - b)
    .slice(0, Math.min(MOST_DIFFERENCES, Math.floor(MOST_CELLS / table.rowCount)))
    .sort((a, b) => a - b)
    .map((at) => candidates[at]!);
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
  roundBelow(differences, largest);
  const levels = new Uint16Array(new SharedArrayBuffer(2 * rowCount));
  const values = quantileLevels(differences, rowsUpTo(trainRowCount), levels, MAX_LEVELS);
  const name = freeName(`${column.name} - ${minus.name}`, takenNames);
  const sources = { column: column.column, minus: minus.column };
  return { feature: { kind: "number", name, ...sources, part: DIFFERENCE_PART, values }, levels };
}

/** Rounds to a power of 2 far below the largest amount: 0.3 - 0.1 is 0.2 then. NaN, missing, for what is not finite. */
function roundBelow(differences: Float64Array, largest: number): void {
  const step = 2 ** Math.floor(Math.log2(largest) - KEPT_BITS);
  for (let row = 0; row < differences.length; row++) {
    const rounded = Math.round(differences[row]! / step) * step;
    differences[row] = Number.isFinite(rounded) ? rounded : Number.NaN;
  }
}
