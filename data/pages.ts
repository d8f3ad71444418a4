// Shared by all tables: pages of lists, search by name, deleting, and how long a job took.
import { count, desc, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteSelect, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database, Orm } from "./database/database.ts";

export interface Page {
  /** Items to skip. */
  offset: number;
  /** Most items to give. */
  limit: number;
}

export interface Found {
  /** Text that a name must contain, ignoring the case of ASCII letters; empty or left out for all. */
  search?: string | undefined;
}

/** The condition for `search`, in a prepared statement with a placeholder of that name. */
export function nameHas(name: SQLWrapper): SQL {
  return sql`instr(lower(${name}), lower(${sql.placeholder("search")})) > 0`;
}

export interface Paged<T> {
  items: T[];
  /** Items of the whole list. */
  total: number;
}

/** Prepares a list of the rows for which `where` holds, newest first; the function returns a page and the total. */
export function pagesOf<Rows extends SQLiteSelect>(
  orm: Orm,
  rows: Rows,
  table: SQLiteTable & { createdOn: SQLiteColumn; id: SQLiteColumn },
  where: SQL | undefined,
): (values: Record<string, string>, page: Page) => Paged<Rows["_"]["result"][number]> {
  const list = rows
    .where(where)
    .orderBy(desc(table.createdOn), desc(table.id))
    .limit(sql.placeholder("limit"))
    .offset(sql.placeholder("offset"))
    .prepare();
  const length = orm.select({ total: count() }).from(table).where(where).prepare();
  return (values, { offset, limit }) => ({
    items: list.all({ ...values, offset, limit }) as Rows["_"]["result"],
    total: length.get(values)!.total,
  });
}

/** When a job ran. */
export interface Times {
  startedOn: string | null;
  finishedOn: string | null;
  /** Last noted, by the monotonic clock. */
  elapsedMs: number | null;
}

/** Whole seconds of processing; see `processingMs`. */
export function elapsedSeconds(times: Times, now: Date, runningMs: number | null = null): number {
  return Math.floor(processingMs(times, now, runningMs) / 1000);
}

/**
 * Milliseconds of processing: 0 while the job waits, frozen once it has finished, never negative. `runningMs` is the measured
 * time of a job that this process runs; without it the dates count, but at least the time last noted.
 */
export function processingMs(
  { startedOn, finishedOn, elapsedMs }: Times,
  now: Date,
  runningMs: number | null = null,
): number {
  if (startedOn === null) return 0;
  if (finishedOn !== null) return elapsedMs ?? Math.max(0, Date.parse(finishedOn) - Date.parse(startedOn));
  return runningMs ?? Math.max(0, now.getTime() - Date.parse(startedOn), elapsedMs ?? 0);
}

/**
 * Hides a row of its owner, unless `refusal` says why it must stay. Deleting again changes nothing; names of deleted rows are free.
 * `refusal` gets the row as SQLite stores it.
 */
export function deleteOwned<Row extends object, Refusal extends string>(
  database: Database,
  table: "datasets" | "models" | "predictions" | "refinements",
  [userKey, key]: readonly [userKey: string, key: string],
  now: Date,
  refusal: (row: Row) => Refusal | null,
): "DELETED" | "NOT_FOUND" | Refusal {
  return database.write(() => {
    const row = database.client
      .query<Row & { deletedOn: string | null }, [string, string]>(
        `SELECT * FROM ${table} WHERE key = ? AND userKey = ?`,
      )
      .get(key, userKey);
    if (row === null) return "NOT_FOUND";
    if (row.deletedOn !== null) return "DELETED";
    const refused = refusal(row);
    if (refused !== null) return refused;
    database.client.run(`UPDATE ${table} SET deletedOn = ? WHERE key = ?`, [now.toISOString(), key]);
    return "DELETED";
  });
}
