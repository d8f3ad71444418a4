// Refines the columns before training: the fifth that training holds out is the blind test, so no row is lost.

import { quotedName } from "../../engine/csv/header.ts";
import { InputError } from "../../engine/input-error.ts";
import type { ColumnDecision } from "../../engine/refinement/decision.ts";
import { rowsUpTo } from "../../engine/row-lists.ts";
import { assignParts, HOLDOUT_PART, splitByPart } from "../../engine/splits/holdout.ts";
import { featuresOfColumns, firstRows, selectFeatures } from "../../engine/table/table.ts";
import type { Warning } from "../../engine/warning.ts";
import type { PairAnswer, SourceColumn, TableAnswer } from "../../workers/messages.ts";
import type { WorkerPool } from "../../workers/pool.ts";
import { REFINEMENT_BUCKETS } from "../common/limits.ts";
import type { ProgressView } from "../progress/progress-view.ts";
import { refine } from "../refining/refine.ts";
import { fileOf, summariseRefinement } from "../refining/refinement-account.ts";
import { type Activity, showRefinement } from "../refining/refinement-progress.ts";
import type { RefinementFile, RefinementSummary } from "../summary/refinement-summary.ts";
import type { JobControl } from "../work/job-control.ts";
import type { TrainOptions } from "./competition-state.ts";

/** Share of a run's time that refining may take. */
const REFINEMENT_SHARE = 1 / 3;

/** The input of training. */
export interface RefinedSource {
  source: TableAnswer;
  /** Accuracy to reach, or null. */
  target: number | null;
  refinement: RefinementSummary;
}

/** The table that a run has read. */
export interface ReadSource {
  source: TableAnswer;
  /** Rows of TRAIN, the first of the table; the others are TEST's. */
  trainRowCount: number;
  train: RefinementFile;
  /** Null if a fifth of TRAIN is the blind test. */
  test: RefinementFile | null;
}

/** Refines the table of a run. Without a result, training uses all columns, and the summary says why. */
export async function refineFirst(
  input: ReadSource,
  options: TrainOptions & { removeLeaks: boolean },
  pool: WorkerPool,
  progress: ProgressView,
  control: JobControl,
): Promise<RefinedSource> {
  const { source } = input;
  const { table, columns } = source;
  const { seed, target } = options;
  const { train, test } = dealRows(input, seed);
  const { keys } = source;
  const startMs = performance.now();
  const secondsLeft = options.timeLimitSeconds - (startMs - control.startMs) / 1000;
  const refineOptions = {
    numberOfBuckets: Math.max(...REFINEMENT_BUCKETS.filter((buckets) => buckets <= options.numberOfBuckets)),
    seed,
    timeLimitSeconds: Math.max(1, secondsLeft * REFINEMENT_SHARE),
    removeLeaks: options.removeLeaks,
    positiveLabel: options.positiveLabel ?? null,
  };
  const activities: Activity[] = [];
  const listener = showRefinement(progress, activities);
  const cancelFlag = control.stopFlag;
  const context = { pool, cancelFlag, startMs, journal: null, listener, writeFiles: null };
  const outcome = await refine({ table, train, test, columns, keys }, refineOptions, context);
  listener.state(outcome.state);
  const refinement = summariseRefinement({
    outcome,
    options: refineOptions,
    labels: table.labels,
    label: source.label,
    train: { ...input.train, rows: train.length },
    test: input.test,
    testRows: test.length,
    activities,
    files: [],
    workers: pool.size,
    elapsedSeconds: (performance.now() - startMs) / 1000,
    warnings: [],
  });
  for (const { message } of refinement.warnings) progress.note(`warning: ${message}`);
  progress.note(`Refined: ${outcome.stateReason}`);
  const refined = outcome.kept === null ? source : keepColumns(source, outcome.kept, outcome.columns);
  const trainRows = input.test === null ? refined : trainRowsOf(refined, input.trainRowCount);
  return { source: trainRows, target: target ?? outcome.reachedTarget, refinement };
}

/** The same file twice is one file, of which a fifth is the blind test (D65). */
export function pairedSource(
  { source, trainRowCount, test }: PairAnswer,
  trainPath: string,
  testPath: string,
): ReadSource & { warnings: Warning[] } {
  const train = fileOf(trainPath, source, trainRowCount);
  if (test.sha256 === source.sha256) {
    return { source: trainRowsOf(source, trainRowCount), trainRowCount, train, test: null, warnings: source.warnings };
  }
  const warnings = [...source.warnings, ...test.warnings];
  return { source, trainRowCount, train, test: fileOf(testPath, test, test.rowCount), warnings };
}

/** The rows to refine by, and those of the blind test. */
export function dealRows({ source, trainRowCount, test }: ReadSource, seed: number) {
  return test === null ? holdOutFifth(source, seed) : dealFiles(source, trainRowCount);
}

/** Takes the rows that a training with this seed holds out as the blind test. */
export function holdOutFifth({ table, keys }: Pick<TableAnswer, "table" | "keys">, seed: number) {
  const { classes, labels } = table;
  const { learning, judging } = splitByPart(assignParts(classes, labels.length, seed, keys), HOLDOUT_PART);
  return { train: learning, test: judging };
}

/**
 * The rows of TRAIN and of TEST, without rows of TEST whose group is in TRAIN, which would not be blind (D93).
 *
 * @throws InputError if no row of TEST is left
 */
export function dealFiles({ table, keys: { groups }, judgedBy }: DealtSource, trainRowCount: number) {
  const rows = rowsUpTo(table.rowCount);
  const train = rows.subarray(0, trainRowCount);
  const test = rows.subarray(trainRowCount);
  if (groups === null) return { train, test };
  const known = new Set(groups.subarray(0, trainRowCount));
  const blind = test.filter((row) => !known.has(groups[row]!));
  if (blind.length > 0) return { train, test: blind };
  const column = judgedBy.group!;
  const message = `Every row of TEST belongs by column ${quotedName(column)} to a group of TRAIN, so none of them is a blind test. Send a TEST file of other groups, or leave the option out.`;
  throw new InputError("UNUSABLE_GROUP", message, { column });
}

type DealtSource = Pick<TableAnswer, "table" | "keys" | "judgedBy">;

/** The answer for TRAIN alone, without TEST's rows behind its own. */
function trainRowsOf(source: TableAnswer, trainRowCount: number): TableAnswer {
  const { groups, times } = source.keys;
  const keys = { groups: groups?.subarray(0, trainRowCount) ?? null, times: times?.subarray(0, trainRowCount) ?? null };
  return { ...source, table: firstRows(source.table, trainRowCount), keys };
}

/** The table with the kept columns; the others say why they are unused. */
function keepColumns(
  source: TableAnswer,
  kept: ReadonlySet<number>,
  decisions: readonly ColumnDecision[],
): TableAnswer {
  const { table } = source;
  const features = featuresOfColumns(table, kept);
  const decisionAt = new Map(decisions.map((decision) => [decision.position, decision]));
  const columns = source.columns.map((column): SourceColumn => {
    const decision = decisionAt.get(column.index);
    if (!column.used || decision === undefined || decision.decision === "KEEP") return column;
    return { ...column, used: false, reason: `refinement: ${decision.reason}` };
  });
  return { ...source, table: selectFeatures(table, features), columns };
}
