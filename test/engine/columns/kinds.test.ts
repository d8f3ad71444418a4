// The kind and reading of a column: one case for each rule, with the codes of the warnings it gives.
import { describe, expect, test } from "bun:test";
import type { ColumnKind } from "../../../engine/profile/profile.ts";
import { profileColumn, profileOf, withLabel } from "../../support/record-batches.ts";

interface Case {
  cells: readonly string[];
  kind: ColumnKind;
  warnings?: readonly string[];
  delimiter?: string;
  /** The reading's form, where the kind has one. */
  form?: object;
}

function times(count: number, cell: (at: number) => string): string[] {
  return Array.from({ length: count }, (_, at) => cell(at));
}

const plain = { decimal: ".", grouping: "", affix: "" };
const iso = { order: "ymd" };
const unix = { order: "unix" };
const uuid = (at: number): string => `${String(at).padStart(8, "0")}-0000-4000-8000-00000000000f`;
const day = (at: number): string => String(1 + (at % 28)).padStart(2, "0");
const prose = (at: number): string => `this is remark ${at} about the order`;

const numbers: Record<string, Case> = {
  "plain numbers": { cells: ["-12", "+3", ".5", "5.", "1e5"], kind: "number", form: plain },
  "outer white space and missing markers are ignored": {
    cells: [" 1", "2\t", "NA", "", "?", "3"],
    kind: "number",
    form: plain,
  },
  "0 and 1 are two classes": { cells: ["0", "1", "", "1"], kind: "category" },
  "0, 1 and 2 are numbers": { cells: ["0", "1", "2"], kind: "number", form: plain },
  "0.0 and 1.0 are numbers": { cells: ["0.0", "1.0"], kind: "number", form: plain },
  "leading zeros are codes": { cells: ["007", "123", "123"], kind: "category" },
  "a single leading zero among many numbers makes codes": {
    cells: [...times(300, (at) => String(at % 90)), "007"],
    kind: "category",
  },
  "leading zeros with a fraction are codes": { cells: ["01.5", "12.5"], kind: "category" },
  "zero with a fraction is a number": { cells: ["0.5", "0", "1"], kind: "number", form: plain },
  "hexadecimal is a code": { cells: ["0x1F", "0x20", "12"], kind: "category" },
  "integers beyond 2^53 are codes": { cells: ["9007199254740993", "9007199254740992", "12"], kind: "category" },
  "nearly all distinct integers beyond 2^53 are identifiers": {
    cells: times(60, (at) => `90071992547409930${10 + at}`),
    kind: "identifier",
    warnings: ["IDENTIFIER_COLUMN"],
  },
  "infinity counts as missing": {
    cells: ["1", "2", "inf", "-Infinity", "1e999"],
    kind: "number",
    form: plain,
    warnings: ["INFINITE_NUMBER"],
  },
  "infinity and overflow in another form": {
    cells: ["$1", "$2.5", "$1e999", "inf"],
    kind: "number",
    form: { ...plain, affix: "$" },
    warnings: ["INFINITE_NUMBER"],
  },
  "overflow alone is text": { cells: ["$1e999", "$2e999"], kind: "category" },
  "infinity alone is text": { cells: ["inf", "-inf", "inf"], kind: "category" },
  "1% stray cells are missing": {
    cells: [...times(99, (at) => String(at / 4)), "broken"],
    kind: "number",
    form: plain,
    warnings: ["STRAY_TEXT"],
  },
  "more than 1% stray cells make categories": {
    cells: [...times(98, (at) => String(at % 9)), "broken", "x"],
    kind: "category",
  },
  "a stray currency cell is no number in a plain column": {
    cells: [...times(199, (at) => String(at / 4)), "$007"],
    kind: "number",
    form: plain,
    warnings: ["STRAY_TEXT"],
  },
  "decimal comma": { cells: ["1,5", "2,25", "3"], kind: "number", delimiter: ";", form: { ...plain, decimal: "," } },
  "decimal comma with tabs": {
    cells: ["1,5", "-,5"],
    kind: "number",
    delimiter: "\t",
    form: { ...plain, decimal: "," },
  },
  "no decimal comma where the delimiter is a comma": { cells: ["1,5", "2,25", "3"], kind: "category" },
  "many decimal commas there, with advice": {
    cells: times(60, (at) => `${at % 30},5`),
    kind: "category",
    warnings: ["UNREAD_NUMBERS"],
  },
  "thousands where the delimiter is a comma": {
    cells: times(60, (at) => `${at + 1},500`),
    kind: "number",
    form: { ...plain, grouping: "," },
  },
  "no decimal comma beside points": { cells: ["1,5", "2.25", "3"], kind: "category", delimiter: ";", warnings: [] },
  "thousands with commas": { cells: ["1,234.5", "999", "12,345"], kind: "number", form: { ...plain, grouping: "," } },
  "thousands with points": {
    cells: ["1.234,5", "999", "12.345"],
    kind: "number",
    delimiter: ";",
    form: { decimal: ",", grouping: ".", affix: "" },
  },
  "thousands with points in a comma file": {
    cells: ["1.234,5", "2.000,5"],
    kind: "number",
    form: { decimal: ",", grouping: ".", affix: "" },
  },
  "thousands with blanks": { cells: ["1 234.5", "999", "12\u00a0345", "−7"], kind: "number", form: plain },
  "thousands with apostrophes and decimal commas": {
    cells: ["1'234,5", "999", "12’345,25"],
    delimiter: ";",
    kind: "number",
    form: { ...plain, decimal: "," },
  },
  "losses in brackets": {
    cells: ["(1,234.50)", "999.00", "1,000.00", "(5.00)"],
    kind: "number",
    form: { ...plain, grouping: "," },
  },
  "a minus behind": {
    cells: ["1.234,50-", "99,00", "7,25-"],
    delimiter: ";",
    kind: "number",
    form: { ...plain, decimal: ",", grouping: "." },
  },
  "what is about a number": { cells: ["~45", "ca. 50", "51.5"], kind: "number", form: plain },
  "telephone numbers with blanks": {
    cells: times(60, (at) => `6${10 + at} 123 ${100 + 7 * at}`),
    kind: "text",
  },
  "nothing but brackets": { cells: ["(1)", "(2)", "(1)"], kind: "category" },
  grades: { cells: ["1-", "2", "3-", "2-"], kind: "category" },
  "1234 without a group among thousands": { cells: ["1,234", "1234", "999"], kind: "category" },
  "one cell out of form among thousands": {
    cells: [...times(150, (at) => `1,${100 + at}`), "x"],
    kind: "identifier",
    warnings: ["MIXED_COLUMN", "IDENTIFIER_COLUMN"],
  },
  "ambiguous commas are decimal, with a warning": {
    cells: ["1,234", "5,678", "12"],
    kind: "number",
    delimiter: ";",
    form: { ...plain, decimal: "," },
    warnings: ["AMBIGUOUS_NUMBER"],
  },
  "commas that cannot be thousands are decimal without a warning": {
    cells: ["1,234", "5,67"],
    kind: "number",
    delimiter: ";",
    form: { ...plain, decimal: "," },
  },
  "two commas in one cell are thousands": {
    cells: ["1,234", "5,678,901"],
    kind: "number",
    delimiter: ";",
    form: { ...plain, grouping: "," },
  },
  "points and commas that could both be groups": {
    cells: ["1.234", "5,678"],
    kind: "category",
    warnings: ["AMBIGUOUS_NUMBER"],
  },
  percent: { cells: ["12%", "3.5 %", "-1%"], kind: "number", form: { ...plain, affix: "%" } },
  "percent with a decimal comma": {
    cells: ["12,5%", "3%"],
    kind: "number",
    delimiter: ";",
    form: { decimal: ",", grouping: "", affix: "%" },
  },
  "percent in some cells only": { cells: ["12%", "3", "4%"], kind: "category" },
  clock: { cells: ["08:15", "14:05", "2:30 PM"], kind: "number", form: { ...plain, affix: "h:mm" } },
  durations: {
    cells: ["00:03:12", "1:00:00.5", "0 days 00:00:09"],
    kind: "number",
    form: { ...plain, affix: "h:mm:ss" },
  },
  "times in two ways": { cells: ["3:12", "1:03:12", "4:05"], kind: "category" },
  "times beside numbers": { cells: ["3:12", "5", "4:05"], kind: "category" },
  "results of games": { cells: ["2:1", "0:3", "1:1"], kind: "category" },
  units: { cells: ["21.5 °C", "-3 °C", "19°C"], kind: "number", form: { ...plain, affix: "°C" } },
  "two units of one quantity": {
    cells: ["500 g", "1 kg", "750 g", "1.5kg"],
    kind: "number",
    form: { ...plain, affix: "g", units: expect.objectContaining({ g: 1, kg: 1000, mg: 0.001 }) },
  },
  "hours and minutes": {
    cells: ["2h 50m", "19h", "25m", "1h 05m", "1h20m"],
    kind: "number",
    form: { ...plain, affix: "m", units: expect.objectContaining({ m: 1, h: 60, d: 1440 }) },
  },
  "ages in words": {
    cells: ["2 years", "1 year", "3 weeks", "5 months", "1 day"],
    kind: "number",
    form: { ...plain, affix: "day", units: expect.objectContaining({ days: 1, week: 7, years: 365.25 }) },
  },
  "units with decimal commas": {
    cells: ["1,5 kg", "850 g"],
    kind: "number",
    form: { decimal: ",", grouping: "", affix: "g", units: expect.anything() },
    delimiter: ";",
  },
  "ages in years, months and days": {
    cells: ["8y 6m 20d", "18 m", "9 d", "1 y", "-1y 2m"],
    kind: "number",
    form: { ...plain, affix: "d", units: expect.objectContaining({ m: 30.4375, y: 365.25, h: 1 / 24 }) },
  },
  "hours with two digits": {
    cells: ["02h 45m", "10h 05m", "00h 30m", "07h"],
    kind: "number",
    form: { ...plain, affix: "m", units: expect.objectContaining({ h: 60 }) },
  },
  "sizes one behind the other": { cells: ["35 GB 281 GB", "8 GB 16 GB", "4 GB"], kind: "category" },
  "the smaller unit first": { cells: ["8 GB 1 TB", "512 MB", "16 GB 2 TB"], kind: "category" },
  "orders of units that no quantity has": { cells: ["9m 11d", "1h 20m", "3d"], kind: "category" },
  "units of two quantities": { cells: ["500 g", "1 km", "750 g", "1 km"], kind: "category" },
  "minutes and metres": { cells: ["5 m", "1 km", "2 h", "1 h"], kind: "category" },
  "a unit in some cells": { cells: ["500 g", "1 kg", "750", "1 kg"], kind: "category" },
  "codes of a number and a letter": { cells: ["12X", "14X", "15X"], kind: "category" },
  "codes that end alike, in many values": {
    cells: times(20, (at) => `${at + 3}X`),
    kind: "number",
    form: { ...plain, affix: "X" },
  },
  "codes that end alike, with zeros before them": {
    cells: times(40, (at) => `00${at + 3}X`),
    kind: "category",
  },
  "codes of several letters": {
    cells: times(40, (at) => `${at + 3}${"WXYZ"[at % 4]}`),
    kind: "category",
  },
  "what stands behind every number": {
    cells: times(40, (at) => `${at}.5 km/l`),
    kind: "number",
    form: { ...plain, affix: "km/l" },
  },
  "marks out of five": { cells: times(40, (at) => `${at / 8} / 5`), kind: "number", form: { ...plain, affix: "/ 5" } },
  "words behind every number": {
    cells: times(40, (at) => `${at + 1},000 views since launch`),
    kind: "number",
    form: { ...plain, grouping: ",", affix: "views since launch" },
  },
  "dockets of one year": { cells: times(40, (at) => `${at + 1}/24`), kind: "category" },
  "amounts with separators that differ in every row": {
    cells: times(60, (at) => `${at + 1}.5 mAh`),
    kind: "number",
    form: { ...plain, affix: "mAh" },
  },
  "numbers of one year": { cells: times(40, (at) => `${at + 1}/ 2019`), kind: "category" },
  dollars: { cells: ["$12", "-$3.50", "$ 4"], kind: "number", form: { ...plain, affix: "$" } },
  "euros behind, with thousands": {
    cells: ["1.234,50 €", "3,00 €"],
    kind: "number",
    delimiter: ";",
    form: { decimal: ",", grouping: ".", affix: "€" },
  },
  "currency codes": {
    cells: ["USD 12", "USD 1,300"],
    kind: "number",
    form: { decimal: ".", grouping: ",", affix: "USD" },
  },
  "two currencies": { cells: ["$12", "€13", "$14"], kind: "category" },
  "letters that are no currency": { cells: ["SKU 12", "SKU 13"], kind: "category" },
  "currency codes with leading zeros": { cells: ["USD 012", "USD 013"], kind: "category" },
};

