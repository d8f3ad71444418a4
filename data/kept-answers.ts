// Answers that are kept for repeats of a request with the same Idempotency-Key (D115).
import { and, count, eq, gt, min, sql } from "drizzle-orm";
import type { Database } from "./database/database.ts";
import { keptAnswers } from "./database/schema.ts";

/** All its texts are hashed or encrypted by the caller. */
export type KeptAnswer = typeof keptAnswers.$inferSelect;

/** Null where there is none after `since`. */
export function findKeptAnswer(database: Database, userKey: string, keyHash: string, since: Date): KeptAnswer | null {
  const isIt = and(eq(keptAnswers.userKey, userKey), eq(keptAnswers.keyHash, keyHash));
  const isYoung = gt(keptAnswers.createdOn, since.toISOString());
  return database.orm.select().from(keptAnswers).where(and(isIt, isYoung)).get() ?? null;
}

/** How many a user has after `since`, and when the oldest of them was kept. */
export function countKeptAnswers(
  database: Database,
  userKey: string,
  since: Date,
): { total: number; oldestOn: string | null } {
  const isYoung = gt(keptAnswers.createdOn, since.toISOString());
  return database.orm
    .select({ total: count(), oldestOn: min(keptAnswers.createdOn) })
    .from(keptAnswers)
    .where(and(eq(keptAnswers.userKey, userKey), isYoung))
    .get()!;
}

/** For use inside the write that makes what the answer tells. Replaces one of the same key that is too old to count. */
export function insertKeptAnswer(
  database: Database,
  { createdOn, ...row }: Omit<KeptAnswer, "createdOn"> & { createdOn: Date },
): void {
  const values = { ...row, createdOn: createdOn.toISOString() };
  const target = [keptAnswers.userKey, keptAnswers.keyHash];
  database.orm.insert(keptAnswers).values(values).onConflictDoUpdate({ target, set: values }).run();
}

/** Removes at most `most` answers kept until `time`, so that other writers get their turn; returns how many. */
export function removeKeptAnswers(database: Database, time: Date, most: number): number {
  return database.write(() => {
    const old = sql`SELECT rowid FROM ${keptAnswers} WHERE ${keptAnswers.createdOn} <= ${time.toISOString()} LIMIT ${most}`;
    database.orm.delete(keptAnswers).where(sql`rowid IN (${old})`).run();
    return database.client.query<{ removed: number }, []>("SELECT changes() AS removed").get()!.removed;
  });
}
