// Brings a database to the newest form, one SQL file after another, all in
// one transaction, after a copy of the database.
import type { Database as Client } from "bun:sqlite";
import { createHash } from "node:crypto";
import { renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { InputError } from "../../engine/input-error.ts";
import { flushToDisk, makePrivateFile } from "../files/private-file.ts";
import first from "../migrations/0001-first.sql" with { type: "text" };
import audit from "../migrations/0002-audit.sql" with { type: "text" };
import storage from "../migrations/0003-storage.sql" with { type: "text" };
import outcomes from "../migrations/0004-outcomes.sql" with { type: "text" };
import header from "../migrations/0005-header.sql" with { type: "text" };
import credentials from "../migrations/0006-credentials.sql" with { type: "text" };
import keys from "../migrations/0007-keys.sql" with { type: "text" };
import objectives from "../migrations/0008-objectives.sql" with { type: "text" };
import reasons from "../migrations/0009-reasons.sql" with { type: "text" };
import plannedTrainings from "../migrations/0010-planned-trainings.sql" with { type: "text" };
import predictionShifts from "../migrations/0011-prediction-shifts.sql" with { type: "text" };
import choices from "../migrations/0012-choices.sql" with { type: "text" };
import names from "../migrations/0013-names.sql" with { type: "text" };
import idempotency from "../migrations/0014-idempotency.sql" with { type: "text" };
import resumable from "../migrations/0015-resumable.sql" with { type: "text" };
import watching from "../migrations/0016-watching.sql" with { type: "text" };
import laterLabels from "../migrations/0017-outcomes.sql" with { type: "text" };
import successors from "../migrations/0018-successors.sql" with { type: "text" };

export interface Migration {
  name: string;
  sql: string;
}

/** Number n brings user_version from n - 1 to n. Only ever appended to: databases remember what they were made by. */
const MIGRATIONS: readonly Migration[] = [
  { name: "0001-first", sql: first },
  { name: "0002-audit", sql: audit },
  { name: "0003-storage", sql: storage },
  { name: "0004-outcomes", sql: outcomes },
  { name: "0005-header", sql: header },
  { name: "0006-credentials", sql: credentials },
  { name: "0007-keys", sql: keys },
  { name: "0008-objectives", sql: objectives },
  { name: "0009-reasons", sql: reasons },
  { name: "0010-planned-trainings", sql: plannedTrainings },
  { name: "0011-prediction-shifts", sql: predictionShifts },
  { name: "0012-choices", sql: choices },
  { name: "0013-names", sql: names },
  { name: "0014-idempotency", sql: idempotency },
  { name: "0015-resumable", sql: resumable },
  { name: "0016-watching", sql: watching },
  { name: "0017-outcomes", sql: laterLabels },
  { name: "0018-successors", sql: successors },
];

const TABLE_OF_MIGRATIONS = `CREATE TABLE migrations (
  number INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  appliedOn TEXT NOT NULL
) STRICT`;

/**
 * Foreign keys are enforced again when this returns or throws. If a migration fails, the database stays as it was;
 * `cupel-before-N.db` beside the database is a copy from before number N.
 *
 * @param path of the open database
 * @throws InputError for a database of a newer program, of another program, or made by other migrations than these
 */
export function migrateDatabase(
  client: Client,
  path: string,
  now: Date,
  migrations: readonly Migration[] = MIGRATIONS,
): void {
  const { form: version, newest } = databaseForm(client, path, migrations);
  if (version === newest) return;
  if (version > 0) copyBefore(client, path, version + 1);
  // Rebuilding a table drops it, which would delete its children's rows. The pragma has no effect inside a transaction.
  client.run("PRAGMA foreign_keys = OFF");
  const migrate = client.transaction(() => {
    for (let number = version + 1; number <= newest; number++) apply(client, number, migrations[number - 1]!, now);
  });
  try {
    migrate.immediate();
  } finally {
    client.run("PRAGMA foreign_keys = ON");
  }
}

export interface DatabaseForm {
  /** 0 for an empty one. */
  form: number;
  /** The form that this program works with. */
  newest: number;
}

/**
 * Which form an open database has; changes nothing.
 *
 * @throws InputError for the same databases as `migrateDatabase`
 */
export function databaseForm(
  client: Client,
  path: string,
  migrations: readonly Migration[] = MIGRATIONS,
): DatabaseForm {
  const form = client.query<{ user_version: number }, []>("PRAGMA user_version").get()!.user_version;
  const newest = migrations.length;
  if (form > newest) {
    throw new InputError(
      "DATABASE_TOO_NEW",
      `The database ${path} was made by a newer version of this program (form ${form}, ` +
        `this program knows ${newest}). Use that version, or go back to a copy cupel-before-*.db.`,
    );
  }
  checkHistory(client, path, form, migrations);
  return { form, newest };
}

function checkHistory(client: Client, path: string, version: number, migrations: readonly Migration[]): void {
  if (version === 0 && client.query("SELECT 1 FROM sqlite_schema").get() === null) return;
  if (version <= 0 || client.query("SELECT 1 FROM sqlite_schema WHERE name = 'migrations'").get() === null) {
    throw new InputError("DATABASE_FOREIGN", `${path} is a database of another program. Name another folder.`);
  }
  const applied = client
    .query<{ number: number; name: string; sha256: string }, []>(
      "SELECT number, name, sha256 FROM migrations ORDER BY number",
    )
    .all();
  for (let number = 1; number <= version; number++) {
    const { name, sql } = migrations[number - 1]!;
    if (applied[number - 1]?.sha256 === hashOf(sql)) continue;
    throw new InputError(
      "DATABASE_ALTERED",
      `The database ${path} was made by another form of migration ${name}. ` +
        "Use the version of the program that made it.",
    );
  }
}

/** Makes a whole copy of mode 0600, or none; replaces that of an earlier try. */
function copyBefore(client: Client, path: string, number: number): void {
  const copy = join(dirname(path), `cupel-before-${number}.db`);
  const temporary = `${copy}.part`;
  try {
    copyDatabase(client, temporary);
    flushToDisk(temporary);
    renameSync(temporary, copy);
    flushToDisk(dirname(copy));
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Writes the database as it is now to one file of mode 0600 at `path`, which is replaced. */
export function copyDatabase(client: Client, path: string): void {
  rmSync(path, { force: true });
  // SQLite fills an empty file and leaves its mode.
  makePrivateFile(path);
  client.run("VACUUM INTO ?", [path]);
}

function apply(client: Client, number: number, { name, sql }: Migration, now: Date): void {
  if (number === 1) client.run(TABLE_OF_MIGRATIONS);
  client.run(sql);
  const orphans = client.query<{ table: string }, []>("PRAGMA foreign_key_check").all();
  if (orphans.length > 0) {
    throw new Error(
      `migration ${name} leaves ${orphans.length} rows without what they refer to (${orphans[0]!.table})`,
    );
  }
  client.run("INSERT INTO migrations (number, name, sha256, appliedOn) VALUES (?, ?, ?, ?)", [
    number,
    name,
    hashOf(sql),
    now.toISOString(),
  ]);
  client.run(`PRAGMA user_version = ${number}`);
}

/** Both kinds of line ends give the same hash. */
function hashOf(sql: string): string {
  return createHash("sha256").update(sql.replaceAll("\r\n", "\n")).digest("hex");
}
