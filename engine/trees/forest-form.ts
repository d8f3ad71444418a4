// Forests as a form of model.
import { type ModelForm, putArrays, takeArrays } from "../fitting/model-form.ts";
import { type Forest, scoreForest } from "./forest.ts";
import { areSoundTrees } from "./tree-check.ts";

type PackedForest = Pick<Forest, "kind" | "classCount" | "featureCount">;

const ARRAYS = {
  roots: Uint32Array,
  features: Uint16Array,
  thresholds: Uint16Array,
  children: Int32Array,
  distributions: Float32Array,
};

export const FOREST: ModelForm<Forest, PackedForest> = {
  kind: "forest",
  arrays: ARRAYS,
  score: scoreForest,
  pack: ({ kind, classCount, featureCount, ...model }, shelf, prefix) => {
    putArrays(ARRAYS, model, shelf, prefix);
    return { kind, classCount, featureCount };
  },
  unpack: ({ kind, classCount, featureCount }, codeCounts, shelf, prefix) => {
    const forest: Forest = { kind, classCount, featureCount, ...takeArrays(ARRAYS, shelf, prefix) };
    const leafCount = forest.distributions.length / classCount;
    return featureCount === codeCounts.length && areSoundTrees(forest, leafCount) ? forest : null;
  },
  treesAsked: ({ roots }, treeLimit) => Math.min(treeLimit, roots.length),
  rowTrees: (model) => [model],
};
