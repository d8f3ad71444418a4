// Loads what a screen shows from the server: once, or repeatedly while it changes.
import { useCallback, useLayoutEffect, useRef, useState } from "preact/hooks";
import { asProblem, type Problem } from "./problem.ts";

/** The last answer stays while the next one loads, and beside the problem if loading failed. */
export interface Loaded<T> {
  value: T | null;
  problem: Problem | null;
  isLoading: boolean;
  /** Loads now. */
  reload(): void;
}

type Look<T> = Omit<Loaded<T>, "reload">;

type Load<T> = (signal: AbortSignal) => Promise<T>;

/** Milliseconds until the next load; null to stop. */
export type Wait<T> = (value: T, round: number) => number | null;

/**
 * A small file is read within the first of these pauses, a small table has its model before they reach half a second.
 */
const FIRST_WAIT_MS = 100;
const WAIT_GROWTH = 1.1;
const LONGEST_WAIT_MS = 10_000;
/** Each failure lengthens the pause as this many rounds do: to half a second, 3 seconds, then the longest. */
const ROUNDS_OF_FAILURE = 18;

/** Loads once, and again when `about` changes. */
export function useLoad<T>(load: Load<T>, about: readonly unknown[]): Loaded<T> {
  return useLive(load, about, onlyOnce);
}

/** Loads until `isOver`, with growing pauses. */
export function until<T>(isOver: (value: T) => boolean): Wait<T> {
  return (value, round) => (isOver(value) ? null : pause(round));
}

/** Loads as often as `wait` says; pauses while the page is hidden, and longer after each failure. */
export function useLive<T>(load: Load<T>, about: readonly unknown[], wait: Wait<T>): Loaded<T> {
  const [loaded, setLoaded] = useState<Look<T>>({ value: null, problem: null, isLoading: true });
  const [asked, setAsked] = useState(0);
  const calls = useRef({ load, wait });
  calls.current = { load, wait };
  const key = JSON.stringify(about);
  // Before the frame is painted, so that the request does not wait for it,
  // and an answer that is there already is in it.
  useLayoutEffect(() => {
    const stop = new AbortController();
    setLoaded((before) => ({ ...before, isLoading: true }));
    follow(calls.current, stop.signal, setLoaded);
    return () => stop.abort();
  }, [key, asked]);
  return { ...loaded, reload: useCallback(() => setAsked((count) => count + 1), []) };
}

async function follow<T>(
  calls: { load: Load<T>; wait: Wait<T> },
  signal: AbortSignal,
  show: (change: (before: Look<T>) => Look<T>) => void,
): Promise<void> {
  let failures = 0;
  for (let round = 0; !signal.aborted; round++) {
    let waitMs: number | null;
    try {
      const value = await calls.load(signal);
      if (signal.aborted) return;
      failures = 0;
      show(() => ({ value, problem: null, isLoading: false }));
      waitMs = calls.wait(value, round);
    } catch (error) {
      if (signal.aborted) return;
      const problem = asProblem(error);
      show(({ value }) => ({ value, problem, isLoading: false }));
      // A refusal stays a refusal; an unreachable or overloaded server may recover.
      const mayPass = problem.status === 0 || problem.status === 429 || problem.status >= 500;
      const isRepeated = calls.wait !== onlyOnce && mayPass && problem.code !== "CANCELLED";
      waitMs = isRepeated
        ? Math.max(pause(ROUNDS_OF_FAILURE * ++failures), (problem.retryAfterSeconds ?? 0) * 1_000)
        : null;
    }
    if (waitMs === null) return;
    await sleep(waitMs, signal);
    await untilVisible(signal);
  }
}

const onlyOnce = () => null;

/** Milliseconds to wait after a round. */
export function pause(round: number): number {
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * WAIT_GROWTH ** round);
}

function sleep(waitMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, waitMs);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function untilVisible(signal: AbortSignal): Promise<void> {
  if (document.visibilityState === "visible") return Promise.resolve();
  return new Promise((resolve) => {
    document.addEventListener("visibilitychange", () => resolve(), { once: true, signal });
    signal.addEventListener("abort", () => resolve());
  });
}
