// Shared by all tables: pages of lists, search by name, deleting, and how long a job took.
import { and, asc, count, desc, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteSelect, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database, Orm } from "./database.ts";
import { datasets } from "./schema.ts";

export interface Page {
  /** Items to skip. */
  offset: number;
  /** Most items to give. */
  limit: number;
}

export interface Searched {
  /** Text that a name must contain, ignoring the case of ASCII letters; empty or left out for all. */
  search?: string | undefined;
}

/** The condition for `search`, in a prepared statement with a placeholder of that name. */
export function nameHas(name: SQLWrapper): SQL {
  return sql`instr(lower(${name}), lower(${sql.placeholder("search")})) > 0`;
}

/** How a list is sorted, and where its page begins. */
export interface Sorted {
  /**
   * A field that the list can be sorted by, with a minus in front for descending; newest first where it is left out.
   */
  sort?: string | undefined;
  /** The page begins after this place; then the offset must be 0. */
  after?: Place | undefined;
}

/** The place of a row in a sorted list: still right where rows before it come and go. */
export interface Place {
  key: string;
  /** The value that the list is sorted by. */
  value: string | number | null;
}

/** A place names a row that is none of the user's. */
export class UnknownPlace extends Error {}

export interface Paged<T> {
  items: T[];
  /** Items of the whole list. */
  total: number;
  /** The place of the last item; left out where none follow. */
  next?: Place;
}

/** Expressions on a row by which a list can be sorted, besides the time of creation; any may be null. */
export type Sorts = Readonly<Record<string, SQL>>;

type ListedTable = SQLiteTable & Record<"createdOn" | "id" | "key" | "userKey", SQLiteColumn>;

const NEWEST_FIRST = "-createdOn";

/** For sorting: the name of the dataset with this key, deleted or not. */
export function datasetNameOf(datasetKey: SQLWrapper): SQL {
  return sql`(SELECT d."name" FROM ${datasets} AS d WHERE d."key" = ${datasetKey})`;
}

/**
 * Prepares a list of the rows for which `where` holds; the function returns a page and the total. Rows without what the
 * list is sorted by come last, ties are in the order in which rows were made, so that every row has one place.
 *
 * The function throws UnknownPlace.
 */
export function pagesOf<Rows extends SQLiteSelect>(
  orm: Orm,
  rows: Rows,
  table: ListedTable,
  where: SQL | undefined,
  sorts: Sorts = {},
): (values: Record<string, string>, page: Page & Sorted) => Paged<Rows["_"]["result"][number]> {
  const length = orm.select({ total: count() }).from(table).where(where).prepare();
  const isPlace = and(eq(table.key, sql.placeholder("key")), eq(table.userKey, sql.placeholder("userKey")));
  const idOf = orm.select({ id: table.id }).from(table).where(isPlace).prepare();
  const prepareList = (sort: string, begin: Begin) => {
    const order = orderBy(sort, table, sorts);
    return rows
      .where(and(where, begin === "first" ? undefined : order.isBehind(begin)))
      .orderBy(...order.terms)
      .limit(sql.placeholder("limit"))
      .offset(sql.placeholder("offset"))
      .prepare();
  };
  const lists = new Map<string, ReturnType<typeof prepareList>>();
  const listOf = (sort: string, begin: Begin) => {
    const name = `${sort} ${begin}`;
    const list = lists.get(name) ?? prepareList(sort, begin);
    lists.set(name, list);
    return list;
  };
  const placeOf = (sort: string, { key }: { key: string }): Place => {
    const { value } = orderBy(sort, table, sorts);
    const row = orm
      .select({ value: value.as<Place["value"]>("value") })
      .from(table)
      .where(eq(table.key, key))
      .get();
    return { key, value: row!.value };
  };
  return (values, { offset, limit, sort = NEWEST_FIRST, after }) => {
    const begin = after === undefined ? "first" : after.value === null ? "null" : "value";
    const id = after === undefined ? null : idOf.get({ ...values, key: after.key })?.id;
    if (id === undefined) throw new UnknownPlace();
    // One more than the page tells whether another page follows.
    const asked = { ...values, id, value: after?.value, offset, limit: limit + 1 };
    const found = listOf(sort, begin).all(asked) as Rows["_"]["result"];
    const items = found.slice(0, limit);
    const { total } = length.get(values)!;
    const last = found.length > limit ? (items.at(-1) as { key: string } | undefined) : undefined;
    return last === undefined ? { items, total } : { items, total, next: placeOf(sort, last) };
  };
}

/** Where a page begins: at the first row, or after a row with or without what the list is sorted by. */
type Begin = "first" | "value" | "null";

function orderBy(sort: string, table: ListedTable, sorts: Sorts) {
  const isDescending = sort.startsWith("-");
  const by = isDescending ? sort.slice(1) : sort;
  const value = by === "createdOn" ? sql`${table.createdOn}` : sorts[by];
  if (value === undefined) throw new Error(`no list is sorted by ${by}`);
  const direction = isDescending ? desc : asc;
  const beyond = sql.raw(isDescending ? "<" : ">");
  const isNext = sql`${table.id} ${beyond} ${sql.placeholder("id")}`;
  const given = sql.placeholder("value");
  return {
    value,
    // Every row has a time: a term for those without would keep SQLite from the index.
    terms: [...(by === "createdOn" ? [] : [sql`${value} IS NULL`]), direction(value), direction(table.id)],
    isBehind: (begin: Begin) =>
      begin === "null"
        ? sql`(${value} IS NULL AND ${isNext})`
        : sql`(${value} ${beyond} ${given} OR (${value} = ${given} AND ${isNext}) OR ${value} IS NULL)`,
  };
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
 * Milliseconds of processing: 0 while the job waits, frozen once it has finished, never negative. `runningMs` is the
 * measured time of a job that this process runs; without it the dates count, but at least the time last noted.
 */
export function processingMs({ startedOn, finishedOn, elapsedMs }: Times, now: Date, runningMs: number | null): number {
  if (startedOn === null) return 0;
  if (finishedOn !== null) return elapsedMs ?? Math.max(0, Date.parse(finishedOn) - Date.parse(startedOn));
  return runningMs ?? Math.max(0, now.getTime() - Date.parse(startedOn), elapsedMs ?? 0);
}

/**
 * Hides a row of its owner, unless `refusal` says why it must stay. Deleting again changes nothing; names of deleted
 * rows are free. `refusal` gets the row as SQLite stores it.
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
