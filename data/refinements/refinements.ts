// Refinements for their user: create, find, list, start, cancel, delete.
import { and, desc, eq, getTableColumns, isNull, sql } from "drizzle-orm";
import { type Database, perDatabase } from "../database/database.ts";
import { deleteOwned, nameHas, type Page, type Paged, pagesOf, type Searched, type Sorted } from "../database/pages.ts";
import type { ColumnSettings, RefinementResult } from "../database/records.ts";
import { type FileKind, refinementActivities, refinements } from "../database/schema.ts";
import { isRefinementEnd, type RefinementState } from "../database/states.ts";
import { missingUploads } from "./refinement-files.ts";

const { result: _result, ...withoutResult } = getTableColumns(refinements);

export { withoutResult };

const { baselineRows: _baseline, currentRows: _current, ...listed } = withoutResult;

/** All but the result, which is large: see `findRefinementResult`. */
export type Refinement = Omit<typeof refinements.$inferSelect, "result">;
export type RefinementListItem = Omit<Refinement, "baselineRows" | "currentRows">;
export type RefinementActivity = Pick<typeof refinementActivities.$inferSelect, "timestamp" | "state">;

export interface NewRefinement
  extends Pick<Refinement, "key" | "userKey" | "name" | "trainFileName" | "testFileName" | "numberOfBuckets">,
    Pick<Refinement, "labelColumn" | "positiveLabel" | "removeLeaks" | "missingValues" | "seed">,
    Partial<ColumnSettings> {
  /** False where the first record is data; true by default. */
  hasHeader?: boolean;
}

export type StartOutcome =
  | { outcome: "STARTED" | "ALREADY_STARTED" | "CANCELLED" | "NOT_FOUND" }
  | { outcome: "UPLOADS_MISSING"; kinds: FileKind[] };

const statements = perDatabase((orm) => {
  const isListed = and(eq(refinements.userKey, sql.placeholder("userKey")), isNull(refinements.deletedOn));
  const isOwned = and(eq(refinements.key, sql.placeholder("key")), isListed);
  return {
    owned: orm.select(withoutResult).from(refinements).where(isOwned).prepare(),
    list: pagesOf(
      orm,
      orm.select(listed).from(refinements).$dynamic(),
      refinements,
      and(isListed, nameHas(refinements.name)),
      {
        name: sql`${refinements.name} COLLATE NOCASE`,
        trainFileName: sql`${refinements.trainFileName} COLLATE NOCASE`,
      },
    ),
    named: orm
      .select({ key: refinements.key })
      .from(refinements)
      .where(and(isListed, eq(refinements.name, sql.placeholder("name"))))
      .prepare(),
    activities: orm
      .select({ timestamp: refinementActivities.timestamp, state: refinementActivities.state })
      .from(refinementActivities)
      .where(eq(refinementActivities.refinementKey, sql.placeholder("key")))
      .orderBy(desc(refinementActivities.id))
      .limit(sql.placeholder("limit"))
      .prepare(),
  };
});

/** PENDING. The name is trimmed; null where the user has another refinement of that name. */
export function insertRefinement(database: Database, refinement: NewRefinement, now: Date): Refinement | null {
  return database.write(() => {
    const name = refinement.name.trim();
    if (isRefinementNameTaken(database, refinement.userKey, name)) return null;
    const createdOn = now.toISOString();
    const row = database.orm
      .insert(refinements)
      .values({
        ...refinement,
        name,
        state: "PENDING",
        createdOn,
        cancelRequested: false,
        baselineRows: [],
        currentRows: [],
        claimed: false,
        restarts: 0,
      })
      .returning(withoutResult)
      .get();
    addActivity(database, row.key, "PENDING", createdOn);
    return row;
  });
}

/** Case-sensitive, after trimming; names of deleted refinements are free (D28). */
export function isRefinementNameTaken(database: Database, userKey: string, name: string): boolean {
  return statements(database).named.get({ userKey, name: name.trim() }) !== undefined;
}

