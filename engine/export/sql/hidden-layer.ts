// A hidden layer as stages: the features' values, the sums of the units, their tanh, and the scores.
import type { HiddenLayer } from "../../logistic/hidden-layer.ts";
import type { MemberContext } from "./member-context.ts";
import { boundedExp } from "./probabilities.ts";
import { alongside, type Column, type Outputs, type Stages, sums, TERMS_TOGETHER } from "./stages.ts";
import { lookUp } from "./steps.ts";

/** How a feature adds to the units. */
interface ReadFeature {
  /** The column of its value, which all units weigh; null where each unit looks up what a code adds. */
  value: Column | null;
  /** The term of its weights, by code. */
  term(weights: Float64Array): string;
  /** Each code's place among the inputs, and its value. */
  inputs: Uint32Array;
  values: Float64Array;
}

export function layerScores(model: HiddenLayer, context: MemberContext): Outputs {
  const { unitCount, outputCount, unitWeights, unitIntercepts, outputWeights, intercepts } = model;
  const { dialect, prefix } = context;
  const features = readFeatures(model, context);
  const units = Array.from(unitIntercepts, (_, unit) => unit);
  const weighed = sums(
    units.map((unit) => ({
      name: `${prefix}z${unit}`,
      start: dialect.double(unitIntercepts[unit]!),
      terms: features.map(({ term, inputs }) =>
        term(Float64Array.from(inputs, (input) => unitWeights[input * unitCount + unit]!)),
      ),
    })),
  );
  // tanh |z| = (1 - e) / (1 + e), where e = exp(-2 |z|).
  const powers = weighed.names.map((z, unit): Column => [`${prefix}h${unit}`, boundedExp(`ABS(${z}) * -2`, dialect)]);
  const bent = powers.map(([e], unit): Column => {
    const way = `CASE WHEN ${weighed.names[unit]} < 0 THEN ${e} - 1 ELSE 1 - ${e} END`;
    return [`${prefix}u${unit}`, `${way} / (1 + ${e})`];
  });
  const scores = sums(
    Array.from(intercepts, (intercept, k) => ({
      name: `${prefix}s${k}`,
      start: dialect.double(intercept),
      terms: bent.map(([name], unit) => `${name} * ${dialect.double(outputWeights[unit * outputCount + k]!)}`),
    })),
  );
  const stages = [...alongside([valueStages(features), [[], ...weighed.stages]]), powers, bent, ...scores.stages];
  return { stages, names: scores.names };
}

/** The values that a stage of the sums needs, one stage before it: no subquery passes on the values of all features. */
function valueStages(features: readonly ReadFeature[]): Stages {
  const count = Math.ceil(features.length / TERMS_TOGETHER);
  return Array.from({ length: count }, (_, at) =>
    features
      .slice(at * TERMS_TOGETHER, (at + 1) * TERMS_TOGETHER)
      .flatMap(({ value }) => (value === null ? [] : [value])),
  );
}

/** The features that take part. */
function readFeatures(model: HiddenLayer, { dialect, prefix, codeOf }: MemberContext): ReadFeature[] {
  const { codeStarts, codeInputs, codeValues } = model;
  return Array.from({ length: codeStarts.length - 1 }, (_, feature) => feature).flatMap((feature): ReadFeature[] => {
    const [start, end] = [codeStarts[feature]!, codeStarts[feature + 1]!];
    const values = codeValues.subarray(start, end);
    if (values.every((value) => value === 0)) return [];
    const inputs = codeInputs.subarray(start, end);
    const code = codeOf(feature);
    const own = { inputs, values };
    if (values.every((value) => value === 0 || value === 1)) {
      const term = (weights: Float64Array) =>
        lookUp(
          dialect,
          code,
          weights.map((weight, at) => values[at]! * weight),
          "double",
        );
      return [{ ...own, value: null, term }];
    }
    const name = `${prefix}x${feature}`;
    const term = (weights: Float64Array) =>
      `${name} * ${lookUp(dialect, code, withoutGaps(weights, values), "double")}`;
    return [{ ...own, value: [name, lookUp(dialect, code, values, "double")], term }];
  });
}

/** The weights, where a code has no value those of its neighbour: a look-up of fewer steps is shorter. */
function withoutGaps(weights: Float64Array, values: Float64Array): Float64Array {
  let last = weights[values.findIndex((value) => value !== 0)]!;
  return weights.map((weight, at) => {
    if (values[at] !== 0) last = weight;
    return last;
  });
}
