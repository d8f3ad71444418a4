// What an earlier run or refinement left in a folder: it stays until something
// new can take its place, and what goes is named.
import { beforeAll, describe, expect, test } from "bun:test";
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type RefineCommandOptions, refineCommand } from "../../src/commands/refine.ts";
import { type RunOptions, run } from "../../src/commands/run.ts";
import type { RunSummary } from "../../src/summary/summary.ts";
import { testFolder } from "../support/folders.ts";
import { runOptions, spawnWorker, type TestConsole, testConsole } from "../support/in-process.ts";
import { knownTable } from "../support/refinery.ts";

const folder = testFolder();
let table: string;
/** A table for a refinement's blind test. */
let judging: string;
/** A folder with three versions, predictions, a summary, a report, and a file of somebody else. */
let earlier: string;

beforeAll(async () => {
  table = join(folder, "table.csv");
  writeFileSync(table, knownTable(400, 1));
  judging = join(folder, "judging.csv");
  writeFileSync(judging, knownTable(100, 2));
  earlier = join(folder, "earlier");
  await run(runOptions(table, earlier, { predictPaths: [table] }), testConsole(), spawnWorker);
  writeFileSync(join(earlier, "predictions-mine.csv"), "mine");
  expect(Object.keys(contentsOf(earlier)).sort()).toEqual([
    "model.cupel",
    "predictions-mine.csv",
    "predictions-table.csv",
    "report.html",
    "summary.json",
    "v2.cupel",
    "v3.cupel",
  ]);
});

/** Hashes by name. */
function contentsOf(path: string): Record<string, string> {
  return Object.fromEntries(readdirSync(path).map((name) => [name, String(Bun.hash(readFileSync(join(path, name))))]));
}

/** A copy of the earlier results. */
function copyOfEarlier(name: string): string {
  const copy = join(folder, name);
  cpSync(earlier, copy, { recursive: true });
  return copy;
}

/** A console that calls back at each stage, before anything of it is done. */
function atStages(onStage: (name: string, console: TestConsole) => void): TestConsole {
  const console = testConsole();
  console.progress.stage = (name) => onStage(name, console);
  return console;
}

const settings = (outFolder: string, changes: Partial<RunOptions> = {}) =>
  runOptions(table, outFolder, { seed: 2, ...changes });

describe("a run into the folder of an earlier one", () => {
  test.each([
    ["Refining columns, steps", true],
    ["Training", false],
  ])("that is interrupted at %p changes nothing and says so", async (stage, refine) => {
    const out = copyOfEarlier(`cut-at-${stage.split(" ")[0]}`);
    const console = atStages((name, own) => name === stage && own.interrupt());
    expect(await run(settings(out, { refine }), console, spawnWorker)).toBe(130);
    const summary: RunSummary = JSON.parse(console.printed.join("\n"));
    expect([summary.status, summary.versions]).toEqual(["CANCELLED", []]);
    expect(contentsOf(out)).toEqual(contentsOf(earlier));
    expect(console.notes.join("\n")).toContain("This run made no model.");
    for (const name of ["model.cupel", "v2.cupel", "v3.cupel", "predictions-table.csv", "report.html", "summary.json"])
      expect(console.notes.join("\n")).toContain(name);
  });

  test("that is given up changes nothing", async () => {
    const out = copyOfEarlier("given-up");
    const console = atStages((name, own) => {
      if (name !== "Refitting on all rows") return;
      own.interrupt();
      own.interrupt();
    });
    await expect(run(settings(out), console, spawnWorker)).rejects.toThrow("cancelled");
    expect(contentsOf(out)).toEqual(contentsOf(earlier));
  });

  test("leaves everything until all models can take its place, and names what it removes", async () => {
    const out = copyOfEarlier("replaced");
    const seen: Record<string, string>[] = [];
    const console = atStages((name) => name !== "Predicting" && seen.push(contentsOf(out)));
    console.progress.attempts = (done) => done === 1 && console.interrupt();
    expect(await run(settings(out, { predictPaths: [table] }), console, spawnWorker)).toBe(130);
    expect(seen.length).toBeGreaterThan(2);
    for (const contents of seen) expect(contents).toEqual(contentsOf(earlier));
    const after = contentsOf(out);
    expect(Object.keys(after).sort()).toEqual([
      "model.cupel",
      "predictions-mine.csv",
      "predictions-table.csv",
      "report.html",
      "summary.json",
    ]);
    for (const [name, hash] of Object.entries(after)) {
      if (name !== "predictions-mine.csv") expect([name, hash]).not.toEqual([name, contentsOf(earlier)[name]!]);
    }
    const summary: RunSummary = JSON.parse(readFileSync(join(out, "summary.json"), "utf8"));
    expect(summary.predictions.map(({ file }) => file)).toEqual(["predictions-table.csv"]);
    expect(console.notes).toContain(`Removed files of an earlier run from ${out}: v2.cupel, v3.cupel.`);
  });

  test("removes and names the predictions that it does not make", async () => {
    const out = copyOfEarlier("without-predictions");
    const console = testConsole();
    expect(await run(settings(out), console, spawnWorker)).toBe(0);
    expect(console.notes).toContain(`Removed files of an earlier run from ${out}: predictions-table.csv.`);
    expect(readdirSync(out)).not.toContain("predictions-table.csv");
  });

  test("that is given up while it predicts has its models, and leaves the earlier predictions", async () => {
    const out = copyOfEarlier("given-up-predicting");
    const console = atStages((name, own) => {
      if (name !== "Predicting") return;
      own.interrupt();
      own.interrupt();
    });
    await expect(run(settings(out, { predictPaths: [table] }), console, spawnWorker)).rejects.toThrow("cancelled");
    const after = contentsOf(out);
    expect(Object.keys(after).sort()).toEqual(Object.keys(contentsOf(earlier)).sort());
    expect(after["predictions-table.csv"]).toBe(contentsOf(earlier)["predictions-table.csv"]!);
    expect(after["model.cupel"]).not.toBe(contentsOf(earlier)["model.cupel"]!);
    const summary: RunSummary = JSON.parse(readFileSync(join(out, "summary.json"), "utf8"));
    expect([summary.seed, summary.versions.length, summary.predictions]).toEqual([2, 3, []]);
  });
});

