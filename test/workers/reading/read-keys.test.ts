// Groups and times of real files: numbers of groups, orders of times, what
// is refused, and what a key column no longer is.
import { describe, expect, test } from "bun:test";
import { timeValue } from "../../../engine/filling/key-reader.ts";
import { NO_GROUP } from "../../../engine/splits/row-keys.ts";
import type { KeyRequest } from "../../../workers/reading/profile-file.ts";
import { readCsvText } from "../../support/csv-table.ts";
import { drawTexts } from "../../support/text-tables.ts";

/** 60 rows: a machine of six, a time, a number, a label that two machines in three share. */
function machines(change: (cells: string[], row: number) => string[] = (cells) => cells): string {
  const rows = Array.from({ length: 60 }, (_, row) => {
    const machine = `m${row % 6}`;
    const cells = [
      machine,
      `2024-01-${String(1 + (row % 28)).padStart(2, "0")}`,
      String(row * 1.5),
      row % 3 === 0 ? "yes" : "no",
    ];
    return change(cells, row);
  });
  return `${[["machine", "when", "x", "label"], ...rows].map((cells) => cells.join(",")).join("\n")}\n`;
}

const read = (text: string, request: KeyRequest) => readCsvText(text, { label: "label", ...request });

describe("a group column", () => {
  test("numbers its groups row by row, is no feature, and says so", () => {
    const { keys, judgedBy, columns, table } = read(machines(), { groupColumn: "machine" });
    expect([...keys.groups!.slice(0, 8)]).toEqual([0, 1, 2, 3, 4, 5, 0, 1]);
    expect(judgedBy).toEqual({ group: "machine", time: null, groupCount: 6 });
    expect(columns[0]).toMatchObject({ used: false, isKey: true, reason: "it says which rows belong together" });
    expect(table.features.some(({ column }) => column === 0)).toBeFalse();
  });

  test("is a feature where that is asked for", () => {
    const { columns, keys } = read(machines(), { groupColumn: "machine", keepKeyColumns: true });
    expect([columns[0]!.used, keys.groups !== null]).toEqual([true, true]);
  });

  test("keeps rows without a group out, with a warning that counts them", () => {
    const { keys, warnings } = read(
      machines((cells, row) => (row === 4 ? ["", ...cells.slice(1)] : cells)),
      { groupColumn: "machine" },
    );
    expect(keys.groups![4]).toBe(NO_GROUP);
    expect(warnings).toContainEqual(
      expect.objectContaining({ code: "ROWS_WITHOUT_KEY", count: 1, line: 6, column: "machine" }),
    );
  });

  test("stands in step with the rows where some have no label", () => {
    const text = machines((cells, row) => (row % 10 === 5 ? [...cells.slice(0, 3), ""] : cells));
    const { keys, table } = read(text, { groupColumn: "machine" });
    expect(keys.groups).toHaveLength(table.rowCount);
    expect(table.rowCount).toBe(54);
    expect([...keys.groups!.slice(0, 6)]).toEqual([0, 1, 2, 3, 4, 0]);
  });

  test.each([
    ["with one value", machines((cells) => ["m", ...cells.slice(1)]), "one value only"],
    ["with a value per row", machines((cells, row) => [`r${row}`, ...cells.slice(1)]), "another value in every row"],
    ["with few groups", machines((cells, row) => [`m${row % 3}`, ...cells.slice(1)]), "names 3 groups"],
    [
      "mostly missing",
      machines((cells, row) => [row % 2 === 0 ? "" : cells[0]!, ...cells.slice(1)]),
      "more than 20% of the rows",
    ],
    [
      "of one label each",
      machines((cells, row) => [`m${row % 6}`, cells[1]!, cells[2]!, `label ${row % 6}`]),
      "leaves nothing to judge by",
    ],
  ])("%s is refused", (_, text, words) => {
    expect(() => read(text, { groupColumn: "machine" })).toThrow(words);
  });

  test("that is not there, or is the label, is refused with a hint", () => {
    expect(() => read(machines(), { groupColumn: "machines" })).toThrow('Did you mean "machine"?');
    expect(() => read(machines(), { groupColumn: "label" })).toThrow("is the label");
    expect(() => read(machines(), { withoutColumns: ["machin"] })).toThrow('Did you mean "machine"?');
    expect(() => read(machines(), { withoutColumns: ["x", "label"] })).toThrow(
      'Column "label" is the label, which cannot be left out. Leave out other columns only, or choose another label.',
    );
  });
});

