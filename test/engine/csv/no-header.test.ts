// Files whose first row is data: nothing is lost, and columns are called by their places.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { firstRecords } from "../../../engine/columns/first-look.ts";
import { CsvFeed, readCsv } from "../../../engine/csv/read.ts";
import { formatRecord } from "../../../engine/csv/write.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

interface Read {
  names: readonly string[];
  delimiter: string;
  records: string[][];
  lines: number[];
  codes: string[];
}

function readWithout(text: string, size = 65_536): Read {
  const bytes = bytesOf(text);
  const chunks = function* () {
    for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
  };
  let found = { records: [] as string[][], lines: [] as number[] };
  const { header, warnings } = readCsv(
    chunks,
    () => {
      found = { records: [], lines: [] };
      return (batch) => {
        found.records.push(...batch.records.map((record) => [...record]));
        found.lines.push(...batch.lines);
      };
    },
    false,
  );
  return { names: header.names, delimiter: header.delimiter, codes: warnings.map(({ code }) => code), ...found };
}

test("every record comes, those that a header would repair too", () => {
  const { names, records, lines, codes } = readWithout("7,,7\n1,2,3\n");
  expect(names).toEqual(["column_1", "column_2", "column_3"]);
  expect(records).toEqual([
    ["7", "", "7"],
    ["1", "2", "3"],
  ]);
  expect(lines).toEqual([1, 2]);
  expect(codes).toEqual([]);
});

test("the records are those under a header, however the bytes come", () => {
  const cell = fc.string({ unit: fc.constantFrom("a", "é", '"', ",", "\n", "1", " "), maxLength: 6 });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(cell, cell, fc.constant("x")), { minLength: 2, maxLength: 20 }),
      fc.integer({ min: 1, max: 50 }),
      (rows, size) => {
        const dialect = { delimiter: ",", lineEnding: "\n" as const };
        const body = rows.map((row) => formatRecord(row, dialect)).join("");
        let expected: string[][] = [];
        readCsv(
          () => [bytesOf(`a,b,c\n${body}`)],
          () => {
            expected = [];
            return ({ records }) => expected.push(...records.map((record) => [...record]));
          },
        );
        expect(readWithout(body, size).records).toEqual(expected);
      },
    ),
  );
});

test.each([
  ["8,58;31,86\n7,21;30,12\n", ";"],
  ["8.58,31.86\n7.21,30.12\n", ","],
  ["a;b,1\na,2\n", ","],
  ["1\t2,5\n3\t4,5\n", "\t"],
])("%j is parted by %j", (text, delimiter) => {
  expect(readWithout(text).delimiter).toBe(delimiter);
});

test("a delimiter at the end of every line is no column, but one at the end of the first alone is", () => {
  expect(readWithout("1,2,\n3,4,\n")).toMatchObject({
    names: ["column_1", "column_2"],
    records: [
      ["1", "2"],
      ["3", "4"],
    ],
  });
  expect(readWithout("1,2,\n3,4,5\n")).toMatchObject({
    names: ["column_1", "column_2", "column_3"],
    records: [
      ["1", "2", ""],
      ["3", "4", "5"],
    ],
  });
});

test("a feed hands the first line on at once, parted by what makes the expected columns", () => {
  const handedOn: unknown[] = [];
  const feed = new CsvFeed(
    ["column_1", "column_2"],
    ({ names, delimiter }) => {
      handedOn.push([delimiter, ...names]);
      return ({ records }) => handedOn.push(...records);
    },
    false,
  );
  feed.push(bytesOf("8,58;31,86\n"));
  expect(handedOn).toEqual([
    [";", "column_1", "column_2"],
    ["8,58", "31,86"],
  ]);
  feed.push(bytesOf("1;2\n"));
  expect(handedOn.at(-1)).toEqual(["1", "2"]);
  feed.end();
});

test("the first rows of an opening begin with the first", () => {
  const bytes = bytesOf("1,2\n3,4\n");
  expect(firstRecords(bytes, bytes.length, 1, false)).toEqual({
    names: ["column_1", "column_2"],
    records: [["1", "2"]],
  });
});
