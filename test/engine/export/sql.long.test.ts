// Models as SQL, run by DuckDB, PostgreSQL, SQLite and MariaDB: the same labels and probabilities as the engine's.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { answeredRows } from "../../../engine/export/check-file.ts";
import type { DialectName } from "../../../engine/export/sql/dialects.ts";
import { sqlOf } from "../../../engine/export/sql/sql-model.ts";
import { InputError } from "../../../engine/input-error.ts";
import { type ModelFile, unpackModel } from "../../../engine/model/model-file.ts";
import { readCsvText } from "../../support/csv-table.ts";
import {
  DATABASES,
  type Database,
  RUN_DIALECTS,
  type RunDialect,
  type SqlRow,
  tableOfCells,
} from "../../support/sql-tables.ts";
import { FOREST, fileOf } from "../../support/text-models.ts";
import { examplesIn } from "../../support/tools.ts";
import { VECTORS, type VectorAnswers } from "../../support/vectors.ts";

const NAMES = readdirSync(VECTORS)
  .filter((name) => name.endsWith(".cupel"))
  .map((name) => name.slice(0, -6));
const READS_TEXT = /texts|terms/;
/** Databases whose casts stop at a text that is no number, and which have truth values. */
const STRICT: readonly RunDialect[] = ["duckdb", "postgres"];

const modelOf = (name: string) => unpackModel(readFileSync(join(VECTORS, `${name}.cupel`)));
const answersOf = (name: string): VectorAnswers => JSON.parse(readFileSync(join(VECTORS, `${name}.json`), "utf8"));

