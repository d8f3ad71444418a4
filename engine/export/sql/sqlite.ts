// The dialect of SQLite, whose values have types of their own, whatever their column says, and which has no patterns.
import {
  BLANKS,
  doubled,
  exponentDouble,
  foldedInAscii,
  INTERPRETED_NODES,
  numberedInQuery,
  type SqlDialect,
  UNIX_DIGITS,
} from "./dialect.ts";
import { EXACT_DIGITS, type TextChecks } from "./text-checks.ts";

const DIGIT = "[0-9]";
/** Arguments of a function at most. */
const MOST_ARGUMENTS = 100;

/** Control characters by their codes: a raw line end may be changed where a file is copied. */
function quotedText(value: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const parts = value.split(/([\0-\x1f\x7f]+)/).map((part, at) => {
    return at % 2 === 0 ? doubled(part, "'") : `CHAR(${Array.from(part, (sign) => sign.charCodeAt(0)).join(",")})`;
  });
  const written = parts.filter((part) => part !== "''");
  return written.length > 1 ? `(${written.join(" || ")})` : (written[0] ?? "''");
}

/** `MAX` of one argument would be an aggregate. */
function greatest(...numbers: readonly string[]): string {
  if (numbers.length <= MOST_ARGUMENTS) return `MAX(${numbers.join(", ")})`;
  return greatest(greatest(...numbers.slice(0, MOST_ARGUMENTS)), ...numbers.slice(MOST_ARGUMENTS));
}

const glob = (text: string, ...patterns: readonly string[]) =>
  `(${patterns.map((pattern) => `${text} GLOB '${pattern}'`).join(" OR ")})`;
const allDigits = (text: string) => `${text} NOT GLOB '*[^0-9]*'`;

/** Whether a text is a number, and the digits before its exponent. `exponentDigits`: as many as this at most. */
function numberParts(text: string, exponentDigits: number): { isNumber: string; unsigned: string; digits: string } {
  const unsigned = `LTRIM(${text}, '+-')`;
  const mantissa = `SUBSTR(${unsigned}, 1, INSTR(LOWER(${unsigned}) || 'e', 'e') - 1)`;
  const digits = `REPLACE(${mantissa}, '.', '')`;
  const exponents = Array.from({ length: exponentDigits }, (_, at) => DIGIT.repeat(at + 1));
  const isNumber = [
    `${text} NOT GLOB '[+-][+-]*'`,
    `${unsigned} NOT GLOB '*[eE]*[eE]*'`,
    `(${unsigned} NOT GLOB '*[eE]*' OR ${glob(unsigned, ...exponents.flatMap((own) => [`*[eE]${own}`, `*[eE][+-]${own}`]))})`,
    `LENGTH(${mantissa}) - LENGTH(${digits}) <= 1`,
    `${digits} <> '' AND ${allDigits(digits)}`,
  ].join(" AND ");
  return { isNumber, unsigned, digits };
}

/** A cast of another text would give what its first signs are, or 0. */
function asDouble(cell: string): string {
  const { isNumber } = numberParts(`TRIM(${cell})`, 3);
  return (
    `CASE WHEN TYPEOF(${cell}) IN ('integer', 'real') OR TYPEOF(${cell}) = 'text' AND ${isNumber} ` +
    `THEN CAST(${cell} AS REAL) END`
  );
}

/** A day that the calendar does not have becomes another one. */
function isIsoDate(text: string): string {
  const day = `SUBSTR(${text}, 1, 10)`;
  const clock = `SUBSTR(${text}, 11)`;
  const rest = `SUBSTR(${text}, 17)`;
  const seconds = [":[0-5][0-9]", ":60"];
  const zone =
    `CASE WHEN ${glob(rest, ...seconds.map((own) => `${own}[.,]${DIGIT}*`))} ` +
    `THEN LTRIM(SUBSTR(${rest}, 5), '0123456789') ` +
    `WHEN ${glob(rest, ...seconds.map((own) => `${own}*`))} THEN SUBSTR(${rest}, 4) ELSE ${rest} END`;
  const zones = ["", "Z", "[+-][0-9][0-9]", "[+-][0-9][0-9][0-5][0-9]", "[+-][0-9][0-9]:[0-5][0-9]"];
  return (
    `DATE(${day}) = ${day} AND SUBSTR(${text}, 1, 4) > '0000' AND (${clock} = '' OR ` +
    `${glob(clock, "[T ][01][0-9]:[0-5][0-9]*", "[T ]2[0-3]:[0-5][0-9]*")} AND ${glob(`(${zone})`, ...zones)})`
  );
}

const CHECKS: TextChecks = {
  isExactNumber: (text) => {
    const { isNumber, unsigned, digits } = numberParts(text, 2);
    return `${isNumber} AND ${unsigned} NOT GLOB '0[0-9]*' AND LENGTH(TRIM(${digits}, '0')) <= ${EXACT_DIGITS}`;
  },
  isIsoDate,
  isMonth: (text) =>
    `${glob(text, "1[89][0-9][0-9]-[01][0-9]", "20[0-9][0-9]-[01][0-9]")} AND SUBSTR(${text}, 6) BETWEEN '01' AND '12'`,
  isEightDigits: (text) =>
    `${glob(text, DIGIT.repeat(8), `${DIGIT.repeat(8)}.*`)} AND TRIM(SUBSTR(${text}, 10), '0') = ''`,
  isUnix: (text, unit) => {
    const whole = `[12]${DIGIT.repeat(UNIX_DIGITS[unit])}`;
    return `${glob(text, whole, `${whole}.*`)} AND ${allDigits(`SUBSTR(${text}, ${UNIX_DIGITS[unit] + 3})`)}`;
  },
};

export const SQLITE: SqlDialect = {
  title: "SQLite",
  notRun: null,
  identifier: (name) => doubled(name, '"'),
  takesName: (name) => !name.includes("\0"),
  foldedName: foldedInAscii,
  text: quotedText,
  double: exponentDouble,
  asDouble,
  textNumbers: "texts that are no plain number are missing",
  numberOf: (sql) => `CAST(${sql} AS REAL)`,
  asTimestamp: (sql) => sql,
  unixText: (seconds) => `STRFTIME('%Y-%m-%d %H:%M:%S', CAST(${seconds} AS INTEGER), 'unixepoch')`,
  asText: (sql) => `CAST(${sql} AS TEXT)`,
  isoText: (sql) => `CAST(${sql} AS TEXT)`,
  trimmed: (sql) => `TRIM(${sql}, ${quotedText(BLANKS)})`,
  checks: CHECKS,
  concat: (...texts) => texts.join(" || "),
  greatest,
  weekday: (sql) => `(STRFTIME('%w', ${sql}) + 6) % 7`,
  secondsOfDay: (sql) => `CAST(STRFTIME('%s', ${sql}) AS REAL)`,
  element: null,
  row: null,
  sharesSubqueries: true,
  // A subquery with OFFSET is never merged.
  fence: " LIMIT -1 OFFSET 0",
  temporary: {
    nameOf: (table) => `temp.${table}`,
    drop: "DROP TABLE IF EXISTS",
    analyze: "ANALYZE",
    numbered: numberedInQuery,
  },
  mostCaseNodes: INTERPRETED_NODES,
  mostBytes: 50e6,
  mostColumns: 2_000,
  advice:
    "It needs SQLite 3.35 with mathematical functions: where it says 'no such function: LN' or 'EXP', they are left out.",
};
