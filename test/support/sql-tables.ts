// Databases of this process, MariaDB as a child of it, and typed tables in them made of the cells of a CSV file.
import { Database as Sqlite } from "bun:sqlite";
import { expect } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { PGlite } from "@electric-sql/pglite";
import { SQL } from "bun";
import { rewriteDate, YEAR_FIRST } from "../../engine/columns/dates.ts";
import { readNumber } from "../../engine/columns/numbers.ts";
import { type ColumnReading, missingMarkerSet, missingTextsOf } from "../../engine/columns/reading.ts";
import { DIALECTS } from "../../engine/export/sql/dialects.ts";
import type { ModelFile } from "../../engine/model/model-file.ts";
import { findTool } from "./tools.ts";

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

/** Rows in order that have these answers. */
export function expectAnswers(found: Answers, { labels, probabilities }: Answers): void {
  expect(found.labels).toEqual([...labels]);
  for (const [row, shares] of probabilities.entries()) {
    const worst = Math.max(...shares.map((share, k) => Math.abs(share - found.probabilities[row]![k]!)));
    expect([row, worst < 1e-9]).toEqual([row, true]);
  }
}

export type RunDialect = "duckdb" | "postgres" | "sqlite" | "mysql";

/** The dialects that this machine can run. MariaDB is left out where it is not installed, and a line says so. */
export const RUN_DIALECTS: readonly RunDialect[] = ["duckdb", "postgres", "sqlite", "mysql"].filter(isHere);

function isHere(dialect: string): dialect is RunDialect {
  const missing =
    dialect === "mysql" ? ["mariadbd", "mariadb-install-db"].filter((name) => findTool(name) === null) : [];
  if (missing.length > 0) process.stderr.write(`tests of MariaDB were left out (there is no ${missing.join(", ")})\n`);
  return missing.length === 0;
}

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
  sqlite: async () => {
    const database = new Sqlite(":memory:");
    return {
      // It prepares one statement at a time. Each of an export ends with its line.
      run: async (sql) => {
        const statements = sql.split(/;\n|;$/).filter((statement) => statement.trim() !== "");
        return statements.map((statement) => database.prepare(statement).all() as SqlRow[]).at(-1)!;
      },
      close: async () => database.close(),
    };
  },
  mysql: openMariadb,
};

/** A server of its own, in a folder of its own; quotation marks are those of names, as in the other databases. */
async function openMariadb(): Promise<Database> {
  const folder = mkdtempSync(join(tmpdir(), "cupel-mariadb-"));
  // It refuses to run as root unless it is told to.
  const user = process.getuid?.() === 0 ? ["--user=root"] : [];
  const datadir = `--datadir=${join(folder, "data")}`;
  const made = Bun.spawnSync([
    ...[findTool("mariadb-install-db")!, "--no-defaults", ...user, datadir],
    ...["--auth-root-authentication-method=normal", "--skip-test-db"],
  ]);
  if (made.exitCode !== 0) throw new Error(made.stderr.toString());
  const socket = join(folder, "socket");
  const server = Bun.spawn(
    [
      ...[findTool("mariadbd")!, "--no-defaults", ...user, datadir, `--socket=${socket}`, "--skip-networking"],
      ...[
        "--character-set-server=latin1",
        "--innodb-flush-method=nosync",
        "--sql-mode=ANSI_QUOTES,STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO",
      ],
    ],
    { stdout: "ignore", stderr: "pipe" },
  );
  // Where a test is interrupted too.
  process.on("exit", () => server.kill());
  for await (const text of server.stderr.pipeThrough(new TextDecoderStream())) {
    if (text.includes("ready for connections")) break;
  }
  const database = new SQL({ adapter: "mysql", path: socket, username: "root", max: 1 });
  await database.unsafe("CREATE DATABASE tests CHARACTER SET utf8mb4; USE tests").simple();
  return {
    run: async (sql) => {
      const results = await database.unsafe(sql).simple();
      return [...(Array.isArray(results[0]) ? results.at(-1) : results)];
    },
    close: async () => {
      await database.close();
      server.kill();
      await server.exited;
      rmSync(folder, { recursive: true });
    },
  };
}

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
    ({ name: column, reading }) => `${identifier(column)} ${reading.kind === "number" ? "DOUBLE PRECISION" : "TEXT"}`,
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
