// `cupel watch`: what shifted, worst first; exit code 5 where something did; nothing to say of a model without counts.
import { beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../engine/input-error.ts";
import { predict } from "../../src/commands/predict.ts";
import { run } from "../../src/commands/run.ts";
import { watch } from "../../src/commands/watch.ts";
import { EXIT } from "../../src/common/exit-codes.ts";
import { testFolder } from "../support/folders.ts";
import { fixtureTable, runOptions, spawnWorker, testConsole } from "../support/in-process.ts";

const MAIN = join(import.meta.dir, "../../src/main.ts");
const EARLIER = join(import.meta.dir, "../fixtures/models/penguins-naive-Bayes.cupel");
const EARLIER_INPUT = join(import.meta.dir, "../fixtures/models/penguins-input.csv");
const folder = testFolder();
let modelPath: string;
/** Every third row of the table is new. */
let header: string[];
let fresh: string[][];

const write = (name: string, rows: readonly (readonly string[])[]) => {
  const path = join(folder, name);
  writeFileSync(path, [header, ...rows].map((row) => `${row.join(",")}\n`).join(""));
  return path;
};

function watched(path: string, model = modelPath, json = false) {
  const console = testConsole();
  const code = watch({ modelPath: model, inputPath: path, hasHeader: true, json }, console);
  return { code, lines: console.printed, notes: console.notes };
}

const changed = (name: string, change: (cell: string, at: number) => string) => {
  const place = header.indexOf(name);
  return fresh.map((row, at) => row.with(place, change(row[place]!, at)));
};

beforeAll(async () => {
  const [first, ...rows] = readFileSync(fixtureTable("credit_g"), "utf8").trim().split("\n");
  header = first!.split(",");
  fresh = rows.filter((_, at) => at % 3 === 0).map((row) => row.split(","));
  const train = write(
    "train.csv",
    rows.filter((_, at) => at % 3 !== 0).map((row) => row.split(",")),
  );
  const console = testConsole();
  await run(runOptions(train, join(folder, "out"), { scalingFactor: 1 }), console, spawnWorker);
  modelPath = join(folder, "out", "model.cupel");
});

describe("cupel watch", () => {
  test("finds nothing in rows of the same table, and judges their labels", () => {
    const { code, lines } = watched(write("same.csv", fresh));
    expect(code).toBe(EXIT.done);
    expect(lines[0]).toBe(`${fresh.length} rows: no column differs from the training rows beyond chance.`);
    expect(lines.join("\n")).toMatch(/Accuracy +\d\d\.\d% \[.*\] on 334 rows with a label; confirmed in training/);
  });

  test("names a column of numbers that has another unit", () => {
    const { code, lines } = watched(
      write(
        "unit.csv",
        changed("duration", (cell) => String(Number(cell) * 30)),
      ),
    );
    expect(code).toBe(EXIT.shifted);
    expect(lines[0]).toBe(`${fresh.length} rows: 1 of 20 columns has shifted.`);
    // The one that the labels tell; without them it would be unknown.
    expect(lines.filter((line) => line.startsWith("Accuracy"))).toHaveLength(1);
    expect(lines[3]).toMatch(
      /^duration .* shifted .*% lie above 72, the highest in training; the middle value is higher: above 72/,
    );
  });

  test("names a column that is constant, and one of new categories", () => {
    const purposes = changed("purpose", (cell, at) => (at % 2 === 0 ? "moon" : cell));
    const place = header.indexOf("age");
    const { code, lines } = watched(
      write(
        "constant.csv",
        purposes.map((row) => row.with(place, "30")),
      ),
    );
    expect(code).toBe(EXIT.shifted);
    expect(lines[0]).toContain("2 of 20 columns have shifted");
    const text = lines.join("\n");
    expect(text).toMatch(/\nage +\d/);
    expect(text).toMatch(/\npurpose .* 50\.0% have a category that was not among the training rows \(training \d/);
  });

  test("says that no row is judged by its label where the model knows none", () => {
    const capital = write(
      "capital.csv",
      changed("class", (cell) => cell.toUpperCase()),
    );
    const { code, lines, notes } = watched(capital);
    const place = header.indexOf("class");
    const message =
      `Of 334 labels the model knows none: they are written like "${fresh[0]![place]!.toUpperCase()}", and it knows ` +
      '"bad", "good". No row is judged by its label. Write labels as the training file does.';
    expect([code, lines.at(-1), notes]).toEqual([EXIT.done, `Labels             ${message}`, []]);
    const told = JSON.parse(watched(capital, modelPath, true).lines.join("\n"));
    expect([told.labelled, told.warnings]).toEqual([
      null,
      [{ code: "UNKNOWN_LABELS", message, column: "class", count: 334 }],
    ]);
  });

  test("counts decisions whose label the model does not know as wrong, and says how many they are", () => {
    const some = write(
      "some.csv",
      changed("class", (cell, at) => (at < 4 ? "unsure" : at < 10 ? "" : cell)),
    );
    const lines = watched(some).lines.join("\n");
    expect(lines).toContain("on 328 rows with a label; confirmed in training");
    expect(lines).toContain('4 rows with a label that the model does not know (it knows "bad", "good"');
    expect(lines).toContain("6 rows without a label so far");
    expect(lines).toContain('Of 328 labels the model does not know 4: they are written like "unsure", and it knows');
  });

  test("prints one JSON object where asked", () => {
    const { code, lines } = watched(
      write(
        "json.csv",
        changed("age", () => ""),
      ),
      modelPath,
      true,
    );
    expect(code).toBe(EXIT.shifted);
    const told = JSON.parse(lines.join("\n"));
    expect(told).toMatchObject({
      shifted: true,
      rowCount: 334,
      trainedRowCount: 666,
      labelled: { labels: ["bad", "good"] },
    });
    expect(told.columns[0]).toMatchObject({ name: "age", verdict: "SHIFTED", missing: { trained: 0, file: 1 } });
    expect(told.outcomes).toMatchObject({ objective: "accuracy", verdict: { state: expect.any(String) } });
    expect(told.labelled.confusion.flat().reduce((sum: number, count: number) => sum + count, 0)).toBe(334);
    expect(told.warnings.map(({ code: own }: { code: string }) => own)).toEqual(["NEW_MISSING"]);
  });

  test("tells of a model of an earlier version that it has no counts", () => {
    const { code, lines } = watched(EARLIER_INPUT, EARLIER);
    expect(code).toBe(EXIT.done);
    expect(lines[0]).toContain("no counts of its training rows");
    expect(lines.join("\n")).toMatch(/Accuracy .* on \d+ rows with a label/);
    expect(lines.join("\n")).not.toContain("verdict");
  });

  test("names the file at fault", () => {
    const damaged = join(folder, "damaged.cupel");
    writeFileSync(damaged, "no model");
    const rows = write("rows.csv", fresh);
    const lacking = join(folder, "lacking.csv");
    writeFileSync(lacking, "a,b\n1,2\n");
    expect(() => watched(rows, damaged)).toThrow(damaged);
    expect(() => watched(lacking)).toThrow(lacking);
  });

  test("refuses a pipe", () => {
    expect(() => watched("-")).toThrow(InputError);
    const command = `cat unit.csv | "${process.execPath}" "${MAIN}" watch "${modelPath}" /dev/stdin`;
    const { exitCode, stderr } = Bun.spawnSync(["sh", "-c", command], { cwd: folder });
    expect([exitCode, stderr.toString()]).toEqual([3, expect.stringContaining("Save it to a file first.")]);
  });

  test("exits with 5 from a shell", () => {
    const { exitCode, stdout } = Bun.spawnSync([process.execPath, MAIN, "watch", modelPath, join(folder, "unit.csv")]);
    expect(exitCode).toBe(5);
    expect(stdout.toString()).toContain("1 of 20 columns has shifted");
  });
});

test("predict warns of columns that shifted, in one line", async () => {
  const console = testConsole();
  const options = {
    modelPath,
    inputPath: join(folder, "unit.csv"),
    outPath: join(folder, "result.csv"),
    badRowsPath: null,
    watchPath: null,
    likeInput: false,
    spreadsheetSafe: false,
  };
  expect(await predict(options, console, spawnWorker)).toBe(EXIT.done);
  const told = console.notes.filter((note) => note.includes("differs from the training rows"));
  expect(told).toEqual([expect.stringContaining('beyond chance, in column "duration"')]);
});

test("a feed ends with the warning that a file of its rows gets", () => {
  const warned = (input: string) => {
    const args = [process.execPath, MAIN, "predict", modelPath, "-"];
    const { exitCode, stderr } = Bun.spawnSync(args, { stdin: new TextEncoder().encode(input) });
    expect(exitCode).toBe(EXIT.done);
    return stderr.toString().includes('differs from the training rows beyond chance, in column "duration"');
  };
  const text = readFileSync(join(folder, "unit.csv"), "utf8");
  expect(warned(text)).toBeTrue();
  // Nine rows are too few to tell.
  expect(warned(text.split("\n").slice(0, 10).join("\n"))).toBeFalse();
  expect(warned(readFileSync(join(folder, "same.csv"), "utf8"))).toBeFalse();
});
