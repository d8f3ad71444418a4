// Weighted naive Bayes: a weight per feature, fitted to the conditional likelihood
// of left-out rows (WANBIA-CLL, Zaidi et al. 2013).

import { gatherClasses } from "../fitting/class-counts.ts";
import type { FitInput } from "../fitting/family.ts";
import { sampleRows } from "../fitting/row-sample.ts";
import { gatherCodes, softmaxInPlace } from "../fitting/score-tables.ts";
import { minimise } from "../logistic/lbfgs.ts";
import { deriveSeed } from "../random.ts";
import { throwIfCancelled } from "../stop-signal.ts";
import {
  type BayesTables,
  informativeFeatures,
  type LeaveOneOutLifts,
  leaveOneOutLifts,
  ownLogPriors,
} from "./bayes-tables.ts";

/** Features × classes that get weights at most: the most informative features; the others then take no part. */
const MAX_WEIGHTED_CELLS = 20_000;
const MAX_FEATURES = 500;
const MIN_FEATURES = 50;
/** Lifts read by one pass over the rows at most; with more features or classes, fewer rows are sampled. */
const MAX_LIFTS_PER_PASS = 10_000_000;
const MAX_ROWS = 50_000;
const MIN_ROWS = 1000;
const MAX_ITERATIONS = 60;
/** The ridge draws each weight to this value, half way between 0 and the weight of plain naive Bayes. */
const PRIOR_WEIGHT = 0.5;
const WEIGHT_L2 = 10;
/** Keeps the class shifts from drifting, since one of them is redundant. */
const SHIFT_L2 = 1e-3;

interface WeightProblem {
  input: FitInput;
  logPriors: Float64Array;
  ownLogPriors: Float64Array;
  /** One for each feature that gets a weight. */
  lifts: readonly LeaveOneOutLifts[];
  rowClasses: Uint8Array;
  /** Codes of the rows, feature after feature. */
  codes: Uint16Array;
  /** Scores, then residuals: row after row, `classCount` each. */
  scores: Float64Array;
}

export interface BayesWeights {
  /** Per feature of the view; 0 where it takes no part. */
  weights: Float64Array;
  /** Per class, to be added to the log priors. */
  intercepts: Float64Array;
}

/** Minimises the leave-one-out cross-entropy + Σ (w_j - 0.5)² × l2 / 2 over the weights and class shifts by L-BFGS. */
export function fitWeights(input: FitInput, bayes: BayesTables): BayesWeights {
  const { view, classCount, stop } = input;
  const most = Math.min(MAX_FEATURES, Math.max(MIN_FEATURES, Math.floor(MAX_WEIGHTED_CELLS / classCount)));
  const features = informativeFeatures(bayes, most);
  const perRow = Math.max(1, features.length * classCount);
  const limit = Math.min(MAX_ROWS, Math.max(MIN_ROWS, Math.floor(MAX_LIFTS_PER_PASS / perRow)));
  const sample = sampleRows(input, limit, deriveSeed(input.seed, 2));
  const codes = new Uint16Array(sample.length * features.length);
  for (const [position, index] of features.entries()) {
    throwIfCancelled(stop);
    gatherCodes(view.features[index]!.codes, sample, 0, sample.length, codes, position * sample.length);
  }
  const problem: WeightProblem = {
    input,
    logPriors: bayes.logPriors,
    ownLogPriors: ownLogPriors(bayes),
    lifts: features.map((index) => leaveOneOutLifts(bayes, index)),
    rowClasses: gatherClasses(input.classes, sample),
    codes,
    scores: new Float64Array(sample.length * classCount),
  };
  const start = new Float64Array(features.length + classCount).fill(PRIOR_WEIGHT, 0, features.length);
  const theta = minimise((point, gradient) => weightLoss(problem, point, gradient), start, {
    maxIterations: MAX_ITERATIONS,
    gradientTolerance: 1e-5 * sample.length,
    relativeTolerance: 1e-5,
    stop,
  });
  const weights = new Float64Array(view.features.length);
  for (const [position, index] of features.entries()) weights[index] = theta[position]!;
  return { weights, intercepts: theta.slice(features.length) };
}

