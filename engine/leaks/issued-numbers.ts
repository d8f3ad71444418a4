// Case and file numbers: issued rather than measured, so that a label which goes by their ranges is a leak (D172).

import { type Feature, FIRST_LEVEL, type LevelArray, type NumberFeature } from "../table/table.ts";
import { isNumberPart } from "../table/text-shape.ts";

/** Nearly every row has a number of its own. */
const DISTINCT_SHARE = 0.95;
/** Numbers that are issued have about the same length: the largest is at most so many times the least. */
const MOST_RATIO = 10;
/** Issued numbers do not fade out: at either end, this share of their range holds at least `END_ROWS` of the rows. */
const END = 0.05;
const END_ROWS = 0.01;
/** Nearly all rows of a range are of one class. */
export const PURE_SHARE = 0.99;
/** A range ends abruptly too, unlike with amounts: so many of a tenth as many rows beyond it have its label at most. */
const BEYOND = 0.1;
const LEAST_BEYOND = 20;
const MOST_BEYOND = 0.85;

/** The rows up to a number, or from it on. */
export interface IssuedRange {
  by: "at most" | "at least";
  bound: number;
  /** Rows of each class. */
  counts: Float64Array;
}

/**
 * Whole numbers of nearly equal length, alone or inside texts such as `C-70123`, one in nearly every row, whose
 * frequency does not fade out to either end, as that of amounts and measurements does. O(rows + levels).
 */
export function isIssued(feature: Feature, levels: LevelArray): feature is NumberFeature {
  if (feature.kind !== "number" || (feature.part !== null && !isNumberPart(feature.part))) return false;
  const { values } = feature;
  const [least = 0, largest = 0] = [values[0], values.at(-1)];
  if (least <= 0 || largest > MOST_RATIO * least || !values.every(Number.isInteger)) return false;
  const end = END * (largest - least);
  let [rowCount, low, high] = [0, 0, 0];
  // The rows may be a part of those that the values are from.
  const present = new Set<number>();
  for (let row = 0; row < levels.length; row++) {
    const value = values[levels[row]! - FIRST_LEVEL];
    if (value === undefined) continue;
    present.add(value);
    rowCount++;
    if (value <= least + end) low++;
    if (value >= largest - end) high++;
  }
  return present.size >= DISTINCT_SHARE * rowCount && Math.min(low, high) >= END_ROWS * rowCount;
}

/**
 * From either end, the largest range whose rows are nearly all of one class, if it ends abruptly.
 * `testCount`: how many ranges were tried. O(rows × log(rows)).
 */
export function pureRanges(
  { values }: NumberFeature,
  levels: LevelArray,
  classes: Uint8Array,
  classCount: number,
): { ranges: IssuedRange[]; testCount: number } {
  const rows = [...levels.keys()].filter((row) => levels[row]! >= FIRST_LEVEL);
  rows.sort((a, b) => levels[a]! - levels[b]!);
  const rangeOf = (by: IssuedRange["by"]): IssuedRange[] => {
    const ordered = by === "at most" ? rows : rows.toReversed();
    const length = longestPure(ordered, levels, classes, classCount);
    if (length === 0 || !endsAbruptly(ordered, length, classes)) return [];
    const counts = new Float64Array(classCount);
    for (const row of ordered.slice(0, length)) counts[classes[row]!]!++;
    return [{ by, bound: values[levels[ordered[length - 1]!]! - FIRST_LEVEL]!, counts }];
  };
  return { ranges: [...rangeOf("at most"), ...rangeOf("at least")], testCount: 2 * rows.length };
}

/** Rows of one number are in it together. 0 where there is none. */
function longestPure(rows: readonly number[], levels: LevelArray, classes: Uint8Array, classCount: number): number {
  const counts = new Float64Array(classCount);
  let longest = 0;
  for (const [at, row] of rows.entries()) {
    const count = ++counts[classes[row]!]!;
    const next = rows[at + 1];
    if (count >= PURE_SHARE * (at + 1) && (next === undefined || levels[next] !== levels[row])) longest = at + 1;
  }
  return longest;
}

/** The last row of a longest pure range has its label. */
function endsAbruptly(rows: readonly number[], length: number, classes: Uint8Array): boolean {
  const label = classes[rows[length - 1]!]!;
  const beyond = rows.slice(length, length + Math.max(LEAST_BEYOND, Math.round(BEYOND * length)));
  return beyond.filter((row) => classes[row] === label).length <= MOST_BEYOND * beyond.length;
}
