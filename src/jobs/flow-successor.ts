// Joins the rows of a successor, and later has both models decide the kept
// ones; a dataset and a training come between these.
import { randomUUID } from "node:crypto";
import type { SuccessorSource } from "../../data/database/records.ts";
import { type Dataset, findOwnedDataset, insertDataset, keptColumnsOf } from "../../data/datasets.ts";
import { placeWhole } from "../../data/files/file-store.ts";
import { statePaths } from "../../data/files/state-folder.ts";
import { findLine, promoteModel } from "../../data/model-lines.ts";
import { findModelVersion, findOwnedModel } from "../../data/models.ts";
import { findOutcomes } from "../../data/outcomes.ts";
import { findOwnedPrediction } from "../../data/predictions.ts";
import { freeDatasetName } from "../../data/refined-datasets.ts";
import { findOwnedSuccessor, type Successor, type SuccessorStep, stepSuccessor } from "../../data/successors.ts";
import { findModelTraining, findOwnedTrainingJob, type TrainingJob } from "../../data/training-jobs.ts";
import { InputError } from "../../engine/input-error.ts";
import type { PairedDecisions } from "../../engine/successor/paired-decisions.ts";
import type { JoinRowsAnswer, LaterFile } from "../../workers/join-rows.ts";
import { formatAmount } from "../common/format.ts";
import { judgeSuccession } from "../verdict/succession.ts";
import { runUnit } from "../work/units.ts";
import { fileLimits, type JobRun, type JobServices } from "./job-run.ts";
import { auditAsOwner } from "./owner-work.ts";
import { modelColumns } from "./prediction-file.ts";
import { reasonOf } from "./reason.ts";
import { type Held, type JobEnd, jobEnd, runToEnd } from "./run-to-end.ts";
import { chosenThreshold, takeOverThreshold } from "./stored-threshold.ts";

/** Works on a claimed successor. */
export function runSuccessor(successor: Successor, run: JobRun, services: JobServices): Promise<void> {
  const job = `successor ${successor.key}`;
  const work = successor.status === "JOINING" ? joinRows : compareModels;
  return runToEnd(run, services, {
    job,
    work: (held) => {
      // A comparison, or its failure, ends the successor, and no row names the kept rows then.
      if (successor.keptPath !== null) held.files.push(successor.keptPath);
      return work(successor, run, services, held);
    },
    failed: (error) => failing(successor, reasonOf(error, job, services), services),
  });
}

function failing(successor: Successor, errorReason: string, { database }: JobServices): JobEnd {
  return jobEnd(() => stepSuccessor(database, successor, { status: "FAILED", errorReason }, new Date()));
}

/** The champion's data and training. */
interface Trained {
  dataset: Dataset & { filePath: string; labelColumn: string };
  job: TrainingJob;
  modelPath: string;
}

async function joinRows(successor: Successor, run: JobRun, services: JobServices, held: Held): Promise<JobEnd> {
  run.memory.require();
  const { database, state, quotas } = services;
  const trained = trainedOf(successor, services);
  const { dataset, job, modelPath } = trained;
  const sources = successor.sources.map((source) => laterFile(successor, source, dataset, services));
  const { groupColumn, timeColumn } = job;
  const [joinedPath, keptPath] = [statePaths.file(randomUUID()), statePaths.file(randomUUID())];
  held.files.push(joinedPath, keptPath);
  const answer = await placeWhole(state.locate(keptPath), (kept) =>
    placeWhole(state.locate(joinedPath), async (joined) => {
      const request = {
        trained: {
          ...{ path: state.locate(dataset.filePath), hasHeader: dataset.hasHeader, label: dataset.labelColumn },
          mostRows: successor.oldRows,
          keyColumns: [groupColumn, timeColumn].filter((name) => name !== null),
        },
        ...{ modelPath, sources: sources.map(({ file }) => file), joinedPath: joined, keptPath: kept },
      };
      const done = await runUnit(run.pool, "joinRows", request, fileLimits(run.control.stopFlag));
      held.releases.push(quotas.hold(successor.userKey, done.sizeBytes + done.keptBytes));
      return done;
    }),
  );
  return () => {
    const now = new Date();
    const gone = sources.some(({ labelsPath }, at) => {
      const { predictionKey } = successor.sources[at]!;
      return findOutcomes(database, predictionKey)?.path !== labelsPath;
    });
    if (gone) return failing(successor, CHANGED, services)();
    // If the successor was deleted, nothing is made.
    if (findOwnedSuccessor(database, successor.userKey, successor.key) === null) return "REFUSED";
    const made = insertJoined(successor, trained, { path: joinedPath, ...answer }, services, now);
    const step = { ...joinedStep(successor, answer, keptPath), datasetKey: made.key };
    return jobEnd(() => stepSuccessor(database, successor, step, now), [joinedPath, keptPath])();
  };
}

