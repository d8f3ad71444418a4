// Whether a process works in the state folder, found out without getting in its way.
import { Database as Client, SQLiteError } from "bun:sqlite";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { RunningServer } from "../../data/files/running-server.ts";
import { LOCK_FILE } from "../../data/files/state-lock.ts";
import { type Finding, ok } from "./finding.ts";

/** True where the lock is held: a reader is refused then. */
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

/** @param running what the server wrote down of itself; null where no server holds the lock, or an older one */
export function lockFinding(isHeld: boolean, running: RunningServer | null): Finding {
  if (running !== null) {
    const { processId, version, host, port } = running;
    return ok("lock", `Cupel ${version} works in the folder: process ${processId}, on ${host}:${port}.`);
  }
  return ok("lock", isHeld ? "A server, or another command, works in the folder." : "No server works in the folder.");
}
