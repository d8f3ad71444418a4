// TRAIN and TEST read together: TRAIN as if alone, TEST by TRAIN's columns, and every word says which file it is about.
import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Encoding } from "../../../engine/csv/types.ts";
import { formatRecord } from "../../../engine/csv/write.ts";
import { Random, shuffle } from "../../../engine/random.ts";
import { Cancelled, neverStop } from "../../../engine/stop-signal.ts";
import type { Warning } from "../../../engine/warning.ts";
import { type PairAnswer, readPair } from "../../../workers/reading/read-pair.ts";
import { readTable } from "../../../workers/reading/read-table.ts";
import { writeReduced } from "../../../workers/write-reduced.ts";
import { encode, read } from "../../engine/csv/reading.ts";
import { withFolder } from "../../support/folders.ts";
import { fixtureTable } from "../../support/in-process.ts";

type Content = string | Uint8Array;

/** Reads the two contents from files in a fresh folder. */
function pairOf(train: Content, test: Content, label: string | null = null): Promise<PairAnswer> {
  return withFolder(async (folder) => {
    const trainPath = join(folder, "learn.csv");
    const testPath = join(folder, "blind.csv");
    writeFileSync(trainPath, train);
    writeFileSync(testPath, test);
    return readPair({ trainPath, testPath, label, missingMarkers: null }, neverStop);
  });
}

const summary = (warnings: readonly Warning[]) =>
  warnings.map(({ code, column, line, count }) => [code, column, line, count]);

const lines = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => `${line(at)}\n`).join("");
const TRAIN = `size,colour,y\n${lines(40, (at) => `${at % 20}.5,${["red", "blue"][at % 2]},${["no", "yes"][at % 2]}`)}`;
const TEST = `size,colour,y\n${lines(12, (at) => `${at}.5,red,${["no", "yes"][at % 2]}`)}`;

