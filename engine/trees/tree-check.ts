// Whether trees read from a file are sound: every walk ends in a leaf that exists.

import type { TreeNodes } from "../fitting/tree-nodes.ts";
import { endOfTree } from "./tree-walk.ts";

/**
 * True where trees lie one after the other, children follow their parents inside their tree and
 * every index lies in its array, so that scoring ends and reads no further. `leafCount`:
 * entries that leaves point at; infinite where they point at none.
 */
export function areSoundTrees(trees: TreeNodes, leafCount: number): boolean {
  const { roots, features, thresholds, children } = trees;
  const nodeCount = children.length;
  if (features.length !== nodeCount || thresholds.length !== nodeCount || (roots[0] ?? 0) !== 0) return false;
  return roots.every((root, tree) => isSoundTree(trees, root, endOfTree(trees, tree), leafCount));
}

function isSoundTree({ featureCount, features, children }: TreeNodes, from: number, to: number, leafCount: number) {
  if (from >= to || to > children.length) return false;
  for (let node = from; node < to; node++) {
    const child = children[node]!;
    const isSound = child < 0 ? ~child < leafCount : child > node && child + 1 < to && features[node]! < featureCount;
    if (!isSound) return false;
  }
  return true;
}
