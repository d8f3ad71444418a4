// The summary of a run: everything that summary.json holds and report.html draws, from what reading and training gave.
import { algorithmName, familyOf, type ModelSettings } from "../../engine/families/model.ts";
import { classMetrics, confusionMatrix } from "../../engine/metrics.ts";
import type { Confirmation } from "../../engine/refit.ts";
import type { Warning } from "../../engine/warning.ts";
import type { TableAnswer } from "../../workers/messages.ts";
import type { RefinementSummary } from "../refinement-summary.ts";
import type {
  AttemptSummary,
  ClassCount,
  ColumnImportance,
  ColumnSummary,
  PredictionSummary,
  RunSummary,
  VersionSummary,
} from "../summary.ts";
import { CUPEL_VERSION } from "../version.ts";
import type { BaselineRecord } from "./baselines.ts";
import type { AttemptRecord, TrainOptions } from "./competition.ts";
import type { KeptVersion, TrainResult } from "./train.ts";

export interface SummaryInput {
  fileName: string;
  source: TableAnswer;
  options: TrainOptions;
  result: TrainResult;
  workers: number;
  elapsedSeconds: number;
  predictions: readonly PredictionSummary[];
  /** Files that could not be scored. */
  failures: readonly Warning[];
  /** What went before the training; null for nothing. */
  refinement: RefinementSummary | null;
}

export function summarise(input: SummaryInput): RunSummary {
  const { fileName, source, options, result, workers, elapsedSeconds, predictions, failures, refinement } = input;
  const { competition, versions, arena } = result;
  const { labels } = source.table;
  const champion = versions[0];
  const attempts = [...competition.records.map((record) => summariseAttempt(record, result))];
  return {
    cupelVersion: CUPEL_VERSION,
    status: champion === undefined && competition.status !== "CANCELLED" ? "FAILED" : competition.status,
    statusReason:
      champion === undefined ? `No attempt finished. ${competition.statusReason}` : competition.statusReason,
    achievedPerformance: champion?.attempt.answer.holdout.accuracy ?? null,
    trainingPerformance: champion?.attempt.answer.trainingAccuracy ?? null,
    testPerformance: champion?.attempt.answer.holdout.accuracy ?? null,
    confirmedPerformance: champion?.confirmed ?? null,
    targetPerformance: options.target,
    baseline: majorityBaseline(result, labels),
    file: {
      name: fileName,
      sha256: source.sha256,
      sizeBytes: source.sizeBytes,
      delimiter: source.delimiter,
      encoding: source.encoding,
    },
    label: source.label,
    positiveLabel: positiveLabel(labels),
    rows: source.recordCount,
    rowsWithoutLabel: source.rowsWithoutLabel,
    columnCount: source.columns.length,
    columns: source.columns.map(summariseColumn),
    classes: labels.map((label, code) => ({ label, count: source.classCounts[code]! })),
    holdout: { rows: arena.split.judging.length, classes: countClasses(arena.split.judging, source) },
    numberOfBuckets: options.numberOfBuckets,
    scalingFactor: options.scalingFactor,
    seed: options.seed,
    workers,
    timeLimitSeconds: options.timeLimitSeconds,
    elapsedSeconds,
    attemptsTotal: competition.attemptsTotal,
    attemptsCompleted: attempts.filter(({ status }) => status === "finished").length,
    attemptsFailed: attempts.filter(({ status }) => status === "failed").length,
    attempts: [
      ...attempts,
      ...result.baselines.map((record, index) => summariseBaseline(record, attempts.length + index + 1)),
    ],
    versions: versions.map((kept) => summariseVersion(kept, source, result)),
    predictions,
    warnings: [...source.warnings, ...(refinement?.warnings ?? []), ...failures],
    refinement,
  };
}

/** The last label in sort order where there are two (D39); null where there are more. */
export function positiveLabel(labels: readonly string[]): string | null {
  return labels.length === 2 ? labels[1]! : null;
}

/** The file name of a version in the output folder. */
export function versionFileName(version: number): string {
  return version === 1 ? "model.cupel" : `v${version}.cupel`;
}

/** Precision, recall and F1 of a version on the holdout, and the matrix they come from. */
export function judgeVersion(kept: KeptVersion, { arena }: Pick<TrainResult, "arena">) {
  const { table, split } = arena;
  const { decisions } = kept.attempt.answer.holdout;
  const confusion = confusionMatrix(decisions, split.judging, table.classes, table.labels.length);
  return { confusion, metrics: classMetrics(confusion, table.labels.length - 1) };
}

