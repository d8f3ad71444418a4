// A file that reserves room on the disk. Once the disk is full it is given up slice by
// slice, so that deletes and the ends of jobs can be written.
import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, openSync, rmSync, statSync, truncateSync, writeSync } from "node:fs";
import { join } from "node:path";
import { flushToDisk } from "./private-file.ts";
import { freeBytesOf } from "./state-folder.ts";

export const RESERVE_FILE = "cupel.reserve";
const KIB = 1024;
export const RESERVE_BYTES = 4 * KIB * KIB;
/** Room for one write and its checkpoint. */
const SLICE_BYTES = 256 * KIB;
/** With less, opening the database may fail, which needs companion files. */
const LEAST_START_BYTES = 512 * KIB;

export interface StorageReserve {
  /** False from the first slice given up until the reserve is whole again. */
  readonly isKept: boolean;
  /** Gives up a slice; false where none is left. */
  release(): boolean;
  /** Makes it whole again if the disk has room for twice as much; returns whether it is whole. */
  restore(): boolean;
}

/**
 * Call it under the folder's lock, before anything else is opened there. On a
 * full disk it gives up as much as a start needs.
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
          // A read-only disk gives nothing back either.
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

/** False if the disk does not take the file. The bytes are random: some disks compress others. */
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
