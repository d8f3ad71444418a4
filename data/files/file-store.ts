// Files that are whole or missing: written beside their place, flushed to the disk, then moved in.
import { randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** A file at its place. */
export interface StoredFile {
  path: string;
  sizeBytes: number;
  /** Hexadecimal. */
  sha256: string;
}

/** Writes a file so that a crash leaves the old one or the new one, never a part. */
export async function writeWhole(path: string, content: Uint8Array | string): Promise<void> {
  await placeWhole(path, async (temporary) => {
    const file = await open(temporary, "wx");
    try {
      await file.writeFile(content);
    } finally {
      await file.close();
    }
  });
}

/**
 * Lets `write` fill a temporary file beside `path` and moves it into place
 * once it is on the disk; removes it on a failure.
 */
export async function placeWhole<T>(path: string, write: (temporary: string) => Promise<T>): Promise<T> {
  const temporary = join(dirname(path), `.${basename(path).slice(0, 100)}.${randomUUID()}.part`);
  try {
    const result = await write(temporary);
    await flush(temporary);
    await rename(temporary, path);
    await flush(dirname(path));
    return result;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Makes a folder and its missing parents. */
export async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true });
}

/** Puts a file's bytes, or the names in a folder, on the disk. */
export async function flush(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Writes all bytes at the file's position: one call may take fewer. */
export async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    written += (await handle.write(bytes, written, bytes.length - written)).bytesWritten;
  }
}
