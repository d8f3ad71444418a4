// The loss of a logistic regression over tables, and its gradient. Both pass over the features' codes column by column,
// in blocks of rows whose scores stay in cache.

import { gatherClasses } from "../fitting/class-counts.ts";
import type { FitInput } from "../fitting/family.ts";
import { addTable, gatherCodes, outputCountOf } from "../fitting/score-tables.ts";
import { throwIfCancelled } from "../stop-signal.ts";
import { linesOfFewRows, NumberColumns } from "./number-columns.ts";
import { buildTable, isLine, pullGradient, type TableBasis } from "./table-basis.ts";

/** The ridge on intercepts only keeps them finite. */
const INTERCEPT_L2 = 1e-6;
/**
 * Scores of one block, over all outputs: 250 KiB. Not a power of two, so that the
 * outputs of one row fall on different cache sets.
 */
const BLOCK_SCORES = 32_000;
const MIN_BLOCK_ROWS = 250;
const MAX_BLOCK_ROWS = 8000;

/**
 * The rows and buffers of one problem. All arrays lie output by output, so that the same loops serve any class count.
 */
export interface LogisticData {
  input: FitInput;
  /** Every feature's table, as the model has it. */
  allParts: readonly TableBasis[];
  /** The tables that are looked up during the fit: all, or where there are `columns` those that are no lines. */
  parts: readonly TableBasis[];
  /** The other tables, as columns of numbers. */
  columns: NumberColumns | null;
  outputCount: number;
  /** Parameters of one output. */
  thetaSize: number;
  /** Cells of all `parts` of one output. */
  tableSize: number;
  rowClasses: Uint8Array;
  /** Codes of the fit rows, part after part. */
  codes: Uint16Array;
  /** Scores that the rows start from, output after output; null for 0. */
  offsets: Float64Array | null;
  tables: Float64Array;
  tableGradients: Float64Array;
  /** Every table's piece of `tables` and `tableGradients`: entry `table * outputCount + output`. */
  tableViews: readonly Float64Array[];
  gradientViews: readonly Float64Array[];
  blockRows: number;
  /** Scores, then residuals, of a block; `blockRows` per output. */
  scores: Float64Array;
  scoreViews: readonly Float64Array[];
}

/** Gathers the codes of the fit rows once, two bytes each, so that the passes stream. */
export function gatherLogisticData(
  input: FitInput,
  allParts: readonly TableBasis[],
  thetaSize: number,
  offsets: Float64Array | null,
): LogisticData {
  const { rows, view, classes, classCount } = input;
  const outputCount = outputCountOf(classCount);
  const gather = ({ featureIndex }: TableBasis, target: Uint16Array) => {
    throwIfCancelled(input.stop);
    gatherCodes(view.features[featureIndex]!.codes, rows, 0, rows.length, target, 0);
    return target;
  };
  const lines = linesOfFewRows(allParts, rows.length);
  const { parts, tableSize } = layOutTables(lines.length === 0 ? allParts : allParts.filter((part) => !isLine(part)));
  const codes = new Uint16Array(rows.length * parts.length);
  for (const [at, part] of parts.entries()) gather(part, codes.subarray(at * rows.length, (at + 1) * rows.length));
  const most = blockRowsOf(rows.length, outputCount);
  // The kernel of columns takes two rows at a time.
  const blockRows = lines.length > 0 ? most + (most % 2) : most;
  const lineCodes = new Uint16Array(rows.length);
  const columns =
    lines.length === 0
      ? null
      : new NumberColumns(lines, rows.length, (part) => gather(part, lineCodes), outputCount * blockRows);
  const tables = new Float64Array(outputCount * tableSize);
  const tableGradients = new Float64Array(tables.length);
  const scores = columns?.scores ?? new Float64Array(outputCount * blockRows);
  return {
    input,
    allParts,
    parts,
    columns,
    outputCount,
    thetaSize,
    tableSize,
    rowClasses: gatherClasses(classes, rows),
    codes,
    offsets,
    tables,
    tableGradients,
    tableViews: viewsOf(tables, parts, outputCount, tableSize),
    gradientViews: viewsOf(tableGradients, parts, outputCount, tableSize),
    blockRows,
    scores,
    scoreViews: Array.from({ length: outputCount }, (_, k) => scores.subarray(k * blockRows, (k + 1) * blockRows)),
  };
}

