// Whole columns of numbers and texts by bytes as by strings, and the reading kernel's memory.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { ReadingKernel } from "../../../engine/csv/reading-kernel.ts";
import { Random } from "../../../engine/random.ts";
import type { ColumnCaps } from "../../../engine/reading/caps.ts";
import { profileContent } from "../../support/profile-content.ts";
import { asStrings, firstPass, type Handing, secondPass } from "../../support/two-passes.ts";

const LF = 10;

const digits = (most: number) => fc.stringMatching(new RegExp(`^\\d{0,${most}}$`));
const plainNumber = fc
  .tuple(
    fc.constantFrom("", "-", "+"),
    digits(12),
    fc.constantFrom("", "."),
    digits(20),
    fc.constantFrom("", "e-7", "E+12", "e3", "e-120"),
  )
  .map((parts) => parts.join(""));
const oddText = fc.constantFrom(
  "",
  "x",
  "1.2.3",
  "1e",
  "1e+",
  ".",
  "-",
  "1.5e5x",
  "NaN",
  "-0.00000000000000000",
  "é1.5",
);

describe("columns of numbers", () => {
  test("are the same by bytes as by strings, whatever stands among them, and however few texts are listed", () => {
    const caps = { texts: 5, firstTexts: 3, bytes: 400, distinctSlots: 64, sampleCells: 12 };
    const longs = fc.oneof(
      { weight: 8, arbitrary: fc.double({ min: -5, max: 5, noNaN: true }).map(String) },
      { weight: 2, arbitrary: plainNumber },
      { weight: 1, arbitrary: oddText },
      { weight: 1, arbitrary: fc.integer().map(String) },
    );
    const table = fc.array(fc.tuple(longs, longs, fc.double({ noNaN: true }).map(String)), {
      minLength: 60,
      maxLength: 160,
      size: "max",
    });
    fc.assert(
      fc.property(table, (rows) => {
        const lines = rows.map((cells, row) => `${cells.join(",")},${"ab"[row % 2]}\n`);
        const bytes = new TextEncoder().encode(`sep=,\na,b,c,label\n${lines.join("")}`);
        expect(readBoth(bytes, caps, true)).toEqual(readBoth(bytes, caps, false));
      }),
      { numRuns: 60 },
    );
  });

  test("are so too where short ones hardly recur, and are looked up no more", () => {
    const caps = { texts: 40, firstTexts: 20, bytes: 400, distinctSlots: 64, sampleCells: 8 };
    const most = { minLength: 200, maxLength: 600, size: "max" } as const;
    // How many values there are, and how many cells of a thousand are something else.
    const shape = fc.record({ values: fc.constantFrom(30, 200, 5000, 1e6), odd: fc.constantFrom(0, 5, 200) });
    const cell = fc.tuple(
      fc.nat({ max: 999 }),
      fc.nat(),
      fc.constantFrom("", "NA", "007", "+5", "0.123456789012345678", "x", "-0"),
    );
    const column = (text: (number: number) => string) =>
      fc
        .tuple(shape, fc.array(cell, most))
        .map(([{ values, odd }, cells]) =>
          cells.map(([chance, number, other]) => (chance < odd ? other : text(number % values))),
        );
    const shorts = column((number) => (number / 100 - 20).toFixed(2));
    const wholes = column((number) => String(number * 97));
    const middling = column((number) => `${number}.123456789`);
    const long = column((number) => `${number}.0123456789012345`);
    let earlyCount = 0;
    fc.assert(
      fc.property(shorts, wholes, middling, long, (a, b, c, d) => {
        const lines = a.map(
          (text, row) => `${text},${b[row] ?? 1},${c[row] ?? 2.5},${d[row] ?? 0.5},${"ab"[row % 2]}\n`,
        );
        const bytes = new TextEncoder().encode(`sep=,\na,b,c,d,label\n${lines.join("")}`);
        const byBytes = readBoth(bytes, caps, true);
        expect(byBytes).toEqual(readBoth(bytes, caps, false));
        const scans = byBytes.profile.columns.flatMap(({ scan }) => scan ?? []);
        earlyCount += scans.filter(({ dictionary: { isFull, texts } }) => isFull && texts.length < caps.texts).length;
      }),
      { numRuns: 60, endOnFailure: true },
    );
    expect(earlyCount).toBeGreaterThan(20);
  });
});

describe("columns of texts", () => {
  test.each([200, 3000, 9000])("are the same by bytes as by strings, of %d texts", (count) => {
    const random = new Random(1);
    const cellOf = () => String(random.nextBelow(count));
    // Of the last, more than are told apart.
    const long = () => `0.1234567890${cellOf()}${cellOf()}`;
    const lines = Array.from(
      { length: 20_000 },
      (_, row) => `${cellOf()},t${cellOf()},1.${cellOf()},${long()},${row % 2}\n`,
    );
    const bytes = new TextEncoder().encode(`sep=,\na,b,c,d,label\n${lines.join("")}`);
    const caps = { texts: 4096, firstTexts: 2048, bytes: 2 ** 16, distinctSlots: 2 ** 14, sampleCells: 2 ** 12 };
    expect(readBoth(bytes, caps, true)).toEqual(readBoth(bytes, caps, false));
  });
});

describe("the kernel's memory", () => {
  test("has room for all that is placed in it: it grows by nothing else, which would leave arrays behind", () => {
    const kernel = new ReadingKernel();
    const random = new Random(1);
    const arrays: Uint8Array[] = [];
    for (let at = 0; at < 20_000; at++) {
      kernel.place(Uint8Array, 1 + random.nextBelow(1000), (own) => {
        arrays[at] = own;
      });
      const first = random.nextBelow(arrays.length);
      expect([kernel.cells.length, arrays[first]!.length, arrays[at]!.length]).not.toContain(0);
    }
  });
});

function readBoth(bytes: Uint8Array, caps: ColumnCaps, byCells: boolean) {
  let cutCount = 0;
  const counting: Handing = (sink) => ({
    kernel: sink.kernel,
    addCells: (batch) => {
      if (batch.records === null) cutCount += batch.recordCount;
      sink.addCells(batch);
    },
  });
  const hand = byCells ? counting : asStrings;
  // Bytes are cut from the second chunk on: the first one has the header
  // and, of many lines, some that are read as text.
  const headEnd = bytes.indexOf(LF, Math.max(bytes.indexOf(LF) + 1, bytes.length / 50)) + 1;
  const openChunks = () => [bytes.subarray(0, headEnd), bytes.subarray(headEnd)];
  const profile = firstPass(openChunks, hand, { caps });
  expect(cutCount > 0).toBe(byCells);
  const isUsed = profile.columns.some(({ unusedReason, kind }) => unusedReason === null && kind !== "identifier");
  return { profile: profileContent(profile), table: isUsed ? secondPass(openChunks, hand, profile) : null };
}
