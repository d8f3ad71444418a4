// The keys with which programs call the service in a user's name.
import { and, eq, gt, isNull, lt, or, sql } from "drizzle-orm";
import { type Database, perDatabase } from "./database/database.ts";
import { type Page, type Paged, pagesOf } from "./database/pages.ts";
import { apiKeys } from "./database/schema.ts";
import { findUser, type User } from "./users.ts";

export type ApiKey = typeof apiKeys.$inferSelect;

export type NewApiKey = Pick<ApiKey, "key" | "userKey" | "name" | "tokenHash" | "scopes" | "expiresOn">;

/** `lastUsedOn` is exact to the minute: not every request writes. */
export const LAST_USED_STEP_MS = 60_000;

const statements = perDatabase((orm) => {
  const ofUser = eq(apiKeys.userKey, sql.placeholder("userKey"));
  const isAlive = and(
    eq(apiKeys.tokenHash, sql.placeholder("tokenHash")),
    isNull(apiKeys.revokedOn),
    or(isNull(apiKeys.expiresOn), gt(apiKeys.expiresOn, sql.placeholder("now"))),
  );
  return {
    alive: orm.select().from(apiKeys).where(isAlive).prepare(),
    list: pagesOf(orm, orm.select().from(apiKeys).$dynamic(), apiKeys, ofUser),
  };
});

export function insertApiKey(database: Database, apiKey: NewApiKey, now: Date): ApiKey {
  return database.orm
    .insert(apiKeys)
    .values({ ...apiKey, createdOn: now.toISOString() })
    .returning()
    .get();
}

/** Null for an unknown, revoked or expired key, and for one of a disabled user. */
export function findLiveApiKey(
  database: Database,
  tokenHash: string,
  now: Date,
): { apiKey: ApiKey; user: User } | null {
  // Not by a join: see `champion` in models.ts.
  const apiKey = statements(database).alive.get({ tokenHash, now: now.toISOString() });
  const user = apiKey === undefined ? null : findUser(database, apiKey.userKey);
  return apiKey === undefined || user === null || user.disabledOn !== null ? null : { apiKey, user };
}

/** Notes the use of a key, to the minute; returns whether it wrote. */
export function markApiKeyUsed(database: Database, key: string, now: Date): boolean {
  const stepAgo = new Date(now.getTime() - LAST_USED_STEP_MS).toISOString();
  const isStale = or(isNull(apiKeys.lastUsedOn), lt(apiKeys.lastUsedOn, stepAgo));
  const changed = database.orm
    .update(apiKeys)
    .set({ lastUsedOn: now.toISOString() })
    .where(and(eq(apiKeys.key, key), isStale))
    .returning({ key: apiKeys.key });
  return changed.get() !== undefined;
}

/** Newest first, revoked ones too. */
export function listApiKeys(database: Database, userKey: string, page: Page): Paged<ApiKey> {
  return statements(database).list({ userKey }, page);
}

/** Idempotent, the first date stays; false where the user has no such key. */
export function revokeApiKey(database: Database, userKey: string, key: string, now: Date): boolean {
  const changed = database.orm
    .update(apiKeys)
    .set({ revokedOn: sql`coalesce(${apiKeys.revokedOn}, ${now.toISOString()})` })
    .where(and(eq(apiKeys.key, key), eq(apiKeys.userKey, userKey)))
    .returning({ key: apiKeys.key });
  return changed.get() !== undefined;
}
