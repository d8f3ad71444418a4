// A hidden layer as a form of model: how it is explained, measured, stored and checked.
import { addOutputs } from "../explain/contributions.ts";
import { type Explainer, onLogScale } from "../explain/log-shares.ts";
import { codeStartsOf } from "../families/coarse-columns.ts";
import { type ModelForm, putArrays, takeArrays } from "../families/model-form.ts";
import { outputCountOf } from "../families/score-tables.ts";
import { sumOf } from "../sums.ts";
import { type HiddenLayer, scoreHiddenLayer, writeScores } from "./hidden-layer.ts";

interface PackedHiddenLayer {
  kind: "hidden layer";
  classCount: number;
  outputCount: number;
  unitCount: number;
}

const ARRAYS = {
  codeInputs: Uint32Array,
  codeValues: Float64Array,
  unitWeights: Float32Array,
  unitIntercepts: Float64Array,
  outputWeights: Float64Array,
  intercepts: Float64Array,
};

export const HIDDEN_LAYER: ModelForm<HiddenLayer, PackedHiddenLayer> = {
  kind: "hidden layer",
  arrays: ARRAYS,
  score: scoreHiddenLayer,
  explainer: explainUnits,
  featureUse: unitSpreads,
  pack: (model, shelf, prefix) => {
    putArrays(ARRAYS, model, shelf, prefix);
    const { kind, classCount, outputCount, unitCount } = model;
    return { kind, classCount, outputCount, unitCount };
  },
  unpack: ({ kind, classCount, outputCount, unitCount }, codeCounts, shelf, prefix) => {
    const codeStarts = codeStartsOf(codeCounts);
    const model = { kind, classCount, outputCount, unitCount, codeStarts, ...takeArrays(ARRAYS, shelf, prefix) };
    const codeCount = sumOf(codeCounts);
    return isSound(model, codeCount) ? model : null;
  },
};

/** Whether its arrays fit together and every code's input exists, so that scoring reads inside the arrays. */
function isSound(model: HiddenLayer, codeCount: number): boolean {
  const { classCount, outputCount, unitCount, codeInputs, codeValues, unitWeights } = model;
  return (
    outputCount === outputCountOf(classCount) &&
    Number.isInteger(unitCount) &&
    unitCount > 0 &&
    codeInputs.length === codeCount &&
    codeValues.length === codeCount &&
    codeInputs.every((input, at) => codeValues[at] === 0 || (input + 1) * unitCount <= unitWeights.length) &&
    model.unitIntercepts.length === unitCount &&
    model.outputWeights.length === unitCount * outputCount &&
    model.intercepts.length === outputCount
  );
}

/**
 * The rescale rule of DeepLIFT (Shrikumar et al. 2017). The base is the answer where every input is 0: numbers are at
 * their means. From there each unit changes to its value in the row. A feature gets the share of that change that it
 * has in the change of the unit's sum, so the shares add up exactly. O(features × units).
 */
function explainUnits(model: HiddenLayer, least: number | null): Explainer {
  const { classCount, outputCount, unitIntercepts, outputWeights } = model;
  const base = new Float64Array(classCount);
  const scores = new Float64Array(outputCount);
  writeScores(model, unitIntercepts, 0, scores, 0);
  addOutputs(base, 0, scores, 0, classCount, 1);
  return (codes) => {
    const sums = unitIntercepts.slice();
    for (let feature = 0; feature < codes.length; feature++) {
      eachUnit(model, feature, codes[feature]!, (u, added) => {
        sums[u] = sums[u]! + added;
      });
    }
    const slopes = sums.map((sum, u) => meanSlope(unitIntercepts[u]!, sum));
    const contributions = new Float64Array(codes.length * classCount);
    const outputs = new Float64Array(outputCount);
    for (let feature = 0; feature < codes.length; feature++) {
      outputs.fill(0);
      eachUnit(model, feature, codes[feature]!, (u, added) => {
        for (let k = 0; k < outputCount; k++) {
          outputs[k] = outputs[k]! + added * slopes[u]! * outputWeights[u * outputCount + k]!;
        }
      });
      addOutputs(contributions, feature, outputs, 0, classCount, 1);
    }
    return onLogScale({ base, contributions }, least);
  };
}

/** The mean slope of tanh between two points. */
function meanSlope(from: number, to: number): number {
  const distance = to - from;
  // Too close to divide by: the slope halfway.
  if (Math.abs(distance) < 1e-6) return 1 - Math.tanh((from + to) / 2) ** 2;
  return (Math.tanh(to) - Math.tanh(from)) / distance;
}

/** Calls `use` with what a feature's code adds to the sum of each unit; not at all where the code has no value. */
function eachUnit(
  { codeStarts, codeInputs, codeValues, unitWeights, unitCount }: HiddenLayer,
  feature: number,
  code: number,
  use: (unit: number, added: number) => void,
): void {
  const at = codeStarts[feature]! + code;
  const value = codeValues[at]!;
  if (value === 0) return;
  const from = codeInputs[at]! * unitCount;
  for (let u = 0; u < unitCount; u++) use(u, value * unitWeights[from + u]!);
}

/** By feature: the range of what its codes add to a unit's sum, summed over the units by their output weights. */
function unitSpreads(model: HiddenLayer, featureCount: number): Float64Array {
  const { codeStarts, unitCount, outputCount, outputWeights } = model;
  const weights = Float64Array.from({ length: unitCount }, (_, u) =>
    outputWeights.subarray(u * outputCount, (u + 1) * outputCount).reduce((sum, weight) => sum + Math.abs(weight), 0),
  );
  return Float64Array.from({ length: featureCount }, (_, feature) => {
    const least = new Float64Array(unitCount);
    const most = new Float64Array(unitCount);
    const codeCount = codeStarts[feature + 1]! - codeStarts[feature]!;
    for (let code = 0; code < codeCount; code++) {
      eachUnit(model, feature, code, (u, added) => {
        least[u] = Math.min(least[u]!, added);
        most[u] = Math.max(most[u]!, added);
      });
    }
    return weights.reduce((sum, weight, u) => sum + weight * (most[u]! - least[u]!), 0);
  });
}
