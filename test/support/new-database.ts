// A new, empty database of the newest form. The migrations run once in each process; each further database is a copy of
// the first. The tests of the API, each of which begins with one, take about half of the time so.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DATABASE_FILE, type Database, openDatabase } from "../../data/database/database.ts";

let empty: Uint8Array<ArrayBuffer> | null = null;

/** In a folder that has none. */
export function openNewDatabase(folder: string, now?: Date): Database {
  empty ??= emptyDatabase();
  writeFileSync(join(folder, DATABASE_FILE), empty, { mode: 0o600, flag: "wx" });
  const database = openDatabase(folder, now);
  // These databases need not outlive a power cut.
  database.client.run("PRAGMA synchronous = OFF");
  return database;
}

function emptyDatabase(): Uint8Array<ArrayBuffer> {
  const folder = mkdtempSync(join(tmpdir(), "cupel-empty-"));
  try {
    openDatabase(folder).close();
    return readFileSync(join(folder, DATABASE_FILE));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
