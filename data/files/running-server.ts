// Where a state folder's server listens. The server writes it for `cupel
// doctor`, which believes it only while the lock is held.
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { replacePrivateFile } from "./private-file.ts";

const SERVER_FILE = "cupel.server";

export interface RunningServer {
  processId: number;
  version: string;
  host: string;
  port: number;
  /** Empty, or like `/cupel`. */
  basePath: string;
  tls: boolean;
}

/**
 * For the holder of the folder's lock. A disk that takes no file does not stop
 * the server; the doctor then goes by its options.
 */
export function noteRunning(folder: string, server: RunningServer): void {
  try {
    replacePrivateFile(join(folder, SERVER_FILE), `${JSON.stringify(server)}\n`);
  } catch {
    forgetRunning(folder);
  }
}

export function forgetRunning(folder: string): void {
  for (const end of [".part", ""]) {
    try {
      rmSync(join(folder, `${SERVER_FILE}${end}`), { force: true });
    } catch {
      // It stays on a read-only disk; without the lock nobody believes it.
    }
  }
}

/** Null where there is no such file, or another one. */
export function readRunning(folder: string): RunningServer | null {
  try {
    const found = JSON.parse(readFileSync(join(folder, SERVER_FILE), "utf8")) as Partial<RunningServer> | null;
    const { processId, version, host, port, basePath, tls } = found ?? {};
    if (!Number.isInteger(processId) || !Number.isInteger(port)) return null;
    if (typeof version !== "string" || typeof host !== "string" || typeof basePath !== "string") return null;
    return { processId: processId!, version, host, port: port!, basePath, tls: tls === true };
  } catch {
    return null;
  }
}