const identifiers: Record<string, Case> = {
  "running numbers": {
    cells: times(60, (at) => String(1000 + at)),
    kind: "identifier",
    warnings: ["IDENTIFIER_COLUMN"],
  },
  "running numbers of 49 rows": { cells: times(49, (at) => String(1000 + at)), kind: "number", form: plain },
  "distinct integers over a wide range": {
    cells: times(60, (at) => String(1000 + 2 * at)),
    kind: "number",
    form: plain,
  },
  "years are numbers": { cells: times(60, (at) => String(1950 + at)), kind: "number", form: plain },
  "distinct decimals are numbers": { cells: times(60, (at) => `${at}.5`), kind: "number", form: plain },
  "distinct texts": { cells: times(60, (at) => `item ${at}`), kind: "identifier", warnings: ["IDENTIFIER_COLUMN"] },
  "distinct titles are texts": { cells: times(60, (at) => `the item number ${at}`), kind: "text" },
  "95% distinct texts are categories": { cells: times(60, (at) => `item ${Math.max(at, 3)}`), kind: "category" },
  "distinct texts of 49 rows": { cells: times(49, (at) => `item ${at}`), kind: "category" },
  "distinct texts with leading zeros": {
    cells: times(60, (at) => `0${100 + at}`),
    kind: "identifier",
    warnings: ["IDENTIFIER_COLUMN"],
  },
  "UUIDs, repeated": { cells: times(60, (at) => uuid(at % 40)), kind: "identifier", warnings: ["IDENTIFIER_COLUMN"] },
  "UUIDs, few": { cells: times(60, (at) => uuid(at % 20)), kind: "category" },
  hexadecimal: {
    cells: times(60, (at) => `00ff${String(at % 40).padStart(4, "0")}`),
    kind: "identifier",
    warnings: ["IDENTIFIER_COLUMN"],
  },
  "hexadecimal with a prefix": {
    cells: times(60, (at) => `0x${String(at % 40).padStart(8, "0")}`),
    kind: "identifier",
    warnings: ["IDENTIFIER_COLUMN"],
  },
  "hexadecimal of odd length": { cells: times(60, (at) => `0ff${String(at % 40).padStart(6, "0")}`), kind: "category" },
  "eight digits without a letter": {
    cells: times(60, (at) => String(10_000_000 + 7 * (at % 40))),
    kind: "number",
    form: plain,
  },
};

