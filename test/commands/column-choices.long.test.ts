// Kinds and missing texts that are chosen for columns, through the command line, run, readPair and predictions.
import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { unpackModel } from "../../engine/model/model-file.ts";
import { neverStop } from "../../engine/stop-signal.ts";
import { run } from "../../src/commands/run.ts";
import { columnChoicesOf, readColumnText } from "../../src/common/column-choices.ts";
import { readWhole } from "../../workers/reading/file-chunks.ts";
import { readPair } from "../../workers/reading/read-pair.ts";
import { scoreRows } from "../../workers/scoring/live-scoring.ts";
import { ModelCache } from "../../workers/scoring/model-cache.ts";
import { scoreFile } from "../../workers/scoring/score-file.ts";
import { withFolder } from "../support/folders.ts";
import { runOptions, spawnWorker, testConsole } from "../support/in-process.ts";
import { runProgram } from "../support/programs.ts";
import { FROM_SOURCE } from "../support/server.ts";

const HEADER = "code,age,city=a,flag,note,answer";
const CHOICES = [
  { name: "code", kind: "number" as const },
  { name: "age", missingTexts: ["-999", "unknown"] },
  { name: "city=a", missingTexts: ["none given"] },
  { name: "note", kind: "text" as const, missingTexts: ["nothing to say"] },
];
const OPTIONS = [
  ...["--kind", "code=number", "--kind", "note=text", "--missing-in", "age=-999", "--missing-in", "age=unknown"],
  ...["--missing-in", "city=a=none given", "--missing-in", "note=nothing to say"],
];
const MEANT = new Set(CHOICES.flatMap(({ missingTexts = [] }) => missingTexts));

function rowsOf(count: number): string[][] {
  return Array.from({ length: count }, (_, at) => {
    const city = ["rome", "oslo", "none given"][(at * 7) % 3]!;
    const age = at % 9 === 2 ? "-999" : at % 11 === 4 ? "unknown" : String(18 + ((at * 37) % 61));
    const note = ["good red car", "bad blue boat", "nothing to say", "old green bike"][(at * 5) % 4]!;
    return [String(at + 1), age, city, String(at % 2), note, (city === "rome") !== (at % 13 === 0) ? "yes" : "no"];
  });
}

const csv = (rows: readonly (readonly string[])[]) =>
  `${[HEADER, ...rows.map((cells) => cells.join(","))].join("\n")}\n`;
const emptied = (rows: readonly string[][]) => rows.map((cells) => cells.map((cell) => (MEANT.has(cell) ? "" : cell)));

function write(folder: string, name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const cupel = (...args: string[]) => runProgram([...FROM_SOURCE, ...args]);

describe("the options", () => {
  test("of inspect show the table as it will be read, and refuse what cannot be", () =>
    withFolder(async (folder) => {
      const path = write(folder, "table.csv", csv(rowsOf(300)));
      const chosen = await cupel("inspect", path, "--json", ...OPTIONS);
      expect(chosen.code).toBe(0);
      const { columns } = JSON.parse(chosen.out);
      expect(columns.map(({ kind }: { kind: string }) => kind)).toEqual([
        ...["number", "number", "category", "category", "text", "category"],
      ]);
      expect(columns.map(({ missingTexts }: { missingTexts?: string[] }) => missingTexts ?? null)).toEqual([
        ...[null, ["-999", "unknown"], ["none given"], null, ["nothing to say"], null],
      ]);
      const refused = await cupel("inspect", path, "--kind", "note=number");
      expect(refused.code).toBe(3);
      expect(refused.err).toContain('Column "note" cannot be read as numbers: 300 cells hold something else');
      expect(refused.err).toContain("the first in line 2");
      const unknown = await cupel("inspect", path, "--kind", "agee=number");
      expect(unknown).toMatchObject({ code: 3, err: expect.stringContaining('Did you mean "age"?') });
      const wrong = await cupel("inspect", path, "--kind", "age=integer");
      expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining("one of number, date, category, text") });
    }));

  test("are one choice for each column; names may hold an equals sign", () => {
    const texts = ["a=b=x", "c=", "a=b=y"].map((text) => readColumnText(text)!);
    const kinds = ["c=number", "c=date"].map((text) => readColumnText(text)!);
    expect(columnChoicesOf(kinds, texts)).toEqual([
      { name: "c", kind: "date", missingTexts: [] },
      { name: "a=b", missingTexts: ["x", "y"] },
    ]);
    expect(["=x", "x", ""].map(readColumnText)).toEqual([null, null, null]);
  });
});

