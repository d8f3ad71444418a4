// Databases in this process, and typed tables in them made of the cells of a CSV file.
import { DuckDBInstance } from "@duckdb/node-api";
import { PGlite } from "@electric-sql/pglite";
import { rewriteDate, YEAR_FIRST } from "../../engine/columns/dates.ts";
import { readNumber } from "../../engine/columns/numbers.ts";
import { type ColumnReading, missingMarkerSet, missingTextsOf } from "../../engine/columns/reading.ts";
import { DIALECTS } from "../../engine/export/sql/dialects.ts";
import type { ModelFile } from "../../engine/model/model-file.ts";

export type SqlRow = Record<string, unknown>;

export interface Database {
  /** Runs statements; returns the rows of the last one. */
  run(sql: string): Promise<SqlRow[]>;
  close(): Promise<void>;
}

export interface Answers {
  labels: readonly unknown[];
  probabilities: readonly (readonly number[])[];
}

/** The answers of a model in rows that have an `id`, in its order. */
export function answersIn(found: readonly SqlRow[]): Answers {
  const answers = found.toSorted((a, b) => (a["id"] as number) - (b["id"] as number));
  return {
    labels: answers.map((answer) => answer["prediction"]),
    probabilities: answers.map((answer) =>
      Object.entries(answer).flatMap(([name, share]) => (name.startsWith("probability_") ? [share as number] : [])),
    ),
  };
}

export type RunDialect = "duckdb" | "postgres";

export const DATABASES: Readonly<Record<RunDialect, () => Promise<Database>>> = {
  duckdb: async () => {
    const instance = await DuckDBInstance.create(":memory:");
    const connection = await instance.connect();
    return {
      run: async (sql) => (await connection.runAndReadAll(sql)).getRowObjectsJS(),
      close: async () => {
        connection.closeSync();
        instance.closeSync();
      },
    };
  },
  postgres: async () => {
    const database = await PGlite.create();
    return {
      run: async (sql) => (await database.exec(sql)).at(-1)!.rows as SqlRow[],
      close: () => database.close(),
    };
  },
};

/**
 * Statements that make a table of rows: `id` counts them, then come the model's columns with their types. Dates are
 * texts in ISO form, since a column of timestamps has a time in every row. Cells that the model cannot read are NULL.
 */
export function tableOfCells(file: ModelFile, rows: readonly (readonly string[])[], dialect: RunDialect, name: string) {
  const { identifier, text, double } = DIALECTS[dialect];
  const markers = missingMarkerSet(file.missingMarkers);
  const literal = (cell: string, reading: ColumnReading) => {
    const value = typedCell(cell, reading, markers);
    if (value === null) return "NULL";
    return typeof value === "number" ? double(value) : text(value)!;
  };
  const columns = file.columns.map(
    ({ name: column, reading }) =>
      `${identifier(column)} ${reading.kind === "number" ? "DOUBLE PRECISION" : "VARCHAR"}`,
  );
  const values = rows.map(
    (row, at) => `(${[at, ...row.map((cell, column) => literal(cell, file.columns[column]!.reading))].join(", ")})`,
  );
  return `CREATE TABLE ${identifier(name)} (id INT, ${columns.join(", ")});
INSERT INTO ${identifier(name)} VALUES ${values.join(",\n")};`;
}

/**
 * What somebody who loads the file into typed columns makes of a cell: a
 * number, a text, or null where it cannot be read.
 */
function typedCell(cell: string, reading: ColumnReading, markers: ReadonlySet<string>): number | string | null {
  const trimmed = cell.trim();
  if (reading.kind === "category") return cell;
  if (missingTextsOf(reading, markers).has(trimmed)) return null;
  if (reading.kind === "number") {
    const value = readNumber(trimmed, reading.form);
    return Number.isFinite(value) ? value : null;
  }
  return rewriteDate(trimmed, reading.form, YEAR_FIRST);
}