describe.each(RUN_DIALECTS)("%s", (dialect: RunDialect) => {
  let database: Database;
  beforeAll(async () => {
    database = await DATABASES[dialect]();
  });
  afterAll(() => database.close());

  test.each(NAMES.filter((name) => !READS_TEXT.test(name)))("%s", async (name) => {
    const file = modelOf(name);
    const { rows, labels, probabilities } = answersOf(name);
    await database.run(tableOfCells(file, rows, dialect, name));
    const answers = await database.run(sqlOf(file, { dialect, table: name }));
    expect(answers).toHaveLength(rows.length);
    for (const answer of answers) {
      const row = answer["id"] as number;
      const shares = sharesOf(answer);
      const worst = Math.max(...shares.map((share, k) => Math.abs(share - probabilities[row]![k]!)));
      expect([row, worst < 1e-9, answer["prediction"]]).toEqual([row, true, labels[row]]);
      expect(answer["confidence"]).toBe(shares[file.labels.indexOf(labels[row]!)]);
    }
  });

  const withTrees = NAMES.filter((name) => /forest-|trees|stack/.test(name) && !READS_TEXT.test(name));
  test.each(withTrees)("%s, its trees walked through tables, twice", async (name) => {
    const { rows, labels, probabilities } = answersOf(name);
    const file = modelOf(name);
    await database.run(tableOfCells(file, rows, dialect, `walked ${name}`));
    const sql = sqlOf(file, { dialect, table: `walked ${name}`, mostCaseNodes: 0 });
    await database.run(sql);
    const answers = await database.run(sql);
    expect(answers.map((answer) => answer["id"])).toEqual(rows.map((_, row) => row));
    for (const answer of answers) {
      const row = answer["id"] as number;
      expectClose(sharesOf(answer), probabilities[row]!);
      expect(answer["prediction"]).toBe(labels[row]!);
    }
  });

  test("names and texts are never read as SQL", async () => {
    const evil = `a"b'c\\'; DROP TABLE kept; --\n/* \`x\` */ \u2028 {$1} :p ? \t\u0001`;
    const file = modelOf("forest-two-classes");
    const { rows, probabilities } = answersOf("forest-two-classes");
    const names = file.features.map((feature) => (feature.kind === "category" ? [...feature.names] : []));
    const hostile: ModelFile = {
      ...file,
      label: evil,
      labels: [evil, "'); SELECT 1; --"],
      missingMarkers: [...file.missingMarkers, "');--"],
      columns: file.columns.map((column, at) => ({ ...column, name: `${evil} ${at}` })),
      features: file.features.map((feature, at) =>
        feature.kind === "category" ? { ...feature, names: names[at]!.map((name) => `${evil}${name}`) } : feature,
      ),
    };
    const isCategory = file.columns.map(({ reading }) => reading.kind === "category");
    const known = new Set(names.flat());
    const cells = rows.map((row) =>
      row.map((cell, at) => (isCategory[at] && known.has(cell.trim()) ? `${evil}${cell.trim()}` : cell)),
    );
    const table = `rows "of" '1'; --`;
    await database.run("CREATE TABLE kept (id INT)");
    await database.run(tableOfCells(hostile, cells, dialect, table));
    const expected = answeredRows(hostile, cells);
    const answers = await database.run(sqlOf(hostile, { dialect, table }));
    expect(await database.run("SELECT * FROM kept")).toEqual([]);
    for (const answer of answers) {
      const row = answer["id"] as number;
      expect(answer["prediction"]).toBe(expected.labels[row]!);
      expectClose(sharesOf(answer), expected.probabilities[row]!);
    }
    expect(answers).toHaveLength(probabilities.length);
  });

  test("names are folded as the database folds them", async () => {
    const long = "How satisfied are you with the time that your last order took";
    const bases = ["dup", "Straße", "İx", long, `${long}é`, `${"ü".repeat(31)}a`];
    const names = bases.flatMap((base) => [base, base.toLowerCase(), base.toUpperCase(), `${base}1`, `${base}23`]);
    const file = fileOf(readCsvText(`a,b,label\n${"1,2,x\n2,3,y\n3,4,x\n".repeat(20)}`), FOREST);
    for (const first of names) {
      for (const second of names) {
        const columns = [first, second].map((name) => `"${name}" INT`).join(", ");
        const isTwo = await database.run(`CREATE TABLE folded (${columns})`).then(
          () => true,
          () => false,
        );
        if (isTwo) await database.run("DROP TABLE folded");
        const named = {
          ...file,
          columns: file.columns.map((column, at) => ({ ...column, name: [first, second][at]! })),
        };
        expect([first, second, isTwo]).toEqual([first, second, !isRefused(named, dialect)]);
      }
    }
  });

  test("times since 1970 are read from numbers and timestamps", async () => {
    const second = (row: number) => 1_600_000_000 + 77_777 * row;
    const lines = Array.from({ length: 300 }, (_, row) => `${second(row)},${(row * 7) % 11},${second(row) % 3}`);
    const file = fileOf(readCsvText(`when,size,label\n${lines.join("\n")}\n`), FOREST);
    expect(file.columns[0]!.reading).toEqual({ kind: "date", form: { order: "unix" } });
    const times = Array.from({ length: 20 }, (_, row) => 1_600_000_500 + 1_000_003 * row);
    const rows = [...times, 999_999_999, 2 ** 31 + 1].map((time, row) => [String(time), String(row % 11)]);
    const expected = answeredRows(file, rows);
    const isoOf = (time: string) => new Date(1000 * Number(time)).toISOString().slice(0, 19).replace("T", " ");
    const tables: [string, (time: string) => string, number][] = [
      ["BIGINT", (time) => time, rows.length],
      ["DOUBLE PRECISION", (time) => `${time}.25`, times.length],
      ["NUMERIC(20, 3)", (time) => `${time}123`, times.length],
      ["TIMESTAMP", (time) => `'${isoOf(time)}'`, times.length],
    ];
    for (const [type, write, count] of tables) {
      const values = rows.slice(0, count).map(([when, size], row) => `(${row}, ${write(when!)}, ${size})`);
      await database.run(`CREATE TABLE "since ${type}" (id INT, "when" ${type}, size DOUBLE PRECISION)`);
      await database.run(`INSERT INTO "since ${type}" VALUES ${values.join(", ")}`);
      const answers = await database.run(sqlOf(file, { dialect, table: `since ${type}` }));
      expect(answers).toHaveLength(count);
      for (const answer of answers) {
        const row = answer["id"] as number;
        expect([type, row, answer["prediction"]]).toEqual([type, row, expected.labels[row]!]);
        expectClose(sharesOf(answer), expected.probabilities[row]!);
      }
    }
  });

  test("days of eight digits are read from numbers and dates", async () => {
    const day = (row: number) => new Date(1000 * (1_600_000_000 + 86_400 * row)).toISOString().slice(0, 10);
    const lines = Array.from(
      { length: 300 },
      (_, row) => `${day(row).replaceAll("-", "")},${(row * 7) % 11},${row % 3}`,
    );
    const file = fileOf(readCsvText(`when,size,label\n${lines.join("\n")}\n`), FOREST);
    expect(file.columns[0]!.reading).toEqual({ kind: "date", form: { order: "ymd" } });
    const rows = Array.from({ length: 20 }, (_, row) => [day(13 * row).replaceAll("-", ""), String(row % 11)]);
    const expected = answeredRows(file, rows);
    const tables: [string, (cell: string) => string][] = [
      ["INT", (cell) => cell],
      ["DOUBLE PRECISION", (cell) => cell],
      ["DATE", (cell) => `'${cell.slice(0, 4)}-${cell.slice(4, 6)}-${cell.slice(6)}'`],
    ];
    for (const [type, write] of tables) {
      const values = rows.map(([when, size], row) => `(${row}, ${write(when!)}, ${size})`);
      await database.run(`CREATE TABLE "days ${type}" (id INT, "when" ${type}, size DOUBLE PRECISION)`);
      await database.run(`INSERT INTO "days ${type}" VALUES ${values.join(", ")}`);
      for (const answer of await database.run(sqlOf(file, { dialect, table: `days ${type}` }))) {
        const row = answer["id"] as number;
        expect([type, row, answer["prediction"]]).toEqual([type, row, expected.labels[row]!]);
        expectClose(sharesOf(answer), expected.probabilities[row]!);
      }
    }
  });

  test("dates have no hour, timestamps have one, and numbers that mean missing are", async () => {
    const day = (row: number) => `20${10 + (row % 9)}-0${1 + (row % 8)}-1${row % 7}`;
    const lines = Array.from({ length: 120 }, (_, row) => {
      const time = row % 3 === 0 ? "" : ` ${10 + (row % 12)}:00`;
      return `${day(row)}${time},${(row * 7) % 11},${row % 3 === 0 || row % 5 === 1 ? "yes" : "no"}`;
    });
    const file = fileOf(readCsvText(`when,size,label\n${lines.join("\n")}\n`), FOREST);
    const marked = { ...file, missingMarkers: ["5"] };
    for (const type of ["DATE", "TIMESTAMP"]) {
      const time = type === "DATE" ? "" : " 13:00:00";
      const rows = Array.from({ length: 20 }, (_, row) => [`${day(row)}${time}`, String(row % 11)]);
      const values = rows.map(([when, size], row) => `(${row}, '${when}', ${size})`).join(", ");
      await database.run(`CREATE TABLE "in ${type}" (id INT, "when" ${type}, size DOUBLE PRECISION)`);
      await database.run(`INSERT INTO "in ${type}" VALUES ${values}`);
      const expected = answeredRows(marked, rows);
      const answers = await database.run(sqlOf(marked, { dialect, table: `in ${type}` }));
      for (const answer of answers) {
        expectClose(sharesOf(answer), expected.probabilities[answer["id"] as number]!);
      }
      expect(new Set(expected.probabilities.map(String)).size).toBeGreaterThan(5);
    }
  });

  test("texts are dates where they are ISO dates that the engine reads, and missing otherwise", async () => {
    const lines = Array.from({ length: 200 }, (_, row) => {
      const day = `20${10 + (row % 9)}-0${1 + (row % 8)}-${10 + (row % 17)}`;
      const cell = row % 5 === 0 ? "" : row % 2 === 0 ? `${day} ${10 + (row % 12)}:00` : day;
      const age = row % 9 < 4 ? "old" : "new";
      return `${cell},${(row * 7) % 11},${row % 5 === 0 ? "none" : cell.length > 10 ? "time" : age}`;
    });
    const file = fileOf(readCsvText(`when,size,label\n${lines.join("\n")}\n`), FOREST);
    // The engine reads them too, but a database has few dates that are no ISO texts.
    const otherDates = ["2021/02/08", "2021-2-8", "2021-Feb-08", "2014-02-08 20:15 PM"];
    const cells = [
      ...["", " ", "NA", "now", "infinity", "2021", "02/08/2021", "20210208", "20210229", ...otherDates, "x2021-02-08"],
      ...[
        "2021-02-29",
        "2020-02-29",
        "1900-02-29",
        "2000-02-29",
        "2021-04-31",
        "2021-13-01",
        "2021-00-10",
        "0001-01-01",
      ],
      ...[" 2014-02-28\t", "2014-02-08T10:15Z", "2014-02-08 20:15:00+02", "2014-02-08 24:00", "2014-02-08 20:59:60"],
      ...["2014-02-08T20:15:30,5", "2014-02-08 20", "9999-12-31", "10000-01-01", "2014-12-31"],
      ...["2014-05", " 2018-08", "2014-13", "1799-05", "2100-05", "2014-5"],
    ];
    const rows = cells.map((cell, row) => [cell, String(row % 11)]);
    await database.run('CREATE TABLE "dates as texts" (id INT, "when" TEXT, size DOUBLE PRECISION)');
    const values = rows.map(([when, size], row) => `(${row}, '${when}', ${size})`).join(", ");
    await database.run(`INSERT INTO "dates as texts" VALUES ${values}`);
    const expected = answeredRows(
      file,
      rows.map(([when = "", size = ""]) => [otherDates.includes(when) ? "" : when, size]),
    );
    const answers = await database.run(sqlOf(file, { dialect, table: "dates as texts" }));
    for (const answer of answers) {
      const row = answer["id"] as number;
      expect([cells[row], answer["prediction"]]).toEqual([cells[row], expected.labels[row]]);
      expectClose(sharesOf(answer), expected.probabilities[row]!);
    }
    expect(answers).toHaveLength(cells.length);
    expect(new Set(expected.probabilities.map(String)).size).toBeGreaterThan(5);
  });

  test("numbers that are stored as texts score in the view that the guide shows, or as they are", async () => {
    const lines = Array.from({ length: 120 }, (_, row) => {
      const age = row % 5 === 0 ? "NA" : String((row * 7) % 80);
      return `${age},${row % 2 ? "Bern" : "Zug"},${age === "NA" || Number(age) > 40 ? "yes" : "no"}`;
    });
    const file = fileOf(readCsvText(`age,city,label\n${lines.join("\n")}\n`), FOREST);
    expect(file.columns.map(({ reading }) => reading.kind)).toEqual(["number", "category"]);
    const rows = ["NA", "", "12", "50", "79"].flatMap((age) => ["Bern", "NA"].map((city) => [age, city]));
    await database.run("CREATE TABLE raw_rows (age TEXT, city TEXT)");
    await database.run(`INSERT INTO raw_rows VALUES ${rows.map(([age, city]) => `('${age}', '${city}')`).join(", ")}`);
    if (STRICT.includes(dialect)) {
      await expect(database.run(sqlOf(file, { dialect, table: "raw_rows" }))).rejects.toThrow(/'NA'|"NA"/);
      const title = dialect === "duckdb" ? "DuckDB" : "PostgreSQL";
      await database.run(examplesIn("docs/exports.md", "sql", `-- ${title}`)[0]!);
    } else {
      await database.run("CREATE VIEW new_rows AS SELECT * FROM raw_rows");
    }
    const expected = answeredRows(file, rows);
    const answers = await database.run(sqlOf(file, { dialect, table: "new_rows" }));
    expect(answers.map((answer) => answer["prediction"])).toEqual([...expected.labels]);
    for (const [row, answer] of answers.entries()) expectClose(sharesOf(answer), expected.probabilities[row]!);
    expect(new Set(expected.labels).size).toBe(2);
  });

  test("added columns have names that no column of the model has", async () => {
    const file = modelOf("forest-two-classes");
    const { rows, probabilities } = answersOf("forest-two-classes");
    const [first] = sqlOf(file, { dialect, table: "x" }).match(/probability_\w+/)!;
    const names = ["prediction", "Confidence", "CONFIDENCE_2", first.toUpperCase()];
    const columns = file.columns.map((column, at) => ({ ...column, name: names[at] ?? column.name }));
    const named: ModelFile = { ...file, columns, label: "prediction_2" };
    expect(file.columns.length).toBeGreaterThanOrEqual(names.length);
    await database.run(tableOfCells(named, rows, dialect, "taken names"));
    const sql = sqlOf(named, { dialect, table: "taken names" });
    // One query may be a view; for MySQL there are several.
    const isView = dialect !== "mysql";
    const answers = await database.run(isView ? `CREATE VIEW answered AS ${sql}SELECT * FROM answered;` : sql);
    const added = Object.keys(answers[0]!).slice(-2 - file.labels.length);
    expect(added.slice(0, 3)).toEqual(["prediction_3", "confidence_3", `${first}_2`]);
    for (const answer of answers)
      expect(answer[`${first}_2`]).toBeCloseTo(probabilities[answer["id"] as number]![0]!, 9);
  });

  test("NaN and infinite numbers are missing, rows of NULL too", async () => {
    const file = modelOf("additive-trees-refined");
    const columns = file.columns.map(({ name, reading }) => ({ name, isNumber: reading.kind === "number" }));
    const typed = columns.map(({ name, isNumber }) => `"${name}" ${isNumber ? "DOUBLE PRECISION" : "TEXT"}`);
    await database.run(`CREATE TABLE odd (id INT, ${typed.join(", ")})`);
    const values = dialect === "mysql" ? ["NULL"] : ["NULL", "'NaN'", "'Infinity'", "'-Infinity'"];
    if (dialect === "sqlite") values.push("9e999", "-9e999");
    for (const [id, value] of values.entries()) {
      const cells = columns.map(({ isNumber }) => (isNumber ? value : "NULL"));
      await database.run(`INSERT INTO odd VALUES (${id}, ${cells.join(", ")})`);
    }
    const expected = answeredRows(file, [file.columns.map(() => "")]).probabilities[0]!;
    const answers = await database.run(sqlOf(file, { dialect, table: "odd" }));
    for (const answer of answers) expectClose(sharesOf(answer), expected);
    expect(answers).toHaveLength(values.length);
  });

  test("costs, weights and temperatures decide as in the engine; of equals the first", async () => {
    const file = modelOf("additive-many-classes");
    const { rows } = answersOf("additive-many-classes");
    await database.run(tableOfCells(file, rows, dialect, "decided"));
    const costs = file.labels.map((_, actual) =>
      file.labels.map((_, decided) => (actual === decided ? 0 : actual + 2 * decided)),
    );
    if (file.model.kind !== "additive") throw new Error("the vector is of another kind");
    const equal = { ...file.model, intercepts: new Float64Array(file.labels.length), tables: [] };
    const variants: ModelFile[] = [
      { ...file, temperature: 0.2, costs },
      { ...file, temperature: 7, classWeights: file.labels.map((_, k) => 1 + k) },
      { ...file, model: { ...equal, tables: file.model.tables.map(() => null) } },
    ];
    for (const variant of variants) {
      const expected = answeredRows(variant, rows);
      const answers = await database.run(sqlOf(variant, { dialect, table: "decided" }));
      const labels = new Map(answers.map((answer) => [answer["id"] as number, answer["prediction"]]));
      expect(rows.map((_, row) => labels.get(row))).toEqual([...expected.labels]);
    }
  });
});