describe("a time column", () => {
  test("gives times that grow with the dates", () => {
    const { keys, judgedBy } = read(machines(), { timeColumn: "when" });
    expect(keys.times![1]! > keys.times![0]!).toBeTrue();
    expect(keys.times![28]).toBe(keys.times![0]!);
    expect(judgedBy).toEqual({ group: null, time: "when", groupCount: 0 });
  });

  test("that does not parse is refused with line and text", () => {
    const text = machines((cells, row) => [cells[0]!, row % 2 === 0 ? "soon" : "later", ...cells.slice(2)]);
    expect(() => read(text, { timeColumn: "when" })).toThrow(/^Line 2: "soon" in column "when" is no time/);
  });

  test("may hold a few texts, whose rows have no time then, in one line", () => {
    const odd = new Map([
      [3, "k. A."],
      [9, "2024-02-31"],
      [12, ""],
    ]);
    const text = machines((cells, row) => [cells[0]!, odd.get(row) ?? cells[1]!, ...cells.slice(2)]);
    const { keys, warnings } = read(text, { timeColumn: "when" });
    expect([...keys.times!].flatMap((time, row) => (Number.isNaN(time) ? [row] : []))).toEqual([3, 9, 12]);
    const message =
      '3 rows have no time in column "when" (2 with a text that is none), the first in line 5; they are left out while models are compared, and the final models learn from them.';
    expect(warnings.filter(({ code }) => code === "ROWS_WITHOUT_KEY")).toEqual([
      { code: "ROWS_WITHOUT_KEY", message, line: 5, column: "when", count: 3 },
    ]);
  });

  test("may hold such texts among months and numbers too", () => {
    const months = machines((cells, row) => [
      cells[0]!,
      row === 7 ? "soon" : `202${row % 5}-0${1 + (row % 7)}`,
      ...cells.slice(2),
    ]);
    expect(read(months, { timeColumn: "when" }).keys.times![7]).toBeNaN();
    const counted = machines((cells, row) => [cells[0]!, row === 7 ? "soon" : String(row % 31), ...cells.slice(2)]);
    expect([...read(counted, { timeColumn: "when" }).keys.times!.slice(6, 9)]).toEqual([6, Number.NaN, 8]);
  });

  test("is refused where more than 5% of the filled cells are none", () => {
    const odd = (count: number) =>
      machines((cells, row) => [cells[0]!, row > 2 && row < 3 + count ? `soon ${row}` : cells[1]!, ...cells.slice(2)]);
    expect(read(odd(2), { timeColumn: "when" }).keys.times![4]).toBeNaN();
    expect(() => read(odd(4), { timeColumn: "when" })).toThrow(
      /^Line 5: "soon 3" in column "when" is no time, and more than 5% of its filled cells cannot be read as one\. Write/,
    );
  });

  test("of dates and many texts is refused with what they are and what to do", () => {
    const text = machines((cells, row) => [cells[0]!, row % 8 === 1 ? "k. A." : cells[1]!, ...cells.slice(2)]);
    expect(() => read(text, { timeColumn: "when" })).toThrow(
      /^Column "when" holds dates in 86% of its cells and texts in the others, such as "k\. A\." \(8 cells\).*--missing="k\. A\."/,
    );
  });

  test("with too few times is refused", () => {
    const few = machines((cells, row) => [cells[0]!, `2024-01-0${1 + (row % 3)}`, ...cells.slice(2)]);
    expect(() => read(few, { timeColumn: "when" })).toThrow("3 times only");
  });

  test("tells a label that only the newest rows have", () => {
    const news = machines((cells, row) => [cells[0]!, cells[1]!, cells[2]!, row % 28 > 25 ? "new" : cells[3]!]);
    const { warnings } = read(news, { timeColumn: "when" });
    expect(warnings.map(({ code, column, count }) => [code, column, count])).toEqual([["LATE_LABEL", "when", 4]]);
  });
});

test("columns that are left out by name are no features, and say so", () => {
  const { columns } = read(machines(), { withoutColumns: ["machine"] });
  expect(columns[0]).toMatchObject({ used: false, reason: "left out as asked" });
});

test("a table whose text columns are all left out has no texts, whose models would be of words that no column has", () => {
  const { texts } = drawTexts(60, 2, 1);
  const twoTexts = machines(([machine, ...others], row) => [
    machine!,
    texts[row]!,
    texts[59 - row]!,
    ...others.slice(2),
  ]).replace("machine,when,x,label", "machine,remark,answer,label");
  const placesOf = (withoutColumns: string[]) =>
    read(twoTexts, { withoutColumns }).table.texts?.map(({ column }) => column);
  expect(placesOf([])).toEqual([1, 2]);
  expect(placesOf(["remark"])).toEqual([2]);
  expect(placesOf(["remark", "answer"])).toBeUndefined();
});

test.each([
  ["2024-03-01", "2024-03-02"],
  ["2024-03-01 09:59", "2024-03-01 10:00"],
  ["2024-03-01T10:00:58", "2024-03-01T10:00:59"],
  ["2024-03-01T10:00:59.25", "2024-03-01T10:00:59.5"],
  ["2023-12-31", "2024-01-01"],
])("%s is before %s", (earlier, later) => {
  const reading = { kind: "date", form: { order: "ymd" } } as const;
  expect(timeValue(earlier, reading)).toBeLessThan(timeValue(later, reading));
});

test("months, quarters and weeks tell a time, in the order of the calendar", () => {
  const monthsOf = (text: string) => timeValue(text, { kind: "category" });
  const inOrder = ["2023-12", "2024Q1", "2024-W02", "2024/03", "2024-Q2", "2024.05", "2024W31", "2024 Q4", "2024-W53"];
  const values = inOrder.map(monthsOf);
  expect(values).toEqual(values.toSorted((a, b) => a - b));
  expect(new Set(values).size).toBe(inOrder.length);
  expect(monthsOf("2025Q1")).toBeGreaterThan(values.at(-1)!);
  for (const none of ["2024-13", "2024Q5", "2024-W54", "2024-W00", "Q1 2024", "24Q1"]) expect(monthsOf(none)).toBeNaN();
});

test("days first, clocks of twelve hours, months and numbers are times too", () => {
  const dayFirst = { kind: "date", form: { order: "dmy" } } as const;
  expect(timeValue("31.12.2023 11:59 pm", dayFirst)).toBeLessThan(timeValue("1.1.2024 12:01 am", dayFirst));
  expect(timeValue("2023-12", { kind: "category" })).toBeLessThan(timeValue("2024-01", { kind: "category" }));
  expect(timeValue("1709287200", { kind: "category" })).toBe(1_709_287_200);
  expect(timeValue("soon", { kind: "category" })).toBeNaN();
});
