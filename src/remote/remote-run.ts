// `cupel run --server`: the server refines and trains; models, predictions,
// report and last lines are those of a local run.
import { basename } from "node:path";
import { Cancelled } from "../../engine/stop-signal.ts";
import type { Warning } from "../../engine/warning.ts";
import { checkScoringHeader } from "../../workers/scoring/scoring-header.ts";
import type { Dataset } from "../clients/typescript/dataset.ts";
import type { Model } from "../clients/typescript/model.ts";
import { CupelProblem } from "../clients/typescript/problem.ts";
import type { Training } from "../clients/typescript/training.ts";
import type { WaitOptions } from "../clients/typescript/waiting.ts";
import { closingLines } from "../commands/closing-lines.ts";
import type { Console } from "../commands/console.ts";
import { refuseResults } from "../commands/own-inputs.ts";
import { exitCodeOf, type RunOptions } from "../commands/run.ts";
import { type Predictions, publishResults, resultNames } from "../commands/run-results.ts";
import { REFINEMENT_BUCKETS } from "../common/limits.ts";
import type { ProgressView } from "../progress/progress-view.ts";
import type { RefinementSummary } from "../summary/refinement-summary.ts";
import type { PredictionSummary, RunSummary } from "../summary/summary.ts";
import { PREDICTION_FAILED, predictionNames } from "../training/predict.ts";
import { openResultFolder, type ResultFolder } from "../training/result-folder.ts";
import { versionFileName } from "../training/run-summary.ts";
import { costOf } from "../words/cost-texts.ts";
import type { Remote } from "./connect.ts";
import { type Interrupts, interruptibly } from "./interrupts.ts";
import { laterLabels } from "./remote-labels.ts";
import { showRemote } from "./remote-progress.ts";
import { endOfRefinement } from "./remote-refinement.ts";
import { tableSettings } from "./remote-tables.ts";

interface Running {
  options: RunOptions;
  remote: Remote;
  progress: ProgressView;
  interrupts: Interrupts;
  waiting: WaitOptions;
}

/** @throws InputError, Cancelled, or what the client throws */
export async function remoteRun(options: RunOptions, remote: Remote, console: Console): Promise<number> {
  const { trainPath, testPath, predictPaths, outFolder, hasHeader } = options;
  const tablePaths = testPath === null ? [trainPath] : [trainPath, testPath];
  refuseResults([...tablePaths, ...predictPaths], outFolder, resultNames(outFolder, predictPaths));
  for (const predictPath of predictPaths) checkScoringHeader(predictPath, [], hasHeader);
  const { progress } = console;
  return interruptibly(console, async (interrupts) => {
    const waiting = { onProgress: showRemote(progress, trainPath), signal: interrupts.signal };
    const summary = await runOn({ options, remote, progress, interrupts, waiting }).finally(progress.finish);
    console.print(...(options.json ? [JSON.stringify(summary)] : closingLines(summary, options)));
    return exitCodeOf(summary);
  });
}

async function runOn(running: Running): Promise<RunSummary> {
  const { options, remote, interrupts } = running;
  const { signal } = interrupts;
  const { dataset, refinement } = options.refine ? await refineFirst(running) : await unrefined(running);
  const training = await startTraining(dataset, running);
  const model = await endOfTraining(training, running);
  const runSummary = await remote.connection.json<RunSummary>("GET", `/api/v1/models/${model.key}/summary`, { signal });
  const keys = { datasetKey: dataset.key, trainingJobKey: training.key, modelKey: model.key };
  const summary: RunSummary = {
    ...runSummary,
    file: { ...runSummary.file, name: basename(options.trainPath) },
    versions: runSummary.versions.map((version) => ({ ...version, file: versionFileName(version.version) })),
    warnings: [...runSummary.warnings, ...without(refinement?.warnings ?? [], runSummary.warnings)],
    refinement,
    server: { url: remote.url, ...keys },
  };
  const folder = await openResultFolder(options.outFolder);
  try {
    return await publishRun(folder, summary, model, running);
  } finally {
    await folder.discard();
  }
}

interface Prepared {
  dataset: Dataset;
  refinement: RefinementSummary | null;
}

async function unrefined({ options, remote, progress, waiting }: Running): Promise<Prepared> {
  const { trainPath, numberOfBuckets } = options;
  const settings = { ...tableSettings(options), numberOfBuckets, ...waiting };
  const dataset = await remote.cupel.datasets.create(trainPath, settings);
  for (const { message } of dataset.about.warnings) progress.note(`warning: ${message}`);
  return { dataset, refinement: null };
}