test("a model is what it is with empty cells in place of the missing texts, and reads files and rows so", async () => {
  await withFolder(async (folder) => {
    const rows = rowsOf(300);
    const paths = { as: write(folder, "as.csv", csv(rows)), empty: write(folder, "empty.csv", csv(emptied(rows))) };
    const kinds = CHOICES.map(({ name, kind }) => ({ name, ...(kind && { kind }), missingTexts: [] }));
    const train = async (trainPath: string, columnChoices: typeof kinds, out: string) => {
      const outFolder = join(folder, out);
      const options = runOptions(trainPath, outFolder, { columnChoices, refine: false, scalingFactor: 1 });
      expect(await run(options, testConsole(), spawnWorker)).toBe(0);
      return join(outFolder, "model.cupel");
    };
    const chosen = await train(paths.as, CHOICES as typeof kinds, "chosen");
    const expected = await train(paths.empty, kinds, "expected");
    const model = unpackModel(readWhole(chosen));
    const other = unpackModel(readWhole(expected));
    expect(model.features).toEqual(other.features);
    expect(model.model).toEqual(other.model);
    expect(model.columns.map(({ name, reading }) => [name, reading.missingTexts])).toEqual(
      other.columns.map(({ name }) => [name, CHOICES.find((choice) => choice.name === name)?.missingTexts]),
    );

    const scored = (path: string, name: string) => {
      const outputPath = join(folder, name);
      scoreFile(
        { modelPath: chosen, inputPath: path, outputPath, likeInput: false, spreadsheetSafe: false },
        neverStop,
      );
      return readWhole(outputPath)
        .toString()
        .split("\n")
        .map((line) => line.split(",").slice(6).join(","));
    };
    const answers = scored(paths.as, "as-scored.csv");
    expect(answers).toEqual(scored(paths.empty, "empty-scored.csv"));
    const names = HEADER.split(",");
    const asRows = rows.slice(0, 40).map((cells) => Object.fromEntries(cells.map((cell, at) => [names[at]!, cell])));
    const emptyRows = asRows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, MEANT.has(cell) ? "" : cell])),
    );
    const live = scoreRows(new ModelCache(), chosen, asRows);
    expect(live.scores).toEqual(scoreRows(new ModelCache(), chosen, emptyRows).scores);
    expect(live.warnings.map(({ code }) => code)).not.toContain("UNSEEN_CATEGORY");
  });
}, 120_000);

test("a second file is read as the first one was chosen to be", () =>
  withFolder(async (folder) => {
    const [train, test] = [rowsOf(200), rowsOf(330).slice(200)];
    const pair = (own: (rows: string[][]) => string[][], columnChoices: readonly object[]) => {
      const trainPath = write(folder, "train.csv", csv(own(train)));
      const testPath = write(folder, "test.csv", csv(own(test)));
      const request = { trainPath, testPath, label: null, missingMarkers: null };
      return readPair({ ...request, columnChoices: columnChoices as typeof CHOICES }, neverStop).source.table;
    };
    const kinds = CHOICES.map(({ name, kind }) => ({ name, ...(kind && { kind }), missingTexts: [] }));
    expect(pair((rows) => rows, CHOICES)).toEqual(pair(emptied, kinds));
  }));
