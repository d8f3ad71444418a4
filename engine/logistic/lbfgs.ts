// L-BFGS: minimises a smooth function of many parameters by its values and gradients (Nocedal 1980; Liu & Nocedal
// 1989).
import { type StopSignal, throwIfCancelled } from "../stop-signal.ts";

/**
 * Writes the gradient at `theta` and returns the value. An evaluation that the stop signal cuts
 * short returns Infinity; the gradient is then meaningless.
 */
export type LossWithGradient = (theta: Float64Array, gradient: Float64Array) => number;

export interface MinimiseOptions {
  maxIterations: number;
  /** Done when no entry of the gradient exceeds this. */
  gradientTolerance: number;
  /** Done when an iteration lowers the value by less than this share of it. */
  relativeTolerance: number;
  stop: StopSignal;
}

/** Pairs of step and gradient change that are kept. With ten of them fits took longer; decisions differed by chance. */
export const KEPT_PAIRS = 5;
/** Armijo's rule: a step must lower the value by this share of what the slope promises. */
const SUFFICIENT_DECREASE = 1e-4;
const MAX_HALVINGS = 25;
/** A pair with less curvature per squared length of its step is not kept. */
const MIN_CURVATURE = 1e-12;

/**
 * Two-loop recursion with Armijo backtracking. Returns the best point reached, also when the time is up; throws
 * `Cancelled`. Sums run in a fixed order, so the same input gives the same bytes. Memory: 16 vectors as long as theta.
 */
export function minimise(objective: LossWithGradient, start: Float64Array, options: MinimiseOptions): Float64Array {
  const { maxIterations, gradientTolerance, relativeTolerance, stop } = options;
  const size = start.length;
  const history = new History(size);
  const direction = new Float64Array(size);
  let theta = start.slice();
  let gradient = new Float64Array(size);
  let nextTheta = new Float64Array(size);
  let nextGradient = new Float64Array(size);
  throwIfCancelled(stop);
  let value = objective(theta, gradient);
  for (let iteration = 0; ; iteration++) {
    throwIfCancelled(stop);
    const isDone = largest(gradient) < gradientTolerance || !Number.isFinite(value) || iteration >= maxIterations;
    if (isDone || stop.timeIsUp()) return theta;
    history.descend(gradient, direction);
    let slope = dot(gradient, direction);
    if (slope >= 0) {
      // Rounding has spoiled the history: steepest descent instead.
      history.clear();
      history.descend(gradient, direction);
      slope = dot(gradient, direction);
    }
    let step = history.isEmpty() ? Math.min(1, 1 / Math.sqrt(dot(gradient, gradient))) : 1;
    let nextValue = Number.POSITIVE_INFINITY;
    let accepted = false;
    for (let halving = 0; halving <= MAX_HALVINGS && !accepted; halving++) {
      moveAlong(theta, direction, step, nextTheta);
      nextValue = objective(nextTheta, nextGradient);
      throwIfCancelled(stop);
      accepted = nextValue <= value + SUFFICIENT_DECREASE * step * slope;
      if (!accepted && stop.timeIsUp()) return theta;
      step /= 2;
    }
    if (!accepted) {
      // Once more by steepest descent; where that failed, nothing lowers the value.
      if (history.isEmpty()) return theta;
      history.clear();
      continue;
    }
    history.add(theta, nextTheta, gradient, nextGradient);
    const decrease = value - nextValue;
    value = nextValue;
    [theta, nextTheta] = [nextTheta, theta];
    [gradient, nextGradient] = [nextGradient, gradient];
    if (decrease < relativeTolerance * Math.abs(value)) return theta;
  }
}

/** The last pairs of step and gradient change, which approximate the inverse Hessian. */
class History {
  private readonly size: number;
  private readonly steps: Float64Array[] = [];
  private readonly changes: Float64Array[] = [];
  /** By pair: 1 / (step · change). */
  private readonly inverses: number[] = [];
  private readonly weights = new Float64Array(KEPT_PAIRS);

  constructor(size: number) {
    this.size = size;
  }

  isEmpty(): boolean {
    return this.steps.length === 0;
  }

