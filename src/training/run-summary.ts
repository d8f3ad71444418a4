// The summary of a run: the content of summary.json and report.html.

import { shownForm } from "../../engine/columns/reading.ts";
import { algorithmName, familyOf } from "../../engine/families/algorithms.ts";
import { countClasses, countRowsByCode } from "../../engine/fitting/class-counts.ts";
import { sumsByCluster } from "../../engine/judging/clusters.ts";
import { ACCURACY } from "../../engine/judging/estimate.ts";
import {
  classMetrics,
  confusionMatrix,
  expectedCalibrationError,
  macroAverages,
  metricsByClass,
} from "../../engine/judging/metrics.ts";
import { positiveClassOf } from "../../engine/judging/positive-class.ts";
import { otherClass, thresholdOfWeights } from "../../engine/judging/thresholds.ts";
import { roundedApart } from "../../engine/rounded-apart.ts";
import type { TrainingTask } from "../../engine/search/training-task.ts";
import { confirmingParts, splitByPart } from "../../engine/splits/holdout.ts";
import { labelledRows, type Table } from "../../engine/table/table.ts";
import type { Warning } from "../../engine/warning.ts";
import type { LeakageAnswer, TableAnswer } from "../../workers/messages.ts";
import { CUPEL_VERSION } from "../common/version.ts";
import type { RefinementSummary } from "../summary/refinement-summary.ts";
import type {
  ClassCount,
  ColumnEffects,
  ColumnSummary,
  PredictionSummary,
  RunSummary,
  VersionSummary,
} from "../summary/summary.ts";
import type { Verdict } from "../summary/verdict.ts";
import { type VerdictInput, verdictOf } from "../verdict/doubts.ts";
import { guessOf, majorityOf } from "../work/majority.ts";
import { ageingOf } from "./ageing.ts";
import { type AttemptPlace, publishedSettings, summariseAttempt, summariseBaseline } from "./attempt-summary.ts";
import { changedByTime } from "./changed-by-time.ts";
import type { EndedAttempt, TrainOptions } from "./competition-state.ts";
import { digestOfHoldout, wrongRows } from "./held-out-rows.ts";
import { hiddenSignal } from "./hidden-signal.ts";
import { importanceOf } from "./importance-of.ts";
import { heldOutEstimate, type KeptVersion } from "./kept-version.ts";
import { guessWarnings, runWarnings } from "./run-warnings.ts";
import type { TrainResult } from "./train.ts";

/** The facts of a run that its verdicts rest on. */
export interface RunAccount {
  source: TableAnswer;
  options: TrainOptions;
  /** The check for dependent rows; null if there was none. */
  leakage: LeakageAnswer | null;
  /** Null without one. */
  refinement: RefinementSummary | null;
}

export interface SummaryInput extends RunAccount {
  fileName: string;
  result: TrainResult;
  workers: number;
  elapsedSeconds: number;
  predictions: readonly PredictionSummary[];
  /** Files that could not be scored. */
  failures: readonly Warning[];
  versionFile(version: number): string;
}

export function summarise(input: SummaryInput): RunSummary {
  const { fileName, source, options, result, workers, elapsedSeconds, predictions, failures, refinement, leakage } =
    input;
  const { competition, versions, task } = result;
  const { labels } = source.table;
  const champion = versions[0];
  const attempts = competition.records.map((record) => summariseAttempt(record, placeOf(record, result)));
  return {
    cupelVersion: CUPEL_VERSION,
    status: champion === undefined && competition.status !== "CANCELLED" ? "FAILED" : competition.status,
    statusReason:
      champion === undefined ? `No attempt finished. ${competition.statusReason}` : competition.statusReason,
    achievedPerformance: champion?.attempt.answer.holdout.accuracy ?? null,
    trainingPerformance: champion?.attempt.answer.trainingAccuracy ?? null,
    testPerformance: champion?.attempt.answer.holdout.accuracy ?? null,
    confirmedPerformance: champion?.confirmed ?? null,
    objective: task.objective,
    costs: task.costs,
    targetPerformance: options.target,
    baseline: majorityBaseline(task, labels),
    guess: guessOf(task),
    file: {
      name: fileName,
      sha256: source.sha256,
      sizeBytes: source.sizeBytes,
      delimiter: source.delimiter,
      encoding: source.encoding,
    },
    label: source.label,
    positiveLabel: positiveLabelOf(labels, options.positiveLabel ?? null),
    rows: source.recordCount,
    rowsWithoutLabel: source.rowsWithoutLabel,
    columnCount: source.columns.length,
    columns: source.columns.map(summariseColumn),
    classes: classesOf(source),
    holdout: {
      rows: task.split.judging.length,
      classes: classCounts(task.split.judging, source.table),
      digest: digestOfHoldout(task, source),
    },
    numberOfBuckets: options.numberOfBuckets,
    scalingFactor: options.scalingFactor,
    seed: options.seed,
    workers,
    timeLimitSeconds: options.timeLimitSeconds,
    elapsedSeconds,
    lookSeconds: leakage?.seconds ?? null,
    attemptsTotal: competition.attemptsTotal,
    attemptsCompleted: attempts.filter(({ status }) => status === "finished").length,
    attemptsFailed: attempts.filter(({ status }) => status === "failed").length,
    attempts: [
      ...attempts,
      ...result.baselines.map((record, index) => summariseBaseline(record, attempts.length + index + 1)),
    ],
    versions: versions.map((kept) => summariseVersion(kept, input)),
    predictions,
    verdict: verdictOn(champion ?? null, task, input),
    warnings: [
      ...runWarnings(result, options.target),
      ...source.warnings,
      ...(refinement?.warnings ?? []),
      ...failures,
    ],
    refinement,
  };
}

