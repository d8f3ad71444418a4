// Files that only the user who runs the program may read.
import { chmodSync, closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes an empty file of mode 0600, or gives an existing one this mode without opening it: closing any handle would
 * release the locks that the process holds on the file, those of SQLite too.
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

/** Writes a small file of mode 0600. After a crash it is the old one or the new one. */
export function replacePrivateFile(path: string, text: string): void {
  const temporary = `${path}.part`;
  rmSync(temporary, { force: true });
  const file = openSync(temporary, "wx", 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
  flushToDisk(dirname(path));
}
