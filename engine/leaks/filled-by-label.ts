// Missing cells that were filled in with the mean or the median of their own label: many rows of each label then have
// one number, and new rows, whose label nobody knows yet, do not.

import { upperGamma, upperHypergeometric } from "../statistics/tail-probabilities.ts";
import { type StopSignal, throwIfCancelled } from "../stop-signal.ts";
import { sumOf } from "../sums.ts";
import { FIRST_LEVEL, type LevelArray, type NumberFeature, type Table } from "../table/table.ts";
import { type FilledColumn, spacedRows } from "./leaks.ts";
import { isMeasured } from "./mark-rules.ts";

/** Rows of a label with one number, at least. */
const LEAST_ROWS = 8;
/** Rows beside them whose middle they are at, and rows of numbers nearby, at least: of fewer it says little. */
const LEAST_REST = 30;
/** In standard errors: the middle may have been taken over other rows of the label too. */
const MIDDLE_Z = 3;
/** Share of the rows that would have other labels, by the numbers nearby, but have this one. */
const LEAST_PURITY = 0.5;
/** The chance that any number of any column is so pure beside its neighbours for no reason. */
const MOST_CHANCE = 0.001;
/** The chance that the numbers of one column, and those of all such columns, are where the middle is without cause. */
const MOST_COLUMN_CHANCE = 0.05;
const MOST_MIDDLE_CHANCE = 1e-4;
/** The share of all rows with such a cell: fewer hardly change an accuracy. */
const LEAST_SHARE = 0.05;

/** Columns whose missing cells seem to be filled in by the label. */
export interface FilledByLabel {
  /** The most rows first. */
  columns: FilledColumn[];
  /** The share of rows that have such a cell. */
  share: number;
}

/**
 * Null where there are none. At least two labels have a number of their own in a column, at their mean or median, which
 * goes with the label far more than the numbers just below and above do. O(rows × features), times the labels where
 * numbers recur. @throws Cancelled, OutOfTime
 */
export function findFilledByLabel(whole: Table, stop: StopSignal): FilledByLabel | null {
  const table = spacedRows(whole);
  const { features, levels, labels, rowCount } = table;
  const numbers = [...features.keys()].filter((index) => isMeasured(features[index]!));
  const isFilled = new Uint8Array(rowCount);
  const columns: FilledColumn[] = [];
  const chances: number[] = [];
  for (const index of numbers) {
    throwIfCancelled(stop);
    const feature = features[index] as NumberFeature;
    const counts = new ColumnCounts(feature.values, levels[index]!, table);
    const foundFillings = labels.flatMap((_, code) =>
      counts.fillingOf(code, MOST_CHANCE / (numbers.length * labels.length)),
    );
    if (new Set(foundFillings.map(({ at }) => at)).size < 2) continue;
    const ownChances = foundFillings.map((value) => value.chance);
    chances.push(...ownChances);
    if (combinedChance(ownChances) > MOST_COLUMN_CHANCE) continue;
    const fillings = foundFillings.map(({ code, at, rowCount: count }) => ({
      label: labels[code]!,
      value: feature.values[at]!,
      rowCount: count,
    }));
    columns.push({ column: feature.column, fillings });
    markRows(isFilled, levels[index]!, table.classes, foundFillings);
  }
  const share = sumOf(isFilled) / rowCount;
  if (columns.length === 0 || combinedChance(chances) > MOST_MIDDLE_CHANCE || share < LEAST_SHARE) return null;
  columns.sort((a, b) => filledRows(b) - filledRows(a) || a.column - b.column);
  return { columns, share };
}

function filledRows({ fillings }: FilledColumn): number {
  return sumOf(fillings.map(({ rowCount }) => rowCount));
}

function markRows(isFilled: Uint8Array, levels: LevelArray, classes: Uint8Array, found: readonly FilledValue[]): void {
  for (let row = 0; row < levels.length; row++) {
    const at = levels[row]! - FIRST_LEVEL;
    if (found.some((value) => value.at === at && value.code === classes[row])) isFilled[row] = 1;
  }
}

interface FilledValue {
  code: number;
  /** Place of the number among the column's values. */
  at: number;
  rowCount: number;
  /** The chance of being so near to the middle. */
  chance: number;
}

/** The rows of each number and class in one column. */
class ColumnCounts {
  private readonly values: Float64Array;
  private readonly classCount: number;
  /** `place * classCount + class`, and all classes together. */
  private readonly counts: Uint32Array;
  private readonly totals: Uint32Array;
  /** Rows of the class that have its most frequent number. */
  private readonly most: Uint32Array;

