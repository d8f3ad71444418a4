// `cupel refine`: finds the columns that carry signal, reduces TRAIN and TEST to them, and writes a report.

import { basename } from "node:path";
import { FILE_KINDS } from "../../data/database/states.ts";
import { openUnitJournal, type UnitJournal } from "../../data/files/unit-journal.ts";
import type { ColumnChoice } from "../../engine/columns/choices.ts";
import { InputError } from "../../engine/input-error.ts";
import { type PairAnswer, untilCancelled } from "../../workers/messages.ts";
import type { WorkerPool } from "../../workers/pool.ts";
import { keyRequestOf } from "../../workers/reading/profile-file.ts";
import type { ReadPairRequest } from "../../workers/reading/read-pair.ts";
import type { WriteReducedRequest } from "../../workers/write-reduced.ts";
import { EXIT } from "../common/exit-codes.ts";
import { CUPEL_VERSION } from "../common/version.ts";
import type { ProgressView } from "../progress/progress-view.ts";
import { refine } from "../refining/refine.ts";
import { summariseRefinement } from "../refining/refinement-account.ts";
import type { RefineOptions } from "../refining/refinement-job.ts";
import { type Activity, showRefinement } from "../refining/refinement-progress.ts";
import { renderRefinementReport } from "../report/refinement/refinement-report.ts";
import type { RefinementSummary } from "../summary/refinement-summary.ts";
import { dealRows, pairedSource } from "../training/refine-first.ts";
import { ACCOUNT, earlierResults, openResultFolder, REPORT, type ResultFolder } from "../training/result-folder.ts";
import { classesOf, summariseColumn } from "../training/run-summary.ts";
import { type Console, onThreads } from "./console.ts";
import { fitRefinement, type MemoryOptions, requireReading } from "./memory-check.ts";
import { refuseResults } from "./own-inputs.ts";
import { refineClosingLines } from "./refine-closing-lines.ts";

/** The journal of finished units, from which the same command goes on after a stop. */
const JOURNAL = ".refinement-journal";
export const REDUCED = { TRAIN: "train.csv", TEST: "test.csv" } as const;

export interface RefineCommandOptions
  extends RefineOptions,
    MemoryOptions,
    Omit<ReadPairRequest, "hashes" | "shownNames"> {
  columnChoices: readonly ColumnChoice[];
  hasHeader: boolean;
  outFolder: string;
  workers: number;
  json: boolean;
}

/**
 * @throws InputError where an input cannot be used or would be overwritten, or where the folder holds a model, whose
 * report would be overwritten; Cancelled while reading
 */
export async function refineCommand(
  options: RefineCommandOptions,
  console: Console,
  spawn: () => Worker,
): Promise<number> {
  const { progress } = console;
  const { summary, isReported } = await onThreads(options.workers, console, spawn, (pool, cancelFlag) =>
    refineOn(pool, options, cancelFlag, progress).finally(progress.finish),
  );
  const lines = refineClosingLines(summary, options.outFolder, isReported ? options.outFolder : null);
  console.print(...(options.json ? [JSON.stringify(summary)] : lines));
  return exitCodeOf(summary);
}

async function refineOn(
  pool: WorkerPool,
  options: RefineCommandOptions,
  cancelFlag: Int32Array,
  progress: ProgressView,
): Promise<{ summary: RefinementSummary; isReported: boolean }> {
  const startMs = performance.now();
  const activities: Activity[] = [];
  const listener = showRefinement(progress, activities);
  progress.stage(`Reading ${basename(options.trainPath)} and ${basename(options.testPath)}`, null);
  listener.state("SETUP_READING");
  const pair = await readPair(pool, options, cancelFlag);
  const input = pairedSource(pair, options.trainPath, options.testPath);
  const { source, warnings } = input;
  fitRefinement(pool, source.table, options, progress);
  for (const { message } of warnings) progress.note(`warning: ${message}`);
  const folder = await openResultFolder(options.outFolder);
  const journal = openUnitJournal(folder.pathOf(JOURNAL), identityOf(options, pair));
  const files: RefinementSummary["files"][number][] = [];
  try {
    const { table, columns, keys } = source;
    const { train, test } = dealRows(input, options.seed);
    const kinds = input.test === null ? (["TRAIN"] as const) : FILE_KINDS;
    const outcome = await refine({ table, train, test, columns, keys }, options, {
      pool,
      cancelFlag,
      startMs,
      journal,
      listener,
      writeFiles: async (keptColumns) => {
        const { trainPath, testPath, hasHeader } = options;
        const inputPaths = { TRAIN: trainPath, TEST: testPath };
        const written = kinds.map((kind) => {
          const request = { inputPath: inputPaths[kind], keptColumns, label: source.label, hasHeader };
          return writeReduced(pool, folder, kind, request, cancelFlag);
        });
        files.push(...(await Promise.all(written)));
      },
    });
    listener.state(outcome.state);
    const summary = summariseRefinement({
      outcome,
      options,
      labels: source.table.labels,
      label: source.label,
      train: { ...input.train, rows: train.length },
      test: input.test,
      testRows: test.length,
      activities,
      files,
      workers: pool.size,
      elapsedSeconds: (performance.now() - startMs) / 1000,
      warnings,
    });
    for (const { message } of summary.warnings.slice(warnings.length)) progress.note(`warning: ${message}`);
    const isReported = await publishSummary(folder, summary, pair, progress);
    finishJournal(journal, summary);
    return { summary, isReported };
  } catch (error) {
    journal.close();
    throw error;
  } finally {
    await folder.discard();
  }
}

