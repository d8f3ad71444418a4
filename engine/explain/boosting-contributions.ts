// Splits the log-odds of one row into contributions of its features, along the row's way down boosted trees.

import type { BoostedTrees } from "../boosting/boosted-trees.ts";
import { eachStep } from "../trees/tree-walk.ts";
import type { Contributions } from "./log-shares.ts";
import { addOutputs } from "./sum-contributions.ts";

/**
 * At every split on its way the row's value changes from the node's to the child's: the feature of the split is given
 * that change (Saabas 2014). softmax(base + Σ contributions of all features) is the model's answer, and those of a
 * feature sum to 0 over the classes. Where features act together it depends on the order of splits.
 */
export function pathContributions(model: BoostedTrees, codes: ArrayLike<number>): Contributions {
  const { classCount, featureCount, outputCount, intercepts, roots, values } = model;
  const base = intercepts.slice();
  const changes = new Float64Array(featureCount * outputCount);
  for (const [tree, root] of roots.entries()) {
    const output = tree % outputCount;
    base[output]! += values[root]!;
    eachStep(model, root, codes, (feature, node, next) => {
      changes[feature * outputCount + output]! += values[next]! - values[node]!;
    });
  }
  return { base: byClass(base, outputCount, classCount), contributions: byClass(changes, outputCount, classCount) };
}

/** Outputs of some features, or of the base alone, as contributions to the classes. */
function byClass(outputs: Float64Array, outputCount: number, classCount: number): Float64Array {
  const shares = new Float64Array((outputs.length / outputCount) * classCount);
  for (let from = 0; from < outputs.length; from += outputCount) {
    addOutputs(shares, from / outputCount, outputs, from, classCount, 1);
  }
  return shares;
}
