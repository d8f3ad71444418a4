// A German export whose columns say "k. A.", "unbekannt" and "<LOD" through
// inspect, run, refine, predict and live rows.
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DAY_FIRST, rewriteDate, YEAR_FIRST } from "../../engine/columns/dates.ts";
import { unpackModel } from "../../engine/model/model-file.ts";
import { neverStop } from "../../engine/stop-signal.ts";
import { inspect } from "../../src/commands/inspect.ts";
import { run } from "../../src/commands/run.ts";
import type { RunSummary } from "../../src/summary/summary.ts";
import { readPair } from "../../workers/reading/read-pair.ts";
import { readTable } from "../../workers/reading/read-table.ts";
import { scoreRows } from "../../workers/scoring/live-scoring.ts";
import { ModelCache } from "../../workers/scoring/model-cache.ts";
import { scoreFile } from "../../workers/scoring/score-file.ts";
import { withFolder } from "../support/folders.ts";
import { runOptions, spawnWorker, testConsole } from "../support/in-process.ts";

const ROWS = 400;
const HEADER = ["Druck", "Geprüft", "Blei", "Urteil"];
const MISSING = ["k. A.", "unbekannt", "<LOD"];

/** Every fifteenth cell of a column says that there is no value, each column's at another place. */
function rowsOf(count: number, gap = 15): string[][] {
  return Array.from({ length: count }, (_, at) => {
    const pressure = ((at * 37) % 401) / 4;
    const day = `${1 + (at % 28)}.${1 + (at % 12)}.202${at % 5}`;
    const lead = ((at * 53) % 307) / 8;
    const cells = [pressure, day, lead].map((cell) => String(cell).replace(/^(\d+)\.(\d+)$/, "$1,$2"));
    const holed = cells.map((cell, column) => ((at + 5 * column) % gap === 3 ? MISSING[column]! : cell));
    return [...holed, pressure + lead / 4 > 50 !== (at % 17 === 0) ? "gut" : "schlecht"];
  });
}

const emptied = (rows: readonly string[][]) =>
  rows.map((cells) => cells.map((cell) => (MISSING.includes(cell) ? "" : cell)));
const csv = (rows: readonly (readonly string[])[], delimiter = ";") =>
  [HEADER, ...rows].map((cells) => `${cells.join(delimiter)}\n`).join("");
const EXPORT = csv(rowsOf(ROWS));

