// Ctrl-C while a server works: the first ends the work that this command began there, the second leaves at once (D119).
import { Cancelled } from "../../engine/stop-signal.ts";
import type { Console } from "../commands/console.ts";

/** The server's work for this command. */
interface WorkUnderWay {
  /** Ends the work: asked once. */
  cancel(): Promise<void>;
  /** Says what Ctrl-C does, as a sentence. */
  words: string;
}

export interface Interrupts {
  /** Aborts with `Cancelled`, which ends the command with exit code 130. */
  signal: AbortSignal;
  /** True once Ctrl-C was typed. */
  readonly isStopping: boolean;
  /** Work that the first Ctrl-C ends, and then waits for; without it Ctrl-C leaves at once. */
  during<T>(work: WorkUnderWay, wait: () => Promise<T>): Promise<T>;
}

export async function interruptibly<T>(console: Console, work: (interrupts: Interrupts) => Promise<T>): Promise<T> {
  const leaving = new AbortController();
  let isStopping = false;
  let underWay: WorkUnderWay | null = null;
  const release = console.onInterrupt(() => {
    if (isStopping || underWay === null) return leaving.abort(new Cancelled());
    isStopping = true;
    console.progress.note(`Stopping: ${underWay.words} Press Ctrl-C again to leave at once.`);
    // If cancelling fails, the work has ended or cannot be reached: waiting finds out which.
    underWay.cancel().catch(() => undefined);
  });
  try {
    return await work({
      signal: leaving.signal,
      get isStopping() {
        return isStopping;
      },
      during: async (next, wait) => {
        underWay = next;
        try {
          return await wait();
        } finally {
          underWay = null;
        }
      },
    });
  } finally {
    release();
  }
}
