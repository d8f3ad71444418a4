// A fitted model of any kind, and the names that people see of it.
import type { CodedView } from "../buckets.ts";
import { additiveForRows } from "./additive-trees.ts";
import { type BaseModel, type BaseSettings, scoreBase } from "./base-model.ts";
import type { FamilyName } from "./family.ts";
import { forestForRows } from "./forest.ts";
import { layOutForRows } from "./row-walk.ts";
import { type StackModel, type StackSettings, scoreStack } from "./stack-model.ts";

export type Model = BaseModel | StackModel;

export type ModelSettings = BaseSettings | ({ algorithm: "stack" } & StackSettings);

/** Has the trees of a model that stays laid out for rows that are scored one by one: returns how many bytes that has taken. */
export function layOutModel(model: Model): number {
  const parts = model.kind === "stack" ? model.members.map((member) => member.model) : [model];
  return layOutForRows(
    parts.flatMap((part) => {
      if (part.kind === "forest") return forestForRows(part);
      return part.kind === "additive trees" ? additiveForRows(part) : [];
    }),
  );
}

/**
 * Class probabilities of some rows of a view, `rows.length × classCount`. The view has the model's bucketing; for a stack,
 * the fine one. `treeLimit`: trees of each forest that are asked at most.
 */
export function scoreModel(model: Model, view: CodedView, rows: Uint32Array, treeLimit?: number): Float64Array {
  return model.kind === "stack" ? scoreStack(model, view, rows, treeLimit) : scoreBase(model, view, rows, treeLimit);
}

/**
 * Whether the probabilities are tempered: those of sums of many terms are bolder, or more cautious, than they come true.
 * Not a forest's, whose out-of-bag votes are those of a third of its trees and tell little of all of them, nor a stack's,
 * which is fitted on log-odds of rows that its members had not seen.
 */
export function isTempered({ algorithm }: ModelSettings): boolean {
  return algorithm !== "forest" && algorithm !== "stack";
}

/** The family that a model's settings belong to. */
export function familyOf({ algorithm }: ModelSettings): FamilyName {
  switch (algorithm) {
    case "forest":
    case "refined forest":
      return "random forest";
    case "naive Bayes":
    case "paired naive Bayes":
    case "k-dependence naive Bayes":
    case "AODE":
      return "naive Bayes";
    case "logistic regression":
    case "logistic regression with interactions":
    case "additive logistic regression":
    case "stack":
      return "logistic regression";
  }
}

/** The name of the algorithm that people see. */
export function algorithmName(settings: ModelSettings): string {
  switch (settings.algorithm) {
    case "forest":
      if (settings.balanced === true) return "balanced random forest";
      return settings.variant === "forest" ? "random forest" : "extra-trees";
    case "naive Bayes":
      return settings.variant === "plain" ? "naive Bayes" : `${settings.variant} naive Bayes`;
    case "paired naive Bayes":
      return "weighted naive Bayes with joint columns";
    case "AODE":
      return "averaged one-dependence naive Bayes";
    case "logistic regression":
      return `${settings.basis} logistic regression`;
    case "logistic regression with interactions":
      return settings.interactions === "tables"
        ? "logistic regression with pairs"
        : "logistic regression with products";
    case "stack":
      return settings.withMains ? "stacked logistic regression with main effects" : "stacked logistic regression";
    default:
      return settings.algorithm;
  }
}
