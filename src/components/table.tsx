// Tables: plain ones, and lists that are looked through page by page on the server, however long they are.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { PageFacts, PageQuery } from "../browser/api.ts";
import { type Loaded, useLive, type Wait } from "../browser/loading.ts";
import { goTo, linkTo, place } from "../browser/router.ts";
import { formatCount } from "../format.ts";
import { Await, Empty } from "./states.tsx";

interface Column<Row> {
  head: string;
  /** The first column is the row's header. */
  cell(row: Row): ComponentChildren;
  /** Figures stand to the right. */
  isNumber?: true;
}

interface TableProps<Row> {
  /** Read out before the table; not shown. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf(row: Row): string;
}

/** On a narrow page each row is a small card, whose cells have their heads beside them. */
export function Table<Row>({ caption, columns, rows, keyOf }: TableProps<Row>) {
  const [first, ...others] = columns;
  return (
    <table class="list">
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ head, isNumber }) => (
            <th key={head} scope="col" class={isNumber && "num"}>
              {head}
            </th>
          ))}
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

const PAGE_ITEMS = 20;
const TYPING_MS = 250;

interface PagedTableProps<Row, Page extends PageFacts> extends Omit<TableProps<Row>, "rows"> {
  load(query: PageQuery, signal: AbortSignal): Promise<Page>;
  rowsOf(page: Page): readonly Row[];
  /** Whether the list can be searched, and by what. */
  search?: string;
  /** What is shown where the list has nothing in it. */
  empty: ComponentChildren;
  /** For a list whose rows change by themselves. */
  wait?: Wait<Page>;
  /** A new value asks anew, after a change. */
  version?: number;
}

/** Where it stands is in the address, so that the way back leads to the same page of the list. */
export function PagedTable<Row, Page extends PageFacts>(props: PagedTableProps<Row, Page>) {
  const { load, rowsOf, search: searchLabel, empty, wait = () => null, version = 0, ...table } = props;
  const { path, query } = place.value;
  const offset = Math.max(0, Number(query.get("offset")) || 0);
  const search = query.get("search") ?? "";
  const loaded: Loaded<Page> = useLive(
    (signal) => load({ offset, limit: PAGE_ITEMS, ...(search !== "" && { search }) }, signal),
    [offset, search, version],
    wait,
  );
  const link = (next: number) => linkTo(path, { search, offset: next });
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
                go={(text) => goTo(linkTo(path, { search: text }), { replace: true })}
              />
            )}
            {page.total === 0 && (
              <Empty title={`Nothing has “${search}” in it`}>
                <p>
                  <a href={linkTo(path)}>Show all</a>
                </p>
              </Empty>
            )}
            {page.total > 0 && <Table {...table} rows={rowsOf(page)} />}
            <Paging page={page} count={rowsOf(page).length} link={link} />
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
  page: PageFacts;
  count: number;
  link(offset: number): string;
}

function Paging({ page: { offset, total, nextOffset }, count, link }: PagingProps) {
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
