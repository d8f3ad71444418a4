// Differences of two columns in other programs: ONNX and the databases give the engine's answers, second by second
// and on both sides of each cut point.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type DateForm, rewriteDate, YEAR_FIRST } from "../../../engine/columns/dates.ts";
import { answeredRows, checkFile } from "../../../engine/export/check-file.ts";
import { inputValues, modelInputs } from "../../../engine/export/onnx/inputs.ts";
import { onnxModel } from "../../../engine/export/onnx/onnx-model.ts";
import { sqlOf } from "../../../engine/export/sql/sql-model.ts";
import type { BaseSettings } from "../../../engine/families/base-algorithms.ts";
import { isDifference, type ModelFile } from "../../../engine/model/model-file.ts";
import { Random } from "../../../engine/random.ts";
import { amountOf } from "../../../engine/scoring/difference-coder.ts";
import { readCsvText } from "../../support/csv-table.ts";
import { scoreOnnx, withOnnx } from "../../support/onnx.ts";
import {
  type Answers,
  answersIn,
  DATABASES,
  type Database,
  RUN_DIALECTS,
  type RunDialect,
  tableOfCells,
} from "../../support/sql-tables.ts";
import { FOREST, fileOf } from "../../support/text-models.ts";
import { ODD_TEXTS } from "../../support/vector-tables.ts";
import { drawRows } from "../../support/vectors.ts";

const TABLES: BaseSettings = { algorithm: "naive Bayes", variant: "plain", smoothing: 1 };
const WORST = 1e-9;
const SECOND = 1000;

type Rows = readonly (readonly string[])[];

const isoOf = (time: number) => new Date(time).toISOString().slice(0, 19).replace("T", " ");

/**
 * Orders with their delivery, and two sensors that nearly agree: late where a delivery took more than 66 hours, or else
 * the sensors are far apart. Some cells are missing, some dates have no time.
 */
function csvOf(form: DateForm): string {
  const random = new Random(3);
  const dateCell = (time: number) => {
    if (random.nextBelow(40) === 0) return "";
    const text = isoOf(time);
    return rewriteDate(random.nextBelow(30) === 0 ? text.slice(0, 10) : text, YEAR_FIRST, form)!;
  };
  const lines = Array.from({ length: 900 }, () => {
    const start = Date.UTC(2019, random.nextBelow(48), 1 + random.nextBelow(28)) + random.nextBelow(86_400) * SECOND;
    const seconds = random.nextBelow(300_000);
    const before = 1000 * random.nextFloat();
    const apart = random.nextFloat() - 0.5;
    const isLate = seconds > 240_000 !== apart > 0.2;
    const number = (value: number) => (random.nextBelow(40) === 0 ? "" : value.toFixed(3));
    return [
      ...[dateCell(start), dateCell(start + seconds * SECOND), number(before), number(before + apart)],
      isLate ? "late" : "in time",
    ].join(",");
  });
  return `ordered,delivered,before,after,label\n${lines.join("\n")}\n`;
}

const forms: Readonly<Record<string, DateForm>> = {
  "year first": YEAR_FIRST,
  "day first": { order: "dmy" },
  "seconds since 1970": { order: "unix" },
};
const fitted = Object.entries(forms).map(([name, form]) => ({ name, file: fileOf(readCsvText(csvOf(form)), FOREST) }));
const [{ file: plain }] = fitted as [(typeof fitted)[number]];
const stacked = fileOf(readCsvText(csvOf(YEAR_FIRST)), FOREST, TABLES);

async function onnxAnswers(file: ModelFile, rows: Rows): Promise<Answers> {
  return withOnnx(onnxModel(file, { ml: 2, sha256: "0".repeat(64) }), async (session) => {
    const { labels, probabilities } = await scoreOnnx(session, inputValues(file, rows), () => false);
    const count = file.labels.length;
    return {
      labels: [...labels],
      probabilities: rows.map((_, row) => [...probabilities.subarray(row * count, (row + 1) * count)]),
    };
  });
}

function expectSame(found: Answers, file: ModelFile, rows: Rows): void {
  const expected = answeredRows(file, rows);
  for (const [row, shares] of expected.probabilities.entries()) {
    const worst = Math.max(...shares.map((share, k) => Math.abs(share - found.probabilities[row]![k]!)));
    expect([rows[row], worst < WORST, found.labels[row]]).toEqual([rows[row], true, expected.labels[row]]);
  }
}