const dates: Record<string, Case> = {
  "ISO dates": { cells: times(5, (at) => `2024-02-${day(at)}`), kind: "date", form: iso },
  "ISO months": { cells: times(30, (at) => `20${10 + at}-02`), kind: "date", form: iso },
  "addresses of machines": { cells: times(200, (at) => `10.${at % 9}.7.${at}`), kind: "text" },
  "addresses of pages": { cells: times(200, (at) => `https://a.example/${at % 9}?id=${at}`), kind: "text" },
  "addresses of mailboxes say who": {
    cells: times(200, (at) => `jo.${at}@mail${at % 9}.example`),
    kind: "identifier",
    warnings: ["IDENTIFIER_COLUMN"],
  },
  paths: { cells: times(200, (at) => `/var/log/app${at % 9}/${at}.log`), kind: "text" },
  "paths with blanks": { cells: times(200, (at) => `C:\\Program Files\\app${at % 9}\\f${at}.exe`), kind: "text" },
  "codes of parts": {
    cells: times(200, (at) => `AB/${at % 9}-${at}`),
    kind: "identifier",
    warnings: ["IDENTIFIER_COLUMN"],
  },
  "codes like months": { cells: times(15, (at) => `47${10 + at}-02`), kind: "category" },
  "ISO dates, all distinct": { cells: times(60, (at) => `20${10 + at}-02-01`), kind: "date", form: iso },
  "ISO date-times": { cells: ["2024-02-01T10:00:00Z", "2024-02-01 11:30"], kind: "date", form: iso },
  "up to 5% strays": {
    cells: [...times(96, (at) => `2024-02-${day(at)}`), "soon", "later", "2024-02-30"],
    kind: "date",
    form: iso,
    warnings: ["STRAY_TEXT"],
  },
  "5% strays": {
    cells: [...times(95, (at) => `2024-02-${day(at)}`), "a", "b", "c", "d", "e"],
    kind: "category",
    warnings: ["MIXED_COLUMN"],
  },
  "day first": { cells: ["13/02/2024", "1/2/2024"], kind: "date", form: { order: "dmy" } },
  "day first with points": { cells: ["13.02.2024", "1.2.2024 10:15"], kind: "date", form: { order: "dmy" } },
  "month first": { cells: ["02/13/2024", "1/2/2024"], kind: "date", form: { order: "mdy" } },
  "month first with hyphens": { cells: ["02-13-2024", "1-2-2024 1:00 PM"], kind: "date", form: { order: "mdy" } },
  "neither proven": { cells: ["01/02/2024", "3/4/2024"], kind: "category", warnings: ["AMBIGUOUS_DATE"] },
  "both shown": { cells: ["13/02/2024", "02/13/2024"], kind: "category", warnings: ["AMBIGUOUS_DATE"] },
  "neither proven, all distinct": {
    cells: times(60, (at) => `1/2/${1900 + at}`),
    kind: "identifier",
    warnings: ["AMBIGUOUS_DATE", "IDENTIFIER_COLUMN"],
  },
  "two-digit years": { cells: ["13/02/24", "14/02/98"], kind: "date", form: { order: "dmy" } },
  "years first with two digits": {
    cells: times(60, (at) => `1${5 + (at % 3)}-02-${day(at % 28)}`),
    kind: "identifier",
    warnings: ["AMBIGUOUS_DATE", "IDENTIFIER_COLUMN"],
  },
  "names of months": { cells: ["03-Feb-2023", "14-MAR-23 02.15.00 PM"], kind: "date", form: { order: "dmy" } },
  "names of months first": { cells: ["Feb 3, 2023", "March 14, 2023"], kind: "date", form: { order: "mdy" } },
  "months with their years": { cells: ["02/2023", "11/2023"], kind: "date", form: { order: "dmy" } },
  "years first with slashes": { cells: ["2023/02/03", "2023/2/13"], kind: "date", form: iso },
  "days of eight digits": { cells: times(60, (at) => `202402${day(at % 28)}`), kind: "date", form: iso },
  "days of eight digits beside an empty marker": {
    cells: times(60, (at) => (at % 9 === 0 ? "?" : `202402${day(at % 28)}`)),
    kind: "date",
    form: iso,
  },
  "numbers of eight digits": { cells: times(60, (at) => String(20_240_101 + 37 * at)), kind: "number", form: plain },
  "what may be seconds since 1970": {
    cells: times(60, (at) => String(1_700_000_000 + 3_600 * at)),
    kind: "number",
    form: plain,
    warnings: ["UNREAD_DATES"],
  },
  "milliseconds since 1970": {
    cells: times(60, (at) => String(1_700_000_000_000 + 3_600_000 * at)),
    kind: "date",
    form: unix,
  },
  "numbers of which some are too small for times": {
    cells: times(60, (at) => String(999_000_000 + 3_600_000 * at)),
    kind: "number",
    form: plain,
  },
  "telephone numbers": {
    cells: times(60, (at) => String(2_010_000_000 + 2_000_000 * at)),
    kind: "number",
    form: plain,
  },
  "account numbers": { cells: times(60, (at) => String(1_000_000_000 + 1_500_000 * at)), kind: "number", form: plain },
  "seconds of one day": { cells: times(60, (at) => String(1_700_000_000 + 37 * at)), kind: "number", form: plain },
};

