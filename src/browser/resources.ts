// Loads one thing for a screen: a dataset by its key, a model with its
// evidence, a refinement or training while it runs.
import { useRef } from "preact/hooks";
import type { AttemptRecord } from "../../data/database/records.ts";
import type { DatasetRecord } from "../api/datasets/datasets.ts";
import type { ModelDetails } from "../api/models/model-details.ts";
import type { ModelDetail } from "../api/models/models.ts";
import type { RefinementItem } from "../api/refinements/feature-refinery.ts";
import type { RefinementEvidence } from "../api/refinements/refinement-evidence.ts";
import type { RefinementProgress } from "../api/refinements/refinement-progress.ts";
import type { RefinementAnswer } from "../api/refinements/refinement-result.ts";
import type { TrainingDetail } from "../api/training/training.ts";
import type { TrainingProgress } from "../api/training/training-progress.ts";
import { isOver } from "../words/state-words.ts";
import { datasets, models, refinements, trainings } from "./api.ts";
import { type Loaded, pause, until, useLive, useLoad } from "./loading.ts";
import { asProblem } from "./problem.ts";

/**
 * The dataset that something was made of. Null until its key is known; a deleted dataset stays null, with a problem.
 */
export function useDataset(key: string | undefined): Loaded<DatasetRecord | null> {
  return useLoad(async (signal) => (key === undefined ? null : datasets.get(key, signal)), [key]);
}

/** A dataset, loaded again while its file is being read. */
export function useLiveDataset(key: string): Loaded<DatasetRecord> {
  return useLive(
    (signal) => datasets.get(key, signal),
    [key],
    until(({ status }) => isOver(status)),
  );
}

export interface WholeModel {
  model: ModelDetail;
  /** Null if the server keeps only the model's figures. */
  details: ModelDetails | null;
}

export function useModel(key: string): Loaded<WholeModel> {
  return useLoad((signal) => loadModel(key, signal), [key]);
}

/** The model that a training kept; null where it kept none, and once that was deleted. */
export function useKeptModel(key: string | null): Loaded<{ whole: WholeModel | null }> {
  return useLoad(
    async (signal) => ({ whole: key === null ? null : await loadModel(key, signal).catch(nullFor("NOT_FOUND")) }),
    [key],
  );
}

async function loadModel(key: string, signal: AbortSignal): Promise<WholeModel> {
  const [model, details] = await Promise.all([
    models.get(key, signal),
    models.details(key, signal).catch(nullFor("NOT_FOUND")),
  ]);
  return { model, details };
}

/** A refinement; `result` and `evidence` once it has them. Runs of earlier versions have no evidence. */
export interface RefinementParts {
  run: RefinementItem;
  progress: RefinementProgress;
  result: RefinementAnswer | null;
  evidence: RefinementEvidence | null;
}

/** Whether a training will follow a refinement, which the server has still to start. */
export function isTrainingToCome({ plannedTraining: plan }: Pick<RefinementItem, "plannedTraining">): boolean {
  return plan?.status === "WAITING" || plan?.status === "PREPARING";
}

/** Between a refinement and its training, which is a matter of seconds. */
const PREPARING_WAIT_MS = 600;

/**
 * A run that was never started is polled too: another page may start it. So
 * is one whose training has still to be started.
 */
export function useRefinement(key: string): Loaded<RefinementParts> {
  // The item is asked for again while a training is to come, and once the run is over, when one may be planned.
  const lastRun = useRef<RefinementItem | null>(null);
  const pauses = until<RefinementParts>(({ progress: { state } }) => isOver(state));
  return useLive(
    async (signal): Promise<RefinementParts> => {
      const progress = await refinements.progress(key, signal);
      const isFixed = lastRun.current !== null && !isTrainingToCome(lastRun.current) && !isOver(progress.state);
      const run = isFixed ? lastRun.current! : await refinements.get(key, signal);
      lastRun.current = run;
      const mayHaveResult = progress.state === "REFINEMENT_COMPLETED" || progress.state === "TIMEOUT";
      if (!mayHaveResult) return { run, progress, result: null, evidence: null };
      const [result, evidence] = await Promise.all([
        refinements.result(key, signal).catch(nullFor("NOT_READY")),
        refinements.evidence(key, signal).catch(nullFor("NOT_READY", "FILE_REMOVED")),
      ]);
      return { run, progress, result, evidence };
    },
    [key],
    (parts, round) => {
      const { run, progress } = parts;
      return isOver(progress.state) && isTrainingToCome(run) ? PREPARING_WAIT_MS : pauses(parts, round);
    },
  );
}

export interface TrainingParts {
  job: TrainingDetail;
  progress: TrainingProgress;
  /** Best first. */
  attempts: readonly AttemptRecord[];
  /** True while the best attempts of a cancelled training are made into a model. */
  isClosing: boolean;
}

export function useTraining(key: string): Loaded<TrainingParts> {
  // The attempts are many: they are loaded again only when the progress counts others.
  const lastAttempts = useRef<{ about: string; attempts: readonly AttemptRecord[] }>({ about: "", attempts: [] });
  return useLive(
    async (signal): Promise<TrainingParts> => {
      // The progress first: once it says that all is done, the job has its model.
      const progress = await trainings.progress(key, signal);
      const job = await trainings.get(key, signal);
      const { attemptsCompleted, attemptsFailed, status } = progress;
      const about = [key, status, attemptsCompleted, attemptsFailed, job.modelKey].join();
      if (about !== lastAttempts.current.about) {
        lastAttempts.current = { about, attempts: await trainings.attempts(key, signal) };
      }
      const isClosing = status === "CANCELLED" && progress.nextPollAfterSeconds !== undefined;
      return { job, progress, attempts: lastAttempts.current.attempts, isClosing };
    },
    [key],
    ({ progress: { nextPollAfterSeconds } }, round) =>
      nextPollAfterSeconds === undefined ? null : Math.min(pause(round), nextPollAfterSeconds * 1_000),
  );
}

/** Turns a refusal with one of these codes into null. @throws Problem for any other */
function nullFor(...codes: string[]): (error: unknown) => null {
  return (error) => {
    const problem = asProblem(error);
    if (codes.includes(problem.code)) return null;
    throw problem;
  };
}
