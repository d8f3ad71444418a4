// Do rows near each other help to predict each other? Blocks of rows in an
// order are held out, and its two ends.
import type { Table } from "../table/table.ts";
import { columnValues, valuedColumns } from "./order-columns.ts";
import type { RowSample } from "./sample.ts";
import { lossOf, type Trial, type TrialComparison } from "./trial.ts";

/** Blocks that the rows in order are cut into, at two scales: large ones show long stretches, small ones short ones. */
export const SMALL_BLOCKS = 60;
const SCALES = [20, SMALL_BLOCKS];
/** In a file that is sorted by label, each class is cut into this many pieces, or fewer if it has few rows. */
const PIECES = 20;
const PIECES_OF_FEW = [
  { rows: 100, pieces: 10 },
  { rows: 40, pieces: 5 },
];
/** A file that is sorted by label has at most this many runs of one label for each class. */
const RUNS_PER_CLASS = 3;
/** The first and the last fifth: each is judged by all other rows, which are as many as random folds learn from. */
const END_SHARE = 0.2;
/** A column is in order if this share of its changes goes one way, and it changes often enough to be an order. */
const MONOTONE_SHARE = 0.985;
const LEAST_CHANGES = 50;
/**
 * And if it rises or falls throughout, but for so few of its values. A counter that begins again at each machine or
 * service mostly goes one way too, but names neither a time nor a group.
 */
const IN_ORDER_SHARE = 0.9;
/** It is also in order if it has few values, each in few runs. */
const FEW_VALUES = 50;
const RUNS_PER_VALUE = 3;

/** The finding about the order of the rows. */
export interface OrderFinding {
  /** The scale at which more is lost. */
  blocks: TrialComparison;
  /** Both ends beside the same rows at random; null where the file is sorted by label. */
  ends: TrialComparison | null;
}

/** `order`: positions in the sample, from first to last. */
export function measureOrder(trial: Trial, order: Uint32Array, isSortedByLabel: boolean): OrderFinding {
  if (isSortedByLabel) {
    return { blocks: trial.costOfGroups(piecesOf(trial, order, 0), piecesOf(trial, order, 0.5)), ends: null };
  }
  const comparisons = SCALES.map((scale) => trial.costOfGroups(blocksOf(order, scale, 0), blocksOf(order, scale, 0.5)));
  const blocks = comparisons.reduce((worst, each) => (lossOf(each) > lossOf(worst) ? each : worst));
  return { blocks, ends: measureEnds(trial, order) };
}

/** Judges both ends together; their rows err together by small blocks. */
function measureEnds(trial: Trial, order: Uint32Array): TrialComparison {
  const count = Math.round(END_SHARE * order.length);
  const splits = [
    { learning: order.slice(count).sort(), judging: order.slice(0, count).sort() },
    { learning: order.slice(0, -count).sort(), judging: order.slice(-count).sort() },
  ];
  return trial.costOfLearningFrom(splits, blocksOf(order, SMALL_BLOCKS, 0));
}

/** The block of each row; the whole order shifted by a share of a block. */
export function blocksOf(order: Uint32Array, count: number, shift: number): Uint32Array {
  const blocks = new Uint32Array(order.length);
  order.forEach((row, place) => {
    blocks[row] = Math.floor((place * count) / order.length + shift);
  });
  return blocks;
}

function piecesOf({ everyRow: { classes, classCount } }: Trial, order: Uint32Array, shift: number): Uint32Array {
  const totals = new Uint32Array(classCount);
  for (const code of classes) totals[code]!++;
  const placedCounts = new Uint32Array(classCount);
  const pieces = new Uint32Array(order.length);
  for (const row of order) {
    const code = classes[row]!;
    const total = totals[code]!;
    const count = PIECES_OF_FEW.findLast(({ rows }) => total < rows)?.pieces ?? PIECES;
    pieces[row] = code * 2 * PIECES + Math.floor((placedCounts[code]!++ * count) / total + shift);
  }
  return pieces;
}

export function isSortedByLabel({ classes, labels }: Table): boolean {
  return runsOf(classes) <= RUNS_PER_CLASS * labels.length;
}

function runsOf(values: ArrayLike<number>): number {
  let runs = values.length === 0 ? 0 : 1;
  for (let row = 1; row < values.length; row++) if (values[row] !== values[row - 1]) runs++;
  return runs;
}

/** Columns by which the rows of a sample are sorted, by their positions in the file; the label is none of them. */
export function sortedColumns(sample: RowSample): number[] {
  return valuedColumns(sample.table).filter((column) => {
    const values = columnValues(sample.table, column).filter((value) => !Number.isNaN(value));
    const distinct = new Set(values).size;
    if (distinct < 3) return false;
    if (distinct <= FEW_VALUES && runsOf(values) <= RUNS_PER_VALUE * distinct) return true;
    return isMonotone(values);
  });
}

function isMonotone(values: Float64Array): boolean {
  let up = 0;
  let down = 0;
  for (let row = 1; row < values.length; row++) {
    if (values[row]! > values[row - 1]!) up++;
    else if (values[row]! < values[row - 1]!) down++;
  }
  if (up + down < LEAST_CHANGES || Math.max(up, down) < MONOTONE_SHARE * (up + down)) return false;
  const rising = up > down ? values : values.map((value) => -value);
  return mostInOrder(rising) >= IN_ORDER_SHARE * values.length;
}

/** How many values are left if as few as possible are taken out so that the others never fall. */
function mostInOrder(values: Float64Array): number {
  /** By how many are left: the lowest that the last of them can be. */
  const lasts: number[] = [];
  for (const value of values) {
    let [low, high] = [0, lasts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (lasts[middle]! <= value) low = middle + 1;
      else high = middle;
    }
    lasts[low] = value;
  }
  return lasts.length;
}
