// Runs a training from its dataset to a model of up to three versions: as on the command line, and resumable.
import { randomUUID } from "node:crypto";
import { MOST_RESTARTS } from "../../data/database/states.ts";
import { type Dataset, findDataset } from "../../data/datasets.ts";
import { makeFolder, writeWhole } from "../../data/files/file-store.ts";
import { statePaths } from "../../data/files/state-folder.ts";
import { openUnitJournal, type UnitJournal } from "../../data/files/unit-journal.ts";
import type { NewModel, NewModelVersion } from "../../data/models.ts";
import type { TrainingJob } from "../../data/training-jobs.ts";
import {
  type BestAttempt,
  finishTrainingJob,
  isTrainingCancelled,
  recordTrainingAttempt,
  setTrainingPlan,
  setTrainingVerdict,
  type TrainingEnd,
} from "../../data/training-runs.ts";
import { algorithmName } from "../../engine/families/algorithms.ts";
import { Cancelled } from "../../engine/stop-signal.ts";
import { sumOf } from "../../engine/sums.ts";
import type { LeakageAnswer, TableAnswer } from "../../workers/messages.ts";
import { askedColumnsOf, keyRequestOf } from "../../workers/reading/profile-file.ts";
import { CUPEL_VERSION } from "../common/version.ts";
import { silentProgress } from "../progress/progress-view.ts";
import { renderReport } from "../report/report.ts";
import type { RunSummary } from "../summary/summary.ts";
import { summariseAttempt } from "../training/attempt-summary.ts";
import type { FinishedAttempt, TrainListener, TrainOptions } from "../training/competition-state.ts";
import type { KeptVersion } from "../training/kept-version.ts";
import { checkLeakage } from "../training/leakage-check.ts";
import { describeModel } from "../training/model-about.ts";
import { holdOutFifth } from "../training/refine-first.ts";
import { summarise } from "../training/run-summary.ts";
import { type TrainResult, train, type VersionKeeper } from "../training/train.ts";
import { BEFORE_MODELS, verdictOf } from "../verdict/doubts.ts";
import { rememberedNow, runUnit } from "../work/units.ts";
import { fitDatasetTraining, LEAST_MODEL_BYTES } from "./job-need.ts";
import { cancelRun, elapsedMs, fileLimits, type JobRun, type JobServices } from "./job-run.ts";
import { reasonOf } from "./reason.ts";
import { type Held, type JobEnd, jobEnd, runToEnd } from "./run-to-end.ts";
import { heldRoom } from "./written.ts";

const STOPPED = "The job was cancelled; what had finished was kept.";
const RESTARTED_TOO_OFTEN =
  `The service was restarted in the middle of this job more than ${MOST_RESTARTS} times; ` +
  "what had finished was kept.";
/** The journal's unit with the model's key. */
export const MODEL_KEY_UNIT = "model key";

/** Works on a claimed training. */
export function runTraining(job: TrainingJob, run: JobRun, services: JobServices): Promise<void> {
  let closingReason = job.restarts > MOST_RESTARTS ? RESTARTED_TOO_OFTEN : null;
  return runToEnd(run, services, {
    job: nameOf(job),
    work: async (held) =>
      writing(await trainedEnd(openFlow(job, run, services, held), closingReason), job, run, services),
    failed: (error) => {
      const isCancelled = error instanceof Cancelled && isTrainingCancelled(services.database, job.key);
      if (isCancelled) return writing(CANCELLED, job, run, services);
      const errorReason = reasonOf(error, nameOf(job), services);
      // Worked again after a full disk, it begins nothing more that would need room.
      closingReason = `${errorReason} What had finished was kept.`;
      return writing({ status: "FAILED", errorReason, model: null, attempts: null }, job, run, services);
    },
  });
}

const CANCELLED: TrainingEnd = { status: "CANCELLED", errorReason: null, model: null, attempts: null };

function nameOf({ key }: TrainingJob): string {
  return `training job ${key}`;
}

function writing(end: TrainingEnd, { key }: TrainingJob, run: JobRun, { database }: JobServices): JobEnd {
  const named = end.model === null ? [] : [statePaths.modelFolder(end.model.key)];
  return jobEnd(() => finishTrainingJob(database, key, end, new Date(), elapsedMs(run)), named);
}

interface TrainingFlow {
  job: TrainingJob;
  dataset: Dataset;
  /** Most trees of a forest, where memory is short. */
  mostTrees: number | undefined;
  run: JobRun;
  services: JobServices;
  held: Held;
  journal: UnitJournal;
  modelKey: string;
}

