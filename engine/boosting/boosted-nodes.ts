// Growing storage of the nodes of boosted trees.

import type { BoostedTrees } from "./boosted-trees.ts";
import type { BoostedTreeNodes } from "./boosting-kernel.ts";

/** Nodes of the trees so far; the arrays are those of `BoostedTrees`, with room to spare. */
export interface BoostedNodes {
  count: number;
  features: Uint16Array;
  thresholds: Uint16Array;
  children: Int32Array;
  values: Float32Array;
}

export function newBoostedNodes(): BoostedNodes {
  const capacity = 1024;
  return {
    count: 0,
    features: new Uint16Array(capacity),
    thresholds: new Uint16Array(capacity),
    children: new Int32Array(capacity),
    values: new Float32Array(capacity),
  };
}

/** Appends a copy of a tree's nodes and returns its root. */
export function addTree(nodes: BoostedNodes, tree: BoostedTreeNodes): number {
  const root = nodes.count;
  const added = tree.children.length;
  reserve(nodes, root + added);
  nodes.features.set(tree.features, root);
  nodes.thresholds.set(tree.thresholds, root);
  nodes.values.set(tree.values, root);
  for (let node = 0; node < added; node++) {
    const child = tree.children[node]!;
    nodes.children[root + node] = child < 0 ? child : root + child;
  }
  nodes.count = root + added;
  return root;
}

function reserve(nodes: BoostedNodes, needed: number): void {
  if (needed <= nodes.children.length) return;
  const capacity = 2 * needed;
  nodes.features = enlarged(nodes.features, new Uint16Array(capacity));
  nodes.thresholds = enlarged(nodes.thresholds, new Uint16Array(capacity));
  nodes.children = enlarged(nodes.children, new Int32Array(capacity));
  nodes.values = enlarged(nodes.values, new Float32Array(capacity));
}

/** A compact copy of the first `roots.length` trees. */
export function packTrees(
  nodes: BoostedNodes,
  roots: readonly number[],
  shape: Pick<BoostedTrees, "classCount" | "featureCount" | "outputCount" | "intercepts">,
): BoostedTrees {
  return {
    kind: "additive trees",
    ...shape,
    roots: Uint32Array.from(roots),
    features: nodes.features.slice(0, nodes.count),
    thresholds: nodes.thresholds.slice(0, nodes.count),
    children: nodes.children.slice(0, nodes.count),
    values: nodes.values.slice(0, nodes.count),
  };
}

function enlarged<T extends Uint16Array | Int32Array | Float32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
