// Differences between SQL dialects: quoting, types, dates, rows as values, arrays.
import type { TextChecks } from "./text-checks.ts";

export interface SqlDialect {
  /** The name that people know it by. */
  title: string;
  /** Where this project does not run its exports, which follow the documentation alone there; null for nowhere. */
  notRun: string | null;
  /** A name of a column or table, quoted so that no character of it is read as SQL. */
  identifier(name: string): string;
  /** Whether a column can have this name. */
  takesName(name: string): boolean;
  /** Two names that the database takes for one have one folded name. */
  foldedName(name: string): string;
  /** A text as a literal, quoted likewise; null for one that no cell of this dialect can hold. */
  text(value: string): string | null;
  /** A finite number as a literal of double precision, all bits kept. */
  double(value: number): string;
  /** A cell of a number column as a number. */
  asDouble(sql: string): string;
  /** How it reads texts, for whoever fills the table. */
  textNumbers: string;
  /**
   * Casts a text that is a plain number. Where the dialect's cast gives NULL,
   * an optimiser may call it with other texts too.
   */
  numberOf(sql: string): string;
  /** Casts a text that begins with the day of an ISO date, which the calendar has; as `numberOf` does. */
  asTimestamp(sql: string): string;
  /** The ISO text, by UTC and without fractions, of seconds since 1970 in double precision, and at least 1e9. */
  unixText(seconds: string): string;
  asText(sql: string): string;
  /** A date or timestamp as an ISO text, and a text as it is. */
  isoText(sql: string): string;
  /** The text without `BLANKS` at its ends. */
  trimmed(sql: string): string;
  checks: TextChecks;
  /** Texts, one behind another. */
  concat(...texts: readonly string[]): string;
  /** The greatest of two numbers or more, none of which is NULL. */
  greatest(...numbers: readonly string[]): string;
  /** The weekday of a timestamp, 0 for Monday. */
  weekday(sql: string): string;
  /** The seconds from 1970 to a timestamp at midnight, whatever the session's time zone. */
  secondsOfDay(sql: string): string;
  /** Element `index`, counted from 0, of a constant array; null where a CASE is as good. */
  element: ((values: readonly string[], type: "whole" | "double", index: string) => string) | null;
  /**
   * All columns of the table of an alias as one value, and the columns of such a value. Null where a row is no value:
   * then rows are numbered, and joined to their answers by these numbers.
   */
  row: { of(alias: string): string; columns(row: string): string } | null;
  /** Whether a subquery that is read twice gives the same rows: MariaDB computes it again. */
  sharesSubqueries: boolean;
  /**
   * Ends a subquery that the optimiser must not merge with the next: otherwise it repeats each expression at every use.
   */
  fence: string;
  /** Temporary tables; null where large models are not walked through them. */
  temporary: TemporaryTables | null;
  /** Nodes of trees in one query at most: planning grows faster than they do. More are walked through tables. */
  mostCaseNodes: number;
  /** Bytes of a statement at most. */
  mostBytes: number;
  /** Columns of a subquery, or of a temporary table, at most. */
  mostColumns: number;
  /** A line for whoever runs the query; empty for none. */
  advice: string;
}

/** Trimmed by reading a CSV file: what `String.trim` takes off. */
export const BLANKS =
  "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff";

export interface TemporaryTables {
  /** A name that only a temporary table has, wherever statements can say so. */
  nameOf(table: string): string;
  /** Drops a temporary table that may be there, and no other table. */
  drop: string;
  /** Counts a table for the optimiser; null for nothing. */
  analyze: string | null;
  /** Makes a table of all rows after FROM, their numbers first, in the order in which they are read. */
  numbered(table: string, number: string, from: string, alias: string): string;
}

/** A text in quotation marks, those in it doubled. */
export const doubled = (text: string, quote: string) => `${quote}${text.replaceAll(quote, quote + quote)}${quote}`;

/** The digits behind the first one of a time since 1970. */
export const UNIX_DIGITS = { seconds: 9, milliseconds: 12 } as const;

/** With an exponent: without one it would be a decimal or whole number. */
export const exponentDouble = (value: number) => (String(value).includes("e") ? String(value) : `${value}e0`);

/** Where capitals from A to Z are no other letters. */
export const foldedInAscii = (name: string) => name.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());

export const numberedInQuery: TemporaryTables["numbered"] = (table, number, from, alias) =>
  `CREATE TEMPORARY TABLE ${table} AS SELECT ROW_NUMBER() OVER () AS ${number}, ${alias}.* FROM ${from}`;

/** So that planning takes a second or two where an optimiser looks at the whole query. */
export const PLANNED_NODES = 20_000;
/** Where expressions are computed as they stand: faster by far than a walk, and prepared in a second or two. */
export const INTERPRETED_NODES = 200_000;
