// The open database: one connection, for the main thread alone.
import { Database as Client } from "bun:sqlite";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type BunSQLiteDatabase, drizzle } from "drizzle-orm/bun-sqlite";
import { InputError } from "../../engine/input-error.ts";
import { makePrivateFile } from "../files/private-file.ts";
import { namingFault } from "./database-faults.ts";
import { databaseForm, migrateDatabase } from "./migrate.ts";
import { oncePer } from "./once-per.ts";

export const DATABASE_FILE = "cupel.db";

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
 * Opens `cupel.db` in the folder, makes it if missing, and migrates it. For the process
 * that holds the folder's lock; others use `joinDatabase`.
 *
 * @throws InputError where the database cannot be used by this program, or is damaged
 */
export function openDatabase(folder: string, now: Date = new Date()): Database {
  const path = join(folder, DATABASE_FILE);
  namingFault(path, () => makePrivateFile(path));
  return open(path, (client) => {
    client.run("PRAGMA journal_mode = WAL");
    migrateDatabase(client, path, now);
  });
}

/**
 * Opens `cupel.db` beside the process that holds the folder's lock. Makes and
 * migrates nothing: that process may be of another version.
 *
 * @throws InputError where there is no database, it is of another form than this program's, or damaged
 */
export function joinDatabase(folder: string): Database {
  const path = join(folder, DATABASE_FILE);
  return open(path, (client) => {
    const { form, newest } = databaseForm(client, path);
    if (form === newest) return;
    throw new InputError(
      "DATABASE_OF_OTHER_VERSION",
      `The database ${path} has form ${form}, and this version of the program works with form ${newest}, ` +
        "while a server or another command of another version holds the folder. " +
        "Use the version that runs, or stop it and start this one first: " +
        `that brings the database to form ${newest}.`,
    );
  });
}

/**
 * A connection for reading and copying a database of any form that this program knows, whether a server works in the
 * folder or not. If none does, SQLite may check in what a killed process left in the write-ahead log.
 *
 * @throws InputError where there is no database of this program, or it is damaged
 */
export function openToRead(folder: string): Client {
  const path = join(folder, DATABASE_FILE);
  return open(path, (client) => {
    const { form } = databaseForm(client, path);
    if (form === 0) throw new InputError("NO_DATABASE", `The database ${path} is empty: there is nothing in it yet.`);
  }).client;
}

function open(path: string, prepare: (client: Client) => void): Database {
  // For a missing file SQLite only says that it cannot be opened.
  if (!existsSync(path)) {
    throw new InputError("NO_DATABASE", `There is no database ${path}. Name the state folder with --data.`);
  }
  return namingFault(path, () => {
    const client = new Client(path, { readwrite: true, strict: true });
    try {
      checkVersion(client);
      client.run("PRAGMA busy_timeout = 5000");
      client.run("PRAGMA synchronous = FULL");
      client.run("PRAGMA foreign_keys = ON");
      prepare(client);
    } catch (error) {
      client.close();
      throw error;
    }
    return {
      orm: drizzle(client),
      client,
      write: (work) => client.transaction(work).immediate(),
      close: () => {
        try {
          client.run("PRAGMA wal_checkpoint(TRUNCATE)");
        } catch {
          // Such as a full disk: the next start finds the data in the write-ahead log.
        }
        client.close();
      },
    };
  });
}

/** Statements that are prepared once per database. */
export function perDatabase<T>(prepare: (orm: Orm) => T): (database: Database) => T {
  return oncePer(({ orm }) => prepare(orm));
}

function checkVersion(client: Client): void {
  const { version } = client.query<{ version: string }, []>("SELECT sqlite_version() AS version").get()!;
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > LEAST_SQLITE[0] || (major === LEAST_SQLITE[0] && minor >= LEAST_SQLITE[1])) return;
  throw new InputError("SQLITE_TOO_OLD", `This system has SQLite ${version}; ${LEAST_SQLITE.join(".")} is needed.`);
}
