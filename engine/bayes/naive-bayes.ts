// Naive Bayes over buckets: plain, with selected features, or with weighted features. All three come from count tables.

import type { FitInput } from "../fitting/family.ts";
import { outputCountOf, type ScoreTables } from "../fitting/score-tables.ts";
import { type BayesTables, countBayesTables } from "./bayes-tables.ts";
import { searchFeatures } from "./naive-bayes-selection.ts";
import { fitWeights } from "./naive-bayes-weights.ts";

export interface NaiveBayesSettings {
  /**
   * plain: every feature (that varies) counts in full. selective: only the features that a
   * greedy search keeps (Langley & Sage 1994). weighted: each feature's contribution has a
   * weight (Zaidi, Cerquides, Carman & Webb 2013, WANBIA-CLL).
   */
  variant: "plain" | "selective" | "weighted";
  /** Rows' worth of the overall bucket shares added to each class (the m-estimate); above 0, default 1. */
  smoothing: number;
}

/** When time is up during the search or the weighing, it returns the best model so far, at the least the plain one. */
export function fitNaiveBayes(input: FitInput, settings: NaiveBayesSettings): ScoreTables {
  const bayes = countBayesTables(input, settings.smoothing);
  if (settings.variant === "plain") return toModel(input, bayes, null, null);
  if (settings.variant === "selective") {
    const weights = new Float64Array(input.view.features.length);
    for (const index of searchFeatures(input, bayes)) weights[index] = 1;
    return toModel(input, bayes, weights, null);
  }
  const { weights, intercepts } = fitWeights(input, bayes);
  return toModel(input, bayes, weights, intercepts);
}

/**
 * `weights` per feature of the view (null: 1 each; a feature of weight 0 takes
 * no part); `shifts` are added to the log priors.
 */
function toModel(
  input: FitInput,
  bayes: BayesTables,
  weights: Float64Array | null,
  shifts: Float64Array | null,
): ScoreTables {
  const { classCount } = input;
  const outputCount = outputCountOf(classCount);
  const intercepts = bayes.logPriors.map((value, k) => value + (shifts?.[k] ?? 0));
  const tables = bayes.lifts.map((lifts, index) => {
    const weight = weights?.[index] ?? 1;
    return lifts && weight !== 0 ? toOutputs(lifts, classCount, weight) : null;
  });
  return { kind: "additive", classCount, outputCount, intercepts: toOutputs(intercepts, classCount, 1), tables };
}

/** Class-wise values as the model's outputs: for two classes, those of class 1 less those of class 0. */
function toOutputs(values: Float64Array, classCount: number, weight: number): Float64Array {
  if (classCount !== 2) return values.map((value) => weight * value);
  return Float64Array.from({ length: values.length / 2 }, (_, i) => weight * (values[2 * i + 1]! - values[2 * i]!));
}
