// A command's terminal: prints its answer, shows progress, hears Ctrl-C.
import { writeSync } from "node:fs";
import { WorkerPool } from "../../workers/pool.ts";
import { printable } from "../common/printable.ts";
import { wrappedFor } from "../common/wrapped.ts";
import type { ProgressView } from "../progress/progress-view.ts";

export interface Console {
  /** Writes lines to standard output, which a terminal shows wrapped; line ends in them and the like are escaped. */
  print(...lines: readonly string[]): void;
  /** Progress and warnings, on standard error. */
  progress: ProgressView;
  /** Calls back at every SIGINT or SIGTERM, until released. */
  onInterrupt(listener: () => void): () => void;
}

/**
 * Signals within this time count as one: a Ctrl-C comes from the terminal, and again
 * from each script runner (npx, bun run) that passes it on.
 */
const ONE_REQUEST_MS = 500;

export function processConsole(progress: ProgressView): Console {
  return {
    print: (...lines) => writeOut(lines.map((line) => `${wrappedFor(process.stdout, printable(line))}\n`).join("")),
    progress,
    onInterrupt: (listener) => {
      let lastMs = Number.NEGATIVE_INFINITY;
      const hear = () => {
        const isEcho = performance.now() - lastMs < ONE_REQUEST_MS;
        lastMs = performance.now();
        if (!isEcho) listener();
      };
      process.on("SIGINT", hear);
      process.on("SIGTERM", hear);
      return () => {
        process.off("SIGINT", hear);
        process.off("SIGTERM", hear);
      };
    },
  };
}

/** Runs work on threads of its own; Ctrl-C cancels what carries the flag. */
export async function onThreads<T>(
  threadCount: number,
  console: Console,
  spawn: () => Worker,
  work: (pool: WorkerPool, cancelFlag: Int32Array) => Promise<T>,
): Promise<T> {
  const pool = new WorkerPool(spawn, threadCount);
  const cancelFlag = new Int32Array(new SharedArrayBuffer(4));
  const release = console.onInterrupt(() => pool.cancel(cancelFlag));
  try {
    return await work(pool, cancelFlag);
  } finally {
    release();
    pool.close();
  }
}

/** The reader of our output has gone, as `head` does: no error, but nothing is left to do. */
export class OutputClosed extends Error {
  constructor() {
    super("standard output was closed");
    this.name = "OutputClosed";
  }
}

/**
 * Writes to standard output and returns once all is written, so that nothing piles up in memory. Throws OutputClosed.
 */
export function writeOut(output: string | Uint8Array): void {
  const bytes = typeof output === "string" ? new TextEncoder().encode(output) : output;
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(1, bytes, written);
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      if (code === "EPIPE") throw new OutputClosed();
      if (code !== "EAGAIN") throw error;
      Bun.sleepSync(1);
    }
  }
}
