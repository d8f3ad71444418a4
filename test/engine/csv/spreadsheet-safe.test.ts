// Whole files made safe for spreadsheets: cell by cell as one would, however the text is cut.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { splitCells } from "../../../engine/csv/cells.ts";
import { SpreadsheetSafeText } from "../../../engine/csv/spreadsheet-safe.ts";
import { formatRecord, spreadsheetSafe } from "../../../engine/csv/write.ts";

const DIALECT = { delimiter: ",", lineEnding: "\n" };

function safeOf(text: string, pieces: readonly number[] = [text.length]): string {
  const rewriter = new SpreadsheetSafeText();
  let safe = "";
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const size = Math.max(1, pieces[turn % pieces.length]!);
    safe += rewriter.push(text.slice(at, at + size));
    at += size;
  }
  return safe + rewriter.end();
}

const cell = fc.oneof(
  fc.constantFrom(
    ...["", "a", "=1+1", "-5", '=HYPERLINK("x")', 'say "hi"', '"', '""', '"=1"', "a,b", ",=1", "a\n=b", "\n", "\r\n-x"],
    ...["a;=b", "\t", "+cmd|' /C calc'!A0", "@x", "\ufeff=1", "=\ufeff", "__proto__", "x".repeat(300), "＝1"],
  ),
  fc.string({ maxLength: 8 }).filter((text) => !text.includes("\0")),
);
const table = fc
  .integer({ min: 2, max: 5 })
  .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 6 }));

describe("a file made safe", () => {
  test("has each cell made safe and is otherwise the same text, cut anyhow", () => {
    fc.assert(
      fc.property(
        table,
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 }),
        (records, pieces) => {
          const text = records.map((cells) => formatRecord(cells, DIALECT)).join("");
          const safe = safeOf(text, pieces);
          expect(safe).toBe(safeOf(text));
          expect(splitCells(safe, ",")).toEqual(records.map((cells) => cells.map(spreadsheetSafe)));
        },
      ),
      { numRuns: 500 },
    );
  });

  test("leaves what no spreadsheet would run, byte for byte", () => {
    const text = 'a,"b,c",prediction\n1,"say ""hi""",no\n-2,"two\nlines",yes\n';
    expect(safeOf(text, [1])).toBe(text);
  });

  test("may lack the last line end, and be empty", () => {
    expect(safeOf("a,=b")).toBe("a,'=b");
    expect(safeOf('"=a"', [1])).toBe('"\'=a"');
    expect(safeOf("")).toBe("");
  });
});
