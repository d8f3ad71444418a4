// Splits the log-odds of one row into contributions of its features, for models whose scores are sums.

import { type BayesNetworks, parentGroups } from "../bayes/bayes-networks.ts";
import type { CoarseColumns } from "../fitting/coarse-columns.ts";
import { jointCode, type PairedModel } from "../fitting/pair-columns.ts";
import type { ScoreTables } from "../fitting/score-tables.ts";
import { type Explainer, onLogScale } from "./log-shares.ts";

/** The models whose score for a row is a sum over features, joint columns or nodes. */
export type SumModel = ScoreTables | PairedModel | BayesNetworks;

/**
 * `features × classCount` contributions, feature after feature, from the codes of one row: those of a feature sum to 0
 * over the classes, so that the difference of two classes is what the feature adds to the log-odds between them.
 *
 * Exact for score tables (naive Bayes plain, selective and weighted, logistic regression), for joint columns, whose
 * term goes in equal halves to both features, and for networks of geometric pooling: there softmax(base + Σ
 * contributions) is the model's answer, the base being its intercepts or log priors. A term under parents goes to the
 * node's own feature. With arithmetic pooling they take apart the geometric mean of the members' probabilities, of
 * which the answer is the arithmetic one: see `memberContributions`.
 */
export function sumContributions(model: SumModel, codes: ArrayLike<number>): Float64Array {
  const contributions = new Float64Array(codes.length * model.classCount);
  if (model.kind === "additive") addTables(model, codes, contributions);
  else if (model.kind === "paired") addPaired(model, codes, contributions);
  else {
    const memberCount = model.memberStarts.length - 1;
    addNodes(model, 0, memberCount, groupsOf(model.columns, codes), contributions);
  }
  return contributions;
}

/** Contributions to each member of networks: softmax(base + Σ contributions) is the member's answer. */
export function memberContributions(model: BayesNetworks, codes: ArrayLike<number>): Float64Array[] {
  const groups = groupsOf(model.columns, codes);
  return Array.from({ length: model.memberStarts.length - 1 }, (_, member) => {
    const contributions = new Float64Array(codes.length * model.classCount);
    addNodes(model, member, member + 1, groups, contributions);
    return contributions;
  });
}

/** Explains rows by the base and `sumContributions`: see `ModelForm`. */
export function explainSum(model: SumModel, least: number | null): Explainer {
  const base = baseScores(model);
  return (codes) => onLogScale({ base, contributions: sumContributions(model, codes) }, least);
}

/** The classes' scores before any feature is read: `classCount` values that sum to 0. */
export function baseScores(model: SumModel): Float64Array {
  const base = new Float64Array(model.classCount);
  if (model.kind === "networks") addOutputs(base, 0, model.logPriors, 0, model.classCount, 1);
  else addOutputs(base, 0, (model.kind === "paired" ? model.additive : model).intercepts, 0, model.classCount, 1);
  return base;
}

function addTables(model: ScoreTables, codes: ArrayLike<number>, contributions: Float64Array): void {
  const { classCount, outputCount, tables } = model;
  for (let feature = 0; feature < codes.length; feature++) {
    const table = tables[feature];
    if (table) addOutputs(contributions, feature, table, codes[feature]! * outputCount, classCount, 1);
  }
}

function addPaired({ additive, pairs }: PairedModel, codes: ArrayLike<number>, contributions: Float64Array): void {
  addTables(additive, codes, contributions);
  const { columns, firsts, seconds } = pairs;
  const groups = groupsOf(columns, codes);
  const { classCount, outputCount, tables } = additive;
  for (const [pair, first] of firsts.entries()) {
    const table = tables[codes.length + pair];
    if (!table) continue;
    const second = seconds[pair]!;
    const from = jointCode(groups[first]!, groups[second]!, columns.groupCounts[second]!) * outputCount;
    addOutputs(contributions, columns.features[first]!, table, from, classCount, 0.5);
    addOutputs(contributions, columns.features[second]!, table, from, classCount, 0.5);
  }
}

/** Adds the mean over some members. */
function addNodes(
  model: BayesNetworks,
  fromMember: number,
  toMember: number,
  groups: Uint8Array,
  contributions: Float64Array,
): void {
  const { columns, memberStarts, nodeColumns, firstParents, secondParents, contexts, terms } = model;
  const { classCount, outputCount } = model;
  const share = 1 / (toMember - fromMember);
  for (let node = memberStarts[fromMember]!; node < memberStarts[toMember]!; node++) {
    const column = nodeColumns[node]!;
    const second = secondParents[node]!;
    // No parent has the group 0.
    const context = (groups[firstParents[node]!] ?? 0) * parentGroups(columns, second) + (groups[second] ?? 0);
    const from = contexts[model.contextStarts[node]! + context]! + groups[column]! * outputCount;
    addOutputs(contributions, columns.features[column]!, terms, from, classCount, share);
  }
}

function groupsOf({ features, starts, groupOfCode }: CoarseColumns, codes: ArrayLike<number>): Uint8Array {
  return Uint8Array.from(features, (feature, column) => groupOfCode[starts[column]! + codes[feature]!]!);
}

/**
 * Adds a share of a model's outputs to the classes of a feature, less their mean; with two classes there is one output.
 */
export function addOutputs(
  contributions: Float64Array,
  feature: number,
  outputs: ArrayLike<number>,
  from: number,
  classCount: number,
  share: number,
): void {
  const to = feature * classCount;
  if (classCount === 2) {
    contributions[to] = contributions[to]! - (share * outputs[from]!) / 2;
    contributions[to + 1] = contributions[to + 1]! + (share * outputs[from]!) / 2;
    return;
  }
  let mean = 0;
  for (let k = 0; k < classCount; k++) mean += outputs[from + k]! / classCount;
  for (let k = 0; k < classCount; k++)
    contributions[to + k] = contributions[to + k]! + share * (outputs[from + k]! - mean);
}
