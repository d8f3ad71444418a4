// Fits a hidden layer by L-BFGS, ridge-penalised: two fits from random starts, averaged as one layer of all their
// units.
import { startingScores } from "../fitting/class-counts.ts";
import type { FitInput } from "../fitting/family.ts";
import { outputCountOf } from "../fitting/score-tables.ts";
import { deriveSeed, Random } from "../random.ts";
import type { HiddenLayer } from "./hidden-layer.ts";
import { HiddenLayerRows, inputsOf, KERNEL_UNITS, type LayerInputs, parameterPlaces } from "./hidden-layer-rows.ts";
import { minimise } from "./lbfgs.ts";

export interface HiddenLayerSettings {
  /** Ridge on the sum over rows: l2 / 2 times the squared weights. Intercepts go free. */
  l2: number;
  maxIterations: number;
}

/** The loss has many minima. Four starts, or one start with twice the units, decided no better beyond chance. */
const STARTS = 2;
/** Per row: when no entry of the gradient exceeds it, the fit is done. */
const GRADIENT_TOLERANCE = 1e-5;
const RELATIVE_TOLERANCE = 1e-7;

/**
 * The same input gives the same bytes on any machine. When the time is up, it returns the best model so far. Before the
 * first step, this gives the class frequencies. Throws `Cancelled`.
 */
export function fitHiddenLayer(input: FitInput, { l2, maxIterations }: HiddenLayerSettings): HiddenLayer {
  const inputs = inputsOf(input);
  const rows = new HiddenLayerRows(input, inputs);
  const minima = Array.from({ length: STARTS }, (_, start) => {
    const from = startingPoint(input, inputs, deriveSeed(input.seed, start));
    const options = {
      maxIterations,
      gradientTolerance: GRADIENT_TOLERANCE * input.rows.length,
      relativeTolerance: RELATIVE_TOLERANCE,
      stop: input.stop,
    };
    return minimise((theta, gradient) => rows.loss(l2, theta, gradient), from, options);
  });
  rows.giveBack();
  return meanOf(input, inputs, minima);
}

/** Random units whose output weights are 0: the model begins as the class frequencies. */
function startingPoint(input: FitInput, { inputCount }: LayerInputs, seed: number): Float64Array {
  const random = new Random(seed);
  const scores = startingScores(input);
  const { unitIntercepts, outputWeights, intercepts, end } = parameterPlaces(inputCount, scores.length);
  const theta = new Float64Array(end);
  // The sum of a row's inputs then has a variance of about 1.
  const spread = Math.sqrt(3 / Math.max(1, inputCount));
  for (let i = 0; i < outputWeights; i++) {
    theta[i] = (i < unitIntercepts ? spread : 1) * (2 * random.nextFloat() - 1);
  }
  theta.set(scores, intercepts);
  return theta;
}

/** One layer of all units of the minima, whose scores are the mean of theirs. */
function meanOf(input: FitInput, inputs: LayerInputs, minima: readonly Float64Array[]): HiddenLayer {
  const { classCount } = input;
  const { inputCount, codeStarts, codeInputs, codeValues } = inputs;
  const outputCount = outputCountOf(classCount);
  const unitCount = KERNEL_UNITS * minima.length;
  const unitWeights = new Float32Array(inputCount * unitCount);
  const unitIntercepts = new Float64Array(unitCount);
  const outputWeights = new Float64Array(unitCount * outputCount);
  const intercepts = new Float64Array(outputCount);
  const places = parameterPlaces(inputCount, outputCount);
  for (const [minimum, theta] of minima.entries()) {
    for (let u = 0; u < KERNEL_UNITS; u++) {
      const unit = minimum * KERNEL_UNITS + u;
      for (let i = 0; i < inputCount; i++) unitWeights[i * unitCount + unit] = theta[i * KERNEL_UNITS + u]!;
      unitIntercepts[unit] = theta[places.unitIntercepts + u]!;
      for (let k = 0; k < outputCount; k++) {
        outputWeights[unit * outputCount + k] = theta[places.outputWeights + k * KERNEL_UNITS + u]! / minima.length;
      }
    }
    for (let k = 0; k < outputCount; k++) {
      intercepts[k] = intercepts[k]! + theta[places.intercepts + k]! / minima.length;
    }
  }
  const sizes = { classCount, outputCount, unitCount };
  const weights = { unitWeights, unitIntercepts, outputWeights, intercepts };
  return { kind: "hidden layer", ...sizes, codeStarts, codeInputs, codeValues, ...weights };
}
