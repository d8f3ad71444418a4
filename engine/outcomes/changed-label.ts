// Whether labels that came later have other shares than those of the training rows: a model that is right about
// each label alone is then right more or less often than promised.
import { sumOf } from "../sums.ts";
import { compareCounts } from "../watch/shift.ts";

/** A label with its shares of the training rows and of the later ones. */
export interface ChangedLabel {
  label: string;
  trained: number;
  later: number;
}

/** The chance that labels with the shares of the training rows are said to have others. */
const FALSE_CHANGE_LEVEL = 0.01;
/** Less is not worth a sentence: 30% for 24%, or 3% for 1%, is. */
const LEAST_INDEX = 0.015;

/**
 * The label whose share grew most; null where the labels have the shares of the training rows, but for chance and
 * what is too little to matter. `classCounts`: training rows by label, none where they are not known; `confusion`: rows
 * by actual label, then by decision.
 */
export function changedLabel(
  labels: readonly string[],
  classCounts: readonly number[],
  confusion: readonly (readonly number[])[],
  leastIndex: number = LEAST_INDEX,
): ChangedLabel | null {
  if (classCounts.length !== confusion.length) return null;
  const later = confusion.map(sumOf);
  const { pValue, index } = compareCounts(classCounts, later, false);
  if (pValue > FALSE_CHANGE_LEVEL || index < leastIndex) return null;
  const { at, share, before } = grownMost(later, classCounts);
  return { label: labels[at]!, trained: before, later: share };
}

/** The count whose share is larger than it was by the most, with both shares. */
export function grownMost(counts: readonly number[], before: readonly number[]) {
  const [total, totalBefore] = [sumOf(counts), sumOf(before)];
  const shares = counts.map((count, at) => ({ at, share: count / total, before: before[at]! / totalBefore }));
  return shares.reduce((most, each) => (each.share - each.before > most.share - most.before ? each : most));
}