/** The verdict on a version, the same in its model file as in the summary; null where a run has none. */
export function verdictOn(
  version: KeptVersion | null,
  task: TrainingTask,
  { leakage, source, refinement, options }: RunAccount,
): Verdict {
  const confusion = version && judgeVersion(version, task, null).confusion;
  return verdictOf({
    leakage,
    source,
    refinement,
    heldOutRowCount: task.split.judging.length,
    largestGroups: source.judgedBy.group === null ? null : largestClusters(task),
    rarest: rarestOf(task),
    neverPredicted: confusion && { classes: neverPredicted(confusion, task), objective: task.objective },
    ageing: version && ageingOf(version, task),
    changed: confusion && changedByTime(task, confusion),
    warnings: version === null ? [] : guessWarnings(version, task, options.target),
    hidden: version && hiddenSignal(version, task),
  });
}

/** Held-out rows of the two largest clusters. */
function largestClusters({ split, clusters }: TrainingTask): number[] | null {
  if (clusters === null) return null;
  const counts = sumsByCluster(split.judging, clusters, new Uint8Array(split.judging.length).fill(1));
  return counts.sort((a, b) => b - a).slice(0, 2);
}

function rarestOf({ table, split, objective }: TrainingTask): VerdictInput["rarest"] {
  if (objective === "accuracy") return null;
  const { label, count } = classCounts(split.judging, table).reduce((least, each) =>
    each.count < least.count ? each : least,
  );
  return { label, rowCount: count, objective };
}

/**
 * None of two labels: a model that answers only one of them is named as no better than guessing. By time none that
 * begins late (LATE_LABEL): no model could have learned it.
 */
function neverPredicted(
  confusion: readonly (readonly number[])[],
  { table, split, parts }: TrainingTask,
): ClassCount[] {
  if (table.labels.length === 2) return [];
  const learned = classCounts(split.learning, table);
  const byClass = metricsByClass(confusion);
  return learned.flatMap(({ label, count }, code) => {
    const { support, decided } = byClass[code]!;
    const isLate = parts.ages !== null && count === 0;
    return support > 0 && decided === 0 && !isLate ? [{ label, count: support }] : [];
  });
}

/** The label of the positive class of two (D39); null for more classes. @throws InputError */
export function positiveLabelOf(labels: readonly string[], asked: string | null): string | null {
  const code = positiveClassOf(labels, asked);
  return labels.length === 2 ? labels[code]! : null;
}

/** The warning for a positive label that is asked for among more than two. */
export function noPositiveClass(classCount: number): Warning {
  const message =
    `There are ${classCount} classes, so precision, recall and F1 are means over all of them; ` +
    "the positive label is not used.";
  return { code: "POSITIVE_LABEL_UNUSED", message };
}

/** A version's file in the folder of a run. */
export function versionFileName(version: number): string {
  return version === 1 ? "model.cupel" : `v${version}.cupel`;
}

/** Precision, recall and F1 of a version on the holdout, with the confusion matrix. */
export function judgeVersion(kept: KeptVersion, { table, split }: TrainingTask, positiveLabel: string | null) {
  const { decisions } = kept.attempt.answer.holdout;
  const confusion = confusionMatrix(decisions, labelledRows(table, split.judging));
  return { confusion, metrics: classMetrics(confusion, positiveClassOf(table.labels, positiveLabel)) };
}

function placeOf({ spec: { attempt } }: EndedAttempt, { competition, versions }: TrainResult): AttemptPlace {
  return {
    finalist: competition.finalists.some((finalist) => finalist.attempt === attempt),
    version: versions.find((kept) => kept.attempt.spec.attempt === attempt)?.version ?? null,
  };
}

function majorityBaseline(task: TrainingTask, labels: readonly string[]) {
  const { code, ...figures } = majorityOf(task);
  return { label: labels[code]!, ...figures };
}

function classCounts(rows: Uint32Array, table: Table): ClassCount[] {
  const counts = countClasses(labelledRows(table, rows));
  return table.labels.map((label, code) => ({ label, count: counts[code]! }));
}

