// Shares of a column that are told beside those of the training rows: missing, unseen, beyond the range, dates.
import type { ReferenceColumn } from "../model/reference-counts.ts";
import { sumOf } from "../sums.ts";
import { FIRST_CODE, MISSING_CODE, UNSEEN_CODE } from "../table/buckets.ts";
import { unixDay } from "../unix-times.ts";
import { beyondTimes, unixUnitOf } from "./unix-cells.ts";

/** Shares of the rows, of the training file and of this one. */
interface SharePair {
  trained: number;
  file: number;
}

export interface ColumnShares {
  kind: ReferenceColumn["kind"];
  missing: SharePair;
  /**
   * Categories that no training row had; of the training rows, those that were
   * the only ones of theirs. Null of other kinds.
   */
  unseen: SharePair | null;
  /** Numbers, and the lengths of texts. */
  range: RangeShift | null;
  /** Dates of models that know the training's range, and Unix times; left out of reports of earlier versions. */
  dates?: DateShift | null;
  /** The category, or the range of values, whose share differs most; left out of reports of earlier versions. */
  most?: MostShifted | null;
}

/** One of the two is null. A range's shares are of all rows, as a category's are. */
interface MostShifted extends SharePair {
  /** "" for all that are not among the most frequent ones. */
  category: string | null;
  between: Between | null;
}

/** Dates beyond the training's range raise no alarm: new rows are of new days. */
interface DateShift {
  /** The first and the last day of the training rows. */
  from: string;
  to: string;
  /** Shares of the file's rows before the first and after the last. */
  earlier: number;
  later: number;
}

export interface RangeShift {
  low: number;
  high: number;
  /** Shares of the file's rows below the lowest and above the highest value of the training rows. */
  below: number;
  above: number;
  /** Between which values the middle one lies; null at an end where it lies outside the range. */
  middle: { trained: Between; file: Between } | null;
}

interface Between {
  from: number | null;
  to: number | null;
}

/** `codes`: of a file's rows, `rowCount` of them. `names`: of a category's codes in the model. */
export function sharesOf(
  column: ReferenceColumn,
  codes: readonly number[],
  rowCount: number,
  names: readonly string[],
): ColumnShares {
  const { kind, missing } = column;
  const known = sumOf(column.counts);
  const trainedCount = Math.max(1, known + missing + (kind === "category" ? column.unseen : 0));
  const shareOf = (count: number) => count / Math.max(1, rowCount);
  const pair = (trained: number, code: number) => ({ trained: trained / trainedCount, file: shareOf(codes[code]!) });
  return {
    kind,
    missing: pair(missing, MISSING_CODE),
    unseen: kind === "category" ? pair(column.unseen, UNSEEN_CODE) : null,
    range: kind === "number" || kind === "text" ? rangeShift(column, codes, shareOf) : null,
    dates: dateShift(column, codes, shareOf),
    most: mostShifted(column, codes, names, trainedCount, rowCount),
  };
}

function mostShifted(
  column: ReferenceColumn,
  codes: readonly number[],
  names: readonly string[],
  trainedCount: number,
  rowCount: number,
): MostShifted | null {
  if (column.kind === "date" || unixUnitOf(column) !== null || rowCount === 0) return null;
  const isCategory = column.kind === "category";
  if (!isCategory && column.range === null) return null;
  // Values below the range come first.
  const counts = codes.slice(isCategory ? FIRST_CODE : FIRST_CODE + 1);
  const shares = column.counts.map((count, at) => ({ trained: count / trainedCount, file: counts[at]! / rowCount }));
  const differences = shares.map(({ trained, file }) => Math.abs(file - trained));
  const at = differences.indexOf(Math.max(...differences));
  if (isCategory) return { ...shares[at]!, category: names[column.frequent[at] ?? -1] ?? "", between: null };
  const { low, high } = column.range!;
  const ends = [low, ...column.cutPoints, high];
  return { ...shares[at]!, category: null, between: { from: ends[at]!, to: ends[at + 1]! } };
}

function dateShift(
  column: ReferenceColumn,
  codes: readonly number[],
  shareOf: (count: number) => number,
): DateShift | null {
  const beyond = (ranges: number) => ({
    earlier: shareOf(codes[FIRST_CODE]!),
    later: shareOf(codes[FIRST_CODE + 1 + ranges]!),
  });
  if (column.kind === "date") return column.range === undefined ? null : { ...column.range, ...beyond(1) };
  const unit = unixUnitOf(column);
  if (unit === null) return null;
  const { low, high } = (column as Extract<ReferenceColumn, { cutPoints: readonly number[] }>).range!;
  return { from: unixDay(low, unit), to: unixDay(high, unit), ...beyond(column.counts.length) };
}

function rangeShift(
  column: Extract<ReferenceColumn, { cutPoints: readonly number[] }>,
  codes: readonly number[],
  shareOf: (count: number) => number,
): RangeShift | null {
  const { range, cutPoints, counts } = column;
  if (range === null) return null;
  const { low, high } = range;
  const ends = [null, low, ...cutPoints, high, null];
  const valueCodes = codes.slice(FIRST_CODE, FIRST_CODE + counts.length + 2);
  if (unixUnitOf(column) !== null) valueCodes.push(valueCodes.pop()! + (codes[beyondTimes(column)] ?? 0));
  const trained = middleCell([0, ...counts, 0]);
  const here = middleCell(valueCodes);
  const between = (cell: number): Between => ({ from: ends[cell]!, to: ends[cell + 1]! });
  return {
    ...{ low, high, below: shareOf(valueCodes[0]!), above: shareOf(valueCodes.at(-1)!) },
    middle: trained === null || here === null ? null : { trained: between(trained), file: between(here) },
  };
}

/** The cell that the middle row falls in. */
function middleCell(counts: readonly number[]): number | null {
  const half = sumOf(counts) / 2;
  if (half === 0) return null;
  let seen = 0;
  return counts.findIndex((count) => {
    seen += count;
    return seen >= half;
  });
}