/** Places the tables of one output one after the other. */
function layOutTables(bases: readonly TableBasis[]): { parts: TableBasis[]; tableSize: number } {
  let tableSize = 0;
  const parts = bases.map((basis): TableBasis => {
    const tableOffset = tableSize;
    tableSize += basis.codeCount;
    return { ...basis, tableOffset };
  });
  return { parts, tableSize };
}

function blockRowsOf(rowCount: number, outputCount: number): number {
  const wanted = Math.floor(BLOCK_SCORES / outputCount);
  return Math.min(MAX_BLOCK_ROWS, Math.max(MIN_BLOCK_ROWS, wanted), Math.max(1, rowCount));
}

/**
 * The cross-entropy summed over the rows, plus l2 / 2 times the squared parameters; writes the gradient. Returns
 * Infinity if time runs out on the way. Costs rows × features × outputs twice.
 */
export function logisticLoss(data: LogisticData, l2: number, theta: Float64Array, gradient: Float64Array): number {
  const { parts, outputCount, thetaSize, tableSize, tableGradients, blockRows } = data;
  const { rows, stop } = data.input;
  writeTables(data, theta);
  tableGradients.fill(0);
  gradient.fill(0);
  let loss = 0;
  for (let start = 0; start < rows.length; start += blockRows) {
    if (stop.timeIsUp()) return Number.POSITIVE_INFINITY;
    const count = Math.min(blockRows, rows.length - start);
    scoreBlock(data, theta, start, count);
    loss += writeResiduals(data, start, count);
    scatterBlock(data, start, count);
    for (let k = 0; k < outputCount; k++) {
      data.columns?.pullGradient(gradient, k * thetaSize, start, count, k * blockRows);
      gradient[k * thetaSize] = gradient[k * thetaSize]! + sumOfFirst(data.scoreViews[k]!, count);
    }
  }
  for (let k = 0; k < outputCount; k++) {
    const gradients = tableGradients.subarray(k * tableSize, (k + 1) * tableSize);
    for (const part of parts) pullGradient(part, gradients, gradient, k * thetaSize);
  }
  return loss + addRidge(theta, gradient, thetaSize, l2);
}

/** Builds the tables of all outputs, `tableSize` cells each. */
function writeTables(data: LogisticData, theta: Float64Array): void {
  const { parts, outputCount, thetaSize, tableSize, tables } = data;
  for (let k = 0; k < outputCount; k++) {
    const tablesOfClass = tables.subarray(k * tableSize, (k + 1) * tableSize);
    for (const part of parts) buildTable(part, theta, k * thetaSize, tablesOfClass);
  }
}

function viewsOf(
  cells: Float64Array,
  parts: readonly TableBasis[],
  outputCount: number,
  tableSize: number,
): Float64Array[] {
  return parts.flatMap(({ tableOffset, codeCount }) =>
    Array.from({ length: outputCount }, (_, k) => {
      const from = k * tableSize + tableOffset;
      return cells.subarray(from, from + codeCount);
    }),
  );
}

/** Sums up the scores of a block of rows. */
function scoreBlock(data: LogisticData, theta: Float64Array, start: number, count: number): void {
  const { parts, outputCount, thetaSize, codes, offsets, tableViews, scoreViews, input } = data;
  for (let k = 0; k < outputCount; k++) {
    scoreViews[k]!.fill(theta[k * thetaSize]!, 0, count);
    if (offsets !== null) addOffsets(scoreViews[k]!, offsets, k * input.rows.length + start, count);
    data.columns?.addScores(theta, k * thetaSize, start, count, k * data.blockRows);
  }
  for (let index = 0; index < parts.length; index++) {
    throwIfCancelled(input.stop);
    const from = index * input.rows.length + start;
    const blockCodes = codes.subarray(from, from + count);
    for (let k = 0; k < outputCount; k++) {
      addTable(scoreViews[k]!, blockCodes, tableViews[index * outputCount + k]!, count);
    }
  }
}