const code = (at: number) => `${"ABC"[at % 3]}${String(at % 7)}.${String(10_000 + at)}`;

describe("the parts of codes are read", () => {
  const hasTerms = (cells: string[]) => {
    const { column } = profileColumn(cells);
    return [column.kind, column.hasTerms, column.unusedReason === null];
  };
  test("of identifiers", () => {
    expect(hasTerms(times(500, code))).toEqual(["identifier", true, true]);
  });
  test("of postal codes", () => {
    expect(hasTerms(times(600, (at) => String(at * 166).padStart(5, "0")))).toEqual(["identifier", true, true]);
  });
  test("of many categories that hardly recur", () => {
    expect(hasTerms(times(900, (at) => code(at % 120)))).toEqual(["category", true, true]);
  });
  test("not of few rows", () => {
    expect(hasTerms(times(99, code))).toEqual(["identifier", false, false]);
  });
  test("not of categories that recur", () => {
    expect(hasTerms(times(3_000, (at) => code(at % 120)))).toEqual(["category", false, true]);
  });
  test("of names and addresses of mail, from as many rows as a refinement judges", () => {
    const letters = (at: number) => String.fromCharCode(97 + (at % 26), 97 + (Math.floor(at / 26) % 26), 97 + (at % 7));
    for (const name of [letters, (at: number) => `${letters(at)}${at % 2 === 0 ? "" : at}@${letters(at * 31)}.org`]) {
      expect(hasTerms(times(320, name))).toEqual(["identifier", true, true]);
      expect(hasTerms(times(319, name))).toEqual(["identifier", false, false]);
    }
  });
  test("not of running numbers, hexadecimal numbers and UUIDs", () => {
    for (const cells of [
      times(600, (at) => String(at)),
      times(600, (at) => (0xabcdef0000 + at * 7919).toString(16).padStart(12, "a")),
      times(600, uuid),
    ]) {
      expect(hasTerms(cells)).toEqual(["identifier", false, false]);
    }
  });
});

