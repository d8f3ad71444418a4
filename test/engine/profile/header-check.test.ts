// Headers that are rows of data: told from names, also from names that are numbers.
import { describe, expect, test } from "bun:test";
import { looksLikeData } from "../../../engine/profile/header-check.ts";
import { profileOf } from "../../support/record-batches.ts";

/** A first line, and the kinds of cells below it. */
const rowsBelow = (row: (index: number) => readonly string[]): string[][] =>
  Array.from({ length: 60 }, (_, index) => [...row(index)]);
const PEOPLE = rowsBelow((i) => [
  String(20 + (i % 40)),
  ["private", "state"][i % 2]!,
  String((i * 37) % 50),
  ["no", "yes"][i % 2]!,
]);
const NUMBERS = rowsBelow((i) => [0.5, 1.5, 2.5].map((step) => String(i * step)).concat(["a", "b"][i % 2]!));
const VOTES = rowsBelow((i) =>
  ["y", "n", "y"].map((vote, at) => ((i + at) % 3 === 0 ? vote : "n")).concat(["left", "right", "none"][i % 3]!),
);
const SCORES = rowsBelow((i) => [["x", "y"][i % 2]!, ["u", "v"][i % 2]!, String(40 + (i % 50) / 10)]);

const codesOf = (names: readonly string[], rows: readonly (readonly string[])[]) =>
  profileOf(names, rows).warnings.filter(({ code }) => code === "HEADER_LOOKS_LIKE_DATA");

describe("a row of data in the header's place is told", () => {
  test.each<[string, string[], string[][]]>([
    ["numbers", ["47.5", "12", "3.25", "a"], NUMBERS],
    ["numbers in order, as of the irises", ["5.1", "3.5", "1.4", "a"], NUMBERS],
    ["repeated numbers", ["0", "0_2", "0_3", "a"], NUMBERS],
    ["all numbers of a table that is mostly text", ["39", "private", "77516", "no"], PEOPLE],
    ["an empty cell", ["39", "column_2", "77516", "no"], PEOPLE],
    ["texts that the columns hold", ["y", "n", "n_2", "right"], VOTES],
    ["the label's name alone", ["colour", "form", "47.441"], SCORES],
  ])("%s", (_, names, rows) => {
    const [warning] = codesOf(names, rows);
    expect(warning?.message).toContain(`"${names.at(-1)}"`);
    expect(warning?.message).toContain("--no-header");
  });
});

describe("a title in the header's place is told", () => {
  test.each<[string, string[], string[]]>([
    ["one name before unnamed columns", ["Sales", "column_2", "column_3", "column_4"], ["HEADER_LOOKS_LIKE_TITLE"]],
    ["two names of five", ["Sales", "column_2", "Region", "column_4", "column_5"], ["HEADER_LOOKS_LIKE_TITLE"]],
    ["two names of four", ["Sales", "column_2", "Region", "column_4"], []],
    ["a label alone", ["column_1", "column_2", "column_3", "income"], []],
  ])("%s", (_, names, codes) => {
    const found = profileOf(names, PEOPLE).warnings.map(({ code }) => code);
    expect(found.filter((code) => code.startsWith("HEADER"))).toEqual(codes);
  });
});

