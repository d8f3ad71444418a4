// A version that a run keeps, and the settings that its fits use.
import type { EffectCurves } from "../../engine/explain/effect-curves.ts";
import type { BaseModel } from "../../engine/families/base-algorithms.ts";
import type { Estimate } from "../../engine/judging/metrics.ts";
import type { Confirmation, FoundSettings } from "../../engine/search/refit.ts";
import type { FinishedAttempt } from "./competition-state.ts";

/** A kept version. */
export interface KeptVersion {
  version: number;
  attempt: FinishedAttempt;
  /** Accuracy on further re-splits; null if the run was stopped before. */
  confirmed: Estimate | null;
  confirmations: readonly Confirmation[];
  /** The effects that the refitted model learned for each column; empty before the refit. */
  effects: readonly EffectCurves[];
  /** Models that have learned from more rows than the search; left out where all rows are refitted. */
  bases?: readonly BaseModel[];
}

export function foundSettings({ spec, settings, answer }: FinishedAttempt): FoundSettings {
  return { buckets: spec.buckets, seed: spec.seed, settings, mains: answer.mains?.found ?? null };
}

/**
 * The settings that the re-split at a place confirms: a small table's stack
 * has weights there that its rows had no part in.
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
