// Tables whose header is given, and rows that are skipped: what the same table
// reads as with its header, or without those rows.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { cellsOfLine, readGivenHeader } from "../../../engine/csv/given-header.ts";
import { CsvFeed, type RowOptions, readCsv } from "../../../engine/csv/read.ts";
import type { CsvHeader, CsvReport, RecordSink } from "../../../engine/csv/types.ts";
import { formatRecord } from "../../../engine/csv/write.ts";
import { InputError } from "../../../engine/input-error.ts";
import { chunkSizes, chunksOf } from "../../support/drawn-csv.ts";

interface Read {
  names: readonly string[];
  records: string[][];
  lines: number[];
  /** By line. */
  bad: [number, string][];
  codes: string[];
}

type Start = (header: CsvHeader) => RecordSink;

function collected(read: (start: Start) => CsvReport): Read {
  const found = { records: [] as string[][], lines: [] as number[], bad: [] as [number, string][] };
  const start: Start = () => {
    for (const list of Object.values(found)) list.length = 0;
    return ({ records, lines, bad }) => {
      found.records.push(...records.map((record) => [...record]));
      found.lines.push(...lines);
      for (const [at, reason] of bad ?? []) found.bad.push([lines[at]!, reason]);
    };
  };
  const { header, warnings } = read(start);
  return { names: header.names, codes: warnings.map(({ code }) => code), ...found };
}

function readBoth(text: string, sizes: readonly number[], names: readonly string[], options: RowOptions): [Read, Read] {
  const bytes = new TextEncoder().encode(text);
  const asFile = collected((start) => readCsv(() => chunksOf(bytes, sizes), start, true, options));
  const asFeed = collected((start) => {
    const feed = new CsvFeed(names, start, true, options);
    for (const chunk of chunksOf(bytes, sizes)) feed.push(chunk);
    return feed.end();
  });
  return [asFile, asFeed];
}

const cell = fc.oneof(
  fc.integer().map(String),
  fc.constantFrom("", "1,5", "a;b", 'say "so"', "two\nlines", "é", "\ufeffx", " blank ", "x|y\tz"),
);
const drawnTable = fc
  .record({ width: fc.integer({ min: 2, max: 5 }), delimiter: fc.constantFrom(",", ";", "\t", "|") })
  .chain(({ width, delimiter }) =>
    fc.record({
      delimiter: fc.constant(delimiter),
      names: fc.constant(Array.from({ length: width }, (_, at) => ["id", "a, b", "c;d", 'e"f', "g|h\ti"][at]!)),
      rows: fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 12 }),
      lineEnding: fc.constantFrom("\n", "\r\n"),
    }),
  );

test("a table without its header line reads as the whole one, by line numbers of its own", () => {
  fc.assert(
    fc.property(drawnTable, chunkSizes, fc.boolean(), ({ delimiter, names, rows, lineEnding }, sizes, hasBom) => {
      const dialect = { delimiter, lineEnding };
      const line = formatRecord(names, { delimiter, lineEnding: "" });
      const given = readGivenHeader(line, names);
      expect(given).toEqual({ cells: names, delimiter });
      const body = (hasBom ? "\ufeff" : "") + rows.map((row) => formatRecord(row, dialect)).join("");
      const [, whole] = readBoth(line + lineEnding + body.replace(/^\ufeff/, ""), sizes, names, { given: null });
      for (const read of readBoth(body, sizes, [], { given })) {
        expect(read.names).toEqual(whole.names);
        expect(read.records).toEqual(rows);
        expect(read.lines).toEqual(whole.lines.map((own) => own - 1));
      }
    }),
    { numRuns: 300 },
  );
});

