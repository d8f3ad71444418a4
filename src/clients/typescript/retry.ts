// When a request that failed is sent again, and how long to wait before.
import { CupelProblem, ownProblem } from "./problem.ts";

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 15_000;
/** Answers of servers and proxies that are too busy, or cannot reach what is behind them. */
const PASSING_STATUSES = [429, 502, 503, 504];
/** The server got a part of the body, or still works at the first attempt of a request. */
const PASSING_CODES = ["UPLOAD_INTERRUPTED", "REQUEST_TOO_SLOW", "REQUEST_UNDER_WAY"];

/** How often and how long to try. */
export interface Patience {
  /** Seconds from the first failure on; then the problem is thrown. 0 for no retries. */
  retrySeconds: number;
  signal: AbortSignal | undefined;
  /** Further codes of problems that pass. */
  passingCodes?: readonly string[];
}

/**
 * Does something that may fail in passing until it succeeds, or the patience ends: waits twice as long after each
 * failure, by chance up to half as long again, so that clients of one failure do not come back all at once; as long as
 * the server asks for where it says so. `attempt` counts from 0.
 *
 * @throws what the last attempt threw, or the signal's reason
 */
export async function persistently<T>(
  { retrySeconds, signal, passingCodes = [] }: Patience,
  attempt: (attempt: number) => Promise<T>,
): Promise<T> {
  let endMs: number | null = null;
  for (let count = 0; ; count++) {
    signal?.throwIfAborted();
    try {
      return await attempt(count);
    } catch (error) {
      signal?.throwIfAborted();
      if (!isPassing(error, passingCodes)) throw error;
      const nowMs = Date.now();
      endMs ??= nowMs + retrySeconds * 1_000;
      const waitMs = waitOf(error, count);
      if (nowMs + waitMs > endMs) throw error;
      await wait(waitMs, signal);
    }
  }
}

/** An error of `fetch` as a problem; the signal's reason stays what it is. */
export function asProblem(error: unknown, address: string, signal: AbortSignal | undefined): unknown {
  if (error instanceof CupelProblem) return error;
  if (signal?.aborted === true) return signal.reason;
  return ownProblem(
    "UNREACHABLE",
    "The server cannot be reached",
    `${address} gave no whole answer. Check the address, and whether the server runs and the network lets you through.`,
    error,
  );
}

/** @throws the signal's reason */
export function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}

function isPassing(error: unknown, passingCodes: readonly string[]): error is CupelProblem {
  if (!(error instanceof CupelProblem)) return false;
  const codes = ["UNREACHABLE", ...PASSING_CODES, ...passingCodes];
  return PASSING_STATUSES.includes(error.status) || codes.includes(error.code);
}

function waitOf({ retryAfterSeconds }: CupelProblem, count: number): number {
  const byCount = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** count) * (1 + Math.random() / 2);
  return Math.max(byCount, (retryAfterSeconds ?? 0) * 1_000);
}