const CHANGED =
  "Labels or predictions were deleted or replaced while their rows were joined. Ask for the successor again.";

/** @throws InputError where something was deleted meanwhile */
function trainedOf(
  { userKey, championKey, championVersion, sourceDatasetKey }: Successor,
  services: JobServices,
): Trained {
  const { database, state } = services;
  const dataset = findOwnedDataset(database, userKey, sourceDatasetKey);
  const model = findOwnedModel(database, userKey, championKey)?.model ?? null;
  const version = findModelVersion(database, championKey, championVersion);
  const job = model === null ? null : findOwnedTrainingJob(database, userKey, model.trainingJobKey);
  if (dataset?.filePath == null || dataset.labelColumn === null || job === null || version === null) {
    throw new InputError("SOURCE_REMOVED", "The champion or the dataset that it was trained on was deleted.");
  }
  const { filePath, labelColumn } = dataset;
  return { dataset: { ...dataset, filePath, labelColumn }, job, modelPath: state.locate(version.filePath) };
}

/** @throws InputError where it was deleted meanwhile */
function laterFile(
  { userKey }: Successor,
  { predictionKey, fileName, fromRow }: SuccessorSource,
  { originalColumns, ...dataset }: Dataset,
  { database, state }: JobServices,
): { file: LaterFile; labelsPath: string } {
  const prediction = findOwnedPrediction(database, userKey, predictionKey);
  const labels = findOutcomes(database, predictionKey);
  const name = fileName ?? predictionKey;
  if (prediction?.inputPath == null || labels?.path == null) {
    throw new InputError("SOURCE_REMOVED", `Prediction ${name}: it or its labels were deleted.`);
  }
  const { filterColumns, hasHeader, inputPath } = prediction;
  const { labelColumn, keyColumn, hasHeader: labelsHaveHeader, path: labelsPath } = labels;
  return {
    labelsPath,
    file: {
      ...{ name, fromRow, hasHeader, labelColumn, keyColumn, labelsHaveHeader },
      inputPath: state.locate(inputPath),
      labelsPath: state.locate(labelsPath),
      originalColumns: filterColumns ? originalColumns : null,
      keptColumns: filterColumns ? keptColumnsOf({ ...dataset, originalColumns }) : undefined,
    },
  };
}

function joinedStep({ sources }: Successor, answer: JoinRowsAnswer, keptPath: string): SuccessorStep {
  const { trainRows, keptBytes } = answer;
  const counted = sources.map((source, at): SuccessorSource => {
    const { sameAs, ...counts } = answer.sources[at]!;
    return { ...source, ...counts, sameAs: sameAs === null ? null : sources[sameAs]!.predictionKey };
  });
  return { status: "READING", sources: counted, trainRows, keptPath, keptBytes };
}

/** Leaves out columns that the champion does not use: later files need not have them. */
function insertJoined(
  successor: Successor,
  { dataset, job, modelPath }: Trained,
  joined: JoinRowsAnswer & { path: string },
  { database }: JobServices,
  now: Date,
): Dataset {
  const { userKey } = successor;
  const { numberOfBuckets, labelColumn, positiveLabel, missingValues, originalColumns, columns } = dataset;
  const { groupColumn, timeColumn, keepKeyColumns, columnChoices } = job;
  const neededNames = modelColumns(modelPath).columns.map(({ name }) => name);
  const used = new Set([...neededNames, labelColumn, groupColumn, timeColumn]);
  const withoutColumns = (columns ?? []).map(({ name }) => name).filter((name) => !used.has(name));
  const name = freeDatasetName(database, userKey, dataset.name.replace(/ successor(?: \d+)?$/, ""), "successor");
  const { path, sizeBytes, sha256 } = joined;
  const about = { key: randomUUID(), userKey, name, description: lineageOf(dataset, joined), numberOfBuckets };
  const table = { labelColumn, positiveLabel, missingValues };
  const read = { groupColumn, timeColumn, keepKeyColumns, withoutColumns, columnChoices };
  const origin = { kind: "SUCCESSOR", originalColumns, file: { path, sizeBytes, sha256 } } as const;
  const made = insertDataset(database, { ...about, ...table, ...read, origin }, now)!;
  auditAsOwner(database, userKey, { action: "DATASET_CREATED", objectKey: made.key, detail: "SUCCESSOR" }, now);
  return made;
}

