// Estimates a job's memory before it starts, from the database and the first part of its files.
import { closeSync, fstatSync, readSync } from "node:fs";
import type { JobKind } from "../../data/database/claims.ts";
import type { Database } from "../../data/database/database.ts";
import type { DatasetColumn } from "../../data/database/records.ts";
import { type Dataset, findDataset } from "../../data/datasets.ts";
import type { StateFolder } from "../../data/files/state-folder.ts";
import { findPredictionInput, findRefinementInput, findTrainingInput } from "../../data/jobs/job-inputs.ts";
import { findModelVersion } from "../../data/models.ts";
import { findOutcomes } from "../../data/outcomes.ts";
import { findSuccessor } from "../../data/successors.ts";
import { guessSize } from "../../engine/columns/first-look.ts";
import { mostTerms, readingNeed } from "../../engine/memory/reading-need.ts";
import { refinementNeed } from "../../engine/memory/refinement-need.ts";
import { scoringNeed } from "../../engine/memory/scoring-need.ts";
import { bytesOfLevels, type FileSize, type TableSize } from "../../engine/memory/sizes.ts";
import { type ForestFit, fitForests } from "../../engine/memory/training-need.ts";
import { sumOf } from "../../engine/sums.ts";
import { FIRST_LEVEL, MAX_LEVELS } from "../../engine/table/table.ts";
import { scoreGroups } from "../../engine/table/text-scores.ts";
import { openForReading } from "../../workers/reading/file-chunks.ts";
import { type MemoryLimits, requireJobBytes } from "../common/memory-budget.ts";
import type { Quotas } from "../storage/quotas.ts";
import { modelSize } from "./prediction-file.ts";

/** How much of a file is read to guess its size; this takes a few milliseconds. */
const OPENING_BYTES = 1 << 18;
const NOTHING = { rowCount: 0, columnCount: 1, classCount: 2, textBytes: 0 };
/** Batches of two files as text, with their garbage. */
const JOINING_BYTES = 96 * 2 ** 20;
/** A key of ten bytes takes some 150 in memory. */
const BYTES_OF_LABELS = 15;
/** Least room that a training's models, report and summary take: 172 kB for one column of 40 numbers. */
export const LEAST_MODEL_BYTES = 128 * 1024;
/** Features of a date: year, month, day, weekday and hour. */
const DATE_FEATURES = 5;
/** Features of a text: its shape with some numbers, of which few texts have more, and its scores. */
const SHAPE_FEATURES = 8;
const textFeatures = (classCount: number) => SHAPE_FEATURES + scoreGroups(classCount).length;

export interface NeedServices {
  database: Database;
  state: StateFolder;
  /** Threads for a refinement or training. */
  workers: number;
  /** Memory that a refinement or training may use. A refinement guessed to need more is started; reading it decides. */
  mostHeavyBytes: number;
}

/** Bytes that a waiting job will need; 0 if its files show nothing: the job itself will fail with the reason. */
export function jobNeed(kind: JobKind, key: string, services: NeedServices): number {
  const { database, state } = services;
  switch (kind) {
    case "dataset": {
      const dataset = findDataset(database, key);
      if (dataset === null || dataset.filePath === null) return 0;
      return readingNeed(lookAt(state.locate(dataset.filePath), dataset.labelColumn).file);
    }
    case "training": {
      const input = findTrainingInput(database, key);
      if (input === null) return 0;
      return fitDatasetTraining(input.dataset, input, services.workers, services.mostHeavyBytes).needBytes;
    }
    case "refinement":
      return uploadedRefinementNeed(key, services);
    case "successor":
      return successorNeed(key, services);
    case "prediction": {
      const input = findPredictionInput(database, key);
      if (input === null) return 0;
      return scoringNeed(modelSize(state.locate(input.modelPath)), input.inputBytes, input.reasonCount > 0);
    }
  }
}

/** The settings of a training that its memory depends on. */
interface AskedTraining {
  scalingFactor: number;
  targetPerformance: number | null;
  groupColumn: string | null;
  timeColumn: string | null;
}

/** Refuses where there is clearly no room for models, whose size is unknown. @throws QuotaExceeded, MemoryExceeded */
export function requireRoomForTraining(
  dataset: Dataset,
  asked: AskedTraining,
  { quotas, memory, workers }: { quotas: Quotas; memory: Pick<MemoryLimits, "jobBytes">; workers: number },
): void {
  quotas.hold(dataset.userKey, LEAST_MODEL_BYTES)();
  const { needBytes } = fitDatasetTraining(dataset, asked, workers, memory.jobBytes.heavy);
  requireJobBytes(needBytes, "heavy", memory);
}

