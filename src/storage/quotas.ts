// Quotas: how many bytes the files of a user, and of all users, may take. Counted are files in the database and those
// that are being written.
import type { Database } from "../../data/database/database.ts";
import { totalOf, type Usage, usageOf, usageOfAll } from "../../data/usage.ts";
import { sumOf } from "../../engine/sums.ts";
import { formatCount } from "../common/format.ts";
import { AMPLE_ROOM, type StorageRoom } from "./storage-room.ts";

export const GIB = 2 ** 30;

/** Null is no limit. */
export interface StorageSettings {
  /**
   * Days until the files of a deleted refinement or dataset are removed; 0 is within minutes. Null: a dataset's within
   * minutes, a refinement's never (D56).
   */
  keepDeletedDays: number | null;
  /** Days until the input and result of a finished prediction are removed. */
  keepResultsDays: number | null;
  /** Days until events of the audit trail are removed. */
  keepAuditDays: number | null;
  quotaBytesPerUser: number | null;
  quotaBytes: number | null;
}

/** A quota is exceeded; `message` says how much is used and what would help. */
export class QuotaExceeded extends Error {
  constructor(message: string) {
    super(message);
    this.name = "QuotaExceeded";
  }
}

interface Room {
  /** Bytes of a user's files by kind. */
  used: Usage;
  quotaBytes: number | null;
  /** Bytes that the user may still add, by both quotas; null where neither is set. */
  freeBytes: number | null;
}

export interface Quotas {
  readonly settings: StorageSettings;
  /**
   * Reserves room for bytes that no row names yet; the returned function frees it. `replacing` bytes about to be freed
   * are not charged. With a quota it adds up the sizes of the files.
   *
   * @throws QuotaExceeded, or the fault of a full disk
   */
  hold(userKey: string, bytes: number, replacing?: number): () => void;
  roomOf(userKey: string): Room;
}

interface Shortage {
  whose: string;
  mostBytes: number;
  usedBytes: number;
}

/** One per process, as it knows what is under way. */
export function createQuotas(database: Database, settings: StorageSettings, room: StorageRoom = AMPLE_ROOM): Quotas {
  const { quotaBytesPerUser, quotaBytes } = settings;
  const heldBytes = new Map<string, number>();
  const heldByAll = () => sumOf([...heldBytes.values()]);
  const usedBy = (userKey: string) => totalOf(usageOf(database, userKey)) + (heldBytes.get(userKey) ?? 0);
  const usedByAll = () => usageOfAll(database) + heldByAll();
  const add = (userKey: string, bytes: number) => {
    const sum = (heldBytes.get(userKey) ?? 0) + bytes;
    if (sum === 0) heldBytes.delete(userKey);
    else heldBytes.set(userKey, sum);
  };

  function shortage(userKey: string, bytes: number): Shortage | null {
    if (quotaBytesPerUser !== null) {
      const usedBytes = usedBy(userKey);
      if (usedBytes + bytes > quotaBytesPerUser)
        return { whose: "your files", mostBytes: quotaBytesPerUser, usedBytes };
    }
    if (quotaBytes === null) return null;
    const usedBytes = usedByAll();
    if (usedBytes + bytes <= quotaBytes) return null;
    return { whose: "the files of all users of this server", mostBytes: quotaBytes, usedBytes };
  }

  return {
    settings,
    hold: (userKey, bytes, replacing = 0) => {
      room.require(bytes);
      const short = shortage(userKey, bytes - replacing);
      if (short !== null) throw new QuotaExceeded(exceededText(bytes, short, settings));
      add(userKey, bytes);
      let isHeld = true;
      return () => {
        if (isHeld) add(userKey, -bytes);
        isHeld = false;
      };
    },
    roomOf: (userKey) => {
      const free = [
        ...(quotaBytesPerUser === null ? [] : [quotaBytesPerUser - usedBy(userKey)]),
        ...(quotaBytes === null ? [] : [quotaBytes - usedByAll()]),
      ];
      const freeBytes = free.length === 0 ? null : Math.max(0, Math.min(...free));
      return { used: usageOf(database, userKey), quotaBytes: quotaBytesPerUser, freeBytes };
    },
  };
}

function exceededText(bytes: number, { whose, mostBytes, usedBytes }: Shortage, settings: StorageSettings): string {
  return (
    `This needs ${formatCount(bytes)} bytes, and ${whose} take ${formatCount(usedBytes)} of ${formatCount(mostBytes)} ` +
    `bytes. Delete models or predictions that nobody needs: their room is free at once. ${afterDelete(settings)}`
  );
}

function afterDelete({ keepDeletedDays }: StorageSettings): string {
  if (keepDeletedDays === null) {
    return "The room of deleted datasets is free some minutes later; this server keeps the files of deleted refinements.";
  }
  if (keepDeletedDays === 0) return "The room of deleted refinements and datasets is free some minutes later.";
  return `The room of deleted refinements and datasets is free ${keepDeletedDays} days later.`;
}