describe("pieces of values that hardly recur are read", () => {
  const typed = (alone: number, count: number) => times(count, (at) => (at < alone ? `dear${at}` : `dear ${at % 40}`));
  const hasTerms = (cells: string[]) => {
    const { column } = profileColumn(
      cells.map((cell) => cell.replaceAll(/\d/g, (digit) => "abcdefghij"[Number(digit)]!)),
    );
    return [column.kind, column.hasTerms];
  };
  test("of answers with fewer than three rows each", () => {
    expect(hasTerms(typed(94, 400))).toEqual(["category", true]);
    expect(hasTerms(typed(93, 400))).toEqual(["category", false]);
  });
  test("not of fewer rows than a refinement judges", () => {
    expect(hasTerms(typed(100, 320))).toEqual(["category", true]);
    expect(hasTerms(typed(100, 319))).toEqual(["category", false]);
  });
});

const han = (at: number) => String.fromCharCode(0x4e00 + at);

const texts: Record<string, Case> = {
  prose: { cells: times(60, prose), kind: "text" },
  "prose of few rows": { cells: times(5, prose), kind: "text" },
  "prose that repeats": { cells: times(60, (at) => prose(at % 30)), kind: "category" },
  "long texts of several words": {
    cells: times(60, (at) => `incomprehensibilities notwithstanding ${at} x`),
    kind: "text",
  },
  "long single words, all distinct": {
    cells: times(60, (at) => `var_lib_somewhere_far_down_in_the_tree_of_things_${at}`),
    kind: "identifier",
    warnings: ["IDENTIFIER_COLUMN"],
  },
  "long single words, mostly distinct": {
    cells: times(60, (at) => `/var/lib/somewhere/far/down/in/the/tree/${at % 40}`),
    kind: "text",
  },
  "texts of a script without spaces": { cells: times(60, (at) => `这家餐厅很好吃${han(at)}`), kind: "text" },
  "names of a script without spaces": {
    cells: times(60, (at) => `王小${han(at)}`),
    kind: "identifier",
    warnings: ["IDENTIFIER_COLUMN"],
  },
  categories: { cells: ["red", "green", "red"], kind: "category" },
  "true and false": { cells: ["TRUE", "False", "TRUE"], kind: "category" },
  "case counts": { cells: ["yes", "Yes", "no"], kind: "category" },
  "one value": { cells: ["x", "x", "x"], kind: "constant" },
  "one date": { cells: ["2024-02-01", "2024-02-01"], kind: "constant" },
  "one value and missing cells": { cells: ["x", "", "x"], kind: "constant" },
  "all missing": { cells: ["", "NA", "null"], kind: "constant" },
};