/** How a training on a dataset fits into `mostBytes` (D91). 0 bytes for a dataset that is not processed yet. */
export function fitDatasetTraining(
  dataset: Dataset,
  { scalingFactor, targetPerformance, groupColumn, timeColumn }: AskedTraining,
  threadCount: number,
  mostBytes: number,
): ForestFit {
  const { rowCount, columnCount, columns, classes, sizeBytes, numberOfBuckets } = dataset;
  if (rowCount === null || columnCount === null || columns === null || classes === null) {
    return { mostTrees: undefined, needBytes: 0 };
  }
  const textBytes = columns.some(({ kind }) => kind === "text") ? (sizeBytes ?? 0) : 0;
  const reading = readingNeed({ sizeBytes: sizeBytes ?? 0, rowCount, columnCount, textBytes });
  const work = {
    ...{ threadCount, numberOfBuckets, attemptCount: 1 + scalingFactor, hasTarget: targetPerformance !== null },
    hasKeys: groupColumn !== null || timeColumn !== null,
  };
  const fit = fitForests(
    { ...sizeOfColumns(columns, rowCount, classes.length), ...mostTerms(textBytes) },
    work,
    mostBytes,
  );
  return { ...fit, needBytes: Math.max(reading, fit.needBytes) };
}

function sizeOfColumns(columns: readonly DatasetColumn[], rowCount: number, classCount: number): TableSize {
  let featureCount = 0;
  let levelBytes = 0;
  for (const { kind, distinct } of columns) {
    const levels = FIRST_LEVEL + Math.min(distinct, rowCount, MAX_LEVELS);
    if (kind === "number" || kind === "category") levelBytes += bytesOfLevels(kind, levels);
    featureCount += kind === "date" ? DATE_FEATURES : kind === "text" ? textFeatures(classCount) : 1;
  }
  return { rowCount, featureCount, classCount, levelBytes };
}

/** Comparing holds both models. Joining holds the labels of all its files, with their keys where they have some. */
function successorNeed(key: string, { database, state }: NeedServices): number {
  const successor = findSuccessor(database, key);
  if (successor === null) return 0;
  const { championKey, championVersion, challengerKey, challengerVersion, sources } = successor;
  const sizeOf = (modelKey: string, version: number) => {
    const model = findModelVersion(database, modelKey, version);
    return model === null ? 0 : scoringNeed(modelSize(state.locate(model.filePath)), 0, false);
  };
  const champion = sizeOf(championKey, championVersion);
  if (challengerKey !== null) return champion + sizeOf(challengerKey, challengerVersion ?? 1);
  const labels = sources.map(({ predictionKey }) => findOutcomes(database, predictionKey)?.bytes ?? 0);
  return JOINING_BYTES + BYTES_OF_LABELS * sumOf(labels);
}

/**
 * The guess of rows may be wrong, so it is capped: a wrong guess must not refuse a refinement whose files can be read.
 */
function uploadedRefinementNeed(key: string, { database, state, workers, mostHeavyBytes }: NeedServices): number {
  const input = findRefinementInput(database, key);
  if (input === null || input.files.length === 0) return 0;
  // The same file twice is read once (D65).
  const files = input.files.filter(({ sha256 }, at) => input.files.findIndex((file) => file.sha256 === sha256) === at);
  const looks = files.map(({ path }) => lookAt(state.locate(path), input.labelColumn));
  const file = looks.map((look) => look.file).reduce(sumOfSizes);
  const { rowCount, columnCount, textBytes = 0 } = file;
  const classCount = Math.max(...looks.map((look) => look.classCount));
  const levelBytes = columnCount * bytesOfLevels("number", Math.min(rowCount, MAX_LEVELS));
  const featureCount = columnCount + (textBytes === 0 ? 0 : textFeatures(classCount));
  const size = { rowCount, featureCount, classCount, levelBytes, ...mostTerms(textBytes) };
  const guess = refinementNeed(size, { threadCount: workers, numberOfBuckets: input.numberOfBuckets });
  return Math.max(readingNeed(file), Math.min(guess, mostHeavyBytes));
}

/** Guesses a file's size from its first part. @throws InputError where there is no such file */
export function lookAt(path: string, label: string | null): { file: FileSize; classCount: number } {
  const { opening, sizeBytes } = openingOf(path);
  const { rowCount, columnCount, classCount, textBytes } = guessSize(opening, sizeBytes, label) ?? NOTHING;
  return { file: { sizeBytes, rowCount, columnCount, textBytes }, classCount };
}

/** The first part of a file; empty for a pipe, from which nothing can be read twice. */
export function openingOf(path: string): { opening: Uint8Array; sizeBytes: number } {
  const file = openForReading(path);
  try {
    const stats = fstatSync(file);
    const opening = new Uint8Array(stats.isFile() ? OPENING_BYTES : 0);
    const count = opening.length === 0 ? 0 : readSync(file, opening, 0, opening.length, 0);
    return { opening: opening.subarray(0, count), sizeBytes: stats.size };
  } finally {
    closeSync(file);
  }
}

/** The size of two files that are read into one table. */
export function sumOfSizes(a: FileSize, b: FileSize): FileSize {
  return {
    sizeBytes: a.sizeBytes + b.sizeBytes,
    rowCount: a.rowCount + b.rowCount,
    columnCount: Math.max(a.columnCount, b.columnCount),
    textBytes: (a.textBytes ?? 0) + (b.textBytes ?? 0),
  };
}
