// Models as SQL in SQLite, whose columns hold values of any type: the same labels and probabilities as the engine's.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { answeredRows } from "../../../engine/export/check-file.ts";
import { sqlOf } from "../../../engine/export/sql/sql-model.ts";
import { type ModelFile, unpackModel } from "../../../engine/model/model-file.ts";
import { Random } from "../../../engine/random.ts";
import type { Forest } from "../../../engine/trees/forest.ts";
import { readCsvText } from "../../support/csv-table.ts";
import { answersIn, DATABASES, type Database, expectAnswers, tableOfCells } from "../../support/sql-tables.ts";
import { FOREST, fileOf } from "../../support/text-models.ts";
import { VECTORS, type VectorAnswers } from "../../support/vectors.ts";

const NAMES = readdirSync(VECTORS)
  .filter((name) => name.endsWith(".cupel") && !/texts|terms/.test(name))
  .map((name) => name.slice(0, -6));

let database: Database;
beforeAll(async () => {
  database = await DATABASES.sqlite();
});
afterAll(() => database.close());

const modelOf = (name: string) => unpackModel(readFileSync(join(VECTORS, `${name}.cupel`)));
const answersOf = (name: string): VectorAnswers => JSON.parse(readFileSync(join(VECTORS, `${name}.json`), "utf8"));
const scored = async (file: ModelFile, table: string, mostCaseNodes?: number) => {
  return database.run(sqlOf(file, { dialect: "sqlite", table, ...(mostCaseNodes !== undefined && { mostCaseNodes }) }));
};

test.each(NAMES)("%s, in one query and walked through tables", async (name) => {
  const file = modelOf(name);
  const { rows, ...expected } = answersOf(name);
  await database.run(tableOfCells(file, rows, "sqlite", name));
  for (const mostCaseNodes of [Number.POSITIVE_INFINITY, 0]) {
    const found = await scored(file, name, mostCaseNodes);
    expect(found.map((answer) => answer["id"])).toEqual(rows.map((_, row) => row));
    expectAnswers(answersIn(found), expected);
  }
});

const mixed = () => {
  const lines = Array.from({ length: 240 }, (_, row) => {
    const size = row % 11;
    const colour = ["Red", "red", "a'b", 'a"b', "a\\b", "🙂", "é", "e\u0301", "1.0", "2"][row % 10]!;
    return `${size / 4},"${colour.replaceAll('"', '""')}",${size > 5 !== row % 10 < 3 ? "yes" : "no"}`;
  });
  return fileOf(readCsvText(`size,colour,label\n${lines.join("\n")}\n`), FOREST);
};

describe("a column", () => {
  const file = mixed();
  const numbers: readonly [stored: string, cell: string][] = [
    ...(["0.5", "2", "-1e2", "'0.5'", "' 2.5 '", "'+.5'", "'2.'", "'1e0'", "'007'"] as const).map(
      (own): [string, string] => [own, String(Number(own.replaceAll("'", "")))],
    ),
    ...[
      "''",
      "'NA'",
      "'12 kg'",
      "'1.2.3'",
      "'1e5e3'",
      "'.'",
      "'--1'",
      "'0x1F'",
      "'1,5'",
      "NULL",
      "x'3132'",
      "9e999",
    ].map((own): [string, string] => [own, ""]),
  ];

  test.each(["TEXT", "REAL", "INTEGER", "NUMERIC", "BLOB", ""])(
    "of the type '%s' holds numbers and texts",
    async (type) => {
      const rows = numbers.flatMap(([, cell]) => ["Red", "2.5", "blue"].map((colour) => [cell, colour]));
      const values = numbers.flatMap(([stored]) => ["'Red'", "2.5", "'blue'"].map((colour) => `${stored}, ${colour}`));
      await database.run("DROP TABLE IF EXISTS typed");
      await database.run(`CREATE TABLE typed (id INT, size ${type}, colour ${type})`);
      await database.run(`INSERT INTO typed VALUES ${values.map((value, row) => `(${row}, ${value})`).join(", ")}`);
      expectAnswers(answersIn(await scored(file, "typed")), answeredRows(file, rows));
    },
  );

  test("compares texts by their characters, whatever its collation is", async () => {
    const category = file.features.find((feature) => feature.kind === "category")!;
    if (category.kind !== "category") throw new Error("the vector is of another kind");
    const colours = [
      ...category.names,
      "RED",
      "rEd",
      "Red ",
      "\tred\n",
      "red\u00a0",
      "a\\",
      "1",
      "1e0",
      "01",
      "2.00",
      "",
    ];
    const rows = colours.flatMap((colour) => ["0.25", "2.25"].map((size) => [size, colour]));
    await database.run("CREATE TABLE folded (id INT, size REAL, colour TEXT COLLATE NOCASE)");
    await database.run(tableOfCells(file, rows, "sqlite", "drawn").split(";\n")[0]!);
    await database.run(tableOfCells(file, rows, "sqlite", "drawn").split(";\n")[1]!.replace('"drawn"', "folded"));
    expectAnswers(answersIn(await scored(file, "folded")), answeredRows(file, rows));
    expect(new Set(answeredRows(file, rows).labels).size).toBe(2);
  });

  test("may have the name of a column of the query, or that of the number", async () => {
    const rows = Array.from({ length: 40 }, (_, row) => [String((row * 7) % 11), "Red"]);
    const own = ["x0", "c0", "m_p0", "decided", "cupel_row", "cupel_answers"];
    await database.run(`CREATE TABLE named (id INT, size REAL, colour TEXT, ${own.join(" INT, ")} INT)`);
    const values = rows.map(([size, colour], row) => `(${row}, ${size}, '${colour}', ${own.map(() => 7).join(", ")})`);
    await database.run(`INSERT INTO named VALUES ${values.join(", ")}`);
    for (const mostCaseNodes of [Number.POSITIVE_INFINITY, 0]) {
      const found = await scored(file, "named", mostCaseNodes);
      expectAnswers(answersIn(found), answeredRows(file, rows));
      expect(found.map((answer) => [answer["id"], answer["cupel_row"], answer["decided"]])).toEqual(
        rows.map((_, row) => [row, row + 1, 7]),
      );
    }
  });
});