describe.each(STRICT)("%s", (dialect: RunDialect) => {
  test.each([
    ["True", "False"],
    ["TRUE", "FALSE"],
    ["true", "false"],
  ])("a truth value is what was %s or %s", async (yes, no) => {
    const database = await DATABASES[dialect]();
    const lines = Array.from({ length: 120 }, (_, row) => {
      const cell = row % 7 === 0 ? "" : row % 2 ? yes : no;
      return `${cell},${(row * 5) % 11},${cell === yes || row % 3 === 0 ? "a" : "b"}`;
    });
    const file = fileOf(readCsvText(`active,size,label\n${lines.join("\n")}\n`), FOREST);
    expect(file.columns.map(({ reading }) => reading.kind)).toEqual(["category", "number"]);
    const rows = [yes, no, ""].flatMap((cell) => ["1", "5", "9"].map((size) => [cell, size]));
    const values = rows.map(([cell, size]) => `(${cell === "" ? "NULL" : cell}, ${size})`).join(", ");
    await database.run("CREATE TABLE truths (active BOOLEAN, size DOUBLE PRECISION)");
    await database.run(`INSERT INTO truths VALUES ${values}`);
    const expected = answeredRows(file, rows);
    const answers = await database.run(sqlOf(file, { dialect, table: "truths" }));
    for (const [row, answer] of answers.entries()) expectClose(sharesOf(answer), expected.probabilities[row]!);
    expect(answers).toHaveLength(rows.length);
    expect(new Set(expected.labels).size).toBe(2);
    await database.close();
  });
});

