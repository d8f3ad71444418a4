// Ensembles of Bayesian networks as a form of model.

import { baseOf, explainTerms, memberContributions } from "../explain/contributions.ts";
import { nodeCounts } from "../explain/feature-use.ts";
import { addShare, type Contributions, logsOfShares, sharesOfScores } from "../explain/log-shares.ts";
import { COLUMN_ARRAYS, packColumns, unpackColumns } from "../families/coarse-columns.ts";
import { type ModelForm, putArrays, takeArrays } from "../families/model-form.ts";
import { type BayesNetworks, checkNetworks, contextStarts, type Pooling, scoreNetworks } from "./bayes-networks.ts";

interface PackedNetworks {
  kind: "networks";
  classCount: number;
  outputCount: number;
  pooling: Pooling;
}

/** Keeps the logarithm of a mean finite where every member rounds to 0. */
const LEAST_MEAN = 1e-300;

const ARRAYS = {
  logPriors: Float64Array,
  memberStarts: Uint32Array,
  nodeColumns: Uint16Array,
  firstParents: Uint16Array,
  secondParents: Uint16Array,
  contexts: Uint32Array,
  terms: Float32Array,
};

export const NETWORKS: ModelForm<BayesNetworks, PackedNetworks> = {
  kind: "networks",
  arrays: { ...COLUMN_ARRAYS, ...ARRAYS },
  score: scoreNetworks,
  explainer: (model, least) =>
    model.pooling === "geometric"
      ? explainTerms(model, least)
      : (codes) => logsOfShares(meanOfMembers(model, codes), least ?? LEAST_MEAN),
  featureUse: nodeCounts,
  pack: ({ kind, classCount, outputCount, pooling, ...model }, shelf, prefix) => {
    packColumns(model.columns, shelf, prefix);
    putArrays(ARRAYS, model, shelf, prefix);
    return { kind, classCount, outputCount, pooling };
  },
  unpack: (packed, codeCounts, shelf, prefix) => {
    const columns = unpackColumns(codeCounts, shelf, prefix);
    const arrays = takeArrays(ARRAYS, shelf, prefix);
    const model: BayesNetworks = {
      ...packed,
      columns,
      ...arrays,
      contextStarts: contextStarts(columns, arrays.firstParents, arrays.secondParents),
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