test.each(["ts", "created_at", "updatedAt", "Event time", "Datum"])("seconds since 1970 are dates in %s", (name) => {
  for (const digits of ["", ".25"]) {
    const cells = times(60, (at) => `${1_700_000_000 + 3_600 * at}${digits}`);
    const { columns, warnings } = profileOf([name, "label"], withLabel(cells));
    expect<unknown>([columns[0]!.reading, warnings]).toEqual([{ kind: "date", form: unix }, []]);
  }
});

test.each(["station", "document", "parts"])("seconds since 1970 are numbers in %s", (name) => {
  const { columns } = profileOf([name, "label"], withLabel(times(60, (at) => String(1_700_000_000 + 3_600 * at))));
  expect(columns[0]!.kind).toBe("number");
});

for (const [group, cases] of Object.entries({ numbers, identifiers, dates, texts })) {
  describe(group, () => {
    test.each(Object.entries(cases))("%s", (_, { cells, kind, warnings = [], delimiter = ",", form }) => {
      const { column, profile } = profileColumn(cells, { delimiter });
      expect(column.kind).toBe(kind);
      expect(profile.warnings.map((warning) => warning.code)).toEqual([...warnings]);
      const readingKind = kind === "number" || kind === "date" ? kind : "category";
      expect<unknown>(column.reading).toEqual(form === undefined ? { kind: readingKind } : { kind: readingKind, form });
    });
  });
}

