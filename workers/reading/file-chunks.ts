// Files as bytes: read in chunks or whole, and written at a place.
import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  statSync,
  writeSync,
} from "node:fs";
import type { ChunkTaker } from "../../engine/csv/types.ts";
import { InputError } from "../../engine/input-error.ts";
import { neverStop, type StopSignal, throwIfCancelled } from "../../engine/stop-signal.ts";

const CHUNK_BYTES = 1 << 22;
const PIECE_BYTES = 1 << 20;

/**
 * Garbage is collected each time this much of a file became text; left to itself, the collector lets the heap grow to
 * twice what is in use. Measured on 100 MB of numbers read as text: a peak of 0.7 GB rather than 1.2, for 5% more time.
 */
const TEXT_BETWEEN_COLLECTIONS_BYTES = 1 << 23;

/**
 * Yields the file from its start. Chunks may share memory: use one before asking for the next. `isText`: whether all of
 * it becomes text, whatever the taker says. Throws InputError.
 */
export function* fileChunks(path: string, stop: StopSignal, taker: ChunkTaker, isText = false): Generator<Uint8Array> {
  const file = openForReading(path);
  try {
    const shared = new Uint8Array(CHUNK_BYTES);
    let readBytes = 0;
    let collectedAt = 0;
    for (;;) {
      throwIfCancelled(stop);
      const textBytes = isText ? readBytes : taker.textBytes;
      if (textBytes >= collectedAt + TEXT_BETWEEN_COLLECTIONS_BYTES) {
        Bun.gc(true);
        collectedAt = textBytes;
      }
      const buffer = taker.buffer ?? shared;
      const count = readSync(file, buffer, 0, buffer.length, null);
      if (count === 0) return;
      readBytes += count;
      yield buffer.subarray(0, count);
    }
  } finally {
    closeSync(file);
  }
}

/** The file in pieces of a megabyte, for a reader that may stop after the header. Throws InputError. */
export function* smallChunks(path: string, taker: ChunkTaker): Generator<Uint8Array> {
  for (const chunk of fileChunks(path, neverStop, taker)) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) yield chunk.subarray(at, at + PIECE_BYTES);
  }
}

/** A whole file. Throws InputError. */
export function readWhole(path: string): Uint8Array {
  const file = openForReading(path);
  try {
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/** Opens a file that a person named. @throws InputError in words for that person */
export function openForReading(path: string): number {
  if (isNamedPipe(path)) {
    throw new InputError(
      "NOT_A_FILE",
      `"${path}" is a named pipe, which can be read once only. Save it to a file first.`,
    );
  }
  try {
    const file = openSync(path, "r");
    if (!fstatSync(file).isDirectory()) return file;
    closeSync(file);
    throw new InputError("NOT_A_FILE", `"${path}" is a folder. Name a file in it.`);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT") throw new InputError("FILE_NOT_FOUND", `There is no file "${path}".`);
    if (code === "EACCES") throw new InputError("FILE_NOT_READABLE", `No permission to read "${path}".`);
    throw error;
  }
}

/**
 * A named pipe's writer is gone when it is opened a second time, so that would wait for ever.
 * The pipes of a shell, such as /dev/stdin and <(…), stay open.
 */
function isNamedPipe(path: string): boolean {
  if (statSync(path, { throwIfNoEntry: false })?.isFIFO() !== true) return false;
  try {
    const place = realpathSync(path);
    return !place.startsWith("/dev/") && existsSync(place);
  } catch {
    return false;
  }
}

/** Lets `use` read parts of a file by position. Throws InputError. */
export function withParts<T>(path: string, use: (readAt: FileParts["readAt"]) => T): T {
  const { readAt, close } = openParts(path);
  try {
    return use(readAt);
  } finally {
    close();
  }
}

/** A file that is read by position, until it is closed; one that takes its place in the meantime is not looked at. */
export interface FileParts {
  sizeBytes: number;
  readAt(position: number, length: number): Uint8Array;
  close(): void;
}

/** Throws InputError. */
export function openParts(path: string): FileParts {
  const file = openForReading(path);
  return {
    sizeBytes: fstatSync(file).size,
    readAt: (position, length) => {
      const bytes = new Uint8Array(Math.max(0, Math.min(length, fstatSync(file).size - position)));
      return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, position));
    },
    close: () => closeSync(file),
  };
}

/** Writes all bytes at the file's end, which may be a pipe's. */
export function writeAll(file: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
}

/** Writes all bytes, however many the system takes at a time. */
export function writeAt(file: number, bytes: Uint8Array, position: number): void {
  for (let written = 0; written < bytes.length; ) {
    written += writeSync(file, bytes, written, bytes.length - written, position + written);
  }
}
