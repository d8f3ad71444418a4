// Fits a hidden layer: ridge-penalised, from several random starts, by L-BFGS.
import { type CodedFeature, FIRST_CODE, UNSEEN_CODE } from "../buckets.ts";
import { chooseFeatures, countRowsByCode, gatherClasses, startingScores } from "../families/class-counts.ts";
import type { FitInput } from "../families/family.ts";
import { outputCountOf } from "../families/score-tables.ts";
import encoded from "../kernels/hidden-layer.wasm.txt" with { type: "text" };
import { deriveSeed, Random } from "../random.ts";
import { instantiate, lazyModule } from "../webassembly.ts";
import { codeStartsOf, type HiddenLayer } from "./hidden-layer.ts";
import { minimise } from "./lbfgs.ts";
import { writeResiduals } from "./logistic-objective.ts";

export interface HiddenLayerSettings {
  /** Ridge on the sum over rows: l2 / 2 times the squared weights. Intercepts go free. */
  l2: number;
  maxIterations: number;
}

/** The kernel's number of units. */
export const UNITS_OF_A_START = 16;
/** The surface has many minima: the mean score of two is better than that of one with twice the units. */
const STARTS = 2;
/** Weights of inputs at most, and inputs of all rows: the solver holds some 50 MB for the ones, 16 MB are the others. */
export const MAX_UNIT_WEIGHTS = 2 ** 18;
export const MAX_CELLS = 2 ** 21;
/** Per row: when no entry of the gradient exceeds it, the fit is done. */
const GRADIENT_TOLERANCE = 1e-5;
const RELATIVE_TOLERANCE = 1e-7;
/** Outputs begin near the class frequencies. */
const OUTPUT_SPREAD = 0.17;

/**
 * Takes the features that vary, of too many the most informative ones. The same input gives the same bytes on any
 * machine. When the time is up it returns the best model so far, at the least the class frequencies.
 */
export function fitHiddenLayer(input: FitInput, { l2, maxIterations }: HiddenLayerSettings): HiddenLayer {
  const inputs = inputsOf(input);
  const layer = new FitRows(input, inputs);
  const starts = Array.from({ length: STARTS }, (_, start) => layer.solve(l2, maxIterations, start));
  return toModel(input, inputs, starts);
}

/** The inputs that codes stand for: see `HiddenLayer`. */
interface LayerInputs {
  chosen: readonly number[];
  inputCount: number;
  codeStarts: Uint32Array;
  codeInputs: Uint32Array;
  codeValues: Float64Array;
}

function inputsOf(input: FitInput): LayerInputs {
  const { view, rows } = input;
  const most = ({ kind, codeCount }: CodedFeature) => (kind === "number" ? 2 : codeCount) * UNITS_OF_A_START;
  const weightsPerCell = MAX_UNIT_WEIGHTS / MAX_CELLS;
  const chosen = chooseFeatures(input, MAX_UNIT_WEIGHTS, (feature) =>
    Math.max(most(feature), weightsPerCell * rows.length),
  );
  const codeStarts = codeStartsOf(view.features.map(({ codeCount }) => codeCount));
  const codeInputs = new Uint32Array(codeStarts.at(-1)!);
  const codeValues = new Float64Array(codeInputs.length);
  let inputCount = 0;
  const add = (at: number, value: number) => {
    codeInputs[at] = inputCount;
    codeValues[at] = value;
  };
  for (const index of chosen) {
    const { kind, codes, codeCount, centres } = view.features[index]!;
    const counts = countRowsByCode(codes, codeCount, rows);
    const first = codeStarts[index]!;
    for (let code = 0; code < codeCount; code++) {
      if (code === UNSEEN_CODE || (kind === "number" && code >= FIRST_CODE) || counts[code] === 0) continue;
      add(first + code, 1);
      inputCount++;
    }
    if (kind !== "number") continue;
    for (let code = FIRST_CODE; code < codeCount; code++) add(first + code, centres[code]!);
    inputCount++;
  }
  return { chosen, inputCount, codeStarts, codeInputs, codeValues };
}

