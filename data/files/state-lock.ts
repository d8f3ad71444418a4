// The lock on a state folder: one process at a time works in it.
import { Database as Client, SQLiteError } from "bun:sqlite";
import { join } from "node:path";
import { InputError } from "../../engine/input-error.ts";
import { makePrivateFile } from "./private-file.ts";
import { unusableFolder } from "./state-folder.ts";

export const LOCK_FILE = "cupel.lock";

export interface StateLock {
  /** May be called more than once. */
  release(): void;
}

/** Keeps the connections of held locks alive: garbage collection would release their locks. */
const heldLocks = new Set<Client>();

/**
 * Holds an exclusive transaction on a file of its own. The system frees it when the process ends,
 * however it ends; some network file systems do not promise that.
 *
 * @throws InputError STATE_FOLDER_IN_USE where another process, or another part of this one, holds it;
 *   STATE_LOCK_UNUSABLE where the file holds something; STATE_FOLDER_UNUSABLE where nothing can be written
 */
export function acquireStateLock(folder: string): StateLock {
  const path = join(folder, LOCK_FILE);
  try {
    makePrivateFile(path);
  } catch (error) {
    throw unusableFolder(folder, error);
  }
  const client = new Client(path, { readwrite: true });
  try {
    client.run("PRAGMA busy_timeout = 0");
    // No journal file: nothing is ever written.
    client.run("PRAGMA journal_mode = MEMORY");
    client.run("BEGIN EXCLUSIVE");
  } catch (error) {
    client.close();
    const code = error instanceof SQLiteError ? (error.code ?? "") : "";
    if (/^SQLITE_(NOTADB|CORRUPT)/.test(code)) throw strangeLock(path);
    if (!code.startsWith("SQLITE_BUSY")) throw error;
    throw new InputError(
      "STATE_FOLDER_IN_USE",
      `Another process works in the state folder ${folder}. Stop it first, or name another folder with --data.`,
    );
  }
  heldLocks.add(client);
  return {
    release: () => {
      if (!heldLocks.delete(client)) return;
      client.run("ROLLBACK");
      client.close();
    },
  };
}

function strangeLock(path: string): InputError {
  return new InputError(
    "STATE_LOCK_UNUSABLE",
    `${path} is damaged; it should be empty. Make sure that no server works in the folder, then delete it: ` +
      "a new one is made.",
  );
}
