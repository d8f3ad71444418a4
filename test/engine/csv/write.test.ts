// Written records: quotes only where they are needed, and cells that a spreadsheet would run.

import { describe, expect, test } from "bun:test";
import { formatRecord, spreadsheetSafe } from "../../../engine/csv/write.ts";

describe("formatRecord", () => {
  const comma = { delimiter: ",", lineEnding: "\n" };
  const cases: [string[], { delimiter: string; lineEnding: string }, string][] = [
    [["a", "b c", " d "], comma, "a,b c, d \n"],
    [["a,b", "c;d"], comma, '"a,b",c;d\n'],
    [["a,b", "c;d"], { delimiter: ";", lineEnding: "\r\n" }, 'a,b;"c;d"\r\n'],
    [['say "x"', '"'], comma, '"say ""x""",""""\n'],
    [["a\nb", "c\rd"], comma, '"a\nb","c\rd"\n'],
    [["", ""], comma, ",\n"],
    [[""], comma, '""\n'],
    [[" "], comma, '" "\n'],
    [["", ""], { delimiter: "\t", lineEnding: "\r" }, "\t\r"],
    [["\uFEFFa", "b"], comma, '"\uFEFFa",b\n'],
    [["sep=;"], comma, '"sep=;"\n'],
    [["Sep=", ""], comma, '"Sep=",\n'],
    [["=1+1", "-2"], comma, "=1+1,-2\n"],
  ];
  for (const [cells, dialect, line] of cases) {
    test(JSON.stringify(line), () => expect(formatRecord(cells, dialect)).toBe(line));
  }
});

describe("spreadsheetSafe", () => {
  const risky = [
    "=1+1",
    "+cmd|x",
    "-x",
    "@SUM(A1)",
    "\t1",
    "\r1",
    "\n",
    " =1",
    "-1+2",
    "-",
    "+1e",
    "＝1",
    "-2-3",
    "=1,5",
  ];
  for (const cell of risky) {
    test(`prefixes ${JSON.stringify(cell)}`, () => expect(spreadsheetSafe(cell)).toBe(`'${cell}`));
  }
  test.each([
    ["\t=1", "'\t'=1"],
    ["\n=1", "'\n'=1"],
    ["a;=1+1", "a;'=1+1"],
    ["a; =1", "a;' =1"],
    ["a\t@SUM(A1);-2;-x", "a\t'@SUM(A1);-2;'-x"],
    ["a\r\n=1\n+1", "a\r\n'=1\n+1"],
    [";;=1", ";;'=1"],
    ["=1;=2", "'=1;'=2"],
  ])("disarms %j also where another country's spreadsheet would split it", (cell, safe) => {
    expect(spreadsheetSafe(cell)).toBe(safe);
  });
  const plain = [
    "a;b",
    "a;-5;+3",
    "",
    "a",
    "-12",
    "+3.5e2",
    "-.5",
    "+5.",
    "-1,5",
    "-1.234,5",
    "+1E-5",
    " -3 ",
    "1-2",
    "a=b",
    "'=1",
    "x@y.z",
  ];
  for (const cell of plain) {
    test(`leaves ${JSON.stringify(cell)}`, () => expect(spreadsheetSafe(cell)).toBe(cell));
  }
});