/** theta: one weight per feature, then one shift per class. Infinity where the time ran out on the way. */
function weightLoss(problem: WeightProblem, theta: Float64Array, gradient: Float64Array): number {
  const { lifts, rowClasses, codes, scores, input } = problem;
  const { classCount, stop } = input;
  startScores(problem, theta);
  for (let position = 0; position < lifts.length; position++) {
    throwIfCancelled(stop);
    if (stop.timeIsUp()) return Number.POSITIVE_INFINITY;
    const from = position * rowClasses.length;
    addLifts(scores, rowClasses, codes, from, lifts[position]!, theta[position]!);
  }
  let loss = residuals(scores, rowClasses, classCount);
  gradient.fill(0);
  for (let position = 0; position < lifts.length; position++) {
    throwIfCancelled(stop);
    const from = position * rowClasses.length;
    const distance = theta[position]! - PRIOR_WEIGHT;
    loss += (WEIGHT_L2 / 2) * distance * distance;
    gradient[position] = WEIGHT_L2 * distance + dotLifts(scores, rowClasses, codes, from, lifts[position]!);
  }
  for (let k = 0; k < classCount; k++) {
    const at = lifts.length + k;
    const shift = theta[at]!;
    let sum = SHIFT_L2 * shift;
    for (let i = k; i < scores.length; i += classCount) sum += scores[i]!;
    gradient[at] = sum;
    loss += (SHIFT_L2 / 2) * shift * shift;
  }
  return loss;
}

function startScores(problem: WeightProblem, theta: Float64Array): void {
  const { logPriors, ownLogPriors, lifts, rowClasses, scores } = problem;
  const shifts = theta.subarray(lifts.length);
  const classCount = logPriors.length;
  for (let i = 0; i < rowClasses.length; i++) {
    const actual = rowClasses[i]!;
    for (let k = 0; k < classCount; k++) {
      scores[i * classCount + k] = (k === actual ? ownLogPriors[k]! : logPriors[k]!) + shifts[k]!;
    }
  }
}

/** Adds each class's lift without the row itself: `own` for the row's class, `others` for the rest. */
function addLifts(
  scores: Float64Array,
  rowClasses: Uint8Array,
  codes: Uint16Array,
  codeOffset: number,
  lifts: LeaveOneOutLifts,
  weight: number,
): void {
  const { own: owns, others } = lifts;
  const rowCount = rowClasses.length;
  const classCount = scores.length / rowCount;
  for (let i = 0; i < rowCount; i++) {
    const from = codes[codeOffset + i]! * classCount;
    const at = i * classCount;
    for (let k = 0; k < classCount; k++) scores[at + k] = scores[at + k]! + weight * others[from + k]!;
    const actual = rowClasses[i]!;
    scores[at + actual] = scores[at + actual]! + weight * (owns[from + actual]! - others[from + actual]!);
  }
}

/** Σ over rows and classes of residual × lift: the derivative of the loss by the feature's weight. */
function dotLifts(
  residual: Float64Array,
  rowClasses: Uint8Array,
  codes: Uint16Array,
  codeOffset: number,
  lifts: LeaveOneOutLifts,
): number {
  const { own: owns, others } = lifts;
  const rowCount = rowClasses.length;
  const classCount = residual.length / rowCount;
  let sum = 0;
  for (let i = 0; i < rowCount; i++) {
    const from = codes[codeOffset + i]! * classCount;
    const at = i * classCount;
    for (let k = 0; k < classCount; k++) sum += residual[at + k]! * others[from + k]!;
    const actual = rowClasses[i]!;
    sum += residual[at + actual]! * (owns[from + actual]! - others[from + actual]!);
  }
  return sum;
}

/** Turns scores into p - y and returns the cross-entropy. */
function residuals(scores: Float64Array, rowClasses: Uint8Array, classCount: number): number {
  let loss = 0;
  for (let i = 0; i < rowClasses.length; i++) {
    const actualAt = i * classCount + rowClasses[i]!;
    const ownScore = scores[actualAt]!;
    loss += softmaxInPlace(scores, i * classCount, classCount) - ownScore;
    scores[actualAt] = scores[actualAt]! - 1;
  }
  return loss;
}
