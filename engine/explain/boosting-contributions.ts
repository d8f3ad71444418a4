// Splits the log-odds of one row into contributions of its features, along the row's way down boosted trees.

import type { BoostedTrees } from "../boosting/boosted-trees.ts";
import { sumOf } from "../sums.ts";
import { eachStep } from "../trees/tree-walk.ts";
import type { Contributions } from "./log-shares.ts";

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
  return { base: byClass(base, classCount), contributions: byClass(changes, classCount) };
}

/** Outputs as shares of classes that sum to 0; with two classes the one output is their difference. */
function byClass(outputs: Float64Array, classCount: number): Float64Array {
  if (classCount === 2) {
    const shares = new Float64Array(2 * outputs.length);
    for (const [index, difference] of outputs.entries()) {
      shares[2 * index]! -= difference / 2;
      shares[2 * index + 1]! += difference / 2;
    }
    return shares;
  }
  const shares = outputs.slice();
  for (let from = 0; from < shares.length; from += classCount) {
    const ofNode = shares.subarray(from, from + classCount);
    const mean = sumOf(ofNode) / classCount;
    for (let k = 0; k < classCount; k++) ofNode[k]! -= mean;
  }
  return shares;
}
