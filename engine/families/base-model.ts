// A fitted model that looks at one view: one way to fit it, one way to score with it, whatever its algorithm.
import type { CodedView } from "../buckets.ts";
import { fitAdditive } from "./additive-regression.ts";
import type { AdditiveSettings } from "./additive-settings.ts";
import { type AdditiveModel, scoreAdditive } from "./additive-tables.ts";
import { type AdditiveTrees, scoreAdditiveTrees } from "./additive-trees.ts";
import { type BayesNetworks, scoreNetworks } from "./bayes-networks.ts";
import type { FitInput } from "./family.ts";
import { type Forest, type ForestSettings, scoreForest } from "./forest.ts";
import { ForestGrower } from "./forest-growth.ts";
import { fitInteractions, type InteractionSettings } from "./logistic-interactions.ts";
import { fitLogisticRegression, type LogisticSettings } from "./logistic-regression.ts";
import { fitNaiveBayes, type NaiveBayesSettings } from "./naive-bayes.ts";
import { type AodeSettings, type DependenceSettings, fitAode, fitDependence } from "./naive-bayes-networks.ts";
import { fitPairedBayes, type PairedBayesSettings } from "./naive-bayes-pairs.ts";
import { type PairedModel, scorePaired } from "./pair-columns.ts";
import { fitRefinedForest, type RefinedForestSettings } from "./refined-forest.ts";

export type BaseModel = Forest | AdditiveModel | AdditiveTrees | BayesNetworks | PairedModel;

/** Settings that are found and fixed: fitting them again on other rows needs no further choice. */
export type BaseSettings =
  | ({ algorithm: "forest" } & ForestSettings)
  | ({ algorithm: "naive Bayes" } & NaiveBayesSettings)
  | ({ algorithm: "paired naive Bayes" } & PairedBayesSettings)
  | ({ algorithm: "k-dependence naive Bayes" } & DependenceSettings)
  | ({ algorithm: "AODE" } & AodeSettings)
  | ({ algorithm: "logistic regression" } & LogisticSettings)
  | ({ algorithm: "logistic regression with interactions" } & InteractionSettings)
  | ({ algorithm: "additive logistic regression" } & AdditiveSettings)
  | ({ algorithm: "refined forest" } & RefinedForestSettings);

/** Fits a model on `input.rows` alone. Throws `Cancelled`; when time is up it returns the best model reached so far. */
export function fitBase(settings: BaseSettings, input: FitInput): BaseModel {
  switch (settings.algorithm) {
    case "forest": {
      const grower = new ForestGrower(input, settings, "no votes");
      grower.growTo(settings.treeCount);
      return grower.forest();
    }
    case "naive Bayes":
      return fitNaiveBayes(input, settings);
    case "paired naive Bayes":
      return fitPairedBayes(input, settings);
    case "k-dependence naive Bayes":
      return fitDependence(input, settings);
    case "AODE":
      return fitAode(input, settings);
    case "logistic regression":
      return fitLogisticRegression(input, settings);
    case "logistic regression with interactions":
      return fitInteractions(input, settings);
    case "additive logistic regression":
      return fitAdditive(input, settings);
    case "refined forest":
      return fitRefinedForest(input, settings);
  }
}

/**
 * Class probabilities of some rows of the view that the model was fitted on, or of one with its bucketing,
 * `rows.length × classCount`. `treeLimit`: trees of a forest that are asked at most.
 */
export function scoreBase(model: BaseModel, view: CodedView, rows: Uint32Array, treeLimit?: number): Float64Array {
  const probabilities = new Float64Array(rows.length * model.classCount);
  switch (model.kind) {
    case "forest":
      scoreForest(model, view, rows, probabilities, treeLimit);
      break;
    case "additive":
      scoreAdditive(model, view, rows, probabilities);
      break;
    case "additive trees":
      scoreAdditiveTrees(model, view, rows, probabilities);
      break;
    case "networks":
      scoreNetworks(model, view, rows, probabilities);
      break;
    case "paired":
      scorePaired(model, view, rows, probabilities);
      break;
  }
  return probabilities;
}
