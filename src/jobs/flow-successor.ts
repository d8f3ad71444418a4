// Joins the rows of a successor, and later has both models decide the kept ones; a dataset and a training come between these.
import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { recordAudit } from "../../data/audit.ts";
import type { Database } from "../../data/database/database.ts";
import { type Dataset, findDataset, findOwnedDataset, insertDataset, keptColumnsOf } from "../../data/datasets.ts";
import { placeWhole } from "../../data/files/file-store.ts";
import { statePaths } from "../../data/files/state-folder.ts";
import { findLine, promoteModel } from "../../data/model-lines.ts";
import { findModelVersion, findOwnedModel } from "../../data/models.ts";
import { findOutcomes } from "../../data/outcomes.ts";
import { findOwnedPrediction } from "../../data/predictions.ts";
import type { SuccessorSource } from "../../data/records.ts";
import { freeDatasetName } from "../../data/refinements/refined-datasets.ts";
import {
  findOwnedSuccessor,
  findSuccessor,
  type Successor,
  type SuccessorStep,
  stepSuccessor,
} from "../../data/successors.ts";
import { findOwnedTrainingJob, type TrainingJob } from "../../data/training-jobs.ts";
import { findUser } from "../../data/users.ts";
import { InputError } from "../../engine/input-error.ts";
import { judgePaired, type PairedDecisions } from "../../engine/successor/paired-decisions.ts";
import type { JoinRowsAnswer, LaterFile } from "../../workers/join-rows.ts";
import { formatAmount } from "../format.ts";
import { fileLimits, type JobRun, type JobServices } from "./job-run.ts";
import { modelColumns } from "./prediction-file.ts";
import { reasonOf } from "./reason.ts";
import { runUnit } from "./units.ts";
import { untilWritten } from "./written.ts";

/** Works on a claimed successor. Rejects only where the database fails for a reason other than a full or failing disk. */
export async function runSuccessor(successor: Successor, run: JobRun, services: JobServices): Promise<void> {
  const { database } = services;
  const job = `successor ${successor.key}`;
  const work: Work = { run, services, held: [], files: [] };
  let step: () => boolean;
  try {
    step = successor.status === "JOINING" ? await joinRows(successor, work) : await compareModels(successor, work);
  } catch (error) {
    if (run.isSuspended) return;
    const failed = { status: "FAILED", errorReason: reasonOf(error, job, services) } as const;
    step = () => stepSuccessor(database, successor, failed, new Date());
  }
  try {
    await untilWritten(run, job, services, step);
  } finally {
    for (const release of work.held) release();
    const named = findSuccessor(database, successor.key);
    const dataset = named?.datasetKey == null ? null : findDataset(database, named.datasetKey);
    for (const path of [...work.files, ...(successor.keptPath === null ? [] : [successor.keptPath])]) {
      if (path !== named?.keptPath && path !== dataset?.filePath)
        await rm(services.state.locate(path), { force: true });
    }
  }
}

interface Work {
  run: JobRun;
  services: JobServices;
  /** Release the files' quota, once the database counts them itself. */
  held: (() => void)[];
  /** Paths of placed files; those that no row names in the end are removed. */
  files: string[];
}

/** The champion's data and training. */
interface Trained {
  dataset: Dataset & { filePath: string; labelColumn: string };
  job: TrainingJob;
  modelPath: string;
}