/** The exports of `kernels/hidden-layer.ts`. */
interface HiddenLayerExports {
  forward(...places: Places): void;
  backward(...places: [...Places, gradient: number]): void;
}

type Places = [
  cells: number,
  width: number,
  rowCount: number,
  weights: number,
  inputBytes: number,
  units: number,
  outputCount: number,
  scores: number,
];

const layerModule = /* @__PURE__ */ lazyModule(encoded);

const CELL_BYTES = 8;
const FLOAT_BYTES = 4;
const UNIT_BYTES = FLOAT_BYTES * UNITS_OF_A_START;
const SCORE_BYTES = 8;
/** Address 0 stays unused. */
const FIRST_ADDRESS = 16;

/**
 * The fit rows in the kernel's memory. Parameters are the weights of each input, the units' intercepts, the weights of
 * each output, `UNITS_OF_A_START` each, then the outputs' intercepts.
 */
class FitRows {
  private readonly input: FitInput;
  private readonly inputCount: number;
  private readonly outputCount: number;
  private readonly kernel: HiddenLayerExports;
  private readonly places: Places;
  private readonly gradientAt: number;
  private readonly rowClasses: Uint8Array;
  /** In the kernel's memory. */
  private readonly weights: Float32Array;
  private readonly gradient: Float32Array;
  /** Scores, then residuals, output after output. */
  private readonly scores: Float64Array;

  constructor(input: FitInput, inputs: LayerInputs) {
    const { rows, classes, classCount } = input;
    this.input = input;
    this.inputCount = inputs.inputCount;
    this.outputCount = outputCountOf(classCount);
    this.rowClasses = gatherClasses(classes, rows);
    const width = inputs.chosen.length;
    const weightCount = UNITS_OF_A_START * (inputs.inputCount + 1 + this.outputCount);
    const weightsAt = FIRST_ADDRESS;
    const gradientAt = weightsAt + FLOAT_BYTES * weightCount;
    const unitsAt = gradientAt + FLOAT_BYTES * weightCount;
    const scoresAt = unitsAt + UNIT_BYTES * rows.length;
    const scoreCount = this.outputCount * rows.length;
    const cellsAt = scoresAt + SCORE_BYTES * scoreCount;
    const { exports, memory } = instantiate<HiddenLayerExports>(
      layerModule(),
      cellsAt + CELL_BYTES * width * rows.length,
      {},
    );
    this.kernel = exports;
    this.weights = new Float32Array(memory.buffer, weightsAt, weightCount);
    this.gradient = new Float32Array(memory.buffer, gradientAt, weightCount);
    this.scores = new Float64Array(memory.buffer, scoresAt, scoreCount);
    this.gradientAt = gradientAt;
    const inputBytes = UNIT_BYTES * inputs.inputCount;
    this.places = [cellsAt, width, rows.length, weightsAt, inputBytes, unitsAt, this.outputCount, scoresAt];
    writeCells(input, inputs, memory.buffer, cellsAt);
  }

  /** The parameters of a minimum. */
  solve(l2: number, maxIterations: number, start: number): Float64Array {
    const { input } = this;
    const minimum = minimise((theta, gradient) => this.loss(l2, theta, gradient), this.startingPoint(start), {
      maxIterations,
      gradientTolerance: GRADIENT_TOLERANCE * input.rows.length,
      relativeTolerance: RELATIVE_TOLERANCE,
      stop: input.stop,
    });
    return minimum.theta;
  }

  private startingPoint(start: number): Float64Array {
    const random = new Random(deriveSeed(this.input.seed, start));
    const theta = new Float64Array(this.weights.length + this.outputCount);
    const intercepts = UNITS_OF_A_START * this.inputCount;
    const outputs = intercepts + UNITS_OF_A_START;
    const inputSpread = Math.sqrt(3 / Math.max(1, this.inputCount));
    for (let i = 0; i < this.weights.length; i++) {
      const spread = i < intercepts ? inputSpread : i < outputs ? 1 : OUTPUT_SPREAD;
      theta[i] = spread * (2 * random.nextFloat() - 1);
    }
    theta.set(startingScores(this.input), this.weights.length);
    return theta;
  }

