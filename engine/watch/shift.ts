// Whether two samples of counts are from one distribution: a test against chance, and how much they differ.
import { upperGamma, upperHypergeometric } from "../refinement/tail-probabilities.ts";

/** Merged cells hold so many of each sample at least, as both are expected: below it the chi-square distribution does not hold (Cochran 1954). */
const LEAST_EXPECTED = 5;
/** Added to each cell, so that the index is finite where one sample has none. */
const HALF_ROW = 0.5;

export interface Shift {
  /** Cells after merging: 1 where all rows of both samples lie in one, 0 where a sample has none. */
  cellCount: number;
  /** Of the two-sample chi-square test, or of Fisher's exact one where all cells but one would have to be merged. */
  pValue: number;
  /** The population stability index less what chance gives, not below 0. */
  index: number;
}

/**
 * Compares two samples, cell by cell. Cells too small to test are merged: neighbours where `isOrdered`, else the smallest.
 * Which cells are merged depends on the two samples together, so it does not favour a difference.
 */
export function compareCounts(a: readonly number[], b: readonly number[], isOrdered: boolean): Shift {
  const m = total(a);
  const n = total(b);
  if (m === 0 || n === 0) return { cellCount: 0, pValue: 1, index: 0 };
  const filled = a.map((count, at): Cell => [count, b[at]!]).filter(([first, second]) => first + second > 0);
  if (filled.length < 2) return { cellCount: 1, pValue: 1, index: 0 };
  const merged = mergedCells(filled, isOrdered, (LEAST_EXPECTED * (m + n)) / Math.min(m, n));
  const isExact = merged.length < 2;
  const cells = isExact ? largestAndOthers(filled) : merged;
  const cellCount = cells.length;
  let squares = 0;
  let psi = 0;
  for (const [first, second] of cells) {
    squares += (first * Math.sqrt(n / m) - second * Math.sqrt(m / n)) ** 2 / (first + second);
    const p = (first + HALF_ROW) / (m + HALF_ROW * cellCount);
    const q = (second + HALF_ROW) / (n + HALF_ROW * cellCount);
    psi += (p - q) * Math.log(p / q);
  }
  const byChance = (cellCount - 1) * (1 / m + 1 / n);
  const pValue = isExact ? exactChance(cells[1]!, m, n) : upperGamma((cellCount - 1) / 2, squares / 2);
  return { cellCount, pValue, index: Math.max(0, psi - byChance) };
}

type Cell = readonly [number, number];

/** Merges each cell with the next ones until they hold `least` rows of both samples together; what is left joins the last. */
function mergedCells(filled: readonly Cell[], isOrdered: boolean, least: number): Cell[] {
  const cells = isOrdered ? filled : filled.toSorted((one, other) => rowsOf(one) - rowsOf(other));
  const merged: Cell[] = [];
  let open: Cell = [0, 0];
  for (const cell of cells) {
    open = joined(open, cell);
    if (rowsOf(open) < least) continue;
    merged.push(open);
    open = [0, 0];
  }
  return [...merged.slice(0, -1), joined(merged.at(-1) ?? [0, 0], open)];
}

function largestAndOthers(filled: readonly Cell[]): [Cell, Cell] {
  const [largest, ...others] = filled.toSorted((one, other) => rowsOf(other) - rowsOf(one));
  return [largest!, others.reduce(joined)];
}

/** Twice the smaller tail: how likely so many of `n` rows, or more, are among those of a cell (Fisher 1935). */
function exactChance([first, second]: Cell, m: number, n: number): number {
  const rows = first + second;
  const more = upperHypergeometric(second, n, rows, m + n);
  const fewer = upperHypergeometric(n - second, n, m + n - rows, m + n);
  return Math.min(1, 2 * Math.min(more, fewer));
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

function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
