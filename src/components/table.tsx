// Tables: plain ones, and lists that the server searches and hands out page by page.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Page, PageQuery } from "../browser/api.ts";
import { useLive } from "../browser/loading.ts";
import { goTo, linkTo, place } from "../browser/router.ts";
import { formatCount } from "../common/format.ts";
import { Await, Empty } from "./states.tsx";

export interface Column<Row> {
  head: string;
  /** The first column is the row's header. */
  cell(row: Row): ComponentChildren;
  /** Numbers are aligned to the right. */
  isNumber?: true;
  /** The field that a paged list is sorted by at a press of the head; with a minus the largest come first. */
  sort?: string;
}

interface TableProps<Row> {
  /** Read out before the table; not shown. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf(row: Row): string;
  /** How the rows are sorted, and how they get sorted otherwise; left out where they cannot be. */
  order?: { sort: string; by(sort: string): void };
}

/** On a narrow page each row becomes a small card that repeats the column heads. */
export function Table<Row>({ caption, columns, rows, keyOf, order }: TableProps<Row>) {
  const [first, ...others] = columns;
  return (
    <table class="list">
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ head, isNumber, sort }) =>
            order === undefined || sort === undefined ? (
              <th key={head} scope="col" class={isNumber && "num"}>
                {head}
              </th>
            ) : (
              <SortableHead key={head} head={head} isNumber={isNumber} first={sort} {...order} />
            ),
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            <th scope="row">{first?.cell(row)}</th>
            {others.map(({ head, cell, isNumber }) => (
              <td key={head} data-head={head} class={isNumber && "num"}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface SortableHeadProps {
  head: string;
  isNumber: true | undefined;
  /** How the first press sorts. */
  first: string;
  sort: string;
  by(sort: string): void;
}

/** Another press turns the order round. */
function SortableHead({ head, isNumber, first, sort, by }: SortableHeadProps) {
  const field = first.replace("-", "");
  const isSorted = sort.replace("-", "") === field;
  const direction = sort === field ? "ascending" : "descending";
  const turned = sort === field ? `-${field}` : field;
  return (
    <th scope="col" class={isNumber && "num"} {...(isSorted && { "aria-sort": direction })}>
      <button type="button" class="sort" onClick={() => by(isSorted ? turned : first)}>
        {head}
      </button>
    </th>
  );
}

const NEWEST_FIRST = "-createdOn";
const PAGE_ITEMS = 20;
/** A search starts this long after the last key. */
const TYPING_MS = 250;
/** How often a list is loaded while its rows still change. */
const RECHECK_MS = 4_000;

interface PagedTableProps<Row> extends Omit<TableProps<Row>, "rows" | "order"> {
  load(query: PageQuery, signal: AbortSignal): Promise<Page<Row>>;
  /** The label of the search field; left out for a list without search. */
  search?: string;
  /** Fields of the address that choose what is listed, besides page and search. */
  chosenBy?: readonly string[];
  /** Shown if the list is empty. */
  empty: ComponentChildren;
  /** The list is loaded again until this holds for every row. */
  isSettled?(row: Row): boolean;
  /** A new value loads again, after a change. */
  version?: number;
}

/** The address holds page, search and order, so going back leads to the same page of the list. */
export function PagedTable<Row>(props: PagedTableProps<Row>) {
  const { load, search: searchLabel, chosenBy = [], empty, isSettled = () => true, version = 0, ...table } = props;
  const isSortable = table.columns.some(({ sort }) => sort !== undefined);
  const { path, query } = place.value;
  const offset = Math.max(0, Number(query.get("offset")) || 0);
  const search = query.get("search") ?? "";
  const named = isSortable ? [...chosenBy, "sort"] : chosenBy;
  const chosenFilters: Record<string, string> = Object.fromEntries(named.map((name) => [name, query.get(name) ?? ""]));
  const loaded = useLive(
    (signal) => load({ offset, limit: PAGE_ITEMS, search, ...chosenFilters }, signal),
    [offset, search, chosenFilters, version],
    ({ items }) => (items.every(isSettled) ? null : RECHECK_MS),
  );
  const link = (next: number) => linkTo(path, { ...chosenFilters, search, offset: next });
  return (
    <Await loaded={loaded}>
      {(page) => {
        if (page.total === 0 && search === "") return empty;
        return (
          <>
            {searchLabel !== undefined && (
              <Search
                label={searchLabel}
                text={search}
                go={(text) => goTo(linkTo(path, { ...chosenFilters, search: text }), { replace: true })}
              />
            )}
            {page.total === 0 && (
              <Empty title={`Nothing matches “${search}”`}>
                <p>
                  <a href={linkTo(path)}>Show all</a>
                </p>
              </Empty>
            )}
            {page.total > 0 && (
              <Table
                {...table}
                rows={page.items}
                {...(isSortable && {
                  order: {
                    sort: chosenFilters["sort"] || NEWEST_FIRST,
                    by: (sort) => goTo(linkTo(path, { ...chosenFilters, search, sort }), { replace: true }),
                  },
                })}
              />
            )}
            <Paging page={page} link={link} />
          </>
        );
      }}
    </Await>
  );
}

function Search({ label, text, go }: { label: string; text: string; go(text: string): void }) {
  const [typed, setTyped] = useState(text);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <search class="search">
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        maxLength={100}
        value={typed}
        onInput={({ currentTarget: { value } }) => {
          setTyped(value);
          clearTimeout(timer.current);
          timer.current = setTimeout(() => go(value.trim()), TYPING_MS);
        }}
      />
    </search>
  );
}

interface PagingProps {
  page: Page<unknown>;
  link(offset: number): string;
}

function Paging({ page: { items, offset, total, nextOffset }, link }: PagingProps) {
  const count = items.length;
  if (total <= PAGE_ITEMS && offset === 0) return null;
  return (
    <nav class="paging" aria-label="Pages">
      <span class="num">
        {count === 0 ? "Past the end" : `${formatCount(offset + 1)}–${formatCount(offset + count)}`} of{" "}
        {formatCount(total)}
      </span>
      {offset > 0 && <a href={link(Math.max(0, offset - PAGE_ITEMS))}>Previous</a>}
      {nextOffset !== null && <a href={link(nextOffset)}>Next</a>}
    </nav>
  );
}
