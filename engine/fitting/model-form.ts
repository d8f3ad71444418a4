// Forms of fitted models: how each is scored and stored. How each is explained stands in explain/explanations.ts.

import type { StoredArray } from "../arrays/array-file.ts";
import type { ArrayShelf } from "../arrays/array-shelf.ts";
import type { CodedView } from "../table/buckets.ts";
import type { TreeNodes } from "./tree-nodes.ts";

/** The first fields of every model, and of its head in a file. */
export interface ModelHead {
  kind: string;
  classCount: number;
}

/**
 * One form of model. Several algorithms may end in the same form: naive Bayes and logistic regression both make score
 * tables. `Packed` is the part of a model that is no array, as plain values.
 */
export interface ModelForm<Model extends ModelHead, Packed extends ModelHead = ModelHead> {
  /** The model's `kind`; files name it too, so it never changes. */
  kind: Model["kind"];
  /** Element types of the arrays that `pack` stores, by the last word of their names that is no number. */
  arrays: ArrayTypes;
  /**
   * Writes the class probabilities of some rows, `rows.length × classCount`. The view must have the bucketing that the
   * model was fitted on. `treeLimit`: trees of a forest that are asked at most.
   */
  score(model: Model, view: CodedView, rows: Uint32Array, out: Float64Array, treeLimit?: number): void;
  /** Puts the model's arrays on the shelf, their names after `prefix`; returns the rest. */
  pack(model: Model, shelf: ArrayShelf, prefix: string): Packed;
  /**
   * Null if the parts do not fit together, or do not fit features of these code counts and texts of
   * these term counts (none where left out), so that scoring would read outside an array or never end.
   * May throw TypeError or RangeError if `packed` has another shape.
   */
  unpack(
    packed: Packed,
    codeCounts: readonly number[],
    shelf: ArrayShelf,
    prefix: string,
    termCounts?: readonly number[],
  ): Model | null;
  /** Trees that a row goes down, with at most `treeLimit` of each forest. Left out by forms without trees. */
  treesAsked?(model: Model, treeLimit: number): number;
  /** Trees that may be laid out for rows scored one by one. Left out by forms without trees. */
  rowTrees?(model: Model): TreeNodes[];
}

/** The arrays of one model by name, each with the type that a file stores it as. */
type ArrayTypes = Readonly<Record<string, new (length: number) => StoredArray>>;

/** Puts the named arrays of a model on the shelf. */
export function putArrays<Types extends ArrayTypes>(
  types: Types,
  arrays: Readonly<Record<keyof Types, StoredArray>>,
  shelf: ArrayShelf,
  prefix: string,
): void {
  for (const name of Object.keys(types)) shelf.put(`${prefix}${name}`, arrays[name as keyof Types]);
}

/** Takes the named arrays of a model from the shelf. */
export function takeArrays<Types extends ArrayTypes>(
  types: Types,
  shelf: ArrayShelf,
  prefix: string,
): { [Name in keyof Types]: InstanceType<Types[Name]> } {
  const arrays = Object.keys(types).map((name) => [name, shelf.take(`${prefix}${name}`)]);
  return Object.fromEntries(arrays) as { [Name in keyof Types]: InstanceType<Types[Name]> };
}