describe("a refinement", () => {
  const refineSettings = (outFolder: string, changes: Partial<RefineCommandOptions> = {}): RefineCommandOptions => ({
    trainPath: table,
    testPath: judging,
    outFolder,
    workers: 2,
    memoryBudgetMib: 8_192,
    json: false,
    label: null,
    missingMarkers: null,
    columnChoices: [],
    hasHeader: true,
    numberOfBuckets: 10,
    seed: 1,
    timeLimitSeconds: 600,
    removeLeaks: false,
    ...changes,
  });

  test("of one file says that the TEST file in its folder is of an earlier one", async () => {
    const out = join(folder, "refined-twice");
    await refineCommand(refineSettings(out), testConsole(), spawnWorker);
    const before = contentsOf(out);
    const console = testConsole();
    expect(await refineCommand(refineSettings(out, { testPath: table }), console, spawnWorker)).toBe(0);
    expect(contentsOf(out)["test.csv"]).toBe(before["test.csv"]!);
    expect(console.notes).toContain(`${join(out, "test.csv")} is of an earlier refinement: this one has no TEST file.`);
  });

  test("that is interrupted leaves what an earlier one came to, and says so", async () => {
    const out = join(folder, "refined");
    expect(await refineCommand(refineSettings(out), testConsole(), spawnWorker)).toBe(0);
    const before = contentsOf(out);
    const console = atStages((name, own) => name === "Refining columns, steps" && own.interrupt());
    expect(await refineCommand(refineSettings(out, { seed: 2 }), console, spawnWorker)).toBe(130);
    expect(contentsOf(out)).toEqual({ ...before, ".refinement-journal": expect.any(String) });
    const names = "train.csv, test.csv, refinement.json, report.html";
    expect(console.notes).toContain(
      `This refinement wrote no files. ${out} still has those of an earlier one: ${names}.`,
    );
    expect(console.printed.join("\n")).not.toContain("Report ");
  });

  test("does not write over a model's report", async () => {
    const out = copyOfEarlier("not-refined");
    await expect(refineCommand(refineSettings(out), testConsole(), spawnWorker)).rejects.toThrow(
      /contains model\.cupel of `cupel run`.*Name another folder with --out/,
    );
    expect(contentsOf(out)).toEqual(contentsOf(earlier));
  });

  test("gives its report's name to the run that follows in its folder, which says so", async () => {
    const out = join(folder, "refined-then-trained");
    await refineCommand(refineSettings(out), testConsole(), spawnWorker);
    const console = testConsole();
    expect(await run(settings(out, { trainPath: join(out, "train.csv") }), console, spawnWorker)).toBe(0);
    expect(console.notes.join("\n")).toContain("report.html (the refinement's)");
    expect(readdirSync(out)).toContain("train.csv");
  });
});
