// The reader for Java gives the engine's codes, labels and probabilities, with any JDK from 11 on.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unpackModel } from "../../../engine/model/model-file.ts";
import { UNSPACED_LETTER } from "../../../engine/unspaced.ts";
import { exportedFiles } from "../../../src/exporting/targets.ts";
import { writeFolder } from "../../../src/exporting/write-export.ts";
import { expectSameAnswers, MODELS, PENGUINS, runIn, testProgram } from "../../support/reader-program.ts";
import { writeReaderChecks } from "../../support/reader-rows.ts";
import { describeWithTools } from "../../support/tools.ts";
import { CHECKED_FILES } from "../../support/unreadable-files.ts";
import { VECTORS } from "../../support/vectors.ts";

const SOURCE = join(import.meta.dir, "../../../src/readers/CupelModel.java");

describeWithTools("the reader for Java", { needed: ["javac"] }, () => {
  const folder = mkdtempSync(join(tmpdir(), "cupel-java-"));
  const checks = writeReaderChecks(join(folder, "checks"), true);
  const reader = (...words: readonly string[]) => runIn(folder, ["java", "-cp", folder, "CupelModel", ...words]);

  beforeAll(() => {
    const { err, code } = runIn(folder, [
      ...["javac", "-encoding", "US-ASCII", "-Xlint:all", "-Werror", "--release", "11", "-d", folder, SOURCE],
    ]);
    expect([err, code]).toEqual(["", 0]);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each(checks)("answers as the engine: $name", ({ modelPath, checkPaths }) =>
    expectSameAnswers(reader, modelPath, checkPaths),
  );

  testProgram(folder, checks, reader, {
    newer: "This Cupel model has format 99; this reader reads up to 8.",
    damaged: "This Cupel model is damaged: its checksum does not match.",
    cut: "This Cupel model is damaged: it ends too early.",
    spoiledPart: "its parts do not fit together",
  });

  test("scores a CSV file as `cupel predict` does, straight from its source", () => {
    const { out, code } = runIn(folder, [
      ...["java", SOURCE, PENGUINS, join(MODELS, "penguins-input.csv"), "--out", "out.csv"],
    ]);
    expect([out, code]).toEqual(["", 0]);
    const scored = readFileSync(join(MODELS, "penguins-random-forest.csv"), "utf8");
    expect(readFileSync(join(folder, "out.csv"), "utf8")).toBe(scored);
    const again = reader(PENGUINS, join(MODELS, "penguins-input.csv"), "--out", "out.csv");
    expect([again.code, again.err]).toEqual([3, "The file out.csv exists. Name another one, or remove it.\n"]);
  });

  test("says what is wrong with a file, and leaves nothing half-written", () => {
    const header = "island,bill_length_mm,bill_depth_mm,flipper_length_mm,body_mass_g,sex";
    const files: [string, string][] = [
      ["island,sex\nBiscoe,male\n", "The file lacks 4 of the 6 columns"],
      [`${header}\nBiscoe,1\n`, "Line 2 has 2 cells; the header has 6."],
      [`${header}\nBiscoe,1,2,3,4,"male\n`, "The quote in the record of line 2 is never closed."],
      ["", "The file is empty."],
    ];
    for (const [text, message] of files) {
      writeFileSync(join(folder, "bad.csv"), text);
      const { err, code } = reader(PENGUINS, "bad.csv", "--out", "never.csv");
      expect([err, code]).toEqual([expect.stringContaining(message), 3]);
      expect(readdirSync(folder).filter((name) => name.startsWith("never"))).toEqual([]);
    }
    expect(reader(PENGUINS, "none.csv")).toEqual({ out: "", err: "There is no file none.csv.\n", code: 3 });
  });

  test.each(CHECKED_FILES)("refuses a file that is not written as the model reads it: $name", (file) => {
    writeFileSync(join(folder, "checked.csv"), file.csv);
    const { err, code } = reader(file.modelPath, "checked.csv", "--out", "unread.csv");
    expect([err, code]).toEqual(file.refusal === null ? ["", 0] : [file.refusal, 3]);
    expect(existsSync(join(folder, "unread.csv"))).toBe(file.refusal === null);
    rmSync(join(folder, "unread.csv"), { force: true });
  });

  test("an exported folder is checked and used as its README says", async () => {
    const bytes = readFileSync(join(VECTORS, "stack-texts.cupel"));
    const out = join(folder, "exported");
    await writeFolder(
      out,
      await exportedFiles("java", { name: "model", bytes, file: unpackModel(bytes) }, {}, "exported"),
    );
    expect(readdirSync(out).sort()).toEqual(["CupelModel.java", "README.txt", "check.json", "model.cupel"]);
    const [first] = readFileSync(join(out, "README.txt"), "utf8").split(/ {3,}/);
    const { out: said, err, code } = runIn(out, first!.split(" "));
    expect([said, err, code]).toEqual([expect.stringContaining("The same answers: 24 rows"), "", 0]);
  });

  test("scores typed rows from many threads at once", () => {
    writeFileSync(join(folder, "Threads.java"), THREADS);
    expect(runIn(folder, ["javac", "-cp", folder, "-d", folder, "Threads.java"]).err).toBe("");
    const { out, err } = runIn(folder, ["java", "-cp", folder, "Threads", PENGUINS]);
    expect([out, err]).toEqual(["same\n", ""]);
  });
});

/** Typed values, the same as text cells, and the same again on four threads. */
const THREADS = `
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;

public class Threads {
  public static void main(String[] words) throws Exception {
    CupelModel model = CupelModel.load(Path.of(words[0]));
    String[][] cells = new String[500][];
    for (int i = 0; i < cells.length; i++)
      cells[i] = new String[] {i % 3 == 0 ? "Biscoe" : "Dream", i % 7 == 0 ? "" : 30 + i / 20.0 + "", "17.5", 170 + i % 60 + "", "4000", "male"};
    double[][] alone = Arrays.stream(cells).map(row -> model.score(row).probabilities).toArray(double[][]::new);
    boolean isSame = IntStream.range(0, 4 * cells.length).parallel().allMatch(at -> {
      String[] row = cells[at % cells.length];
      Map<String, Object> typed = new HashMap<>();
      for (int i = 0; i < row.length; i++)
        typed.put(model.columns().get(i), row[i].isEmpty() ? null : i == 0 || i == 5 ? row[i] : (Object) Double.valueOf(row[i]));
      return Arrays.equals(model.score(typed).probabilities, alone[at % cells.length])
          && Arrays.equals(model.score(row).probabilities, alone[at % cells.length]);
    });
    System.out.println(isSame ? "same" : "other");
  }
}
`;

/**
 * The ranges in the source, and those that this runtime's Unicode has: the reader and the engine must cut words alike.
 */
test("the reader for Java knows the same scripts without spaces and pictures as the engine", () => {
  const tables = [...readFileSync(SOURCE, "utf8").matchAll(/ranges\(\s*((?:"[0-9a-f -]*"[\s+]*)+)\)/g)].map(
    ([, text]) =>
      text!
        .replaceAll(/["+\n]/g, "")
        .replaceAll(/ +/g, " ")
        .trim(),
  );
  expect(tables).toEqual([rangesOf(`^${UNSPACED_LETTER}$`), rangesOf("^\\p{Extended_Pictographic}$")]);
});

function rangesOf(source: string): string {
  const pattern = new RegExp(source, "v");
  const ranges: [number, number][] = [];
  for (let point = 0; point < 0x110000; point++) {
    if ((point >= 0xd800 && point < 0xe000) || !pattern.test(String.fromCodePoint(point))) continue;
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === point - 1) last[1] = point;
    else ranges.push([point, point]);
  }
  const hex = (point: number) => point.toString(16);
  return ranges.map(([first, last]) => (first === last ? hex(first) : `${hex(first)}-${hex(last)}`)).join(" ");
}
