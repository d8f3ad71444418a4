// One row's answer of any model as a base and a sum of what its features add to the log-odds between the classes.
import { pathContributions } from "./additive-contributions.ts";
import type { BaseModel } from "./base-model.ts";
import type { BayesNetworks } from "./bayes-networks.ts";
import { baseOf, type Contributions, contributionsOf, memberContributions, type SumOfTerms } from "./contributions.ts";
import { ForestPaths, hasLeafWeights } from "./forest-contributions.ts";
import { logsOfScores, logsOfShares, sharesOfScores } from "./log-shares.ts";
import type { Model } from "./model.ts";
import type { StackModel } from "./stack-model.ts";
import { LEAST_SHARE } from "./stacking.ts";

/** Takes the answer for the codes of one row apart: softmax(base + Σ contributions) is what the model says. */
export type Explainer = (codes: ArrayLike<number>) => Contributions;

/** Keeps the logarithm of a mean finite where every member rounds to 0. */
const LEAST_MEAN = 1e-300;

/**
 * One method for each form of model, each exact in sum, so that a feature that takes no part adds 0 and those of a stack's
 * members may be added up:
 *
 * - sums of terms (logistic regression, naive Bayes, joint columns in equal halves, geometric pooling): the terms;
 * - stage-wise trees and refined forests: changes of the score on the way down (Saabas 2014);
 * - forests: changes of the class shares on the way down, brought to the scale of ln(share + 0.002), on which a stack reads
 *   them too and a share of 0 stays finite;
 * - means of networks: the terms of each member, brought to the scale of its probabilities, averaged, and to logarithms;
 * - stacks: the members' on the scale of ln(p + 0.002) by their weights, and the tables on top.
 *
 * Leaving a column out instead, by setting it to missing, would ask trees where they have learned nothing wherever the
 * training rows had no missing value, and would cost a scoring for each column.
 *
 * Tempered probabilities have all their log-odds divided by the temperature.
 *
 * @throws InputError REASONS_TOO_LARGE where a forest's nodes would take too much memory
 */
export function explainerOf(model: Model, temperature = 1): Explainer {
  const explain = model.kind === "stack" ? stackExplainer(model) : baseExplainer(model, null);
  if (temperature === 1) return explain;
  return (codes) => {
    const { base, contributions } = explain(codes);
    return { base: base.map((own) => own / temperature), contributions: contributions.map((own) => own / temperature) };
  };
}

/** Whether a forest among the model's parts does not say how many rows its leaves were made of. */
export function lacksLeafWeights(model: Model): boolean {
  if (model.kind === "stack") return model.members.some((member) => lacksLeafWeights(member.model));
  return model.kind === "forest" && !hasLeafWeights(model);
}

/** With `least`, on the scale of ln(p + least). */
function baseExplainer(model: BaseModel, least: number | null): Explainer {
  switch (model.kind) {
    case "forest": {
      const paths = new ForestPaths(model);
      return (codes) => logsOfShares(paths.contributions(codes), LEAST_SHARE);
    }
    case "additive trees":
      return onScale((codes) => pathContributions(model, codes), least);
    case "networks":
      if (model.pooling === "arithmetic") {
        return (codes) => logsOfShares(meanOfMembers(model, codes), least ?? LEAST_MEAN);
      }
      return onScale(termsOf(model), least);
    case "additive":
    case "paired":
      return onScale(termsOf(model), least);
  }
}

function termsOf(model: SumOfTerms): Explainer {
  const base = baseOf(model);
  return (codes) => ({ base, contributions: contributionsOf(model, codes) });
}

function onScale(scores: Explainer, least: number | null): Explainer {
  return least === null ? scores : (codes) => logsOfScores(scores(codes), least);
}

/** The mean of the members' probabilities taken apart; all begin with the same priors. */
function meanOfMembers(model: BayesNetworks, codes: ArrayLike<number>): Contributions {
  const base = baseOf(model);
  const mean = { base: new Float64Array(base.length), contributions: new Float64Array(codes.length * base.length) };
  const members = memberContributions(model, codes);
  for (const contributions of members) addShare(mean, sharesOfScores({ base, contributions }), 1 / members.length);
  return mean;
}

function stackExplainer(model: StackModel): Explainer {
  const { intercepts, weights, members, merges, mains } = model;
  const parts = members.flatMap((member, index) => {
    const weight = weights[index]!;
    return weight === 0 ? [] : [{ merge: member.merge, weight, explain: baseExplainer(member.model, LEAST_SHARE) }];
  });
  if (mains !== null) parts.push({ merge: mains.merge, weight: 1, explain: termsOf(mains.tables) });
  return (codes) => {
    const merged = merges.map((own) => own.map(({ codeOf }, feature) => codeOf[codes[feature]!]!));
    const sum = { base: intercepts.slice(), contributions: new Float64Array(codes.length * model.classCount) };
    for (const { merge, weight, explain } of parts) {
      addShare(sum, explain(merge === null ? codes : merged[merge]!), weight);
    }
    return sum;
  };
}

function addShare(to: Contributions, from: Contributions, share: number): void {
  for (const [k, own] of from.base.entries()) to.base[k] = to.base[k]! + share * own;
  for (const [at, own] of from.contributions.entries()) to.contributions[at] = to.contributions[at]! + share * own;
}