/** Reads both files, once it is sure that no input or model would be overwritten. */
function readPair(pool: WorkerPool, options: RefineCommandOptions, cancelFlag: Int32Array): Promise<PairAnswer> {
  const { trainPath, testPath, label, missingMarkers, columnChoices, hasHeader, outFolder } = options;
  refuseResults([trainPath, testPath], outFolder, [ACCOUNT, REPORT, JOURNAL, ...Object.values(REDUCED)]);
  refuseModelFolder(outFolder);
  requireReading([trainPath, testPath], label, options);
  const request = { trainPath, testPath, label, missingMarkers, columnChoices, hasHeader, ...keyRequestOf(options) };
  return pool.run("readPair", request, untilCancelled(cancelFlag));
}

/** @throws InputError for a folder with a model: its report has the same name as a refinement's. */
export function refuseModelFolder(folder: string): void {
  const [model] = earlierResults(folder);
  if (model === undefined) return;
  throw new InputError(
    "FOLDER_HAS_MODEL",
    `${folder} contains ${model} of \`cupel run\`, whose report would be overwritten. Name another folder with --out.`,
  );
}

/** Identifies the work that a journal belongs to: the same files and options, read by the same program. */
function identityOf(options: RefineCommandOptions, { source, test }: PairAnswer): string {
  const { numberOfBuckets, seed, removeLeaks, missingMarkers, columnChoices, hasHeader } = options;
  const parts = { version: CUPEL_VERSION, train: source.sha256, test: test.sha256, label: source.label };
  return JSON.stringify({
    ...parts,
    numberOfBuckets,
    seed,
    removeLeaks,
    missingMarkers,
    ...(!hasHeader && { hasHeader }),
    ...(columnChoices.length > 0 && { columnChoices }),
    ...keyRequestOf(options),
  });
}

async function writeReduced(
  pool: WorkerPool,
  folder: ResultFolder,
  kind: (typeof FILE_KINDS)[number],
  request: Omit<WriteReducedRequest, "outputPath">,
  cancelFlag: Int32Array,
): Promise<RefinementSummary["files"][number]> {
  const file = REDUCED[kind];
  const { sizeBytes } = await folder.place(file, (outputPath) =>
    pool.run("writeReduced", { ...request, outputPath }, untilCancelled(cancelFlag)),
  );
  return { kind, file, sizeBytes };
}

/**
 * Publishes all files at once. False where the refinement wrote no reduced
 * files and so leaves an earlier one's as they are.
 */
async function publishSummary(
  folder: ResultFolder,
  summary: RefinementSummary,
  { source }: PairAnswer,
  progress: ProgressView,
): Promise<boolean> {
  const earlierFiles = summary.files.length > 0 ? [] : folder.holds(Object.values(REDUCED));
  if (earlierFiles.length > 0) {
    const names = [...earlierFiles, ...folder.holds([ACCOUNT, REPORT])].join(", ");
    progress.note(`This refinement wrote no files. ${folder.path} still has those of an earlier one: ${names}.`);
    return false;
  }
  const report = renderRefinementReport(summary, source.columns.map(summariseColumn), classesOf(source));
  await publishAccount(folder, summary, report, progress);
  return true;
}

/** Publishes the waiting files with these; names an earlier refinement's TEST file, where this one has none. */
export async function publishAccount(
  folder: ResultFolder,
  summary: RefinementSummary,
  report: string,
  progress: ProgressView,
): Promise<void> {
  await folder.write(REPORT, report);
  await folder.write(ACCOUNT, `${JSON.stringify(summary, null, 2)}\n`);
  await folder.publish();
  for (const name of folder.holds([REDUCED.TEST])) {
    progress.note(`${folder.pathOf(name)} is of an earlier refinement: this one has no TEST file.`);
  }
}

/** Keeps the journal of a refinement that was stopped, for the same command to go on from. */
function finishJournal(journal: UnitJournal, { state }: RefinementSummary): void {
  if (state === "REFINEMENT_COMPLETED") journal.remove();
  else journal.close();
}

export function exitCodeOf({ state, partial }: RefinementSummary): number {
  if (state === "REFINEMENT_COMPLETED") return EXIT.done;
  if (state === "CANCELLED") return EXIT.interrupted;
  return partial ? EXIT.endedEarly : EXIT.fault;
}
