// The fit rows of a hidden layer, in the memory of its kernel: the loss at given parameters, and its gradient.

import { chooseFeatures, countRowsByCode, gatherClasses } from "../fitting/class-counts.ts";
import { codeStartsOf } from "../fitting/coarse-columns.ts";
import type { FitInput } from "../fitting/family.ts";
import { outputCountOf } from "../fitting/score-tables.ts";
import encoded from "../kernels/hidden-layer.wasm.txt" with { type: "text" };
import { type CodedFeature, FIRST_CODE, UNSEEN_CODE } from "../table/buckets.ts";
import { growTo, Idle, instantiate, type KernelInstance, lazyModule } from "../webassembly.ts";
import { sumOfFirst, writeResiduals } from "./logistic-objective.ts";

/** The units that the kernel computes at once: those of one fit. */
export const KERNEL_UNITS = 16;
/** Weights of inputs at most, for which the solver holds some 50 MB. */
export const MAX_UNIT_WEIGHTS = 2 ** 18;
/** Cells (rows × chosen features) at most, eight bytes each. */
export const MAX_CELLS = 2 ** 21;

/** The inputs that the codes of the chosen features stand for: see `HiddenLayer`. */
export interface LayerInputs {
  /** Ascending indexes of features. */
  chosen: readonly number[];
  inputCount: number;
  codeStarts: Uint32Array;
  codeInputs: Uint32Array;
  codeValues: Float64Array;
}

/** Takes the features that vary, of too many the most informative ones. */
export function inputsOf(input: FitInput): LayerInputs {
  const { view, rows } = input;
  const mostWeights = ({ kind, codeCount }: CodedFeature) => (kind === "number" ? 2 : codeCount) * KERNEL_UNITS;
  // One budget for both limits: a feature costs the larger of its shares in them.
  const weightsPerCell = MAX_UNIT_WEIGHTS / MAX_CELLS;
  const chosenFeatures = chooseFeatures(input, MAX_UNIT_WEIGHTS, (feature) =>
    Math.max(mostWeights(feature), weightsPerCell * rows.length),
  );
  const codeStarts = codeStartsOf(view.features.map(({ codeCount }) => codeCount));
  const codeInputs = new Uint32Array(codeStarts.at(-1)!);
  const codeValues = new Float64Array(codeInputs.length);
  let inputCount = 0;
  const add = (at: number, value: number) => {
    codeInputs[at] = inputCount;
    codeValues[at] = value;
  };
  for (const index of chosenFeatures) {
    const { kind, codes, codeCount, centres } = view.features[index]!;
    const counts = countRowsByCode(codes, codeCount, rows);
    const first = codeStarts[index]!;
    for (let code = 0; code < codeCount; code++) {
      if (code === UNSEEN_CODE) continue;
      if (kind === "number" && code >= FIRST_CODE) add(first + code, centres[code]!);
      else if (counts[code]! > 0) {
        add(first + code, 1);
        inputCount++;
      }
    }
    if (kind === "number") inputCount++;
  }
  return { chosen: chosenFeatures, inputCount, codeStarts, codeInputs, codeValues };
}

/** Where each block of parameters begins: the weights of the inputs come first, `KERNEL_UNITS` for each. */
export function parameterPlaces(inputCount: number, outputCount: number) {
  const unitIntercepts = KERNEL_UNITS * inputCount;
  const outputWeights = unitIntercepts + KERNEL_UNITS;
  const intercepts = outputWeights + KERNEL_UNITS * outputCount;
  return { unitIntercepts, outputWeights, intercepts, end: intercepts + outputCount };
}

/** The exports of `kernels/hidden-layer.ts`. */
interface HiddenLayerExports {
  forward(...places: KernelPlaces): void;
  backward(...places: [...KernelPlaces, gradient: number]): void;
}

