// The reader for Java gives the engine's codes, labels and probabilities, with any JDK from 11 on.
import { beforeAll, expect, test } from "bun:test";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packModel, unpackModel } from "../../../engine/model/model-file.ts";
import { UNSPACED_LETTER } from "../../../engine/unspaced.ts";
import { exportedFiles } from "../../../src/exporting/targets.ts";
import { writeFolder } from "../../../src/exporting/write-export.ts";
import { testFolder } from "../../support/folders.ts";
import { runProgramNow } from "../../support/programs.ts";
import { expectSameAnswers, MODELS, PENGUINS, testProgram } from "../../support/reader-program.ts";
import { writeReaderChecks } from "../../support/reader-rows.ts";
import { timesModel } from "../../support/times-model.ts";
import { describeWithTools, examplesIn } from "../../support/tools.ts";
import { CHECKED_FILES } from "../../support/unreadable-files.ts";
import { answersOf, VECTORS } from "../../support/vectors.ts";

const SOURCE = join(import.meta.dir, "../../../src/readers/CupelModel.java");

describeWithTools("the reader for Java", { needed: ["javac"] }, () => {
  const folder = testFolder();
  const checks = writeReaderChecks(join(folder, "checks"), true);
  const reader = (...words: readonly string[]) =>
    runProgramNow(["java", "-cp", folder, "CupelModel", ...words], { folder });

  beforeAll(() => {
    const { err, code } = runProgramNow(
      [...["javac", "-encoding", "US-ASCII", "-Xlint:all", "-Werror", "--release", "11", "-d", folder, SOURCE]],
      { folder },
    );
    expect([err, code]).toEqual(["", 0]);
  });

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
    const { out, code } = runProgramNow(
      [...["java", SOURCE, PENGUINS, join(MODELS, "penguins-input.csv"), "--out", "out.csv"]],
      { folder },
    );
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
    const { out: said, err, code } = runProgramNow(first!.split(" "), { folder: out });
    expect([said, err, code]).toEqual([expect.stringContaining("The same answers: 24 rows"), "", 0]);
  });

  test("scores typed rows from many threads at once", () => {
    writeFileSync(join(folder, "Threads.java"), THREADS);
    expect(runProgramNow(["javac", "-cp", folder, "-d", folder, "Threads.java"], { folder }).err).toBe("");
    const { out, err } = runProgramNow(["java", "-cp", folder, "Threads", PENGUINS], { folder });
    expect([out, err]).toEqual(["same\n", ""]);
  });

  test("the example of the docs scores, in a package too", () => {
    const [example] = examplesIn("docs/exports.md", "java", "CupelModel.load") as [string];
    const own = join(folder, "own");
    mkdirSync(own);
    writeFileSync(join(own, "CupelModel.java"), `package org.example;\n${readFileSync(SOURCE, "utf8")}`);
    const imports = "package org.example;\nimport java.nio.file.Path;\nimport java.util.*;\n";
    const main = `public static void main(String[] words) throws Exception {\n${example}\n}`;
    writeFileSync(join(own, "Example.java"), `${imports}public class Example { ${main} }\n`);
    copyFileSync(PENGUINS, join(own, "model.cupel"));
    expect(runProgramNow(["javac", "-d", ".", "CupelModel.java", "Example.java"], { folder: own }).err).toBe("");
    const { out, err } = runProgramNow(["java", "-cp", ".", "org.example.Example"], { folder: own });
    const file = unpackModel(readFileSync(PENGUINS));
    const { labels, probabilities } = answersOf(file, [["Biscoe", "46.1", "", "211", "4500", "female"]]);
    const shares = probabilities[0]!;
    const [label, confidence, ...found] = out.trim().split(/[ [\],]+/);
    expect([label, err]).toEqual([labels[0], ""]);
    expect([confidence, ...found.slice(0, -1)].map(Number)).toEqual([Math.max(...shares), ...shares]);
  });

  test("takes Java's own dates and times as their texts, and refuses what no column takes", () => {
    writeFileSync(join(folder, "times.cupel"), packModel(timesModel()));
    writeFileSync(join(folder, "Times.java"), TIMES);
    expect(runProgramNow(["javac", "-cp", folder, "-d", folder, "Times.java"], { folder }).err).toBe("");
    const { out, err } = runProgramNow(["java", "-Duser.timezone=America/New_York", "-cp", folder, "Times"], {
      folder,
    });
    expect([out.trim().split("\n"), err]).toEqual([
      [
        "same",
        'Column "day" holds dates and takes no LocalTime. Give a text as in a file.',
        'Column "start" holds numbers and takes no LocalDate. Give a text as in a file.',
        'Column "took" holds numbers and takes no Optional. Give a text as in a file.',
      ],
      "",
    ]);
  });
});

