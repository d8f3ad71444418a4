// A fitted model of any family: one way to fit it, one way to score with it.
import type { CodedView } from "../buckets.ts";
import { type AdditiveModel, scoreAdditive } from "./additive-tables.ts";
import type { FamilyName, FitInput } from "./family.ts";
import { type Forest, type ForestSettings, scoreForest } from "./forest.ts";
import { ForestGrower } from "./forest-growth.ts";
import { fitLogisticRegression, type LogisticSettings } from "./logistic-regression.ts";
import { fitNaiveBayes, type NaiveBayesSettings } from "./naive-bayes.ts";

export type Model = Forest | AdditiveModel;

/** Settings that are found and fixed: fitting them again on other rows needs no further choice. */
export type ModelSettings =
  | ({ algorithm: "forest" } & ForestSettings)
  | ({ algorithm: "naive Bayes" } & NaiveBayesSettings)
  | ({ algorithm: "logistic regression" } & LogisticSettings);

/** Fits a model on `input.rows` alone. Throws `Cancelled`; when time is up it returns the best model reached so far. */
export function fitModel(settings: ModelSettings, input: FitInput): Model {
  switch (settings.algorithm) {
    case "forest": {
      const grower = new ForestGrower(input, settings, "no votes");
      grower.growTo(settings.treeCount);
      return grower.forest();
    }
    case "naive Bayes":
      return fitNaiveBayes(input, settings);
    case "logistic regression":
      return fitLogisticRegression(input, settings);
  }
}

/** Class probabilities of some rows of a view, `rows.length × classCount`. */
export function scoreModel(model: Model, view: CodedView, rows: Uint32Array): Float64Array {
  const probabilities = new Float64Array(rows.length * model.classCount);
  if (model.kind === "forest") scoreForest(model, view, rows, probabilities);
  else scoreAdditive(model, view, rows, probabilities);
  return probabilities;
}

/** The family that a model's settings belong to. */
export function familyOf(settings: ModelSettings): FamilyName {
  return settings.algorithm === "forest" ? "random forest" : settings.algorithm;
}

/** The name of the algorithm that people see. */
export function algorithmName(settings: ModelSettings): string {
  switch (settings.algorithm) {
    case "forest":
      return settings.variant === "forest" ? "random forest" : "extra-trees";
    case "naive Bayes":
      return settings.variant === "plain" ? "naive Bayes" : `${settings.variant} naive Bayes`;
    case "logistic regression":
      return `${settings.basis} logistic regression`;
  }
}