export function summariseColumn(column: TableAnswer["columns"][number]): ColumnSummary {
  const { name, kind, foundKind, role, reading, missing, distinct, used, reason, distribution, text } = column;
  const { missingTexts } = reading;
  const chosen = {
    ...shownForm(reading),
    ...(foundKind !== undefined && { foundKind }),
    ...(missingTexts !== undefined && { missingTexts }),
  };
  const facts = { name, kind, role, ...chosen, missing, distinct, used, reason, distribution };
  return text === undefined ? facts : { ...facts, text };
}

/** The labels with their rows in the file. */
export function classesOf({ table: { labels }, classCounts }: TableAnswer): ClassCount[] {
  return labels.map((label, code) => ({ label, count: classCounts[code]! }));
}

function summariseVersion(version: KeptVersion, input: SummaryInput): VersionSummary {
  const { source, result, options } = input;
  const { answer, spec } = version.attempt;
  const { confusion, metrics } = judgeVersion(version, result.task, options.positiveLabel ?? null);
  const byClass = metricsByClass(confusion);
  const averages = macroAverages(byClass);
  return {
    version: version.version,
    champion: version.version === 1,
    attempt: spec.attempt,
    family: familyOf(version.attempt.settings),
    algorithm: algorithmName(version.attempt.settings),
    settings: publishedSettings(version.attempt.settings, spec.buckets),
    achievedPerformance: answer.holdout.accuracy,
    trainingPerformance: answer.trainingAccuracy,
    testPerformance: answer.holdout.accuracy,
    wrongRows: wrongRows(answer.holdout.decisions, result.task),
    heldOutPerformance: heldOutEstimate(ACCURACY, version, result.task),
    confirmedPerformance: version.confirmed,
    ...learnedRowsOf(version, result.task),
    falseDecisions: answer.holdout.falseDecisions,
    logLoss: answer.holdout.logLoss,
    ...metrics,
    byClass: byClass.map((figures, code) => ({ label: source.table.labels[code]!, ...figures })),
    macroAverages: averages,
    balancedAccuracy: averages.recall,
    file: input.versionFile(version.version),
    confusion,
    temperature: answer.decider.temperature,
    classWeights: answer.decider.classWeights,
    score: answer.holdout.score,
    objectiveHeldOut: heldOutEstimate(result.task, version, result.task),
    objectiveConfirmed: version.objectiveConfirmed,
    expectedCalibrationError: expectedCalibrationError(answer.holdout.calibration),
    calibration: answer.holdout.calibration,
    ...thresholdsOf(version, input),
    importance: importanceOf(version.confirmations).map(({ column, ...loss }) => ({
      name: source.columns[column]!.name,
      ...loss,
    })),
    effects: summariseEffects(version, source),
  };
}

/** Grown models are kept as they were judged; other models of a sample are refitted on all of it. */
function learnedRowsOf(
  { attempt: { answer }, bases }: KeptVersion,
  { isSample, parts, table }: TrainingTask,
): Pick<VersionSummary, "learnedRows"> {
  const heldOut = answer.learnedRows;
  if (!isSample || heldOut === undefined) return {};
  const confirmed = splitByPart(parts, confirmingParts(parts)[0]!).learning.length;
  return { learnedRows: { file: bases === undefined ? table.rowCount : heldOut, heldOut, confirmed } };
}

/** By the positive label of two; null for more. */
function thresholdsOf({ attempt: { answer } }: KeptVersion, { source, options, result }: SummaryInput) {
  const { labels, classes } = source.table;
  const { thresholds: curve } = answer.holdout;
  if (curve === null) return { thresholds: null, threshold: null };
  const positive = positiveClassOf(labels, options.positiveLabel ?? null);
  const [negatives = 0, positives = 0] = countRowsByCode(classes, 2, result.task.split.judging);
  return {
    thresholds: positive === 1 ? curve : otherClass(curve, positives, negatives),
    threshold: thresholdOfWeights(answer.decider.classWeights, positive),
  };
}

/**
 * Probabilities to a hundredth of a point, values to six digits where these tell them apart: the summary is read by
 * people and browsers.
 */
function summariseEffects({ effects }: KeptVersion, { columns, table: { labels } }: TableAnswer): ColumnEffects[] {
  const nameOf = (column: number) => columns[column]!.name;
  return effects.map(({ column, minus, closest, points, curves, ...effect }) => ({
    name: nameOf(column),
    ...effect,
    ...(minus !== undefined && { minus: nameOf(minus) }),
    closest: closest === null ? null : { name: nameOf(closest.column), association: rounded(closest.association) },
    points: roundedPoints(points),
    curves: curves.map(({ classCode, probabilities }) => ({
      label: labels[classCode]!,
      probabilities: probabilities.map(rounded),
    })),
  }));
}

function roundedPoints(points: ColumnEffects["points"]): ColumnEffects["points"] {
  const numbers = points.flatMap(({ value }) => (typeof value === "number" ? [value] : []));
  const roundedValues = roundedApart(numbers, 6);
  return points.map(({ value, rows }) => ({
    value: typeof value === "number" ? roundedValues.get(value)! : value,
    rows,
  }));
}

function rounded(share: number): number {
  return Math.round(share * 1e4) / 1e4;
}
