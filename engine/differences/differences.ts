// Differences of two columns as further features: how long something took, what was used between two readings, how far
// two sensors are apart. Trees hardly see them in the columns themselves.

import { freeName } from "../csv/header.ts";
import { mapped } from "../mapped.ts";
import { countBelow, midpointsOf } from "../midpoints.ts";
import { evenlySpaced } from "../row-lists.ts";
import {
  CLOCK_PART,
  DIFFERENCE_PART,
  FIRST_LEVEL,
  type LevelArray,
  MAX_LEVELS,
  MISSING_LEVEL,
  type NumberFeature,
  selectFeatures,
  type Table,
} from "../table/table.ts";
import { type AmountColumn, amountColumns } from "./amounts.ts";
import { candidatePairs } from "./candidate-pairs.ts";
import { chanceOf } from "./chance.ts";

/** Rows that are looked at for whether a difference tells the label. */
const JUDGED_ROWS = 20_000;
/** Chance alone makes one of all candidates of a table pass with this probability. */
const LEVEL = 0.001;
const MOST_DIFFERENCES = 100;
/** Cells of all differences at most: no job's memory is planned for them. */
const MOST_CELLS = 10_000_000;
/** Differences closer than this share of the largest amount are equal but for the rounding of the subtraction. */
const ROUNDING = 2 ** -44;

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
  const clockless = withoutClocks(table);
  const takenNames = new Set([...names, ...table.features.map(({ name }) => name)]);
  const made = chosen.map(({ column, minus }) =>
    differenceOf(column, minus, table.rowCount, trainRowCount, takenNames),
  );
  return {
    ...clockless,
    features: [...clockless.features, ...made.map(({ feature }) => feature)],
    levels: [...clockless.levels, ...made.map(({ levels }) => levels)],
  };
}

function withoutClocks(table: Table): Table {
  const kept = [...table.features.keys()].filter((index) => table.features[index]!.part !== CLOCK_PART);
  return kept.length === table.features.length ? table : selectFeatures(table, kept);
}

function differenceOf(
  column: AmountColumn,
  minus: AmountColumn,
  rowCount: number,
  trainRowCount: number,
  takenNames: Set<string>,
): { feature: NumberFeature; levels: LevelArray } {
  const amounts = new Float64Array(rowCount);
  let largest = 0;
  for (let row = 0; row < rowCount; row++) {
    const [amount, other] = [column.at(row), minus.at(row)];
    amounts[row] = amount - other;
    if (Math.abs(amount) > largest) largest = Math.abs(amount);
  }
  const values = levelValues(amounts.subarray(0, trainRowCount), ROUNDING * largest);
  const midpoints = midpointsOf(values);
  const isByte = FIRST_LEVEL + values.length <= 256;
  const shared = new SharedArrayBuffer(rowCount * (isByte ? 1 : 2));
  const levels = isByte ? new Uint8Array(shared) : new Uint16Array(shared);
  for (let row = 0; row < rowCount; row++) {
    const amount = amounts[row]!;
    levels[row] = Number.isFinite(amount) ? FIRST_LEVEL + countBelow(midpoints, amount) : MISSING_LEVEL;
  }
  const name = freeName(`${column.name} - ${minus.name}`, takenNames);
  const sources = { column: column.column, minus: minus.column };
  return { feature: { kind: "number", name, ...sources, part: DIFFERENCE_PART, values }, levels };
}

/** Ascending; those within `rounding` of the one before are one. Of too many, evenly spaced ones. */
function levelValues(amounts: Float64Array, rounding: number): Float64Array {
  const sorted = amounts.filter(Number.isFinite).sort();
  const values = sorted.filter((amount, at) => at === 0 || amount - sorted[at - 1]! > rounding);
  if (values.length <= MAX_LEVELS) return values;
  return mapped(Float64Array, evenlySpaced(values.length, MAX_LEVELS), (at) => values[at]!);
}
