// Whether two samples of counts are from one distribution: a test against chance, and how much they differ.
import { stabilityIndex } from "../statistics/stability-index.ts";
import { upperGamma, upperHypergeometric } from "../statistics/tail-probabilities.ts";
import { sumOf } from "../sums.ts";

/**
 * Rows of each sample that a merged cell is expected to hold at least: with fewer the chi-square distribution does not
 * hold (Cochran 1954).
 */
const LEAST_EXPECTED = 5;
/** A difference below it is not worth an alarm, however sure it is: banks begin to look at a stability index of 0.1. */
export const LEAST_INDEX = 0.1;

export interface Shift {
  /** Cells after merging: 1 where all rows of both samples lie in one, 0 where a sample has none. */
  cellCount: number;
  /**
   * From the two-sample chi-square tests, by Pearson and by the likelihood ratio, or from Fisher's
   * exact one where all cells but one would have to be merged.
   */
  pValue: number;
  /** The population stability index less what chance gives, not below 0. */
  index: number;
}

/** Several comparisons of the same rows as one: the least chance times their number (Bonferroni), the largest index. */
export function worstOf(shifts: readonly Shift[]): Shift {
  return {
    cellCount: Math.max(...shifts.map(({ cellCount }) => cellCount)),
    pValue: Math.min(1, shifts.length * Math.min(...shifts.map(({ pValue }) => pValue))),
    index: Math.max(...shifts.map(({ index }) => index)),
  };
}

/**
 * Compares two samples, cell by cell, and each of the cells `apart` with all others: a rare cell, such as that of
 * missing values, would be merged although twenty rows in it say a lot where no row of the other sample is. The least
 * of these chances counts, times their number (Bonferroni), and the largest index. Cells too small to test are merged:
 * neighbours where `isOrdered`, else the smallest. Which cells are merged depends on the two samples together, so it
 * does not favour a difference.
 */
export function compareCounts(
  a: readonly number[],
  b: readonly number[],
  isOrdered: boolean,
  apart: readonly number[] = [],
): Shift {
  const m = sumOf(a);
  const n = sumOf(b);
  if (m === 0 || n === 0) return { cellCount: 0, pValue: 1, index: 0 };
  let { cellCount, pValue, index } = compareMerged(a, b, m, n, isOrdered);
  let tests = 1;
  for (const at of apart) {
    const cell: Cell = [a[at]!, b[at]!];
    if (rowsOf(cell) === 0) continue;
    tests++;
    pValue = Math.min(pValue, exactChance(cell, m, n));
    index = Math.max(index, indexOf([cell, [m - cell[0], n - cell[1]]], m, n));
  }
  return { cellCount, pValue: Math.min(1, tests * pValue), index };
}

function compareMerged(a: readonly number[], b: readonly number[], m: number, n: number, isOrdered: boolean): Shift {
  const filled: Cell[] = [];
  for (let at = 0; at < a.length; at++) if (a[at]! + b[at]! > 0) filled.push([a[at]!, b[at]!]);
  if (filled.length < 2) return { cellCount: 1, pValue: 1, index: 0 };
  const merged = mergedCells(filled, isOrdered, (LEAST_EXPECTED * (m + n)) / Math.min(m, n));
  const isExact = merged.length < 2;
  const cells = isExact ? largestAndOthers(filled) : merged;
  const pValue = isExact ? exactChance(cells[1]!, m, n) : chiSquareChance(cells, m, n);
  return { cellCount: cells.length, pValue, index: indexOf(cells, m, n) };
}

type Cell = readonly [number, number];

/**
 * The smaller of Pearson's statistic and the likelihood ratio: among small cells either has too heavy a tail, Pearson's
 * twice what the chi-square distribution gives at one chance in 30,000, and false alarms by months are counted there.
 */
function chiSquareChance(cells: readonly Cell[], m: number, n: number): number {
  let squares = 0;
  let ratio = 0;
  for (const [first, second] of cells) {
    const share = (first + second) / (m + n);
    squares += (first * Math.sqrt(n / m) - second * Math.sqrt(m / n)) ** 2 / (first + second);
    ratio += 2 * (timesLog(first, share * m) + timesLog(second, share * n));
  }
  return upperGamma((cells.length - 1) / 2, Math.min(squares, Math.max(0, ratio)) / 2);
}

function timesLog(count: number, expected: number): number {
  return count === 0 ? 0 : count * Math.log(count / expected);
}

/** The population stability index of cells less what chance gives. */
function indexOf(cells: readonly Cell[], m: number, n: number): number {
  return Math.max(0, stabilityIndex(cells) - (cells.length - 1) * (1 / m + 1 / n));
}

/**
 * Merges each cell with the next ones until they hold `least` rows of both
 * samples together; what is left joins the last.
 */
function mergedCells(filled: readonly Cell[], isOrdered: boolean, least: number): Cell[] {
  const cells = isOrdered ? filled : filled.toSorted((one, other) => rowsOf(one) - rowsOf(other));
  const merged: Cell[] = [];
  let [first, second] = [0, 0];
  for (const cell of cells) {
    first += cell[0];
    second += cell[1];
    if (first + second < least) continue;
    merged.push([first, second]);
    [first, second] = [0, 0];
  }
  merged.push(joined(merged.pop() ?? [0, 0], [first, second]));
  return merged;
}

function largestAndOthers(filled: readonly Cell[]): [Cell, Cell] {
  const [largest, ...others] = filled.toSorted((one, other) => rowsOf(other) - rowsOf(one));
  return [largest!, others.reduce(joined)];
}

/**
 * Twice the smaller tail: how likely this many of `n` rows, or more, are among those of a cell
 * (Fisher 1935). The tail that holds the mean has half of the chances at least, since the
 * median is the mean rounded up or down: it is not computed.
 */
function exactChance([first, second]: Cell, m: number, n: number): number {
  const rows = first + second;
  const isMore = second * (m + n) > n * rows;
  const tail = isMore
    ? upperHypergeometric(second, n, rows, m + n)
    : upperHypergeometric(n - second, n, m + n - rows, m + n);
  return Math.min(1, 2 * tail);
}

function joined(one: Cell, other: Cell): Cell {
  return [one[0] + other[0], one[1] + other[1]];
}

function rowsOf([first, second]: Cell): number {
  return first + second;
}

/** Which of several tests speak, with at most `level` for a single false one among them all (Holm 1979). */
export function holm(pValues: readonly number[], level: number): boolean[] {
  const order = [...pValues.keys()].sort((one, other) => pValues[one]! - pValues[other]!);
  const held = order.findIndex((at, place) => pValues[at]! > level / (order.length - place));
  const speaking = new Set(held < 0 ? order : order.slice(0, held));
  return pValues.map((_, at) => speaking.has(at));
}