/** Addresses and sizes in the kernel's memory. */
type KernelPlaces = [
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
const UNIT_BYTES = FLOAT_BYTES * KERNEL_UNITS;
const SCORE_BYTES = 8;
/** Address 0 stays unused. */
const FIRST_ADDRESS = 16;

const idle = new Idle<KernelInstance<HiddenLayerExports>>();

/** The loss over some rows. Holds all parameters but the intercepts of the outputs in the kernel's memory. */
export class HiddenLayerRows {
  private readonly parameters: ReturnType<typeof parameterPlaces>;
  private readonly outputCount: number;
  private readonly kernel: KernelInstance<HiddenLayerExports>;
  private readonly places: KernelPlaces;
  private readonly gradientAt: number;
  private readonly rowClasses: Uint8Array;
  /** In the kernel's memory, as the two below. */
  private readonly weights: Float32Array;
  private readonly gradient: Float32Array;
  /** Scores, then residuals, output after output. */
  private readonly scores: Float64Array;

  constructor(input: FitInput, inputs: LayerInputs) {
    const { rows, classes, classCount } = input;
    this.outputCount = outputCountOf(classCount);
    this.parameters = parameterPlaces(inputs.inputCount, this.outputCount);
    this.rowClasses = gatherClasses(classes, rows);
    const width = inputs.chosen.length;
    const weightCount = this.parameters.intercepts;
    const weightsAt = FIRST_ADDRESS;
    const gradientAt = weightsAt + FLOAT_BYTES * weightCount;
    const unitsAt = gradientAt + FLOAT_BYTES * weightCount;
    const scoresAt = unitsAt + UNIT_BYTES * rows.length;
    const scoreCount = this.outputCount * rows.length;
    const cellsAt = scoresAt + SCORE_BYTES * scoreCount;
    const byteCount = cellsAt + CELL_BYTES * width * rows.length;
    this.kernel = idle.take() ?? instantiate<HiddenLayerExports>(layerModule(), byteCount, {});
    const { memory } = this.kernel;
    growTo(memory, byteCount);
    this.weights = new Float32Array(memory.buffer, weightsAt, weightCount);
    this.gradient = new Float32Array(memory.buffer, gradientAt, weightCount);
    this.scores = new Float64Array(memory.buffer, scoresAt, scoreCount);
    this.gradientAt = gradientAt;
    const inputBytes = UNIT_BYTES * inputs.inputCount;
    this.places = [cellsAt, width, rows.length, weightsAt, inputBytes, unitsAt, this.outputCount, scoresAt];
    writeCells(input, inputs, memory.buffer, cellsAt);
  }

  /** The cross-entropy summed over the rows, plus the ridge; writes the gradient. */
  loss(l2: number, theta: Float64Array, gradient: Float64Array): number {
    const { weights, scores, outputCount, rowClasses, kernel, places } = this;
    const { unitIntercepts, outputWeights, intercepts } = this.parameters;
    const rowCount = rowClasses.length;
    weights.set(theta.subarray(0, intercepts));
    for (let k = 0; k < outputCount; k++) {
      scores.fill(theta[intercepts + k]!, k * rowCount, (k + 1) * rowCount);
    }
    kernel.exports.forward(...places);
    const loss = writeResiduals({ scores, rowClasses, outputCount, blockRows: rowCount }, 0, rowCount);
    this.gradient.fill(0);
    kernel.exports.backward(...places, this.gradientAt);
    gradient.set(this.gradient);
    for (let k = 0; k < outputCount; k++) {
      gradient[intercepts + k] = sumOfFirst(scores.subarray(k * rowCount), rowCount);
    }
    const ridge =
      addRidge(l2, theta, gradient, 0, unitIntercepts) + addRidge(l2, theta, gradient, outputWeights, intercepts);
    return loss + ridge;
  }

  /** Leaves the memory to the next fit. Call once, after the last loss. */
  giveBack(): void {
    idle.giveBack(this.kernel);
  }
}

/** Writes a cell for each row and chosen feature: where the weights of its input lie, in bytes, and its value. */
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

/** The ridge on the parameters in `from .. to`; adds its gradient. */
function addRidge(l2: number, theta: Float64Array, gradient: Float64Array, from: number, to: number): number {
  let squares = 0;
  for (let i = from; i < to; i++) {
    const weight = theta[i]!;
    squares += weight * weight;
    gradient[i] = gradient[i]! + l2 * weight;
  }
  return (l2 / 2) * squares;
}
