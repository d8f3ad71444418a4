// Which faults are those of a disk that takes nothing more, or nothing at all, rather than ours: they pass, and so may be waited for.
import { faultFacts } from "../../workers/fault-facts.ts";

export type StorageFault = "STORAGE_FULL" | "STORAGE_READ_ONLY" | "STORAGE_FAILING" | "TOO_MANY_FILES";

/** As the system and SQLite name them. A quota and a largest size of a file are ends of a disk too. */
const KINDS: readonly (readonly [StorageFault, RegExp])[] = [
  ["STORAGE_FULL", /^(ENOSPC|EDQUOT|EFBIG|SQLITE_FULL)$/],
  ["STORAGE_READ_ONLY", /^(EROFS|EACCES|EPERM|SQLITE_READONLY\w*|SQLITE_PERM)$/],
  ["TOO_MANY_FILES", /^(EMFILE|ENFILE)$/],
  ["STORAGE_FAILING", /^(EIO|SQLITE_IOERR\w*|SQLITE_CANTOPEN\w*)$/],
];

/** What is told of each: what is wrong and what to do. */
export const STORAGE_WORDS: Readonly<Record<StorageFault, string>> = {
  STORAGE_FULL: "The server's disk is full.",
  STORAGE_READ_ONLY: "The server may not write to its disk.",
  STORAGE_FAILING: "The server's disk fails.",
  TOO_MANY_FILES: "The server has as many files open as its system allows.",
};

/** What `write` gives; null where a disk is at fault, for what can be done another time. */
export function unlessDisk<T>(write: () => T): T | null {
  try {
    return write();
  } catch (fault) {
    if (storageFault(fault) === null) throw fault;
    return null;
  }
}

/** Null for any other fault. Also of faults in a worker, and of those that the query builder wraps. */
export function storageFault(fault: unknown): StorageFault | null {
  const { code, causeCode } = faultFacts(fault);
  for (const known of [code, causeCode]) {
    const found = known === null ? undefined : KINDS.find(([, pattern]) => pattern.test(known));
    if (found !== undefined) return found[0];
  }
  return null;
}