/** Null for an unknown, foreign or deleted one. */
export function findOwnedRefinement(database: Database, userKey: string, key: string): Refinement | null {
  return statements(database).owned.get({ userKey, key }) ?? null;
}

/** Null where there is none yet, and for an unknown, foreign or deleted refinement. */
export function findRefinementResult(database: Database, userKey: string, key: string): RefinementResult | null {
  const found = database.orm
    .select({ result: refinements.result })
    .from(refinements)
    .where(and(eq(refinements.key, key), eq(refinements.userKey, userKey), isNull(refinements.deletedOn)))
    .get();
  return found?.result ?? null;
}

/** Newest first unless sorted. */
export function listRefinements(
  database: Database,
  userKey: string,
  page: Page & Searched & Sorted,
): Paged<RefinementListItem> {
  return statements(database).list({ userKey, search: page.search ?? "" }, page);
}

/** The last `limit` states it entered, oldest first. */
export function listActivities(database: Database, key: string, limit: number): RefinementActivity[] {
  return statements(database).activities.all({ key, limit }).reverse();
}

/**
 * Puts a refinement whose files are there into the queue: PENDING still, until `claimNextRefinement` takes it (D12).
 */
export function startRefinement(database: Database, userKey: string, key: string, now: Date): StartOutcome {
  return database.write(() => {
    const found = findOwnedRefinement(database, userKey, key);
    if (found === null) return { outcome: "NOT_FOUND" };
    if (found.state === "CANCELLED") return { outcome: "CANCELLED" };
    if (found.state !== "PENDING" || found.queuedOn !== null) return { outcome: "ALREADY_STARTED" };
    const kinds = missingUploads(database, key);
    if (kinds.length > 0) return { outcome: "UPLOADS_MISSING", kinds };
    database.orm.update(refinements).set({ queuedOn: now.toISOString() }).where(eq(refinements.key, key)).run();
    return { outcome: "STARTED" };
  });
}

/**
 * PENDING becomes CANCELLED at once, queued or not. A running one is asked to stop (REQUESTED), and its flow ends it.
 * Returns CANCELLED again for a cancelled one, NOT_CANCELLABLE for another end (D06).
 */
export function cancelRefinement(
  database: Database,
  userKey: string,
  key: string,
  now: Date,
): "CANCELLED" | "REQUESTED" | "NOT_CANCELLABLE" | "NOT_FOUND" {
  return database.write(() => {
    const found = findOwnedRefinement(database, userKey, key);
    if (found === null) return "NOT_FOUND";
    if (found.state === "CANCELLED") return "CANCELLED";
    if (isRefinementEnd(found.state)) return "NOT_CANCELLABLE";
    const update = database.orm.update(refinements);
    if (found.state !== "PENDING") {
      update.set({ cancelRequested: true }).where(eq(refinements.key, key)).run();
      return "REQUESTED";
    }
    const finishedOn = now.toISOString();
    update.set({ state: "CANCELLED", cancelRequested: true, finishedOn }).where(eq(refinements.key, key)).run();
    addActivity(database, key, "CANCELLED", finishedOn);
    return "CANCELLED";
  });
}

/** Frees the name and hides the refinement; its files stay. RUNNING where it is started and not ended. Idempotent. */
export function deleteRefinement(
  database: Database,
  userKey: string,
  key: string,
  now: Date,
): "DELETED" | "RUNNING" | "NOT_FOUND" {
  return deleteOwned(database, "refinements", [userKey, key], now, (row: Pick<Refinement, "queuedOn" | "state">) =>
    row.queuedOn !== null && !isRefinementEnd(row.state) ? "RUNNING" : null,
  );
}

/** Adds a state to the trail. For use inside the write that changed the state. */
export function addActivity(database: Database, key: string, state: RefinementState, timestamp: string): void {
  database.orm.insert(refinementActivities).values({ refinementKey: key, timestamp, state }).run();
}