test("bad rows are empty in their place, with their line and no text of theirs; all others are as without them", () => {
  const bad = fc.constantFrom(
    { text: "", reason: "blank line" },
    { text: " \t", reason: "blank line" },
    { text: "secret", reason: "1 cells" },
    { text: '"secret\nand more"', reason: "1 cells" },
    { text: ";,|\t".repeat(5), reason: " cells" },
  );
  fc.assert(
    fc.property(
      drawnTable,
      chunkSizes,
      fc.boolean(),
      fc.array(fc.tuple(fc.nat(12), bad), { maxLength: 5 }),
      ({ delimiter, names, rows, lineEnding }, sizes, isGiven, spoils) => {
        const line = formatRecord(names, { delimiter, lineEnding: "" });
        const entries: { text: string; record: string[] | null; reason: string }[] = rows.map((record) => ({
          text: formatRecord(record, { delimiter, lineEnding: "" }),
          record,
          reason: "",
        }));
        // A tab between tabs is a row of two cells.
        const own = spoils.filter(([, { text }]) => delimiter !== "\t" || text !== " \t");
        for (const [at, { text, reason }] of own) entries.splice(at, 0, { text, reason, record: null });
        const body = entries.map(({ text }) => text + lineEnding).join("");
        const text = isGiven ? body : `sep=${delimiter}\n${line}${lineEnding}${body}`;
        const given = isGiven ? readGivenHeader(line, names) : null;
        const empty = names.map(() => "");
        for (const read of readBoth(text, sizes, names, { given, skipsBad: true })) {
          expect(read.records).toEqual(entries.map(({ record }) => record ?? empty));
          const expected = entries.flatMap(({ record, reason }, at) => (record === null ? [{ at, reason }] : []));
          expect(read.bad.map(([bad]) => bad)).toEqual(expected.map(({ at }) => read.lines[at]!));
          read.bad.forEach(([, reason], at) => {
            expect(reason).toContain(expected[at]!.reason);
            expect(reason).not.toContain("secret");
          });
          expect(read.codes).not.toContain("BLANK_LINES");
        }
      },
    ),
    { numRuns: 300 },
  );
});

test("a cell too long is a bad row, and a quote that is never closed is still a fault", () => {
  const given = { cells: ["a", "b"], delimiter: "," };
  for (const read of readBoth(`1,2\n${"x".repeat(1_048_577)},4\n5,6\n`, [1 << 20], [], { given, skipsBad: true })) {
    expect(read.bad).toEqual([[2, 'a cell longer than 1 MiB in column "a"']]);
    expect(read.records).toEqual([
      ["1", "2"],
      ["", ""],
      ["5", "6"],
    ]);
  }
  expect(() => readBoth('1,2\n"3,4\n', [1 << 20], [], { given, skipsBad: true })).toThrow(InputError);
});

test("a first row that is the header given is refused, but not where it can be data", () => {
  const given = { cells: ["a", "2"], delimiter: "," };
  for (const [text, skipsBad] of [
    ["a,2\n1,2\n", false],
    ["\ufeffa,2", true],
    ["\na,2\n", false],
  ] as const) {
    expect(() => readBoth(text, [3], [], { given, skipsBad })).toThrow(
      "is the header that was given. Cut the line off",
    );
  }
  for (const [cells, text] of [
    [["a"], "a\nb\n"],
    [["1", "2"], "1,2\n3,4\n"],
    [["a", "2"], "1,2\na,2\n"],
  ] as const) {
    for (const { records } of readBoth(text, [3], [], { given: { cells, delimiter: "," } })) {
      expect(records).toHaveLength(2);
    }
  }
});

test("nothing at all is a table without rows where the header is given", () => {
  const given = { cells: ["a", "b"], delimiter: ";" };
  for (const text of ["", "\ufeff", "\n\n"]) {
    for (const read of readBoth(text, [1], [], { given })) expect([read.names, read.records]).toEqual([["a", "b"], []]);
  }
  expect(() => readBoth("", [1], [], {})).toThrow("The file is empty.");
});

describe("a line that is typed", () => {
  test("is as the first line of a file", () => {
    expect(readGivenHeader("id;a,b", ["id"])).toEqual({ cells: ["id", "a,b"], delimiter: ";" });
    expect(readGivenHeader("only", ["only"])).toEqual({ cells: ["only"], delimiter: "," });
    expect(cellsOfLine('a,"b, c",', ",")).toEqual(["a", "b, c", ""]);
  });

  test.each(["", "  ", 'a,"b', 'a,"b"c', "a,b\nc,d", 'a,b\n"c'])("that is none is refused: %j", (line) => {
    expect(cellsOfLine(line, ",")).toBeNull();
    expect(() => readGivenHeader(line, ["a"])).toThrow("not one line of CSV");
  });
});
