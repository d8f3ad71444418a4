// What is to be seen of a training job: the job, how far it is, and its attempts, asked for again while it goes on.
import { useRef } from "preact/hooks";
import type { AttemptRecord } from "../../data/records.ts";
import type { Training } from "../api/training.ts";
import type { TrainingProgress } from "../api/training-progress.ts";
import { trainings } from "../browser/api.ts";
import { type Loaded, useLive } from "../browser/loading.ts";
import { isOver } from "./state-badge.tsx";

export interface TrainingLook {
  job: Training;
  progress: TrainingProgress;
  /** Best first. */
  attempts: readonly AttemptRecord[];
  /** It was cancelled, and its best attempts are still being made into a model. */
  isClosing: boolean;
}

/** How long a model of a cancelled job is waited for. */
const CLOSING_MS = 120_000;
const CLOSING_WAIT_MS = 1_500;

/** Attempts are asked for only when there are others than before. */
export function useTraining(key: string): Loaded<TrainingLook> {
  const known = useRef<{ about: string; attempts: readonly AttemptRecord[] }>({ about: "", attempts: [] });
  const cancelledMs = useRef<number | null>(null);
  return useLive(
    async (signal): Promise<TrainingLook> => {
      const [job, progress] = await Promise.all([trainings.get(key, signal), trainings.progress(key, signal)]);
      const { attemptsCompleted, attemptsFailed, status } = progress;
      const about = [key, status, attemptsCompleted, attemptsFailed, job.modelKey].join();
      if (about !== known.current.about) {
        known.current = { about, attempts: await trainings.attempts(key, signal) };
      }
      const mayClose = status === "CANCELLED" && attemptsCompleted > 0 && job.modelKey === null;
      if (mayClose) cancelledMs.current ??= Date.now();
      const isClosing = mayClose && Date.now() - (cancelledMs.current ?? 0) < CLOSING_MS;
      return { job, progress, attempts: known.current.attempts, isClosing };
    },
    [key],
    ({ job, progress: { nextPollAfterSeconds }, isClosing }) => {
      if (nextPollAfterSeconds !== undefined) return nextPollAfterSeconds * 1_000;
      // Its progress was asked for just before its end, or the job just after it.
      return isClosing || !isOver(job.status) ? CLOSING_WAIT_MS : null;
    },
  );
}
