// The database of a state folder for a command that may run beside the server.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { isHalfRestored, settleRestore } from "../../data/backup/restore-swap.ts";
import { DATABASE_FILE, type Database, joinDatabase, openDatabase } from "../../data/database/database.ts";
import { openReadOnly } from "../../data/database/database-inspection.ts";
import { acquireStateLock, type StateLock } from "../../data/files/state-lock.ts";
import { InputError } from "../../engine/input-error.ts";
import { isLockHeld } from "../doctor/lock-check.ts";

/** How long a process that opens the folder for the first time may take to make the database. */
const OPENING_LIMIT_MS = 2_000;
const OPENING_STEP_MS = 50;

/** What is said of a folder or a database that cannot be written to. */
const UNWRITABLE: ReadonlySet<string> = new Set(["STATE_FOLDER_UNUSABLE", "DATABASE_UNREACHABLE"]);

/** Whether a service, or a command of its, has worked in the folder: an interrupted restore may have its database aside. */
export function hasDatabase(folder: string): boolean {
  return existsSync(join(folder, DATABASE_FILE)) || isHalfRestored(folder);
}

/**
 * Opens the database under the folder's lock, held for that long only, as making or migrating it needs. Where a server holds
 * the lock, the database is made already, and SQLite keeps the two apart; while that server or another command is still
 * making it, opening fails and is tried again.
 *
 * @throws InputError where the process that holds the lock works with a database of another form
 */
export async function openBesideServer(folder: string): Promise<Database> {
  for (const startMs = performance.now(); ; await Bun.sleep(OPENING_STEP_MS)) {
    const lock = lockIfFree(folder);
    try {
      if (lock === null) return joinDatabase(folder);
      settleRestore(folder);
      return openDatabase(folder);
    } catch (error) {
      if (lock !== null || performance.now() - startMs > OPENING_LIMIT_MS) throw error;
    } finally {
      lock?.release();
    }
  }
}

/**
 * As `openBesideServer`, for a command that only reads: it goes on where nothing can be written in the folder.
 *
 * @throws InputError
 */
export async function openToList(folder: string): Promise<Database> {
  try {
    return await openBesideServer(folder);
  } catch (error) {
    if (!(error instanceof InputError && UNWRITABLE.has(error.code))) throw error;
    return openReadOnly(folder, isLockHeld(folder));
  }
}

function lockIfFree(folder: string): StateLock | null {
  try {
    return acquireStateLock(folder);
  } catch (error) {
    if (error instanceof InputError && error.code === "STATE_FOLDER_IN_USE") return null;
    throw error;
  }
}