test("rows come as they are read, beside their own answers, though an index has them in another order", async () => {
  const file = mixed();
  const random = new Random(5);
  const rows = Array.from({ length: 3000 }, () => [
    String(random.nextBelow(40) / 8),
    ["Red", "red"][random.nextBelow(2)]!,
  ]);
  await database.run(tableOfCells(file, rows, "sqlite", "indexed"));
  await database.run("CREATE INDEX covering ON indexed (size DESC, colour)");
  await database.run("ANALYZE");
  await database.run(`CREATE VIEW answered AS ${sqlOf(file, { dialect: "sqlite", table: "indexed" })}`);
  const found = await database.run("SELECT * FROM answered");
  expect(found.map((answer) => answer["id"])).toEqual(rows.map((_, row) => row));
  expectAnswers(answersIn(found), answeredRows(file, rows));
});

/** A tree as deep as it has leaves, to the left, to the right or in turns, or one as broad as can be. */
function treeOf(shape: "left" | "right" | "turns" | "broad", leaves: number): Pick<Forest, "children" | "thresholds"> {
  const children: number[] = [~0];
  let open = [0];
  for (let count = 1; count < leaves; count++) {
    const node = open.shift()!;
    const child = children.length;
    children[node] = child;
    children.push(~0, ~0);
    const isRight = shape === "right" || (shape === "turns" && count % 2 === 0);
    open = shape === "broad" ? [...open, child, child + 1] : [isRight ? child + 1 : child];
  }
  let leaf = 0;
  const numbered = children.map((child) => (child < 0 ? ~leaf++ : child));
  return { children: Int32Array.from(numbered), thresholds: Uint16Array.from(children, (_, node) => 2 + (node % 9)) };
}

// SQLite before 3.46 reads 18 CASE in one another at most.
test.each(["left", "right", "turns", "broad"] as const)("a tree of many nodes, %s, is read", async (shape) => {
  const file = mixed();
  if (file.model.kind !== "forest") throw new Error("the model is of another kind");
  const leaves = 2_000;
  const { children, thresholds } = treeOf(shape, leaves);
  const model = {
    ...file.model,
    ...{ children, thresholds, roots: Uint32Array.of(0), features: new Uint16Array(children.length) },
    distributions: Float32Array.from({ length: 2 * leaves }, (_, at) =>
      at % 2 === 0 ? (at % 14) / 16 : 1 - ((at - 1) % 14) / 16,
    ),
  };
  const rows = Array.from({ length: 60 }, (_, row) => [String(row / 16), "Red"]);
  await database.run(tableOfCells(file, rows, "sqlite", shape));
  expectAnswers(answersIn(await scored({ ...file, model }, shape)), answeredRows({ ...file, model }, rows));
  let depth = 0;
  const depths = [...sqlOf({ ...file, model }, { dialect: "sqlite", table: shape }).matchAll(/\b(CASE|END)\b/g)].map(
    ([word]) => (depth += word === "CASE" ? 1 : -1),
  );
  expect(Math.max(...depths)).toBeLessThan(14);
});