  constructor(values: Float64Array, levels: LevelArray, { classes, labels }: Table) {
    this.values = values;
    this.classCount = labels.length;
    this.counts = new Uint32Array(values.length * labels.length);
    this.totals = new Uint32Array(values.length);
    this.most = new Uint32Array(labels.length);
    for (let row = 0; row < levels.length; row++) {
      const at = levels[row]! - FIRST_LEVEL;
      if (at < 0 || at >= values.length) continue;
      const code = classes[row]!;
      const count = this.count(at, code) + 1;
      this.counts[at * labels.length + code] = count;
      this.most[code] = Math.max(this.most[code]!, count);
      this.totals[at] = this.totals[at]! + 1;
    }
  }

  /** The number that most rows of the class have at its middle, if it goes with the class as nothing around it does. */
  fillingOf(code: number, mostChance: number): FilledValue[] {
    if (this.most[code]! < LEAST_ROWS) return [];
    const { rowCount, mean, deviation, median } = this.middleOf(code);
    const error = deviation / Math.sqrt(rowCount);
    const above = this.values.findIndex((value) => value >= mean);
    let best = median;
    for (const [at, value] of this.values.entries()) {
      // Rounded, the mean may be the number just below or above it.
      const isMean = Math.abs(value - mean) <= MIDDLE_Z * error || at === above || at === above - 1;
      if (isMean && this.count(at, code) > this.count(best, code)) best = at;
    }
    const count = this.count(best, code);
    if (count < LEAST_ROWS || rowCount - count < LEAST_REST) return [];
    if (!this.isApart(best, code, mostChance)) return [];
    return [{ code, at: best, rowCount: count, chance: this.chanceOfMiddle(best, code) }];
  }

  /**
   * The chance that a number which is frequent for another reason, such as a code, is as near to the middle of the
   * class's other rows: by the share of them between it and their median, or by a normal density at their mean.
   */
  private chanceOfMiddle(at: number, code: number): number {
    const filledValue = this.values[at]!;
    let otherCount = 0;
    let sum = 0;
    let squares = 0;
    let balance = 0;
    for (const [other, value] of this.values.entries()) {
      if (other === at) continue;
      const count = this.count(other, code);
      otherCount += count;
      sum += count * (value - filledValue);
      squares += count * (value - filledValue) ** 2;
      balance += other > at ? count : -count;
    }
    const byMedian = Math.max(1, Math.abs(balance)) / otherCount;
    const away = Math.max(Math.abs(sum / otherCount), lastDigitOf(filledValue) / 2);
    const byMean = (2 * away) / Math.sqrt(2 * Math.PI * (squares / otherCount - (sum / otherCount) ** 2));
    return Math.min(1, 2 * Math.min(byMedian, byMean));
  }

  private count(at: number, code: number): number {
    return this.counts[at * this.classCount + code]!;
  }

  private middleOf(code: number) {
    let rowCount = 0;
    let sum = 0;
    for (const [at, value] of this.values.entries()) {
      rowCount += this.count(at, code);
      sum += this.count(at, code) * value;
    }
    const mean = sum / rowCount;
    let squares = 0;
    let below = 0;
    let median = 0;
    for (const [at, value] of this.values.entries()) {
      squares += this.count(at, code) * (value - mean) ** 2;
      if (below < rowCount / 2) median = at;
      below += this.count(at, code);
    }
    return { rowCount, mean, deviation: Math.sqrt(squares / rowCount), median };
  }

  /** Whether the number goes with the label more than as many rows just below and above it do. */
  private isApart(at: number, code: number, mostChance: number): boolean {
    const [total, ofClass] = [this.totals[at]!, this.count(at, code)];
    const near = [this.gather(at, -1, code), this.gather(at, 1, code)];
    const nearRows = near[0]!.rows + near[1]!.rows;
    const nearOfClass = near[0]!.ofClass + near[1]!.ofClass;
    if (nearRows < LEAST_REST) return false;
    const expected = nearOfClass / nearRows;
    if (ofClass / total - expected < LEAST_PURITY * (1 - expected) || expected === 1) return false;
    return upperHypergeometric(ofClass, total, ofClass + nearOfClass, total + nearRows) <= mostChance;
  }

  /** The rows of the numbers next to one on a side, until they are as many. */
  private gather(at: number, step: 1 | -1, code: number): { rows: number; ofClass: number } {
    let rows = 0;
    let ofClass = 0;
    for (let next = at + step; next >= 0 && next < this.values.length && rows < this.totals[at]!; next += step) {
      rows += this.totals[next]!;
      ofClass += this.count(next, code);
    }
    return { rows, ofClass };
  }
}

/** By Fisher's method. */
function combinedChance(chances: readonly number[]): number {
  return upperGamma(chances.length, -sumOf(chances.map(Math.log)));
}

/** The unit of the last decimal that a number is written with. */
function lastDigitOf(value: number): number {
  const [, decimals = ""] = String(value).split(".");
  return 10 ** -decimals.length;
}
