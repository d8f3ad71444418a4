// Commands run inside the test's process: what they print and note is kept, workers are real.
import { join } from "node:path";
import { InputError } from "../../engine/input-error.ts";
import type { Console } from "../../src/commands/console.ts";
import type { RunOptions } from "../../src/commands/run.ts";
import { printable } from "../../src/common/printable.ts";
import { silentProgress } from "../../src/progress/progress-view.ts";

export const spawnWorker = () => new Worker(new URL("../../workers/worker.ts", import.meta.url).href);

export interface TestConsole extends Console {
  printed: string[];
  notes: string[];
  /** What Ctrl-C does. */
  interrupt(): void;
}

/** A console that remembers. `onAttempts` hears of every finished attempt. */
export function testConsole(onAttempts: (done: number) => void = () => undefined): TestConsole {
  const printed: string[] = [];
  const notes: string[] = [];
  const listeners = new Set<() => void>();
  return {
    printed,
    notes,
    print: (...lines) => printed.push(...lines.map(printable)),
    progress: { ...silentProgress, note: (line) => notes.push(line), attempts: onAttempts },
    onInterrupt: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    interrupt: () => {
      for (const listener of listeners) listener();
    },
  };
}

/** Options of a short run. */
export function runOptions(trainPath: string, outFolder: string, changes: Partial<RunOptions> = {}): RunOptions {
  return {
    trainPath,
    outFolder,
    label: null,
    missingMarkers: null,
    columnChoices: [],
    hasHeader: true,
    predictPaths: [],
    testPath: null,
    refine: false,
    removeLeaks: false,
    groupColumn: null,
    timeColumn: null,
    keepKeyColumns: false,
    withoutColumns: [],
    numberOfBuckets: 20,
    target: null,
    objective: "accuracy",
    scalingFactor: 2,
    timeLimitSeconds: 600,
    seed: 1,
    workers: 1,
    memoryBudgetMib: 8_192,
    likeInput: false,
    spreadsheetSafe: false,
    json: true,
    ...changes,
  };
}

/** A bundled table. */
export function fixtureTable(name: "churn" | "penguins" | "credit_g" | "online_shoppers"): string {
  return join(import.meta.dir, "..", "fixtures", "tables", `${name}.csv`);
}

/** The code and the words of the refusal that some work ends with. */
export async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof InputError) return `${error.code}: ${error.message}`;
  throw new Error("it was not refused", { cause: error });
}
