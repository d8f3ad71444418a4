// A hidden layer: a logistic regression on learned inputs, each the tanh of a weighted sum of the row's values. Also
// known as a multilayer perceptron with one hidden layer.

import { gatherCodes, scoresToProbabilities } from "../fitting/score-tables.ts";
import type { CodedView } from "../table/buckets.ts";

/**
 * Each code of a feature gives a value to one input. The codes of a number share an input, whose value is the centre of
 * the bucket; a missing cell and each category have an input of their own, of value 1. With
 * `at = codeStarts[feature] + code`:
 *
 *     z_u     = unitIntercepts[u] + Σ_features codeValues[at] * unitWeights[codeInputs[at] * unitCount + u]
 *     score_k = intercepts[k] + Σ_u tanh(z_u) * outputWeights[u * outputCount + k]
 *
 * then softmax, or the logistic function for two classes.
 */
export interface HiddenLayer {
  kind: "hidden layer";
  classCount: number;
  /** 1 for two classes, else `classCount`. */
  outputCount: number;
  unitCount: number;
  /** Where each feature's codes begin in `codeInputs` and `codeValues`, and the end of both. */
  codeStarts: Uint32Array;
  /** The input of each code. */
  codeInputs: Uint32Array;
  /** The value that each code gives its input; 0 where it gives none. */
  codeValues: Float64Array;
  /** `inputs × unitCount`. */
  unitWeights: Float32Array;
  unitIntercepts: Float64Array;
  /** `unitCount × outputCount`. */
  outputWeights: Float64Array;
  intercepts: Float64Array;
}

/** Rows scored together, so that the sums of their units stay in cache while the features pass by. */
const BLOCK_ROWS = 512;

/** Writes the probabilities of all classes, row after row: see `ModelForm`. */
export function scoreHiddenLayer(model: HiddenLayer, view: CodedView, rows: Uint32Array, out: Float64Array): void {
  const { classCount, outputCount, unitCount, unitIntercepts } = model;
  const codes = new Uint16Array(Math.min(BLOCK_ROWS, rows.length));
  const sums = new Float64Array(codes.length * unitCount);
  for (let start = 0; start < rows.length; start += BLOCK_ROWS) {
    const count = Math.min(BLOCK_ROWS, rows.length - start);
    for (let i = 0; i < count; i++) sums.set(unitIntercepts, i * unitCount);
    for (const [index, feature] of view.features.entries()) {
      gatherCodes(feature.codes, rows, start, count, codes, 0);
      addInputs(model, model.codeStarts[index]!, codes, count, sums);
    }
    for (let i = 0, at = start * classCount; i < count; i++, at += classCount) {
      writeScores(model, sums, i * unitCount, out, at + classCount - outputCount);
      scoresToProbabilities(out, at, classCount);
    }
  }
}

/** Adds what one feature's codes bring to the sums of the units, row after row. */
function addInputs(
  { codeInputs, codeValues, unitWeights, unitCount }: HiddenLayer,
  firstCode: number,
  codes: Uint16Array,
  count: number,
  sums: Float64Array,
): void {
  for (let i = 0, to = 0; i < count; i++, to += unitCount) {
    const at = firstCode + codes[i]!;
    const value = codeValues[at]!;
    if (value === 0) continue;
    const from = codeInputs[at]! * unitCount;
    for (let u = 0; u < unitCount; u++) sums[to + u] = sums[to + u]! + value * unitWeights[from + u]!;
  }
}

/** Writes the scores of one row; the sums of its units begin at `from`. */
export function writeScores(
  { intercepts, outputWeights, outputCount, unitCount }: HiddenLayer,
  sums: Float64Array,
  from: number,
  out: Float64Array,
  to: number,
): void {
  for (let k = 0; k < outputCount; k++) out[to + k] = intercepts[k]!;
  for (let u = 0; u < unitCount; u++) {
    const unit = Math.tanh(sums[from + u]!);
    for (let k = 0; k < outputCount; k++) {
      out[to + k] = out[to + k]! + unit * outputWeights[u * outputCount + k]!;
    }
  }
}
