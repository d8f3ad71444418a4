// The open database: one connection, for the main thread alone.
import { Database as Client } from "bun:sqlite";
import { join } from "node:path";
import { type BunSQLiteDatabase, drizzle } from "drizzle-orm/bun-sqlite";
import { InputError } from "../engine/input-error.ts";
import { migrateDatabase } from "./migrate.ts";
import { makePrivateFile } from "./private-file.ts";

const FILE_NAME = "cupel.db";

/** STRICT tables came with 3.37, RETURNING with 3.35. macOS brings its own SQLite. */
const LEAST_SQLITE = [3, 37] as const;

export type Orm = BunSQLiteDatabase;

export interface Database {
  /** For queries, inside `write` too: there is one connection. */
  orm: Orm;
  client: Client;
  /**
   * Runs `work` in one immediate transaction: all of it happens, or nothing where it throws. Inside another `write` it
   * becomes a part of that one. `work` is synchronous.
   */
  write<T>(work: () => T): T;
  close(): void;
}

/**
 * Opens `cupel.db` in the folder, makes it where it is not there, and migrates it. Hold the folder's lock meanwhile.
 *
 * @throws InputError where the database cannot be used by this program
 */
export function openDatabase(folder: string, now: Date = new Date()): Database {
  const path = join(folder, FILE_NAME);
  makePrivateFile(path);
  const client = new Client(path, { readwrite: true, strict: true });
  try {
    checkVersion(client);
    client.run("PRAGMA busy_timeout = 5000");
    client.run("PRAGMA journal_mode = WAL");
    client.run("PRAGMA synchronous = FULL");
    client.run("PRAGMA foreign_keys = ON");
    migrateDatabase(client, path, now);
  } catch (error) {
    client.close();
    throw error;
  }
  return {
    orm: drizzle(client),
    client,
    write: (work) => client.transaction(work).immediate(),
    close: () => {
      client.run("PRAGMA wal_checkpoint(TRUNCATE)");
      client.close();
    },
  };
}

/** Gives for a database what `prepare` made of it the first time: statements that are compiled once. */
export function perDatabase<T>(prepare: (orm: Orm) => T): (database: Database) => T {
  const made = new WeakMap<Database, T>();
  return (database) => {
    let prepared = made.get(database);
    if (prepared === undefined) {
      prepared = prepare(database.orm);
      made.set(database, prepared);
    }
    return prepared;
  };
}

function checkVersion(client: Client): void {
  const { version } = client.query<{ version: string }, []>("SELECT sqlite_version() AS version").get()!;
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > LEAST_SQLITE[0] || (major === LEAST_SQLITE[0] && minor >= LEAST_SQLITE[1])) return;
  throw new InputError("SQLITE_TOO_OLD", `This system has SQLite ${version}; ${LEAST_SQLITE.join(".")} is needed.`);
}
