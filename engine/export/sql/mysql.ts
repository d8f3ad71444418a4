// The dialect of MySQL 8 and MariaDB, the same whatever the session's sql_mode and collations are.
import { BLANKS, doubled, exponentDouble, INTERPRETED_NODES, type SqlDialect } from "./dialect.ts";
import { patternChecks } from "./text-checks.ts";

/** Characters of a column's name at most. */
const MOST_NAME = 64;
/** The number of a text or number, which has as many digits as a double. */
const NUMBER = "'^ *[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)([eE][+-]?[0-9]{1,3})? *$'";

/** By code where a backslash may escape, or the session's character set may lack the character. */
function quotedText(value: string): string {
  if (/^[ -[\]-~]*$/.test(value)) return doubled(value, "'");
  return `_utf8mb4 X'${Array.from(new TextEncoder().encode(value), (byte) => byte.toString(16).padStart(2, "0")).join("")}'`;
}

/** Compared by its characters, capitals and accents told apart. */
const exactly = (sql: string) => `(${sql} COLLATE utf8mb4_bin)`;
const asText = (sql: string) => exactly(`CONVERT(${sql} USING utf8mb4)`);

const NOT_BLANK = `[^${BLANKS}]`;
/** From the first character that is no blank to the last one. */
const TRIMMED = quotedText(`(?s)${NOT_BLANK}(.*${NOT_BLANK})?`);

export const MYSQL: SqlDialect = {
  title: "MySQL and MariaDB",
  notRun: "MySQL, only in MariaDB",
  identifier: (name) => doubled(name, "`"),
  // Names have no characters beyond the first plane, and no blank at their end.
  takesName: (name) => name.length <= MOST_NAME && !/[\0\ud800-\udfff]|\s$/.test(name),
  // Each character by itself: a capital I with a dot is an i.
  foldedName: (name) => Array.from(name, (sign) => sign.toLowerCase()[0]).join(""),
  text: quotedText,
  double: exponentDouble,
  // A cast of another text would give what its first signs are, or 0.
  asDouble: (sql) => `CASE WHEN ${asText(sql)} REGEXP ${NUMBER} THEN CAST(${sql} AS DOUBLE) END`,
  textNumbers: "texts that are no plain number are missing",
  numberOf: (sql) => `CAST(${sql} AS DOUBLE)`,
  asTimestamp: (sql) => sql,
  unixText: (seconds) => asText(`TIMESTAMP('1970-01-01 00:00:00') + INTERVAL FLOOR(${seconds}) SECOND`),
  asText,
  isoText: asText,
  trimmed: (sql) => exactly(`REGEXP_SUBSTR(${sql}, ${TRIMMED})`),
  checks: patternChecks(
    (sql, pattern) => `${sql} REGEXP ${pattern}`,
    (sql, pattern) => `REGEXP_REPLACE(${sql}, ${pattern}, '')`,
  ),
  concat: (...texts) => `CONCAT(${texts.join(", ")})`,
  greatest: (...numbers) => `GREATEST(${numbers.join(", ")})`,
  weekday: (sql) => `WEEKDAY(${sql})`,
  secondsOfDay: (sql) => `86400e0 * DATEDIFF(${sql}, '1970-01-01')`,
  // ELT gives a text, unless a sum asks for a number.
  element: (values, _, index) => `(ELT(${index} + 1, ${values.join(",")}) + 0e0)`,
  row: null,
  sharesSubqueries: false,
  fence: " LIMIT 18446744073709551615",
  temporary: {
    nameOf: (table) => table,
    drop: "DROP TEMPORARY TABLE IF EXISTS",
    analyze: null,
    // ROW_NUMBER would number them in any order.
    numbered: (table, number, from, alias) =>
      `CREATE TEMPORARY TABLE ${table} (${number} BIGINT AUTO_INCREMENT PRIMARY KEY) AS SELECT ${alias}.* FROM ${from}`,
  },
  mostCaseNodes: INTERPRETED_NODES,
  // The least max_allowed_packet that a server has unless it is told otherwise, MariaDB's.
  mostBytes: 16e6,
  mostColumns: 4_000,
  advice: "Where names of columns are not in ASCII, read this file as utf8mb4 (--default-character-set=utf8mb4).",
};
