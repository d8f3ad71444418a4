// Stage-wise trees as a head of plain values and named arrays, and back, checked.
import type { ArrayShelf } from "../array-shelf.ts";
import type { AdditiveTrees } from "./additive-trees.ts";

/** What of the trees is no array. */
export type PackedTrees = Pick<AdditiveTrees, "kind" | "classCount">;

/** Puts the arrays of the trees on the shelf; what is left is their head. */
export function packAdditiveTrees(model: AdditiveTrees, shelf: ArrayShelf, prefix: string): PackedTrees {
  const { kind, classCount } = model;
  shelf.put(`${prefix}intercepts`, model.intercepts);
  shelf.put(`${prefix}roots`, model.roots);
  shelf.put(`${prefix}features`, model.features);
  shelf.put(`${prefix}thresholds`, model.thresholds);
  shelf.put(`${prefix}children`, model.children);
  shelf.put(`${prefix}values`, model.values);
  return { kind, classCount };
}

/** Null where the parts do not fit together or with `featureCount` features. */
export function unpackAdditiveTrees(
  { kind, classCount }: PackedTrees,
  featureCount: number,
  shelf: ArrayShelf,
  prefix: string,
): AdditiveTrees | null {
  const model: AdditiveTrees = {
    kind,
    classCount,
    featureCount,
    outputCount: classCount === 2 ? 1 : classCount,
    intercepts: shelf.take<Float64Array>(`${prefix}intercepts`),
    roots: shelf.take<Uint32Array>(`${prefix}roots`),
    features: shelf.take<Uint16Array>(`${prefix}features`),
    thresholds: shelf.take<Uint16Array>(`${prefix}thresholds`),
    children: shelf.take<Int32Array>(`${prefix}children`),
    values: shelf.take<Float32Array>(`${prefix}values`),
  };
  return isSound(model) ? model : null;
}

/**
 * True where trees lie one after the other, children follow their parents inside their tree, every index lies in its array
 * and every value is a number: then scoring a row reads no node twice.
 */
function isSound(model: AdditiveTrees): boolean {
  const { classCount, outputCount, intercepts, roots, features, thresholds, children, values } = model;
  const nodeCount = children.length;
  if (!Number.isSafeInteger(classCount) || classCount < 2 || intercepts.length !== outputCount) return false;
  if (features.length !== nodeCount || thresholds.length !== nodeCount || values.length !== nodeCount) return false;
  if (!intercepts.every(Number.isFinite) || !values.every(Number.isFinite)) return false;
  if (roots.length % outputCount !== 0 || (roots[0] ?? 0) !== 0) return false;
  return roots.every((root, tree) => isSoundTree(model, root, roots[tree + 1] ?? nodeCount));
}

function isSoundTree({ featureCount, features, children }: AdditiveTrees, from: number, to: number): boolean {
  if (from >= to || to > children.length) return false;
  for (let node = from; node < to; node++) {
    const child = children[node]!;
    if (child < 0) continue;
    if (child <= node || child + 1 >= to || features[node]! >= featureCount) return false;
  }
  return true;
}
