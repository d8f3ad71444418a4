// Tables from what the first pass logged, against those of a second pass: equal in every number they hold.
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import type { ChunkTaker } from "../../../engine/csv/types.ts";
import { fillFromLogs } from "../../../engine/filling/logged-levels.ts";
import { layOutTable } from "../../../engine/filling/table-frame.ts";
import { InputError } from "../../../engine/input-error.ts";
import { labelledRowCount } from "../../../engine/profile/profile.ts";
import { Random } from "../../../engine/random.ts";
import type { ColumnCaps } from "../../../engine/reading/caps.ts";
import { CellLog, LogBuffer } from "../../../engine/reading/cell-log.ts";
import type { Table } from "../../../engine/table/table.ts";
import { chunkSizes, chunksOf, drawnCsv } from "../../support/drawn-csv.ts";
import { asCells, asStrings, firstPass, type Handing, secondPass } from "../../support/two-passes.ts";

const SMALL: ColumnCaps = { texts: 6, firstTexts: 4, bytes: 60, distinctSlots: 16, sampleCells: 10 };
const MIDDLING: ColumnCaps = { texts: 500, firstTexts: 60, bytes: 4000, distinctSlots: 64, sampleCells: 100 };
const ROOM = 2 ** 24;

interface Way {
  hand: Handing;
  sizes: readonly number[];
  caps?: ColumnCaps;
  missingMarkers?: readonly string[];
  logBytes?: number;
}

/** The table of the second pass, and that of the logs or null; null for a file without a table. */
function readBothWays(bytes: Uint8Array, way: Way): { logged: Table | null; built: Table } | null {
  const { hand, sizes, logBytes = ROOM, ...options } = way;
  const openChunks = (taker: ChunkTaker) => chunksOf(bytes, sizes, taker);
  try {
    const profile = firstPass(openChunks, hand, { logBytes, ...options });
    const frame = layOutTable(profile, labelledRowCount(profile));
    const isFilled = fillFromLogs(profile, frame);
    if (!isFilled) expect(frame.table.classes.every((code) => code === 0)).toBe(true);
    expect(profile.columns.every(({ scan }) => scan === null || scan.log === null)).toBe(true);
    return { logged: isFilled ? frame.table : null, built: secondPass(openChunks, hand, profile) };
  } catch (error) {
    if (error instanceof InputError) return null;
    throw error;
  }
}

