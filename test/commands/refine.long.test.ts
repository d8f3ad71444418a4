// `cupel refine` and runs that refine first: files left behind, what they hold, refusals, interruption and going on.
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readCsv } from "../../engine/csv/read.ts";
import { formatRecord } from "../../engine/csv/write.ts";
import { InputError } from "../../engine/input-error.ts";
import { type RefineCommandOptions, refineCommand } from "../../src/commands/refine.ts";
import { run } from "../../src/commands/run.ts";
import type { RefinementSummary } from "../../src/summary/refinement-summary.ts";
import type { RunSummary } from "../../src/summary/summary.ts";
import { encode } from "../engine/csv/reading.ts";
import { withFolder } from "../support/folders.ts";
import { fixtureTable, runOptions, spawnWorker, testConsole } from "../support/in-process.ts";
import { randomTexts } from "../support/noise-text.ts";
import { knownTable } from "../support/refinery.ts";
import { drawTexts } from "../support/text-tables.ts";

const TRAIN = knownTable(1_200, 1);
const TEST = knownTable(400, 2);

function writePair(folder: string): { trainPath: string; testPath: string } {
  const paths = { trainPath: join(folder, "learn.csv"), testPath: join(folder, "judge.csv") };
  writeFileSync(paths.trainPath, TRAIN);
  writeFileSync(paths.testPath, TEST);
  return paths;
}

function optionsOf(folder: string): RefineCommandOptions {
  const out = {
    outFolder: join(folder, "out"),
    workers: 2,
    memoryBudgetMib: 8_192,
    json: true,
    label: null,
    missingMarkers: null,
    columnChoices: [],
    hasHeader: true,
  };
  const limits = { numberOfBuckets: 10, seed: 1, timeLimitSeconds: 600, removeLeaks: false };
  return { ...writePair(folder), ...out, ...limits };
}

async function refined(options: RefineCommandOptions): Promise<{ exitCode: number; summary: RefinementSummary }> {
  const console = testConsole();
  const exitCode = await refineCommand(options, console, spawnWorker);
  return { exitCode, summary: JSON.parse(console.printed.join("\n")) };
}

/** Random words, and texts with all that has a meaning in a file, in letters that Windows-1252 has too. */
function proseOf(rowCount: number, seed: number): string[][] {
  const { texts, labels } = drawTexts(rowCount, 2, seed);
  const noise = randomTexts(rowCount, seed);
  const odd = [' "so" ', "\n", "; ", ",", "\t", "|", "é€ß", '""', "=1+1", "  "];
  return texts.map((text, row) => [noise[row]!, text.replace(" ", odd[row % odd.length]!), labels[row]!]);
}

/** Cells of the named columns, untouched. */
function cellsOf(text: string, names: readonly string[]): string[][] {
  const cells: string[][] = [];
  readCsv(
    () => [new TextEncoder().encode(text)],
    (header) => {
      const positions = names.map((name) => header.names.indexOf(name));
      return ({ records }) => {
        for (const record of records) cells.push(positions.map((position) => record[position]!));
      };
    },
  );
  return cells;
}

