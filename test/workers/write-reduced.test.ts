// Reduced tables: the kept cells as they stood, whatever the dialect and encoding they came from.
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import type { Encoding } from "../../engine/csv/types.ts";
import { formatRecord } from "../../engine/csv/write.ts";
import { neverStop } from "../../engine/stop-signal.ts";
import { type WriteReducedAnswer, writeReduced } from "../../workers/write-reduced.ts";
import { encode, read } from "../engine/csv/reading.ts";
import { withFolder } from "../support/folders.ts";
import { fixtureTable } from "../support/in-process.ts";
import { asCells, firstPass } from "../support/two-passes.ts";

const LATIN = [
  "a",
  "bc",
  " ",
  '"',
  '""',
  "\n",
  "\r",
  "\r\n",
  "é",
  "€",
  "=1",
  "-2.5",
  "sep=",
  "NA",
  ",",
  ";",
  "\t",
  "|",
];
const WIDE = [...LATIN, "ő", "漢", "😀", "\uFEFF", "\u00A0", "\u2028", "__proto__"];

/** A table in some dialect, and which of its columns to keep: the last of the chosen ones is the label. */
const cases = fc
  .record({
    encoding: fc.constantFrom<Encoding>("utf-8", "utf-16le", "utf-16be", "windows-1252"),
    delimiter: fc.constantFrom(",", ";", "\t", "|"),
    lineEnding: fc.constantFrom("\n", "\r\n", "\r"),
    columnCount: fc.integer({ min: 1, max: 5 }),
  })
  .chain((dialect) => {
    const parts = dialect.encoding === "windows-1252" ? LATIN : WIDE;
    const cell = fc.array(fc.constantFrom(...parts), { maxLength: 5 }).map((chosen) => chosen.join(""));
    const record = fc.array(cell, { minLength: dialect.columnCount, maxLength: dialect.columnCount });
    const columns = Array.from({ length: dialect.columnCount }, (_, index) => index);
    return fc.record({
      dialect: fc.constant(dialect),
      header: record,
      // The second record makes sure that windows-1252 is no UTF-8.
      rows: fc.array(record, { maxLength: 8 }).map((rows) => [columns.map(() => "é"), ...rows]),
      chosen: fc.shuffledSubarray(columns, { minLength: 1 }),
    });
  });

function reduce(folder: string, bytes: Uint8Array, keptColumns: readonly string[], label: string) {
  const inputPath = join(folder, "input.csv");
  const outputPath = join(folder, "output.csv");
  writeFileSync(inputPath, bytes);
  const answer: WriteReducedAnswer = writeReduced({ inputPath, outputPath, keptColumns, label }, neverStop);
  const written = new Uint8Array(readFileSync(outputPath));
  expect(answer.sizeBytes).toBe(written.length);
  return { answer, written, text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(written) };
}

const text = (content: string) => new TextEncoder().encode(content);

describe("a reduced table", () => {
  test("reads back as the same cells under the same names", () =>
    withFolder(async (folder) => {
      fc.assert(
        fc.property(cases, ({ dialect, header, rows, chosen }) => {
          const { encoding, delimiter, lineEnding } = dialect;
          const records = [header, ...rows].map((cells) => formatRecord(cells, dialect)).join("");
          const bytes = encode(`sep=${delimiter}${lineEnding}${records}`, encoding);
          const input = read(bytes);
          fc.pre(input.error === null && input.header!.names.length === header.length);
          const names = chosen.map((index) => input.header!.names[index]!);
          const { answer, written } = reduce(folder, bytes, names.slice(0, -1), names.at(-1)!);
          const output = read(written);
          expect(output.error).toBeNull();
          expect(output.report!.warnings).toEqual([]);
          expect(output.header).toMatchObject({
            encoding: "utf-8",
            delimiter: names.length === 1 ? "," : delimiter,
            lineEnding: "\n",
            names,
          });
          expect([...written.subarray(0, 3)]).not.toEqual([0xef, 0xbb, 0xbf]);
          expect(output.records).toEqual(input.records.map((record) => chosen.map((index) => record[index]!)));
          expect(answer.rowCount).toBe(rows.length);
        }),
        { numRuns: 600 },
      );
    }));

  test("keeps white space, rows without a label and repaired names, and puts the label last", () =>
    withFolder(async (folder) => {
      const { answer, text: written } = reduce(
        folder,
        text('y; a;;a;b\r\nyes; 1 ; ;x,y;2\r\n;;3;"";4'),
        ["a", "column_3", "a_2"],
        "y",
      );
      expect(written).toBe("a;column_3;a_2;y\n 1 ; ;x,y;yes\n;3;;\n");
      const sha256 = new Bun.CryptoHasher("sha256").update(written).digest("hex");
      expect(answer).toEqual({ rowCount: 2, sizeBytes: written.length, sha256 });
    }));

  test.each([
    ["b|c", "a|b;c"],
    ["c\td", "y"],
    ["a;b", "y"],
  ])("is not misread where names hold other delimiters: %p, %p", (kept, label) =>
    withFolder(async (folder) => {
      const input = formatRecord([kept, label], { delimiter: ",", lineEnding: "\n" });
      const { written } = reduce(folder, text(`sep=,\n${input}1|2;3;4,5|6;7\n8|9;1;2,3|4;5\n`), [kept], label);
      const { header, records } = read(written);
      expect(header!.names).toEqual([kept, label]);
      expect(records).toEqual([
        ["1|2;3;4", "5|6;7"],
        ["8|9;1;2", "3|4;5"],
      ]);
    }),
  );

  test("keeps decimal commas readable", () =>
    withFolder(async (folder) => {
      const rows = Array.from({ length: 60 }, (_, row) => `${row % 9},5;${row};${row % 2}\n`).join("");
      const { written } = reduce(folder, text(`a;b;y\n${rows}`), ["a"], "y");
      const profile = firstPass(() => [written], asCells, {});
      expect(profile.columns.map(({ name, kind }) => [name, kind])).toEqual([
        ["a", "number"],
        ["y", "category"],
      ]);
    }));

  test("of a file with text behind the last delimiter has that column", () =>
    withFolder(async (folder) => {
      const { text: written } = reduce(folder, text("a,y,\n1,n,\n2,p,late\n"), ["column_3"], "y");
      expect(written).toBe("column_3,y\n,n\nlate,p\n");
    }));

  test("of every column in order is the table itself", () =>
    withFolder(async (folder) => {
      const bytes = new Uint8Array(readFileSync(fixtureTable("churn")));
      const { names } = read(bytes).header!;
      const { written } = reduce(folder, bytes, names.slice(0, -1), names.at(-1)!);
      expect(read(written).records).toEqual(read(bytes).records);
    }));

  test("is refused where a column is not there, and leaves no file open", () =>
    withFolder(async (folder) => {
      const attempt = () => reduce(folder, text("a,B,y\n1,2,n\n"), ["a", "b"], "y");
      expect(attempt).toThrow(expect.objectContaining({ code: "COLUMN_MISMATCH", column: "b" }));
      expect(attempt).toThrow('It lacks a column of the reduced file: "b" (it has "B").');
      const before = readdirSync("/dev/fd").length;
      for (let i = 0; i < 10; i++) expect(attempt).toThrow();
      expect(readdirSync("/dev/fd").length).toBe(before);
    }));
});
