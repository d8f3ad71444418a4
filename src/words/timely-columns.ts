// The one column without which a model is no better than guessing, or the few that tell nearly the whole label: no
// doubt, but worth the question whether new rows have them in time.

import type { VerdictRecord } from "../../data/database/records.ts";
import type { Objective } from "../../engine/judging/objective.ts";
import { sumOf } from "../../engine/sums.ts";
import { formatList, formatPercent } from "../common/format.ts";
import { inQuotes, labelInQuotes } from "../common/markup.ts";
import type { VersionSummary } from "../summary/summary.ts";

/** The second importance is at most this share of the first. */
const MOST_OF_SECOND = 0.5;
/** A share of what guessing gets wrong: one that tells less is mostly the strongest of a few honest columns. */
const LEAST_TOLD = 0.4;
/** A label may be worked out from columns that tell this share of what guessing gets wrong (D196). */
const NEARLY_ALL = 0.95;
/** Shuffling each of them costs this share of what the model gains over guessing, and all others together little. */
const LEAST_OF_EACH = 0.2;
const MOST_OF_OTHERS = 0.05;
const MOST_TOGETHER = 3;

interface Facts {
  objective: Objective;
  baseline: { label: string; accuracy: number };
  verdict: Pick<VerdictRecord, "doubts">;
}

type Champion = Pick<VersionSummary, "importance" | "confirmedPerformance">;

/** Null where there is nothing to ask. Importance counts what accuracy loses in runs for accuracy alone. */
export function timelyColumnsWords(facts: Facts, champion: Champion): string | null {
  if (facts.objective !== "accuracy") return null;
  return soleColumnWords(facts, champion) ?? fewColumnsWords(facts, champion);
}

/** Null where doubts name all of them already, or other columns tell something too. */
function fewColumnsWords(
  { baseline, verdict }: Facts,
  { importance, confirmedPerformance: confirmed }: Champion,
): string | null {
  if (confirmed === null) return null;
  const lead = confirmed.mean - baseline.accuracy;
  const few = importance.filter(({ mean }) => mean >= LEAST_OF_EACH * lead);
  const ofOthers = sumOf(importance.slice(few.length).map(({ mean }) => Math.max(0, mean)));
  const isNamed = few.every(({ name }) => verdict.doubts.some(({ columns }) => columns.includes(name)));
  if (lead < NEARLY_ALL * (1 - baseline.accuracy) || isNamed) return null;
  if (few.length < 2 || few.length > MOST_TOGETHER || ofOthers > MOST_OF_OTHERS * lead) return null;
  const names = formatList(
    few.map(({ name }) => inQuotes(name)),
    MOST_TOGETHER,
  );
  return (
    `Is the label worked out from ${names}, and will new rows have these before it is known? They tell nearly the whole ` +
    `label, and the other columns add nothing: ${formatPercent(confirmed.mean)} are right.`
  );
}

/**
 * Null where the champion is right more often than guessing with any one column shuffled, where another column is about
 * as important (two may act together), where all of them tell less than two fifths of what guessing gets wrong, where
 * there is but one column or importance is not known, and where a doubt names the column already.
 */
function soleColumnWords(
  { baseline, verdict }: Facts,
  { importance, confirmedPerformance: confirmed }: Champion,
): string | null {
  const [first, second] = importance;
  if (first === undefined || second === undefined || confirmed === null) return null;
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
