// Logistic regression on the terms of texts and the buckets of all other columns together, by stochastic gradients.

import { countRowsByCode, startingScores } from "../fitting/class-counts.ts";
import type { FitInput } from "../fitting/family.ts";
import { logistic, outputCountOf, softmaxInPlace } from "../fitting/score-tables.ts";
import { deriveSeed, Random, shuffle } from "../random.ts";
import { throwIfCancelled } from "../stop-signal.ts";
import { sumOf } from "../sums.ts";
import type { TermRows } from "../text/term-rows.ts";
import {
  addTermScores,
  countRows,
  inverseFrequencies,
  RowValues,
  type TermChoice,
  type TermsModel,
  type TextWeights,
  textsOf,
} from "./term-weights.ts";

export interface SparseLogisticSettings {
  terms: TermChoice;
  /**
   * tf-idf: rows of length one. ratios: terms that a row has, each by the logarithm of how much likelier it is in a
   * class than in the others (Wang & Manning 2012).
   */
  scaling: "tf-idf" | "ratios";
  /** Ridge on the sum over rows: l2 / 2 times the squared weights. Intercepts go free. */
  l2: number;
}

const MOST_EPOCHS = 10;
/** Many rows say the same often enough within fewer passes. */
const LEAST_EPOCHS = 3;
const MOST_STEPS = 1_000_000;
const SHUFFLE_DRAW = 41;
/** The step of a weight is this over the root of its squared gradients so far (AdaGrad: Duchi, Hazan & Singer 2011). */
const STEP = 0.5;
const INTERCEPT_STEP = 0.01;
/** Squared gradients that a term begins with, so that its first step is finite. */
const FIRST_SQUARES = 1e-8;
/** A step takes away at most this share of a weight, however large the ridge is. */
const MOST_SHRINK = 0.5;
const RATIO_SMOOTHING = 1;
/** Rows between two looks at the clock. */
const ROWS_PER_LOOK = 256;

/** One weight vector for each entry of a block: the terms of a text, or the codes of a feature. */
interface Block {
  weights: Float32Array;
  /** The sum of squared gradients of each entry, over its outputs. */
  squares: Float32Array;
  /** The ridge's step for each entry at each of its rows: l2 over the number of its rows. */
  ridges: Float32Array;
}

/**
 * Ten passes over the rows, or fewer over many, in an order drawn from the seed. All outputs of a term share one step
 * size. The ridge is taken where a term occurs, in parts that add up to a whole in a pass. O(entries × outputs ×
 * passes). When time is up it returns the weights so far.
 */
export function fitSparseLogistic(input: FitInput, settings: SparseLogisticSettings): TermsModel {
  const { rows, classes, seed, stop } = input;
  const problem = new SparseProblem(input, settings);
  const order = rows.slice();
  const epochCount = Math.max(LEAST_EPOCHS, Math.min(MOST_EPOCHS, Math.ceil(MOST_STEPS / rows.length)));
  for (let epoch = 0; epoch < epochCount && !stop.timeIsUp(); epoch++) {
    shuffle(order, new Random(deriveSeed(seed, SHUFFLE_DRAW, epoch)));
    for (let i = 0; i < order.length; i++) {
      if (i % ROWS_PER_LOOK === 0) {
        throwIfCancelled(stop);
        if (stop.timeIsUp()) break;
      }
      problem.learnFrom(order[i]!, classes[order[i]!]!);
    }
  }
  return problem.toModel();
}

/** A text of the view with what is learned of it. */
interface TextPart {
  text: TermRows;
  reader: RowValues;
  block: Block;
  /** Factors of each weight's step; null for 1. */
  factors: Float32Array | null;
}

class SparseProblem {
  private readonly input: FitInput;
  private readonly outputCount: number;
  private readonly texts: readonly TextPart[];
  /** One for each feature of the view; null for scores of texts, which the terms themselves replace. */
  private readonly blocks: readonly (Block | null)[];
  private readonly intercepts: Float64Array;
  /** Scores of the current row; then its residuals. */
  private readonly scores: Float64Array;

  constructor(input: FitInput, { terms, scaling, l2 }: SparseLogisticSettings) {
    const { view, rows, classCount } = input;
    const outputCount = outputCountOf(classCount);
    this.input = input;
    this.outputCount = outputCount;
    this.texts = textsOf(view).map((text) => {
      const rowCounts = countRows(text, rows);
      const found = inverseFrequencies(text, rowCounts, rows.length, terms);
      const isRatio = scaling === "ratios";
      const scales = isRatio ? found.map((scale) => (scale > 0 ? 1 : 0)) : found;
      const reader = new RowValues(text, { counting: isRatio ? "once" : "log", isNormalised: !isRatio, scales });
      const factors = isRatio ? squaredRatios(text, scales, input, outputCount) : null;
      return { text, reader, block: newBlock(rowCounts, outputCount, l2), factors };
    });
    this.blocks = view.features.map(({ isScore, codes, codeCount }) =>
      isScore === true ? null : newBlock(countRowsByCode(codes, codeCount, rows), outputCount, l2),
    );
    this.intercepts = startingScores(input);
    this.scores = new Float64Array(outputCount);
  }

