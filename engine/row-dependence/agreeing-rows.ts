// Rows that agree with a few others in far more cells than with any further row, as people do who answered twice and
// changed some answers. A cell that few rows have says more than a frequent one.
//
// In an honest table the nearest rows differ little from the next ones: however alike people are, many are alike.
// Where a gap comes after the nearest ones, and the label goes with these but hardly with the next, they are one thing.

import { DisjointSets } from "../disjoint-sets.ts";
import { mapped } from "../mapped.ts";
import { Random, shuffled } from "../random.ts";
import { rowsUpTo } from "../row-lists.ts";
import { type StopSignal, throwIfStopped } from "../stop-signal.ts";
import { meanOf } from "../sums.ts";
import { FIRST_CODE } from "../table/buckets.ts";
import type { Table } from "../table/table.ts";
import { chanceOfLabel } from "./noisy-repeats.ts";
import type { RowSample } from "./sample.ts";

/** Features that agreement is counted in, at most, spread over the table. */
const MOST_FEATURES = 60;
/** Rows whose neighbours are looked at first. */
const QUERY_ROWS = 400;
/** Rows of one thing beside the row itself, at most; as many behind the gap are compared with them. */
const MOST_NEAREST = 5;
/** The gap, as the logarithm of how many times rarer the cells are that the nearest rows share beyond the next one. */
const LEAST_GAP = 2.5;
/** Where there is a sign, a narrower gap tells which rows belong together. */
const LEAST_GAP_OF_GROUPS = 0.5;
/** Rows with a gap, of those looked at: at all, and over those with one where the columns were shuffled. */
const LEAST_GAPS = 30;
const LEAST_LIFT = 2;
/** How much less often rows behind the gap have the row's label: at all, and of what the nearest say beyond chance. */
const LEAST_DIFFERENCE = 0.15;
const LEAST_FALL = 0.5;
const LEAST_Z = 4;
/** A column names the groups if it has nearly as many values, and one in nearly each. */
const NAMING_SHARE = 0.9;

export interface AgreeingRows {
  /** The group of each row, one alone where no others are of the same thing. */
  groups: Uint32Array;
  /** The column that tells nearly all groups apart by itself, such as a number of a person, by position; or null. */
  naming: number | null;
}

/**
 * Null without a sign. Counts the cells that 400 rows share with all others; where there is a sign, also with columns
 * shuffled, and those of all rows. @throws OutOfTime or Cancelled
 */
export function findAgreeingRows(sample: RowSample, seed: number, stop: StopSignal): AgreeingRows | null {
  const { features, rowCount } = sample.view;
  const step = Math.max(1, Math.ceil(features.length / MOST_FEATURES));
  const spread = features.filter((_, at) => at % step === 0);
  const random = new Random(seed);
  const everyRow = rowsUpTo(rowCount);
  const queryRows = shuffled(everyRow, random).subarray(0, QUERY_ROWS);
  const cells = new SharedCells(spread, rowCount);
  const rowsWithGap = cells.rowsWithGap(queryRows, LEAST_GAP, stop).toArray();
  if (!isSign(sample, rowsWithGap)) return null;
  const byChance = new SharedCells(
    spread.map(({ codes, codeCount }) => ({ codes: shuffled(codes, random), codeCount })),
    rowCount,
  );
  if (rowsWithGap.length < LEAST_LIFT * byChance.rowsWithGap(queryRows, LEAST_GAP, stop).toArray().length) return null;
  const groups = joinNearest(rowCount, cells.rowsWithGap(everyRow, LEAST_GAP_OF_GROUPS, stop));
  return { groups, naming: namingColumn(sample.table, groups) };
}

function namingColumn({ features, levels }: Table, groups: Uint32Array): number | null {
  const rowsByGroup = [...Map.groupBy(groups.keys(), (row) => groups[row]!).values()].filter(
    ({ length }) => length > 1,
  );
  const at = levels.findIndex((ofRows) => {
    const firsts = rowsByGroup.map(([first]) => ofRows[first!]!);
    const same = rowsByGroup.filter((rows) => rows.every((row) => ofRows[row] === ofRows[rows[0]!]));
    return Math.min(new Set(firsts).size, same.length) >= NAMING_SHARE * rowsByGroup.length;
  });
  return features[at]?.column ?? null;
}

/** A row, those that agree with it most, and those behind the gap. */
interface RowWithGap {
  row: number;
  nearest: readonly number[];
  next: readonly number[];
}