test("PostgreSQL reads dates the same, however the session writes them", async () => {
  const database = await DATABASES.postgres();
  const lines = Array.from({ length: 90 }, (_, row) => `20${10 + (row % 9)}-0${1 + (row % 9)}-15,${row % 9 < 4}`);
  const file = fileOf(readCsvText(`when,label\n${lines.join("\n")}\n`), FOREST);
  const rows = lines.slice(0, 9).map((line) => [line.split(",")[0]!]);
  await database.run('CREATE TABLE days (id INT, "when" DATE)');
  await database.run(`INSERT INTO days VALUES ${rows.map(([day], row) => `(${row}, '${day}')`).join(", ")}`);
  await database.run("SET DateStyle = 'German'");
  const expected = answeredRows(file, rows);
  const answers = await database.run(sqlOf(file, { dialect: "postgres", table: "days" }));
  expect(answers.map((answer) => answer["prediction"])).toEqual([...expected.labels]);
  expect(new Set(expected.labels).size).toBe(2);
  await database.close();
});

test("the file says in what unit a number is", () => {
  const headerOf = (cells: readonly string[]) => {
    const file = fileOf(
      readCsvText(`took,label\n${cells.map((cell, row) => `${cell},${row % 3}`).join("\n")}\n`),
      FOREST,
    );
    return sqlOf(file, { dialect: "duckdb", table: "x" })
      .split("\n")
      .find((own) => own.includes('"took"'));
  };
  const rows = Array.from({ length: 60 }, (_, row) => row);
  expect(headerOf(rows.map((row) => `${row % 24}:${10 + (row % 50)}`))).toContain('"took": a number of minutes: ');
  expect(headerOf(rows.map((row) => `0:${10 + (row % 9)}:${10 + (row % 50)}`))).toContain(
    '"took": a number of seconds: ',
  );
  expect(headerOf(rows.map((row) => `${row}.5 kg`))).toContain('"took": a number of "kg"; ');
  expect(headerOf(rows.map((row) => `${row}.5`))).toContain('"took": a number; ');
});

