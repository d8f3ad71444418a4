// Judges a version by labels that came later: counts, and whether it is worse than promised.
import type { Database } from "../../data/database/database.ts";
import { findModelVersion } from "../../data/models.ts";
import { listOutcomes } from "../../data/outcomes.ts";
import type { VersionId } from "../../data/watch-counts.ts";
import { type Estimate, rightCount, wilsonInterval } from "../../engine/judging/metrics.ts";
import { addOutcomes, judgedCount, noOutcomes, type OutcomeCounts } from "../../engine/watch/outcomes.ts";
import {
  judgePromise,
  type LaterLabels,
  type PromiseVerdict,
  promisedShare,
} from "../../engine/watch/worse-than-promised.ts";

/** Labels that came on a day, by UTC. */
export interface DayOutcomes {
  day: string;
  counts: OutcomeCounts;
}

/** Whether a version is worse than promised, and since which day's labels; null where it is not. */
export interface DatedVerdict extends Omit<PromiseVerdict, "since"> {
  since: string | null;
}

/** With its 95% interval, by so many rows. */
export interface RealAccuracy extends Estimate {
  rowCount: number;
}

export interface VersionOutcomes {
  /** Predictions with labels. */
  predictionCount: number;
  counts: OutcomeCounts;
  confirmed: Estimate | null;
  verdict: DatedVerdict;
  /** By the day on which the rows were scored. */
  scored: ReadonlyMap<string, LaterLabels>;
}

/**
 * Reads all labelled predictions of the version. Decisions at another
 * threshold count, but the promise does not hold for them.
 */
export function versionOutcomes(database: Database, id: VersionId, classCount: number): VersionOutcomes {
  const all = listOutcomes(database, id);
  const counts = noOutcomes(all[0]?.counts.confusion.length ?? classCount);
  for (const { counts: own } of all) addOutcomes(counts, own);
  const held = all.filter(({ asTrained }) => asTrained);
  const days = joinDays(held.map(({ addedOn, counts: own }) => ({ day: addedOn.slice(0, 10), counts: own })));
  const confirmed = findModelVersion(database, id.modelKey, id.version)?.confirmedPerformance ?? null;
  const scored = new Map<string, LaterLabels>();
  for (const { scoredOn, counts: own } of all) {
    const day = scoredOn.slice(0, 10);
    const { right, wrong } = laterLabels(own);
    const known = scored.get(day) ?? { right: 0, wrong: 0 };
    scored.set(day, { right: known.right + right, wrong: known.wrong + wrong });
  }
  return { predictionCount: all.length, counts, confirmed, verdict: judgeDays(confirmed, days), scored };
}

/** The accuracy by labels of rows that were scored between two days, these included; null where none are known. */
export function accuracyBetween(scored: VersionOutcomes["scored"], from: string, to: string): RealAccuracy | null {
  let right = 0;
  let rowCount = 0;
  for (const [day, own] of scored) {
    if (day < from || day > to) continue;
    right += own.right;
    rowCount += own.right + own.wrong;
  }
  return rowCount === 0 ? null : { rowCount, ...wilsonInterval(right, rowCount) };
}

/** `days`: in their order. */
export function judgeDays(confirmed: Estimate | null, days: readonly DayOutcomes[]): DatedVerdict {
  const { since, ...verdict } = judgePromise(
    promisedShare(confirmed),
    days.map(({ counts }) => laterLabels(counts)),
  );
  return { ...verdict, since: since === null ? null : days[since]!.day };
}

/** Adds labels of a day to the days, which come in their order. */
export function joinDays(all: readonly DayOutcomes[]): DayOutcomes[] {
  const days: DayOutcomes[] = [];
  for (const { day, counts } of all) addToDay(days, day, counts);
  return days;
}

function laterLabels(counts: OutcomeCounts): LaterLabels {
  const right = rightCount(counts.confusion);
  return { right, wrong: judgedCount(counts) - right };
}

/** Days come in their order. */
function addToDay(days: DayOutcomes[], day: string, counts: OutcomeCounts): void {
  if (days.at(-1)?.day !== day) days.push({ day, counts: noOutcomes(counts.confusion.length) });
  addOutcomes(days.at(-1)!.counts, counts);
}
