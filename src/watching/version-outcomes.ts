// Judges a version by labels that came later: counts, and whether it is worse than promised.
import type { Database } from "../../data/database/database.ts";
import { listOutcomes } from "../../data/outcomes.ts";
import type { VersionId } from "../../data/watch-counts.ts";
import { type Aim, estimateOf } from "../../engine/judging/estimate.ts";
import { type Estimate, rightCount, wilsonInterval } from "../../engine/judging/metrics.ts";
import type { Objective } from "../../engine/judging/objective.ts";
import { type ChangedLabel, changedLabel } from "../../engine/outcomes/changed-label.ts";
import { type ChosenRows, chosenRows } from "../../engine/outcomes/chosen-rows.ts";
import {
  accuracyOfOutcomes,
  addOutcomes,
  judgedCount,
  noOutcomes,
  type OutcomeCounts,
} from "../../engine/outcomes/outcomes.ts";
import {
  confirmedFigure,
  countKinds,
  type Promised,
  type PromisingModel,
  promiseOf,
} from "../../engine/outcomes/promise.ts";
import { judgePromise, type PromiseVerdict } from "../../engine/outcomes/worse-than-promised.ts";

/** Labels that came on a day, by UTC. */
export interface DayOutcomes {
  day: string;
  counts: OutcomeCounts;
}

/** Whether a version is worse than promised, and since which day's labels; null where it is not. */
interface DatedVerdict extends Omit<PromiseVerdict, "since"> {
  since: string | null;
  /** The figure that the version is held to, as `achieved` says it; null where there is none. */
  promised: number | null;
  /** Nothing is promised because all decisions were made at another threshold than the trained one. */
  otherThreshold: boolean;
  /** Nothing is promised because labels came for rows that were chosen by their decisions. */
  chosen: ChosenRows | null;
}

/** The parts of a model that say what it promises, and what labels it learned from; none where that is not known. */
export type JudgedModel = PromisingModel & { lineage: { classCounts: readonly number[] } };

/** A version by its labels: how its decisions serve the objective that it was trained for. */
export interface LabelledVersion {
  objective: Objective;
  counts: OutcomeCounts;
  /** By all labels that the model knows, and by others where accuracy is the objective; null without any. */
  score: Estimate | null;
  /** The score that training confirmed; null where it confirmed none. */
  confirmed: Estimate | null;
  /** Null where the labels have the shares of the training rows, or came for chosen rows. */
  changedLabel: ChangedLabel | null;
  verdict: DatedVerdict;
}

interface RightAndWrong {
  right: number;
  wrong: number;
}

/** With its 95% interval and the number of rows. */
export interface RealAccuracy extends Estimate {
  rowCount: number;
}

export interface VersionOutcomes extends LabelledVersion {
  /** Predictions with labels. */
  predictionCount: number;
  /** By the day on which the rows were scored. */
  scored: ReadonlyMap<string, RightAndWrong>;
}

/**
 * Reads all labelled predictions of the version. Decisions at another
 * threshold count, but the promise does not hold for them.
 */
export function versionOutcomes(database: Database, id: VersionId, model: JudgedModel): VersionOutcomes {
  const outcomes = listOutcomes(database, id);
  const scored = new Map<string, RightAndWrong>();
  for (const { scoredOn, counts: ofFile } of outcomes) {
    const day = scoredOn.slice(0, 10);
    const right = rightCount(ofFile.confusion);
    const known = scored.get(day) ?? { right: 0, wrong: 0 };
    scored.set(day, { right: known.right + right, wrong: known.wrong + judgedCount(ofFile) - right });
  }
  const dated = outcomes.map(({ addedOn, ...rest }) => ({ ...rest, day: addedOn.slice(0, 10) }));
  return { predictionCount: outcomes.length, ...labelledVersion(model, dated), scored };
}

/** `outcomes`: in the order of their days. No figure was confirmed for decisions at another threshold (`asTrained`). */
export function labelledVersion(
  model: JudgedModel,
  outcomes: readonly (DayOutcomes & { asTrained: boolean })[],
): LabelledVersion {
  const counts = noOutcomes(outcomes[0]?.counts.confusion.length ?? model.labels.length);
  for (const { counts: more } of outcomes) addOutcomes(counts, more);
  const { aim, confirmed: figure } = confirmedFigure(model);
  const asTrained = outcomes.filter((one) => one.asTrained);
  const otherThreshold = figure !== null && asTrained.length === 0 && outcomes.length > 0;
  const chosen = chosenRows(model.labels, counts);
  const isHeld = figure !== null && !otherThreshold && chosen === null;
  const confirmed = isHeld ? { mean: figure.mean, low: figure.low, high: figure.high } : null;
  const judged = judgeDays(isHeld ? promiseOf(model) : null, joinDays(asTrained));
  const verdict = { ...judged, otherThreshold, chosen };
  const changed = chosen === null ? changedLabel(model.labels, model.lineage.classCounts, counts.confusion) : null;
  return { objective: aim.objective, counts, score: scoreOf(aim, counts), confirmed, changedLabel: changed, verdict };
}

function scoreOf(aim: Aim, counts: OutcomeCounts): Estimate | null {
  if (aim.objective === "accuracy") return accuracyOfOutcomes(counts);
  return judgedCount(counts) === counts.unknownLabels ? null : estimateOf(aim, counts.confusion);
}

/** The accuracy by labels of rows that were scored between two days, these included; null where none are known. */
export function accuracyBetween(scored: VersionOutcomes["scored"], from: string, to: string): RealAccuracy | null {
  let right = 0;
  let rowCount = 0;
  for (const [day, judged] of scored) {
    if (day < from || day > to) continue;
    right += judged.right;
    rowCount += judged.right + judged.wrong;
  }
  return rowCount === 0 ? null : { rowCount, ...wilsonInterval(right, rowCount) };
}

/** `days`: in their order. */
function judgeDays(
  promised: Promised | null,
  days: readonly DayOutcomes[],
): Omit<DatedVerdict, "otherThreshold" | "chosen"> {
  const kinds = promised === null ? [] : days.map(({ counts }) => countKinds(promised, counts));
  const { since, ...verdict } = judgePromise(promised?.losses ?? null, kinds);
  return { ...verdict, since: since === null ? null : days[since]!.day, promised: promised?.bound ?? null };
}

/** Adds labels of a day to the days, which come in their order. */
function joinDays(all: readonly DayOutcomes[]): DayOutcomes[] {
  const days: DayOutcomes[] = [];
  for (const { day, counts } of all) {
    if (days.at(-1)?.day !== day) days.push({ day, counts: noOutcomes(counts.confusion.length) });
    addOutcomes(days.at(-1)!.counts, counts);
  }
  return days;
}
