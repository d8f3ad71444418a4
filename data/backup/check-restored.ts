// Checks that an unpacked backup is a state that a server may work in, whoever made it.
import { Database as Client } from "bun:sqlite";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../engine/input-error.ts";
import { DATABASE_FILE } from "../database/database.ts";
import { requireSound } from "../database/database-check.ts";
import { databaseForm } from "../database/migrate.ts";
import type { StoredFile } from "../files/file-store.ts";
import { type NamedFile, namedFiles } from "../files/named-files.ts";
import { listOrphans } from "../files/orphans.ts";
import { isStatePath } from "../files/state-folder.ts";

/** By the code of the error that opening or checking a database throws. */
const REASONS: Record<string, string> = {
  DATABASE_TOO_NEW: "it was made by a newer version of this program: use that one",
  DATABASE_ALTERED: "it was made by a version of this program that was never released",
  DATABASE_FOREIGN: "its database is of another program",
  DATABASE_DAMAGED: "its database is damaged",
};

/**
 * The hashes show that the backup is unaltered, not who made it: a row with a path out of the
 * folder would make the server read and remove files there. Removes files that no row names.
 * Returns the paths of files that are missing or differ from their rows.
 *
 * @param files by path, as the backup lists them
 * @throws InputError BACKUP_UNUSABLE
 */
export function checkRestored(folder: string, files: ReadonlyMap<string, StoredFile>, backupPath: string): string[] {
  if (!files.has(DATABASE_FILE)) throw unusable(backupPath, "it holds no database");
  const path = join(folder, DATABASE_FILE);
  const client = new Client(path, { readonly: true, strict: true });
  try {
    requireSound(client, path, "full");
    if (databaseForm(client, path).form === 0) throw unusable(backupPath, "its database is empty");
    const named = [...namedFiles(client)];
    if (!named.every((file) => isStatePath(file.path))) throw new RangeError("a path that leads elsewhere");
    for (const orphan of listOrphans(client, folder)) rmSync(join(folder, orphan.path));
    return named.filter((file) => file.isRequired && !isAsNamed(file, files)).map((file) => file.path);
  } catch (error) {
    if (error instanceof RangeError) throw unusable(backupPath, "its database names files that no state folder has");
    const reason = error instanceof InputError ? REASONS[error.code] : undefined;
    throw reason === undefined ? error : unusable(backupPath, reason);
  } finally {
    client.close();
  }
}

/** Whether a file is there, with the size and hash of its row where the row has them. */
export function isAsNamed({ path, sizeBytes, sha256 }: NamedFile, files: ReadonlyMap<string, StoredFile>): boolean {
  const file = files.get(path);
  if (file === undefined) return false;
  return file.sizeBytes === (sizeBytes ?? file.sizeBytes) && file.sha256 === (sha256 ?? file.sha256);
}

function unusable(path: string, reason: string): InputError {
  return new InputError("BACKUP_UNUSABLE", `The backup ${path} cannot be used: ${reason}. Nothing was changed.`);
}
