// Every algorithm, the stack of others included, and the functions of any fitted model.

import type { AlgorithmEntry } from "../fitting/algorithm-entry.ts";
import type { FamilyName } from "../fitting/family.ts";
import type { ModelForm } from "../fitting/model-form.ts";
import type { CodedView } from "../table/buckets.ts";
import { layOutForRows } from "../trees/row-walk.ts";
import { BASE_ALGORITHMS, BASE_FORMS, type BaseModel, type BaseSettings } from "./base-algorithms.ts";
import { STACK } from "./stack-form.ts";
import type { StackModel, StackSettings } from "./stack-model.ts";

export type Model = BaseModel | StackModel;
export type ModelSettings = BaseSettings | ({ algorithm: "stack" } & StackSettings);

/** No base algorithm: it rests on other attempts instead of learning from rows alone. */
const STACK_ENTRY: AlgorithmEntry<Extract<ModelSettings, { algorithm: "stack" }>> = {
  family: "logistic regression",
  nameOf: ({ withMains }) =>
    withMains ? "stacked logistic regression with main effects" : "stacked logistic regression",
  costRank: 9,
  isWeak: false,
};

/** The forms that models take, by the `kind` that files name. */
export const MODEL_FORMS: ReadonlyMap<string, ModelForm<Model>> = new Map<string, ModelForm<Model>>([
  ...BASE_FORMS,
  [STACK.kind, STACK],
]);

export function formOf({ kind }: Model): ModelForm<Model> {
  return MODEL_FORMS.get(kind)!;
}

/** The registry's entry of the algorithm that these settings are for. */
export function entryOf({ algorithm }: ModelSettings): AlgorithmEntry<ModelSettings> {
  return (algorithm === "stack" ? STACK_ENTRY : BASE_ALGORITHMS[algorithm]) as AlgorithmEntry<ModelSettings>;
}

/** The family that a model's settings belong to. */
export function familyOf(settings: ModelSettings): FamilyName {
  return entryOf(settings).family;
}

/** The name of the algorithm that people see. */
export function algorithmName(settings: ModelSettings): string {
  return entryOf(settings).nameOf(settings);
}

/**
 * Class probabilities of some rows of a view, `rows.length × classCount`. The view has the model's bucketing; for a
 * stack, the fine one. `treeLimit`: trees of each forest that are asked at most.
 */
export function scoreModel(model: Model, view: CodedView, rows: Uint32Array, treeLimit?: number): Float64Array {
  const probabilities = new Float64Array(rows.length * model.classCount);
  formOf(model).score(model, view, rows, probabilities, treeLimit);
  return probabilities;
}

/** Lays out a cached model's trees for single-row scoring; returns the bytes used. */
export function layOutModel(model: Model): number {
  return layOutForRows(formOf(model).rowTrees?.(model) ?? []);
}