describe("a pair", () => {
  test("of one table in two forms has the same levels twice", async () => {
    const { header, records } = read(new Uint8Array(readFileSync(fixtureTable("credit_g"))));
    const columns = Uint32Array.from(header!.names.keys());
    shuffle(columns, new Random(7));
    const order = Uint32Array.from(records.keys());
    shuffle(order, new Random(8));
    const dialect = { delimiter: "\t", lineEnding: "\r\n" };
    const turned = [header!.names, ...Array.from(order, (row) => records[row]!)].map((cells) =>
      formatRecord(
        Array.from(columns, (column) => ` ${cells[column]!}`),
        dialect,
      ),
    );
    const trainBytes = readFileSync(fixtureTable("credit_g"));
    const answer = await pairOf(trainBytes, encode(turned.join(""), "utf-16be"));
    const alone = readTable({ path: fixtureTable("credit_g"), label: null, missingMarkers: null }, neverStop);
    const { table } = answer.source;
    const { rowCount } = alone.table;
    expect(answer.trainRowCount).toBe(rowCount);
    expect(table.rowCount).toBe(2 * rowCount);
    expect(table.features).toEqual(alone.table.features);
    for (const [at, levels] of [...alone.table.levels, alone.table.classes].entries()) {
      const joint = [...table.levels, table.classes][at]!;
      expect([...joint]).toEqual([...levels, ...Array.from(order, (row) => levels[row]!)]);
    }
    expect(summary(answer.test.warnings)).toEqual([["COLUMN_ORDER", undefined, undefined, undefined]]);
    expect(answer.test).toMatchObject({ rowCount, recordCount: rowCount });
  });

  test("of which TEST writes its numbers otherwise has the levels of the same numbers", async () => {
    const same = await pairOf(TRAIN, TEST);
    const other = await pairOf(TRAIN, TEST.replaceAll(",", ";").replaceAll(".", ","));
    expect(other.source.table.levels).toEqual(same.source.table.levels);
    expect(summary(other.test.warnings)).toEqual([["NUMBER_FORM", undefined, undefined, 1]]);
    const back = await pairOf(TRAIN.replaceAll(",", ";").replaceAll(".", ","), TEST);
    expect(back.source.table.levels).toEqual(same.source.table.levels);
    const words = TEST.replaceAll(/^\d+\.5/gm, "large");
    await expect(pairOf(TRAIN, words)).rejects.toThrow(/^TEST file "blind.csv": 12 of the 12 values in column "size"/);
  });

  test("has the same levels where points mark thousands in both files, or in TEST alone", async () => {
    const table = (count: number, amount: (at: number) => string) =>
      `price;amount;y\n${lines(count, (at) => `${at},5;${amount(at)};${["no", "yes"][at % 2]}`)}`;
    const grouped = table(12, (at) => `${1 + at}.000`);
    const plain = table(12, (at) => `${1 + at}000`);
    for (const train of [table(40, (at) => `${1 + (at % 20)}.000`), table(40, (at) => String(1 + (at % 20)))]) {
      const [same, other] = [await pairOf(train, plain), await pairOf(train, grouped)];
      expect(other.source.table.levels).toEqual(same.source.table.levels);
    }
  });

  test("without headers is that of the files with them", async () => {
    const named = await pairOf(TRAIN, TEST);
    const nameless = await withFolder(async (folder) => {
      const [trainPath, testPath] = [join(folder, "learn.csv"), join(folder, "blind.csv")];
      writeFileSync(trainPath, TRAIN.slice(TRAIN.indexOf("\n") + 1));
      writeFileSync(testPath, TEST.slice(TEST.indexOf("\n") + 1));
      const request = { trainPath, testPath, label: "column_3", missingMarkers: null, hasHeader: false };
      const outputPath = join(folder, "reduced.csv");
      writeReduced(
        { inputPath: testPath, outputPath, keptColumns: ["column_2"], label: "column_3", hasHeader: false },
        neverStop,
      );
      expect(readFileSync(outputPath, "utf8").split("\n").slice(0, 2)).toEqual(["column_2,column_3", "red,no"]);
      return readPair(request, neverStop);
    });
    expect(nameless.source.columns.map(({ name }) => name)).toEqual(["column_1", "column_2", "column_3"]);
    expect(nameless.source.table.levels).toEqual(named.source.table.levels);
    expect(nameless.source.table.classes).toEqual(named.source.table.classes);
    expect([nameless.trainRowCount, nameless.test.rowCount]).toEqual([40, 12]);
  });

  test("tells of TRAIN what reading it alone tells, whatever TEST holds", () =>
    withFolder(async (folder) => {
      const path = join(folder, "learn.csv");
      writeFileSync(path, TRAIN);
      const { table: _alone, ...alone } = readTable({ path, label: null, missingMarkers: null }, neverStop);
      const { source, sizeBytes, test } = await pairOf(TRAIN, TEST);
      const { table: _joint, ...told } = source;
      expect(told).toEqual(alone);
      expect(sizeBytes).toBe(TRAIN.length + TEST.length);
      expect(test).toMatchObject({
        sizeBytes: TEST.length,
        sha256: new Bun.CryptoHasher("sha256").update(TEST).digest("hex"),
      });
    }));

  test("takes the hashes that are known, and those alone that are not", () =>
    withFolder(async (folder) => {
      const path = join(folder, "learn.csv");
      writeFileSync(path, TRAIN);
      const own = new Bun.CryptoHasher("sha256").update(TRAIN).digest("hex");
      const common = { label: null, missingMarkers: null };
      expect(readTable({ path, ...common }, neverStop).sha256).toBe(own);
      expect(readTable({ path, ...common, sha256: "known" }, neverStop).sha256).toBe("known");
      const hashes = { train: "of TRAIN", test: "of TEST" };
      const { source, test } = readPair({ trainPath: path, testPath: path, ...common, hashes }, neverStop);
      expect([source.sha256, test.sha256]).toEqual(["of TRAIN", "of TEST"]);
    }));

  test("may have a TEST larger than TRAIN", async () => {
    const large = `y,colour,size\n${lines(30_000, (at) => `${["no", "yes"][at % 2]},blue,${at % 7}.5`)}`;
    const { source, trainRowCount, test } = await pairOf(TRAIN, large);
    expect([trainRowCount, test.rowCount, source.table.rowCount]).toEqual([40, 30_000, 30_040]);
    expect(source.classCounts).toEqual([20, 20]);
  });

  test("knows the identifiers that are running numbers", async () => {
    const row = (at: number) => `${at},${at === 59 ? "NA" : `k${at}`},0${100 + at},${at % 3},${["a", "b"][at % 2]}`;
    const content = `id,key,code,x,y\n${lines(60, row)}`;
    const { source } = await pairOf(content, content);
    expect(source.columns.map(({ name, kind, isInteger }) => [name, kind, isInteger])).toEqual([
      ["id", "identifier", true],
      ["key", "identifier", false],
      ["code", "identifier", true],
      ["x", "number", true],
      ["y", "category", false],
    ]);
  });

  test("warns of each file under its name", async () => {
    const train = TRAIN.replace("\n1.5,", "\n\n1.5,");
    const test = `size,more,colour,y\n${lines(10, (at) => `${at}.5,,red,no`)}1,,green,yes\nbig,,red,maybe\n3,,,\nbig,,red,yes\n`;
    const { source, test: read } = await pairOf(train, test);
    expect(summary(source.warnings)).toEqual([["BLANK_LINES", undefined, 3, 1]]);
    expect(source.warnings[0]!.message).toBe(
      'TRAIN file "learn.csv": One blank line was skipped, the first at line 3.',
    );
    expect(summary(read.warnings)).toEqual([
      ["EXTRA_COLUMNS", "more", undefined, 1],
      ["ROWS_WITHOUT_LABEL", "y", 14, 1],
      ["UNKNOWN_LABEL", "y", 13, 1],
      ["NOT_READ", "size", 15, 1],
      ["UNSEEN_CATEGORY", "colour", 12, 1],
    ]);
    for (const { message } of read.warnings) expect(message).toStartWith('TEST file "blind.csv": ');
    expect([read.rowCount, read.recordCount]).toEqual([12, 14]);
  });
});