describe("refusals", () => {
  const refusalOf = (file: ModelFile, dialect: DialectName = "duckdb") => {
    try {
      return sqlOf(file, { dialect, table: "rows" });
    } catch (error) {
      return error instanceof InputError ? error.message : error;
    }
  };

  test("say why and what instead", () => {
    expect(refusalOf(modelOf("terms-ratios"))).toMatch(/is read as text, .*\(--to python, java or javascript\)/);
    const file = modelOf("forest-many-classes");
    if (file.model.kind !== "forest") throw new Error("the vector is of another kind");
    const model = { ...file.model, children: new Int32Array(5001) };
    expect(refusalOf({ ...file, model }, "spark")).toMatch(
      /too large for SQL: its trees have 20004 nodes, .*--to onnx\.$/,
    );
    const withNul = { ...file, labels: file.labels.with(0, "a\0b") };
    expect(refusalOf(withNul, "postgres")).toMatch(/holds a NUL/);
    expect(refusalOf(withNul)).toContain("'a' || chr(0) || 'b'");
    expect(refusalOf({ ...file, columns: file.columns.with(0, { ...file.columns[0]!, name: "a\0" }) })).toMatch(
      /holds a NUL/,
    );
  });

  test("names that no column of the database can have", () => {
    const file = modelOf("forest-two-classes");
    const named = (name: string) => ({ ...file, columns: file.columns.with(0, { ...file.columns[0]!, name }) });
    for (const name of ["n".repeat(65), "🙂", "end "]) {
      expect(refusalOf(named(name), "mysql")).toMatch(/^No column of MySQL and MariaDB can have the name "/);
      expect(refusalOf(named(name), "sqlite")).toContain("SELECT");
    }
    expect(refusalOf(named("n".repeat(64)), "mysql")).toContain("SELECT");
  });

  test("files for databases that are not run say so", () => {
    for (const dialect of ["mysql", "spark", "bigquery"] as const) {
      expect(refusalOf(modelOf("stack-two-classes"), dialect)).toMatch(/^(-- .*\n)*-- Not run by Cupel's makers in /);
    }
    expect(refusalOf(modelOf("stack-two-classes"))).not.toContain("Not run");
  });
});

function isRefused(file: ModelFile, dialect: RunDialect): boolean {
  try {
    return sqlOf(file, { dialect, table: "folded" }) === "";
  } catch (error) {
    return error instanceof InputError && error.code === "SAME_NAME_IN_SQL";
  }
}

function sharesOf(answer: SqlRow): number[] {
  return Object.entries(answer).flatMap(([name, value]) => (name.startsWith("probability_") ? [value as number] : []));
}

function expectClose(found: readonly number[], expected: readonly number[]): void {
  expect(found).toHaveLength(expected.length);
  expect(Math.max(...found.map((share, k) => Math.abs(share - expected[k]!)))).toBeLessThan(1e-9);
}
