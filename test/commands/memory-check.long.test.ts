// Commands and their memory: refused before the work that would take it, with both numbers, or done within it.
import { describe, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { refineCommand } from "../../src/commands/refine.ts";
import { run } from "../../src/commands/run.ts";
import { MemoryExceeded } from "../../src/common/memory-budget.ts";
import { withFolder } from "../support/folders.ts";
import { fixtureTable, runOptions, spawnWorker, testConsole } from "../support/in-process.ts";

const PENGUINS = fixtureTable("penguins");
/** Too little to read by; enough to read by and not to train; enough for one thread and not for eight; enough. */
const [LITTLE_MIB, FEW_MIB, SOME_MIB, ENOUGH_MIB] = [80, 124, 250, 2_000];

/** Forty classes: a thread that learns holds much more for each row than one that reads. */
const MANY_CLASSES = ["a,b,label", ...Array.from({ length: 3000 }, (_, row) => `${row % 997},${row % 83},${row % 40}`)]
  .join("\n")
  .concat("\n");

const numbers = (work: string, threads: string, budgetMib: number) =>
  new RegExp(`^${work} this table takes up to \\d+ MiB of memory on ${threads}, and ${budgetMib} MiB may be used\\.`);

describe("a budget of memory", () => {
  test("refuses to read what it has no room for, and leaves no folder behind", () =>
    withFolder(async (folder) => {
      const options = runOptions(PENGUINS, join(folder, "out"), { memoryBudgetMib: LITTLE_MIB });
      const refusal = await run(options, testConsole(), spawnWorker).catch((error) => error);
      expect(refusal).toBeInstanceOf(MemoryExceeded);
      expect(refusal.message).toMatch(numbers("Reading", "1 thread", LITTLE_MIB));
      expect(existsSync(options.outFolder)).toBeFalse();
    }));

  test("refuses to train or to refine where one thread has no room, and a run that cannot refine says so", () =>
    withFolder(async (folder) => {
      const table = join(folder, "classes.csv");
      writeFileSync(table, MANY_CLASSES);
      const options = runOptions(table, join(folder, "out"), { memoryBudgetMib: FEW_MIB, workers: 8 });
      await expect(run(options, testConsole(), spawnWorker)).rejects.toThrow(
        numbers("Training on", "1 thread", FEW_MIB),
      );
      const pair = { ...options, trainPath: table, testPath: table, outFolder: join(folder, "refined") };
      await expect(refineCommand(pair, testConsole(), spawnWorker)).rejects.toThrow(
        numbers("Refining", "1 thread", FEW_MIB),
      );
      expect(existsSync(pair.outFolder)).toBeFalse();
      const console = testConsole();
      await expect(run({ ...options, refine: true }, console, spawnWorker)).rejects.toThrow(MemoryExceeded);
      expect(console.notes.join("\n")).toMatch(
        /training uses all columns, without refining them\. Refining this table takes/,
      );
    }));

  test("has fewer threads work rather than refuse", () =>
    withFolder(async (folder) => {
      const console = testConsole();
      const options = runOptions(PENGUINS, join(folder, "out"), { memoryBudgetMib: SOME_MIB, workers: 8 });
      expect(await run(options, console, spawnWorker)).toBe(0);
      expect(console.notes.join("\n")).toMatch(/^[1-7] of 8 threads work, to stay within 250 MiB of memory\.$/m);
    }));

  test("is no hindrance where it suffices", () =>
    withFolder(async (folder) => {
      const options = runOptions(PENGUINS, join(folder, "out"), { memoryBudgetMib: ENOUGH_MIB, workers: 2 });
      expect(await run(options, testConsole(), spawnWorker)).toBe(0);
    }));
});
