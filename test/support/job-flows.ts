// Single jobs of a state folder, begun without a scheduler, and how they stand.
import { claimNextDataset } from "../../data/dataset-processing.ts";
import type { NewDataset } from "../../data/datasets.ts";
import { claimNextPrediction, findOwnedPrediction, type Prediction } from "../../data/predictions.ts";
import { claimNextRefinement } from "../../data/refinements/refinement-runs.ts";
import { findOwnedRefinement, type Refinement } from "../../data/refinements/refinements.ts";
import { findOwnedTrainingJob, type TrainingJob } from "../../data/training-jobs.ts";
import { claimNextTrainingJob } from "../../data/training-runs.ts";
import { processDataset } from "../../src/jobs/flow-dataset.ts";
import { runPrediction } from "../../src/jobs/flow-prediction.ts";
import { runRefinement } from "../../src/jobs/flow-refinement.ts";
import { runTraining } from "../../src/jobs/flow-training.ts";
import type { JobRun } from "../../src/jobs/job-run.ts";
import type { WorkerPool } from "../../workers/pool.ts";
import { startUnlimited } from "./job-run.ts";
import { addReadDataset, addTraining, type JobState } from "./job-state.ts";

/** Of either user. */
function ownedBy<T>(find: (database: JobState["database"], userKey: string, key: string) => T | null) {
  return ({ database, ann, bob }: JobState, key: string): T => (find(database, ann, key) ?? find(database, bob, key))!;
}

export const trainingOf: (jobs: JobState, key: string) => TrainingJob = ownedBy(findOwnedTrainingJob);
export const refinementOf: (jobs: JobState, key: string) => Refinement = ownedBy(findOwnedRefinement);
export const predictionOf: (jobs: JobState, key: string) => Prediction = ownedBy(findOwnedPrediction);

export interface Begun {
  key: string;
  run: JobRun;
  flow: Promise<void>;
}

/** Claims the job that waits longest. */
export function beginTraining(jobs: JobState, pool: WorkerPool, services = jobs.services): Begun {
  const job = claimNextTrainingJob(jobs.database, new Date())!;
  const run = startUnlimited(pool, job.startedOn, job.elapsedMs);
  return { key: job.key, run, flow: runTraining(job, run, services) };
}

export function beginRefinement(jobs: JobState, pool: WorkerPool, services = jobs.services): Begun {
  const refinement = claimNextRefinement(jobs.database, new Date())!;
  const run = startUnlimited(pool, refinement.startedOn);
  return { key: refinement.key, run, flow: runRefinement(refinement, run, services) };
}

export function beginPrediction(jobs: JobState, pool: WorkerPool): Begun {
  const prediction = claimNextPrediction(jobs.database, new Date())!;
  const run = startUnlimited(pool, prediction.startedOn);
  return { key: prediction.key, run, flow: runPrediction(prediction, run, jobs.services) };
}

export function beginDataset(jobs: JobState, pool: WorkerPool): Begun {
  const dataset = claimNextDataset(jobs.database)!;
  const run = startUnlimited(pool, null);
  return { key: dataset.key, run, flow: processDataset(dataset, run, jobs.services) };
}

/** The key of a model of one attempt on a table. */
export async function addTrainedModel(
  jobs: JobState,
  pool: WorkerPool,
  text: string,
  changes: Partial<NewDataset> = {},
): Promise<string> {
  const key = addTraining(jobs, await addReadDataset(jobs, pool, text, changes), { scalingFactor: 0 });
  await beginTraining(jobs, pool).flow;
  return trainingOf(jobs, key).modelKey!;
}

/** A table's rows without their last column, the label. */
export const withoutLabel = (table: string): string => table.replaceAll(/,[^,\n]*$/gm, "");
