// The lock on a state folder: one process at a time works in it.
import { Database as Client, SQLiteError } from "bun:sqlite";
import { join } from "node:path";
import { InputError } from "../engine/input-error.ts";
import { makePrivateFile } from "./private-file.ts";

const FILE_NAME = "cupel.lock";

export interface StateLock {
  /** Once is enough, more often does no harm. */
  release(): void;
}

/** Locks that are held: a connection that nobody refers to would be collected, and its lock be gone. */
const held = new Set<Client>();

/**
 * Holds an exclusive transaction on a file of its own for as long as the process lives. The system frees it when the process
 * ends, however it ends. Network file systems without locks give no such promise.
 *
 * @throws InputError STATE_FOLDER_IN_USE where another process, or another part of this one, holds it
 */
export function acquireStateLock(folder: string): StateLock {
  const path = join(folder, FILE_NAME);
  makePrivateFile(path);
  const client = new Client(path, { readwrite: true });
  try {
    client.run("PRAGMA busy_timeout = 0");
    // The journal would be a second file beside the lock, of no use: nothing is ever written.
    client.run("PRAGMA journal_mode = MEMORY");
    client.run("BEGIN EXCLUSIVE");
  } catch (error) {
    client.close();
    if (!(error instanceof SQLiteError && error.code?.startsWith("SQLITE_BUSY") === true)) throw error;
    throw new InputError(
      "STATE_FOLDER_IN_USE",
      `Another process works in the state folder ${folder}. Stop it first, or name another folder with --data.`,
    );
  }
  held.add(client);
  return {
    release: () => {
      if (!held.delete(client)) return;
      client.run("ROLLBACK");
      client.close();
    },
  };
}
