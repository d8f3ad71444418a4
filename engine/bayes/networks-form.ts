// Ensembles of Bayesian networks as a form of model.

import { addShare, baseOf, type Contributions, explainTerms, memberContributions } from "../explain/contributions.ts";
import { nodeCounts } from "../explain/feature-use.ts";
import { logsOfShares, onLogScale, sharesOfScores } from "../explain/log-shares.ts";
import { packColumns, unpackColumns } from "../families/coarse-columns.ts";
import type { ModelForm } from "../families/model-form.ts";
import { type BayesNetworks, checkNetworks, contextStarts, type Pooling, scoreNetworks } from "./bayes-networks.ts";

interface PackedNetworks {
  kind: "networks";
  classCount: number;
  outputCount: number;
  pooling: Pooling;
}

/** Keeps the logarithm of a mean finite where every member rounds to 0. */
const LEAST_MEAN = 1e-300;

export const NETWORKS: ModelForm<BayesNetworks, PackedNetworks> = {
  kind: "networks",
  arrays: {
    ...{ features: Uint16Array, groupCounts: Uint16Array, groupOfCode: Uint8Array },
    ...{ logPriors: Float64Array, memberStarts: Uint32Array },
    ...{ nodeColumns: Uint16Array, firstParents: Uint16Array, secondParents: Uint16Array },
    ...{ contexts: Uint32Array, terms: Float32Array },
  },
  score: scoreNetworks,
  explainer: (model, least) => {
    if (model.pooling === "arithmetic") {
      return (codes) => logsOfShares(meanOfMembers(model, codes), least ?? LEAST_MEAN);
    }
    const explain = explainTerms(model);
    return (codes) => onLogScale(explain(codes), least);
  },
  featureUse: nodeCounts,
  pack: ({ kind, classCount, outputCount, pooling, ...model }, shelf, prefix) => {
    packColumns(model.columns, shelf, prefix);
    shelf.put(`${prefix}logPriors`, model.logPriors);
    shelf.put(`${prefix}memberStarts`, model.memberStarts);
    shelf.put(`${prefix}nodeColumns`, model.nodeColumns);
    shelf.put(`${prefix}firstParents`, model.firstParents);
    shelf.put(`${prefix}secondParents`, model.secondParents);
    shelf.put(`${prefix}contexts`, model.contexts);
    shelf.put(`${prefix}terms`, model.terms);
    return { kind, classCount, outputCount, pooling };
  },
  unpack: (packed, codeCounts, shelf, prefix) => {
    const columns = unpackColumns(codeCounts, shelf, prefix);
    const firstParents = shelf.take<Uint16Array>(`${prefix}firstParents`);
    const secondParents = shelf.take<Uint16Array>(`${prefix}secondParents`);
    const model: BayesNetworks = {
      ...packed,
      columns,
      logPriors: shelf.take<Float64Array>(`${prefix}logPriors`),
      memberStarts: shelf.take<Uint32Array>(`${prefix}memberStarts`),
      nodeColumns: shelf.take<Uint16Array>(`${prefix}nodeColumns`),
      firstParents,
      secondParents,
      contextStarts: contextStarts(columns, firstParents, secondParents),
      contexts: shelf.take<Uint32Array>(`${prefix}contexts`),
      terms: shelf.take<Float32Array>(`${prefix}terms`),
    };
    return checkNetworks(model, codeCounts.length) ? model : null;
  },
};

/** The mean of the members' probabilities taken apart; all begin with the same priors. */
function meanOfMembers(model: BayesNetworks, codes: ArrayLike<number>): Contributions {
  const base = baseOf(model);
  const mean = { base: new Float64Array(base.length), contributions: new Float64Array(codes.length * base.length) };
  const members = memberContributions(model, codes);
  for (const contributions of members) addShare(mean, sharesOfScores({ base, contributions }), 1 / members.length);
  return mean;
}