describe("texts above columns of numbers are told", () => {
  const below = (names: readonly string[], first: string[][]) =>
    profileOf(names, [...first, ...NUMBERS]).warnings.filter(({ code }) => code.startsWith("HEADER"));
  const NAMES = ["a", "b", "c", "label"];

  test.each<[string, string[], string[][], number]>([
    ["units", NAMES, [["°C", "kN", "mm", ""]], 2],
    ["units of two columns of three", NAMES, [["°C", "kN", "", ""]], 2],
    ["a rule", NAMES, [["---", "---", "---", "---"]], 2],
    ["a second header", ["Sensor", "column_2", "column_3", "Result"], [["left", "right", "top", "state"]], 2],
    ["a header below a title", ["Report", "line 4", "column_3", "column_4"], [["On", "Monday", "", ""], NAMES], 3],
  ])("%s", (_, names, first, line) => {
    const [warning, ...others] = below(names, first);
    expect(others).toEqual([]);
    expect(warning).toMatchObject({ code: "HEADER_STANDS_BELOW", line });
    expect(warning!.message).toStartWith(`Line ${line} has texts in`);
  });

  test.each<[string, string[][]]>([
    ["of one column", [["°C", "2", "3", "a"]]],
    [
      "in lines of their own",
      [
        ["off", "2", "3", "a"],
        ["1", "off", "3", "a"],
        ["1", "2", "off", "a"],
      ],
    ],
    ["that come again", [["off", "off", "off", "a"], ...NUMBERS, ["off", "off", "off", "a"]]],
    ["further below", [...NUMBERS, ["off", "faulty", "down", "a"]]],
  ])("but none %s", (_, first) => {
    expect(below(NAMES, first)).toEqual([]);
  });
});

describe("names are left alone", () => {
  test.each<[string, string[], string[][]]>([
    ["words", ["age", "work", "hours", "income"], PEOPLE],
    ["counted from 0", ["0", "1", "2", "3"], NUMBERS],
    ["years", ["2019", "2020", "2021", "label"], NUMBERS],
    ["two years", ["2019", "private", "2020", "label"], PEOPLE],
    ["wavelengths in even steps", ["350.5", "351", "351.5", "sort"], NUMBERS],
    ["one number among words", ["age", "work", "1990", "income"], PEOPLE],
    ["empty ones", ["column_1", "column_2", "column_3", "column_4"], PEOPLE],
    [
      "empty ones above empty cells",
      ["a", "column_2", "column_3", "b"],
      rowsBelow((i) => [String(i), "", "", "xy"[i % 2]!]),
    ],
    [
      "a label called after one of its two classes",
      ["colour", "form", "spam"],
      SCORES.map(([a, b], i) => [a!, b!, ["spam", "ham"][i % 2]!]),
    ],
  ])("%s", (_, names, rows) => {
    expect(codesOf(names, rows)).toEqual([]);
  });

  test.each<[string, string[]]>([
    ["months", ["2023-01", "2023-02", "2023-03", "label"]],
    ["times of day", ["07:30", "09:15", "16:45", "label"]],
  ])("a wide table of %s", (_, names) => {
    expect(codesOf(names, NUMBERS)).toEqual([]);
  });

  test("where the file has no header, and where it has no rows", () => {
    expect(profileOf(["47.5", "12", "3.25", "a"], []).warnings.map(({ code }) => code)).not.toContain(
      "HEADER_LOOKS_LIKE_DATA",
    );
    const { warnings } = profileOf(["column_1", "column_2", "column_3", "7"], NUMBERS, { hasHeader: false });
    expect(warnings.map(({ code }) => code)).not.toContain("HEADER_LOOKS_LIKE_DATA");
  });
});

