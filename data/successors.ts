// Successors: asked for, found, listed, deleted; for their flow claimed, taken from
// step to step, failed, and recovered after a restart.
import { and, eq, isNull, or, sql } from "drizzle-orm";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import { claimNext, type Recovery, recoverJobs } from "./database/claims.ts";
import { type Database, perDatabase } from "./database/database.ts";
import { type Page, type Paged, pagesOf } from "./database/pages.ts";
import { datasets, trainingJobs } from "./database/schema.ts";
import { MOST_RESTARTS, RESTARTED_TOO_OFTEN } from "./database/states.ts";
import { successors } from "./database/successor-schema.ts";

export type Successor = typeof successors.$inferSelect;

export type NewSuccessor = Pick<
  Successor,
  | "key"
  | "userKey"
  | "firstModelKey"
  | "championKey"
  | "championVersion"
  | "promote"
  | "sources"
  | "sourceDatasetKey"
  | "oldRows"
>;

/** The columns that a step changes; the status is the next one. */
export type SuccessorStep = Pick<Successor, "status"> &
  Partial<Omit<Successor, "id" | "key" | "userKey" | "createdOn" | "status">>;

const ENDED = sql`${successors.status} IN ('COMPLETED', 'FAILED', 'CANCELLED')`;

const statements = perDatabase((orm) => {
  const isKey = eq(successors.key, sql.placeholder("key"));
  const isOwned = and(isKey, eq(successors.userKey, sql.placeholder("userKey")), isNull(successors.deletedOn));
  const isOfUser = eq(successors.userKey, sql.placeholder("userKey"));
  const isOfLine = and(
    eq(successors.firstModelKey, sql.placeholder("firstModelKey")),
    isOfUser,
    isNull(successors.deletedOn),
  );
  const isRead = sql`${successors.status} = 'READING' AND (${datasets.status} IN ('COMPLETED', 'FAILED') OR ${datasets.deletedOn} IS NOT NULL)`;
  const isTrained = sql`${successors.status} = 'TRAINING' AND ${trainingJobs.status} NOT IN ('PENDING', 'RUNNING')`;
  return {
    of: orm.select().from(successors).where(isKey).prepare(),
    owned: orm.select().from(successors).where(isOwned).prepare(),
    line: pagesOf(orm, orm.select().from(successors).$dynamic(), successors, isOfLine),
    ofChallenger: orm
      .select()
      .from(successors)
      .where(eq(successors.challengerKey, sql.placeholder("challengerKey")))
      .prepare(),
    due: orm
      .select({ key: successors.key })
      .from(successors)
      .leftJoin(datasets, eq(datasets.key, successors.datasetKey))
      .leftJoin(trainingJobs, eq(trainingJobs.key, successors.trainingJobKey))
      // Word for word the condition of the partial index.
      .where(sql`${successors.status} IN ('READING', 'TRAINING') AND ((${isRead}) OR (${isTrained}))`)
      .orderBy(successors.id)
      .prepare(),
  };
});

/** JOINING. UNDER_WAY where another of the same line has not ended. */
export function insertSuccessor(database: Database, asked: NewSuccessor, now: Date): Successor | "UNDER_WAY" {
  return database.write(() => {
    // One that was deleted has ended.
    const isOfLine = and(eq(successors.firstModelKey, asked.firstModelKey), isNull(successors.deletedOn));
    const isOpen = and(isOfLine, sql`NOT ${ENDED}`);
    const open = database.orm.select({ key: successors.key }).from(successors).where(isOpen).limit(1).get();
    if (open !== undefined) return "UNDER_WAY";
    const values = { ...asked, status: "JOINING", createdOn: now.toISOString(), claimed: false, restarts: 0 } as const;
    return database.orm.insert(successors).values(values).returning().get();
  });
}

/** Null for an unknown, foreign or deleted one. */
export function findOwnedSuccessor(database: Database, userKey: string, key: string): Successor | null {
  return statements(database).owned.get({ userKey, key }) ?? null;
}

/** Finds a successor of any owner. */
export function findSuccessor(database: Database, key: string): Successor | null {
  return statements(database).of.get({ key }) ?? null;
}

