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
  const [trainedCount, laterCount] = [sumOf(classCounts), sumOf(later)];
  const shares = labels.map((label, at) => ({
    label,
    trained: classCounts[at]! / trainedCount,
    later: later[at]! / laterCount,
  }));
  const gainOf = ({ trained, later }: ChangedLabel) => later - trained;
  return shares.reduce((most, each) => (gainOf(each) > gainOf(most) ? each : most));
}