function write(folder: string, name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

test("inspect names the texts and reads the other cells", () =>
  withFolder(async (folder) => {
    const console = testConsole();
    const path = write(folder, "export.csv", EXPORT);
    expect(inspect({ path, label: null, missingMarkers: null, json: true }, console)).toBe(0);
    const { columns, warnings } = JSON.parse(console.printed[0]!);
    const shown = columns.map(({ kind, missing }: { kind: string; missing: number }) => [kind, missing]);
    expect(shown).toEqual([
      ["number", 27],
      ["date", 26],
      ["number", 27],
      ["category", 0],
    ]);
    expect(warnings.map(({ code, column, line }: Record<string, unknown>) => [code, column, line])).toEqual([
      ["TEXT_AS_MISSING", "Druck", 5],
      ["TEXT_AS_MISSING", "Geprüft", 15],
      ["TEXT_AS_MISSING", "Blei", 10],
    ]);
    expect(warnings[0].message).toBe(
      'Column "Druck" holds numbers except for "k. A." (27 cells), the first in line 5; this text counts as missing.',
    );
  }));

test("a model of it reads these texts as missing in files, feeds and rows", () =>
  withFolder(async (folder) => {
    const train = write(folder, "export.csv", EXPORT);
    const console = testConsole();
    const out = join(folder, "out");
    const options = runOptions(train, out, { refine: false, scalingFactor: 0, predictPaths: [] });
    await run(options, console, spawnWorker);
    const summary: RunSummary = JSON.parse(console.printed[0]!);
    expect(summary.warnings.filter(({ code }) => code === "TEXT_AS_MISSING").length).toBe(3);
    const modelPath = join(out, "model.cupel");
    const { columns } = unpackModel(readFileSync(modelPath));
    const own = columns.map(({ reading }) => (reading.kind === "category" ? [] : reading.missingTexts));
    expect(own).toEqual(MISSING.map((text) => [text]));

    const score = (text: string) => {
      const outputPath = join(folder, "result.csv");
      const request = { modelPath, inputPath: write(folder, "new.csv", text), outputPath };
      const { warnings } = scoreFile({ ...request, likeInput: false, spreadsheetSafe: false }, neverStop);
      const lines = readFileSync(outputPath, "utf8").trim().split("\n");
      return {
        answers: lines.map((line) => line.split(",").slice(-4).join()),
        codes: warnings.map(({ code }) => code),
      };
    };
    const fresh = rowsOf(60, 4);
    const withTexts = score(csv(fresh));
    expect(withTexts.answers).toEqual(score(csv(emptied(fresh))).answers);
    expect(withTexts.codes).not.toContain("NOT_READ");
    // A column without any value is one of missing cells, not one that cannot be read.
    const unknown = fresh.map(([, ...others]) => ["k. A.", ...others]);
    expect(score(csv(unknown)).answers).toEqual(score(csv(emptied(unknown))).answers);
    // The file at hand may write its numbers otherwise.
    const points = fresh.map((cells) => cells.map((cell) => cell.replace(",", ".")));
    expect(score(csv(points, ",")).answers).toEqual(withTexts.answers);
    // Texts of another column are not missing by agreement; they cannot be read.
    expect(score(csv(fresh.map(([, ...others]) => ["unbekannt?", ...others]).concat(fresh))).codes).toContain(
      "NOT_READ",
    );

    const named = (cells: readonly string[]) => Object.fromEntries(HEADER.map((name, at) => [name, cells[at]!]));
    const live = scoreRows(new ModelCache(), modelPath, fresh.map(named));
    expect(live.scores).toEqual(scoreRows(new ModelCache(), modelPath, emptied(fresh).map(named)).scores);
    expect(live.warnings.map(({ code }) => code)).not.toContain("NOT_READ");
  }));

test("TEST has them missing too, and so have the keys of rows", () =>
  withFolder(async (folder) => {
    const trainPath = write(folder, "train.csv", EXPORT);
    const rows = rowsOf(80, 3);
    const inIso = (day: string) => rewriteDate(day, DAY_FIRST, YEAR_FIRST) ?? day;
    const pair = (rowsOfTest: readonly string[][], timeColumn: string | null = null) => {
      const testPath = write(folder, "test.csv", csv(rowsOfTest));
      return readPair({ trainPath, testPath, label: null, missingMarkers: null, timeColumn }, neverStop);
    };
    const withTexts = pair(rows);
    expect(withTexts.source.table.levels).toEqual(pair(emptied(rows)).source.table.levels);
    expect(withTexts.test.warnings).toEqual([]);

    // TEST may write its dates otherwise, and by them its times.
    const iso = rows.map(([pressure, day, ...others]) => [pressure!, inIso(day!), ...others]);
    const byDay = pair(rows, "Geprüft");
    const byIsoDay = pair(iso, "Geprüft");
    expect(byIsoDay.source.table.levels).toEqual(byDay.source.table.levels);
    expect([...byIsoDay.source.keys.times!]).toEqual([...byDay.source.keys.times!]);
    expect(byIsoDay.test.warnings.map(({ code }) => code)).toEqual(["DATE_FORM"]);

    // Such a text names no time.
    const path = write(folder, "keys.csv", EXPORT);
    const byTime = readTable({ path, label: null, missingMarkers: null, timeColumn: "Geprüft" }, neverStop);
    expect(byTime.warnings).toContainEqual(
      expect.objectContaining({ code: "ROWS_WITHOUT_KEY", column: "Geprüft", count: 26 }),
    );
  }));
