// The people who may use the service.
import { and, asc, count, eq, gte, isNull, like, lt, notLike, sql } from "drizzle-orm";
import { type Database, perDatabase } from "./database/database.ts";
import { nameHas, type Page, type Paged, type Searched } from "./database/pages.ts";
import { users } from "./database/schema.ts";

export type User = typeof users.$inferSelect;

export const MOST_EMAIL_CHARACTERS = 254;
/** Finds typing errors; only a message to the address would show whether it exists. */
export const EMAIL_FORM = /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u;

export type NewUser = Pick<User, "key" | "email" | "passwordHash" | "role">;

/** Every address has an @, and no name of a removed user does. */
const isAccount = and(like(users.email, "%@%"), nameHas(users.email));

/** Replaces the address of a removed user; it has no @, so nobody can be added or log in under it. */
export const REMOVED_PREFIX = "removed-";

/** The index of addresses finds them: an address of an account may begin so too. */
export const hasRemovedName = and(
  gte(users.email, REMOVED_PREFIX),
  lt(users.email, `${REMOVED_PREFIX}\u{10ffff}`),
  notLike(users.email, "%@%"),
);

const statements = perDatabase((orm) => ({
  byKey: orm
    .select()
    .from(users)
    .where(eq(users.key, sql.placeholder("key")))
    .prepare(),
  byEmail: orm
    .select()
    .from(users)
    .where(eq(users.email, sql.placeholder("email")))
    .prepare(),
}));

/** Null where the e-mail address is taken, in whatever case. */
export function insertUser(database: Database, user: NewUser, now: Date): User | null {
  const row = { ...user, email: normaliseEmail(user.email), createdOn: now.toISOString() };
  return database.orm.insert(users).values(row).onConflictDoNothing({ target: users.email }).returning().get() ?? null;
}

/** Disabled ones too: look at `disabledOn`. */
export function findUser(database: Database, key: string): User | null {
  return statements(database).byKey.get({ key }) ?? null;
}

/** Disabled ones too: look at `disabledOn`. */
export function findUserByEmail(database: Database, email: string): User | null {
  return statements(database).byEmail.get({ email: normaliseEmail(email) }) ?? null;
}

/** In order of creation, without removed users. Reads all rows, which are few. */
export function listUsers(database: Database, { offset, limit, search = "" }: Page & Searched): Paged<User> {
  const { orm } = database;
  const items = orm.select().from(users).where(isAccount).orderBy(asc(users.id)).limit(limit).offset(offset);
  const total = orm.select({ total: count() }).from(users).where(isAccount);
  return { items: items.prepare().all({ search }), total: total.prepare().get({ search })!.total };
}

export function countUsers(database: Database): number {
  return database.orm.select({ total: count() }).from(users).get()!.total;
}

export function hasAdministrator(database: Database): boolean {
  return (
    database.orm.select({ key: users.key }).from(users).where(eq(users.role, "admin")).limit(1).get() !== undefined
  );
}

/** Whether this is an administrator who may log in, and no other may. */
export function isLastAdministrator(database: Database, key: string): boolean {
  const mayLogIn = and(eq(users.role, "admin"), isNull(users.disabledOn));
  const able = database.orm.select({ key: users.key }).from(users).where(mayLogIn).limit(2).all();
  return able.length === 1 && able[0]!.key === key;
}

/** False where there is no such user. */
export function setPasswordHash(database: Database, key: string, passwordHash: string): boolean {
  return change(database, key, { passwordHash });
}

/** Stores the same password with a new hash. Null if the password was changed meanwhile. */
export function renewPasswordHash(database: Database, { key, passwordHash }: User, renewed: string): User | null {
  const isAsBefore = and(eq(users.key, key), eq(users.passwordHash, passwordHash));
  return database.orm.update(users).set({ passwordHash: renewed }).where(isAsBefore).returning().get() ?? null;
}

/**
 * Keeps the user's things, and the date where already disabled. Earlier tokens stay ended if the user is enabled again.
 */
export function disableUser(database: Database, key: string, now: Date): boolean {
  const disabledOn = sql<string>`coalesce(${users.disabledOn}, ${now.toISOString()})`;
  const changed = database.orm
    .update(users)
    .set({ disabledOn, credentialNumber: sql`${users.credentialNumber} + 1` })
    .where(eq(users.key, key))
    .returning({ key: users.key });
  return changed.get() !== undefined;
}

export function enableUser(database: Database, key: string): boolean {
  return change(database, key, { disabledOn: null });
}

function change(database: Database, key: string, values: Partial<User>): boolean {
  return (
    database.orm.update(users).set(values).where(eq(users.key, key)).returning({ key: users.key }).get() !== undefined
  );
}

function normaliseEmail(email: string): string {
  return email.trim().toLowerCase();
}
