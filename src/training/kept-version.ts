// A version that a run keeps, and the settings that its fits use.

import { concatenate } from "../../engine/concatenate.ts";
import type { EffectCurves } from "../../engine/explain/effect-curves.ts";
import type { BaseModel } from "../../engine/families/base-algorithms.ts";
import { type Aim, estimateAchieved } from "../../engine/judging/estimate.ts";
import type { Estimate } from "../../engine/judging/metrics.ts";
import type { Confirmation, FoundSettings } from "../../engine/search/refit.ts";
import type { TrainingTask } from "../../engine/search/training-task.ts";
import { confirmingParts, splitByPart } from "../../engine/splits/holdout.ts";
import { type LabelledRows, labelledRows } from "../../engine/table/table.ts";
import type { FinishedAttempt } from "./competition-state.ts";

/** A kept version. */
export interface KeptVersion {
  version: number;
  attempt: FinishedAttempt;
  /** Accuracy on further re-splits, and how the objective is met there; null if the run was stopped before. */
  confirmed: Estimate | null;
  objectiveConfirmed: Estimate | null;
  confirmations: readonly Confirmation[];
  /** The effects that the refitted model learned for each column; empty before the refit. */
  effects: readonly EffectCurves[];
  /** Models that have learned from more rows than the search; left out where all rows are refitted. */
  bases?: readonly BaseModel[];
}

/** How a version meets an aim on the holdout; the interval widens with the difference of groups or times. */
export function heldOutEstimate(
  aim: Aim,
  { attempt }: Pick<KeptVersion, "attempt">,
  { table, split, clusters }: TrainingTask,
): Estimate {
  return estimateAchieved(aim, attempt.answer.holdout.decisions, labelledRows(table, split.judging), clusters);
}

/** The rows that confirm versions, one re-split after the other: no row is in two of them. */
export function confirmingRows({ table, parts }: Pick<TrainingTask, "table" | "parts">): LabelledRows {
  const judging = confirmingParts(parts).map((part) => splitByPart(parts, part).judging);
  return labelledRows(table, concatenate(Uint32Array, judging));
}

/** The decisions about `confirmingRows`, in their order. */
export function confirmedDecisions(confirmations: readonly Confirmation[]): Uint8Array {
  return concatenate(
    Uint8Array,
    confirmations.map(({ decisions }) => decisions),
  );
}

export function foundSettings({ spec, settings, answer }: FinishedAttempt): FoundSettings {
  return { buckets: spec.buckets, seed: spec.seed, settings, mains: answer.mains?.found ?? null };
}

/**
 * The settings that the re-split at a place confirms. A stack on a small table has weights of its own there, which
 * were fitted without the rows that judge it.
 */
export function settingsToConfirm(attempt: FinishedAttempt, place: number): FoundSettings {
  const found = foundSettings(attempt);
  const { settings } = found;
  const fitted = attempt.answer.confirming?.[place];
  if (fitted === undefined || settings.algorithm !== "stack") return found;
  const { weights, intercepts } = fitted.stacking;
  const members = settings.members.map((member, base) => ({ ...member, weight: weights[base]! }));
  return { ...found, settings: { ...settings, members, intercepts: [...intercepts] }, mains: fitted.mains };
}

/** A stack's weights and tables for the refit are fitted with the holdout. */
export function finalSettings(attempt: FinishedAttempt): FoundSettings {
  const found = foundSettings(attempt);
  const { settings } = found;
  if (settings.algorithm !== "stack") return found;
  const members = settings.members.map((member) => ({ ...member, weight: member.finalWeight }));
  const final = { ...settings, members, intercepts: settings.finalIntercepts };
  return { ...found, settings: final, mains: attempt.answer.mains?.final ?? null };
}
