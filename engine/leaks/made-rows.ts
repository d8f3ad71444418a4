// Rows that were made of two others of their label, as SMOTE makes them to even out the labels (Chawla et al. 2002):
// each lies exactly between the two. Held out, it is judged by models that learned from these.

import { nearestOf, rankRows } from "../row-dependence/distances.ts";
import { evenlySpaced, rowsUpTo } from "../row-lists.ts";
import { type StopSignal, throwIfCancelled } from "../stop-signal.ts";
import { FIRST_LEVEL, levelCount, type NumberFeature, selectTableRows, type Table } from "../table/table.ts";

/** A number with fewer levels says little of what lies between two rows. */
const LEAST_LEVELS = 50;
/** Rows of a label, of which a few are looked at, and more only where one of these was made. */
const LEAST_LABEL_ROWS = 30;
const MOST_LABEL_ROWS = 20_000;
const FIRST_ROWS = 12;
const ASKED_ROWS = 40;
/** Hardly any real row lies between two others. */
const LEAST_SHARE = 0.1;
/** Rows of a label with made rows, for each row of a label without: as many, but that some rows may be kept away. */
const MOST_RATIO = 1.2;
/** Neighbours among which the two others are looked for: further rows made of the same two stand in for them. */
const NEIGHBOURS = 50;
/** The chance that a row which lies anywhere between two others lies on their line, at most: there are many pairs. */
const MOST_CHANCE = 1e-6;
const MOST_DECIMALS = 12;
const VALUES_LOOKED_AT = 100;
/** Digits that numbers of four bytes lack. */
const SINGLE_PRECISION = 1e-7;

/** A label of which so large a share of the rows lies between two others. */
export interface MadeRows {
  label: string;
  share: number;
  rowCount: number;
}

/**
 * Empty where nothing was made. Rows are made up to as many as the commonest label has, which has none: where rows of
 * all labels lie between others, columns follow from each other, as prices with and without tax. O(rows × features),
 * for a few rows of each label. @throws Cancelled, OutOfTime
 */
export function findMadeRows(table: Table, stop: StopSignal): MadeRows[] {
  const measuredFeatures = [...table.features.keys()].filter((index) => isMeasured(table, index));
  if (measuredFeatures.length < 2) return [];
  const digits = measuredFeatures.map((index) => lastDigitOf((table.features[index] as NumberFeature).values));
  const everyRow = rowsUpTo(table.rowCount);
  const looks = table.labels.flatMap((label, code) => {
    throwIfCancelled(stop);
    const rows = everyRow.filter((row) => table.classes[row] === code);
    if (rows.length < LEAST_LABEL_ROWS) return [];
    const kept = evenlySpaced(rows.length, MOST_LABEL_ROWS).map((at) => rows[at]!);
    const share = shareBetween(selectTableRows(table, kept), measuredFeatures, digits, stop);
    return [{ label, share, rowCount: rows.length }];
  });
  const real = Math.max(0, ...looks.filter(({ share }) => share === 0).map(({ rowCount }) => rowCount));
  return looks.filter(({ share, rowCount }) => share >= LEAST_SHARE && rowCount <= MOST_RATIO * real);
}

/** The share of the rows of one label that lie between two others; 0 where none of the first few does. */
function shareBetween(table: Table, measured: readonly number[], digits: readonly number[], stop: StopSignal): number {
  const cells = cellsOf(table, measured);
  const ranked = rankRows(table, measured);
  const shareOf = (rows: Uint32Array) =>
    nearestOf(ranked, rows, NEIGHBOURS, stop)
      .filter(({ row, rows }) => isBetween(cells, digits, row, rows))
      .toArray().length / rows.length;
  return shareOf(evenlySpaced(table.rowCount, FIRST_ROWS)) === 0
    ? 0
    : shareOf(evenlySpaced(table.rowCount, ASKED_ROWS));
}

function isMeasured({ features }: Table, index: number): boolean {
  const feature = features[index]!;
  return feature.kind === "number" && feature.part === null && levelCount(feature) >= LEAST_LEVELS;
}

/** The unit of the last decimal that the values are written with, as far as some of them tell. */
function lastDigitOf(values: Float64Array): number {
  let decimals = 0;
  for (const at of evenlySpaced(values.length, VALUES_LOOKED_AT)) {
    while (decimals < MOST_DECIMALS && !isWhole(values[at]! * 10 ** decimals)) decimals++;
  }
  return 10 ** -decimals;
}

function isWhole(value: number): boolean {
  return Math.abs(value - Math.round(value)) <= 1e-9 * Math.max(1, Math.abs(value));
}

/** Row after row; NaN for missing cells. */
function cellsOf({ features, levels, rowCount }: Table, measuredFeatures: readonly number[]): Float64Array {
  const cells = new Float64Array(rowCount * measuredFeatures.length);
  for (const [place, index] of measuredFeatures.entries()) {
    const { values } = features[index] as NumberFeature;
    for (let row = 0; row < rowCount; row++) {
      const level = levels[index]![row]!;
      cells[row * measuredFeatures.length + place] = level < FIRST_LEVEL ? Number.NaN : values[level - FIRST_LEVEL]!;
    }
  }
  return cells;
}

/** Does a row lie on the line between two of its neighbours, as closely as its digits tell and not by chance? */
function isBetween(cells: Float64Array, digits: readonly number[], row: number, near: Int32Array): boolean {
  const width = digits.length;
  const at = (place: number) => cells.subarray(place * width, (place + 1) * width);
  const values = at(row);
  const errors = digits.map((digit, place) => digit + SINGLE_PRECISION * Math.abs(values[place]!));
  const others = Array.from(near, at);
  for (let a = 0; a < others.length; a++) {
    for (let b = a + 1; b < others.length; b++) {
      if (chanceOfLine(values, others[a]!, others[b]!, errors) <= MOST_CHANCE) return true;
    }
  }
  return false;
}

/** 1 where the row lies off the line. `errors`: how exact each cell is. O(features). */
function chanceOfLine(row: Float64Array, a: Float64Array, b: Float64Array, errors: readonly number[]): number {
  // The column in which the two lie the most errors apart tells best where between them the row is.
  let longest = 0;
  let widest = 0;
  for (let place = 0; place < errors.length; place++) {
    const length = Math.abs(b[place]! - a[place]!) / errors[place]!;
    if (length > longest) [longest, widest] = [length, place];
  }
  const part = (row[widest]! - a[widest]!) / (b[widest]! - a[widest]!);
  if (!(part > 0 && part < 1)) return 1;
  let chance = 1;
  for (let place = 0; place < errors.length; place++) {
    const length = b[place]! - a[place]!;
    const error = errors[place]! + Math.abs(length) / longest;
    if (!(Math.abs(row[place]! - a[place]! - part * length) <= error)) return 1;
    if (place !== widest && length !== 0) chance *= Math.min(1, (2 * error) / Math.abs(length));
  }
  return chance;
}
