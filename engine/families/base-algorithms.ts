// The registry of the algorithms that learn from rows: all that is true of one of them stands in its entry.
//
// A new member is a file with its fit, a line in `Members` and what the compiler then asks for: an entry and, for a
// model of a new kind, its form and how it is explained. To compete it also needs a row in the plan (attempts.ts).

import type { BayesNetworks } from "../bayes/bayes-networks.ts";
import { fitNaiveBayes, type NaiveBayesSettings } from "../bayes/naive-bayes.ts";
import { type AodeSettings, type DependenceSettings, fitAode, fitDependence } from "../bayes/naive-bayes-networks.ts";
import { fitPairedBayes, type PairedBayesSettings } from "../bayes/naive-bayes-pairs.ts";
import { NETWORKS } from "../bayes/networks-form.ts";
import { BOOSTED_TREES_KIND, type BoostedTrees } from "../boosting/boosted-trees.ts";
import { BOOSTED_TREES } from "../boosting/boosted-trees-form.ts";
import { type BoostingSettings, GRADIENT_BOOSTING } from "../boosting/boosting-settings.ts";
import { fitBoosting } from "../boosting/gradient-boosting.ts";
import { fitRefinedForest, type RefinedForestSettings } from "../boosting/refined-forest.ts";
import type { BaseEntry } from "../fitting/algorithm-entry.ts";
import type { FitInput } from "../fitting/family.ts";
import { JOINT_TABLES } from "../fitting/joint-tables-form.ts";
import type { ModelForm } from "../fitting/model-form.ts";
import type { PairedModel } from "../fitting/pair-columns.ts";
import type { ScoreTables } from "../fitting/score-tables.ts";
import { SCORE_TABLES } from "../fitting/score-tables-form.ts";
import type { HiddenLayer } from "../logistic/hidden-layer.ts";
import { fitHiddenLayer, type HiddenLayerSettings } from "../logistic/hidden-layer-fit.ts";
import { HIDDEN_LAYER } from "../logistic/hidden-layer-form.ts";
import { fitInteractions, type InteractionSettings } from "../logistic/logistic-interactions.ts";
import { fitLogisticRegression, type LogisticSettings } from "../logistic/logistic-regression.ts";
import type { CodedView } from "../table/buckets.ts";
import { fitSparseLogistic, type SparseLogisticSettings } from "../text-models/sparse-logistic.ts";
import { fitTermBayes, type TermBayesSettings } from "../text-models/term-bayes.ts";
import type { TermsModel } from "../text-models/term-weights.ts";
import { TERMS } from "../text-models/terms-form.ts";
import type { Forest, ForestSettings } from "../trees/forest.ts";
import { FOREST } from "../trees/forest-form.ts";
import { growTrees } from "../trees/forest-ranges.ts";
import {
  bayesFitBytes,
  boostingFitBytes,
  forestFitBytes,
  hiddenLayerFitBytes,
  logisticFitBytes,
  refinedForestFitBytes,
  termsFitBytes,
} from "./fit-memory.ts";

/** The settings of each algorithm, and the model that it makes. Files name algorithms by these keys. */
interface Members {
  "logistic regression": { settings: LogisticSettings; model: ScoreTables };
  "naive Bayes": { settings: NaiveBayesSettings; model: ScoreTables };
  "paired naive Bayes": { settings: PairedBayesSettings; model: PairedModel };
  AODE: { settings: AodeSettings; model: BayesNetworks };
  "k-dependence naive Bayes": { settings: DependenceSettings; model: BayesNetworks };
  "logistic regression with interactions": { settings: InteractionSettings; model: PairedModel };
  "logistic regression with a hidden layer": { settings: HiddenLayerSettings; model: HiddenLayer };
  [GRADIENT_BOOSTING]: { settings: BoostingSettings; model: BoostedTrees };
  "refined forest": { settings: RefinedForestSettings; model: BoostedTrees };
  forest: { settings: ForestSettings; model: Forest };
  "logistic regression of terms": { settings: SparseLogisticSettings; model: TermsModel };
  "naive Bayes of terms": { settings: TermBayesSettings; model: TermsModel };
}

export type BaseAlgorithm = keyof Members;
type SettingsOf<A extends BaseAlgorithm> = { algorithm: A } & Members[A]["settings"];

/** Settings that are found and fixed: fitting them again on other rows needs no further choice. */
export type BaseSettings = { [A in BaseAlgorithm]: SettingsOf<A> }[BaseAlgorithm];

/** A fitted model that looks at one view. */
export type BaseModel = Members[BaseAlgorithm]["model"];

/** An entry may name a setting as its regularisation only if the algorithm has it. */
type Entry<A extends BaseAlgorithm> = BaseEntry<SettingsOf<A>, Members[A]["model"]> & {
  regularisation: keyof SettingsOf<A> | null;
};

