// A database looked at without changing anything in its folder, whether somebody works with it or not.
import { Database as Client, constants } from "bun:sqlite";
import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { InputError } from "../engine/input-error.ts";
import { DATABASE_FILE } from "./database.ts";
import { namingFault } from "./database-faults.ts";

/**
 * Only reads. Where nobody holds the folder's lock and the write-ahead log is empty, not even the companion files are made that
 * readers otherwise need; a log that a killed process left needs them.
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
      // Opens the file, which only then shows whether it is a database.
      client.query("SELECT 1 FROM sqlite_schema").get();
    } catch (error) {
      client.close();
      throw error;
    }
    return client;
  });
}
