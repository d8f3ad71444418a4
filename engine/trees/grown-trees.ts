// Trees as their kernel grows them, and the nodes of many of them in one table.
import { concatenate } from "../concatenate.ts";
import type { TreeNodes } from "../fitting/tree-nodes.ts";

/** The nodes of one tree. Children count from its root, which is node 0; at leaves they are negative. */
export interface GrownTree {
  features: Uint16Array;
  thresholds: Uint16Array;
  children: Int32Array;
}

/** The nodes of all trees, one tree after the other; children count from the first node of all. */
export function joinTrees(trees: readonly GrownTree[]): Omit<TreeNodes, "featureCount"> {
  const roots = new Uint32Array(trees.length);
  const children = concatenate(
    Int32Array,
    trees.map((tree) => tree.children),
  );
  let root = 0;
  for (const [tree, grown] of trees.entries()) {
    roots[tree] = root;
    const end = root + grown.children.length;
    for (let node = root; node < end; node++) if (children[node]! >= 0) children[node] = children[node]! + root;
    root = end;
  }
  return {
    roots,
    features: concatenate(
      Uint16Array,
      trees.map((tree) => tree.features),
    ),
    thresholds: concatenate(
      Uint16Array,
      trees.map((tree) => tree.thresholds),
    ),
    children,
  };
}
