// The fitted part of a model file: each kind of model as a head of plain values and named arrays, and back, checked.
import type { ArrayShelf } from "./array-shelf.ts";
import { type PackedNetworks, packNetworks, packPairs, unpackNetworks, unpackPairs } from "./bayes-arrays.ts";
import { type PackedTrees, packAdditiveTrees, unpackAdditiveTrees } from "./families/additive-arrays.ts";
import type { AdditiveModel } from "./families/additive-tables.ts";
import type { BaseModel } from "./families/base-model.ts";
import type { Forest } from "./families/forest.ts";
import { checkForest } from "./families/forest-check.ts";
import type { Model } from "./families/model.ts";
import { widenCodeCounts } from "./families/pair-columns.ts";
import type { FeatureMerge, StackModel } from "./families/stack-model.ts";

/** What of a model is no array. */
export type PackedModel = PackedBase | PackedStack;

type PackedBase = PackedForest | PackedTables | PackedTrees | PackedNetworks | PackedPairs;

type PackedForest = Pick<Forest, "kind" | "classCount" | "featureCount">;

interface PackedTables {
  kind: "additive";
  classCount: number;
  outputCount: number;
  hasTable: readonly boolean[];
}

interface PackedPairs {
  kind: "paired";
  classCount: number;
  additive: PackedTables;
}

interface PackedStack {
  kind: "stack";
  classCount: number;
  members: readonly { merge: number | null; model: PackedBase }[];
  /** Code counts of every feature, merge by merge. */
  mergedCodeCounts: readonly (readonly number[])[];
  mains: { merge: number | null; tables: PackedBase } | null;
}

const FOREST_ARRAYS = ["roots", "features", "thresholds", "children", "distributions"] as const;

/** Puts the arrays of a model on the shelf; what is left is its head. */
export function packModelArrays(model: Model, shelf: ArrayShelf): PackedModel {
  return model.kind === "stack" ? packStack(model, shelf) : packBase(model, shelf, "");
}

/**
 * The model of a head and its arrays; null where they do not fit together or with features of these code counts, so that
 * scoring would read outside of an array or never end.
 */
export function unpackModelArrays(
  packed: PackedModel,
  codeCounts: readonly number[],
  classCount: number,
  shelf: ArrayShelf,
): Model | null {
  if (packed.classCount !== classCount) return null;
  return packed.kind === "stack" ? unpackStack(packed, codeCounts, shelf) : unpackBase(packed, codeCounts, shelf, "");
}

function packBase(model: BaseModel, shelf: ArrayShelf, prefix: string): PackedBase {
  switch (model.kind) {
    case "forest":
      for (const name of FOREST_ARRAYS) shelf.put(prefix + name, model[name]);
      return { kind: model.kind, classCount: model.classCount, featureCount: model.featureCount };
    case "additive":
      return packTables(model, shelf, prefix);
    case "additive trees":
      return packAdditiveTrees(model, shelf, prefix);
    case "networks":
      return packNetworks(model, shelf, prefix);
    case "paired":
      packPairs(model.pairs, shelf, prefix);
      return {
        kind: model.kind,
        classCount: model.classCount,
        additive: packTables(model.additive, shelf, `${prefix}additive.`),
      };
  }
}

function unpackBase(
  packed: PackedBase,
  codeCounts: readonly number[],
  shelf: ArrayShelf,
  prefix: string,
): BaseModel | null {
  switch (packed.kind) {
    case "forest":
      return unpackForest(packed, codeCounts.length, shelf, prefix);
    case "additive":
      return unpackTables(packed, codeCounts, shelf, prefix);
    case "additive trees":
      return unpackAdditiveTrees(packed, codeCounts.length, shelf, prefix);
    case "networks":
      return unpackNetworks(packed, codeCounts, shelf, prefix);
    case "paired": {
      const { kind, classCount } = packed;
      const pairs = unpackPairs(codeCounts, shelf, prefix);
      if (pairs === null || packed.additive.classCount !== classCount) return null;
      const additive = unpackTables(packed.additive, widenCodeCounts(codeCounts, pairs), shelf, `${prefix}additive.`);
      return additive === null ? null : { kind, classCount, pairs, additive };
    }
  }
}

function packTables(model: AdditiveModel, shelf: ArrayShelf, prefix: string): PackedTables {
  const { kind, classCount, outputCount, tables } = model;
  shelf.put(`${prefix}intercepts`, model.intercepts);
  tables.forEach((table, index) => {
    if (table !== null) shelf.put(`${prefix}table.${index}`, table);
  });
  return { kind, classCount, outputCount, hasTable: tables.map((table) => table !== null) };
}