/** Settings as plain names and values, the way they are published. */
function publishedSettings(settings: ModelSettings, buckets: "fine" | number) {
  const entries = Object.entries(settings).filter(([name, value]) => name !== "algorithm" && value !== null);
  return Object.fromEntries([...entries, ["buckets", buckets]]) as Record<string, number | string | boolean>;
}

/** Always answering the class that is most frequent among the learning rows, judged on the holdout. */
function majorityBaseline({ arena: { table, split } }: TrainResult, labels: readonly string[]) {
  const counts = labels.map(() => 0);
  for (const row of split.learning) counts[table.classes[row]!]!++;
  const majority = counts.indexOf(Math.max(...counts));
  const right = split.judging.reduce((sum, row) => sum + (table.classes[row] === majority ? 1 : 0), 0);
  const rows = split.judging.length;
  return { label: labels[majority]!, falseDecisions: rows - right, accuracy: right / rows };
}

function countClasses(rows: Uint32Array, { table }: TableAnswer): ClassCount[] {
  const counts = table.labels.map((label) => ({ label, count: 0 }));
  for (const row of rows) counts[table.classes[row]!]!.count++;
  return counts;
}

export function summariseColumn(column: TableAnswer["columns"][number]): ColumnSummary {
  const { name, kind, role, missing, distinct, used, reason, distribution } = column;
  return { name, kind, role, missing, distinct, used, reason, distribution };
}

function summariseAttempt({ spec, outcome }: AttemptRecord, { competition, versions }: TrainResult): AttemptSummary {
  const answer = outcome.status === "finished" ? outcome.answer : null;
  const settings = answer?.settings ?? spec.settings;
  return {
    attempt: spec.attempt,
    role: "attempt",
    family: familyOf(settings),
    algorithm: algorithmName(settings),
    settings: publishedSettings(settings, spec.buckets),
    status: outcome.status,
    note: outcome.status === "finished" ? null : outcome.note,
    finalist: competition.finalists.some(({ attempt }) => attempt === spec.attempt),
    version: versions.find(({ attempt }) => attempt.attempt === spec.attempt)?.version ?? null,
    falseDecisions: answer?.holdout.falseDecisions ?? null,
    accuracy: answer?.holdout.accuracy ?? null,
    logLoss: answer?.holdout.logLoss ?? null,
    trainingAccuracy: answer?.trainingAccuracy ?? null,
    outOfFoldAccuracy: answer?.outOfFoldAccuracy ?? null,
    outOfFoldLogLoss: answer?.outOfFoldLogLoss ?? null,
    seconds: answer?.seconds ?? 0,
  };
}

function summariseBaseline({ which, outcome }: BaselineRecord, attempt: number): AttemptSummary {
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

function summariseVersion(kept: KeptVersion, source: TableAnswer, result: TrainResult): VersionSummary {
  const { answer, spec } = kept.attempt;
  const { confusion, metrics } = judgeVersion(kept, result);
  return {
    version: kept.version,
    champion: kept.version === 1,
    attempt: spec.attempt,
    family: familyOf(kept.attempt.settings),
    algorithm: algorithmName(kept.attempt.settings),
    settings: publishedSettings(kept.attempt.settings, spec.buckets),
    achievedPerformance: answer.holdout.accuracy,
    trainingPerformance: answer.trainingAccuracy,
    testPerformance: answer.holdout.accuracy,
    confirmedPerformance: kept.confirmed,
    falseDecisions: answer.holdout.falseDecisions,
    logLoss: answer.holdout.logLoss,
    ...metrics,
    file: versionFileName(kept.version),
    confusion,
    calibration: answer.holdout.calibration,
    importance: summariseImportance(kept.confirmations, source),
  };
}

/** The columns that were shuffled, with the mean and the spread of what that cost on the re-splits. */
function summariseImportance(confirmations: readonly Confirmation[], source: TableAnswer): ColumnImportance[] {
  const losses = new Map<number, number[]>();
  for (const { importance } of confirmations) {
    for (const { column, accuracyLoss } of importance)
      losses.set(column, [...(losses.get(column) ?? []), accuracyLoss]);
  }
  return [...losses]
    .map(([column, measured]) => {
      const mean = measured.reduce((sum, loss) => sum + loss, 0) / measured.length;
      return { name: source.columns[column]!.name, mean, low: Math.min(...measured), high: Math.max(...measured) };
    })
    .sort((a, b) => b.mean - a.mean);
}
