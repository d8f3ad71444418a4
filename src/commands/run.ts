// `cupel run`: a labelled CSV in; models, predictions, a summary and a report out.
import { basename, join } from "node:path";
import { makeFolder, placeWhole, removeFiles, writeWhole } from "../../data/file-store.ts";
import { algorithmName, familyOf } from "../../engine/families/model.ts";
import type { Arena } from "../../engine/qualify.ts";
import type { ModelAbout, TableAnswer } from "../../workers/messages.ts";
import { WorkerPool } from "../../workers/pool.ts";
import { checkScoringHeader } from "../../workers/scoring-header.ts";
import { EXIT } from "../exit-codes.ts";
import type { JobControl, TrainOptions } from "../jobs/competition.ts";
import { judgeVersion, positiveLabel, summarise, versionFileName } from "../jobs/run-summary.ts";
import { type KeptVersion, train } from "../jobs/train.ts";
import type { ProgressView } from "../progress.ts";
import { renderReport } from "../report/report.ts";
import type { ClassCount, PredictionSummary, RunSummary } from "../summary.ts";
import { CUPEL_VERSION } from "../version.ts";
import { closingLines } from "./closing-lines.ts";
import type { Console } from "./console.ts";

export interface RunOptions extends TrainOptions {
  trainPath: string;
  label: string | null;
  missingMarkers: readonly string[] | null;
  predictPaths: readonly string[];
  outFolder: string;
  workers: number;
  json: boolean;
  likeInput: boolean;
  spreadsheetSafe: boolean;
}

/** Runs the command and gives its exit code. Throws InputError where the input cannot be used. */
export async function run(options: RunOptions, console: Console, spawn: () => Worker): Promise<number> {
  const pool = new WorkerPool(spawn, options.workers);
  const control = jobControl();
  const release = console.onInterrupt(() => interrupt(pool, control, console.progress));
  try {
    const summary = await runOn(pool, options, control, console.progress);
    console.progress.finish();
    console.print(options.json ? JSON.stringify(summary) : closingLines(summary, options.outFolder).join("\n"));
    return exitCodeOf(summary);
  } finally {
    release();
    pool.close();
  }
}

async function runOn(
  pool: WorkerPool,
  options: RunOptions,
  control: JobControl,
  progress: ProgressView,
): Promise<RunSummary> {
  const startMs = performance.now();
  progress.stage(`Reading ${basename(options.trainPath)}`, null);
  const limits = {
    cancelFlag: control.attemptsFlag,
    deadlineMs: Number.POSITIVE_INFINITY,
    mostSeconds: Number.POSITIVE_INFINITY,
  };
  const { trainPath: path, label, missingMarkers } = options;
  const source = await pool.run("readTable", { path, label, missingMarkers }, limits);
  for (const warning of source.warnings) progress.note(`warning: ${warning.message}`);
  const needed = source.columns.filter(({ used }) => used).map(({ name }) => name);
  for (const predictPath of options.predictPaths) checkScoringHeader(predictPath, needed);
  await makeFolder(options.outFolder);
  const folder = new ResultFolder(options.outFolder);

  const result = await train(source, options, pool, progress, control, {
    describe: (kept, arena) => describeModel(kept, arena, source, options),
    store: (kept, bytes) => folder.write(versionFileName(kept.version), bytes),
  });
  const predictions = result.versions.length === 0 ? [] : await predictAll(pool, options, control, progress, source);
  const elapsedSeconds = (performance.now() - startMs) / 1000;
  const fileName = basename(options.trainPath);
  const summary = summarise({
    fileName,
    source,
    options,
    result,
    workers: options.workers,
    elapsedSeconds,
    predictions,
  });
  await folder.write("summary.json", `${JSON.stringify(summary, null, 2)}\n`);
  await folder.write("report.html", renderReport(summary));
  return summary;
}

/** The output folder. Results of an earlier run stay until this one has something to put in their place, and then all go. */
class ResultFolder {
  private readonly path: string;
  private emptied: Promise<void> | null = null;

  constructor(path: string) {
    this.path = path;
  }

  async write(name: string, content: Uint8Array | string): Promise<void> {
    this.emptied ??= removeFiles(
      this.path,
      /^(model|v[23])\.cupel$|^predictions-.*\.csv$|^summary\.json$|^report\.html$/,
    );
    await this.emptied;
    await writeWhole(join(this.path, name), content);
  }
}

