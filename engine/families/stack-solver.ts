// The weights of a stack: Newton steps on a few weights and intercepts, weights never below 0.

import { gatherClasses } from "../fitting/class-counts.ts";
import { softmaxInPlace } from "../fitting/score-tables.ts";
import { evenlySpaced, pickRows } from "../row-lists.ts";
import { type StopSignal, throwIfCancelled } from "../stop-signal.ts";

/** Ridge that draws the weights to equal ones, and the intercepts to 0, on the sum over rows. */
const WEIGHT_L2 = 10;
const INTERCEPT_L2 = 5;
const MOST_STEPS = 60;
const MOST_HALVINGS = 20;
const SUFFICIENT_DECREASE = 1e-4;
/** Done when a full step would lower the loss by less than this share of it. */
const LEAST_DECREASE = 1e-8;
/** A weight of 0 is freed again if the loss falls with it by more than this per row. */
const LEAST_PULL = 1e-5;
/** Times that one weight may be freed again. */
const MOST_RETURNS = 2;
/** Multiplications for the second derivatives at most. They only steer the steps, so a sample of the rows will do. */
const CURVATURE_WORK = 4_000_000;
/** Cells (rows × classes) of the sample that finds a starting point, and by what factor there must be more. */
const FIRST_CELLS = 50_000;
const FIRST_PAYS_FROM = 4;

/** The answers of the bases for some rows, and the true classes. */
export interface StackInput {
  /** Per base: centred log-odds as `centredLogOdds` of stacking.ts makes them, `rows × classCount`. */
  logOdds: readonly Float32Array[];
  /** Class of each row. */
  classes: Uint8Array;
  classCount: number;
}

/** The parameters: the weights of the bases, then the intercepts of the classes. */
type Theta = Float64Array;

export interface StackSolution {
  theta: Theta;
  /** The cross-entropy summed over the rows, and the ridges. */
  loss: number;
}

/**
 * Minimises the cross-entropy of softmax(intercepts + Σ weights · log-odds) plus a ridge towards equal weights, with no
 * weight below 0, by projected Newton steps (Bertsekas 1982). The problem is convex. The steps begin at `near`, a point
 * that is known to lie near the solution, or with many rows at the solution of a sample. When the time is up it returns
 * the best point reached. Throws `Cancelled`.
 */
export function solveStack(input: StackInput, stop: StopSignal, near: Theta | null = null): StackSolution {
  if (near !== null) return descend(whole(input), near, stop);
  const baseCount = input.logOdds.length;
  const start = new Float64Array(baseCount + input.classCount).fill(1 / baseCount, 0, baseCount);
  const wantedRows = Math.ceil(FIRST_CELLS / input.classCount);
  const rowCount = input.classes.length;
  if (rowCount < FIRST_PAYS_FROM * wantedRows) return descend(whole(input), start, stop);
  const sample = selectStackRows(input, evenlySpaced(rowCount, wantedRows));
  const first = descend({ ...sample, ridgeShare: wantedRows / rowCount }, start, stop);
  return descend(whole(input), first.theta, stop);
}

/**
 * Estimates how far the loss would rise if a weight were 0 and all others fitted again: w² / (2 [H⁻¹]), where [H⁻¹] is
 * the weight's diagonal entry of the inverse Hessian at the solution; 0 for a weight of 0. This is Wald's test, also
 * known as optimal brain surgeon (Hassibi & Stork 1993).
 */
export function removalCosts(input: StackInput, { theta }: StackSolution): Float64Array {
  const baseCount = input.logOdds.length;
  const costs = new Float64Array(baseCount);
  const isFree = Array.from({ length: baseCount }, (_, base) => theta[base]! > 0);
  const free = freeIndexes(isFree, input.classCount);
  const problem = whole(input);
  const matrix = curvature(problem, evaluate(problem, theta, residualsOf(input)).residuals, free);
  for (const [index, parameter] of free.entries()) {
    if (parameter >= baseCount) break;
    const unit = new Float64Array(free.length);
    unit[index] = 1;
    costs[parameter] = theta[parameter]! ** 2 / (2 * solveSymmetric(matrix.slice(), unit)[index]!);
  }
  return costs;
}

/** The input's rows at some positions. */
export function selectStackRows(input: StackInput, positions: Uint32Array): StackInput {
  const { logOdds, classes, classCount } = input;
  return {
    logOdds: logOdds.map((ofBase) =>
      pickRows(ofBase, positions, classCount, new Float32Array(positions.length * classCount)),
    ),
    classes: gatherClasses(classes, positions),
    classCount,
  };
}

interface Problem extends StackInput {
  /** The share of all rows that the input holds, by which the ridges are scaled. */
  ridgeShare: number;
}

function whole(input: StackInput): Problem {
  return { ...input, ridgeShare: 1 };
}