describe("refine", () => {
  test("leaves both tables reduced to the kept columns, with every cell as it was", () =>
    withFolder(async (folder) => {
      const { exitCode, summary } = await refined(optionsOf(folder));
      expect([exitCode, summary.state, summary.partial]).toEqual([0, "REFINEMENT_COMPLETED", false]);
      expect(summary.keptColumns).toEqual(["strong", "weak", "left", "right"]);
      expect(summary.columns).toHaveLength(10);
      const names = [...summary.keptColumns, "label"];
      for (const [file, whole] of [
        ["train.csv", TRAIN],
        ["test.csv", TEST],
      ] as const) {
        const reduced = readFileSync(join(folder, "out", file), "utf8");
        expect(reduced.slice(0, reduced.indexOf("\n"))).toBe(names.join(","));
        expect(cellsOf(reduced, names)).toEqual(cellsOf(whole, names));
      }
      expect(summary.files.map(({ kind, file }) => [kind, file])).toEqual([
        ["TRAIN", "train.csv"],
        ["TEST", "test.csv"],
      ]);
      expect(JSON.parse(readFileSync(join(folder, "out", "refinement.json"), "utf8"))).toEqual(summary);
      expect(readFileSync(join(folder, "out", "report.html"), "utf8")).toContain("<!doctype html>");
      expect(existsSync(join(folder, "out", ".refinement-journal"))).toBe(false);
      const states = summary.activities.map(({ state }) => state);
      expect([states[0], states.at(-2), states.at(-1)]).toEqual([
        "SETUP_READING",
        "CREATING_RESULT",
        "REFINEMENT_COMPLETED",
      ]);
      expect(summary.progressCompleted).toBe(summary.progressTotal!);
      expect(summary.elapsedSeconds).toBeLessThan(summary.budgetSeconds!);
      expect(summary.keptAccuracy).toBe(summary.keptPerformances[0]!.accuracy);
      expect(summary.recommendedThreshold).toBe(summary.reachedTarget);
      expect(summary.reachedTarget!).toBeLessThan(summary.keptAccuracy!);
      expect(summary.baselineTarget!).toBeLessThan(summary.baselineTopPerformances[0]!.accuracy!);
    }));

  test.each([
    [";", "\r\n", "windows-1252"],
    ["\t", "\n", "utf-16le"],
    ["|", "\r", "utf-8"],
  ] as const)("keeps texts letter by letter, between %p and %p in %s", (delimiter, lineEnding, encoding) =>
    withFolder(async (folder) => {
      const dialect = { delimiter, lineEnding };
      const [trainPath, testPath] = [join(folder, "a.csv"), join(folder, "b.csv")];
      const records = [proseOf(600, 3), proseOf(200, 4)];
      for (const [at, path] of [trainPath, testPath].entries()) {
        const lines = [["noise", "prose", "label"], ...records[at]!].map((record) => formatRecord(record, dialect));
        writeFileSync(path, encode(lines.join(""), encoding));
      }
      const { summary } = await refined({ ...optionsOf(folder), trainPath, testPath });
      expect(summary.keptColumns).toEqual(["prose"]);
      for (const [at, name] of ["train.csv", "test.csv"].entries()) {
        const reduced = readFileSync(join(folder, "out", name), "utf8");
        const whole = records[at]!.map(([, prose, label]) => [prose!, label!]);
        const written = [["prose", "label"], ...whole].map((record) =>
          formatRecord(record, { delimiter, lineEnding: "\n" }),
        );
        expect(reduced).toBe(written.join(""));
      }
    }),
  );

  test("holds out a fifth of a file that is given twice, and writes it once", () =>
    withFolder(async (folder) => {
      const options = optionsOf(folder);
      writeFileSync(options.testPath, TRAIN);
      const { exitCode, summary } = await refined(options);
      expect([exitCode, summary.state]).toEqual([0, "REFINEMENT_COMPLETED"]);
      expect([summary.train.rows, summary.testRows, summary.test]).toEqual([960, 240, null]);
      expect(summary.files.map(({ kind }) => kind)).toEqual(["TRAIN"]);
      expect(existsSync(join(folder, "out", "test.csv"))).toBe(false);
      expect(summary.warnings.map(({ code }) => code)).toEqual(["IDENTIFIER_COLUMN"]);
    }));

  test("warns about rows of TEST that TRAIN has too", () =>
    withFolder(async (folder) => {
      const options = optionsOf(folder);
      writeFileSync(options.testPath, TRAIN.split("\n").slice(0, 401).join("\n"));
      const console = testConsole();
      await refineCommand(options, console, spawnWorker);
      const { warnings }: RefinementSummary = JSON.parse(console.printed.join("\n"));
      expect(warnings.map(({ code }) => code)).toEqual(["IDENTIFIER_COLUMN", "ROW_OVERLAP"]);
      expect(console.notes.filter((note) => note.startsWith("warning: "))).toEqual(
        warnings.map(({ message }) => `warning: ${message}`),
      );
    }));

  test("goes on after an interruption, and ends as if there had been none", () =>
    withFolder(async (folder) => {
      const options = optionsOf(folder);
      const console = testConsole();
      let advanced = 0;
      const interrupting = {
        ...console,
        progress: {
          ...console.progress,
          advance: () => {
            if (++advanced === 10) console.interrupt();
          },
        },
      };
      expect(await refineCommand(options, interrupting, spawnWorker)).toBe(130);
      const stopped: RefinementSummary = JSON.parse(console.printed.join("\n"));
      expect([stopped.state, stopped.columns, stopped.files]).toEqual(["CANCELLED", [], []]);
      expect(existsSync(join(folder, "out", ".refinement-journal"))).toBe(true);
      const { summary } = await refined(options);
      const { summary: whole } = await refined({ ...options, outFolder: join(folder, "other") });
      expect(summary.columns).toEqual(whole.columns);
      expect(summary.currentTopPerformances).toEqual(whole.currentTopPerformances);
      expect(existsSync(join(folder, "out", ".refinement-journal"))).toBe(false);
    }));

  test("refuses a TEST that does not fit TRAIN before it does anything", () =>
    withFolder(async (folder) => {
      const options = optionsOf(folder);
      writeFileSync(options.testPath, TEST.replace("strong,", "Strong,"));
      const refusal = refineCommand(options, testConsole(), spawnWorker);
      await expect(refusal).rejects.toThrow(InputError);
      await expect(refusal).rejects.toThrow(/judge\.csv.*strong.*Strong/s);
      await refusal.catch(() => undefined);
      expect(existsSync(options.outFolder)).toBe(false);
    }));
});

