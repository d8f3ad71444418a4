// A stack as a form of model: every function combines those of its members, by weight, and of the tables on top.

import type { ArrayShelf } from "../arrays/array-shelf.ts";
import type { ModelForm, ModelHead } from "../fitting/model-form.ts";
import { BASE_FORMS, type BaseModel, baseFormOf } from "./base-algorithms.ts";
import { type FeatureMerge, type StackModel, scoreStack } from "./stack-model.ts";

interface PackedStack {
  kind: "stack";
  classCount: number;
  members: readonly { merge: number | null; model: ModelHead }[];
  /** Code counts of every feature, merge by merge. */
  mergedCodeCounts: readonly (readonly number[])[];
  mains: { merge: number | null; tables: ModelHead } | null;
}

export const STACK: ModelForm<StackModel, PackedStack> = {
  kind: "stack",
  arrays: { weights: Float64Array, intercepts: Float64Array, merge: Uint16Array },
  score: scoreStack,
  pack,
  unpack,
  treesAsked: ({ members }, treeLimit) =>
    members.reduce((sum, { model }) => sum + (baseFormOf(model).treesAsked?.(model, treeLimit) ?? 1), 0),
  rowTrees: ({ members }) => members.flatMap(({ model }) => baseFormOf(model).rowTrees?.(model) ?? []),
};

function pack(model: StackModel, shelf: ArrayShelf, prefix: string): PackedStack {
  const { kind, classCount, mains } = model;
  shelf.put(`${prefix}weights`, model.weights);
  shelf.put(`${prefix}intercepts`, model.intercepts);
  const mergedCodeCounts = model.merges.map((merges, view) =>
    merges.map(({ codeOf, codeCount }, feature) => {
      shelf.put(`${prefix}merge.${view}.${feature}`, codeOf);
      return codeCount;
    }),
  );
  const packBase = (base: BaseModel, name: string) => baseFormOf(base).pack(base, shelf, `${prefix}${name}.`);
  return {
    kind,
    classCount,
    members: model.members.map(({ merge, model: member }, index) => ({
      merge,
      model: packBase(member, `member.${index}`),
    })),
    mergedCodeCounts,
    mains: mains === null ? null : { merge: mains.merge, tables: packBase(mains.tables, "mains") },
  };
}

function unpack(
  packed: PackedStack,
  codeCounts: readonly number[],
  shelf: ArrayShelf,
  prefix: string,
  termCounts: readonly number[] = [],
): StackModel | null {
  const { kind, classCount } = packed;
  const merges = packed.mergedCodeCounts.map((counts, view) =>
    counts.map((codeCount, feature) => ({
      codeOf: shelf.take<Uint16Array>(`${prefix}merge.${view}.${feature}`),
      codeCount,
    })),
  );
  if (!merges.every((merge) => leadSomewhere(merge, codeCounts))) return null;
  const unpackBase = (merge: number | null, head: ModelHead, name: string) => {
    const counts = merge === null ? codeCounts : packed.mergedCodeCounts[merge];
    const isKnown = merge === null || Number.isSafeInteger(merge);
    if (!isKnown || counts === undefined || head.classCount !== classCount) return null;
    return BASE_FORMS.get(head.kind)?.unpack(head, counts, shelf, `${prefix}${name}.`, termCounts) ?? null;
  };
  const members = packed.members.map(({ merge, model }, index) => ({
    merge,
    model: unpackBase(merge, model, `member.${index}`),
  }));
  const tables = packed.mains === null ? null : unpackBase(packed.mains.merge, packed.mains.tables, "mains");
  const weights = shelf.take<Float64Array>(`${prefix}weights`);
  const intercepts = shelf.take<Float64Array>(`${prefix}intercepts`);
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

/** True if every code of the fine view maps to a code of the coarser view. */
function leadSomewhere(merges: readonly FeatureMerge[], codeCounts: readonly number[]): boolean {
  return (
    merges.length === codeCounts.length &&
    merges.every(
      ({ codeOf, codeCount }, feature) =>
        codeOf.length === codeCounts[feature] && codeOf.every((code) => code < codeCount),
    )
  );
}