test.each([
  ["days of one month", "category", (at: number) => `${1 + (at % 30)} March`],
  ["running numbers with a letter", "identifier", (at: number) => `${at + 1}X`],
] as const)("no number of what its text names: %s", (_, kind, cellOf) => {
  expect(profileColumn(times(90, cellOf)).column).toMatchObject({ kind, hasTerms: false });
});

test("a column keeps its kind where its dictionary holds only some of its texts", () => {
  const caps = { texts: 12, firstTexts: 12, bytes: 10_000, distinctSlots: 256, sampleCells: 40 };
  for (const cases of [numbers, identifiers, dates, texts]) {
    for (const [name, { cells, kind, warnings = [], delimiter = ",", form }] of Object.entries(cases)) {
      const { column, profile } = profileColumn(cells, { delimiter, caps });
      const codes = profile.warnings.map((warning) => warning.code).filter((code) => code !== "MANY_CATEGORIES");
      expect([name, column.kind, codes]).toEqual([name, kind, [...warnings]]);
      if (form !== undefined) expect(column.reading).toMatchObject({ form });
    }
  }
});

describe("warnings locate and count, and show no text that comes once", () => {
  test("stray text", () => {
    const cells = times(400, (at) => (at === 120 || at === 300 ? `secret${".".repeat(at)}` : String(at / 4)));
    const [warning] = profileColumn(cells).profile.warnings;
    expect(warning).toEqual({
      code: "STRAY_TEXT",
      message: 'Column "c" holds numbers except in 2 cells, the first in line 122; such cells count as missing.',
      line: 122,
      column: "c",
      count: 2,
    });
  });

  test("infinite numbers", () => {
    const [warning] = profileColumn(["1", "2", "inf", "-inf"]).profile.warnings;
    expect(warning).toMatchObject({ line: 4, column: "c", count: 2 });
  });

  test("overflow in another form than the plain one", () => {
    const [warning] = profileColumn(["1,5", "2", "3,5e999", "inf"], { delimiter: ";" }).profile.warnings;
    expect(warning).toMatchObject({ code: "INFINITE_NUMBER", line: 4, count: 2 });
  });

  test("stray dates beyond the dictionary", () => {
    const cells = times(400, (at) => (at === 120 || at === 300 ? `secret${at}` : `19${10 + (at % 80)}-02-${day(at)}`));
    const caps = { texts: 10, firstTexts: 10, bytes: 10_000, distinctSlots: 1024, sampleCells: 40 };
    const [warning] = profileColumn(cells, { caps }).profile.warnings;
    expect(warning).toMatchObject({ code: "STRAY_TEXT", line: 122, count: 2 });
    expect(warning?.message).not.toContain("secret");
  });
});

test("own missing markers replace the default ones, and an empty cell stays missing", () => {
  const { column } = profileColumn(["1", "-999", "2.5", "", "NA"], { missingMarkers: ["-999"] });
  expect(column.missing).toBe(2);
  expect(column.kind).toBe("category");
  expect(column.distinct).toBe(3);
});
