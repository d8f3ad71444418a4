// The reader for C gives the engine's codes, labels and probabilities; it allocates
// nothing, and damaged files make it read nowhere else.
import { beforeAll, expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "../../../engine/arrays/crc32.ts";
import { unpackModel } from "../../../engine/model/model-file.ts";
import { MOST_ARRAY_BYTES } from "../../../src/exporting/c.ts";
import { exportedFiles } from "../../../src/exporting/targets.ts";
import { writeFolder } from "../../../src/exporting/write-export.ts";
import { testFolder } from "../../support/folders.ts";
import { runProgramNow } from "../../support/programs.ts";
import { expectSameAnswers, MODELS, PENGUINS, testProgram } from "../../support/reader-program.ts";
import { writeReaderChecks } from "../../support/reader-rows.ts";
import { describeWithTools, examplesIn } from "../../support/tools.ts";
import { CHECKED_FILES } from "../../support/unreadable-files.ts";
import { answersOf, VECTORS } from "../../support/vectors.ts";

const SOURCE = join(import.meta.dir, "../../../src/readers/cupel.c");
const FUZZ = join(import.meta.dir, "../../support/cupel_fuzz.c");
const STRICT = ["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Wshadow", "-Wconversion", "-Werror"];
/** Any step outside a block, and any behaviour that C leaves undefined, ends the program. */
const SANITIZED = [...STRICT, "-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
const FUZZ_RUNS = 1500;
// Memory that main leaves to the end of the program is no leak.
const run = (folder: string, ...command: readonly string[]) =>
  runProgramNow(command, { folder, environment: { ASAN_OPTIONS: "detect_leaks=0" } });

describeWithTools("the reader for C", { needed: ["gcc", "nm"] }, () => {
  const folder = testFolder();
  const checks = writeReaderChecks(join(folder, "checks"), false);
  const build = (...words: readonly string[]) =>
    expect(run(folder, "gcc", ...words)).toEqual({ out: "", err: "", code: 0 });
  const reader = (...words: readonly string[]) => run(folder, "./reader", ...words);

  beforeAll(() => build(...SANITIZED, "-DCUPEL_MAIN", SOURCE, "-o", "reader", "-lm"));

  test.each(checks.filter(({ readsTexts }) => !readsTexts))("answers as the engine: $name", (own) =>
    expectSameAnswers(reader, own.modelPath, own.checkPaths),
  );

  test.each(checks.filter(({ readsTexts }) => readsTexts))("refuses a model that reads texts: $name", (own) => {
    const { err, code } = reader(own.modelPath, "--check", own.checkPaths[0]!);
    expect([err, code]).toEqual([
      expect.stringContaining("reads free text, which this reader does not. Use the reader for"),
      3,
    ]);
  });

  testProgram(folder, checks, reader, {
    newer: "This Cupel model has a newer format",
    damaged: "This Cupel model is damaged",
    cut: "This Cupel model is damaged",
    spoiledPart: "This Cupel model is damaged",
    others: [[withoutJson(), "This Cupel model is damaged"]],
  });

  test("scores a CSV file as `cupel predict` does", () => {
    const { out, err, code } = reader(PENGUINS, join(MODELS, "penguins-input.csv"));
    expect([out, err, code]).toEqual([readFileSync(join(MODELS, "penguins-random-forest.csv"), "utf8"), "", 0]);
  });

  test("says what is wrong with a file", () => {
    const header = "island,bill_length_mm,bill_depth_mm,flipper_length_mm,body_mass_g,sex";
    const ofIsland = (...bytes: number[]) =>
      Buffer.concat([Buffer.from(`${header}\n`), Buffer.from(bytes), Buffer.from(",1,2,3,4,male\n")]);
    const notUtf8 = "bad.csv is not UTF-8. Save it as UTF-8.";
    const files: [string | Buffer, string][] = [
      [ofIsland(0x46, 0xfc, 0x72), notUtf8],
      [ofIsland(0xc3), notUtf8],
      [ofIsland(0xc0, 0x80), notUtf8],
      [ofIsland(0xed, 0xa0, 0x80), notUtf8],
      [ofIsland(0xf5, 0x80, 0x80, 0x80), notUtf8],
      [Buffer.concat([Buffer.from(header), Buffer.from([0xe4, 0x0a])]), notUtf8],
      [Buffer.from(`\ufeff${header}\n`, "utf16le"), notUtf8],
      [Buffer.from(`${header}\n`, "utf16le"), "bad.csv is not UTF-8: it may be UTF-16. Save it as UTF-8."],
      ["island,sex\nBiscoe,male\n", 'The file lacks column "bill_length_mm"'],
      [`${header}\nBiscoe,1\n`, "Line 2: it has another number of cells than the header."],
      [`${header}\nBiscoe,1,2,3,4,"male\n`, "Line 2: the quote of this record is never closed."],
      ["", "The file is empty."],
    ];
    for (const [text, message] of files) {
      writeFileSync(join(folder, "bad.csv"), text);
      const { err, code } = reader(PENGUINS, "bad.csv");
      expect([err, code]).toEqual([expect.stringContaining(message), 3]);
    }
  });

  test.each(CHECKED_FILES)("refuses a file that is not written as the model reads it: $name", (file) => {
    writeFileSync(join(folder, "checked.csv"), file.csv);
    const { err, code } = reader(file.modelPath, "checked.csv");
    expect([err, code]).toEqual(file.refusal === null ? ["", 0] : [file.refusal, 3]);
  });

  const exported = async (name: string, path = join(VECTORS, `${name}.cupel`)) => {
    const bytes = readFileSync(path);
    const out = join(folder, name);
    await writeFolder(out, await exportedFiles("c", { name, bytes, file: unpackModel(bytes) }, {}, name));
    return out;
  };

  test("an exported folder is built and checked as its README says", async () => {
    const out = await exported("stack-two-classes");
    expect(readdirSync(out).sort()).toEqual(
      ["README.txt", "check.json", "cupel.c", "cupel.h", "model.c", "model.cupel", "model.h"].sort(),
    );
    const lines = readFileSync(join(out, "README.txt"), "utf8").split("\n");
    expect(run(out, "sh", "-c", lines[0]!)).toEqual({ out: "", err: "", code: 0 });
    const { out: said, code } = run(out, "sh", "-c", lines[1]!.split("   ")[0]!);
    expect([said, code]).toEqual([
      expect.stringMatching(/The same answers: 24 rows.*\n.*takes \d+ bytes of memory/),
      0,
    ]);
  });

  test("the example of the docs scores with the model as an array", async () => {
    const out = await exported("penguins", PENGUINS);
    const [example] = examplesIn("docs/exports.md", "c", "cupel_load") as [string];
    writeFileSync(join(out, "main.c"), example);
    expect(run(out, "gcc", ...SANITIZED, "main.c", "model.c", "cupel.c", "-o", "main", "-lm")).toEqual({
      out: "",
      err: "",
      code: 0,
    });
    const file = unpackModel(readFileSync(join(out, "model.cupel")));
    const cells = new Map([
      ["island", "Biscoe"],
      ["body_mass_g", "4500"],
    ]);
    const answers = answersOf(file, [file.columns.map(({ name }) => cells.get(name) ?? "")]);
    const share = Math.max(...answers.probabilities[0]!);
    expect(run(out, "./main")).toEqual({
      out: `${answers.labels[0]} ${Number(share.toPrecision(6))}\n`,
      err: "",
      code: 0,
    });
  });

  test("a large model comes without the array", async () => {
    const bytes = readFileSync(join(VECTORS, "forest-two-classes.cupel"));
    const large = { name: "large", bytes: new Uint8Array(MOST_ARRAY_BYTES + 1), file: unpackModel(bytes) };
    const files = await exportedFiles("c", large, {}, "large");
    expect(files.map(({ name }) => name)).toEqual(["cupel.c", "cupel.h", "model.cupel", "README.txt", "check.json"]);
    expect(files.find(({ name }) => name === "README.txt")!.content).not.toContain("model.c ");
  });

  test("allocates nothing, and keeps nothing outside the memory that it is given", () => {
    build(...STRICT, "-O2", "-c", SOURCE, "-o", "reader.o");
    const symbols = run(folder, "nm", "reader.o")
      .out.trim()
      .split("\n")
      .map((line) => line.trim().split(/\s+/).slice(-2));
    const needed = symbols.filter(([kind]) => kind === "U").map(([, name]) => name!);
    expect(
      needed.filter((name) => /alloc|free|sort|open|read|write|printf$/.test(name) && name !== "snprintf"),
    ).toEqual([]);
    // Constants may lie in a writable section only where the loader moves them.
    expect(symbols.filter(([kind]) => /^[BbDCc]$/.test(kind!))).toEqual([]);
  });

  test("damaged models are refused, or they score, and nothing is read elsewhere", () => {
    build(...SANITIZED, FUZZ, "-o", "fuzz", "-lm");
    for (const { modelPath } of checks.filter(({ readsTexts }) => !readsTexts)) {
      const { out, err, code } = run(folder, "./fuzz", modelPath, String(FUZZ_RUNS), "5");
      expect([err, code]).toEqual(["", 0]);
      const [refused, scored] = out.match(/\d+/g)!.map(Number);
      expect(Math.min(refused!, scored!)).toBeGreaterThan(0);
    }
  });
});

/** The checksum is right, and the JSON is none. */
function withoutJson(): Buffer {
  const wrong = Buffer.from(readFileSync(join(VECTORS, "forest-two-classes.cupel")));
  wrong[16] = 65;
  wrong.writeUInt32LE(crc32(wrong.subarray(0, -4)), wrong.length - 4);
  return wrong;
}