  clear(): void {
    this.steps.length = 0;
    this.changes.length = 0;
    this.inverses.length = 0;
  }

  /** Keeps a pair whose curvature is positive, in the arrays of the oldest pair once the memory is full. */
  add(theta: Float64Array, nextTheta: Float64Array, gradient: Float64Array, nextGradient: Float64Array): void {
    const curvature = pairCurvature(theta, nextTheta, gradient, nextGradient);
    if (curvature === 0) return;
    const full = this.steps.length === KEPT_PAIRS;
    if (full) this.inverses.shift();
    const step = full ? this.steps.shift()! : new Float64Array(this.size);
    const change = full ? this.changes.shift()! : new Float64Array(this.size);
    subtract(nextTheta, theta, step);
    subtract(nextGradient, gradient, change);
    this.steps.push(step);
    this.changes.push(change);
    this.inverses.push(1 / curvature);
  }

  /** Writes minus the inverse Hessian times the gradient. Each pass also makes the product that the next one needs. */
  descend(gradient: Float64Array, direction: Float64Array): void {
    const { steps, changes, inverses, weights } = this;
    const last = steps.length - 1;
    for (let i = 0; i < gradient.length; i++) direction[i] = -gradient[i]!;
    if (last < 0) return;
    let product = dot(steps[last]!, direction);
    for (let pair = last; pair >= 0; pair--) {
      const weight = inverses[pair]! * product;
      weights[pair] = weight;
      if (pair > 0) product = addScaledThenDot(direction, changes[pair]!, -weight, steps[pair - 1]!);
      else addScaled(direction, changes[pair]!, -weight);
    }
    const newest = changes[last]!;
    const gamma = 1 / (inverses[last]! * dot(newest, newest));
    product = scaleThenDot(direction, gamma, changes[0]!);
    for (let pair = 0; pair <= last; pair++) {
      const weight = weights[pair]! - inverses[pair]! * product;
      if (pair < last) product = addScaledThenDot(direction, steps[pair]!, weight, changes[pair + 1]!);
      else addScaled(direction, steps[pair]!, weight);
    }
  }
}

function largest(values: Float64Array): number {
  let most = 0;
  for (let i = 0; i < values.length; i++) {
    const size = Math.abs(values[i]!);
    if (size > most) most = size;
  }
  return most;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

function addScaled(target: Float64Array, values: Float64Array, factor: number): void {
  for (let i = 0; i < target.length; i++) target[i] = target[i]! + factor * values[i]!;
}

/**
 * Adds the scaled values to `target`; returns target · other. One pass for both: the sum of the product is a chain of
 * additions that wait for each other, in whose time the rest is done.
 */
function addScaledThenDot(target: Float64Array, values: Float64Array, factor: number, other: Float64Array): number {
  let product = 0;
  for (let i = 0; i < target.length; i++) {
    const sum = target[i]! + factor * values[i]!;
    target[i] = sum;
    product += other[i]! * sum;
  }
  return product;
}

function scaleThenDot(target: Float64Array, factor: number, other: Float64Array): number {
  let product = 0;
  for (let i = 0; i < target.length; i++) {
    const scaled = target[i]! * factor;
    target[i] = scaled;
    product += other[i]! * scaled;
  }
  return product;
}

function subtract(a: Float64Array, b: Float64Array, out: Float64Array): void {
  for (let i = 0; i < a.length; i++) out[i] = a[i]! - b[i]!;
}

function moveAlong(theta: Float64Array, direction: Float64Array, step: number, out: Float64Array): void {
  for (let i = 0; i < theta.length; i++) out[i] = theta[i]! + step * direction[i]!;
}

/** (Δtheta · Δgradient) if it is positive enough, else 0. */
function pairCurvature(
  theta: Float64Array,
  nextTheta: Float64Array,
  gradient: Float64Array,
  nextGradient: Float64Array,
): number {
  let curvature = 0;
  let squaredLength = 0;
  for (let i = 0; i < theta.length; i++) {
    const step = nextTheta[i]! - theta[i]!;
    squaredLength += step * step;
    curvature += step * (nextGradient[i]! - gradient[i]!);
  }
  return curvature > MIN_CURVATURE * squaredLength ? curvature : 0;
}
