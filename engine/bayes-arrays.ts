// Bayesian networks and joint columns as heads of plain values and named arrays, and back, checked.
import type { ArrayShelf } from "./array-shelf.ts";
import { type BayesNetworks, checkNetworks, contextStarts, type Pooling } from "./families/bayes-networks.ts";
import { type CoarseColumns, codeStarts } from "./families/coarse-columns.ts";
import { type ColumnPairs, checkPairs } from "./families/pair-columns.ts";

/** What of networks is no array. */
export interface PackedNetworks {
  kind: "networks";
  classCount: number;
  outputCount: number;
  pooling: Pooling;
}

/** Puts the arrays of networks on the shelf; what is left is their head. */
export function packNetworks(model: BayesNetworks, shelf: ArrayShelf, prefix: string): PackedNetworks {
  const { kind, classCount, outputCount, pooling } = model;
  packColumns(model.columns, shelf, prefix);
  shelf.put(`${prefix}logPriors`, model.logPriors);
  shelf.put(`${prefix}memberStarts`, model.memberStarts);
  shelf.put(`${prefix}nodeColumns`, model.nodeColumns);
  shelf.put(`${prefix}firstParents`, model.firstParents);
  shelf.put(`${prefix}secondParents`, model.secondParents);
  shelf.put(`${prefix}contexts`, model.contexts);
  shelf.put(`${prefix}terms`, model.terms);
  return { kind, classCount, outputCount, pooling };
}

/** Null where the parts do not fit together or with features of these code counts, so that a look-up would leave its array. */
export function unpackNetworks(
  packed: PackedNetworks,
  codeCounts: readonly number[],
  shelf: ArrayShelf,
  prefix: string,
): BayesNetworks | null {
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
}

/** Puts the arrays of pairs on the shelf; nothing else is left of them. */
export function packPairs({ columns, firsts, seconds }: ColumnPairs, shelf: ArrayShelf, prefix: string): void {
  packColumns(columns, shelf, prefix);
  shelf.put(`${prefix}firsts`, firsts);
  shelf.put(`${prefix}seconds`, seconds);
}

/** Null where they are no pairs of features with these code counts. */
export function unpackPairs(codeCounts: readonly number[], shelf: ArrayShelf, prefix: string): ColumnPairs | null {
  const pairs = {
    columns: unpackColumns(codeCounts, shelf, prefix),
    firsts: shelf.take<Uint16Array>(`${prefix}firsts`),
    seconds: shelf.take<Uint16Array>(`${prefix}seconds`),
  };
  return checkPairs(pairs, codeCounts.length) ? pairs : null;
}

function packColumns({ features, groupCounts, groupOfCode }: CoarseColumns, shelf: ArrayShelf, prefix: string): void {
  shelf.put(`${prefix}columns.features`, features);
  shelf.put(`${prefix}groupCounts`, groupCounts);
  shelf.put(`${prefix}groupOfCode`, groupOfCode);
}

/** Where each column's codes begin follows from the code counts of the features, so that no file can say otherwise. */
function unpackColumns(codeCounts: readonly number[], shelf: ArrayShelf, prefix: string): CoarseColumns {
  const features = shelf.take<Uint16Array>(`${prefix}columns.features`);
  return {
    features,
    groupCounts: shelf.take<Uint16Array>(`${prefix}groupCounts`),
    starts: codeStarts(features, codeCounts),
    groupOfCode: shelf.take<Uint8Array>(`${prefix}groupOfCode`),
  };
}
