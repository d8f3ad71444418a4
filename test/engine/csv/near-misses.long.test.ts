// Long texts that are nearly something: each reader must give them up, or
// take them, in time in proportion to their length.
import { describe, expect, test } from "bun:test";
import { DAY_FIRST, MONTH_FIRST, packDate, YEAR_FIRST } from "../../../engine/columns/dates.ts";
import { nearestName } from "../../../engine/columns/near-miss.ts";
import { canonicalNumberText, isDigitCode, type NumberForm, readNumber } from "../../../engine/columns/numbers.ts";
import { MAX_CELL_BYTES } from "../../../engine/csv/limits.ts";
import { CsvFeed } from "../../../engine/csv/read.ts";
import { spreadsheetSafe } from "../../../engine/csv/write.ts";
import { findJsonFault } from "../../../engine/json-syntax.ts";
import { hasArrayType } from "../../../engine/model/model-check.ts";
import { looksLikeData } from "../../../engine/profile/header-check.ts";
import { FileDialect } from "../../../engine/scoring/file-dialect.ts";
import { asCells, asStrings, firstPass, secondPass } from "../../support/two-passes.ts";
import { read } from "./reading.ts";

/** What goes before, what is repeated, and the end that spoils it. */
const KINDS: Record<string, [head: string, unit: string, end: string]> = {
  digits: ["", "1", "x"],
  "digits behind a sign": ["-", "9", "-"],
  zeros: ["", "0", "x"],
  "zeros between digits": ["1.", "0", "1"],
  "digits behind a point": ["0.", "3", "x"],
  "points and digits": ["", ".1", "x"],
  "a decimal comma": ["1,", "5", "x"],
  "groups with commas": ["1", ",234", "x"],
  "groups with points": ["1", ".234", "x"],
  "the last group too short": ["1", ",234", ",5"],
  "the digits of an exponent": ["1e", "7", "x"],
  "digits before an exponent": ["", "1", "e"],
  exponents: ["1", "e5", ""],
  "the seconds of a date": ["2024-01-02T03:04:05.", "6", "x"],
  "spaces behind a date": ["01/02/2024", " ", "x"],
  "a date of digits": ["2024-01-", "2", "x"],
  "spaces inside": ["1", " ", "x"],
  "tabs inside": ["1", "\t", "x"],
  "hard spaces inside": ["1", "\u00a0", "x"],
  "spaces behind a currency": ["$", " ", "x"],
  "spaces before a currency": ["1", " ", "EURO"],
  "currency codes": ["1", "EUR", "x"],
  "percent signs": ["5", "%", "x"],
  signs: ["", "+-", "1"],
  hexadecimal: ["0x", "aF", "g"],
  "a UUID": ["01234567-89ab-cdef-0123-", "456789ab", "-"],
  formulas: [" ", "=", ","],
  words: ["", "a ", "."],
  quotes: ["a", '"', "b"],
  "quotes and commas": ["", '","', ""],
  "line ends": ["a", "\n", "b"],
  backslashes: ["", "\\", "x"],
};
const LENGTHS = [18, 19, 20].map((power) => 2 ** power);
const FORMS: readonly NumberForm[] = [
  { decimal: ".", grouping: "", affix: "" },
  { decimal: ",", grouping: "", affix: "" },
  { decimal: ".", grouping: ",", affix: "" },
  { decimal: ",", grouping: ".", affix: "" },
  { decimal: ".", grouping: ",", affix: "$" },
  { decimal: ",", grouping: "", affix: "EUR" },
];

function nearMiss([head, unit, end]: [string, string, string], length: number): string {
  return head + unit.repeat(Math.floor((length - head.length - end.length) / unit.length)) + end;
}

function quoted(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}

/** Enough numbers that the column `x` is one of numbers in spite of its last cell. */
function tableOf(cell: string): Uint8Array {
  const numbers = Array.from({ length: 120 }, (_, row) => `${row}.5,${row % 7},${row % 2}\n`);
  return new TextEncoder().encode(`x,y,label\n${numbers.join("")}${quoted(cell)},1,1\n`);
}

// A square of the last length is a trillion steps: a test that runs into one does not end in its time.
describe.each(Object.entries(KINDS))("%s", (_, kind) => {
  test.each(LENGTHS)("of %i characters", (length) => {
    const cell = nearMiss(kind, length);
    for (const form of FORMS) expect(readNumber(cell, form)).not.toBe(0);
    const columns = FORMS.map((form, at) => ({ name: `c${at}`, reading: { kind: "number" as const, form } }));
    const dialect = new FileDialect({ columns, missingMarkers: [] }, [...columns.keys()], ";");
    for (const column of columns.keys()) dialect.addText(column, cell, 1);
    expect(dialect.readings()).toHaveLength(FORMS.length);
    expect(looksLikeData([cell, cell])).toBeBoolean();
    for (const order of [YEAR_FIRST, DAY_FIRST, MONTH_FIRST]) expect(packDate(cell, order)).toBe(-1);
    expect([canonicalNumberText(cell), isDigitCode(cell)]).toBeArrayOfSize(2);
    expect(spreadsheetSafe(cell).length).toBeGreaterThanOrEqual(cell.length);
    expect(nearestName(cell, [`${cell}x`, "a"])).toBeNull();
    expect(hasArrayType(cell, new Float64Array(1))).toBe(false);
    expect(findJsonFault(JSON.stringify({ [cell]: cell }))).toBeNull();
    expect(findJsonFault(cell)).not.toBeUndefined();
  });

  test("as a cell, a name and a line of the longest that may be", () => {
    const cell = nearMiss(kind, MAX_CELL_BYTES / (kind[1] === "\u00a0" ? 2 : 1));
    const bytes = tableOf(cell);
    for (const hand of [asCells, asStrings]) {
      const profile = firstPass(() => [bytes], hand, {});
      expect(profile.rowCount).toBe(121);
      expect(profile.columns[0]!.kind).not.toBe("constant");
      expect(secondPass(() => [bytes], hand, profile).rowCount).toBe(121);
    }
    const named = read(new TextEncoder().encode(`${quoted(cell)},${quoted(cell)}\n1,2\n`));
    expect([named.error, named.records]).toEqual([null, [["1", "2"]]]);
    // Without quotes it is some table or none, but an answer.
    const { report, error } = read(new TextEncoder().encode(`x,label\n${cell}\n`));
    expect(report ?? error).not.toBeNull();
    let recordCount = 0;
    const feed = new CsvFeed(["x", "label"], () => (batch) => {
      recordCount += batch.records.length;
    });
    feed.push(bytes);
    feed.end();
    expect(recordCount).toBe(121);
  });
});