async function joinRows(successor: Successor, { run, services, held, files }: Work): Promise<() => boolean> {
  run.memory.require();
  const { database, state, quotas } = services;
  const trained = trainedOf(successor, services);
  const { dataset, job, modelPath } = trained;
  const sources = successor.sources.map((source) => laterFile(successor, source, dataset, services));
  const { groupColumn, timeColumn } = job;
  const [joinedPath, keptPath] = [statePaths.file(randomUUID()), statePaths.file(randomUUID())];
  files.push(joinedPath, keptPath);
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
      const done = await runUnit(run.pool, "joinRows", request, fileLimits(run.control.attemptsFlag));
      held.push(quotas.hold(successor.userKey, done.sizeBytes + done.keptBytes));
      return done;
    }),
  );
  return () => {
    const now = new Date();
    const gone = sources.some(({ labelsPath }, at) => {
      const { predictionKey } = successor.sources[at]!;
      return findOutcomes(database, predictionKey)?.path !== labelsPath;
    });
    const failed = { status: "FAILED", errorReason: CHANGED } as const;
    if (gone) return stepSuccessor(database, successor, failed, now);
    // If the successor was deleted, nothing is made.
    if (findOwnedSuccessor(database, successor.userKey, successor.key) === null) return false;
    const made = insertJoined(successor, trained, { path: joinedPath, ...answer }, services, now);
    return stepSuccessor(
      database,
      successor,
      { ...joinedStep(successor, answer, keptPath), datasetKey: made.key },
      now,
    );
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
  const used = new Set([
    ...modelColumns(modelPath).columns.map(({ name }) => name),
    labelColumn,
    groupColumn,
    timeColumn,
  ]);
  const withoutColumns = (columns ?? []).map(({ name }) => name).filter((name) => !used.has(name));
  const name = freeDatasetName(database, userKey, dataset.name.replace(/ successor(?: \d+)?$/, ""), "successor");
  const { path, sizeBytes, sha256 } = joined;
  const made = insertDataset(
    database,
    {
      ...{
        key: randomUUID(),
        userKey,
        name,
        description: lineageOf(dataset, joined),
        numberOfBuckets,
        labelColumn,
        positiveLabel,
      },
      ...{ missingValues, groupColumn, timeColumn, keepKeyColumns, withoutColumns, columnChoices },
      origin: { kind: "SUCCESSOR", originalColumns, file: { path, sizeBytes, sha256 } },
    },
    now,
  )!;
  auditAsOwner(database, successor, { action: "DATASET_CREATED", objectKey: made.key, detail: "SUCCESSOR" }, now);
  return made;
}

/** Says what the dataset is made of, as its page shows it. */
function lineageOf({ name }: Dataset, { trainRows, sources }: JoinRowsAnswer): string {
  const learned = sources.reduce((sum, { learnedRows }) => sum + learnedRows, 0);
  const files = sources.filter(({ learnedRows }) => learnedRows > 0).length;
  return `${formatAmount(trainRows, "row")} of ${name}, then ${formatAmount(learned, "labelled row")} of ${formatAmount(files, "prediction")}.`;
}

async function compareModels(successor: Successor, { run, services }: Work): Promise<() => boolean> {
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
  const request = {
    ...{ rowsPath: state.locate(keptPath!), label },
    championPath: state.locate(champion.filePath),
    challengerPath: state.locate(challenger.filePath),
  };
  const comparison = await runUnit(run.pool, "compareModels", request, fileLimits(run.control.attemptsFlag));
  return () => complete(successor, comparison, services);
}

/** Stores the comparison, and promotes the challenger if the rule demands it and nobody moved the champion meanwhile. */
function complete(successor: Successor, comparison: PairedDecisions, { database }: JobServices): boolean {
  const { userKey, championKey, challengerKey, promote } = successor;
  const now = new Date();
  const isBetter = promote === "WHEN_BETTER" && judgePaired(comparison).outcome === "CHALLENGER_BETTER";
  const isPromoted = isBetter && findLine(database, userKey, challengerKey!)?.answeringKey === championKey;
  const promotedOn = isPromoted ? now.toISOString() : null;
  if (!stepSuccessor(database, successor, { status: "COMPLETED", comparison, promotedOn }, now)) return false;
  if (!isPromoted) return true;
  promoteModel(database, userKey, challengerKey!);
  auditAsOwner(
    database,
    successor,
    { action: "MODEL_PROMOTED", objectKey: challengerKey!, detail: "WHEN_BETTER" },
    now,
  );
  return true;
}

/** Recorded for the user who asked for the successor, without an address: no request did it. */
export function auditAsOwner(
  database: Database,
  { userKey }: Pick<Successor, "userKey">,
  event: Parameters<typeof recordAudit>[2],
  now: Date,
): void {
  const email = findUser(database, userKey)?.email ?? null;
  recordAudit(database, { userKey, email, apiKeyId: null, address: null, requestId: null }, event, now);
}
