// Files that only the user who runs the program may read.
import { chmodSync, closeSync, fsyncSync, openSync } from "node:fs";

/**
 * Makes an empty file of mode 0600, or gives the one that is there this mode. What is there is not opened: closing any
 * handle of a file lets go of the locks that the process holds on it, those of SQLite too.
 */
export function makePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, "ax", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    chmodSync(path, 0o600);
  }
}

/** Waits until a file's content, or a folder's names, are on the disk. */
export function flushToDisk(path: string): void {
  const handle = openSync(path, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
