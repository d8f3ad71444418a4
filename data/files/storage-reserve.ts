// Room kept back on the disk: a file that is given up slice by slice once the disk is full, so that deletes and the ends of
// jobs can be written.
import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, openSync, rmSync, statSync, truncateSync, writeSync } from "node:fs";
import { join } from "node:path";
import { flushToDisk } from "./private-file.ts";
import { freeBytesOf } from "./state-folder.ts";

export const RESERVE_FILE = "cupel.reserve";
const KIB = 1024;
export const RESERVE_BYTES = 4 * KIB * KIB;
/** One slice: room for a write and its checkpoint. Whatever fills the disk may take the rest of it. */
const SLICE_BYTES = 256 * KIB;
/** Below this, opening the database may fail: it needs files of its own beside it. */
const LEAST_START_BYTES = 512 * KIB;

export interface StorageReserve {
  /** False from when the first slice was given up until there is room for all of it again. */
  readonly isKept: boolean;
  /** Gives a slice up; false where there is none left. */
  release(): boolean;
  /** Makes it whole again where the disk has room for it and as much beside it; true where it is whole then. */
  restore(): boolean;
}

/**
 * Call it under the folder's lock, before anything else is opened there. On a full disk it gives up as much as a start needs.
 * `freeBytes` asks the disk.
 */
export function openReserve(folder: string, freeBytes: () => number = () => freeBytesOf(folder)): StorageReserve {
  const path = join(folder, RESERVE_FILE);
  const sizeOf = () => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  let isKept = sizeOf() === RESERVE_BYTES;
  const reserve: StorageReserve = {
    get isKept() {
      return isKept;
    },
    release: () => {
      const size = sizeOf();
      if (size > 0) {
        try {
          truncateSync(path, Math.max(0, size - SLICE_BYTES));
        } catch {
          // A disk that is read only gives nothing back either.
          return false;
        }
      }
      isKept = false;
      return size > 0;
    },
    restore: () => {
      if (!isKept && freeBytes() + sizeOf() >= 2 * RESERVE_BYTES) isKept = fill(path);
      return isKept;
    },
  };
  reserve.restore();
  while (freeBytes() < LEAST_START_BYTES && reserve.release());
  return reserve;
}

/** False where the disk does not take the file, whatever room it reports. The bytes are random: some disks compress others. */
function fill(path: string): boolean {
  try {
    const file = openSync(path, "w", 0o600);
    try {
      const bytes = randomBytes(RESERVE_BYTES);
      for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    flushToDisk(join(path, ".."));
    return true;
  } catch {
    try {
      rmSync(path, { force: true });
    } catch {
      // The next try finds it too short.
    }
    return false;
  }
}
