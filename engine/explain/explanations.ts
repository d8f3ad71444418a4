// How models of every kind are explained and measured. Kept apart from their forms, so that a program that only scores
// needs none of it.
import type { BayesNetworks } from "../bayes/bayes-networks.ts";
import { BOOSTED_TREES_KIND } from "../boosting/boosted-trees.ts";
import type { Model } from "../families/algorithms.ts";
import type { StackModel } from "../families/stack-model.ts";
import { LEAST_SHARE } from "../families/stacking.ts";
import { sumOf } from "../sums.ts";
import { countSlots } from "../text/term-slots.ts";
import { pathContributions } from "./boosting-contributions.ts";
import { nodeCounts, pairedSpreads, splitCounts, tableSpreads } from "./feature-use.ts";
import { ForestPaths } from "./forest-contributions.ts";
import { explainUnits, unitSpreads } from "./hidden-layer-contributions.ts";
import {
  addShare,
  type Contributions,
  type Explainer,
  logsOfShares,
  onLogScale,
  sharesOfScores,
} from "./log-shares.ts";
import { baseScores, explainSum, memberContributions } from "./sum-contributions.ts";
import { termContributions } from "./term-contributions.ts";

interface Explanation<Own extends Model> {
  /**
   * Explains single rows, exactly in sum; with `least`, on the scale of ln(p +
   * least), on which a stack adds up its members.
   *
   * @throws InputError REASONS_TOO_LARGE where that would take too much memory
   */
  explainer(model: Own, least: number | null): Explainer;
  /** How much the model uses each feature, in units of its own; 0 where a feature takes no part. */
  featureUse(model: Own, featureCount: number): Float64Array;
}

/** Keeps the logarithm of a mean finite where every member rounds to 0. */
const LEAST_MEAN = 1e-300;

const EXPLANATIONS: { readonly [K in Model["kind"]]: Explanation<Extract<Model, { kind: K }>> } = {
  additive: { explainer: explainSum, featureUse: tableSpreads },
  paired: { explainer: explainSum, featureUse: pairedSpreads },
  networks: {
    explainer: (model, least) =>
      model.pooling === "geometric"
        ? explainSum(model, least)
        : (codes) => logsOfShares(meanOfMembers(model, codes), least ?? LEAST_MEAN),
    featureUse: nodeCounts,
  },
  "hidden layer": { explainer: explainUnits, featureUse: unitSpreads },
  [BOOSTED_TREES_KIND]: {
    explainer: (model, least) => (codes) => onLogScale(pathContributions(model, codes), least),
    featureUse: splitCounts,
  },
  forest: {
    // Always on the scale of ln(share + 0.002): a stack reads forests on it, and a share of 0 stays finite.
    explainer: (model) => {
      const paths = new ForestPaths(model);
      return (codes) => logsOfShares(paths.contributions(codes), LEAST_SHARE);
    },
    featureUse: splitCounts,
  },
  terms: {
    explainer: (model, least) => (codes, texts) => onLogScale(termContributions(model, codes, texts ?? []), least),
    featureUse: ({ tables }) => tableSpreads(tables),
  },
  stack: { explainer: explainStack, featureUse: stackUse },
};

function explanationOf({ kind }: Model): Explanation<Model> {
  return EXPLANATIONS[kind] as Explanation<Model>;
}

/**
 * Explains single rows of any model: softmax(base + Σ contributions) is the model's answer. Each kind has a method of
 * its own. All sum exactly, so a feature that takes no part adds 0, and a stack may add its members' explanations up.
 * Setting a column to missing instead would send rows down branches that learned nothing if the training rows had no
 * missing value, and would cost a scoring for each column. With a temperature, all log-odds are divided by it.
 *
 * @throws InputError REASONS_TOO_LARGE where a forest's nodes would take too much memory
 */
export function explainerOf(model: Model, temperature = 1): Explainer {
  const explain = explanationOf(model).explainer(model, null);
  if (temperature === 1) return explain;
  return (codes, texts) => {
    const { base, contributions } = explain(codes, texts);
    return {
      base: base.map((score) => score / temperature),
      contributions: contributions.map((contribution) => contribution / temperature),
    };
  };
}

/** How much the model uses each feature, in units of its own; 0 where a feature takes no part. */
export function featureUseOf(model: Model, featureCount: number): Float64Array {
  return explanationOf(model).featureUse(model, featureCount);
}

/** The mean of the members' probabilities taken apart; all begin with the same priors. */
function meanOfMembers(model: BayesNetworks, codes: ArrayLike<number>): Contributions {
  const base = baseScores(model);
  const mean = { base: new Float64Array(base.length), contributions: new Float64Array(codes.length * base.length) };
  const members = memberContributions(model, codes);
  for (const contributions of members) addShare(mean, sharesOfScores({ base, contributions }), 1 / members.length);
  return mean;
}

/** The members' answers on the scale of ln(p + 0.002) by their weights, and the tables on top. */
function explainStack({ classCount, intercepts, weights, members, merges, mains }: StackModel): Explainer {
  const parts = members.flatMap(({ merge, model }, index) => {
    const weight = weights[index]!;
    return weight === 0 ? [] : [{ merge, weight, explain: explanationOf(model).explainer(model, LEAST_SHARE) }];
  });
  if (mains !== null) parts.push({ merge: mains.merge, weight: 1, explain: explainSum(mains.tables, null) });
  return (codes, texts = []) => {
    const merged = merges.map((ofMember) => ofMember.map(({ codeOf }, feature) => codeOf[codes[feature]!]!));
    const itemCount = texts.reduce((sum, text) => sum + countSlots(text), codes.length);
    const sum = { base: intercepts.slice(), contributions: new Float64Array(itemCount * classCount) };
    for (const { merge, weight, explain } of parts) {
      addShare(sum, explain(merge === null ? codes : merged[merge]!, texts), weight);
    }
    return sum;
  };
}

function stackUse({ members, weights, mains }: StackModel, featureCount: number): Float64Array {
  const uses = new Float64Array(featureCount);
  members.forEach(({ model }, index) => {
    addShares(uses, explanationOf(model).featureUse(model, featureCount), weights[index]!);
  });
  if (mains !== null) addShares(uses, tableSpreads(mains.tables), 1);
  return uses;
}

/** Adds each feature's share of one member's uses. */
function addShares(uses: Float64Array, used: Float64Array, weight: number): void {
  const total = sumOf(used);
  if (total > 0)
    for (let feature = 0; feature < uses.length; feature++) uses[feature]! += (weight * used[feature]!) / total;
}
