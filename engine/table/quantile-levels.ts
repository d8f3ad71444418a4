// Levels of a number that every row has, found from some of the rows: its distinct values, or quantiles of them.
import { countBelow, midpointsOf } from "../midpoints.ts";
import { FIRST_LEVEL, MISSING_LEVEL } from "./table.ts";

const MOST_VALUES = 1024;

/**
 * Ascending values from the given rows, `mostValues` at most, and the nearest of them for every row; NaN is missing.
 * O(rows × log rows).
 */
export function quantileLevels(
  numbers: Float64Array,
  rows: Uint32Array,
  levels: Uint16Array,
  mostValues = MOST_VALUES,
): Float64Array {
  const sorted = Float64Array.from(rows, (row) => numbers[row]!)
    .filter((number) => !Number.isNaN(number))
    .sort();
  const distinct = sorted.filter((number, at) => at === 0 || number !== sorted[at - 1]);
  const values = distinct.length <= mostValues ? distinct : quantilesOf(sorted, mostValues);
  const midpoints = midpointsOf(values);
  for (let row = 0; row < levels.length; row++) {
    const number = numbers[row]!;
    const isMissing = Number.isNaN(number) || values.length === 0;
    levels[row] = isMissing ? MISSING_LEVEL : FIRST_LEVEL + countBelow(midpoints, number);
  }
  return values;
}

function quantilesOf(sorted: Float64Array, count: number): Float64Array {
  const picked = Array.from({ length: count }, (_, at) => sorted[Math.floor(((at + 0.5) * sorted.length) / count)]!);
  return Float64Array.from(new Set(picked));
}
