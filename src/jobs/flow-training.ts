// A training job's way from its dataset to a model of up to three versions: the same training as on the command line, resumable.
import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { type Dataset, findDataset } from "../../data/datasets.ts";
import { makeFolder, writeWhole } from "../../data/file-store.ts";
import type { NewModel, NewModelVersion } from "../../data/models.ts";
import { statePaths } from "../../data/state-folder.ts";
import type { TrainingJob } from "../../data/training-jobs.ts";
import {
  type BestAttempt,
  finishTrainingJob,
  isTrainingCancelled,
  recordTrainingAttempt,
  setTrainingPlan,
  type TrainingEnd,
} from "../../data/training-runs.ts";
import { openUnitJournal, type UnitJournal } from "../../data/unit-journal.ts";
import { algorithmName } from "../../engine/families/model.ts";
import { Cancelled } from "../../engine/stop-signal.ts";
import { type TableAnswer, untilCancelled } from "../../workers/messages.ts";
import { silentProgress } from "../progress-view.ts";
import { renderReport } from "../report/report.ts";
import type { RunSummary } from "../summary.ts";
import { CUPEL_VERSION } from "../version.ts";
import { summariseAttempt } from "./attempt-summary.ts";
import type { FinishedAttempt, TrainListener, TrainOptions } from "./competition.ts";
import { cancelRun, type JobRun, type JobServices } from "./job-run.ts";
import { describeModel } from "./model-about.ts";
import { reasonOf } from "./reason.ts";
import { summarise } from "./run-summary.ts";
import { type KeptVersion, type TrainResult, train, type VersionKeeper } from "./train.ts";
import { runUnit, type UnitMemory } from "./units.ts";

const STOPPED = "The job was cancelled; what had finished was kept.";

/** Works on a job that was claimed. Rejects only where the database does not work. */
export async function runTraining(job: TrainingJob, run: JobRun, services: JobServices): Promise<void> {
  const { database } = services;
  let flow: Flow;
  try {
    flow = openFlow(job, run, services);
  } catch (error) {
    finishTrainingJob(database, job.key, failedEnd(error, job, services), new Date());
    return;
  }
  let isDone = false;
  try {
    const end = await endOf(flow);
    if (run.isSuspended) return;
    isDone = finishTrainingJob(database, job.key, end, new Date());
    if (!isDone || end.model === null) await removeModel(flow);
  } finally {
    if (isDone) flow.journal.remove();
    else flow.journal.close();
  }
}

interface Flow {
  job: TrainingJob;
  dataset: Dataset;
  run: JobRun;
  services: JobServices;
  journal: UnitJournal;
  modelKey: string;
}

function openFlow(job: TrainingJob, run: JobRun, services: JobServices): Flow {
  const dataset = findDataset(services.database, job.datasetKey)!;
  const path = services.state.locate(statePaths.journal(job.key));
  const journal = openUnitJournal(path, identityOf(job, dataset));
  try {
    return { job, dataset, run, services, journal, modelKey: modelKeyOf(journal) };
  } catch (error) {
    journal.close();
    throw error;
  }
}

/** What the journal belongs to: the same table and options, read by the same program. */
function identityOf(job: TrainingJob, dataset: Dataset): string {
  const { sha256, labelColumn, positiveLabel, missingValues, numberOfBuckets } = dataset;
  const { targetPerformance, scalingFactor, seed } = job;
  const table = { sha256, labelColumn, positiveLabel, missingValues, numberOfBuckets };
  return JSON.stringify({ version: CUPEL_VERSION, ...table, targetPerformance, scalingFactor, seed });
}

/** The same one after a restart, so that no folder of a model that never was is left behind. */
function modelKeyOf(memory: UnitMemory): string {
  const known = memory.find("model key") as string | undefined;
  const key = known ?? randomUUID();
  if (known === undefined) memory.append("model key", key);
  return key;
}

function modelFolder({ services, modelKey }: Flow): string {
  return services.state.locate(statePaths.modelFolder(modelKey));
}

/** Files without a model are no reason to fail once more. */
async function removeModel(flow: Flow): Promise<void> {
  const { services, job } = flow;
  await rm(modelFolder(flow), { recursive: true, force: true }).catch((error) =>
    services.report(error, `training job ${job.key}`),
  );
}

