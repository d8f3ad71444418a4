// Opens a database without changing anything in its folder, whether a server works there or not.
import { Database as Client, constants } from "bun:sqlite";
import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { drizzle } from "drizzle-orm/bun-sqlite";
import { InputError } from "../../engine/input-error.ts";
import { DATABASE_FILE, type Database } from "./database.ts";
import { namingFault } from "./database-faults.ts";
import { databaseForm } from "./migrate.ts";

/**
 * Only reads. Where nobody holds the folder's lock and the write-ahead log is empty, it does not even make the
 * companion files that SQLite's readers otherwise need.
 *
 * @throws InputError where there is no database, or it cannot be read
 */
export function openToInspect(folder: string, isInUse: boolean): Client {
  const path = join(resolve(folder), DATABASE_FILE);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new InputError("NO_DATABASE", `There is no database ${path}.`);
  const isAtRest = !isInUse && (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0;
  return namingFault(path, () => {
    const client = isAtRest
      ? new Client(
          `${pathToFileURL(path).href}?immutable=1`,
          constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI,
        )
      : new Client(path, { readonly: true });
    try {
      client.run("PRAGMA busy_timeout = 5000");
      // Only a query shows whether the file is a database.
      client.query("SELECT 1 FROM sqlite_schema").get();
    } catch (error) {
      client.close();
      throw error;
    }
    return client;
  });
}

/**
 * Opens the database of a folder that cannot be written to, for reading. If a killed process left a write-ahead log,
 * which SQLite cannot read without writing, it opens a copy in a temporary folder that `close` removes.
 *
 * @throws InputError where there is no database, it cannot be read or copied, or is of another form than this program's
 */
export function openReadOnly(folder: string, isInUse: boolean): Database {
  const path = join(resolve(folder), DATABASE_FILE);
  try {
    return readable(openToInspect(folder, isInUse), path, () => undefined);
  } catch (error) {
    if (!(error instanceof InputError) || error.code !== "DATABASE_UNREACHABLE") throw error;
  }
  const copy = mkdtempSync(join(tmpdir(), "cupel-read-"));
  const remove = () => rmSync(copy, { recursive: true, force: true });
  try {
    namingFault(path, () => {
      for (const end of ["", "-wal"]) {
        if (existsSync(`${path}${end}`)) copyFileSync(`${path}${end}`, join(copy, `${DATABASE_FILE}${end}`));
      }
    });
    return readable(openToInspect(copy, true), path, remove);
  } catch (error) {
    remove();
    throw error;
  }
}

function readable(client: Client, path: string, after: () => void): Database {
  const { form, newest } = databaseForm(client, path);
  if (form !== newest) {
    client.close();
    throw new InputError(
      "DATABASE_OF_OTHER_VERSION",
      `The database ${path} has form ${form}, and this version of the program reads form ${newest}. ` +
        "Nothing can be written there, so it cannot be brought to that form: " +
        "use the version that made it, or a copy of the folder.",
    );
  }
  return {
    orm: drizzle(client),
    client,
    write: () => {
      throw new Error("this database is only read");
    },
    close: () => {
      client.close();
      after();
    },
  };
}
