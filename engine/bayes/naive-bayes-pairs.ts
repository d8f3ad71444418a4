// Weighted naive Bayes with joint columns: pairs that say more about the class together than their two columns alone.
import { fitCoarseColumns } from "../fitting/coarse-columns.ts";
import type { FitInput } from "../fitting/family.ts";
import { bestPairs, type PairedModel, widenView } from "../fitting/pair-columns.ts";
import { MOST_PAIRED, pairInformation } from "../fitting/pair-information.ts";
import { fitNaiveBayes } from "./naive-bayes.ts";

export interface PairedBayesSettings {
  /** Joint columns at most; 30 by default. 10 lose most of a point, 100 add two tenths. */
  pairCount: number;
  /** See `NaiveBayesSettings`. */
  smoothing: number;
}

/**
 * Joins the pairs of largest I(Xi, Xj; Y) - I(Xi; Y) - I(Xj; Y) that chance does not explain, and weighs all columns as
 * `fitWeights` does (Zaidi et al. 2013), by rows left out of their counts. Where no pair gains
 * anything, and when the time is up, that is weighted naive Bayes.
 */
export function fitPairedBayes(input: FitInput, { pairCount, smoothing }: PairedBayesSettings): PairedModel {
  const columns = fitCoarseColumns(input, MOST_PAIRED);
  const pairs = bestPairs(columns, pairInformation(input, columns).synergy, pairCount);
  const view = widenView(input.view, pairs);
  const additive = fitNaiveBayes({ ...input, view }, { variant: "weighted", smoothing });
  return { kind: "paired", classCount: input.classCount, pairs, additive };
}
