// A full disk: the reserve lets deletes and the ends of jobs go on; work
// that takes room is refused until there is some.
import type { Database } from "../../data/database/database.ts";
import { RESERVE_BYTES, type StorageReserve } from "../../data/files/storage-reserve.ts";
import { faultFacts } from "../../workers/fault-facts.ts";

/** SQLite's codes for files that cannot grow; a quota of the system shows as a failed write. */
const NO_ROOM = /^SQLITE_(FULL|IOERR_WRITE|IOERR_SHMSIZE)$/;
/** Pages of write-ahead log before a checkpoint: few while the disk is full, so that the log stays small. */
const [CHECKPOINT_PAGES, FULL_CHECKPOINT_PAGES] = [1_000, 64];

/** The disk has no room for new work; carries the system's own code. */
class DiskFull extends Error {
  readonly code = "ENOSPC";
  constructor() {
    super("the disk has no room beside the reserve");
    this.name = "DiskFull";
  }
}

/** Whether there is room for new work. */
export interface StorageRoom {
  /** True from the first write that found no room until the reserve is kept again. */
  readonly isFull: boolean;
  /** For work that takes this many bytes: while the disk is full, they must fit beside the reserve. @throws DiskFull */
  require(bytes: number): void;
}

/** Never full. */
export const AMPLE_ROOM: StorageRoom = { isFull: false, require: () => undefined };

export function storageRoom(reserve: StorageReserve, freeBytes: () => number): StorageRoom {
  return {
    get isFull() {
      return !reserve.isKept;
    },
    require: (bytes) => {
      if (!reserve.isKept && freeBytes() < RESERVE_BYTES + bytes) throw new DiskFull();
    },
  };
}

/** The same database, whose `write` gives up a slice of the reserve where the disk is full, then tries again. */
export function withReserve(database: Database, reserve: StorageReserve): Database {
  const { client } = database;
  return {
    ...database,
    write: (work) => {
      // SQLite may roll the whole transaction back: a part of one cannot be done again.
      const isPart = client.inTransaction;
      for (;;) {
        try {
          return database.write(work);
        } catch (error) {
          if (isPart || !isWithoutRoom(error) || !reserve.release()) throw error;
        }
        client.run(`PRAGMA wal_autocheckpoint = ${FULL_CHECKPOINT_PAGES}`);
        // Restarts the log within its file and does not truncate it: something else would take the room.
        client.run("PRAGMA wal_checkpoint(RESTART)");
      }
    },
  };
}

/** Makes the reserve again once there is room for it; true where it did. */
export function restoreReserve(database: Database, reserve: StorageReserve): boolean {
  if (reserve.isKept || !reserve.restore()) return false;
  database.client.run(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  return true;
}

function isWithoutRoom(error: unknown): boolean {
  const { code, causeCode } = faultFacts(error);
  return [code, causeCode].some((known) => known !== null && NO_ROOM.test(known));
}
