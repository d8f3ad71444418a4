// Stacking: one non-negative weight per base model, fitted on the log-odds that the bases gave rows they did not learn from.
import type { Split } from "../holdout.ts";
import type { StopSignal } from "../stop-signal.ts";
import { softmaxInPlace } from "./additive-tables.ts";
import { minimise } from "./lbfgs.ts";

/** Added to every probability, so that a base that was sure and wrong does not rule alone. */
export const LEAST_SHARE = 0.002;
/** Ridge that draws the weights to equal ones, and the intercepts to 0, on the sum over rows. */
const WEIGHT_L2 = 10;
const INTERCEPT_L2 = 5;
const MOST_ITERATIONS = 60;
const GRADIENT_TOLERANCE = 1e-5;
const RELATIVE_TOLERANCE = 1e-7;

/** score_k(row) = intercepts[k] + Σ_m weights[m] · log-odds of base m for class k; then softmax. */
export interface Stacking {
  /** One per base, none negative, shared by all classes. */
  weights: Float64Array;
  /** One per class. */
  intercepts: Float64Array;
}

/** What bases say of some rows, and what is true. */
export interface StackInput {
  /** Per base: centred log-odds as `centredLogOdds` makes them, `rows × classCount`. */
  logOdds: readonly Float32Array[];
  /** Class of each row. */
  classes: Uint8Array;
  classCount: number;
}

/** ln(p + e), less its mean over the classes of the row: what a base adds to the scores of a stack at weight 1. */
export function centredLogOdds(probabilities: ArrayLike<number>, classCount: number): Float32Array {
  const logOdds = new Float32Array(probabilities.length);
  for (let base = 0; base < logOdds.length; base += classCount) {
    let sum = 0;
    for (let k = 0; k < classCount; k++) sum += Math.log(probabilities[base + k]! + LEAST_SHARE);
    const mean = sum / classCount;
    for (let k = 0; k < classCount; k++) logOdds[base + k] = Math.log(probabilities[base + k]! + LEAST_SHARE) - mean;
  }
  return logOdds;
}

/**
 * Stacked generalisation (Wolpert 1992) with non-negative weights (Breiman 1996): the multinomial likelihood with a ridge
 * towards equal weights. Weights that would be negative are fixed at 0, one round after the other, until none is left; the
 * problem is convex, so the order of summation alone decides the bytes.
 */
export function fitStacking(input: StackInput, stop: StopSignal): Stacking {
  const baseCount = input.logOdds.length;
  const start = new Float64Array(baseCount + input.classCount).fill(1 / baseCount, 0, baseCount);
  const isFree = new Array<boolean>(baseCount).fill(true);
  for (let theta: Float64Array = start; ; ) {
    const objective = (at: Float64Array, gradient: Float64Array) => stackLoss(input, isFree, at, gradient);
    theta = minimise(objective, theta, {
      maxIterations: MOST_ITERATIONS,
      gradientTolerance: GRADIENT_TOLERANCE * input.classes.length,
      relativeTolerance: RELATIVE_TOLERANCE,
      stop,
    }).theta;
    const negative = isFree.flatMap((free, base) => (free && theta[base]! < 0 ? [base] : []));
    if (negative.length === 0) {
      return { weights: theta.slice(0, baseCount), intercepts: theta.slice(baseCount) };
    }
    for (const base of negative) {
      isFree[base] = false;
      theta[base] = 0;
    }
  }
}

/** Probabilities of rows by the log-odds of every base, `rows × classCount`. */
export function applyStacking({ weights, intercepts }: Stacking, logOdds: readonly Float32Array[]): Float64Array {
  const classCount = intercepts.length;
  const scores = new Float64Array(logOdds[0]!.length);
  for (let at = 0; at < scores.length; at += classCount) scores.set(intercepts, at);
  for (const [base, own] of logOdds.entries()) {
    const weight = weights[base]!;
    if (weight === 0) continue;
    for (let at = 0; at < scores.length; at++) scores[at] = scores[at]! + weight * own[at]!;
  }
  for (let at = 0; at < scores.length; at += classCount) softmaxInPlace(scores, at, classCount);
  return scores;
}

/** The input's rows at some positions. */
export function selectStackRows(input: StackInput, positions: Uint32Array): StackInput {
  const { logOdds, classes, classCount } = input;
  return {
    logOdds: logOdds.map((own) => {
      const chosen = new Float32Array(positions.length * classCount);
      positions.forEach((position, i) => {
        chosen.set(own.subarray(position * classCount, (position + 1) * classCount), i * classCount);
      });
      return chosen;
    }),
    classes: Uint8Array.from(positions, (position) => classes[position]!),
    classCount,
  };
}

/**
 * Probabilities of every row by weights that the row's own fold had no part in: what a stack is judged by beside its bases.
 * `folds` hold positions among the input's rows.
 */
export function stackOutOfFold(input: StackInput, folds: readonly Split[], stop: StopSignal): Float64Array {
  const { classCount } = input;
  const probabilities = new Float64Array(input.classes.length * classCount);
  for (const { learning, judging } of folds) {
    const stacking = fitStacking(selectStackRows(input, learning), stop);
    const scores = applyStacking(stacking, selectStackRows(input, judging).logOdds);
    judging.forEach((position, i) => {
      probabilities.set(scores.subarray(i * classCount, (i + 1) * classCount), position * classCount);
    });
  }
  return probabilities;
}

/** Sum of the cross-entropy over the rows plus the ridges; theta: weights, then intercepts. Fixed weights have no gradient. */
function stackLoss(input: StackInput, isFree: readonly boolean[], theta: Float64Array, gradient: Float64Array): number {
  const { logOdds, classes, classCount } = input;
  const baseCount = logOdds.length;
  gradient.fill(0);
  const residuals = new Float64Array(classes.length * classCount);
  const intercepts = theta.subarray(baseCount);
  for (let at = 0; at < residuals.length; at += classCount) residuals.set(intercepts, at);
  for (let base = 0; base < baseCount; base++) {
    if (isFree[base]) addScaled(residuals, logOdds[base]!, theta[base]!);
  }
  const loss = toResiduals(residuals, classes, classCount, gradient.subarray(baseCount));
  let penalty = 0;
  for (let base = 0; base < baseCount; base++) {
    if (!isFree[base]) continue;
    const away = theta[base]! - 1 / baseCount;
    penalty += WEIGHT_L2 * away * away;
    gradient[base] = dot(residuals, logOdds[base]!) + WEIGHT_L2 * away;
  }
  for (let k = 0; k < classCount; k++) {
    penalty += INTERCEPT_L2 * intercepts[k]! * intercepts[k]!;
    gradient[baseCount + k] = gradient[baseCount + k]! + INTERCEPT_L2 * intercepts[k]!;
  }
  return loss + penalty / 2;
}

/** Scores become probabilities less the truth; gives their loss and adds their sums by class. */
function toResiduals(scores: Float64Array, classes: Uint8Array, classCount: number, sums: Float64Array): number {
  let loss = 0;
  for (let row = 0, at = 0; row < classes.length; row++, at += classCount) {
    const own = at + classes[row]!;
    const score = scores[own]!;
    loss += softmaxInPlace(scores, at, classCount) - score;
    scores[own] = scores[own]! - 1;
    for (let k = 0; k < classCount; k++) sums[k] = sums[k]! + scores[at + k]!;
  }
  return loss;
}

function addScaled(target: Float64Array, values: Float32Array, factor: number): void {
  for (let i = 0; i < target.length; i++) target[i] = target[i]! + factor * values[i]!;
}

function dot(a: Float64Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
