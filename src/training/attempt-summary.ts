// The summary of an attempt or a library baseline, during a run and at its end.

import type { AttemptRecord } from "../../data/database/records.ts";
import { algorithmName, familyOf, type ModelSettings } from "../../engine/families/algorithms.ts";
import type { StackedBase } from "../../engine/families/stack-model.ts";
import type { BucketChoice } from "../../engine/table/buckets.ts";
import type { AttemptAnswer } from "../../workers/messages.ts";
import { formatCount } from "../common/format.ts";
import type { BaselineRecord } from "./baselines.ts";
import type { EndedAttempt } from "./competition-state.ts";

/** The facts known only at the end of a run. */
export interface AttemptPlace {
  finalist: boolean;
  version: number | null;
}

export function summariseAttempt({ spec, outcome }: EndedAttempt, { finalist, version }: AttemptPlace): AttemptRecord {
  const answer = outcome.status === "finished" ? outcome.answer : null;
  const settings = answer?.settings ?? spec.settings;
  return {
    attempt: spec.attempt,
    role: "attempt",
    family: familyOf(settings),
    algorithm: algorithmName(settings),
    settings: publishedSettings(settings, spec.buckets),
    status: outcome.status,
    note: outcome.status === "finished" ? noteOf(outcome.answer) : outcome.note,
    finalist,
    version,
    falseDecisions: answer?.holdout.falseDecisions ?? null,
    accuracy: answer?.holdout.accuracy ?? null,
    logLoss: answer?.holdout.logLoss ?? null,
    trainingAccuracy: answer?.trainingAccuracy ?? null,
    outOfFoldAccuracy: answer?.outOfFoldAccuracy ?? null,
    outOfFoldLogLoss: answer?.outOfFoldLogLoss ?? null,
    seconds: answer?.seconds ?? 0,
  };
}

/** A note on a finished attempt: how few rows it learned from, and why it cannot be a finalist; null for none. */
function noteOf(answer: AttemptAnswer): string | null {
  const { learnedRows } = answer;
  const notes = [
    learnedRows === undefined ? null : `learned from ${formatCount(learnedRows)} rows`,
    placeInWords(answer),
  ];
  const known = notes.filter((note) => note !== null);
  return known.length === 0 ? null : known.join("; ");
}

function placeInWords({ earlyEnd, betterMember, outOfFoldLogLoss }: AttemptAnswer): string | null {
  if (betterMember !== undefined) {
    const { attempt, logLoss } = betterMember;
    return `no finalist: out of fold its log-loss is ${outOfFoldLogLoss.toFixed(3)}; attempt ${attempt}, one of its members, has ${logLoss.toFixed(3)}`;
  }
  if (earlyEnd === undefined) return null;
  const { foldCount, logLoss, better } = earlyEnd;
  return (
    `ended after ${foldCount === 1 ? "its fold" : `the first of ${foldCount} folds`}, whose scores these are: log-loss ${logLoss.toFixed(3)} on its rows, ` +
    `${better.logLoss.toFixed(3)} by attempt ${better.attempt}, and a stack hardly gains by it`
  );
}

export function summariseBaseline({ which, outcome }: BaselineRecord, attempt: number): AttemptRecord {
  const answer = outcome.status === "finished" ? outcome.answer : null;
  const families = {
    "ml-random-forest": "random forest",
    "ml-naivebayes": "naive Bayes",
    "ml-logistic-regression": "logistic regression",
  } as const;
  return {
    attempt,
    role: "library baseline",
    family: families[which],
    algorithm: which,
    settings: answer === null ? {} : { sampleRowCount: answer.sampleRowCount, judgedRowCount: answer.judgedRowCount },
    status: outcome.status,
    note: outcome.status === "finished" ? `learned from ${outcome.answer.sampleRowCount} rows` : outcome.note,
    finalist: false,
    version: null,
    falseDecisions: answer?.falseDecisions ?? null,
    accuracy: answer?.accuracy ?? null,
    logLoss: answer?.logLoss ?? null,
    trainingAccuracy: null,
    outOfFoldAccuracy: null,
    outOfFoldLogLoss: null,
    seconds: answer?.seconds ?? 0,
  };
}

/** Settings as they are published. */
export function publishedSettings(
  settings: ModelSettings,
  buckets: BucketChoice,
): Record<string, number | string | boolean> {
  if (settings.algorithm === "stack") return { attemptsWeighed: weightsInWords(settings.members) };
  const { algorithm: _, ...others } =
    settings.algorithm === "refined forest" ? { ...settings.forest, ...settings, forest: null } : settings;
  const entries = Object.entries(others).filter(([, value]) => value !== null);
  return Object.fromEntries([...entries, ["buckets", buckets]]) as Record<string, number | string | boolean>;
}

/** The weights of a stack, heaviest first: "4 × 0.41, 1 × 0.22". */
function weightsInWords(members: readonly StackedBase[]): string {
  return [...members]
    .sort((a, b) => b.weight - a.weight || a.attempt - b.attempt)
    .map(({ attempt, weight }) => `${attempt} × ${weight.toFixed(2)}`)
    .join(", ");
}