/** The dataset of the kept columns; without a result, of all. */
async function refineFirst(running: Running): Promise<Prepared> {
  const { options, remote, progress, interrupts, waiting } = running;
  const { trainPath, testPath, removeLeaks } = options;
  const { refinements } = remote.cupel;
  const numberOfBuckets = Math.max(...REFINEMENT_BUCKETS.filter((buckets) => buckets <= options.numberOfBuckets));
  const unrefinedSource = testPath === null ? await unrefined(running) : null;
  const refinement =
    unrefinedSource === null
      ? await refinements.startOn(trainPath, testPath!, {
          ...tableSettings(options),
          ...{ numberOfBuckets, removeLeaks },
          ...waiting,
        })
      : await refinements.start(unrefinedSource.dataset, { numberOfBuckets, removeLeaks, signal: interrupts.signal });
  const files = { trainPath, testPath, numberOfBuckets };
  const ended = await endOfRefinement(refinement, remote, { interrupts, waiting, asked: files });
  if ("failure" in ended) {
    progress.note(`Refined: ${ended.failure.message} Training on all columns.`);
    return unrefinedSource ?? unrefined(running);
  }
  const { summary } = ended;
  // The dataset's are told already.
  for (const { message } of without(summary.warnings, unrefinedSource?.dataset.about.warnings ?? [])) {
    progress.note(`warning: ${message}`);
  }
  progress.note(`Refined: ${summary.stateReason}`);
  const dataset = await refinement.dataset({ numberOfBuckets: options.numberOfBuckets, ...waiting });
  return { dataset, refinement: summary };
}

function without<T extends { message: string }>(warnings: readonly T[], known: readonly { message: string }[]): T[] {
  const messages = new Set(known.map(({ message }) => message));
  return warnings.filter(({ message }) => !messages.has(message));
}

async function startTraining(dataset: Dataset, { options, remote, interrupts }: Running): Promise<Training> {
  const { scalingFactor, target, objective, costTexts = [] } = options;
  const labels = dataset.about.classes.map(({ label }) => label);
  const costs = costTexts.map((text) => {
    const { actual, predicted, cost } = costOf(text, labels);
    return { actual, cost, ...(predicted !== null && { predicted }) };
  });
  return remote.cupel.trainings.start(dataset, {
    ...{ scalingFactor, objective, performanceThreshold: target ?? undefined },
    costs: costs.length === 0 ? undefined : costs,
    signal: interrupts.signal,
  });
}

async function endOfTraining(training: Training, { interrupts, waiting }: Running): Promise<Model> {
  const cancel = () => training.cancel({ signal: interrupts.signal });
  const words = "the server refits the best models so far, which are then fetched.";
  try {
    return await interrupts.during({ cancel, words }, () => training.wait(waiting));
  } catch (error) {
    // Cancelled before the first model.
    const isEmpty = error instanceof CupelProblem && error.code === "TRAINING_FAILED" && interrupts.isStopping;
    throw isEmpty ? new Cancelled() : error;
  }
}

async function publishRun(
  folder: ResultFolder,
  summary: RunSummary,
  model: Model,
  running: Running,
): Promise<RunSummary> {
  const { options, progress, interrupts } = running;
  const { signal } = interrupts;
  progress.stage("Fetching the models", summary.versions.length);
  for (const { version, file } of summary.versions) {
    await folder.place(file, (path) => model.file({ version }).save(path, { signal }));
    progress.advance();
  }
  const summarise = ({ predictions, failures }: Predictions): RunSummary => ({
    ...summary,
    predictions,
    warnings: [...summary.warnings, ...failures],
  });
  return publishResults(folder, options.predictPaths, summarise, () => predictAll(folder, model, running), progress);
}

/** Scores each file into the folder. One that cannot be used becomes a warning. */
async function predictAll(folder: ResultFolder, model: Model, running: Running) {
  const { options, progress, interrupts } = running;
  const { predictPaths, hasHeader, spreadsheetSafe } = options;
  const { signal } = interrupts;
  progress.stage("Predicting", predictPaths.length);
  const predictions: PredictionSummary[] = [];
  const failures: Warning[] = [];
  const names = predictionNames(predictPaths);
  for (const [at, path] of predictPaths.entries()) {
    const input = basename(path);
    const file = names[at]!;
    try {
      const prediction = await (await model.send(path, { hasHeader, signal })).wait({ signal });
      await folder.place(file, (target) => prediction.file({ spreadsheetSafe }).save(target, { signal }));
      const { rowCount, labelCounts, confidenceCounts, warnings } = await prediction.look({ signal });
      for (const { message } of warnings) progress.note(`warning: ${input}: ${message}`);
      const rows = rowCount ?? 0;
      const classes = labelCounts ?? [];
      progress.note(laterLabels(prediction.key, running.remote.url, input));
      predictions.push({ input, file, rows, classes, confidenceCounts: confidenceCounts ?? [], warnings });
    } catch (error) {
      const isOfFile = error instanceof CupelProblem && ([400, 413, 422].includes(error.status) || error.status === 0);
      if (!isOfFile || error.code === "UNREACHABLE") throw error;
      const message = `${input} was not scored. ${error.message}`;
      progress.note(`error: ${message}`);
      failures.push({ code: PREDICTION_FAILED, message });
    }
    progress.advance();
  }
  return { predictions, failures };
}
