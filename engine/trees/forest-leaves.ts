// The leaves of a forest as codes: one category for each tree, whose codes are the tree's leaves.

import type { FitInput } from "../fitting/family.ts";
import { throwIfCancelled } from "../stop-signal.ts";
import { type CodedFeature, type CodedView, FIRST_CODE, newCodes } from "../table/buckets.ts";
import type { Forest } from "./forest.ts";
import { endOfTree } from "./tree-walk.ts";
import { walkTrees } from "./walk-trees.ts";

/** Leaves of one tree at most, so that their codes fit two bytes. */
export const MAX_LEAVES = 65_535 - FIRST_CODE;

export interface LeafColumns {
  /** The code that each node has as a leaf of its tree, from `FIRST_CODE` on in the order of nodes; 0 at splits. */
  codeOfNode: Uint16Array;
  /** One feature for each tree: the leaf of each row. Row `i` is `input.rows[i]`. */
  view: CodedView;
}

/** Sends the fit rows down every tree. One or two bytes for each row and tree; O(rows × trees × depth). */
export function leafColumns(forest: Forest, { view, rows, stop }: FitInput): LeafColumns {
  const codeOfNode = new Uint16Array(forest.children.length);
  const features = Array.from(forest.roots, (root, tree): CodedFeature => {
    const codeCount = numberLeaves(forest, root, endOfTree(forest, tree), codeOfNode);
    return { kind: "category", codes: newCodes(codeCount, rows.length), codeCount, centres: new Float64Array(0) };
  });
  walkTrees(forest, features.length, view, rows, (tree, leaves, from, start, count) => {
    throwIfCancelled(stop);
    const { codes } = features[tree]!;
    for (let i = 0; i < count; i++) codes[start + i] = codeOfNode[leaves[from + i]!]!;
  });
  return { codeOfNode, view: { rowCount: rows.length, features } };
}

/** Numbers the leaves of a tree, whose nodes stand together; returns the number of its codes. */
function numberLeaves({ children }: Forest, from: number, to: number, codeOfNode: Uint16Array): number {
  let code = FIRST_CODE;
  for (let node = from; node < to; node++) if (children[node]! < 0) codeOfNode[node] = code++;
  return code;
}
