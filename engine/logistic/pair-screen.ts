// The screen of pairs: what a term over two features would add to the features' own, judged without fitting it.

import { type CoarseColumns, gatherGroups } from "../fitting/coarse-columns.ts";
import type { FitInput } from "../fitting/family.ts";
import { type ScoreTables, scoreTables } from "../fitting/score-tables.ts";
import { throwIfCancelled } from "../stop-signal.ts";
import { UNSEEN_CODE } from "../table/buckets.ts";

/** The first two derivatives of each row's loss by its scores, output after output. */
export interface Residuals {
  rows: Uint32Array;
  outputCount: number;
  /** y - p. */
  slopes: Float64Array;
  /** p(1 - p). */
  curvatures: Float64Array;
}

/** The ridge on one Newton step: a cell of few rows gains little, however steep its slope. */
const CELL_RIDGE = 5;

/** Residuals of a model of the features alone. With two classes there is one output, class 1. */
export function residualsOf(model: ScoreTables, input: FitInput, rows: Uint32Array): Residuals {
  const { classCount, outputCount } = model;
  const probabilities = new Float64Array(rows.length * classCount);
  scoreTables(model, input.view, rows, probabilities);
  const slopes = new Float64Array(rows.length * outputCount);
  const curvatures = new Float64Array(slopes.length);
  for (let output = 0; output < outputCount; output++) {
    const k = outputCount === 1 ? 1 : output;
    for (let i = 0; i < rows.length; i++) {
      const p = probabilities[i * classCount + k]!;
      slopes[output * rows.length + i] = (input.classes[rows[i]!] === k ? 1 : 0) - p;
      curvatures[output * rows.length + i] = p * (1 - p);
    }
  }
  return { rows, outputCount, slopes, curvatures };
}

/**
 * Gains of tables over two columns' groups, ranked as FAST does (Lou, Caruana, Gehrke and Hooker 2013): Σ over cells
 * and outputs of g² / (h + 5), the gain of one Newton step, less h / (h + 5), what chance would give. g and h are the
 * sums of slopes and curvatures in the cell. O(columns² × rows × outputs). See `bestPairs` for how gains lie.
 */
export function tableGains(input: FitInput, columns: CoarseColumns, residuals: Residuals): Float64Array {
  const { rows, outputCount, slopes, curvatures } = residuals;
  const groups = gatherGroups(columns, input.view, rows);
  const mostGroups = columns.groupCounts.reduce((most, count) => Math.max(most, count), 1);
  const cells = new Float64Array(2 * mostGroups ** 2);
  return gainsOf(input, groups.length, (first, second) => {
    const [countOfFirst, countOfSecond] = [columns.groupCounts[first]!, columns.groupCounts[second]!];
    let gain = 0;
    for (let output = 0; output < outputCount; output++) {
      const from = output * rows.length;
      cells.fill(0, 0, 2 * countOfFirst * countOfSecond);
      addToCells(cells, groups[first]!, groups[second]!, countOfSecond, slopes, curvatures, from);
      gain += gainOfCells(cells, countOfFirst, countOfSecond);
    }
    return gain;
  });
}

/**
 * Gains of products of two columns' values, by the same rule with one cell, in which every row counts by its product.
 * `values` holds the value of each group, column by column. O(columns² × rows × outputs).
 */
export function productGains(
  input: FitInput,
  columns: CoarseColumns,
  values: readonly Float64Array[],
  residuals: Residuals,
): Float64Array {
  const { rows, outputCount } = residuals;
  const columnValues = gatherGroups(columns, input.view, rows).map((groups, column) =>
    Float64Array.from(groups, (group) => values[column]![group]!),
  );
  return gainsOf(input, columnValues.length, (first, second) => {
    let gain = 0;
    for (let output = 0; output < outputCount; output++) {
      gain += gainOfProduct(columnValues[first]!, columnValues[second]!, residuals, output * rows.length);
    }
    return gain;
  });
}

/**
 * Gains of all pairs of columns: at `first * columnCount + second`, first < second; 0 elsewhere and where time was up.
 */
function gainsOf(
  { stop }: FitInput,
  columnCount: number,
  gainOf: (first: number, second: number) => number,
): Float64Array {
  const gains = new Float64Array(columnCount ** 2);
  for (let second = 1; second < columnCount; second++) {
    for (let first = 0; first < second; first++) {
      throwIfCancelled(stop);
      if (stop.timeIsUp()) return gains;
      gains[first * columnCount + second] = gainOf(first, second);
    }
  }
  return gains;
}

/** Adds every row's slope and curvature, side by side, to the cell of its two groups. */
function addToCells(
  cells: Float64Array,
  groupsOfFirst: Uint8Array,
  groupsOfSecond: Uint8Array,
  countOfSecond: number,
  slopes: Float64Array,
  curvatures: Float64Array,
  from: number,
): void {
  for (let i = 0; i < groupsOfFirst.length; i++) {
    const at = 2 * (groupsOfFirst[i]! * countOfSecond + groupsOfSecond[i]!);
    cells[at] = cells[at]! + slopes[from + i]!;
    cells[at + 1] = cells[at + 1]! + curvatures[from + i]!;
  }
}

/** Leaves out the unseen group, which has no cell in a joint table. */
function gainOfCells(cells: Float64Array, countOfFirst: number, countOfSecond: number): number {
  let gain = 0;
  for (let first = 0; first < countOfFirst; first++) {
    for (let second = 0; second < countOfSecond; second++) {
      if (first === UNSEEN_CODE || second === UNSEEN_CODE) continue;
      const at = 2 * (first * countOfSecond + second);
      gain += stepGain(cells[at]!, cells[at + 1]!);
    }
  }
  return gain;
}

function gainOfProduct(
  first: Float64Array,
  second: Float64Array,
  { slopes, curvatures }: Residuals,
  from: number,
): number {
  let slope = 0;
  let curvature = 0;
  for (let i = 0; i < first.length; i++) {
    const product = first[i]! * second[i]!;
    slope += product * slopes[from + i]!;
    curvature += product * product * curvatures[from + i]!;
  }
  return stepGain(slope, curvature);
}

/** The gain of a ridged Newton step, less its expectation by chance. */
function stepGain(slope: number, curvature: number): number {
  return (slope * slope - curvature) / (curvature + CELL_RIDGE);
}
