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
    "\t=1",
    "\r1",
    "\n=1",
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
  const plain = [
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
