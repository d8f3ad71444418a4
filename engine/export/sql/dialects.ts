// All dialects: those of databases in which a row is a value, and SQLite and MySQL, which have files of their own.
import {
  BLANKS,
  doubled,
  exponentDouble,
  foldedInAscii,
  numberedInQuery,
  PLANNED_NODES,
  type SqlDialect,
} from "./dialect.ts";
import { MYSQL } from "./mysql.ts";
import { SQLITE } from "./sqlite.ts";
import { patternChecks } from "./text-checks.ts";

/** Data warehouses and databases that an export can be written for. */
export type DialectName = "duckdb" | "postgres" | "sqlite" | "mysql" | "spark" | "bigquery";

/** A NUL is in no name. */
const takesName = (name: string) => !name.includes("\0");
const CONVERT_TEXTS = "convert texts first, and to NULL where they mean that there is no value";

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
  notRun: null,
  identifier: (name) => doubled(name, '"'),
  takesName,
  foldedName: foldedInAscii,
  text: (value) =>
    value.includes("\0") ? `(${value.split("\0").map(quotedText).join(" || chr(0) || ")})` : quotedText(value),
  double: exponentDouble,
  asDouble: (sql) => `CAST(${sql} AS DOUBLE)`,
  textNumbers: CONVERT_TEXTS,
  numberOf: (sql) => `TRY_CAST(${sql} AS DOUBLE)`,
  asTimestamp: (sql) => `TRY_CAST(${sql} AS TIMESTAMP)`,
  unixText: (seconds) => `STRFTIME(MAKE_TIMESTAMP(CAST(FLOOR(${seconds}) AS BIGINT) * 1000000), '%Y-%m-%d %H:%M:%S')`,
  asText: (sql) => `CAST(${sql} AS VARCHAR)`,
  isoText: (sql) => `CAST(${sql} AS VARCHAR)`,
  trimmed: (sql) => `TRIM(${sql}, ${quotedText(BLANKS)})`,
  checks: patternChecks(
    (sql, pattern) => `REGEXP_MATCHES(${sql}, ${pattern})`,
    (sql, pattern) => `REGEXP_REPLACE(${sql}, ${pattern}, '', 'g')`,
  ),
  concat: (...texts) => texts.join(" || "),
  greatest: (...numbers) => `GREATEST(${numbers.join(", ")})`,
  weekday: (sql) => `EXTRACT(ISODOW FROM ${sql}) - 1`,
  secondsOfDay: (sql) => `CAST(EXTRACT(EPOCH FROM ${sql}) AS DOUBLE PRECISION)`,
  element: (values, _, index) => `([${values.join(",")}])[${index} + 1]`,
  row: { of: (alias) => alias, columns: (row) => `${row}.*` },
  sharesSubqueries: true,
  fence: "",
  temporary: {
    nameOf: (table) => `temp.${table}`,
    drop: "DROP TABLE IF EXISTS",
    analyze: "ANALYZE",
    numbered: numberedInQuery,
  },
  mostCaseNodes: PLANNED_NODES,
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
  trimmed: (sql) => `BTRIM(${sql}, ${quotedText(BLANKS)})`,
  checks: patternChecks(
    (sql, pattern) => `${sql} ~ ${pattern}`,
    (sql, pattern) => `REGEXP_REPLACE(${sql}, ${pattern}, '', 'g')`,
  ),
  element: (values, type, index) =>
    `(CAST('{${values.map((value) => value.replace(/^float8'(.*)'$/, "$1")).join(",")}}' AS ` +
    `${type === "whole" ? "INT" : "FLOAT8"}[]))[${index} + 1]`,
  row: { of: (alias) => alias, columns: (row) => `(${row}).*` },
  sharesSubqueries: true,
  fence: " OFFSET 0",
  temporary: {
    nameOf: (table) => `pg_temp.${table}`,
    drop: "DROP TABLE IF EXISTS",
    analyze: "ANALYZE",
    numbered: numberedInQuery,
  },
  mostColumns: 1_600,
  advice: "SET jit = off; first, where it is on: compiling the query takes longer than running it.",
};

