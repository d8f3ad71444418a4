// The files of refinements: uploads and reduced tables. They can be downloaded by key after a delete, too.
import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { type Database, perDatabase } from "../database/database.ts";
import { type FileKind, refinementFiles, refinements } from "../database/schema.ts";
import { FILE_KINDS } from "../database/states.ts";
import type { StoredFile } from "../files/file-store.ts";

export type RefinementFile = typeof refinementFiles.$inferSelect;

export interface StoredUpload {
  /** The file of an earlier upload, which can be removed; null where there was none. */
  replacedPath: string | null;
}

const statements = perDatabase((orm) => ({
  owned: orm
    .select({ file: refinementFiles })
    .from(refinementFiles)
    .innerJoin(refinements, eq(refinements.key, refinementFiles.refinementKey))
    .where(
      and(
        eq(refinementFiles.refinementKey, sql.placeholder("key")),
        eq(refinementFiles.kind, sql.placeholder("kind")),
        eq(refinementFiles.purpose, sql.placeholder("purpose")),
        eq(refinements.userKey, sql.placeholder("userKey")),
      ),
    )
    .prepare(),
  all: orm
    .select()
    .from(refinementFiles)
    .where(eq(refinementFiles.refinementKey, sql.placeholder("key")))
    .prepare(),
}));

/** Whether an upload would be stored: until the refinement is started. Asked before the body is read. */
export function takesRefinementUpload(database: Database, key: string): boolean {
  const found = database.orm
    .select({ state: refinements.state, queuedOn: refinements.queuedOn })
    .from(refinements)
    .where(and(eq(refinements.key, key), isNull(refinements.deletedOn)))
    .get();
  return found !== undefined && found.state === "PENDING" && found.queuedOn === null;
}

/**
 * Stores an upload; a second one replaces the first until the refinement is started (D33). Null where it came too late.
 */
export function storeRefinementUpload(
  database: Database,
  key: string,
  kind: FileKind,
  file: StoredFile,
  now: Date,
): StoredUpload | null {
  return database.write(() => {
    if (!takesRefinementUpload(database, key)) return null;
    const earlier = listRefinementFiles(database, key).find((known) => known.kind === kind);
    putRefinementFile(database, key, kind, "UPLOAD", file, now);
    const replacedPath = earlier === undefined || earlier.path === file.path ? null : earlier.path;
    return { replacedPath };
  });
}

/** Sets a file of a refinement. For use inside a write that has checked its state. */
export function putRefinementFile(
  database: Database,
  key: string,
  kind: FileKind,
  purpose: RefinementFile["purpose"],
  { path, sizeBytes, sha256 }: StoredFile,
  now: Date,
): void {
  const content = { path, sizeBytes, sha256, createdOn: now.toISOString() };
  database.orm
    .insert(refinementFiles)
    .values({ refinementKey: key, kind, purpose, ...content })
    .onConflictDoUpdate({
      target: [refinementFiles.refinementKey, refinementFiles.kind, refinementFiles.purpose],
      set: content,
    })
    .run();
}

/** Also after the refinement was deleted (4.2, rule 2). Null for an unknown or foreign refinement, or no such file. */
export function findRefinementFile(
  database: Database,
  userKey: string,
  key: string,
  kind: FileKind,
  purpose: RefinementFile["purpose"],
): RefinementFile | null {
  return statements(database).owned.get({ userKey, key, kind, purpose })?.file ?? null;
}

/** Whether a missing result file was removed: the user's refinement had files and was deleted. */
export function hadRefinementFiles(database: Database, userKey: string, key: string): boolean {
  const isDeleted = and(
    eq(refinements.key, key),
    eq(refinements.userKey, userKey),
    isNotNull(refinements.deletedOn),
    isNotNull(refinements.result),
  );
  return database.orm.select({ key: refinements.key }).from(refinements).where(isDeleted).get() !== undefined;
}

/** TRAIN before TEST, uploads and results, whoever the owner. */
export function listRefinementFiles(database: Database, key: string): RefinementFile[] {
  return statements(database)
    .all.all({ key })
    .sort((left, right) => right.kind.localeCompare(left.kind) || right.purpose.localeCompare(left.purpose));
}

export function missingUploads(database: Database, key: string): FileKind[] {
  const uploads = listRefinementFiles(database, key).filter(({ purpose }) => purpose === "UPLOAD");
  return FILE_KINDS.filter((kind) => !uploads.some((file) => file.kind === kind));
}
