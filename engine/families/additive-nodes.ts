// Growing storage of the nodes of stage-wise trees.
import type { AdditiveTrees } from "./additive-trees.ts";

/** Nodes of the trees so far; the arrays are those of `AdditiveTrees`, with room to spare. */
export interface AdditiveNodes {
  count: number;
  features: Uint16Array;
  thresholds: Uint16Array;
  children: Int32Array;
  values: Float32Array;
}

export function newAdditiveNodes(): AdditiveNodes {
  const capacity = 1024;
  return {
    count: 0,
    features: new Uint16Array(capacity),
    thresholds: new Uint16Array(capacity),
    children: new Int32Array(capacity),
    values: new Float32Array(capacity),
  };
}

/** Makes `added` leaves of value 0 and returns the first one's index. */
export function addLeaves(nodes: AdditiveNodes, added: number): number {
  const first = nodes.count;
  const needed = first + added;
  if (needed > nodes.children.length) {
    const capacity = 2 * needed;
    nodes.features = enlarged(nodes.features, new Uint16Array(capacity));
    nodes.thresholds = enlarged(nodes.thresholds, new Uint16Array(capacity));
    nodes.children = enlarged(nodes.children, new Int32Array(capacity));
    nodes.values = enlarged(nodes.values, new Float32Array(capacity));
  }
  nodes.count = needed;
  for (let node = first; node < needed; node++) {
    nodes.features[node] = 0;
    nodes.thresholds[node] = 0;
    nodes.children[node] = -1;
    nodes.values[node] = 0;
  }
  return first;
}

/** A compact copy of the first `roots.length` trees. */
export function packTrees(
  nodes: AdditiveNodes,
  roots: readonly number[],
  shape: Pick<AdditiveTrees, "classCount" | "featureCount" | "outputCount" | "intercepts">,
): AdditiveTrees {
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