interface UnwrittenFile {
  path: string;
  content: Uint8Array;
}

function openFlow(job: TrainingJob, run: JobRun, services: JobServices, held: Held): TrainingFlow {
  const dataset = findDataset(services.database, job.datasetKey)!;
  const path = services.state.locate(statePaths.journal(job.key));
  const { mostTrees } = fitDatasetTraining(dataset, job, run.pool.size, run.memory.mostBytes);
  held.journal ??= openUnitJournal(path, identityOf(job, dataset, mostTrees));
  const { journal } = held;
  // The same key after a restart, so that no folder of an interrupted training is left behind.
  const modelKey = rememberedNow(journal, MODEL_KEY_UNIT, () => randomUUID());
  held.files.push(statePaths.modelFolder(modelKey));
  return { job, dataset, mostTrees, run, services, held, journal, modelKey };
}

/** Identifies the work of a journal: the same table and options, read by the same program. */
function identityOf(job: TrainingJob, dataset: Dataset, mostTrees: number | undefined): string {
  const { sha256, labelColumn, positiveLabel, missingValues, numberOfBuckets } = dataset;
  const { targetPerformance, scalingFactor, seed, objective, costs } = job;
  const table = { sha256, labelColumn, positiveLabel, missingValues, numberOfBuckets };
  const settings = { targetPerformance, scalingFactor, seed, objective, costs, mostTrees, ...askedColumnsOf(job) };
  return JSON.stringify({ version: CUPEL_VERSION, ...table, ...settings });
}

async function trainedEnd(flow: TrainingFlow, closingReason: string | null): Promise<TrainingEnd> {
  const { run, job, journal } = flow;
  run.memory.require();
  // Refuses an exhausted quota now rather than after an hour of training.
  if (job.attemptsCompleted === 0 && closingReason === null)
    flow.services.quotas.hold(job.userKey, LEAST_MODEL_BYTES)();
  const source = await readSource(flow);
  // The cancel may have come before a restart.
  if (isTrainingCancelled(flow.services.database, flow.job.key)) cancelRun(run);
  const options = optionsOf(flow);
  const leakage = await checkLeakage(source, source.table.rowCount, {
    ...{ pool: run.pool, seed: options.seed, timeLimitSeconds: options.timeLimitSeconds, journal },
    cancelFlag: run.control.stopFlag,
  });
  storeEarlyVerdict(flow, source, leakage, options.seed);
  const files: UnwrittenFile[] = [];
  const result = await train(source, options, {
    pool: run.pool,
    progress: silentProgress,
    control: run.control,
    keeper: keeperOf(flow, source, options, leakage, files),
    journal,
    listener: listenerOf(flow),
    closingReason,
  });
  const summary = summaryOf(flow, source, options, result, leakage);
  return endOfSummary(summary, await publishable(flow, summary, files));
}

/** Tells the verdict of the check while models are still to come; the job's end adds what they show. */
function storeEarlyVerdict(
  { job, services }: TrainingFlow,
  source: TableAnswer,
  leakage: LeakageAnswer | null,
  seed: number,
): void {
  const heldOutRowCount = holdOutFifth(source, seed).test.length;
  const verdict = verdictOf({ leakage, source, heldOutRowCount, ...BEFORE_MODELS });
  setTrainingVerdict(services.database, job.key, verdict);
}

/** A cancel ends the reading only where the journal has no attempts; otherwise these still become the model. */
function readSource({ job, dataset, run, services }: TrainingFlow): Promise<TableAnswer> {
  const path = services.state.locate(dataset.filePath!);
  const { labelColumn: label, missingValues: missingMarkers, hasHeader, sha256 } = dataset;
  const { columnChoices } = job;
  const request = { path, label, missingMarkers, columnChoices, hasHeader, sha256, ...keyRequestOf(job) };
  const { stopFlag, giveUpFlag } = run.control;
  return runUnit(run.pool, "readTable", request, fileLimits(job.attemptsCompleted === 0 ? stopFlag : giveUpFlag));
}

function optionsOf({ job, dataset, services, mostTrees }: TrainingFlow): TrainOptions {
  const { scalingFactor, targetPerformance: target, timeLimitSeconds, seed, objective, costs } = job;
  const { numberOfBuckets, positiveLabel } = dataset;
  const { attemptSeconds } = services.timeCaps;
  const aim = { target, objective, costs, positiveLabel };
  return { ...aim, numberOfBuckets, scalingFactor, timeLimitSeconds, attemptSeconds, seed, mostTrees };
}