describe("a pair is refused", () => {
  const refusals: [string, string, string, object, string][] = [
    [
      "where TRAIN holds one class",
      TRAIN.replaceAll("yes", "no"),
      TEST,
      { code: "ONE_CLASS" },
      'TRAIN file "learn.csv": ',
    ],
    [
      "where TRAIN has few rows",
      `${TRAIN.split("\n", 8).join("\n")}\n`,
      TEST,
      { code: "TOO_FEW_ROWS" },
      'TRAIN file "learn.csv": The table has 7 rows',
    ],
    ["where TEST is empty", TRAIN, "", { code: "EMPTY_FILE" }, 'TEST file "blind.csv": The file is empty.'],
    [
      "where TEST lacks a column, though the rest of it is broken",
      TRAIN,
      TEST.replace("colour", "Color").replace("3.5,red,", "3.5,red,more,"),
      { code: "COLUMN_MISMATCH", column: "colour", line: 1 },
      'TEST file "blind.csv": It lacks a column of TRAIN: "colour" (it has "Color"). Add the column or correct its name.',
    ],
    [
      "where TEST lacks the label",
      TRAIN,
      "size,colour\n1,red\n",
      { code: "COLUMN_MISMATCH", column: "y" },
      'TEST file "blind.csv": It lacks a column of TRAIN: "y".',
    ],
    [
      "where TEST is broken",
      TRAIN,
      TEST.replace("3.5,red,", "3.5,"),
      { code: "CELL_COUNT", line: 5 },
      'TEST file "blind.csv": Line 5',
    ],
    [
      "where TEST has other labels",
      TRAIN,
      TEST.replaceAll("no", "0").replaceAll("yes", "1"),
      { code: "TOO_FEW_ROWS", column: "y", line: 2 },
      'TEST file "blind.csv": Only 0 rows have a label that TRAIN has; at least 10 are needed. 12 with another label',
    ],
    [
      "where TEST has few rows",
      TRAIN,
      `${TEST.split("\n", 8).join("\n")}\n`,
      { code: "TOO_FEW_ROWS" },
      'TEST file "blind.csv": Only 7 rows have',
    ],
  ];
  test.each(refusals)("%s", async (_, train, test, error, message) => {
    const refused = pairOf(train, test);
    await expect(refused).rejects.toMatchObject({ name: "InputError", ...error });
    await expect(refused).rejects.toThrow(message);
  });

  test("where there is no such label, or no such file", async () => {
    await expect(pairOf(TRAIN, TEST, "Y")).rejects.toThrow('TRAIN file "learn.csv": The file has no column "Y"');
    const request = {
      trainPath: fixtureTable("churn"),
      testPath: "/nowhere/blind.csv",
      label: null,
      missingMarkers: null,
    };
    expect(() => readPair(request, neverStop)).toThrow(
      expect.objectContaining({
        code: "FILE_NOT_FOUND",
        message: 'TEST file "blind.csv": There is no file "/nowhere/blind.csv".',
      }),
    );
  });

  test("where it was cancelled", () => {
    const path = fixtureTable("penguins");
    const stop = { cancelled: () => true, timeIsUp: () => false };
    expect(() => readPair({ trainPath: path, testPath: path, label: null, missingMarkers: null }, stop)).toThrow(
      Cancelled,
    );
  });
});

