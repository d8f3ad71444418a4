// Removes an account for good, though its models and jobs may still be in use.

import { SQLiteError } from "bun:sqlite";
import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import type { Database } from "../../data/database/database.ts";
import { apiKeys, keptAnswers, users } from "../../data/database/schema.ts";
import { endJobsOf } from "../../data/jobs/end-jobs.ts";
import { REMOVED_PREFIX, type User } from "../../data/users.ts";

export function isRemoved({ email }: User): boolean {
  return email.startsWith(REMOVED_PREFIX) && !email.includes("@");
}

/**
 * Ends an account: its tokens and API keys fail from the next request on, and its address may be
 * added again. Its jobs end. If it owns something, a nameless, disabled row stays as the owner; housekeeping
 * deletes its things. One short transaction, safe beside the server.
 *
 * @param unusableHash the hash of a password that nobody has
 */
export function removeUser(database: Database, key: string, unusableHash: string, now: Date): "gone" | "nameless" {
  return database.write(() => {
    endJobsOf(database, key, now);
    database.orm.delete(apiKeys).where(eq(apiKeys.userKey, key)).run();
    database.orm.delete(keptAnswers).where(eq(keptAnswers.userKey, key)).run();
    try {
      database.orm.delete(users).where(eq(users.key, key)).run();
      return "gone";
    } catch (error) {
      if (!isReferredTo(error)) throw error;
    }
    const nameless = {
      email: `${REMOVED_PREFIX}${randomUUID()}`,
      passwordHash: unusableHash,
      role: "user",
      disabledOn: now.toISOString(),
    } as const;
    database.orm.update(users).set(nameless).where(eq(users.key, key)).run();
    return "nameless";
  });
}

/** Drizzle wraps the errors of SQLite. */
function isReferredTo(error: unknown): boolean {
  const cause = error instanceof Error && error.cause instanceof SQLiteError ? error.cause : error;
  return cause instanceof SQLiteError && cause.code === "SQLITE_CONSTRAINT_FOREIGNKEY";
}