function listenerOf({ job: { key }, services: { database } }: TrainingFlow): TrainListener {
  const bestOf = (best: FinishedAttempt): BestAttempt => ({
    performance: best.answer.holdout.accuracy,
    falseDecisions: best.falseDecisions,
    algorithm: algorithmName(best.settings),
  });
  return {
    plan: (attemptsTotal, baselinePerformance) => {
      setTrainingPlan(database, key, { attemptsTotal, baselinePerformance });
    },
    attempt: (record, best) => {
      const known = summariseAttempt(record, { finalist: false, version: null });
      recordTrainingAttempt(database, key, known, best === null ? null : bestOf(best));
    },
  };
}

function keeperOf(
  flow: TrainingFlow,
  source: TableAnswer,
  options: TrainOptions,
  leakage: LeakageAnswer | null,
  files: UnwrittenFile[],
): VersionKeeper {
  const { job, dataset, modelKey, services } = flow;
  return {
    describe: (kept, task) => describeModel(kept, task, { source, options, leakage, refinement: null }, dataset.name),
    // Written once all are known, so that room is asked for once.
    store: async (kept: KeptVersion, content) => {
      files.push({ path: statePaths.modelVersion(modelKey, kept.version), content });
    },
    dropped: (error) => services.report(error, nameOf(job)),
  };
}

function summaryOf(
  flow: TrainingFlow,
  source: TableAnswer,
  options: TrainOptions,
  result: TrainResult,
  leakage: LeakageAnswer | null,
): RunSummary {
  const { job, dataset, run, services, modelKey } = flow;
  const isCancelled = isTrainingCancelled(services.database, job.key);
  const cancelled = isCancelled ? ({ status: "CANCELLED", statusReason: STOPPED } as const) : {};
  return summarise({
    fileName: dataset.name,
    source,
    options,
    result: { ...result, competition: { ...result.competition, ...cancelled } },
    workers: run.pool.size,
    elapsedSeconds: (performance.now() - run.control.startMs) / 1000,
    predictions: [],
    failures: [],
    leakage,
    refinement: null,
    versionFile: (version) => statePaths.modelVersion(modelKey, version).split("/").at(-1)!,
  });
}

/** Writes the model's files, and returns the model for the database; null where there is none. */
async function publishable(
  flow: TrainingFlow,
  summary: RunSummary,
  files: readonly UnwrittenFile[],
): Promise<NewModel | null> {
  const { modelKey } = flow;
  const versions = summary.versions.map(
    (version): NewModelVersion => ({
      algorithm: version.algorithm,
      achievedPerformance: version.achievedPerformance,
      trainingPerformance: version.trainingPerformance,
      testPerformance: version.testPerformance,
      falseDecisions: version.falseDecisions,
      confirmedPerformance: version.confirmedPerformance,
      filePath: statePaths.modelVersion(modelKey, version.version),
    }),
  );
  const [champion, ...others] = versions;
  if (champion === undefined) return null;
  const summaryText = `${JSON.stringify(summary, null, 2)}\n`;
  await writeFiles(flow, [
    ...files,
    { path: statePaths.modelSummary(modelKey), content: Buffer.from(summaryText) },
    { path: statePaths.modelReport(modelKey), content: Buffer.from(renderReport(summary)) },
  ]);
  return { key: modelKey, versions: [champion, ...others], sizeBytes: flow.held.neededBytes };
}

async function writeFiles(flow: TrainingFlow, files: readonly UnwrittenFile[]): Promise<void> {
  const { run, job, services, modelKey, held } = flow;
  const bytes = sumOf(files.map(({ content }) => content.length));
  held.neededBytes = bytes;
  const isOver = () => isTrainingCancelled(services.database, job.key);
  held.releases.push(await heldRoom(run, services, { userKey: job.userKey, bytes, isOver }));
  await makeFolder(services.state.locate(statePaths.modelFolder(modelKey)));
  for (const { path, content } of files) await writeWhole(services.state.locate(path), content);
}

function endOfSummary(summary: RunSummary, model: NewModel | null): TrainingEnd {
  const { status, statusReason, attempts, verdict } = summary;
  const errorReason = status === "COMPLETED" || status === "CANCELLED" ? null : statusReason;
  const known = { errorReason, attempts, verdict };
  if (status === "CANCELLED") return { status, model, ...known };
  if (model === null || status === "FAILED") return { status: "FAILED", model: null, ...known };
  return { status, model, ...known };
}
