// `cupel run`: trains on a labelled CSV file; writes models, predictions, a summary and a report.
import { basename } from "node:path";
import { InputError } from "../../engine/input-error.ts";
import { type Cost, costMatrix } from "../../engine/judging/costs.ts";
import { SMALL_TABLE_ROWS } from "../../engine/splits/holdout.ts";
import type { Warning } from "../../engine/warning.ts";
import { untilCancelled } from "../../workers/messages.ts";
import { WorkerPool } from "../../workers/pool.ts";
import { keyRequestOf } from "../../workers/reading/profile-file.ts";
import { checkScoringHeader } from "../../workers/scoring/scoring-header.ts";
import { EXIT } from "../common/exit-codes.ts";
import type { ProgressView } from "../progress/progress-view.ts";
import { fileOf } from "../refining/refinement-account.ts";
import type { RunSummary } from "../summary/summary.ts";
import type { TrainOptions } from "../training/competition-state.ts";
import { checkLeakage } from "../training/leakage-check.ts";
import { describeModel } from "../training/model-about.ts";
import { PREDICTION_FAILED, predictAll } from "../training/predict.ts";
import { pairedSource, type ReadSource, refineFirst } from "../training/refine-first.ts";
import { openResultFolder, type ResultFolder } from "../training/result-folder.ts";
import { noPositiveClass, positiveLabelOf, summarise, versionFileName } from "../training/run-summary.ts";
import { train, type VersionKeeper } from "../training/train.ts";
import { type CostText, costOf } from "../words/cost-texts.ts";
import { type JobControl, newJobControl } from "../work/job-control.ts";
import { closingLines } from "./closing-lines.ts";
import type { Console } from "./console.ts";
import { requireTable } from "./inspect.ts";
import { fitTraining, mayRefine, requireReading } from "./memory-check.ts";
import { throwOfFile } from "./named-files.ts";
import { refuseResults } from "./own-inputs.ts";
import type { RefineCommandOptions } from "./refine.ts";
import { publishResults, resultNames } from "./run-results.ts";

/** More threads make a small table's run slower: each compiles its own code (D148). */
const MOST_THREADS_OF_FEW_ROWS = 8;

export interface RunOptions extends TrainOptions, Omit<RefineCommandOptions, "testPath"> {
  /** The refinement's blind test; null for a fifth of TRAIN. */
  testPath: string | null;
  predictPaths: readonly string[];
  /** Costs of wrong decisions, as typed. */
  costTexts?: readonly CostText[];
  likeInput: boolean;
  spreadsheetSafe: boolean;
  /** Whether to train only on columns that carry signal. */
  refine: boolean;
}

/** @throws InputError where an input cannot be used or would be overwritten */
export async function run(options: RunOptions, console: Console, spawn: () => Worker): Promise<number> {
  const pool = new WorkerPool(spawn, options.workers);
  const control = newJobControl();
  const release = console.onInterrupt(() => interrupt(pool, control, console.progress));
  try {
    const { progress } = console;
    const running = { pool, control, progress, startMs: performance.now() };
    const summary = await runOn(options, running).finally(progress.finish);
    console.print(...(options.json ? [JSON.stringify(summary)] : closingLines(summary, options)));
    return exitCodeOf(summary);
  } finally {
    release();
    pool.close();
  }
}

interface Running {
  pool: WorkerPool;
  control: JobControl;
  progress: ProgressView;
  startMs: number;
}

async function runOn(options: RunOptions, running: Running): Promise<RunSummary> {
  const { trainPath, testPath, predictPaths, outFolder, hasHeader } = options;
  const tablePaths = testPath === null ? [trainPath] : [trainPath, testPath];
  for (const path of tablePaths) requireTable(path);
  refuseResults([...tablePaths, ...predictPaths], outFolder, resultNames(outFolder, predictPaths));
  requireReading(tablePaths, options.label, options);
  running.pool.warmUp(MOST_THREADS_OF_FEW_ROWS);
  const input = await readSource(options, running);
  const { table } = input.source;
  if (table.rowCount <= SMALL_TABLE_ROWS && table.texts === undefined) running.pool.narrow(MOST_THREADS_OF_FEW_ROWS);
  const costs = costsOf(options, table.labels);
  warnOfPositiveLabel(options, table.labels, running.progress);
  const refines = options.refine && mayRefine(running.pool, table, options, running.progress);
  const { columns } = input.source;
  // A refinement may yet drop what a file lacks.
  const needed = refines ? [] : usedNames(columns);
  for (const path of predictPaths) requireScoringHeader(path, needed, hasHeader);
  const folder = await openResultFolder(outFolder);
  try {
    return await runInto(folder, input, { ...options, costs, refine: refines }, running);
  } finally {
    await folder.discard();
  }
}

function usedNames(columns: ReadSource["source"]["columns"]): string[] {
  return columns.filter(({ used }) => used).map(({ name }) => name);
}

/** @throws InputError that names the file */
function requireScoringHeader(path: string, needed: readonly string[], hasHeader: boolean): void {
  try {
    checkScoringHeader(path, needed, hasHeader);
  } catch (error) {
    throwOfFile(error, path);
  }
}