export const BASE_ALGORITHMS: { readonly [A in BaseAlgorithm]: Entry<A> } = {
  "logistic regression": {
    family: "logistic regression",
    nameOf: ({ basis }) => `${basis} logistic regression`,
    fit: fitLogisticRegression,
    regularisation: "l2",
    costRank: 0,
    isWeak: true,
    cutBy: "folds",
    fitBytes: logisticFitBytes,
  },
  "naive Bayes": {
    family: "naive Bayes",
    nameOf: ({ variant }) => (variant === "plain" ? "naive Bayes" : `${variant} naive Bayes`),
    fit: fitNaiveBayes,
    regularisation: "smoothing",
    costRank: 1,
    isWeak: true,
    cutBy: "folds",
    fitBytes: bayesFitBytes,
  },
  "paired naive Bayes": {
    family: "naive Bayes",
    nameOf: () => "weighted naive Bayes with joint columns",
    fit: fitPairedBayes,
    regularisation: null,
    costRank: 2,
    isWeak: true,
    cutBy: "folds",
    fitBytes: bayesFitBytes,
  },
  AODE: {
    family: "naive Bayes",
    nameOf: () => "averaged one-dependence naive Bayes",
    fit: fitAode,
    regularisation: null,
    costRank: 3,
    isWeak: false,
    cutBy: "folds",
    fitBytes: bayesFitBytes,
  },
  "k-dependence naive Bayes": {
    family: "naive Bayes",
    nameOf: () => "k-dependence naive Bayes",
    fit: fitDependence,
    regularisation: null,
    costRank: 4,
    isWeak: false,
    cutBy: "folds",
    fitBytes: bayesFitBytes,
  },
  "logistic regression with interactions": {
    family: "logistic regression",
    nameOf: ({ interactions }) =>
      interactions === "tables" ? "logistic regression with pairs" : "logistic regression with products",
    fit: fitInteractions,
    regularisation: "l2",
    costRank: 5,
    isWeak: false,
    cutBy: "folds",
    fitBytes: logisticFitBytes,
  },
  "logistic regression with a hidden layer": {
    family: "logistic regression",
    nameOf: () => "logistic regression with a hidden layer",
    fit: fitHiddenLayer,
    regularisation: "l2",
    costRank: 5.5,
    isWeak: false,
    cutBy: "folds",
    fitBytes: hiddenLayerFitBytes,
  },
  // GRADIENT_BOOSTING, spelt out: with a computed key, bundles that only score would hold the fits too.
  "additive logistic regression": {
    family: "logistic regression",
    nameOf: () => "gradient-boosted logistic regression",
    fit: fitBoosting,
    regularisation: null,
    costRank: 6,
    isWeak: false,
    cutBy: "rounds",
    fitBytes: boostingFitBytes,
  },
  "refined forest": {
    family: "random forest",
    nameOf: () => "refined forest",
    fit: fitRefinedForest,
    regularisation: "l2",
    costRank: 7,
    isWeak: false,
    cutBy: "folds",
    isLong: true,
    fitBytes: refinedForestFitBytes,
  },
  forest: {
    family: "random forest",
    nameOf: ({ variant }) => (variant === "forest" ? "random forest" : "extra-trees"),
    fit: (input, settings) => growTrees(input, settings, { firstTree: 0, endTree: settings.treeCount }),
    regularisation: null,
    costRank: 8,
    isWeak: false,
    cutBy: "trees",
    fitBytes: forestFitBytes,
  },
  "logistic regression of terms": {
    family: "logistic regression",
    nameOf: ({ terms, scaling }) => {
      const read = terms === "words" ? "words" : "words and their pieces";
      return `logistic regression of ${read}${scaling === "ratios" ? ", by log-count ratios" : ""}`;
    },
    fit: fitSparseLogistic,
    regularisation: "l2",
    costRank: 1.5,
    isWeak: true,
    cutBy: "folds",
    fitBytes: termsFitBytes,
  },
  "naive Bayes of terms": {
    family: "naive Bayes",
    nameOf: ({ variant }) => `${variant} naive Bayes of words`,
    fit: fitTermBayes,
    regularisation: null,
    costRank: 1.2,
    isWeak: true,
    cutBy: "folds",
    fitBytes: termsFitBytes,
  },
};

type BaseKind = BaseModel["kind"];

/**
 * How models of each kind are scored and stored. Kept apart from the algorithms, so that a program that only scores
 * needs none of them.
 */
const FORMS: { readonly [K in BaseKind]: ModelForm<Extract<BaseModel, { kind: K }>> } = {
  additive: SCORE_TABLES,
  paired: JOINT_TABLES,
  networks: NETWORKS,
  "hidden layer": HIDDEN_LAYER,
  [BOOSTED_TREES_KIND]: BOOSTED_TREES,
  forest: FOREST,
  terms: TERMS,
};

/** The forms that base models take, by `kind`. */
export const BASE_FORMS: ReadonlyMap<string, ModelForm<BaseModel>> = new Map(
  Object.entries(FORMS as Readonly<Record<BaseKind, ModelForm<BaseModel>>>),
);

export function baseFormOf({ kind }: BaseModel): ModelForm<BaseModel> {
  return BASE_FORMS.get(kind)!;
}

export function baseEntryOf({ algorithm }: BaseSettings): BaseEntry<BaseSettings, BaseModel> {
  return BASE_ALGORITHMS[algorithm];
}

/** Fits a model on `input.rows` alone. Throws `Cancelled`; when time is up it returns the best model reached so far. */
export function fitBase(settings: BaseSettings, input: FitInput): BaseModel {
  return baseEntryOf(settings).fit(input, settings);
}

/**
 * Class probabilities of some rows of the view that the model was fitted on, or of one with its bucketing,
 * `rows.length × classCount`. `treeLimit`: trees of a forest that are asked at most.
 */
export function scoreBase(model: BaseModel, view: CodedView, rows: Uint32Array, treeLimit?: number): Float64Array {
  const probabilities = new Float64Array(rows.length * model.classCount);
  baseFormOf(model).score(model, view, rows, probabilities, treeLimit);
  return probabilities;
}
