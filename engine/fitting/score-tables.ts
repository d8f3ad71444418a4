// Score tables: one table of contributions per feature, summed and turned into class probabilities.
import type { CodeArray, CodedView } from "../table/buckets.ts";

/**
 * score_k(row) = intercepts[k] + Σ_j tables[j][code_j(row) * outputCount + k]; then softmax, or the logistic function
 * for two classes. Naive Bayes and logistic regression both end as one.
 */
export interface ScoreTables {
  kind: "additive";
  classCount: number;
  /** 1 for two classes (the log-odds of class 1 against class 0), else `classCount`. */
  outputCount: number;
  /** `outputCount` long. */
  intercepts: Float64Array;
  /** Per feature of the view: `codeCount * outputCount` contributions, or null where the feature takes no part. */
  tables: readonly (Float64Array | null)[];
}

/**
 * The scores that a model sums up: for two classes one, the log-odds of
 * class 1 against class 0; else one for each class.
 */
export function outputCountOf(classCount: number): number {
  return classCount === 2 ? 1 : classCount;
}

/** Rows scored together, so that their scores stay in cache while the features pass by. */
const BLOCK_ROWS = 4096;

/**
 * Writes the probabilities of all classes, `rows.length * classCount` long, row after row; each row sums to 1.
 * The view must have the bucketing that the model was fitted on.
 */
export function scoreTables(model: ScoreTables, view: CodedView, rows: Uint32Array, out: Float64Array): void {
  const { classCount, outputCount, intercepts, tables } = model;
  const codes = new Uint16Array(Math.min(BLOCK_ROWS, rows.length));
  const scores = new Float64Array(codes.length * outputCount);
  for (let start = 0; start < rows.length; start += BLOCK_ROWS) {
    const count = Math.min(BLOCK_ROWS, rows.length - start);
    for (let i = 0; i < count * outputCount; i++) scores[i] = intercepts[i % outputCount]!;
    for (const [index, feature] of view.features.entries()) {
      const table = tables[index];
      if (!table) continue;
      gatherCodes(feature.codes, rows, start, count, codes, 0);
      if (outputCount === 1) addTable(scores, codes, table, count);
      else addTableRows(scores, codes, table, count, outputCount);
    }
    for (let i = 0, at = start * classCount; i < count; i++, at += classCount) {
      for (let k = 0; k < outputCount; k++) out[at + classCount - outputCount + k] = scores[i * outputCount + k]!;
      scoresToProbabilities(out, at, classCount);
    }
  }
}

/**
 * Copies the codes of `rows[start .. start + count)` to `target` from
 * `offset` on, so that hot loops meet one element type.
 */
export function gatherCodes(
  codes: CodeArray,
  rows: Uint32Array,
  start: number,
  count: number,
  target: Uint16Array,
  offset: number,
): void {
  for (let i = 0; i < count; i++) target[offset + i] = codes[rows[start + i]!]!;
}

/**
 * Adds one feature's contributions to the first `count` scores of one output. Hot: codes are always two bytes wide,
 * since a loop that meets both widths runs at a quarter of the speed.
 */
export function addTable(scores: Float64Array, codes: Uint16Array, table: Float64Array, count: number): void {
  for (let i = 0; i < count; i++) scores[i] = scores[i]! + table[codes[i]!]!;
}

/**
 * Turns one row's scores into its class probabilities. With two classes, the
 * log-odds of class 1 stand in that class's place.
 */
export function scoresToProbabilities(cells: Float64Array, at: number, classCount: number): void {
  if (classCount > 2) softmaxInPlace(cells, at, classCount);
  else {
    const logOdds = cells[at + 1]!;
    cells[at] = logistic(-logOdds);
    cells[at + 1] = logistic(logOdds);
  }
}

/** 1 / (1 + exp(-z)) without overflow. */
export function logistic(z: number): number {
  if (z >= 0) return 1 / (1 + Math.exp(-z));
  const odds = Math.exp(z);
  return odds / (1 + odds);
}

/** Turns `count` scores from `offset` on into probabilities. Returns log Σ exp of the scores. */
export function softmaxInPlace(scores: Float64Array, offset: number, count: number): number {
  const end = offset + count;
  let highest = scores[offset]!;
  for (let i = offset + 1; i < end; i++) if (scores[i]! > highest) highest = scores[i]!;
  let sum = 0;
  for (let i = offset; i < end; i++) {
    const weight = Math.exp(scores[i]! - highest);
    scores[i] = weight;
    sum += weight;
  }
  for (let i = offset; i < end; i++) scores[i] = scores[i]! / sum;
  return highest + Math.log(sum);
}

function addTableRows(
  scores: Float64Array,
  codes: Uint16Array,
  table: Float64Array,
  count: number,
  outputCount: number,
): void {
  let to = 0;
  for (let i = 0; i < count; i++) {
    const from = codes[i]! * outputCount;
    for (let k = 0; k < outputCount; k++, to++) scores[to] = scores[to]! + table[from + k]!;
  }
}