/** Says before the training which files will not be scored; the models are worth their time without them. */
function warnOfUnscorable(options: RunOptions, needed: readonly string[], progress: ProgressView): void {
  for (const path of options.predictPaths) {
    try {
      requireScoringHeader(path, needed, options.hasHeader);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      progress.note(`warning: It will not be scored. ${error.message}`);
    }
  }
}

/** @throws InputError where no row has the positive label: before the work, not at its end */
function warnOfPositiveLabel(
  { positiveLabel = null }: RunOptions,
  labels: readonly string[],
  progress: ProgressView,
): void {
  if (positiveLabelOf(labels, positiveLabel) !== null || positiveLabel === null) return;
  progress.note(`warning: ${noPositiveClass(labels.length).message}`);
}

/** Null where none were asked for. @throws InputError where a cost is for a label that no row has */
function costsOf({ costTexts = [] }: RunOptions, labels: readonly string[]): Cost[] | null {
  if (costTexts.length === 0) return null;
  const costs = costTexts.map((text) => costOf(text, labels));
  costMatrix(labels, costs);
  return costs;
}

async function runInto(
  folder: ResultFolder,
  input: ReadSource,
  options: RunOptions,
  { pool, control, progress, startMs }: Running,
): Promise<RunSummary> {
  const fileName = basename(options.trainPath);
  const { seed, timeLimitSeconds } = options;
  const checking = checkLeakage(input.source, input.trainRowCount, {
    ...{ pool, seed, timeLimitSeconds, journal: null },
    cancelFlag: control.stopFlag,
  });
  // The error reaches the code that awaits the promise later; until then it must not count as unhandled.
  checking.catch(() => undefined);
  const unrefined = { source: input.source, target: options.target, refinement: null };
  const refined = options.refine ? await refineFirst(input, options, pool, progress, control) : unrefined;
  const { source, target, refinement } = refined;
  const mostTrees = fitTraining(pool, source, options, progress);
  if (options.refine) warnOfUnscorable(options, usedNames(source.columns), progress);

  // The refinement's target may end the run early, but only a target that was asked for makes single attempts go on for
  // it. It is an accuracy, so it does not apply to other objectives.
  const isAccuracy = (options.objective ?? "accuracy") === "accuracy";
  const trainOptions = { ...options, target: isAccuracy ? target : null, attemptTarget: options.target, mostTrees };
  const keeper: VersionKeeper = {
    describe: async (kept, task) => {
      const described = { source, options: trainOptions, leakage: await checking, refinement };
      return describeModel(kept, task, described, fileName);
    },
    store: (kept, bytes) => folder.write(versionFileName(kept.version), bytes),
  };
  const training = { pool, progress, control, keeper, journal: null, listener: null, closingReason: null };
  const result = await train(source, trainOptions, training);
  const leakage = await checking;
  const account = { fileName, source, options: trainOptions, result, workers: pool.size, refinement, leakage };
  const { labels } = source.table;
  const context = { pool, progress, cancelFlag: control.giveUpFlag };
  return publishResults(
    folder,
    options.predictPaths,
    (made) =>
      summarise({
        ...account,
        ...made,
        elapsedSeconds: (performance.now() - startMs) / 1000,
        versionFile: versionFileName,
      }),
    () => predictAll(options.predictPaths, folder, labels, options, context),
    progress,
  );
}

/** Reads TRAIN and, where given, TEST; notes warnings. */
async function readSource(
  { trainPath, testPath, label, missingMarkers, columnChoices, hasHeader, ...options }: RunOptions,
  { pool, control, progress }: Running,
): Promise<ReadSource> {
  const limits = untilCancelled(control.stopFlag);
  const keys = keyRequestOf(options);
  const note = (warnings: readonly Warning[]) => {
    for (const { message } of warnings) progress.note(`warning: ${message}`);
  };
  const readingRequest = { label, missingMarkers, columnChoices, hasHeader, ...keys };
  progress.stage(`Reading ${basename(trainPath)}`, null);
  if (testPath === null) {
    const reading = pool.run("readTable", { path: trainPath, ...readingRequest }, limits);
    const source = await reading.catch((error) => throwOfFile(error, trainPath));
    note(source.warnings);
    const { rowCount } = source.table;
    return { source, trainRowCount: rowCount, train: fileOf(trainPath, source, rowCount), test: null };
  }
  const request = { trainPath, testPath, ...readingRequest };
  const pair = await pool.run("readPair", request, limits);
  const read = pairedSource(pair, trainPath, testPath);
  note(read.warnings);
  return read;
}

function interrupt(pool: WorkerPool, control: JobControl, progress: ProgressView): void {
  if (Atomics.load(control.stopFlag, 0) === 0) {
    progress.note("Stopping: the best models so far, if any, are refitted and kept. Press Ctrl-C again to give up.");
    pool.cancel(control.stopFlag);
  } else {
    pool.cancel(control.giveUpFlag);
  }
}

export function exitCodeOf(summary: RunSummary): number {
  if (summary.warnings.some(({ code }) => code === PREDICTION_FAILED)) return EXIT.badInput;
  if (summary.status === "CANCELLED") return EXIT.interrupted;
  if (summary.status === "COMPLETED") return EXIT.done;
  return summary.versions.length === 0 ? EXIT.fault : EXIT.endedEarly;
}
