// A hidden layer as a form of model.

import { addOutputs } from "../explain/contributions.ts";
import { type Explainer, onLogScale } from "../explain/log-shares.ts";
import { codeStartsOf } from "../families/coarse-columns.ts";
import { type ModelForm, putArrays, takeArrays } from "../families/model-form.ts";
import { outputCountOf } from "../families/score-tables.ts";
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
    const codeCount = codeCounts.reduce((sum, count) => sum + count, 0);
    return isSound(model, codeCount) ? model : null;
  },
};

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
 * The base is the answer where every number is at its mean and nothing else is there. Each unit goes from there to its
 * value in the row; a feature's share of that change is its share of the change of the unit's sum, so that the parts
 * add up exactly (the rescale rule of DeepLIFT: Shrikumar et al. 2017). O(features × units).
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
      eachUnit(model, feature, codes[feature]!, (u, own) => {
        sums[u] = sums[u]! + own;
      });
    }
    const slopes = sums.map((sum, u) => meanSlope(unitIntercepts[u]!, sum));
    const contributions = new Float64Array(codes.length * classCount);
    const outputs = new Float64Array(outputCount);
    for (let feature = 0; feature < codes.length; feature++) {
      outputs.fill(0);
      eachUnit(model, feature, codes[feature]!, (u, own) => {
        for (let k = 0; k < outputCount; k++) {
          outputs[k] = outputs[k]! + own * slopes[u]! * outputWeights[u * outputCount + k]!;
        }
      });
      addOutputs(contributions, feature, outputs, 0, classCount, 1);
    }
    return onLogScale({ base, contributions }, least);
  };
}

/** How much tanh rises from one point to the other, for each unit of the way. */
function meanSlope(from: number, to: number): number {
  const way = to - from;
  if (Math.abs(way) < 1e-6) return 1 - Math.tanh((from + to) / 2) ** 2;
  return (Math.tanh(to) - Math.tanh(from)) / way;
}

/** Calls back with what a feature's code adds to the sum of each unit; not at all where the code takes no part. */
function eachUnit(
  { codeStarts, codeInputs, codeValues, unitWeights, unitCount }: HiddenLayer,
  feature: number,
  code: number,
  use: (unit: number, own: number) => void,
): void {
  const at = codeStarts[feature]! + code;
  const value = codeValues[at]!;
  if (value === 0) return;
  const from = codeInputs[at]! * unitCount;
  for (let u = 0; u < unitCount; u++) use(u, value * unitWeights[from + u]!);
}

/** For each feature the range of its codes' sums, in each unit, by the weight of the unit. */
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
      eachUnit(model, feature, code, (u, own) => {
        least[u] = Math.min(least[u]!, own);
        most[u] = Math.max(most[u]!, own);
      });
    }
    return weights.reduce((sum, weight, u) => sum + weight * (most[u]! - least[u]!), 0);
  });
}