async function endOf(flow: Flow): Promise<TrainingEnd> {
  const { job, run, services } = flow;
  try {
    return await trainedEnd(flow);
  } catch (error) {
    const isStopped =
      error instanceof Cancelled && (run.isSuspended || isTrainingCancelled(services.database, job.key));
    if (isStopped) return { status: "CANCELLED", errorReason: null, model: null, attempts: null };
    return failedEnd(error, job, services);
  }
}

function failedEnd(error: unknown, { key }: TrainingJob, services: JobServices): TrainingEnd {
  const errorReason = reasonOf(error, `training job ${key}`, services);
  return { status: "FAILED", errorReason, model: null, attempts: null };
}

async function trainedEnd(flow: Flow): Promise<TrainingEnd> {
  const { run, journal } = flow;
  const source = await readSource(flow);
  // Its user may have wished so before a restart.
  if (isTrainingCancelled(flow.services.database, flow.job.key)) cancelRun(run);
  const options = optionsOf(flow);
  const result = await train(source, options, {
    pool: run.pool,
    progress: silentProgress,
    control: run.control,
    keeper: keeperOf(flow, source, options),
    memory: journal,
    listener: listenerOf(flow),
  });
  const summary = summaryOf(flow, source, options, result);
  return endOfSummary(summary, await publishable(flow, summary));
}

/** A cancel ends the reading, but not where attempts are remembered: they become the job's model yet. */
function readSource({ job, dataset, run, services }: Flow): Promise<TableAnswer> {
  const path = services.state.locate(dataset.filePath!);
  const request = { path, label: dataset.labelColumn, missingMarkers: dataset.missingValues };
  const { attemptsFlag, finishFlag } = run.control;
  return runUnit(
    run.pool,
    "readTable",
    request,
    untilCancelled(job.attemptsCompleted === 0 ? attemptsFlag : finishFlag),
  );
}

function optionsOf({ job, dataset }: Flow): TrainOptions {
  const { scalingFactor, targetPerformance: target, timeLimitSeconds, seed } = job;
  const { numberOfBuckets, positiveLabel } = dataset;
  return { numberOfBuckets, scalingFactor, target, timeLimitSeconds, seed, positiveLabel };
}

function listenerOf({ job: { key }, services: { database } }: Flow): TrainListener {
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

function keeperOf(flow: Flow, source: TableAnswer, options: TrainOptions): VersionKeeper {
  const { dataset, modelKey, services } = flow;
  return {
    describe: (kept, arena) => describeModel(kept, arena, source, dataset.name, options),
    store: async (kept: KeptVersion, bytes) => {
      await makeFolder(modelFolder(flow));
      await writeWhole(services.state.locate(statePaths.modelVersion(modelKey, kept.version)), bytes);
    },
  };
}

function summaryOf(flow: Flow, source: TableAnswer, options: TrainOptions, result: TrainResult): RunSummary {
  const { job, dataset, run, services, modelKey } = flow;
  const isCancelled = isTrainingCancelled(services.database, job.key);
  const competition = isCancelled
    ? { ...result.competition, status: "CANCELLED" as const, statusReason: STOPPED }
    : result.competition;
  return summarise({
    fileName: dataset.name,
    source,
    options,
    result: { ...result, competition },
    workers: run.pool.size,
    elapsedSeconds: (Date.now() - run.control.startMs) / 1000,
    predictions: [],
    failures: [],
    refinement: null,
    versionFile: (version) => statePaths.modelVersion(modelKey, version).split("/").at(-1)!,
  });
}

/** The model as the database is to know it, once its summary and report are on the disk too; null where there is none. */
async function publishable({ modelKey, services }: Flow, summary: RunSummary): Promise<NewModel | null> {
  const { locate } = services.state;
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
  await writeWhole(locate(statePaths.modelSummary(modelKey)), `${JSON.stringify(summary, null, 2)}\n`);
  await writeWhole(locate(statePaths.modelReport(modelKey)), renderReport(summary));
  return { key: modelKey, versions: [champion, ...others] };
}

function endOfSummary({ status, statusReason, attempts }: RunSummary, model: NewModel | null): TrainingEnd {
  const errorReason = status === "COMPLETED" || status === "CANCELLED" ? null : statusReason;
  if (status === "CANCELLED") return { status, model, errorReason, attempts };
  if (model === null || status === "FAILED") return { status: "FAILED", model: null, errorReason, attempts };
  return { status, model, errorReason, attempts };
}
