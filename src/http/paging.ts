// Pages of lists: the query, and where the next page begins (D24).
import { type Static, type TObject, type TProperties, type TSchema, Type } from "@sinclair/typebox";
import type { Page, Paged } from "../../data/database/pages.ts";
import { DEFAULT_PAGE_ITEMS, MOST_PAGE_ITEMS } from "./limits.ts";
import { type Holding, named, nameOf, orNull, shown } from "./schemas.ts";

const Offset = (mostOffset: number) =>
  Type.Integer({ minimum: 0, maximum: mostOffset, default: 0, description: "Items to skip." });
const Limit = Type.Integer({
  minimum: 1,
  default: DEFAULT_PAGE_ITEMS,
  description: `Most items of the page. Every number above ${MOST_PAGE_ITEMS} counts as ${MOST_PAGE_ITEMS}.`,
  "x-decision": "D24",
  "x-most": MOST_PAGE_ITEMS,
});
const BoundedLimit = Type.Integer({
  minimum: 1,
  maximum: MOST_PAGE_ITEMS,
  default: DEFAULT_PAGE_ITEMS,
  description: "Most items of the page.",
});

/** With `mostOffset`, for the list whose bounds are described, larger limits are refused. */
export function pageQuery(mostOffset?: number) {
  if (mostOffset !== undefined) return { offset: Offset(mostOffset), limit: BoundedLimit };
  return { offset: Offset(Number.MAX_SAFE_INTEGER), limit: Limit };
}

/** For lists of things with a name. */
export const SEARCH_QUERY = {
  search: Type.Optional(
    Type.String({
      maxLength: 100,
      description: "Only items with this text in their name; the case of A to Z is ignored.",
      "x-decision": "D62",
    }),
  ),
};

/** The schema of a page; the items have the list's own name, such as `datasets`. */
export function PageOf<const Name extends string, Item extends TSchema>(name: Name, item: Item) {
  const items = { [name]: Type.Array(item) } as { [N in Name]: ReturnType<typeof Type.Array<Item>> };
  const page = Type.Object({
    ...items,
    offset: Type.Integer(),
    limit: Type.Integer(),
    total: Type.Integer({ description: "Items of the whole list." }),
    nextOffset: orNull(Type.Integer({ description: "The offset of the next page; null at the end." })),
  });
  named(pageName(item, page));
  return page;
}

/** For `named`: a page is called by its items. */
export function pageName(item: TSchema, page: TSchema): Record<string, TSchema> {
  const name = nameOf(item);
  return name === null ? {} : { [`${name.replace(/Item$/, "")}Page`]: page };
}

/** For `answer` of a list's route; `example` has the fields of one item. */
export function pageOf<const Name extends string, Item extends TProperties>(
  name: Name,
  item: TObject<Item>,
  example: Holding<Static<TObject<Item>>>,
  description: string,
) {
  const schema = PageOf(name, item);
  const page = { [name]: [shown(item, example)], offset: 0, limit: DEFAULT_PAGE_ITEMS, total: 1, nextOffset: null };
  return { status: 200, description, schema, example: page as unknown as Static<typeof schema> } as const;
}

/** The answer for a page; past the end it has no items and no next page. */
export function pageAnswer<const Name extends string, Row, Item>(
  name: Name,
  { items, total }: Paged<Row>,
  { offset, limit }: Page,
  show: (row: Row) => Item,
) {
  const end = offset + items.length;
  const page = { offset, limit, total, nextOffset: items.length > 0 && end < total ? end : null };
  return { [name]: items.map(show), ...page } as { [N in Name]: Item[] } & typeof page;
}