/** The answers for Java's own values, and for texts as the training file has them. */
const TIMES = `
import java.nio.file.Path;
import java.time.*;
import java.util.*;

public class Times {
  static CupelModel model;

  static CupelModel.Score score(Object day, Object start, Object took) {
    Map<String, Object> row = new HashMap<>();
    row.put("day", day);
    row.put("start", start);
    row.put("took", took);
    return model.score(row);
  }

  public static void main(String[] words) throws Exception {
    model = CupelModel.load(Path.of("times.cupel"));
    Random draws = new Random(5);
    Set<Double> found = new HashSet<>();
    boolean isSame = true;
    for (int i = 0; i < 400; i++) {
      LocalDateTime at = LocalDateTime.of(2019 + draws.nextInt(6), 1 + draws.nextInt(12), 1 + draws.nextInt(28), draws.nextInt(24), draws.nextInt(60));
      LocalTime start = LocalTime.of(draws.nextInt(24), draws.nextInt(60));
      Duration took = Duration.ofSeconds(draws.nextInt(20000));
      String text = String.format("%02d.%02d.%d %d:%02d", at.getDayOfMonth(), at.getMonthValue(), at.getYear(), at.getHour(), at.getMinute());
      long seconds = took.getSeconds();
      double[] expected = score(text, start.getHour() + String.format(":%02d", start.getMinute()),
          String.format("%d:%02d:%02d", seconds / 3600, seconds / 60 % 60, seconds % 60)).probabilities;
      double[] ofDay = score(text.split(" ")[0], null, null).probabilities;
      found.add(expected[0]);
      Date date = Date.from(at.atZone(ZoneId.systemDefault()).toInstant());
      Object[] moments = {at, at.atZone(ZoneId.of("Europe/Paris")), at.atOffset(ZoneOffset.ofHours(5)), at.toInstant(ZoneOffset.UTC),
          java.sql.Timestamp.valueOf(at), at.plusNanos(5)};
      for (Object moment : moments) isSame &= Arrays.equals(score(moment, start, took).probabilities, expected);
      isSame &= Arrays.equals(score(at, Duration.ofMinutes(start.toSecondOfDay() / 60), took).probabilities, expected);
      // In the hour that summer time skips no Date is.
      if (date.toInstant().atZone(ZoneId.systemDefault()).toLocalDateTime().equals(at))
        isSame &= Arrays.equals(score(date, start, took).probabilities, expected);
      for (Object day : new Object[] {at.toLocalDate(), java.sql.Date.valueOf(at.toLocalDate())})
        isSame &= Arrays.equals(score(day, null, null).probabilities, ofDay);
    }
    System.out.println(isSame && found.size() > 20 ? "same" : "other");
    Object[][] rows = {{LocalTime.NOON, null, null}, {null, LocalDate.MIN, null}, {null, null, Optional.of(1)}};
    for (Object[] row : rows)
      try {
        score(row[0], row[1], row[2]);
      } catch (CupelModel.ReadException error) {
        System.out.println(error.getMessage());
      }
  }
}
`;

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
