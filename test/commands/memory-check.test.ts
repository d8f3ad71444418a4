// Commands and their memory: refused before the work that would take it, with both numbers, or done within it.
import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { refineCommand } from "../../src/commands/refine.ts";
import { run } from "../../src/commands/run.ts";
import { MemoryExceeded } from "../../src/memory-budget.ts";
import { fixtureTable, runOptions, spawnWorker, testConsole, withFolder } from "../support/in-process.ts";

const PENGUINS = fixtureTable("penguins");
/** Too little to read by; enough to read by and not for eight threads; enough. */
const [LITTLE_MIB, SOME_MIB, ENOUGH_MIB] = [80, 250, 2_000];

const numbers = (work: string, threads: string, budgetMib: number) =>
  new RegExp(`^${work} this table takes up to \\d+ MiB of memory on ${threads}, and ${budgetMib} MiB may be used\\.`);

describe("a budget of memory", () => {
  test("refuses to read what it has no room for, and leaves no folder behind", async () => {
    await withFolder(async (folder) => {
      const options = runOptions(PENGUINS, join(folder, "out"), { memoryBudgetMib: LITTLE_MIB });
      const refusal = await run(options, testConsole(), spawnWorker).catch((error) => error);
      expect(refusal).toBeInstanceOf(MemoryExceeded);
      expect(refusal.message).toMatch(numbers("Reading", "1 thread", LITTLE_MIB));
      expect(existsSync(options.outFolder)).toBeFalse();
    });
  });

  test("refuses to train or to refine on more threads than it has room for", async () => {
    await withFolder(async (folder) => {
      const limits = { memoryBudgetMib: SOME_MIB, workers: 8 };
      const options = runOptions(PENGUINS, join(folder, "out"), limits);
      await expect(run(options, testConsole(), spawnWorker)).rejects.toThrow(
        numbers("Training on", "8 threads", SOME_MIB),
      );
      const pair = { ...options, trainPath: PENGUINS, testPath: PENGUINS, outFolder: join(folder, "refined") };
      await expect(refineCommand(pair, testConsole(), spawnWorker)).rejects.toThrow(
        numbers("Refining", "8 threads", SOME_MIB),
      );
      await expect(run({ ...options, refine: true }, testConsole(), spawnWorker)).rejects.toThrow(
        numbers("Refining", "8 threads", SOME_MIB),
      );
      expect(existsSync(pair.outFolder)).toBeFalse();
    });
  });

  test("is no hindrance where it suffices", async () => {
    await withFolder(async (folder) => {
      const options = runOptions(PENGUINS, join(folder, "out"), { memoryBudgetMib: ENOUGH_MIB, workers: 2 });
      expect(await run(options, testConsole(), spawnWorker)).toBe(0);
    });
  });
});