/** Lists the successors of a line, newest first. */
export function listSuccessors(
  database: Database,
  userKey: string,
  firstModelKey: string,
  page: Page,
): Paged<Successor> {
  return statements(database).line({ userKey, firstModelKey }, page);
}

/** The one that made a model, deleted or not; null for a model that came otherwise. */
export function successorOfModel(database: Database, challengerKey: string): Successor | null {
  return statements(database).ofChallenger.get({ challengerKey }) ?? null;
}

/**
 * Keys of the successors whose dataset was read or whose training has ended: their next step can begin. Oldest first.
 */
export function dueSuccessors(database: Database): string[] {
  return statements(database)
    .due.all()
    .map(({ key }) => key);
}

/** Takes the next JOINING or COMPARING successor into work; null where none waits. */
export function claimNextSuccessor(database: Database): Successor | null {
  return claimNext(
    database,
    "successor",
    (key) => database.orm.update(successors).set({ claimed: true }).where(eq(successors.key, key)).returning().get()!,
  );
}

/** Takes a step from a status. False where it has another by then, or was deleted: nothing happens twice. */
export function stepSuccessor(
  database: Database,
  { key, status }: Pick<Successor, "key" | "status">,
  step: SuccessorStep,
  now: Date,
): boolean {
  const isEnd = step.status === "COMPLETED" || step.status === "FAILED" || step.status === "CANCELLED";
  const values: SQLiteUpdateSetSource<typeof successors> = {
    ...step,
    claimed: false,
    restarts: 0,
    // The kept rows have served. Their file is removed like any that no row names.
    ...(isEnd && { finishedOn: now.toISOString(), keptPath: null, keptBytes: null }),
  };
  const isThere = and(eq(successors.key, key), eq(successors.status, status), isNull(successors.deletedOn));
  return (
    database.orm.update(successors).set(values).where(isThere).returning({ key: successors.key }).get() !== undefined
  );
}

/** Names the rows again that an ended successor had kept aside, so that housekeeping removes their file. */
export function keepRowsNamed(database: Database, { key, keptPath, keptBytes }: Successor): void {
  database.orm.update(successors).set({ keptPath, keptBytes }).where(eq(successors.key, key)).run();
}

/**
 * Hides a successor; one that is under way ends as CANCELLED. Returns it as it was, null where it was deleted before.
 * The dataset and the training that it made stay.
 */
export function deleteSuccessor(
  database: Database,
  userKey: string,
  key: string,
  now: Date,
): { removed: Successor | null } | "NOT_FOUND" {
  return database.write(() => {
    const found = findSuccessor(database, key);
    if (found === null || found.userKey !== userKey) return "NOT_FOUND";
    if (found.deletedOn !== null) return { removed: null };
    if (!isEnded(found)) stepSuccessor(database, found, { status: "CANCELLED" }, now);
    database.orm.update(successors).set({ deletedOn: now.toISOString() }).where(eq(successors.key, key)).run();
    return { removed: found };
  });
}

/** Whether one that has not ended needs a model: as its champion, or as what it is compared with. */
export function isModelInSuccession(database: Database, modelKey: string): boolean {
  const isUse = or(eq(successors.championKey, modelKey), eq(successors.challengerKey, modelKey));
  const where = and(isUse, sql`NOT ${ENDED}`);
  return database.orm.select({ key: successors.key }).from(successors).where(where).limit(1).get() !== undefined;
}

/** See `recoverJobs`; FAILED at the fourth interruption. */
export function recoverSuccessors(database: Database, now: Date, only?: string): Recovery {
  return recoverJobs(database, "successor", only, ({ key, restarts }) => {
    const found = findSuccessor(database, key)!;
    const failed = { status: "FAILED", errorReason: RESTARTED_TOO_OFTEN } as const;
    return restarts >= MOST_RESTARTS && stepSuccessor(database, found, failed, now);
  });
}

export function isEnded({ status }: Pick<Successor, "status">): boolean {
  return status === "COMPLETED" || status === "FAILED" || status === "CANCELLED";
}
