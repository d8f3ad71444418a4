// Faults of a damaged or unreachable database file, in words that say what to do.
import { dirname } from "node:path";
import { InputError } from "../../engine/input-error.ts";

/** Faults of the file or its disk, as SQLite and as the system names them; anything else is ours. */
const UNREACHABLE = /^(SQLITE_(CANTOPEN|READONLY|PERM|IOERR|FULL|PROTOCOL)|E(ACCES|PERM|ROFS|IO|ISDIR|NOSPC|DQUOT)$)/;

/**
 * Does `work` on the database at `path`.
 *
 * @throws InputError DATABASE_DAMAGED or DATABASE_UNREACHABLE in place of what SQLite and the system throw
 */
export function namingFault<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw faultOf(error, path);
  }
}

/** For a database that SQLite opens and finds `complaint` in. */
export function damaged(path: string, complaint: string): InputError {
  const folder = dirname(path);
  return new InputError(
    "DATABASE_DAMAGED",
    `The database ${path} is damaged (${complaint}). Nothing was changed. ` +
      `Keep a copy of the folder, look for more with: cupel doctor --data '${folder}', and put back a backup with: ` +
      `cupel restore FILE --data '${folder}' --replace`,
  );
}

function faultOf(error: unknown, path: string): unknown {
  if (!(error instanceof Error && "code" in error && typeof error.code === "string")) return error;
  const { code } = error;
  if (/^SQLITE_(NOTADB|CORRUPT)/.test(code)) return damaged(path, error.message);
  if (!UNREACHABLE.test(code)) return error;
  return new InputError(
    "DATABASE_UNREACHABLE",
    `The database ${path} cannot be used: ${error.message} (${code}). ` +
      "See that this user may read and write it, and that its disk is there and not full: " +
      `cupel doctor --data '${dirname(path)}'`,
  );
}