describe("a run that refines first", () => {
  const summaryOf = async (folder: string, trainPath: string, changes: object): Promise<RunSummary> => {
    const console = testConsole();
    await run(
      runOptions(trainPath, join(folder, "out"), { refine: true, workers: 2, ...changes }),
      console,
      spawnWorker,
    );
    return JSON.parse(console.printed.join("\n"));
  };

  test("trains on the columns with a signal and scores files that still carry all", () =>
    withFolder(async (folder) => {
      const { trainPath, testPath } = writePair(folder);
      const summary = await summaryOf(folder, trainPath, { predictPaths: [testPath] });
      const { refinement } = summary;
      expect(refinement!.keptColumns).toEqual(["strong", "weak", "left", "right"]);
      expect(refinement!.test).toBeNull();
      expect(refinement!.testRows).toBe(summary.holdout.rows);
      expect(summary.columns.filter(({ used }) => used).map(({ name }) => name)).toEqual(
        refinement!.keptColumns.slice(),
      );
      expect(summary.targetPerformance).toBe(refinement!.recommendedThreshold);
      expect(summary.predictions[0]!.rows).toBe(400);
      expect(readFileSync(join(folder, "out", "report.html"), "utf8")).toContain('id="refinement"');
    }));

  test("judges by TEST where there is one, whose rows train no model", () =>
    withFolder(async (folder) => {
      const { trainPath, testPath } = writePair(folder);
      const summary = await summaryOf(folder, trainPath, { testPath, target: 0.5 });
      expect([summary.refinement!.testRows, summary.rows, summary.targetPerformance]).toEqual([400, 1_200, 0.5]);
      expect(summary.classes.reduce((sum, { count }) => sum + count, 0)).toBe(1_200);
      expect(summary.refinement!.test!.name).toBe("judge.csv");
    }));

  test("says where too few rows are there to refine by", () =>
    withFolder(async (folder) => {
      const summary = await summaryOf(folder, fixtureTable("penguins"), {});
      expect(summary.refinement!.state).toBe("REFINEMENT_COMPLETED");
      expect(summary.versions.length).toBeGreaterThan(0);
    }));
});
