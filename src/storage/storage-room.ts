// A full disk: what makes room and what ends goes on, by the reserve; what takes room is refused until there is some again.
import type { Database } from "../../data/database/database.ts";
import { RESERVE_BYTES, type StorageReserve } from "../../data/files/storage-reserve.ts";
import { faultFacts } from "../../workers/fault-facts.ts";

/** As SQLite says that its files cannot grow: a quota of the system's is told as a failing write. */
const NO_ROOM = /^SQLITE_(FULL|IOERR_WRITE|IOERR_SHMSIZE)$/;
/** Pages after which the log of writes is taken into the database: few while the disk is full, so that the log stays small. */
const [CHECKPOINT_PAGES, FULL_CHECKPOINT_PAGES] = [1_000, 64];

/** The disk has no room for work that takes some; told to clients and jobs as the system's own fault is. */
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
  /** For work that takes so many bytes. While the disk is full, they must fit beside the reserve. @throws DiskFull */
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

/** The same database, whose `write` gives up of the reserve where the disk is full, and is then done once more. */
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
        // The log begins anew in the room that it has, and is not made shorter: something else would take what it gives back.
        client.run("PRAGMA wal_checkpoint(RESTART)");
      }
    },
  };
}

/** Makes the reserve again where it was given up and there is room; true where it has come to that. */
export function restoreReserve(database: Database, reserve: StorageReserve): boolean {
  if (reserve.isKept || !reserve.restore()) return false;
  database.client.run(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  return true;
}

function isWithoutRoom(error: unknown): boolean {
  const { code, causeCode } = faultFacts(error);
  return [code, causeCode].some((known) => known !== null && NO_ROOM.test(known));
}