  learnFrom(row: number, actual: number): void {
    const { input, texts, blocks, intercepts, scores, outputCount } = this;
    const { features } = input.view;
    scores.set(intercepts);
    for (const { text, reader, block } of texts) {
      reader.turnTo(row);
      addTermScores(text, reader, block.weights, scores, outputCount);
    }
    for (let index = 0; index < blocks.length; index++) {
      const block = blocks[index]!;
      if (block === null) continue;
      const from = features[index]!.codes[row]! * outputCount;
      for (let k = 0; k < outputCount; k++) scores[k] = scores[k]! + block.weights[from + k]!;
    }
    const squares = toResiduals(scores, actual);
    for (let k = 0; k < outputCount; k++) intercepts[k] = intercepts[k]! - INTERCEPT_STEP * scores[k]!;
    for (const part of texts) descend(part, scores, squares);
    for (let index = 0; index < blocks.length; index++) {
      const block = blocks[index]!;
      if (block !== null) stepEntry(block, features[index]!.codes[row]!, 1, null, scores, squares);
    }
  }

  toModel(): TermsModel {
    const { input, texts, blocks, intercepts, outputCount } = this;
    const { classCount } = input;
    const tables = blocks.map((block) => (block === null ? null : Float64Array.from(block.weights)));
    return {
      kind: "terms",
      classCount,
      tables: { kind: "additive", classCount, outputCount, intercepts, tables },
      texts: texts.map(({ reader: { scaling }, block: { weights } }): TextWeights => ({ ...scaling, weights })),
    };
  }
}

/** Makes residuals p - y of the scores, and returns the sum of their squares. */
function toResiduals(scores: Float64Array, actual: number): number {
  if (scores.length === 1) {
    scores[0] = logistic(scores[0]!) - actual;
    return scores[0] * scores[0];
  }
  softmaxInPlace(scores, 0, scores.length);
  scores[actual] = scores[actual]! - 1;
  let squares = 0;
  for (let k = 0; k < scores.length; k++) squares += scores[k]! * scores[k]!;
  return squares;
}

function descend({ text, reader, block, factors }: TextPart, residuals: Float64Array, squares: number): void {
  const { first, end, values } = reader;
  for (let at = first; at < end; at++) {
    const value = values[at - first]!;
    if (value !== 0) stepEntry(block, text.terms[at]!, value, factors, residuals, squares);
  }
}

/** `factors`: what the step of each weight is multiplied by, beside the entry's own; 1 where there are none. */
function stepEntry(
  { weights, squares, ridges }: Block,
  entry: number,
  value: number,
  factors: Float32Array | null,
  residuals: Float64Array,
  residualSquares: number,
): void {
  const sum = squares[entry]! + value * value * residualSquares;
  squares[entry] = sum;
  const step = STEP / Math.sqrt(sum + FIRST_SQUARES);
  const keptShare = 1 - Math.min(MOST_SHRINK, step * ridges[entry]!);
  const move = step * value;
  const outputCount = residuals.length;
  const from = entry * outputCount;
  if (factors === null) {
    for (let k = 0; k < outputCount; k++) weights[from + k] = weights[from + k]! * keptShare - move * residuals[k]!;
  } else {
    for (let k = 0; k < outputCount; k++) {
      weights[from + k] = weights[from + k]! * keptShare - move * factors[from + k]! * residuals[k]!;
    }
  }
}

function newBlock(rowCounts: Uint32Array, outputCount: number, l2: number): Block {
  return {
    weights: new Float32Array(rowCounts.length * outputCount),
    squares: new Float32Array(rowCounts.length),
    ridges: Float32Array.from(rowCounts, (count) => l2 / Math.max(1, count)),
  };
}

/**
 * The squared log-count ratio of each term and output. A weight v on a term scaled by its ratio r is a weight w = r v
 * on the term itself, whose steps are then r² as large.
 */
function squaredRatios(
  { starts, terms }: TermRows,
  scales: Float32Array,
  { rows, classes, classCount }: FitInput,
  outputCount: number,
): Float32Array {
  const counts = new Float32Array(scales.length * classCount);
  const totals = new Float64Array(classCount);
  for (const row of rows) {
    for (let at = starts[row]!; at < starts[row + 1]!; at++) {
      const term = terms[at]!;
      if (scales[term] === 0) continue;
      const cell = term * classCount + classes[row]!;
      counts[cell] = counts[cell]! + 1;
      totals[classes[row]!] = totals[classes[row]!]! + 1;
    }
  }
  const smoothed = RATIO_SMOOTHING * scales.length;
  const totalCount = sumOf(totals);
  const factors = new Float32Array(scales.length * outputCount);
  for (let term = 0; term < scales.length; term++) {
    if (scales[term] === 0) continue;
    const ofTerm = counts.subarray(term * classCount, (term + 1) * classCount);
    let rowCount = 0;
    for (let k = 0; k < classCount; k++) rowCount += ofTerm[k]!;
    for (let output = 0; output < outputCount; output++) {
      const k = outputCount === 1 ? 1 : output;
      const inside = (ofTerm[k]! + RATIO_SMOOTHING) / (totals[k]! + smoothed);
      const outside = (rowCount - ofTerm[k]! + RATIO_SMOOTHING) / (totalCount - totals[k]! + smoothed);
      factors[term * outputCount + output] = Math.log(inside / outside) ** 2;
    }
  }
  return factors;
}
