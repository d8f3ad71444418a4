// The limits of the CSV layer: what is just allowed, what is refused, and that an endless cell is not swallowed.

import { describe, expect, test } from "bun:test";
import { MAX_CELL_BYTES, MAX_COLUMNS, MAX_RECORD_CHARS, SNIFF_CHARS } from "../../../engine/csv/limits.ts";
import { readCsv } from "../../../engine/csv/read.ts";
import { InputError } from "../../../engine/input-error.ts";
import { type Outcome, read } from "./reading.ts";

const readText = (text: string, size = 65_536): Outcome => read(new TextEncoder().encode(text), [size]);

/** Reads `head`, then `unit` without end, and returns the error and the bytes taken by then. */
function readEndless(head: string, unit: string): { error: InputError; takenBytes: number } {
  let takenBytes = 0;
  function* endless(): Generator<Uint8Array> {
    yield new TextEncoder().encode(head);
    const chunk = new TextEncoder().encode(unit.repeat(Math.ceil(65_536 / unit.length)));
    for (;;) {
      takenBytes += chunk.length;
      yield chunk;
    }
  }
  try {
    readCsv(endless, () => () => {});
  } catch (error) {
    if (error instanceof InputError) return { error, takenBytes };
    throw error;
  }
  throw new Error("an endless file ended");
}

/** Blank lines of a file, with a record before, between and behind them. */
const BLANK_LINES = ["\n", "\r", "\r\n", " \t\n", "\u00a0\n"];

describe("blank lines", () => {
  test.each(BLANK_LINES.map((line, at): [string, string] => [line, at % 2 === 0 ? '"2"' : "2"]))(
    "%j by the million are passed over and counted, beside the cell %s",
    (line, cell) => {
      const many = line.repeat(1 << 20);
      const { records, lines, report } = readText(`a,b\n${many}1,${cell}\n${many}3,4\n`, 100_003);
      expect(records).toEqual([
        ["1", "2"],
        ["3", "4"],
      ]);
      expect(lines).toEqual([2 + 2 ** 20, 3 + 2 ** 21]);
      expect(report!.warnings).toMatchObject([{ code: "BLANK_LINES", line: 2, count: 2 ** 21 }]);
    },
  );
});

describe("limits", () => {
  test("a table has at most MAX_COLUMNS columns", () => {
    const names = Array.from({ length: MAX_COLUMNS + 1 }, (_, i) => `c${i}`);
    const values = names.map(() => "1");
    const atLimit = `${names.slice(1).join(";")}\n${values.slice(1).join(";")}\n`;
    const { header, records } = readText(atLimit, 999);
    expect(header!.delimiter).toBe(";");
    expect(header!.names.length).toBe(MAX_COLUMNS);
    expect(records.length).toBe(1);
    expect(readText(atLimit.replaceAll("\n", ";\n")).header!.names).toEqual(header!.names);
    const { error } = readText(`${names.join(";")}\n`);
    expect(error).toMatchObject({ code: "TOO_MANY_COLUMNS", line: 1 });
    expect(error!.message).toContain("10001");
  });

  test("a cell has at most MAX_CELL_BYTES bytes, quoted or not, wherever it is cut", () => {
    const half = MAX_CELL_BYTES / 2;
    for (const size of [40_000, 300_000]) {
      const fitting = `a,b\n${"x".repeat(MAX_CELL_BYTES)},"${'""'.repeat(MAX_CELL_BYTES)}"\n"${"é".repeat(half)}",1\n`;
      const { records, error } = readText(fitting, size);
      expect(error).toBeNull();
      expect(records.map((record) => record.map((cell) => cell.length))).toEqual([
        [MAX_CELL_BYTES, MAX_CELL_BYTES],
        [half, 1],
      ]);
      for (const cell of [`${"é".repeat(half)}x`, `"${"x".repeat(MAX_CELL_BYTES + 1)}"`]) {
        const outcome = readText(`a,b\n\n1,2\n3,${cell}\n`, size);
        expect(outcome.records).toEqual([["1", "2"]]);
        expect(outcome.error).toMatchObject({ code: "CELL_TOO_LONG", line: 4, column: "b" });
      }
    }
  });

  test("a name has at most MAX_CELL_BYTES bytes", () => {
    const { error } = readText(`a,${"x".repeat(MAX_CELL_BYTES + 1)}\n`);
    expect(error).toMatchObject({ code: "CELL_TOO_LONG", line: 1 });
    expect(error!.message.length).toBeLessThan(300);
  });

  test("a quote that never closes does not swallow the file", () => {
    const { error, takenBytes } = readEndless('a,b\n1,2\n3,"4\n', "5,6\n");
    expect(error).toMatchObject({ code: "CELL_TOO_LONG", line: 3, column: "b" });
    expect(takenBytes).toBeLessThan(3 * MAX_CELL_BYTES);
  });

  test("a line that never ends does not swallow the file", () => {
    for (const head of ["a,b\n1,2\n", "a,b\n1,2\n\n"]) {
      const { error, takenBytes } = readEndless(head, "3,");
      expect(error).toMatchObject({ code: "RECORD_TOO_LONG", line: head.split("\n").length });
      expect(takenBytes).toBeLessThan(MAX_RECORD_CHARS + 1_000_000);
    }
    expect(readEndless("", "x").error).toMatchObject({ code: "RECORD_TOO_LONG", line: 1 });
  });

  test("a record has at most MAX_RECORD_CHARS characters, wherever it is cut", () => {
    const longest = '"x",'.repeat(MAX_RECORD_CHARS / 4);
    expect(readText(`a,b\n${longest}\n`, 262_144).error).toMatchObject({ code: "CELL_COUNT", line: 2 });
    expect(readText(`a,b\n${longest}x\n`, 200_000).error).toMatchObject({ code: "RECORD_TOO_LONG", line: 2 });
  });

  test("blank lines without end cost no memory, and the guess ends with its sample", () => {
    const body = "1;2,5\n".repeat(40_000);
    const late = `a;b,c\n${body}${"\n".repeat(100_000)}3;4,5\n`;
    const outcome = readText(late, 70_001);
    expect(outcome.header!.delimiter).toBe(",");
    expect(outcome.records.length).toBe(40_001);
    expect(outcome.lines.at(-1)).toBe(140_002);
    expect(outcome.report!.warnings).toMatchObject([{ code: "BLANK_LINES", line: 40_002, count: 100_000 }]);
  });

  test("a delimiter behind the sample has no say", () => {
    const rows = "1|2,3\n".repeat(Math.ceil(SNIFF_CHARS / 6));
    expect(readText(`a|b,c\n${rows}x,y\n`).records.length).toBeGreaterThan(SNIFF_CHARS / 6);
  });
});
