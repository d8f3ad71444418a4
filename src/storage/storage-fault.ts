// Recognises faults of the disk (full, read-only, failing), after which work may wait for better times.
import { faultFacts } from "../../workers/fault-facts.ts";

export type StorageFault = "STORAGE_FULL" | "STORAGE_READ_ONLY" | "STORAGE_FAILING" | "TOO_MANY_FILES";

/** Codes of the system and of SQLite. A disk quota and a limit on file sizes count as a full disk. */
const KINDS: readonly (readonly [StorageFault, RegExp])[] = [
  ["STORAGE_FULL", /^(ENOSPC|EDQUOT|EFBIG|SQLITE_FULL)$/],
  ["STORAGE_READ_ONLY", /^(EROFS|EACCES|EPERM|SQLITE_READONLY\w*|SQLITE_PERM)$/],
  ["TOO_MANY_FILES", /^(EMFILE|ENFILE)$/],
  ["STORAGE_FAILING", /^(EIO|SQLITE_IOERR\w*|SQLITE_CANTOPEN\w*)$/],
];

export const STORAGE_WORDS: Readonly<Record<StorageFault, string>> = {
  STORAGE_FULL: "The server's disk is full.",
  STORAGE_READ_ONLY: "The server may not write to its disk.",
  STORAGE_FAILING: "The server's disk fails.",
  TOO_MANY_FILES: "The server has as many files open as its system allows.",
};

/** The result of `write`, or null where the disk is at fault: for writes that can be done later. */
export function unlessDisk<T>(write: () => T): T | null {
  try {
    return write();
  } catch (fault) {
    if (storageFault(fault) === null) throw fault;
    return null;
  }
}

/** The kind of a disk fault, also where a worker or the query builder has wrapped it; null for any other fault. */
export function storageFault(fault: unknown): StorageFault | null {
  const { code, causeCode } = faultFacts(fault);
  for (const known of [code, causeCode]) {
    const found = known === null ? undefined : KINDS.find(([, pattern]) => pattern.test(known));
    if (found !== undefined) return found[0];
  }
  return null;
}
