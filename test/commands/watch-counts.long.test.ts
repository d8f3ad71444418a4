// `cupel predict --watch` and `cupel watch --counts`: files and feeds add up day by day, of one model alone.
import { beforeAll, expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../engine/input-error.ts";
import { packModel } from "../../engine/model/model-file.ts";
import type { DayCounts } from "../../engine/outcomes/health.ts";
import { predict } from "../../src/commands/predict.ts";
import { watchCounts } from "../../src/commands/watch-counts.ts";
import { EXIT } from "../../src/common/exit-codes.ts";
import { addToCountsFile, countedModel, readCountsFile } from "../../src/watching/counts-file.ts";
import { testFolder } from "../support/folders.ts";
import { spawnWorker, testConsole } from "../support/in-process.ts";
import { watchedPenguins } from "../support/watched-model.ts";

const MAIN = join(import.meta.dir, "../../src/main.ts");
const INPUT = readFileSync(join(import.meta.dir, "../fixtures/models/penguins-input.csv"), "utf8");
const ROWS = INPUT.trimEnd().split("\n").length - 1;
const MODEL = watchedPenguins();
const folder = testFolder();
let modelPath: string;
let inputPath: string;

beforeAll(() => {
  modelPath = join(folder, "model.cupel");
  inputPath = join(folder, "new.csv");
  writeFileSync(modelPath, packModel(MODEL));
  writeFileSync(inputPath, INPUT);
});
const daysOf = (path: string) => readCountsFile(path, countedModel(modelPath)).days;
const rowsOf = (days: readonly DayCounts[]) => days.reduce((sum, { counts }) => sum + counts.rowCount, 0);
const refused = async (work: () => unknown): Promise<string> => {
  try {
    await work();
  } catch (error) {
    if (error instanceof InputError) return error.code;
    throw error;
  }
  return "not refused";
};

function scored(watchPath: string, outPath: string) {
  const options = { modelPath, inputPath, outPath, watchPath, badRowsPath: null };
  return predict({ ...options, likeInput: false, spreadsheetSafe: false }, testConsole(), spawnWorker);
}

async function fed(watchPath: string, ...more: string[]) {
  const args = [process.execPath, MAIN, "predict", modelPath, "-", "--watch", watchPath, ...more];
  const child = Bun.spawn(args, { stdin: new Blob([INPUT]), stdout: "pipe", stderr: "pipe" });
  const [out, code] = await Promise.all([child.stdout.text(), child.exited]);
  return { out, code };
}

test("files and feeds are added up, and a feed's answers are the same as without", async () => {
  const watchPath = join(folder, "counts.json");
  const outPath = join(folder, "out.csv");
  expect(await scored(watchPath, outPath)).toBe(EXIT.done);
  const [first] = daysOf(watchPath);
  expect([rowsOf([first!]), first!.counts.countedRows]).toEqual([ROWS, ROWS]);
  const { out, code } = await fed(watchPath);
  expect([code, out]).toEqual([EXIT.done, readFileSync(outPath, "utf8")]);
  expect(rowsOf(daysOf(watchPath))).toBe(2 * ROWS);
  expect((await fed(watchPath, "--out", outPath)).code).toBe(EXIT.done);
  const sum = daysOf(watchPath);
  expect(rowsOf(sum)).toBe(3 * ROWS);
  if (sum.length === 1) {
    const times = (counts: readonly number[]) => counts.map((count) => 3 * count);
    expect(sum[0]!.counts.cells).toEqual(first!.counts.cells.map(times));
    expect(sum[0]!.counts.decisions).toEqual(times(first!.counts.decisions));
  }
  expect(readdirSync(folder).filter((name) => name.includes(".part"))).toEqual([]);
});

test("counts of another model, or none at all, are refused before anything is scored", async () => {
  const other = join(folder, "other.cupel");
  writeFileSync(other, packModel({ ...MODEL, label: "kind" }));
  const watchPath = join(folder, "others.json");
  const counts = daysOf(join(folder, "counts.json"))[0]!.counts;
  await addToCountsFile(watchPath, countedModel(other), counts, "2031-05-06");
  const text = readFileSync(watchPath, "utf8");
  const outPath = join(folder, "refused.csv");
  expect(await refused(() => scored(watchPath, outPath))).toBe("OTHER_MODEL");
  expect(await refused(() => scored(modelPath, outPath))).not.toBe("not refused");
  writeFileSync(join(folder, "no.json"), "[1]");
  expect(await refused(() => scored(join(folder, "no.json"), outPath))).toBe("NO_COUNTS");
  writeFileSync(join(folder, "newer.json"), text.replace('"version":1', '"version":2'));
  expect(await refused(() => scored(join(folder, "newer.json"), outPath))).toBe("COUNTS_TOO_NEW");
  writeFileSync(join(folder, "cut.json"), text.replace('"rowCount":', '"rowCount":-'));
  expect(await refused(() => scored(join(folder, "cut.json"), outPath))).toBe("NO_COUNTS");
  expect(readFileSync(watchPath, "utf8")).toBe(text);
  expect(readdirSync(folder)).not.toContain("refused.csv");
  const options = { modelPath, countsPath: join(folder, "missing.json"), json: false };
  expect(await refused(() => watchCounts(options, testConsole()))).toBe("NO_COUNTS");
});

test("are told of over time: steady, shifted, with what to expect", async () => {
  const countsPath = join(folder, "told.json");
  const id = countedModel(modelPath);
  const cell = (counts: readonly number[]) => [...counts, ...new Array<number>(14 - counts.length).fill(0)];
  const dayOf = (isShifted: boolean) => ({
    ...{ rowCount: 280, countedRows: 280, asTrained: true, decisions: [105, 70, 105], reliability: [0, 280, 0] },
    cells: MODEL.columns.map(({ reading }) =>
      reading.kind === "category" ? cell([10, 0, 90, 180]) : cell(isShifted ? [280] : [10, 0, 0, 90, 90, 90]),
    ),
    confidence: { sum: 200, tenths: [0, 0, 0, 0, 35, 35, 70, 70, 35, 35] },
  });
  const now = new Date("2031-05-08T08:00:00.000Z");
  const shown = (json: boolean) => {
    const console = testConsole();
    const code = watchCounts({ modelPath, countsPath, json }, console, now);
    return { code, lines: console.printed };
  };
  await addToCountsFile(countsPath, id, dayOf(false), "2031-05-06");
  const steady = shown(false);
  expect(steady.code).toBe(EXIT.done);
  expect(steady.lines[0]).toStartWith("Steady: the rows of 2031-05-01 to 2031-05-06 do not differ");
  expect(steady.lines.join("\n")).toContain(
    "expected to be right, if the relation of the columns to the label has not changed",
  );
  await addToCountsFile(countsPath, id, dayOf(true), "2031-05-07");
  const shifted = shown(false);
  expect(shifted.code).toBe(EXIT.shifted);
  expect(shifted.lines[0]).toBe(
    "Shifted: in the rows of 2031-05-07, 4 columns have shifted. The model may be worse than its figures say.",
  );
  expect(shifted.lines[4]).toMatch(/^2031-05-07 +280 .* shifted$/);
  const json = JSON.parse(shown(true).lines[0]!);
  expect(json).toMatchObject({ shifted: true, state: "SHIFTED", alarmShare: 0.5, falseAlarmsPerMonth: 0.01 });
  await addToCountsFile(countsPath, id, dayOf(false), "2031-05-08");
  // Today goes on, so the day before says the state.
  expect(shown(false).code).toBe(EXIT.shifted);
});
