// A hidden layer as stages: the features' values, the sums of the units, their tanh, and the scores.
import type { HiddenLayer } from "../../logistic/hidden-layer.ts";
import type { MemberContext } from "./member-context.ts";
import { boundedExp } from "./probabilities.ts";
import { alongside, type Column, type Outputs, type Stages, sums, TERMS_TOGETHER } from "./stages.ts";
import { lookUp } from "./steps.ts";

/** How a feature adds to the sums of the units. */
interface ReadFeature {
  /** The column of its value, which each unit multiplies; null where units look up directly what a code adds. */
  value: Column | null;
  /** The term that it adds to the sum of a unit. */
  term(unit: number): string;
}

export function layerScores(model: HiddenLayer, context: MemberContext): Outputs {
  const { outputCount, unitIntercepts, outputWeights, intercepts } = model;
  const { dialect, prefix } = context;
  const features = readFeatures(model, context);
  const unitSums = sums(
    Array.from(unitIntercepts, (intercept, unit) => ({
      name: `${prefix}z${unit}`,
      start: dialect.double(intercept),
      terms: features.map(({ term }) => term(unit)),
    })),
  );
  // tanh |z| = (1 - e) / (1 + e), where e = exp(-2 |z|).
  const powers = unitSums.names.map((z, unit): Column => [`${prefix}h${unit}`, boundedExp(`ABS(${z}) * -2`, dialect)]);
  const units = powers.map(([e], unit): Column => {
    const signed = `CASE WHEN ${unitSums.names[unit]} < 0 THEN ${e} - 1 ELSE 1 - ${e} END`;
    return [`${prefix}u${unit}`, `${signed} / (1 + ${e})`];
  });
  const scores = sums(
    Array.from(intercepts, (intercept, k) => ({
      name: `${prefix}s${k}`,
      start: dialect.double(intercept),
      terms: units.map(([name], unit) => `${name} * ${dialect.double(outputWeights[unit * outputCount + k]!)}`),
    })),
  );
  const stages = [...alongside([valueStages(features), [[], ...unitSums.stages]]), powers, units, ...scores.stages];
  return { stages, names: scores.names };
}

/** The values, each in the stage before the sum that needs it: so no subquery passes on those of all features. */
function valueStages(features: readonly ReadFeature[]): Stages {
  const count = Math.ceil(features.length / TERMS_TOGETHER);
  return Array.from({ length: count }, (_, at) =>
    features
      .slice(at * TERMS_TOGETHER, (at + 1) * TERMS_TOGETHER)
      .flatMap(({ value }) => (value === null ? [] : [value])),
  );
}

/** The features of which some code has a value. */
function readFeatures(model: HiddenLayer, { dialect, prefix, codeOf }: MemberContext): ReadFeature[] {
  const { codeStarts, codeInputs, codeValues, unitWeights, unitCount } = model;
  return Array.from({ length: codeStarts.length - 1 }, (_, feature) => feature).flatMap((feature): ReadFeature[] => {
    const values = codeValues.subarray(codeStarts[feature]!, codeStarts[feature + 1]!);
    if (values.every((value) => value === 0)) return [];
    const inputs = codeInputs.subarray(codeStarts[feature]!, codeStarts[feature + 1]!);
    const lookUpCode = (list: Float64Array) => lookUp(dialect, codeOf(feature), list, "double");
    const weightsOf = (unit: number) => Float64Array.from(inputs, (input) => unitWeights[input * unitCount + unit]!);
    if (values.every((value) => value === 0 || value === 1)) {
      return [
        { value: null, term: (unit) => lookUpCode(weightsOf(unit).map((weight, code) => values[code]! * weight)) },
      ];
    }
    const name = `${prefix}x${feature}`;
    const term = (unit: number) => `${name} * ${lookUpCode(withoutGaps(weightsOf(unit), values))}`;
    return [{ value: [name, lookUpCode(values)], term }];
  });
}

/** The weights, a code without a value having its neighbour's, so that the look-up has fewer steps. */
function withoutGaps(weights: Float64Array, values: Float64Array): Float64Array {
  let last = weights[values.findIndex((value) => value !== 0)]!;
  return weights.map((weight, code) => {
    if (values[code] !== 0) last = weight;
    return last;
  });
}
