// Lists in any order: the query, and pages that begin after a row, whatever comes and goes before it (D113).
import { type Static, type TObject, type TProperties, type TSchema, Type } from "@sinclair/typebox";
import { type Page, type Paged, type Place, type Sorted, UnknownPlace } from "../../data/database/pages.ts";
import { PageOf, pageAnswer, pageName, pageOf, pageQuery } from "./paging.ts";
import { ApiError } from "./problem.ts";
import { type Holding, named, oneOf, orNull } from "./schemas.ts";

/** Characters of `after`: a file's name, each in three bytes, in Base64. */
const MOST_PLACE_CHARACTERS = 4_096;

const After = Type.Optional(
  Type.String({
    maxLength: MOST_PLACE_CHARACTERS,
    description:
      "`nextAfter` of the page before: this page begins behind its last item, " +
      "even where items were made or deleted since. Goes with the same `sort`, and without `offset`.",
    "x-decision": "D113",
  }),
);

/** For `query` of a list that can be sorted by these fields of its items and by `createdOn`. */
export function sortedQuery<const Field extends string>(fields: readonly Field[], mostOffset?: number) {
  const choices = ["createdOn", ...fields].flatMap((field) => [field, `-${field}`]);
  const description = "What to sort by; with a minus in front, descending. Items without it come last.";
  const sort = oneOf(choices, { default: "-createdOn", description, "x-decision": "D113" });
  return { ...pageQuery(mostOffset), sort, after: After };
}

/** For `answer` of such a list: as `pageOf`, with `nextAfter`. */
export function sortedPageOf<const Name extends string, Item extends TProperties>(
  name: Name,
  item: TObject<Item>,
  example: Holding<Static<TObject<Item>>>,
  about: string,
) {
  const { status, description, example: page } = pageOf(name, item, example, about);
  const schema = SortedPageOf(name, item);
  return {
    status,
    description,
    schema,
    example: { ...page, nextAfter: null } as unknown as Static<typeof schema>,
  } as const;
}

function SortedPageOf<const Name extends string, Item extends TSchema>(name: Name, item: Item) {
  const page = Type.Object({
    ...PageOf(name, item).properties,
    nextAfter: orNull(Type.String({ description: "`after` of the next page; null at the end.", "x-decision": "D113" })),
  });
  named(pageName(item, page));
  return page;
}

interface SortedQuery extends Page {
  sort: string;
  after?: string;
}

/**
 * The answer of such a list. `list` reads a page.
 *
 * @throws ApiError VALIDATION_FAILED for an `after` of another list or order, or beside an offset
 */
export function sortedPageAnswer<const Name extends string, Query extends SortedQuery, Row, Item>(
  name: Name,
  query: Query,
  list: (page: Omit<Query, "after"> & Sorted) => Paged<Row>,
  show: (row: Row) => Item,
) {
  const { offset, sort } = query;
  const after = query.after === undefined ? undefined : readPlace(query.after, sort);
  if (after !== undefined && offset > 0) throw refusedPlace("`after` goes without `offset`.");
  try {
    const page = list({ ...query, after });
    const nextAfter = page.next === undefined ? null : writePlace(page.next, sort);
    const answer = pageAnswer(name, page, query, show);
    // Offsets count from the beginning, which a page after a place does not know.
    return { ...answer, ...(after !== undefined && { nextOffset: null }), nextAfter };
  } catch (error) {
    if (error instanceof UnknownPlace) throw refusedPlace("`after` names no place of this list: begin again.");
    throw error;
  }
}

function writePlace({ key, value }: Place, sort: string): string {
  return Buffer.from(JSON.stringify([sort, key, value])).toString("base64url");
}

function readPlace(text: string, sort: string): Place {
  const [ofSort, key, value] = parts(text);
  const isValue = value === null || typeof value === "string" || typeof value === "number";
  if (typeof key !== "string" || !isValue) throw refusedPlace("`after` must be the `nextAfter` of a page before.");
  if (ofSort !== sort) throw refusedPlace("`after` is of a list in another order: send the same `sort`.");
  return { key, value };
}

function parts(text: string): unknown[] {
  try {
    const read: unknown = JSON.parse(Buffer.from(text, "base64url").toString());
    return Array.isArray(read) ? read : [];
  } catch {
    return [];
  }
}

function refusedPlace(message: string): ApiError {
  const errors = [{ field: "after", code: "WRONG_FORMAT", message }];
  return new ApiError("VALIDATION_FAILED", `In the query: ${message}`, { errors });
}
