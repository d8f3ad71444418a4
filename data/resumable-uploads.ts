// Files that arrive in pieces (D116): begun, continued, completed or given up; and what files to predict are for.
//
// A row says how many bytes are acknowledged. They are flushed to the disk before the row says so; whatever the file
// has beyond them is written again.
import { and, eq, isNull, lt, lte, or, sql } from "drizzle-orm";
import type { Database } from "./database/database.ts";
import { datasets } from "./database/schema.ts";
import { predictionUploads, resumableUploads } from "./database/upload-schema.ts";

export type ResumableUpload = typeof resumableUploads.$inferSelect;
export type PredictionUpload = typeof predictionUploads.$inferSelect;

export type NewResumable = Pick<ResumableUpload, "key" | "resourceKey" | "kind" | "userKey" | "sizeBytes"> & {
  expiresOn: Date;
};

const isOpen = isNull(resumableUploads.completedOn);

/**
 * Replaces what was unfinished for the same file; returns its key, whose bytes can be removed,
 * or null. What the file is for waits for it as long as the upload lives. What `requireRoom`
 * throws, once the replaced one takes no room, undoes all of it.
 */
export function insertResumable(
  database: Database,
  { expiresOn, ...upload }: NewResumable,
  now: Date,
  requireRoom: () => void = () => undefined,
): { key: string | null } {
  return database.write(() => {
    const { resourceKey, kind } = resumableUploads;
    const [replaced] = database.orm
      .delete(resumableUploads)
      .where(and(eq(resourceKey, upload.resourceKey), eq(kind, upload.kind), isOpen))
      .returning({ key: resumableUploads.key })
      .all();
    requireRoom();
    const times = { createdOn: now.toISOString(), expiresOn: expiresOn.toISOString() };
    database.orm
      .insert(resumableUploads)
      .values({ ...upload, ...times, receivedBytes: 0 })
      .run();
    waitFor(database, upload, times.expiresOn);
    return { key: replaced?.key ?? null };
  });
}

/** Completed ones too, until they expire; null where there is none, or it has expired. */
export function findResumable(database: Database, key: string, now: Date): ResumableUpload | null {
  const found = database.orm.select().from(resumableUploads).where(eq(resumableUploads.key, key)).get();
  return found === undefined || found.expiresOn <= now.toISOString() ? null : found;
}

/** Acknowledges bytes that are on the disk. False where the upload was given up, replaced or completed. */
export function acknowledgeBytes(database: Database, key: string, receivedBytes: number): boolean {
  const isThis = and(eq(resumableUploads.key, key), isOpen);
  return update(database, isThis, { receivedBytes });
}

/** For use inside the write that stores the file. False where the upload was given up, replaced or completed. */
export function completeResumable(database: Database, key: string, now: Date): boolean {
  const completed = { receivedBytes: sql`${resumableUploads.sizeBytes}`, completedOn: now.toISOString() };
  return update(database, and(eq(resumableUploads.key, key), isOpen), completed);
}

/** Its bytes can be removed where it was not completed. */
export function deleteResumable(database: Database, key: string): void {
  database.orm.delete(resumableUploads).where(eq(resumableUploads.key, key)).run();
}

/** Keys of all that are not completed. */
export function listUnfinished(database: Database): string[] {
  const keys = database.orm.select({ key: resumableUploads.key }).from(resumableUploads).where(isOpen).all();
  return keys.map(({ key }) => key);
}

/** Drops what has expired or is for something deleted; returns the keys of those whose bytes can be removed. */
export function releaseUploads(database: Database, now: Date): string[] {
  return database.write(() => {
    const isOfDeleted = sql`${isOpen} AND (
      ${resumableUploads.resourceKey} IN (SELECT key FROM datasets WHERE deletedOn IS NOT NULL) OR
      ${resumableUploads.resourceKey} IN (SELECT key FROM refinements WHERE deletedOn IS NOT NULL))`;
    const released = database.orm
      .delete(resumableUploads)
      .where(or(lte(resumableUploads.expiresOn, now.toISOString()), isOfDeleted))
      .returning({ key: resumableUploads.key, completedOn: resumableUploads.completedOn })
      .all();
    database.orm.delete(predictionUploads).where(lte(predictionUploads.expiresOn, now.toISOString())).run();
    return released.filter(({ completedOn }) => completedOn === null).map(({ key }) => key);
  });
}

export function insertPredictionUpload(
  database: Database,
  { expiresOn, ...asked }: Omit<PredictionUpload, "expiresOn"> & { expiresOn: Date },
): void {
  database.orm
    .insert(predictionUploads)
    .values({ ...asked, expiresOn: expiresOn.toISOString() })
    .run();
}

/** Keeps its address valid until `expiresOn`; false if the user has no such upload, or the file has come. */
export function renewPredictionUpload(database: Database, userKey: string, key: string, expiresOn: Date): boolean {
  const { key: ofKey, userKey: ofUser } = predictionUploads;
  const isOwn = and(eq(ofKey, key), eq(ofUser, userKey));
  const until = sql`max(${predictionUploads.expiresOn}, ${expiresOn.toISOString()})`;
  return database.orm.update(predictionUploads).set({ expiresOn: until }).where(isOwn).returning().all().length > 0;
}

/** Null for an unknown key, and once the file is there. */
export function findPredictionUpload(database: Database, key: string): PredictionUpload | null {
  return database.orm.select().from(predictionUploads).where(eq(predictionUploads.key, key)).get() ?? null;
}

/** For use inside the write that makes the prediction. False where another file came first. */
export function deletePredictionUpload(database: Database, key: string): boolean {
  const deleted = database.orm.delete(predictionUploads).where(eq(predictionUploads.key, key)).returning().all();
  return deleted.length > 0;
}

/** Expiries only ever move on. */
function waitFor(database: Database, { resourceKey, kind }: Pick<NewResumable, "resourceKey" | "kind">, until: string) {
  if (kind === "DATASET") {
    const isSooner = and(eq(datasets.key, resourceKey), lt(datasets.uploadExpiresOn, until));
    database.orm.update(datasets).set({ uploadExpiresOn: until }).where(isSooner).run();
  }
  if (kind === "PREDICTION") {
    const isSooner = and(eq(predictionUploads.key, resourceKey), lt(predictionUploads.expiresOn, until));
    database.orm.update(predictionUploads).set({ expiresOn: until }).where(isSooner).run();
  }
}

function update(
  database: Database,
  where: ReturnType<typeof and>,
  values: Parameters<ReturnType<Database["orm"]["update"]>["set"]>[0],
): boolean {
  return database.orm.update(resumableUploads).set(values).where(where).returning().all().length > 0;
}
