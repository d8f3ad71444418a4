// Hints at numbers that may stand for missing cells, such as 999 or -1, far outside
// of the others. They are read as numbers all the same.
import { quotedName } from "../csv/header.ts";
import type { Warning } from "../warning.ts";
import { cellCount, missingAdvice } from "./missing-advice.ts";

const NINES = /^9+(?:\.9+)?$/;
const LEAST_NINES = 2;
const LEAST_CELLS = 3;
/** A lone -1 lies near the others, so it must be frequent, and the others be many. */
const MINUS_ONE_SHARE = 0.01;
const MINUS_ONE_SPREAD = 10;

/** The numbers of a column: `values[i]`, where it is not NaN, stands for `weights[i]` cells. */
export interface ColumnNumbers {
  values: Float64Array;
  weights: Float64Array;
  /** The text of a number as in the file, and its first line; null where it is not listed. */
  writtenAs: (value: number) => { text: string; line: number } | null;
  /** The weights are close estimates. */
  isEstimate: boolean;
}

/**
 * Returns SENTINEL_NUMBER for the lowest and the highest number where they look like codes. `listed`: the numbers that
 * `writtenAs` knows, which show of most columns that they hold no code. O(values)
 */
export function sentinelWarnings(column: string, listed: Float64Array, all: () => ColumnNumbers): Warning[] {
  if (codesAmong(extremes(listed)).length === 0) return [];
  const numbers = all();
  const ends = extremes(numbers.values);
  const codes = codesAmong(ends);
  if (codes.length === 0 || ends.low === ends.high) return [];
  const others = extremes(numbers.values.filter((value) => !codes.includes(value)));
  return codes
    .filter((code) => isFarOutside(code, others, numbers))
    .flatMap((code) => hint(column, code, others, numbers));
}

interface Extremes {
  low: number;
  high: number;
}

function extremes(values: Float64Array): Extremes {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < values.length; at++) {
    if (values[at]! < low) low = values[at]!;
    if (values[at]! > high) high = values[at]!;
  }
  return { low, high };
}

function codesAmong({ low, high }: Extremes): number[] {
  return [low, high].filter((value) => value === -1 || isNines(value));
}

function isNines(value: number): boolean {
  const digits = String(Math.abs(value));
  return NINES.test(digits) && digits.replace(".", "").length >= LEAST_NINES;
}

/** Further from the nearest of the others than these are apart. */
function isFarOutside(code: number, { low, high }: Extremes, numbers: ColumnNumbers): boolean {
  if (!(low < high)) return false;
  const count = cellsOf(code, numbers);
  if (count < LEAST_CELLS) return false;
  if (code === -1 && low >= 0 && high - low >= MINUS_ONE_SPREAD) {
    const total = numbers.weights.reduce(
      (sum, weight, at) => (Number.isNaN(numbers.values[at]!) ? sum : sum + weight),
      0,
    );
    return count >= MINUS_ONE_SHARE * total;
  }
  return code !== -1 && Math.max(low - code, code - high) > high - low;
}

function cellsOf(code: number, { values, weights }: ColumnNumbers): number {
  let count = 0;
  for (let at = 0; at < values.length; at++) if (values[at] === code) count += weights[at]!;
  return count;
}

function hint(column: string, code: number, { low, high }: Extremes, numbers: ColumnNumbers): Warning[] {
  const count = cellsOf(code, numbers);
  const written = numbers.writtenAs(code);
  if (written === null) return [];
  const { text, line } = written;
  const about = numbers.isEstimate ? "about " : "";
  const message =
    `Column ${quotedName(column)} holds ${text} in ${about}${cellCount(count)}, the first in line ${line}; ` +
    `all its other numbers are from ${low} to ${high}. It is read as a number. ${missingAdvice([{ text }])}`;
  return [{ code: "SENTINEL_NUMBER", message, line, column, count }];
}
