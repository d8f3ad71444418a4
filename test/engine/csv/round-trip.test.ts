// Tables written and read back: the same cells on the right lines, in any dialect, encoding and chunking.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Encoding } from "../../../engine/csv/types.ts";
import { formatRecord } from "../../../engine/csv/write.ts";
import { encode, feed, read } from "./reading.ts";

const DELIMITERS = [",", ";", "\t", "|"];
const lineEndings = fc.constantFrom("\n", "\r\n", "\r");
const chunkSizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 });
const encodings = fc.constantFrom<Encoding>("utf-8", "utf-16le", "utf-16be", "windows-1252");

function cellOf(parts: readonly string[]): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom(...parts), { maxLength: 5 }).map((chosen) => chosen.join(""));
}

const LATIN = ["a", "bc", " ", '"', '""', "\n", "\r", "\r\n", "é", "ü", "€", "=1", "-2.5", "sep=", "'"];
const WIDE = [...LATIN, "ő", "漢", "😀", "\uFEFF", "\u00A0", "\u2028", "__proto__"];

interface Table {
  names: string[];
  rows: string[][];
}

function tableOf(parts: readonly string[], minColumns: number): fc.Arbitrary<Table> {
  return fc.integer({ min: minColumns, max: 5 }).chain((columnCount) =>
    fc.record({
      // The first name ends with é, whose single byte before a delimiter or line end is no UTF-8.
      names: fc.constant(Array.from({ length: columnCount }, (_, i) => `name ${i} é`)),
      rows: fc.array(fc.array(cellOf(parts), { minLength: columnCount, maxLength: columnCount }), { maxLength: 8 }),
    }),
  );
}

/** The physical line on which each record starts, by counting line ends in the text before it. */
function naiveLines(prefix: string, records: readonly string[]): number[] {
  let before = prefix;
  return records.map((record) => {
    const line = 1 + (before.match(/\r\n|\r|\n/g)?.length ?? 0);
    before += record;
    return line;
  });
}

const cases = fc
  .record({
    encoding: encodings,
    delimiter: fc.constantFrom(...DELIMITERS),
    lineEnding: lineEndings,
    sizes: chunkSizes,
  })
  .chain((dialect) => {
    const parts = dialect.encoding === "windows-1252" ? LATIN : WIDE;
    // Without a `sep=` line the delimiter can only be found where cells hold no other candidate.
    const announced = tableOf([...parts, ...DELIMITERS], 1).map((table) => ({
      ...dialect,
      table,
      hasSeparatorLine: true,
    }));
    const found = tableOf([...parts, dialect.delimiter], 2).map((table) => ({
      ...dialect,
      table,
      hasSeparatorLine: false,
    }));
    return fc.oneof(announced, found);
  });

describe("formatRecord, then readCsv", () => {
  test("gives the same cells on the right lines", () => {
    fc.assert(
      fc.property(
        cases,
        fc.boolean(),
        ({ encoding, delimiter, lineEnding, sizes, table, hasSeparatorLine }, withBom) => {
          const dialect = { delimiter, lineEnding };
          const prefix = (hasSeparatorLine ? `sep=${delimiter}${lineEnding}` : "") + formatRecord(table.names, dialect);
          const records = table.rows.map((row) => formatRecord(row, dialect));
          const bytes = encode(prefix + records.join(""), encoding, withBom);
          const outcome = read(bytes, sizes);
          expect(outcome.error).toBeNull();
          expect(outcome.header).toEqual({
            delimiter,
            encoding,
            lineEnding: lineEnding as "\n",
            names: table.names,
            cells: table.names,
          });
          expect(outcome.records).toEqual(table.rows);
          expect(outcome.lines).toEqual(naiveLines(prefix, records));
          expect(outcome.report!.recordCount).toBe(table.rows.length);
          expect(outcome.report!.warnings.map((warning) => warning.code)).toEqual(
            encoding === "windows-1252" ? ["WINDOWS_1252"] : [],
          );
          expect(read(bytes)).toEqual(outcome);
        },
      ),
      { numRuns: 1500 },
    );
  });

  test("gives a feed the same, where nothing has to start again", () => {
    fc.assert(
      fc.property(cases, ({ encoding, delimiter, lineEnding, sizes, table, hasSeparatorLine }) => {
        fc.pre(encoding !== "windows-1252");
        const dialect = { delimiter, lineEnding };
        const prefix = (hasSeparatorLine ? `sep=${delimiter}${lineEnding}` : "") + formatRecord(table.names, dialect);
        const bytes = encode(prefix + table.rows.map((row) => formatRecord(row, dialect)).join(""), encoding);
        expect(feed(bytes, table.names, sizes)).toEqual(read(bytes));
      }),
      { numRuns: 500 },
    );
  });

  test("gives the same without the final line end", () => {
    fc.assert(
      fc.property(cases, ({ encoding, delimiter, lineEnding, sizes, table }) => {
        const dialect = { delimiter, lineEnding };
        const text = [table.names, ...table.rows].map((cells) => formatRecord(cells, dialect)).join("");
        const bytes = encode(`sep=${delimiter}${lineEnding}${text.slice(0, -lineEnding.length)}`, encoding);
        expect(read(bytes, sizes).records).toEqual(table.rows);
      }),
      { numRuns: 500 },
    );
  });
});