test("the tables' models read the difference of their dates, and of their numbers", () => {
  for (const file of [...fitted.map(({ file: each }) => each), stacked]) {
    const names = file.columns.map(({ name }) => name);
    const differences = file.features
      .filter(isDifference)
      .map(({ column, minus }) => `${names[column]} - ${names[minus]}`);
    expect(differences.toSorted()).toEqual(["after - before", "delivered - ordered"]);
  }
});

describe.each(["onnx", ...RUN_DIALECTS] as const)("%s", (target) => {
  let database: Database | null = null;
  beforeAll(async () => {
    if (target !== "onnx") database = await DATABASES[target]();
  });
  afterAll(() => database?.close());

  let tableCount = 0;
  async function score(file: ModelFile, rows: Rows, mostCaseNodes?: number): Promise<Answers> {
    if (target === "onnx") return onnxAnswers(file, rows);
    const table = `drawn ${tableCount++}`;
    await database!.run(tableOfCells(file, rows, target, table));
    const options = { dialect: target, table, ...(mostCaseNodes !== undefined && { mostCaseNodes }) };
    return answersIn(await database!.run(sqlOf(file, options)));
  }

  test.each([...fitted, { name: "a stack", file: stacked }])("$name", async ({ file }) => {
    const drawn = [...checkFile(file).rows, ...drawRows(file, ODD_TEXTS, 120)];
    // SQL does not read the year 0.
    const rows = target === "onnx" ? drawn : drawn.filter((row) => !row.some((cell) => cell.startsWith("0000-")));
    expect(new Set(answeredRows(file, rows).labels).size).toBe(2);
    expectSame(await score(file, rows), file, rows);
    if (target !== "onnx") expectSame(await score(file, rows, 0), file, rows);
  });

  test("every second, leap days, leap seconds and days without a time", async () => {
    const cut = plain.features.filter(isDifference).find(({ column }) => plain.columns[column]!.name === "delivered")!
      .cutPoints[3]!;
    const starts = ["2020-02-28 23:59:59", "2021-02-28 12:00:01", "1900-02-27", "2000-02-28 01:02:03", "0001-03-01"];
    const near = starts.flatMap((start) =>
      [-1, 0, 1, 2].map((more) => {
        const end = new Date(`${start.replace(" ", "T")}${start.length > 10 ? "Z" : "T00:00:00Z"}`).getTime();
        return [start, isoOf(end + (Math.floor(cut) + more) * SECOND), "500", "500.25"];
      }),
    );
    const odd = [
      ["2020-05-01 10:00:60", "2020-05-03 02:00:00.999"],
      ["2020-05-01 10:00:00.25", "2020-05-03 02:00:00,5"],
      ["2020-05-01 10:00+05:00", "2020-05-03T02:00:01Z"],
      ["2020-05", "2020-05-02"],
      ["9999-12-31 23:59:59", "0001-01-01"],
      ["", "2020-05-02"],
      ["2020-05-02", ""],
    ].map((dates) => [...dates, "500", "500.25"]);
    expectSame(await score(plain, [...near, ...odd]), plain, [...near, ...odd]);
    expect(new Set(answeredRows(plain, near).probabilities.map(String)).size).toBeGreaterThan(1);
  });

  test("a marker of either number is missing, and so is what has no difference", async () => {
    const marked = { ...plain, missingMarkers: ["-999", "500"] };
    const rows = ["-999", "500", "500.1", "", "1e999", "-1e999"].flatMap((before) =>
      ["-999", "500", "500.4", "", "1e999"].map((after) => ["2020-05-01 10:00", "2020-05-02 10:00", before, after]),
    );
    if (target === "onnx") {
      expectSame(await score(marked, rows), marked, rows);
      const values = { ...inputValues(marked, rows), before: rows.map(() => -999) };
      const ofMarkers = await withOnnx(onnxModel(marked, { ml: 2, sha256: "0".repeat(64) }), (session) =>
        scoreOnnx(session, values, () => false),
      );
      const missing = answeredRows(
        marked,
        rows.map((row) => row.with(2, "")),
      ).probabilities;
      expect([...ofMarkers.probabilities]).toEqual(missing.flat());
      return;
    }
    await database!.run('CREATE TABLE marked (id INT, ordered TEXT, delivered TEXT, "before" FLOAT8, "after" FLOAT8)');
    // MySQL has no infinite numbers.
    const isNull = (cell: string) => cell === "" || (target === "mysql" && cell.endsWith("1e999"));
    const number = (cell: string) => (isNull(cell) ? "NULL" : `'${cell.replace("1e999", "Infinity")}'`);
    const values = rows.map(([from, to, before, after], row) =>
      [row, `'${from}'`, `'${to}'`, number(before!), number(after!)].join(", "),
    );
    await database!.run(`INSERT INTO marked VALUES ${values.map((value) => `(${value})`).join(", ")}`);
    const found = answersIn(await database!.run(sqlOf(marked, { dialect: target, table: "marked" })));
    expectSame(found, marked, rows);
    expect(new Set(found.probabilities.map(String)).size).toBeGreaterThan(2);
  });
});

