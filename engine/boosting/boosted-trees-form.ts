// Trees whose leaves add up to scores as a form of model: gradient boosting and refined forests end as one.

import { type ModelForm, putArrays, takeArrays } from "../fitting/model-form.ts";
import { outputCountOf } from "../fitting/score-tables.ts";
import { areSoundTrees } from "../trees/tree-check.ts";
import { BOOSTED_TREES_KIND, type BoostedTrees, scoreBoostedTrees } from "./boosted-trees.ts";

type PackedTrees = Pick<BoostedTrees, "kind" | "classCount">;

const ARRAYS = {
  intercepts: Float64Array,
  roots: Uint32Array,
  features: Uint16Array,
  thresholds: Uint16Array,
  children: Int32Array,
  values: Float32Array,
};

export const BOOSTED_TREES: ModelForm<BoostedTrees, PackedTrees> = {
  kind: BOOSTED_TREES_KIND,
  arrays: ARRAYS,
  score: scoreBoostedTrees,
  pack: ({ kind, classCount, ...model }, shelf, prefix) => {
    putArrays(ARRAYS, model, shelf, prefix);
    return { kind, classCount };
  },
  unpack: ({ kind, classCount }, codeCounts, shelf, prefix) => {
    const model: BoostedTrees = {
      kind,
      classCount,
      featureCount: codeCounts.length,
      outputCount: outputCountOf(classCount),
      ...takeArrays(ARRAYS, shelf, prefix),
    };
    return isSound(model) ? model : null;
  },
  treesAsked: ({ roots }) => roots.length,
  rowTrees: (model) => [model],
};

/**
 * True where the trees are sound, rounds are whole and every value is a number: then scoring a row reads no node twice.
 */
function isSound(model: BoostedTrees): boolean {
  const { classCount, outputCount, intercepts, roots, children, values } = model;
  if (!Number.isSafeInteger(classCount) || classCount < 2 || intercepts.length !== outputCount) return false;
  if (values.length !== children.length || roots.length % outputCount !== 0) return false;
  if (!intercepts.every(Number.isFinite) || !values.every(Number.isFinite)) return false;
  return areSoundTrees(model, Number.POSITIVE_INFINITY);
}
