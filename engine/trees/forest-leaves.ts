// The leaves of a forest as codes: one category for each tree, whose codes are the tree's leaves.
import { type CodedFeature, type CodedView, FIRST_CODE, newCodes } from "../buckets.ts";
import type { FitInput } from "../families/family.ts";
import { throwIfCancelled } from "../stop-signal.ts";
import type { Forest } from "./forest.ts";
import { type TrainingMatrix, trainingMatrix } from "./forest-rows.ts";
import { sideOf } from "./tree-walk.ts";

/** Leaves of one tree at most, so that their codes fit two bytes. */
export const MAX_LEAVES = 65_535 - FIRST_CODE;

/** Where rows end in each tree. */
export interface LeafColumns {
  /** The code that each node has as a leaf of its tree, from `FIRST_CODE` on in the order of nodes; 0 at splits. */
  codeOfNode: Uint16Array;
  /** One feature for each tree; row `i` is `input.rows[i]`. */
  view: CodedView;
}

/** Sends the fit rows down every tree. One or two bytes for each row and tree; O(rows × trees × depth). */
export function leafColumns(forest: Forest, input: FitInput): LeafColumns {
  const matrix = trainingMatrix(input);
  const codeOfNode = new Uint16Array(forest.children.length);
  const features = Array.from(forest.roots, (root, tree): CodedFeature => {
    throwIfCancelled(input.stop);
    const codeCount = numberLeaves(forest, root, forest.roots[tree + 1] ?? codeOfNode.length, codeOfNode);
    const codes = newCodes(codeCount, matrix.rowCount);
    writeLeaves(forest, root, matrix, codeOfNode, codes);
    return { kind: "category", codes, codeCount, centres: new Float64Array(0) };
  });
  return { codeOfNode, view: { rowCount: matrix.rowCount, features } };
}

/** Numbers the leaves of a tree, whose nodes stand together; returns the number of its codes. */
function numberLeaves({ children }: Forest, from: number, to: number, codeOfNode: Uint16Array): number {
  let code = FIRST_CODE;
  for (let node = from; node < to; node++) if (children[node]! < 0) codeOfNode[node] = code++;
  return code;
}

function writeLeaves(
  { features, thresholds, children }: Forest,
  root: number,
  { rowCount, codes }: TrainingMatrix,
  codeOfNode: Uint16Array,
  target: Uint8Array | Uint16Array,
): void {
  for (let row = 0; row < rowCount; row++) {
    let node = root;
    for (let child = children[node]!; child >= 0; child = children[node]!) {
      node = child + sideOf(thresholds[node]!, codes[features[node]! * rowCount + row]!);
    }
    target[row] = codeOfNode[node]!;
  }
}
