// Models as SQL, run by DuckDB and PostgreSQL: the same labels and probabilities as the engine's.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sqlOf } from "../../../engine/export/sql/sql-model.ts";
import { unpackModel } from "../../../engine/model/model-file.ts";
import { DATABASES, type Database, type RunDialect, type SqlRow, tableOfCells } from "../../support/sql-tables.ts";
import { VECTORS, type VectorAnswers } from "../../support/vectors.ts";

const NAMES = readdirSync(VECTORS)
  .filter((name) => name.endsWith(".cupel"))
  .map((name) => name.slice(0, -6));
const READS_TEXT = /texts|terms/;

const modelOf = (name: string) => unpackModel(readFileSync(join(VECTORS, `${name}.cupel`)));
const answersOf = (name: string): VectorAnswers => JSON.parse(readFileSync(join(VECTORS, `${name}.json`), "utf8"));

describe.each(["duckdb", "postgres"] as const)("%s", (dialect: RunDialect) => {
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
});

function sharesOf(answer: SqlRow): number[] {
  return Object.entries(answer).flatMap(([name, value]) => (name.startsWith("probability_") ? [value as number] : []));
}