  /** The cross-entropy summed over the rows, plus the ridge; writes the gradient. */
  private loss(l2: number, theta: Float64Array, gradient: Float64Array): number {
    const { weights, scores, outputCount, rowClasses, kernel, places } = this;
    const rowCount = rowClasses.length;
    weights.set(theta.subarray(0, weights.length));
    for (let k = 0; k < outputCount; k++) {
      scores.fill(theta[weights.length + k]!, k * rowCount, (k + 1) * rowCount);
    }
    kernel.forward(...places);
    const loss = writeResiduals({ scores, rowClasses, outputCount, blockRows: rowCount }, 0, rowCount);
    this.gradient.fill(0);
    kernel.backward(...places, this.gradientAt);
    gradient.set(this.gradient);
    for (let k = 0; k < outputCount; k++) {
      let sum = 0;
      for (let at = k * rowCount; at < (k + 1) * rowCount; at++) sum += scores[at]!;
      gradient[weights.length + k] = sum;
    }
    const inputWeights = UNITS_OF_A_START * this.inputCount;
    const ridge =
      addRidge(l2, theta, gradient, 0, inputWeights) +
      addRidge(l2, theta, gradient, inputWeights + UNITS_OF_A_START, weights.length);
    return loss + ridge;
  }
}

/** Each row's inputs: the place of its weights, and its value. */
function writeCells({ view, rows }: FitInput, inputs: LayerInputs, buffer: ArrayBuffer, at: number): void {
  const { chosen, codeStarts, codeInputs, codeValues } = inputs;
  const places = new Uint32Array(buffer, at);
  const values = new Float32Array(buffer, at);
  for (const [column, index] of chosen.entries()) {
    const { codes } = view.features[index]!;
    for (let i = 0, to = 2 * column; i < rows.length; i++, to += 2 * chosen.length) {
      const entry = codeStarts[index]! + codes[rows[i]!]!;
      places[to] = UNIT_BYTES * codeInputs[entry]!;
      values[to + 1] = codeValues[entry]!;
    }
  }
}

function addRidge(l2: number, theta: Float64Array, gradient: Float64Array, from: number, to: number): number {
  let squares = 0;
  for (let i = from; i < to; i++) {
    const weight = theta[i]!;
    squares += weight * weight;
    gradient[i] = gradient[i]! + l2 * weight;
  }
  return (l2 / 2) * squares;
}

/** The mean of the starts' scores, as one layer of all their units. */
function toModel(input: FitInput, inputs: LayerInputs, starts: readonly Float64Array[]): HiddenLayer {
  const { classCount } = input;
  const { inputCount, codeStarts, codeInputs, codeValues } = inputs;
  const outputCount = outputCountOf(classCount);
  const unitCount = UNITS_OF_A_START * starts.length;
  const unitWeights = new Float32Array(inputCount * unitCount);
  const unitIntercepts = new Float64Array(unitCount);
  const outputWeights = new Float64Array(unitCount * outputCount);
  const intercepts = new Float64Array(outputCount);
  for (const [start, theta] of starts.entries()) {
    const first = start * UNITS_OF_A_START;
    const outputsAt = UNITS_OF_A_START * (inputCount + 1);
    for (let u = 0; u < UNITS_OF_A_START; u++) {
      for (let i = 0; i < inputCount; i++) unitWeights[i * unitCount + first + u] = theta[i * UNITS_OF_A_START + u]!;
      unitIntercepts[first + u] = theta[UNITS_OF_A_START * inputCount + u]!;
      for (let k = 0; k < outputCount; k++) {
        const weight = theta[outputsAt + k * UNITS_OF_A_START + u]!;
        outputWeights[(first + u) * outputCount + k] = weight / starts.length;
      }
    }
    for (let k = 0; k < outputCount; k++) {
      intercepts[k] = intercepts[k]! + theta[outputsAt + outputCount * UNITS_OF_A_START + k]! / starts.length;
    }
  }
  const sizes = { classCount, outputCount, unitCount };
  return {
    ...{ kind: "hidden layer", ...sizes, codeStarts, codeInputs, codeValues },
    ...{ unitWeights, unitIntercepts, outputWeights, intercepts },
  };
}
