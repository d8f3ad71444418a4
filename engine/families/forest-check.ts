// Whether a forest read from a file is sound: every walk ends in a leaf that exists.
import type { Forest } from "./forest.ts";

/**
 * True where trees lie one after the other, children follow their parents inside their tree and every index lies in its array,
 * so that scoring ends and reads no further.
 */
export function checkForest(forest: Forest): boolean {
  const { classCount, roots, features, thresholds, children, distributions } = forest;
  const nodeCount = children.length;
  if (features.length !== nodeCount || thresholds.length !== nodeCount || (roots[0] ?? 0) !== 0) return false;
  const leafCount = distributions.length / classCount;
  return roots.every((root, tree) => isSoundTree(forest, root, roots[tree + 1] ?? nodeCount, leafCount));
}

function isSoundTree({ featureCount, features, children }: Forest, from: number, to: number, leafCount: number) {
  if (from >= to || to > children.length) return false;
  for (let node = from; node < to; node++) {
    const child = children[node]!;
    const isSound = child < 0 ? ~child < leafCount : child > node && child + 1 < to && features[node]! < featureCount;
    if (!isSound) return false;
  }
  return true;
}
