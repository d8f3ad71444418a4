// The first records of a file: as reading all of it gives them, from its opening alone.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { firstRecords } from "../../../engine/columns/first-look.ts";
import { readCsv } from "../../../engine/csv/read.ts";
import { formatRecord } from "../../../engine/csv/write.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const letter = fc.constantFrom("a", "b", "é", '"', ",", "\n", " ");
const cell = fc.string({ unit: letter, minLength: 1, maxLength: 8 }).filter((text) => text.trim() !== "");

test("are those of the whole file, whatever the opening cuts", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(cell, cell, cell), { minLength: 4, maxLength: 30 }),
      fc.double({ min: 0.5, max: 1, noNaN: true }),
      (rows, share) => {
        const dialect = { delimiter: ",", lineEnding: "\n" as const };
        const bytes = bytesOf([["a", "b", "c"], ...rows].map((row) => formatRecord(row, dialect)).join(""));
        const all: string[][] = [];
        const { header } = readCsv(
          () => [bytes],
          () =>
            ({ records }) =>
              all.push(...records.map((record) => [...record])),
        );
        const opening = bytes.subarray(0, Math.ceil(bytes.length * share));
        const { names, records } = firstRecords(opening, bytes.length, 3);
        expect([...names]).toEqual([...header.names]);
        expect(records.length).toBeLessThanOrEqual(3);
        expect(records).toEqual(all.slice(0, records.length));
        if (share === 1) expect(records).toEqual(all.slice(0, 3));
      },
    ),
    { numRuns: 60 },
  );
});

test("need a header that can be read", () => {
  expect(() => firstRecords(bytesOf(""), 0, 3)).toThrow("");
  expect(firstRecords(bytesOf("a,b\n1,2\n3\n"), 10, 3).names).toEqual(["a", "b"]);
});
