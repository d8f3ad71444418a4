// Checks whether a process uses the state folder, without disturbing it.
import { Database as Client, SQLiteError } from "bun:sqlite";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { RunningServer } from "../../data/files/running-server.ts";
import { LOCK_FILE } from "../../data/files/state-lock.ts";
import { type Finding, ok } from "./finding.ts";

/** Whether the lock is held: SQLite then refuses a reader. */
export function isLockHeld(folder: string): boolean {
  const path = join(folder, LOCK_FILE);
  if (!existsSync(path)) return false;
  const client = new Client(path, { readonly: true });
  try {
    client.query("SELECT 1 FROM sqlite_schema").get();
    return false;
  } catch (error) {
    if (error instanceof SQLiteError && error.code?.startsWith("SQLITE_BUSY") === true) return true;
    throw error;
  } finally {
    client.close();
  }
}

/** @param running facts that the server wrote about itself; null without a server, or with one of an older version */
export function lockFinding(isHeld: boolean, running: RunningServer | null): Finding {
  if (running !== null) {
    const { processId, version, host, port } = running;
    return ok("lock", `Cupel ${version} uses the folder: process ${processId}, on ${host}:${port}.`);
  }
  return ok("lock", isHeld ? "A server or another command uses the folder." : "No server uses the folder.");
}