function unpackTables(
  { kind, classCount, outputCount, hasTable }: PackedTables,
  codeCounts: readonly number[],
  shelf: ArrayShelf,
  prefix: string,
): AdditiveModel | null {
  const tables = hasTable.map((has, index) => (has ? shelf.take<Float64Array>(`${prefix}table.${index}`) : null));
  const isSound =
    outputCount === (classCount === 2 ? 1 : classCount) &&
    tables.length === codeCounts.length &&
    tables.every((table, index) => table === null || table.length === codeCounts[index]! * outputCount);
  const intercepts = shelf.take<Float64Array>(`${prefix}intercepts`);
  return isSound && intercepts.length === outputCount ? { kind, classCount, outputCount, intercepts, tables } : null;
}

function unpackForest(
  { kind, classCount, featureCount }: PackedForest,
  wantedFeatures: number,
  shelf: ArrayShelf,
  prefix: string,
): Forest | null {
  const forest = {
    kind,
    classCount,
    featureCount,
    roots: shelf.take<Uint32Array>(`${prefix}roots`),
    features: shelf.take<Uint16Array>(`${prefix}features`),
    thresholds: shelf.take<Uint16Array>(`${prefix}thresholds`),
    children: shelf.take<Int32Array>(`${prefix}children`),
    distributions: shelf.take<Float32Array>(`${prefix}distributions`),
  };
  return featureCount === wantedFeatures && checkForest(forest) ? forest : null;
}

function packStack(model: StackModel, shelf: ArrayShelf): PackedStack {
  shelf.put("weights", model.weights);
  shelf.put("intercepts", model.intercepts);
  const mergedCodeCounts = model.merges.map((merges, view) =>
    merges.map(({ codeOf, codeCount }, feature) => {
      shelf.put(`merge.${view}.${feature}`, codeOf);
      return codeCount;
    }),
  );
  const { mains } = model;
  return {
    kind: "stack",
    classCount: model.classCount,
    members: model.members.map(({ merge, model: member }, index) => ({
      merge,
      model: packBase(member, shelf, `member.${index}.`),
    })),
    mergedCodeCounts,
    mains: mains === null ? null : { merge: mains.merge, tables: packBase(mains.tables, shelf, "mains.") },
  };
}

function unpackStack(packed: PackedStack, codeCounts: readonly number[], shelf: ArrayShelf): StackModel | null {
  const { kind, classCount } = packed;
  const merges = packed.mergedCodeCounts.map((counts, view) =>
    counts.map((codeCount, feature) => ({ codeOf: shelf.take<Uint16Array>(`merge.${view}.${feature}`), codeCount })),
  );
  if (!merges.every((own) => leadSomewhere(own, codeCounts))) return null;
  const countsOf = (merge: number | null) => (merge === null ? codeCounts : packed.mergedCodeCounts[merge]);
  const baseOf = (merge: number | null, model: PackedBase, prefix: string) => {
    const counts = countsOf(merge);
    return counts === undefined || model.classCount !== classCount ? null : unpackBase(model, counts, shelf, prefix);
  };
  const members = packed.members.map(({ merge, model }, index) => ({
    merge,
    model: baseOf(merge, model, `member.${index}.`),
  }));
  const tables = packed.mains === null ? null : baseOf(packed.mains.merge, packed.mains.tables, "mains.");
  const weights = shelf.take<Float64Array>("weights");
  const intercepts = shelf.take<Float64Array>("intercepts");
  const isWhole = weights.length === members.length && members.length > 0 && intercepts.length === classCount;
  if (!isWhole || members.some(({ model }) => model === null)) return null;
  if (packed.mains !== null && tables?.kind !== "additive") return null;
  return {
    kind,
    classCount,
    weights,
    intercepts,
    merges,
    members: members as StackModel["members"],
    mains: packed.mains === null || tables?.kind !== "additive" ? null : { merge: packed.mains.merge, tables },
  };
}

/** Whether every code of the fine view leads to a code that the coarser view has. */
function leadSomewhere(merges: readonly FeatureMerge[], codeCounts: readonly number[]): boolean {
  return (
    merges.length === codeCounts.length &&
    merges.every(
      ({ codeOf, codeCount }, feature) =>
        codeOf.length === codeCounts[feature] && codeOf.every((code) => code < codeCount),
    )
  );
}