function isSign({ table }: RowSample, rowsWithGap: readonly RowWithGap[]): boolean {
  if (rowsWithGap.length < LEAST_GAPS) return false;
  const { classes } = table;
  const sameShare = (row: number, others: readonly number[]) =>
    meanOf(others.map((other) => (classes[other] === classes[row] ? 1 : 0)));
  const near = rowsWithGap.map(({ row, nearest }) => sameShare(row, nearest));
  const differences = rowsWithGap.map(({ row, next }, at) => near[at]! - sameShare(row, next));
  const mean = meanOf(differences);
  const variance = meanOf(differences.map((difference) => (difference - mean) ** 2));
  const least = Math.max(LEAST_DIFFERENCE, LEAST_FALL * (meanOf(near) - chanceOfLabel(table)));
  return mean >= least && mean >= LEAST_Z * Math.sqrt(variance / rowsWithGap.length);
}

/** Joins rows of which each has the other among its nearest. */
function joinNearest(rowCount: number, rowsWithGap: Iterable<RowWithGap>): Uint32Array {
  const nearestOf = new Map<number, readonly number[]>();
  for (const { row, nearest } of rowsWithGap) nearestOf.set(row, nearest);
  const groups = new DisjointSets(rowCount);
  for (const [row, nearest] of nearestOf) {
    for (const other of nearest) if (nearestOf.get(other)?.includes(row) === true) groups.join(row, other);
  }
  return mapped(Uint32Array, { length: rowCount }, (_, row) => groups.rootOf(row));
}

interface Codes {
  codes: ArrayLike<number>;
  codeCount: number;
}

class SharedCells {
  private readonly codes: readonly ArrayLike<number>[];
  /** By feature and code: how much it says that two rows share it. A missing cell says nothing. */
  private readonly weights: readonly Float64Array[];
  private readonly rowCount: number;

  constructor(features: readonly Codes[], rowCount: number) {
    this.rowCount = rowCount;
    this.codes = features.map(({ codes }) => codes);
    this.weights = features.map(({ codes, codeCount }) => {
      const counts = new Uint32Array(codeCount);
      for (let row = 0; row < rowCount; row++) counts[codes[row]!]!++;
      return mapped(Float64Array, counts, (count, code) => (code < FIRST_CODE ? 0 : Math.log(rowCount / count)));
    });
  }

  /** The rows among these behind whose nearest there is a gap. O(rows × all rows × features). */
  *rowsWithGap(rows: Uint32Array, leastGap: number, stop: StopSignal): Generator<RowWithGap> {
    const shared = new Float64Array(this.rowCount);
    const nearest = new Int32Array(2 * MOST_NEAREST);
    for (const row of rows) {
      throwIfStopped(stop);
      this.countShared(row, shared);
      placeLargest(shared, nearest);
      const count = rowsBeforeGap(shared, nearest, leastGap);
      if (count > 0) yield { row, nearest: [...nearest.subarray(0, count)], next: [...nearest.subarray(count)] };
    }
  }

  private countShared(row: number, shared: Float64Array): void {
    shared.fill(0);
    for (const [feature, codes] of this.codes.entries()) {
      const code = codes[row]!;
      const weight = this.weights[feature]![code]!;
      if (weight === 0) continue;
      for (let other = 0; other < shared.length; other++) if (codes[other] === code) shared[other]! += weight;
    }
    shared[row] = Number.NEGATIVE_INFINITY;
  }
}

/** The places of the largest figures, the largest first. */
function placeLargest(figures: Float64Array, places: Int32Array): void {
  const count = places.length;
  let filled = 0;
  for (let at = 0; at < figures.length; at++) {
    const figure = figures[at]!;
    if (filled === count && figure <= figures[places[count - 1]!]!) continue;
    let place = filled < count ? filled++ : count - 1;
    for (; place > 0 && figures[places[place - 1]!]! < figure; place--) places[place] = places[place - 1]!;
    places[place] = at;
  }
}

/** How many rows stand before the widest gap; 0 where it is narrow. */
function rowsBeforeGap(shared: Float64Array, nearest: Int32Array, leastGap: number): number {
  let count = 0;
  let widest = leastGap;
  for (let before = 1; before <= MOST_NEAREST; before++) {
    const gap = shared[nearest[before - 1]!]! - shared[nearest[before]!]!;
    if (gap < widest) continue;
    widest = gap;
    count = before;
  }
  return count;
}
