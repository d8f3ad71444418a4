// The one column without which a model is no better than guessing: no doubt, but worth the question whether new rows
// have it in time.

import type { Objective } from "../../engine/judging/objective.ts";
import { formatPercent } from "../common/format.ts";
import { inQuotes, labelInQuotes } from "../common/markup.ts";
import type { VersionSummary } from "../summary/summary.ts";
import type { ShownVerdict } from "../summary/verdict.ts";

/** The second importance is at most this share of the first. */
const MOST_OF_SECOND = 0.5;
/** A share of what guessing gets wrong: one that tells less is mostly the strongest of a few honest columns. */
const LEAST_TOLD = 0.4;

interface Facts {
  objective: Objective;
  baseline: { label: string; accuracy: number };
  verdict: Pick<ShownVerdict, "doubts">;
}

/**
 * Null where the champion is right more often than guessing with any one column shuffled, where another column is about
 * as important (two may act together), where all of them tell less than two fifths of what guessing gets wrong, where
 * there is but one column or importance is not known, and where a doubt names the column already. Importance counts
 * what accuracy loses in runs for accuracy alone.
 */
export function soleColumnWords(
  { objective, baseline, verdict }: Facts,
  { importance, confirmedPerformance: confirmed }: Pick<VersionSummary, "importance" | "confirmedPerformance">,
): string | null {
  const [first, second] = importance;
  if (objective !== "accuracy" || first === undefined || second === undefined || confirmed === null) return null;
  const left = confirmed.mean - first.mean;
  const isNamed = verdict.doubts.some(({ columns }) => columns.includes(first.name));
  if (confirmed.low <= baseline.accuracy || left > baseline.accuracy || isNamed) return null;
  if (second.mean > MOST_OF_SECOND * first.mean) return null;
  if (confirmed.mean - baseline.accuracy < LEAST_TOLD * (1 - baseline.accuracy)) return null;
  return (
    `Will new rows have ${inQuotes(first.name)} before their label is known? With its values ` +
    `shuffled the model is no better than guessing: ${formatPercent(left)} are right; always answering ` +
    `${labelInQuotes(baseline.label)} reaches ${formatPercent(baseline.accuracy)}.`
  );
}