describe("headers that the reader settles on late", () => {
  const late = (count: number) =>
    `size,y,\n${lines(count, (at) => `${at % 9}.5,${["no", "yes"][at % 2]},${at > 15 ? ["p", "q"][at % 2] : ""}`)}`;

  test("with text behind the last delimiter, in both files or in one", async () => {
    const both = await pairOf(late(40), late(30), "y");
    expect(both.source.columns.map(({ name }) => name)).toEqual(["size", "y", "column_3"]);
    expect(both.test.rowCount).toBe(30);
    const levels = both.source.table.levels.map((own) => [...own]);
    for (const own of levels) expect(own.slice(40)).toEqual(own.slice(0, 30));
    await expect(pairOf(late(40), late(15), "y")).rejects.toMatchObject({
      code: "COLUMN_MISMATCH",
      column: "column_3",
    });
    const extra = await pairOf(late(15), late(40), "y");
    expect(summary(extra.test.warnings)).toContainEqual(["EXTRA_COLUMNS", "column_3", undefined, 1]);
  });

  test.each<[Encoding, Encoding]>([
    ["windows-1252", "utf-8"],
    ["utf-8", "windows-1252"],
    ["windows-1252", "windows-1252"],
  ])("with names beyond ASCII in %s and %s", async (trainEncoding, testEncoding) => {
    // The first é-like pair is valid UTF-8 in windows-1252 too; the lone one behind it is not.
    const content = `sizeÃ©,coloré,y\n${lines(40, (at) => `${at % 9}.5,${["bleu", "doré"][at % 2]},${["no", "yes"][at % 2]}`)}`;
    const { source, test } = await pairOf(encode(content, trainEncoding), encode(content, testEncoding));
    expect(source.columns.map(({ name }) => name)).toEqual(["sizeÃ©", "coloré", "y"]);
    for (const own of source.table.levels) expect([...own.subarray(40)]).toEqual([...own.subarray(0, 40)]);
    expect(test.warnings.map(({ code }) => code)).toEqual(testEncoding === "utf-8" ? [] : ["WINDOWS_1252"]);
  });
});