function descend(input: Problem, start: Theta, stop: StopSignal): StackSolution {
  const baseCount = input.logOdds.length;
  const rowCount = input.classes.length;
  const returns = new Uint8Array(baseCount);
  const isFree = Array.from({ length: baseCount }, (_, base) => start[base]! > 0);
  let theta = start;
  let point = evaluate(input, theta, residualsOf(input));
  // The arrays of the last point are reused for the next try: with many classes they are the largest of all.
  let spare = residualsOf(input);
  for (let step = 0; step < MOST_STEPS && !stop.timeIsUp(); step++) {
    throwIfCancelled(stop);
    const free = freeIndexes(isFree, input.classCount);
    const gradient = gradientAt(input, theta, point.residuals, free);
    const direction = solveSymmetric(
      curvature(input, point.residuals, free),
      gradient.map((each) => -each),
    );
    const decrease = -dot(gradient, direction) / 2;
    const next =
      decrease > LEAST_DECREASE * (1 + point.loss)
        ? search(input, theta, point, free, gradient, direction, spare)
        : null;
    if (next !== null) {
      spare = point.residuals;
      ({ theta, point } = next);
      for (let base = 0; base < baseCount; base++) isFree[base] = theta[base]! > 0;
      continue;
    }
    const fixed = Array.from(isFree.keys()).filter((base) => !isFree[base] && returns[base]! < MOST_RETURNS);
    const pulls = gradientAt(input, theta, point.residuals, fixed);
    const freed = fixed.filter((_, index) => pulls[index]! < -LEAST_PULL * rowCount);
    if (freed.length === 0) break;
    for (const base of freed) {
      isFree[base] = true;
      returns[base]!++;
    }
  }
  return { theta, loss: point.loss };
}

interface Point {
  loss: number;
  /** Probabilities less the truth, `rows × classCount`. */
  residuals: Float64Array;
}

/**
 * Halves the step along the direction until the loss falls enough, with weights stopping at 0; null if it never does.
 * `residuals`: receives those of each try.
 */
function search(
  input: Problem,
  theta: Theta,
  { loss }: Point,
  free: readonly number[],
  gradient: Float64Array,
  direction: Float64Array,
  residuals: Float64Array,
): { theta: Theta; point: Point } | null {
  const baseCount = input.logOdds.length;
  for (let halving = 0, share = 1; halving <= MOST_HALVINGS; halving++, share /= 2) {
    const next = theta.slice();
    let slope = 0;
    for (const [index, parameter] of free.entries()) {
      const wanted = theta[parameter]! + share * direction[index]!;
      next[parameter] = parameter < baseCount ? Math.max(0, wanted) : wanted;
      slope += gradient[index]! * (next[parameter]! - theta[parameter]!);
    }
    if (slope >= 0) continue;
    const point = evaluate(input, next, residuals);
    if (point.loss <= loss + SUFFICIENT_DECREASE * slope) return { theta: next, point };
  }
  return null;
}

/** Bases that are free, then all intercepts, as indexes of theta. */
function freeIndexes(isFree: readonly boolean[], classCount: number): number[] {
  const baseCount = isFree.length;
  const bases = Array.from(isFree.keys()).filter((base) => isFree[base]);
  return [...bases, ...Array.from({ length: classCount }, (_, k) => baseCount + k)];
}

function residualsOf({ classes, classCount }: StackInput): Float64Array {
  return new Float64Array(classes.length * classCount);
}

/** The penalised loss. Overwrites `residuals`, which become the point's. */
function evaluate({ logOdds, classes, classCount, ridgeShare }: Problem, theta: Theta, residuals: Float64Array): Point {
  const baseCount = logOdds.length;
  const intercepts = theta.subarray(baseCount);
  for (let at = 0; at < residuals.length; at += classCount) {
    for (let k = 0; k < classCount; k++) residuals[at + k] = intercepts[k]!;
  }
  let penalty = 0;
  for (let base = 0; base < baseCount; base++) {
    const weight = theta[base]!;
    if (weight > 0) addScaled(residuals, logOdds[base]!, weight);
    penalty += WEIGHT_L2 * (weight - 1 / baseCount) ** 2;
  }
  for (const intercept of intercepts) penalty += INTERCEPT_L2 * intercept * intercept;
  let loss = 0;
  for (let row = 0, at = 0; row < classes.length; row++, at += classCount) {
    const actualAt = at + classes[row]!;
    const score = residuals[actualAt]!;
    loss += softmaxInPlace(residuals, at, classCount) - score;
    residuals[actualAt] = residuals[actualAt]! - 1;
  }
  return { loss: loss + (ridgeShare * penalty) / 2, residuals };
}