/** Says what the dataset is made of, as its page shows it. */
function lineageOf({ name }: Dataset, { trainRows, sources }: JoinRowsAnswer): string {
  const learned = sources.reduce((sum, { learnedRows }) => sum + learnedRows, 0);
  const files = sources.filter(({ learnedRows }) => learnedRows > 0).length;
  return (
    `${formatAmount(trainRows, "row")} of ${name}, then ` +
    `${formatAmount(learned, "labelled row")} of ${formatAmount(files, "prediction")}.`
  );
}

async function compareModels(successor: Successor, run: JobRun, services: JobServices): Promise<JobEnd> {
  run.memory.require();
  const { database, state } = services;
  const { championKey, championVersion, challengerKey, challengerVersion, keptPath, datasetKey } = successor;
  const champion = findModelVersion(database, championKey, championVersion);
  const challenger = findModelVersion(database, challengerKey!, challengerVersion!);
  const dataset = findOwnedDataset(database, successor.userKey, successor.sourceDatasetKey);
  const label = dataset?.labelColumn ?? findOwnedDataset(database, successor.userKey, datasetKey!)?.labelColumn;
  if (champion === null || challenger === null || label == null) {
    throw new InputError("SOURCE_REMOVED", "One of the models, or the datasets of both, were deleted.");
  }
  const { filePath = null, hasHeader = true } = dataset ?? {};
  const { objective } = findModelTraining(database, championKey)!;
  const championPath = state.locate(champion.filePath);
  const threshold = chosenThreshold(championPath);
  if (threshold !== null) {
    const { versions } = findOwnedModel(database, successor.userKey, challengerKey!)!;
    for (const { filePath: path } of versions) await takeOverThreshold(state.locate(path), threshold);
  }
  const request = {
    ...{ rowsPath: state.locate(keptPath!), label, countsDiffering: objective !== "accuracy" || threshold !== null },
    trained: filePath === null ? null : { path: state.locate(filePath), hasHeader },
    ...{ championPath, challengerPath: state.locate(challenger.filePath) },
  };
  const decisions = await runUnit(run.pool, "compareModels", request, fileLimits(run.control.stopFlag));
  const comparison = { ...decisions, ...(threshold !== null && { chosenThreshold: threshold }) };
  return jobEnd(() => complete(successor, comparison, services));
}

/**
 * Stores the comparison, and promotes the challenger if the rule demands it and nobody moved the champion meanwhile.
 */
function complete(successor: Successor, comparison: PairedDecisions, { database }: JobServices): boolean {
  const { userKey, championKey, challengerKey, promote } = successor;
  const now = new Date();
  const { outcome } = judgeSuccession(comparison, findModelTraining(database, championKey)!);
  const isBetter = promote === "WHEN_BETTER" && outcome === "CHALLENGER_BETTER";
  const isPromoted = isBetter && findLine(database, userKey, challengerKey!)?.answeringKey === championKey;
  const promotedOn = isPromoted ? now.toISOString() : null;
  if (!stepSuccessor(database, successor, { status: "COMPLETED", comparison, promotedOn }, now)) return false;
  if (comparison.chosenThreshold !== undefined) {
    const detail = `all versions ${comparison.chosenThreshold.threshold}`;
    auditAsOwner(database, userKey, { action: "THRESHOLD_CHANGED", objectKey: challengerKey!, detail }, now);
  }
  if (!isPromoted) return true;
  promoteModel(database, userKey, challengerKey!);
  auditAsOwner(database, userKey, { action: "MODEL_PROMOTED", objectKey: challengerKey!, detail: "WHEN_BETTER" }, now);
  return true;
}
