// What is to be seen of a training job: the job, how far it is, and its attempts, asked for again while it goes on.
import { useRef } from "preact/hooks";
import type { AttemptRecord } from "../../data/records.ts";
import type { Training } from "../api/training.ts";
import type { TrainingProgress } from "../api/training-progress.ts";
import { trainings } from "./api.ts";
import { type Loaded, useLive } from "./loading.ts";

export interface TrainingLook {
  job: Training;
  progress: TrainingProgress;
  /** Best first. */
  attempts: readonly AttemptRecord[];
  /** It was cancelled, and its best attempts are still being made into a model. */
  isClosing: boolean;
}

/** Attempts are asked for only when there are others than before. */
export function useTraining(key: string): Loaded<TrainingLook> {
  const known = useRef<{ about: string; attempts: readonly AttemptRecord[] }>({ about: "", attempts: [] });
  return useLive(
    async (signal): Promise<TrainingLook> => {
      // The progress first: where that says that nothing more will come, the job has its model.
      const progress = await trainings.progress(key, signal);
      const job = await trainings.get(key, signal);
      const { attemptsCompleted, attemptsFailed, status } = progress;
      const about = [key, status, attemptsCompleted, attemptsFailed, job.modelKey].join();
      if (about !== known.current.about) {
        known.current = { about, attempts: await trainings.attempts(key, signal) };
      }
      const isClosing = status === "CANCELLED" && progress.nextPollAfterSeconds !== undefined;
      return { job, progress, attempts: known.current.attempts, isClosing };
    },
    [key],
    ({ progress: { nextPollAfterSeconds } }) =>
      nextPollAfterSeconds === undefined ? null : nextPollAfterSeconds * 1_000,
  );
}
