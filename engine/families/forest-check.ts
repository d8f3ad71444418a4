// Whether a forest read from a file is sound: every walk ends in a leaf that exists.
import type { Forest } from "./forest.ts";

/** True where children follow their parents and every index lies in its array, so that scoring ends and reads no further. */
export function checkForest(forest: Forest): boolean {
  const { classCount, featureCount, roots, features, thresholds, children, distributions } = forest;
  const nodeCount = children.length;
  if (features.length !== nodeCount || thresholds.length !== nodeCount) return false;
  if (!roots.every((root) => root < nodeCount)) return false;
  const leafCount = distributions.length / classCount;
  for (let node = 0; node < nodeCount; node++) {
    const child = children[node]!;
    const isSound =
      child < 0 ? ~child < leafCount : child > node && child + 1 < nodeCount && features[node]! < featureCount;
    if (!isSound) return false;
  }
  return true;
}
