// Differences between SQL dialects: quoting, types, dates, rows as values, arrays.

/** Data warehouses and databases that an export can be written for. */
export type DialectName = "duckdb" | "postgres" | "spark" | "bigquery";

export interface SqlDialect {
  /** The name that people know it by. */
  title: string;
  /** Whether this project runs its exports; the others are written by the documentation alone. */
  isRun: boolean;
  /** A name of a column or table, quoted so that no character of it is read as SQL. */
  identifier(name: string): string;
  /** Two names that the database takes for one have one folded name. */
  foldedName(name: string): string;
  /** A text as a literal, quoted likewise; null for one that no cell of this dialect can hold. */
  text(value: string): string | null;
  /** A finite number as a literal of double precision, all bits kept. */
  double(value: number): string;
  asDouble(sql: string): string;
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
  /** The text without any of these characters at its ends. `characters`: a literal. */
  trim(sql: string, characters: string): string;
  /** Whether a text matches a pattern, a literal. Patterns are anchored and hold no backslash. */
  matches(sql: string, pattern: string): string;
  /** The text without all that matches a pattern. */
  without(sql: string, pattern: string): string;
  /** The weekday of a timestamp, 0 for Monday. */
  weekday(sql: string): string;
  /** The seconds from 1970 to a timestamp at midnight, whatever the session's time zone. */
  secondsOfDay(sql: string): string;
  /** Element `index`, counted from 0, of a constant array. */
  element(values: readonly string[], type: "whole" | "double", index: string): string;
  /** All columns of the table of this alias as one value. */
  rowOf(alias: string): string;
  /** The columns of such a value. */
  columnsOf(row: string): string;
  /**
   * Ends a subquery that the optimiser must not merge with the next: otherwise it repeats each expression at every use.
   */
  fence: string;
  /** A temporary table's name, which no other table has; null where large models are not walked through tables. */
  temporary: ((name: string) => string) | null;
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

const doubled = (text: string, quote: string) => `${quote}${text.replaceAll(quote, quote + quote)}${quote}`;

/** A literal in which a backslash escapes: every character that could end it, or a line, is escaped. */
const escaped = (text: string, quote: string) => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const safe = text.replaceAll(/[\\'"`\0-\x1f\x7f]/g, (sign) =>
    sign < " " || sign === "\x7f" ? `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}` : `\\${sign}`,
  );
  return `${quote}${safe}${quote}`;
};

/**
 * A literal of DuckDB or PostgreSQL. Control characters are written as escapes: a raw line end may be changed where a
 * file is copied. So is a backslash, which an old setting of PostgreSQL reads as one.
 */
const quotedText = (value: string) => {
  const plain = doubled(value, "'");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const safe = plain.replaceAll(/[\\\x01-\x1f\x7f]/g, (sign) =>
    sign === "\\" ? "\\\\" : `\\x${sign.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
  return safe === plain ? plain : `E${safe}`;
};

/** Bytes of a name that PostgreSQL reads. */
const POSTGRES_NAME_BYTES = 63;

const DUCKDB: SqlDialect = {
  title: "DuckDB",
  isRun: true,
  identifier: (name) => doubled(name, '"'),
  foldedName: (name) => name.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase()),
  text: (value) =>
    value.includes("\0") ? `(${value.split("\0").map(quotedText).join(" || chr(0) || ")})` : quotedText(value),
  double: (value) => (String(value).includes("e") ? String(value) : `${value}e0`),
  asDouble: (sql) => `CAST(${sql} AS DOUBLE)`,
  numberOf: (sql) => `TRY_CAST(${sql} AS DOUBLE)`,
  asTimestamp: (sql) => `TRY_CAST(${sql} AS TIMESTAMP)`,
  unixText: (seconds) => `STRFTIME(MAKE_TIMESTAMP(CAST(FLOOR(${seconds}) AS BIGINT) * 1000000), '%Y-%m-%d %H:%M:%S')`,
  asText: (sql) => `CAST(${sql} AS VARCHAR)`,
  isoText: (sql) => `CAST(${sql} AS VARCHAR)`,
  trim: (sql, characters) => `TRIM(${sql}, ${characters})`,
  matches: (sql, pattern) => `REGEXP_MATCHES(${sql}, ${pattern})`,
  without: (sql, pattern) => `REGEXP_REPLACE(${sql}, ${pattern}, '', 'g')`,
  weekday: (sql) => `EXTRACT(ISODOW FROM ${sql}) - 1`,
  secondsOfDay: (sql) => `CAST(EXTRACT(EPOCH FROM ${sql}) AS DOUBLE PRECISION)`,
  element: (values, _, index) => `([${values.join(",")}])[${index} + 1]`,
  rowOf: (alias) => alias,
  columnsOf: (row) => `${row}.*`,
  fence: "",
  temporary: (name) => `temp.${name}`,
  mostBytes: 50e6,
  mostColumns: Number.POSITIVE_INFINITY,
  advice: "",
};

const POSTGRES: SqlDialect = {
  ...DUCKDB,
  title: "PostgreSQL",
  // A stream keeps the bytes of a character that is cut.
  foldedName: (name) =>
    new TextDecoder().decode(new TextEncoder().encode(name).subarray(0, POSTGRES_NAME_BYTES), { stream: true }),
  text: (value) => (value.includes("\0") ? null : quotedText(value)),
  // A bare number would be of arbitrary precision, and slow.
  double: (value) => `float8'${value}'`,
  asDouble: (sql) => `CAST(${sql} AS DOUBLE PRECISION)`,
  numberOf: (sql) => `CAST(${sql} AS DOUBLE PRECISION)`,
  asTimestamp: (sql) => `CAST(${sql} AS TIMESTAMP)`,
  unixText: (seconds) => `TO_CHAR(TO_TIMESTAMP(FLOOR(${seconds})) AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS')`,
  asText: (sql) => `CAST(${sql} AS TEXT)`,
  // A cast would write it as the session's DateStyle says.
  isoText: (sql) => `(TO_JSONB(${sql}) #>> '{}')`,
  trim: (sql, characters) => `BTRIM(${sql}, ${characters})`,
  matches: (sql, pattern) => `${sql} ~ ${pattern}`,
  element: (values, type, index) =>
    `(CAST('{${values.map((value) => value.replace(/^float8'(.*)'$/, "$1")).join(",")}}' AS ` +
    `${type === "whole" ? "INT" : "FLOAT8"}[]))[${index} + 1]`,
  columnsOf: (row) => `(${row}).*`,
  fence: " OFFSET 0",
  temporary: (name) => `pg_temp.${name}`,
  mostColumns: 1_600,
  advice: "SET jit = off; first, where it is on: compiling the query takes longer than running it.",
};

const SPARK: SqlDialect = {
  title: "Spark SQL",
  isRun: false,
  identifier: (name) => doubled(name, "`"),
  foldedName: (name) => name.toLowerCase(),
  text: (value) => escaped(value, "'"),
  double: (value) => `${value}D`,
  asDouble: (sql) => `CAST(${sql} AS DOUBLE)`,
  numberOf: (sql) => `TRY_CAST(${sql} AS DOUBLE)`,
  asTimestamp: (sql) => `TRY_CAST(${sql} AS TIMESTAMP)`,
  unixText: (seconds) =>
    `DATE_FORMAT(TO_UTC_TIMESTAMP(TIMESTAMP_SECONDS(FLOOR(${seconds})), CURRENT_TIMEZONE()), 'yyyy-MM-dd HH:mm:ss')`,
  asText: (sql) => `CAST(${sql} AS STRING)`,
  isoText: (sql) => `CAST(${sql} AS STRING)`,
  trim: (sql, characters) => `TRIM(BOTH ${characters} FROM ${sql})`,
  matches: (sql, pattern) => `${sql} RLIKE ${pattern}`,
  without: (sql, pattern) => `REGEXP_REPLACE(${sql}, ${pattern}, '')`,
  weekday: (sql) => `WEEKDAY(${sql})`,
  secondsOfDay: (sql) => `86400D * DATEDIFF(${sql}, DATE '1970-01-01')`,
  element: (values, _, index) => `ELEMENT_AT(ARRAY(${values.join(",")}), ${index} + 1)`,
  rowOf: (alias) => `STRUCT(${alias}.*)`,
  columnsOf: (row) => `${row}.*`,
  fence: "",
  temporary: null,
  mostBytes: 50e6,
  mostColumns: Number.POSITIVE_INFINITY,
  advice: "",
};

const BIGQUERY: SqlDialect = {
  title: "BigQuery",
  isRun: false,
  identifier: (name) => escaped(name, "`"),
  foldedName: (name) => name.toLowerCase(),
  text: (value) => escaped(value, "'"),
  double: (value) => (/[.e]/.test(String(value)) ? String(value) : `${value}.0`),
  asDouble: (sql) => `CAST(${sql} AS FLOAT64)`,
  numberOf: (sql) => `SAFE_CAST(${sql} AS FLOAT64)`,
  asTimestamp: (sql) => `SAFE_CAST(${sql} AS DATETIME)`,
  unixText: (seconds) => `FORMAT_TIMESTAMP('%F %T', TIMESTAMP_SECONDS(CAST(FLOOR(${seconds}) AS INT64)), 'UTC')`,
  asText: (sql) => `CAST(${sql} AS STRING)`,
  isoText: (sql) => `CAST(${sql} AS STRING)`,
  trim: (sql, characters) => `TRIM(${sql}, ${characters})`,
  matches: (sql, pattern) => `REGEXP_CONTAINS(${sql}, ${pattern})`,
  without: (sql, pattern) => `REGEXP_REPLACE(${sql}, ${pattern}, '')`,
  weekday: (sql) => `MOD(EXTRACT(DAYOFWEEK FROM ${sql}) + 5, 7)`,
  secondsOfDay: (sql) => `86400.0 * DATETIME_DIFF(${sql}, DATETIME '1970-01-01', DAY)`,
  element: (values, _, index) => `[${values.join(",")}][OFFSET(${index})]`,
  rowOf: (alias) => alias,
  columnsOf: (row) => `${row}.*`,
  fence: "",
  temporary: null,
  // BigQuery's limit for the text of one query.
  mostBytes: 1_000_000,
  mostColumns: 10_000,
  advice: "",
};

export const DIALECTS: Readonly<Record<DialectName, SqlDialect>> = {
  duckdb: DUCKDB,
  postgres: POSTGRES,
  spark: SPARK,
  bigquery: BIGQUERY,
};