describe.each(RUN_DIALECTS)("%s", (dialect: RunDialect) => {
  let database: Database;
  beforeAll(async () => {
    database = await DATABASES[dialect]();
  });
  afterAll(() => database.close());

  test.each(["DATE", "TIMESTAMP", "TIMESTAMP(0)"])("columns of the type %s", async (type) => {
    const random = new Random(7);
    const rows = Array.from({ length: 60 }, () => {
      const start = Date.UTC(2020, random.nextBelow(30), 1 + random.nextBelow(28)) + random.nextBelow(86_400) * SECOND;
      const texts = [start, start + random.nextBelow(300_000) * SECOND].map(isoOf);
      return [...texts.map((text) => (type === "DATE" ? text.slice(0, 10) : text)), "500.5", "500.6"];
    });
    const values = rows.map(([from, to, ...numbers], row) => `(${row}, '${from}', '${to}', ${numbers.join(", ")})`);
    await database.run(
      `CREATE TABLE "in ${type}" (id INT, ordered ${type}, delivered ${type}, "before" FLOAT8, "after" FLOAT8)`,
    );
    await database.run(`INSERT INTO "in ${type}" VALUES ${values.join(", ")}`);
    expectSame(answersIn(await database.run(sqlOf(plain, { dialect, table: `in ${type}` }))), plain, rows);
    expect(new Set(answeredRows(plain, rows).labels).size).toBe(2);
  });
});

test("an ONNX file has one input of seconds for each date, and the numbers themselves", () => {
  const names = modelInputs(plain).map(({ name }) => name);
  expect(names.filter((name) => name.endsWith(".seconds"))).toEqual(["ordered.seconds", "delivered.seconds"]);
  expect(names.filter((name) => /^(before|after)/.test(name))).toEqual(["before", "after"]);
  const values = inputValues(plain, [
    ["1970-01-02 00:00:01.9", "2020-05-01", "1", "2"],
    ["soon", "", "", ""],
  ]);
  expect([values["ordered.seconds"], values["delivered.seconds"]]).toEqual([
    [86_401, null],
    [Date.UTC(2020, 4, 1) / SECOND, null],
  ]);
  const text = Buffer.concat(onnxModel(plain, { ml: 2, sha256: "0".repeat(64) })).toString("latin1");
  expect(text).toContain('"name":"ordered.seconds","column":"ordered","kind":"number","part":"seconds"');
});

test("an ONNX file has the inputs of a difference whose columns have no features of their own", async () => {
  const features = plain.features.filter(isDifference);
  const codeCounts = features.map(({ codeCount }) => codeCount);
  const tables = codeCounts.map((count) => Float64Array.from({ length: count }, (_, code) => code % 7));
  const file: ModelFile = {
    ...plain,
    features,
    model: { kind: "additive", classCount: 2, outputCount: 1, intercepts: Float64Array.of(-4), tables },
  };
  expect(modelInputs(file).map(({ name }) => name)).toEqual([
    "ordered.seconds",
    "delivered.seconds",
    "before",
    "after",
  ]);
  const { rows } = checkFile(file);
  expectSame(await onnxAnswers(file, rows), file, rows);
});

test.each(fitted)("check rows stand on both sides of the cut points: $name", ({ file }) => {
  const { rows } = checkFile(file);
  for (const { column, minus, cutPoints } of file.features.filter(isDifference)) {
    const amountIn = (row: readonly string[], at: number) => amountOf(row[at]!, file.columns[at]!.reading);
    const found = rows.map((row) => amountIn(row, column) - amountIn(row, minus));
    const within = file.columns[column]!.reading.kind === "date" ? 1 : 1e-9;
    const near = found.flatMap((value) => [...cutPoints].filter((cut) => Math.abs(value - cut) <= within));
    expect(new Set(near).size).toBeGreaterThan(3);
    expect(found.some((value) => cutPoints.some((cut) => value > cut && value - cut <= within))).toBe(true);
    expect(found.some((value) => cutPoints.some((cut) => value <= cut && cut - value <= within))).toBe(true);
  }
});