const SPARK: SqlDialect = {
  title: "Spark SQL",
  notRun: "Spark: written by its documentation",
  identifier: (name) => doubled(name, "`"),
  takesName,
  foldedName: (name) => name.toLowerCase(),
  text: (value) => escaped(value, "'"),
  double: (value) => `${value}D`,
  asDouble: (sql) => `CAST(${sql} AS DOUBLE)`,
  textNumbers: CONVERT_TEXTS,
  numberOf: (sql) => `TRY_CAST(${sql} AS DOUBLE)`,
  asTimestamp: (sql) => `TRY_CAST(${sql} AS TIMESTAMP)`,
  unixText: (seconds) =>
    `DATE_FORMAT(TO_UTC_TIMESTAMP(TIMESTAMP_SECONDS(FLOOR(${seconds})), CURRENT_TIMEZONE()), 'yyyy-MM-dd HH:mm:ss')`,
  asText: (sql) => `CAST(${sql} AS STRING)`,
  isoText: (sql) => `CAST(${sql} AS STRING)`,
  trimmed: (sql) => `TRIM(BOTH ${escaped(BLANKS, "'")} FROM ${sql})`,
  checks: patternChecks(
    (sql, pattern) => `${sql} RLIKE ${pattern}`,
    (sql, pattern) => `REGEXP_REPLACE(${sql}, ${pattern}, '')`,
  ),
  concat: (...texts) => texts.join(" || "),
  greatest: (...numbers) => `GREATEST(${numbers.join(", ")})`,
  weekday: (sql) => `WEEKDAY(${sql})`,
  secondsOfDay: (sql) => `86400D * DATEDIFF(${sql}, DATE '1970-01-01')`,
  element: (values, _, index) => `ELEMENT_AT(ARRAY(${values.join(",")}), ${index} + 1)`,
  row: { of: (alias) => `STRUCT(${alias}.*)`, columns: (row) => `${row}.*` },
  sharesSubqueries: true,
  fence: "",
  temporary: null,
  mostCaseNodes: PLANNED_NODES,
  mostBytes: 50e6,
  mostColumns: Number.POSITIVE_INFINITY,
  advice: "",
};

const BIGQUERY: SqlDialect = {
  title: "BigQuery",
  notRun: "BigQuery: written by its documentation",
  identifier: (name) => escaped(name, "`"),
  takesName,
  foldedName: (name) => name.toLowerCase(),
  text: (value) => escaped(value, "'"),
  double: (value) => (/[.e]/.test(String(value)) ? String(value) : `${value}.0`),
  asDouble: (sql) => `CAST(${sql} AS FLOAT64)`,
  textNumbers: CONVERT_TEXTS,
  numberOf: (sql) => `SAFE_CAST(${sql} AS FLOAT64)`,
  asTimestamp: (sql) => `SAFE_CAST(${sql} AS DATETIME)`,
  unixText: (seconds) => `FORMAT_TIMESTAMP('%F %T', TIMESTAMP_SECONDS(CAST(FLOOR(${seconds}) AS INT64)), 'UTC')`,
  asText: (sql) => `CAST(${sql} AS STRING)`,
  isoText: (sql) => `CAST(${sql} AS STRING)`,
  trimmed: (sql) => `TRIM(${sql}, ${escaped(BLANKS, "'")})`,
  checks: patternChecks(
    (sql, pattern) => `REGEXP_CONTAINS(${sql}, ${pattern})`,
    (sql, pattern) => `REGEXP_REPLACE(${sql}, ${pattern}, '')`,
  ),
  concat: (...texts) => texts.join(" || "),
  greatest: (...numbers) => `GREATEST(${numbers.join(", ")})`,
  weekday: (sql) => `MOD(EXTRACT(DAYOFWEEK FROM ${sql}) + 5, 7)`,
  secondsOfDay: (sql) => `86400.0 * DATETIME_DIFF(${sql}, DATETIME '1970-01-01', DAY)`,
  element: (values, _, index) => `[${values.join(",")}][OFFSET(${index})]`,
  row: { of: (alias) => alias, columns: (row) => `${row}.*` },
  sharesSubqueries: true,
  fence: "",
  temporary: null,
  mostCaseNodes: PLANNED_NODES,
  // BigQuery's limit for the text of one query.
  mostBytes: 1_000_000,
  mostColumns: 10_000,
  advice: "",
};

export const DIALECTS: Readonly<Record<DialectName, SqlDialect>> = {
  duckdb: DUCKDB,
  postgres: POSTGRES,
  sqlite: SQLITE,
  mysql: MYSQL,
  spark: SPARK,
  bigquery: BIGQUERY,
};
