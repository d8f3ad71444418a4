// Whether labels came for rows that were chosen by their decisions, as where only rows predicted "yes" are looked at:
// how often those were right says nothing about all rows.
import { sumOf } from "../sums.ts";
import { compareCounts, LEAST_INDEX } from "../watch/shift.ts";
import { grownMost } from "./changed-label.ts";
import type { OutcomeCounts } from "./outcomes.ts";

/** The decision that labelled rows have more often than all rows, with its shares of both. */
export interface ChosenRows {
  decision: string;
  labelled: number;
  all: number;
}

/** The chance that labels of rows drawn at random are called chosen. */
const FALSE_CALL_LEVEL = 0.01;

/** Null where labelled rows have the decisions of all, but for chance and what is too little to matter. */
export function chosenRows(
  labels: readonly string[],
  { confusion, withoutLabelBy = [] }: Pick<OutcomeCounts, "confusion" | "withoutLabelBy">,
): ChosenRows | null {
  const labelled = labels.map((_, decision) => sumOf(confusion.map((row) => row[decision]!)));
  const all = labelled.map((count, decision) => count + (withoutLabelBy[decision] ?? 0));
  if (sumOf(labelled) === 0) return null;
  if (compareCounts(withoutLabelBy, labelled, false).pValue > FALSE_CALL_LEVEL) return null;
  if (compareCounts(all, labelled, false).index < LEAST_INDEX) return null;
  const { at, share, before } = grownMost(labelled, all);
  return { decision: labels[at]!, labelled: share, all: before };
}
