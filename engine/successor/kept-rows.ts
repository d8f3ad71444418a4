// How many of the labelled rows are kept aside: the newest, by which champion and challenger are compared.
import { InputError } from "../input-error.ts";

/** The newest labelled rows. */
const KEPT_SHARE = 0.3;
/** The least that the paired test can tell is then six rows, which are 12 points. */
const FEWEST_KEPT = 50;
/** Twice as many, so that the challenger learns from at least as many rows as are kept. */
export const FEWEST_LABELLED = 2 * FEWEST_KEPT;

/** @throws InputError TOO_FEW_LABELS */
export function keptCount(labelledCount: number): number {
  if (labelledCount < FEWEST_LABELLED) throw tooFewLabels(labelledCount);
  return Math.max(FEWEST_KEPT, Math.ceil(KEPT_SHARE * labelledCount));
}

export function tooFewLabels(labelledCount: number): InputError {
  const message =
    `There are ${labelledCount} labelled rows that the champion has not learned from; ` +
    `a successor needs ${FEWEST_LABELLED}: ${FEWEST_KEPT} to compare it by and ${FEWEST_KEPT} to learn from. ` +
    "Send more labels.";
  return new InputError("TOO_FEW_LABELS", message);
}

/** @throws InputError ONE_LABEL where rows to compare by have one label alone */
export function requireTwoLabels(countByLabel: readonly number[]): void {
  if (countByLabel.filter((count) => count > 0).length > 1) return;
  const message =
    "The newest labelled rows all have the same label, so whoever always answers it would win. " +
    "Send labels of other rows too.";
  throw new InputError("ONE_LABEL", message);
}