describe("a header that stands again among the rows", () => {
  const headerCodes = (names: readonly string[], rows: readonly (readonly string[])[]) =>
    profileOf(names, rows).warnings.filter(({ code }) => code.startsWith("HEADER_"));
  const joined = (header: readonly string[], rows: string[][]) => [...rows, [...header], ...rows];

  test.each<[string, string[], string[], string[][]]>([
    ["words", ["age", "work", "hours", "income"], ["age", "work", "hours", "income"], PEOPLE],
    ["a repeated and an empty name", ["age", "work", "age_2", "column_4"], ["age", "work", "age", ""], PEOPLE],
    ["among words a number", ["age", "work", "1990", "income"], ["age", "work", "1990", "income"], PEOPLE],
  ])("is told: %s", (_, names, header, rows) => {
    const [warning, ...others] = headerCodes(names, joined(header, rows));
    expect(others).toEqual([]);
    expect(warning).toMatchObject({ code: "HEADER_REPEATED", line: rows.length + 2, count: 1 });
    expect(warning!.message).toContain(`stands again in line ${rows.length + 2}: the file seems to be joined`);
  });

  test("is told right below itself", () => {
    const names = ["a", "b", "c", "label"];
    expect(headerCodes(names, [names, ...NUMBERS])).toMatchObject([{ code: "HEADER_REPEATED", line: 2, count: 1 }]);
  });

  test("is counted, also behind more numbers than a dictionary lists", () => {
    const header = ["amount", "x1", "colour", "label"];
    const many = Array.from({ length: 3000 }, (_, i) => [
      String(((i * 7919) % 99_991) / 8),
      String(i / 16),
      ["red", "green"][i % 2]!,
      ["a", "b"][i % 2]!,
    ]);
    const [warning, ...others] = headerCodes(header, [...many, header, ...many.slice(0, 50), header]);
    expect(others).toEqual([]);
    expect(warning).toMatchObject({ code: "HEADER_REPEATED", line: 3002, count: 2 });
    expect(warning!.message).toContain("in 2 lines, the first 3002:");
  });

  test("is no label, and its rows have none", () => {
    const header = ["age", "work", "hours", "income"];
    const { label } = profileOf(header, [...joined(header, PEOPLE), ["30", "state", "40", ""]]);
    expect(label.classes).toEqual([
      { label: "no", count: 60 },
      { label: "yes", count: 60 },
    ]);
    expect([label.classCount, label.rowsWithoutLabel]).toEqual([2, 2]);
    const named = ["age", "work", "hours", "yes"];
    expect(profileOf(named, PEOPLE).label.classCount).toBe(2);
  });

  test("is none where a cell differs, or where its texts stand in other rows too", () => {
    const header = ["age", "work", "hours", "income"];
    const codes = (names: readonly string[], rows: string[][]) => headerCodes(names, rows).map(({ code }) => code);
    for (const other of ["no", "Income"]) {
      expect(codes(header, joined([...header.slice(0, 3), other], PEOPLE))).not.toContain("HEADER_REPEATED");
    }
    const votes = joined(["y", "n", "n", "right"], VOTES);
    expect(codes(["y", "n", "n_2", "right"], votes)).toEqual(["HEADER_LOOKS_LIKE_DATA"]);
  });
});

test("names alone tell where most are numbers or dates", () => {
  expect(looksLikeData(["47.5", "2024-01-31", "a"])).toBe(true);
  expect(looksLikeData(["1,5", "€ 3", "column_3"])).toBe(true);
  expect(looksLikeData(["0", "1", "2"])).toBe(false);
  expect(looksLikeData(["age", "5", "income"])).toBe(false);
  expect(looksLikeData([])).toBe(false);
});

describe("rows of totals", () => {
  const codes = (rows: readonly (readonly string[])[]) =>
    profileOf(["age", "work", "hours", "income"], rows).warnings.filter(({ code }) => code === "TOTAL_ROWS");

  test.each(["Total", "TOTAL:", "Summe", "Sous-total"])("are told: %s", (word) => {
    const [warning, ...others] = codes([...PEOPLE, ["", word, "900", "30"], ...PEOPLE, ["", word, "900", "30"]]);
    expect(others).toEqual([]);
    expect(warning).toMatchObject({ column: "work", line: 62, count: 2 });
    expect(warning!.message).toStartWith(`2 rows, the first in line 62, have "${word}" in column "work", as totals do`);
  });

  test("are none where many rows have the word, or others hold it", () => {
    expect(codes(PEOPLE.map((row, at) => (at % 3 === 0 ? ["3", "total", "4", "no"] : row)))).toEqual([]);
    expect(codes([...PEOPLE, ["3", "Total War", "4", "no"]])).toEqual([]);
  });
});
