// Splits the log-odds of one row into contributions of its features, for models with a hidden layer.
import { type HiddenLayer, writeScores } from "../logistic/hidden-layer.ts";
import { type Explainer, onLogScale } from "./log-shares.ts";
import { addOutputs } from "./sum-contributions.ts";

/**
 * The rescale rule of DeepLIFT (Shrikumar et al. 2017). The base is the answer where every input is 0: numbers are at
 * their means. From there each unit changes to its value in the row. A feature gets the share of that change that it
 * has in the change of the unit's sum, so the shares add up exactly. O(features × units).
 */
export function explainUnits(model: HiddenLayer, least: number | null): Explainer {
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
export function unitSpreads(model: HiddenLayer, featureCount: number): Float64Array {
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
