// Trees as one ONNX operator that says in which leaf of each tree a row ends; what
// the leaves are worth is looked up in double precision.

import type { TreeNodes } from "../../fitting/tree-nodes.ts";
import { FIRST_CODE } from "../../table/buckets.ts";
import { ABOVE_ALL, endOfTree, MISSING_RIGHT } from "../../trees/tree-walk.ts";
import type { Graph } from "./graph.ts";
import { tooLarge } from "./refusals.ts";

/** The operator answers in single precision, which is exact for leaf numbers up to this. */
const MOST_NODES = 2 ** 24;
const MODES = ["BRANCH_LEQ", "LEAF"] as const;
const [BRANCH, LEAF] = [0, 1];

/** `rows × trees`: what `leafNumber` says of the leaf of each tree that a row ends in. */
export function leafNumbers(
  graph: Graph,
  trees: TreeNodes,
  codes: string,
  leafNumber: (node: number) => number,
): string {
  if (trees.children.length > MOST_NODES)
    throw tooLarge(`it has ${trees.children.length} nodes, and ${MOST_NODES} can be told apart`);
  const slots = slotsOf(graph, codes);
  const leaves = graph.ml === 5 ? walkV5(graph, trees, slots, leafNumber) : walkV2(graph, trees, slots, leafNumber);
  return graph.toInt(leaves);
}

/**
 * Gives each feature twice: first with 0 for missing and unseen values, which goes left at every split, then with a
 * number above all thresholds for them. Splits that send missing values right read the second. Exact in single
 * precision.
 */
function slotsOf(graph: Graph, codes: string): string {
  const isKnown = graph.toInt(graph.node("Greater", [codes, graph.ints([FIRST_CODE - 1])]));
  const left = graph.node("Mul", [codes, isKnown]);
  const lacks = graph.node("Sub", [graph.ints([1]), isKnown]);
  const right = graph.node("Add", [left, graph.node("Mul", [lacks, graph.ints([ABOVE_ALL])])]);
  return graph.toFloat(graph.node("Concat", [left, right], { axis: 1 }));
}

/** The feature, first or second time, that a split reads. */
function slotOf({ features, thresholds, featureCount }: TreeNodes, node: number): number {
  return features[node]! + (thresholds[node]! >= MISSING_RIGHT ? featureCount : 0);
}

/** By the operator that every runtime has: a list for each fact about the nodes. */
function walkV2(graph: Graph, trees: TreeNodes, slots: string, leafNumber: (node: number) => number): string {
  const { roots, children, thresholds } = trees;
  const leaves = leavesOf(trees);
  const weights = Float32Array.from(leaves, leafNumber);
  const treeOf = treeOfNodes(trees);
  const numberInTree = Uint32Array.from(treeOf, (tree, node) => node - roots[tree]!);
  const childOf = (side: number) =>
    Uint32Array.from(children, (child) => (child < 0 ? 0 : numberInTree[child]! + side));
  return graph.mlNode("TreeEnsembleRegressor", [slots], {
    nodes_treeids: treeOf,
    nodes_nodeids: numberInTree,
    nodes_modes: { choices: MODES, which: Uint8Array.from(children, (child) => (child < 0 ? LEAF : BRANCH)) },
    nodes_featureids: Uint32Array.from(children, (child, node) => (child < 0 ? 0 : slotOf(trees, node))),
    nodes_values: Float32Array.from(children, (child, node) => (child < 0 ? 0 : thresholds[node]! % MISSING_RIGHT)),
    nodes_truenodeids: childOf(0),
    nodes_falsenodeids: childOf(1),
    target_treeids: Uint32Array.from(leaves, (node) => treeOf[node]!),
    target_nodeids: Uint32Array.from(leaves, (node) => numberInTree[node]!),
    target_ids: Uint32Array.from(leaves, (node) => treeOf[node]!),
    target_weights: weights,
    n_targets: roots.length,
    aggregate_function: "SUM",
    post_transform: "NONE",
  });
}

/** By the younger operator, which lists splits and leaves apart and is less than half as large. */
function walkV5(graph: Graph, trees: TreeNodes, slots: string, leafNumber: (node: number) => number): string {
  const { roots, children, thresholds } = trees;
  const leaves = leavesOf(trees);
  const weights = Float32Array.from(leaves, leafNumber);
  const treeOf = treeOfNodes(trees);
  const splits = splitsOf(trees);
  /** Each node's place among the splits or among the leaves; a root that is a leaf stands among both. */
  const places = new Uint32Array(children.length);
  leaves.forEach((node, place) => {
    places[node] = place;
  });
  const rootPlaces = new Uint32Array(roots.length);
  splits.forEach((node, place) => {
    if (children[node]! >= 0) places[node] = place;
    if (node === roots[treeOf[node]!]) rootPlaces[treeOf[node]!] = place;
  });
  /** A root that is a leaf splits into itself, twice. */
  const childOf = (node: number, side: number) => (children[node]! < 0 ? node : children[node]! + side);
  const placesOn = (side: number) => Uint32Array.from(splits, (node) => places[childOf(node, side)]!);
  const areLeaves = (side: number) => Uint32Array.from(splits, (node) => (children[childOf(node, side)]! < 0 ? 1 : 0));
  const isLeaf = (node: number) => children[node]! < 0;
  return graph.mlNode("TreeEnsemble", [slots], {
    nodes_featureids: Uint32Array.from(splits, (node) => (isLeaf(node) ? 0 : slotOf(trees, node))),
    nodes_splits: {
      tensor: Float32Array.from(splits, (node) => (isLeaf(node) ? 0 : thresholds[node]! % MISSING_RIGHT)),
    },
    nodes_modes: { tensor: new Uint8Array(splits.length) },
    nodes_truenodeids: placesOn(0),
    nodes_falsenodeids: placesOn(1),
    nodes_trueleafs: areLeaves(0),
    nodes_falseleafs: areLeaves(1),
    leaf_targetids: Uint32Array.from(leaves, (node) => treeOf[node]!),
    leaf_weights: { tensor: weights },
    tree_roots: rootPlaces,
    n_targets: roots.length,
    aggregate_function: 1,
    post_transform: 0,
  });
}

/** The tree of each node. */
function treeOfNodes(trees: TreeNodes): Uint32Array {
  const treeOf = new Uint32Array(trees.children.length);
  for (const [tree, root] of trees.roots.entries()) treeOf.fill(tree, root, endOfTree(trees, tree));
  return treeOf;
}

/** The leaves, in the order of the nodes. */
export function leavesOf({ children }: TreeNodes): Uint32Array {
  return nodesWhere(children, (child) => child < 0);
}

/** The splits, and the roots that are leaves, in the order of the nodes. */
function splitsOf({ roots, children }: TreeNodes): Uint32Array {
  const isRoot = new Set(roots);
  return nodesWhere(children, (child, node) => child >= 0 || isRoot.has(node));
}

function nodesWhere(children: Int32Array, isMeant: (child: number, node: number) => boolean): Uint32Array {
  const found = new Uint32Array(children.length);
  let count = 0;
  children.forEach((child, node) => {
    if (isMeant(child, node)) found[count++] = node;
  });
  return found.slice(0, count);
}