describe("logged cells", () => {
  test("make the table that a second pass makes, with room for all texts or for few", () => {
    const options = fc.constantFrom<Partial<Way>>(
      {},
      { caps: SMALL },
      { caps: SMALL, missingMarkers: ["-1", "red", "0"] },
    );
    const counts = { equal: 0, untold: 0 };
    fc.assert(
      fc.property(
        drawnCsv,
        chunkSizes,
        options,
        fc.constantFrom(asCells, asStrings),
        ({ bytes }, sizes, given, hand) => {
          const tables = readBothWays(bytes, { hand, sizes, ...given });
          if (tables === null) return;
          if (tables.logged === null) counts.untold++;
          else {
            expect(tables.logged).toEqual(tables.built);
            counts.equal++;
          }
        },
      ),
      { numRuns: 600 },
    );
    expect([counts.equal > 20, counts.untold > 5]).toEqual([true, true]);
  });

  test.each([
    ["bytes, all texts listed", asCells, undefined],
    ["bytes, few of them", asCells, MIDDLING],
    ["strings, all of them", asStrings, undefined],
    ["strings, few of them", asStrings, MIDDLING],
  ])("do so in many records, as %s", (_, hand, caps) => {
    const random = new Random(7);
    const words = ["", "NA", "n/a", "1e5", "0.5", "123456.789012345678", "+3"];
    const cell = (number: string, odd: number) =>
      random.nextFloat() < odd ? words[random.nextBelow(words.length)]! : number;
    const lines = Array.from({ length: 20_000 }, (_row, row) =>
      [
        cell((random.nextFloat() - 0.5).toFixed(6), 0.001),
        cell(String(random.nextFloat() * 1e3), 0.2),
        cell(String(random.nextBelow(1e6)), row > 15_000 ? 0.5 : 0),
        random.nextBelow(40),
        (100 * random.nextFloat() - 50).toFixed(row < 9000 ? 4 : 5),
        random.nextFloat() < 3e-4 ? "-12345678.5" : (1e5 * random.nextFloat()).toFixed(random.nextBelow(4)),
        `c${random.nextBelow(30)}`,
        `2024-0${1 + random.nextBelow(9)}-1${random.nextBelow(9)}`,
        random.nextFloat() < 0.01 ? "" : "ab"[random.nextBelow(2)],
      ].join(","),
    );
    const bytes = new TextEncoder().encode(`sep=,\na,b,c,d,p,q,e,f,label\n${lines.join("\n")}\n`);
    const tables = readBothWays(bytes, { hand, sizes: [60, 100_000], ...(caps && { caps }) })!;
    expect(tables.logged).not.toBeNull();
    expect(tables.logged).toEqual(tables.built);
    expect(tables.built.rowCount).toBeLessThan(20_000);
  });

  test("do so in every fixture", () => {
    const folder = join(import.meta.dir, "../../fixtures/tables");
    for (const name of readdirSync(folder).filter((file) => file.endsWith(".csv"))) {
      const bytes = new Uint8Array(readFileSync(join(folder, name)));
      const tables = readBothWays(bytes, { hand: asCells, sizes: [50_000] })!;
      expect(tables.logged).toEqual(tables.built);
    }
  });

  test("are void where there is too little room for them", () => {
    const random = new Random(8);
    const lines = Array.from(
      { length: 20_000 },
      () => `${random.nextFloat()},${random.nextBelow(9)},${"ab"[random.nextBelow(2)]}`,
    );
    const bytes = new TextEncoder().encode(`a,b,label\n${lines.join("\n")}\n`);
    const isLogged = (logBytes: number) =>
      readBothWays(bytes, { hand: asCells, sizes: [100_000], logBytes })!.logged !== null;
    expect([2 ** 10, 2 ** 17, 2 ** 18].map(isLogged)).toEqual([false, false, true]);
  });
});

describe("the log of a column", () => {
  test.each([200, 300])("gives back what was added, in whatever portions, with %d texts", (textCount) => {
    const text = fc.nat({ max: textCount - 1 });
    const number = fc.double({ noNaN: true, noDefaultInfinity: true });
    const few = { maxLength: 20 };
    const most = { size: "max", minLength: 1000, maxLength: 3000 } as const;
    const texts = fc.oneof(fc.array(text, few), fc.array(text, most));
    const numbers = fc.oneof(fc.array(number, few), fc.array(number, most));
    const portions = fc.tuple(
      fc.array(texts, { maxLength: 40, size: "max" }),
      fc.array(numbers, { maxLength: 12, size: "max" }),
    );
    fc.assert(
      fc.property(portions, ([first, then]) => {
        const log = new CellLog(new LogBuffer(ROOM));
        for (const ids of first) log.add(Uint16Array.from(ids), new Float64Array(ids.length), true, textCount);
        expect(log.hasValues).toBe(false);
        for (const values of then) log.add(new Uint16Array(values.length), Float64Array.from(values), false, textCount);
        expect(log.hasValues).toBe(then.length > 0);
        const parts = log.take()!;
        expect(parts.flatMap((cells) => [...cells])).toEqual([...first.flat(), ...then.flat()]);
        const isNarrow = parts.some((cells) => cells instanceof Uint8Array);
        expect(isNarrow).toBe(textCount <= 256 && first.flat().length > 0);
      }),
      { numRuns: 60, endOnFailure: true },
    );
  });
});
