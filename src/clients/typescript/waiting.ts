// Waiting for work on the server: polls, and tells how far it is.
import type { RefinementProgress, TrainingProgress } from "./answers.ts";
import type { Connection } from "./connection.ts";
import type { Names } from "./options.ts";
import { wait } from "./retry.ts";

/** How far the work is. */
export interface Progress {
  stage: "uploading" | "reading" | "refining" | "training" | "predicting" | "joining" | "comparing";
  /** The key of what is being made: with it the work can be found again, whatever becomes of this program. */
  key: string;
  /** From 0 to 1; null while it is not known. */
  share: number | null;
  /** Seconds of the server's work; 0 while it waits for its turn. */
  elapsedSeconds: number;
  /** Accuracy of the best model so far on rows that it did not learn from; null where there is none. */
  bestPerformance: number | null;
  /** Why the server waits, such as for room in a quota: while it predicts. */
  waitingReason?: string | undefined;
  /** All that the server says: while it trains. */
  training?: TrainingProgress | undefined;
  /** The same: while it refines. */
  refinement?: RefinementProgress | undefined;
}

export interface WaitOptions {
  /** Told whenever something has changed. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Ends the waiting. The server's work goes on; `cancel()` of a training or refinement ends that too. */
  signal?: AbortSignal | undefined;
}

export const WAITING: Names<WaitOptions> = { onProgress: true, signal: true };

const FIRST_WAIT_SECONDS = 0.1;
const LONGEST_WAIT_SECONDS = 5;
const GROWTH = 1.4;
/** Small work is done by then: until then the client asks as it likes, from then on as the server does. */
const QUICK_SECONDS = 1;

interface Polled {
  nextPollAfterSeconds?: number;
}

/**
 * Asks until the answer is final: some times within the first second, then after as
 * long as the server asks for, or else longer and longer.
 *
 * @throws CupelProblem, or the signal's reason
 */
export async function polled<Answer extends object>(
  connection: Connection,
  path: string,
  { signal, onProgress }: WaitOptions,
  { isOver, show }: { isOver(answer: Answer): boolean; show(answer: Answer): Progress },
): Promise<Answer> {
  let told = "";
  let waited = 0;
  for (let seconds = FIRST_WAIT_SECONDS; ; seconds = Math.min(LONGEST_WAIT_SECONDS, seconds * GROWTH)) {
    const answer = await connection.json<Answer>("GET", path, { signal });
    const progress = show(answer);
    const text = JSON.stringify(progress);
    if (text !== told) onProgress?.(progress);
    told = text;
    if (isOver(answer)) return answer;
    const next = waited < QUICK_SECONDS ? seconds : ((answer as Polled).nextPollAfterSeconds ?? seconds);
    await wait(1_000 * next, signal);
    waited += next;
  }
}