/** Derivatives by some of the parameters. */
function gradientAt(
  { logOdds, classCount, ridgeShare }: Problem,
  theta: Theta,
  residuals: Float64Array,
  parameters: readonly number[],
): Float64Array {
  const baseCount = logOdds.length;
  const sums = new Float64Array(classCount);
  for (let at = 0; at < residuals.length; at += classCount) {
    for (let k = 0; k < classCount; k++) sums[k] = sums[k]! + residuals[at + k]!;
  }
  return Float64Array.from(parameters, (parameter) => {
    const value = theta[parameter]!;
    return parameter < baseCount
      ? dot(residuals, logOdds[parameter]!) + ridgeShare * WEIGHT_L2 * (value - 1 / baseCount)
      : sums[parameter - baseCount]! + ridgeShare * INTERCEPT_L2 * value;
  });
}

/** Second derivatives by the free parameters: the lower triangle of a matrix, from a sample if there are many rows. */
function curvature(
  { logOdds, classes, classCount, ridgeShare }: Problem,
  residuals: Float64Array,
  free: readonly number[],
): Float64Array {
  const size = free.length;
  const weightCount = size - classCount;
  const weighed = free.slice(0, weightCount).map((base) => logOdds[base]!);
  const work = classCount * (weightCount * (weightCount / 2 + 1) + classCount / 2);
  const rowCount = Math.min(classes.length, Math.ceil(CURVATURE_WORK / work));
  const matrix = new Float64Array(size * size);
  const probabilities = new Float64Array(classCount);
  const centred = new Float64Array(weightCount * classCount);
  for (let i = 0; i < rowCount; i++) {
    const row = Math.floor((i * classes.length) / rowCount);
    const at = row * classCount;
    for (let k = 0; k < classCount; k++) probabilities[k] = residuals[at + k]! + (classes[row] === k ? 1 : 0);
    for (let base = 0; base < weightCount; base++)
      centre(weighed[base]!, at, probabilities, centred, base * classCount);
    addRow(matrix, size, probabilities, centred);
  }
  const scale = rowCount === 0 ? 0 : classes.length / rowCount;
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) matrix[i * size + j] = matrix[i * size + j]! * scale;
    matrix[i * size + i] = matrix[i * size + i]! + ridgeShare * (i < weightCount ? WEIGHT_L2 : INTERCEPT_L2);
  }
  return matrix;
}

/** A base's log-odds of one row, less their mean by the probabilities. */
function centre(
  logOdds: Float32Array,
  at: number,
  probabilities: Float64Array,
  centred: Float64Array,
  offset: number,
): void {
  let mean = 0;
  for (let k = 0; k < probabilities.length; k++) mean += probabilities[k]! * logOdds[at + k]!;
  for (let k = 0; k < probabilities.length; k++) centred[offset + k] = logOdds[at + k]! - mean;
}

/** Adds one row to the lower triangle: covariances of log-odds and of the classes themselves by the probabilities. */
function addRow(matrix: Float64Array, size: number, probabilities: Float64Array, centred: Float64Array): void {
  const classCount = probabilities.length;
  const weightCount = size - classCount;
  for (let i = 0; i < weightCount; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = 0;
      for (let k = 0; k < classCount; k++) {
        sum += probabilities[k]! * centred[i * classCount + k]! * centred[j * classCount + k]!;
      }
      matrix[i * size + j] = matrix[i * size + j]! + sum;
    }
  }
  for (let k = 0; k < classCount; k++) {
    const base = (weightCount + k) * size;
    const share = probabilities[k]!;
    for (let j = 0; j < weightCount; j++) matrix[base + j] = matrix[base + j]! + share * centred[j * classCount + k]!;
    for (let other = 0; other < k; other++) {
      const at = base + weightCount + other;
      matrix[at] = matrix[at]! - share * probabilities[other]!;
    }
    matrix[base + weightCount + k] = matrix[base + weightCount + k]! + share * (1 - share);
  }
}

/**
 * Solves matrix · x = right by Cholesky's factors. Reads and overwrites the
 * lower triangle of a positive definite matrix.
 */
function solveSymmetric(matrix: Float64Array, right: Float64Array): Float64Array {
  const size = right.length;
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i * size + j]!;
      for (let k = 0; k < j; k++) sum -= matrix[i * size + k]! * matrix[j * size + k]!;
      matrix[i * size + j] = i === j ? Math.sqrt(sum) : sum / matrix[j * size + j]!;
    }
  }
  for (let i = 0; i < size; i++) {
    let sum = right[i]!;
    for (let k = 0; k < i; k++) sum -= matrix[i * size + k]! * right[k]!;
    right[i] = sum / matrix[i * size + i]!;
  }
  for (let i = size - 1; i >= 0; i--) {
    let sum = right[i]!;
    for (let k = i + 1; k < size; k++) sum -= matrix[k * size + i]! * right[k]!;
    right[i] = sum / matrix[i * size + i]!;
  }
  return right;
}

function addScaled(target: Float64Array, values: Float32Array, factor: number): void {
  for (let i = 0; i < target.length; i++) target[i] = target[i]! + factor * values[i]!;
}

function dot(a: Float64Array, b: Float64Array | Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
