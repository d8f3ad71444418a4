// Opens the database of a state folder for a command that may run beside the server.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { isHalfRestored, settleRestore } from "../../../data/backup/restore-swap.ts";
import { DATABASE_FILE, type Database, joinDatabase, openDatabase } from "../../../data/database/database.ts";
import { openReadOnly } from "../../../data/database/database-inspection.ts";
import { acquireStateLock, type StateLock } from "../../../data/files/state-lock.ts";
import { InputError } from "../../../engine/input-error.ts";
import { isLockHeld } from "../../doctor/lock-check.ts";

/** Time for a process that opens the folder for the first time to make the database. */
const OPENING_LIMIT_MS = 2_000;
const OPENING_STEP_MS = 50;

/** Error codes of a folder or database that cannot be written to. */
const UNWRITABLE: ReadonlySet<string> = new Set(["STATE_FOLDER_UNUSABLE", "DATABASE_UNREACHABLE"]);

/** Whether the folder is the state of a service. An interrupted restore may have moved its database aside. */
export function hasDatabase(folder: string): boolean {
  return existsSync(join(folder, DATABASE_FILE)) || isHalfRestored(folder);
}

/** @throws InputError where the folder is not the state of a service */
export function requireState(folder: string): void {
  if (hasDatabase(folder)) return;
  throw new InputError("NO_STATE", `There is no state of a service in ${folder}. Name the state folder with --data.`);
}

/**
 * Opens the database. Holds the folder's lock only while opening, since that may make or migrate
 * the database. If a server has the lock, the database exists already and SQLite keeps the two
 * processes apart; opening is retried while it is being made.
 *
 * @throws InputError where the process that holds the lock uses a database of another form
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
 * As `openBesideServer`, for a command that only reads: opens a folder that cannot be written to as well.
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