function describeModel(kept: KeptVersion, arena: Arena, source: TableAnswer, options: RunOptions): ModelAbout {
  const { spec, answer } = kept.attempt;
  const { labels } = source.table;
  return {
    lineage: {
      cupelVersion: CUPEL_VERSION,
      version: kept.version,
      trainedOn: { name: basename(options.trainPath), sha256: source.sha256, sizeBytes: source.sizeBytes },
      rowCount: source.table.rowCount,
      classCounts: source.classCounts,
      seed: options.seed,
      attempt: spec.attempt,
      family: familyOf(kept.attempt.settings),
      algorithm: algorithmName(kept.attempt.settings),
      buckets: spec.buckets,
      numberOfBuckets: options.numberOfBuckets,
      settings: kept.attempt.settings,
      performance: {
        trainingPerformance: answer.trainingAccuracy,
        testPerformance: answer.holdout.accuracy,
        confirmedPerformance: kept.confirmed,
        falseDecisions: answer.holdout.falseDecisions,
        holdoutRowCount: arena.split.judging.length,
        logLoss: answer.holdout.logLoss,
        ...judgeVersion(kept, { arena }).metrics,
      },
    },
    label: source.label,
    labels,
    positiveLabel: positiveLabel(labels),
    missingMarkers: source.missingMarkers,
    columns: source.columns
      .filter(({ used }) => used)
      .map(({ name, kind, reading, missing }) => ({ name, kind, reading, missingCount: missing })),
  };
}

async function predictAll(
  pool: WorkerPool,
  options: RunOptions,
  control: JobControl,
  progress: ProgressView,
  source: TableAnswer,
): Promise<PredictionSummary[]> {
  if (options.predictPaths.length > 0) progress.stage("Predicting", options.predictPaths.length);
  const names = resultNames(options.predictPaths);
  return Promise.all(
    options.predictPaths.map(async (inputPath, index) => {
      const file = names[index]!;
      const { likeInput, spreadsheetSafe } = options;
      const answer = await placeWhole(join(options.outFolder, file), (outputPath) => {
        const modelPath = join(options.outFolder, versionFileName(1));
        return pool.run(
          "scoreFile",
          { modelPath, inputPath, outputPath, likeInput, spreadsheetSafe },
          {
            cancelFlag: control.finishFlag,
            deadlineMs: Number.POSITIVE_INFINITY,
            mostSeconds: Number.POSITIVE_INFINITY,
          },
        );
      });
      for (const { message } of answer.warnings) progress.note(`warning: ${basename(inputPath)}: ${message}`);
      progress.advance();
      const classes = source.table.labels.map(
        (label, code): ClassCount => ({ label, count: answer.decisionCounts[code]! }),
      );
      return { input: basename(inputPath), file, rows: answer.rowCount, classes, warnings: answer.warnings };
    }),
  );
}

/** `predictions-<name>.csv` for each input; inputs of the same name are told apart by a number. */
function resultNames(paths: readonly string[]): string[] {
  const taken = new Set<string>();
  return paths.map((path) => {
    const stem = basename(path).replace(/\.(csv|tsv|txt)$/i, "");
    let name = `predictions-${stem}.csv`;
    for (let suffix = 2; taken.has(name); suffix++) name = `predictions-${stem}-${suffix}.csv`;
    taken.add(name);
    return name;
  });
}

function jobControl(): JobControl {
  const flag = () => new Int32Array(new SharedArrayBuffer(4));
  return { attemptsFlag: flag(), finishFlag: flag() };
}

function interrupt(pool: WorkerPool, control: JobControl, progress: ProgressView): void {
  if (Atomics.load(control.attemptsFlag, 0) === 0) {
    progress.note("Stopping: the best models so far are refitted and kept. Press Ctrl-C again to give up.");
    pool.cancel(control.attemptsFlag);
  } else {
    pool.cancel(control.finishFlag);
  }
}

function exitCodeOf(summary: RunSummary): number {
  if (summary.status === "CANCELLED") return EXIT.interrupted;
  if (summary.status === "COMPLETED") return EXIT.done;
  return summary.versions.length === 0 ? EXIT.fault : EXIT.endedEarly;
}
