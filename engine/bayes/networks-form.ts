// Ensembles of Bayesian networks as a form of model.

import { COLUMN_ARRAYS, packColumns, unpackColumns } from "../fitting/coarse-columns.ts";
import { type ModelForm, putArrays, takeArrays } from "../fitting/model-form.ts";
import { type BayesNetworks, checkNetworks, contextStarts, type Pooling, scoreNetworks } from "./bayes-networks.ts";

interface PackedNetworks {
  kind: "networks";
  classCount: number;
  outputCount: number;
  pooling: Pooling;
}

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
