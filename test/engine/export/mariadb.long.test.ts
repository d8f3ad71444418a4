// Models as SQL in MariaDB: whatever the settings of the session and the collations of columns are.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { answeredRows } from "../../../engine/export/check-file.ts";
import { sqlOf } from "../../../engine/export/sql/sql-model.ts";
import { Random } from "../../../engine/random.ts";
import { readCsvText } from "../../support/csv-table.ts";
import { answersIn, DATABASES, type Database, expectAnswers, tableOfCells } from "../../support/sql-tables.ts";
import { FOREST, fileOf } from "../../support/text-models.ts";
import { describeWithTools } from "../../support/tools.ts";

const COLOURS = ["Red", "red", "a'b", 'a"b', "a\\b", "🙂", "é", "e", "e\u0301", "ß", "2"] as const;
const lines = Array.from({ length: 330 }, (_, row) => {
  const colour = COLOURS[row % COLOURS.length]!.replaceAll('"', '""');
  return `${(row % 13) / 4},"${colour}",${row % 13 > 6 !== row % COLOURS.length < 4 ? "yes" : "ja \\ 'wohl' 🙂"}`;
});
const file = fileOf(readCsvText(`größe,colour,label\n${lines.join("\n")}\n`), FOREST);
const sql = (table: string, mostCaseNodes?: number) =>
  sqlOf(file, { dialect: "mysql", table, ...(mostCaseNodes !== undefined && { mostCaseNodes }) });

describeWithTools("MariaDB", { welcome: ["mariadbd", "mariadb-install-db"] }, () => {
  let database: Database;
  beforeAll(async () => {
    database = await DATABASES.mysql();
  });
  afterAll(() => database.close());

  test.each([
    "utf8mb4 COLLATE utf8mb4_general_ci",
    "utf8mb4 COLLATE utf8mb4_unicode_520_ci",
    "utf8mb4 COLLATE utf8mb4_bin",
    "latin1",
  ])("texts are compared by their characters in %s, in any mode", async (charset) => {
    const odd = ["RED", "Red ", "  red\t", "red\u00a0", "É", "a\\", "A'B", "", "NA", "2.0", "02", "ss"];
    const isLatin = charset === "latin1";
    const colours = [...COLOURS, ...odd].filter((colour) => !isLatin || /^[\0-\xff]*$/.test(colour));
    const rows = colours.flatMap((colour) => ["0.25", "2.25"].map((size) => [size, colour]));
    const expected = answeredRows(file, rows);
    await database.run("SET sql_mode = 'ANSI_QUOTES,STRICT_ALL_TABLES'; DROP TABLE IF EXISTS folded");
    await database.run(
      `CREATE TABLE folded (id INT, "größe" DOUBLE, colour VARCHAR(40) CHARACTER SET ${charset}) DEFAULT CHARSET latin1`,
    );
    const [, insert] = tableOfCells(file, rows, "mysql", "folded").split(";\n");
    await database.run(insert!);
    for (const mode of ["", "ANSI", "TRADITIONAL", "NO_BACKSLASH_ESCAPES", "PIPES_AS_CONCAT,REAL_AS_FLOAT"]) {
      for (const names of ["utf8mb4", "utf8mb4 COLLATE utf8mb4_unicode_ci"]) {
        await database.run(`SET sql_mode = '${mode}'; SET NAMES ${names}`);
        expectAnswers(answersIn(await database.run(sql("folded"))), expected);
      }
    }
    expect(new Set(expected.labels).size).toBe(2);
  });

  test("texts that are no numbers are missing, and others are read", async () => {
    const cells = ["0.5", " 2.5 ", "+.5", "2.", "1e0", "007", "", "NA", "12 kg", "1.2.3", "1e5e3", ".", "0x1F", "1,5"];
    const plain = cells.slice(0, 6).map((cell) => String(Number(cell)));
    const rows = cells.map((_, row) => [plain[row] ?? "", "Red"]);
    await database.run("SET sql_mode = 'ANSI_QUOTES,STRICT_ALL_TABLES'");
    await database.run(`CREATE TABLE texts (id INT, "größe" TEXT, colour TEXT)`);
    await database.run(`INSERT INTO texts VALUES ${cells.map((cell, row) => `(${row}, '${cell}', 'Red')`).join(", ")}`);
    for (const mostCaseNodes of [Number.POSITIVE_INFINITY, 0]) {
      expectAnswers(answersIn(await database.run(sql("texts", mostCaseNodes))), answeredRows(file, rows));
    }
  });

  test.each(["InnoDB", "Aria", "MyISAM"])(
    "rows come as they are read, beside their own answers, from %s",
    async (engine) => {
      const random = new Random(5);
      const rows = Array.from({ length: 4000 }, () => [
        String(random.nextBelow(26) / 8),
        COLOURS[random.nextBelow(2)]!,
      ]);
      await database.run("SET sql_mode = 'ANSI_QUOTES,STRICT_ALL_TABLES'; DROP TABLE IF EXISTS many");
      await database.run(
        `CREATE TABLE many (id INT PRIMARY KEY, "größe" DOUBLE, colour VARCHAR(9), KEY covering (colour, "größe", id)) ENGINE=${engine}`,
      );
      const [, insert] = tableOfCells(file, rows, "mysql", "many").split(";\n");
      await database.run(insert!);
      const read = (await database.run("SELECT * FROM many")).map((row) => row["id"]);
      for (const mostCaseNodes of [Number.POSITIVE_INFINITY, 0]) {
        const found = await database.run(sql("many", mostCaseNodes));
        expect(found.map((answer) => answer["id"])).toEqual(read);
        expectAnswers(answersIn(found), answeredRows(file, rows));
      }
    },
  );

  test("temporary tables alone are replaced", async () => {
    await database.run(`CREATE TABLE cupel_answers AS SELECT 1 AS kept`);
    await database.run(`CREATE TABLE few (id INT, "größe" DOUBLE, colour TEXT)`);
    await database.run("INSERT INTO few VALUES (0, 1, 'Red')");
    for (const _ of [1, 2]) expect(await database.run(sql("few", 0))).toHaveLength(1);
    await database.run("DROP TEMPORARY TABLE cupel_answers");
    expect(await database.run("SELECT * FROM cupel_answers")).toEqual([{ kept: 1 }]);
  });
});