function addOffsets(scores: Float64Array, offsets: Float64Array, from: number, count: number): void {
  for (let i = 0; i < count; i++) scores[i] = scores[i]! + offsets[from + i]!;
}

/** Adds the block's residuals to the gradients of the cells that its codes name. */
function scatterBlock(data: LogisticData, start: number, count: number): void {
  const { parts, outputCount, codes, gradientViews, scoreViews, input } = data;
  for (let index = 0; index < parts.length; index++) {
    throwIfCancelled(input.stop);
    const from = index * input.rows.length + start;
    const blockCodes = codes.subarray(from, from + count);
    for (let k = 0; k < outputCount; k++) {
      scatterResiduals(scoreViews[k]!, blockCodes, gradientViews[index * outputCount + k]!, count);
    }
  }
}

function scatterResiduals(residuals: Float64Array, codes: Uint16Array, gradient: Float64Array, count: number): void {
  for (let i = 0; i < count; i++) {
    const code = codes[i]!;
    gradient[code] = gradient[code]! + residuals[i]!;
  }
}

/** Scores of a block of rows, `blockRows` for each output, and the classes of all rows. */
type Scores = Pick<LogisticData, "scores" | "rowClasses" | "outputCount" | "blockRows">;

/** Turns the scores of the block's first `count` rows into residuals p - y; returns the block's cross-entropy. */
export function writeResiduals(data: Scores, start: number, count: number): number {
  return data.outputCount === 1 ? binaryResiduals(data, start, count) : softmaxResiduals(data, start, count);
}

/**
 * Turns log-odds into p - y and returns the block's loss: log(1 + exp(-z)) for class 1, log(1 + exp(z)) for class 0.
 * Takes one logarithm per 32 rows, of a product below 2^32.
 */
function binaryResiduals(data: Scores, start: number, count: number): number {
  const { scores, rowClasses } = data;
  let loss = 0;
  let product = 1;
  for (let i = 0; i < count; i++) {
    const z = scores[i]!;
    const target = rowClasses[start + i]!;
    const small = Math.exp(-Math.abs(z));
    const likelier = 1 / (1 + small);
    if (target === 1 ? z < 0 : z > 0) loss += Math.abs(z);
    product *= 1 + small;
    if ((i & 31) === 31) {
      loss += Math.log(product);
      product = 1;
    }
    scores[i] = (z >= 0 ? likelier : small * likelier) - target;
  }
  return loss + Math.log(product);
}

/** Turns scores, which lie class after class, into p - y by softmax and returns the block's loss. */
function softmaxResiduals(data: Scores, start: number, count: number): number {
  const { scores, rowClasses, outputCount, blockRows } = data;
  const end = outputCount * blockRows;
  let loss = 0;
  for (let i = 0; i < count; i++) {
    let highest = scores[i]!;
    for (let at = i + blockRows; at < end; at += blockRows) if (scores[at]! > highest) highest = scores[at]!;
    const actualAt = i + rowClasses[start + i]! * blockRows;
    loss += highest - scores[actualAt]!;
    let sum = 0;
    for (let at = i; at < end; at += blockRows) {
      const weight = Math.exp(scores[at]! - highest);
      scores[at] = weight;
      sum += weight;
    }
    loss += Math.log(sum);
    for (let at = i; at < end; at += blockRows) scores[at] = scores[at]! / sum;
    scores[actualAt] = scores[actualAt]! - 1;
  }
  return loss;
}

/** The sum of the first `count` values. */
export function sumOfFirst(values: Float64Array, count: number): number {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += values[i]!;
  return sum;
}

/** The ridges on all parameters, halved; adds their gradient. */
function addRidge(theta: Float64Array, gradient: Float64Array, thetaSize: number, l2: number): number {
  let penalty = 0;
  for (let base = 0; base < theta.length; base += thetaSize) {
    const intercept = theta[base]!;
    penalty += INTERCEPT_L2 * intercept * intercept;
    gradient[base] = gradient[base]! + INTERCEPT_L2 * intercept;
    for (let i = base + 1; i < base + thetaSize; i++) {
      const value = theta[i]!;
      penalty += l2 * value * value;
      gradient[i] = gradient[i]! + l2 * value;
    }
  }
  return penalty / 2;
}
