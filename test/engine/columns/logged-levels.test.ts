// Tables from what the first pass logged, against those of a second pass: equal in every number they hold.
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { BatchRoom } from "../../../engine/columns/batch-room.ts";
import type { ColumnCaps } from "../../../engine/columns/caps.ts";
import { CellLog, type LoggedCells, LogRoom, NO_TEXT } from "../../../engine/columns/cell-log.ts";
import { fillFromLogs } from "../../../engine/columns/logged-levels.ts";
import { labelledRowCount } from "../../../engine/columns/table-builder.ts";
import { layOutTable } from "../../../engine/columns/table-frame.ts";
import { createDictionary, hashText, insertText } from "../../../engine/columns/text-dictionary.ts";
import { takeKernel } from "../../../engine/csv/reading-kernel.ts";
import type { ChunkTaker } from "../../../engine/csv/shapes.ts";
import { InputError } from "../../../engine/input-error.ts";
import { Random } from "../../../engine/random.ts";
import type { Table } from "../../../engine/table.ts";
import { chunkSizes, chunksOf, drawnCsv } from "../../support/drawn-csv.ts";
import { asCells, asStrings, firstPass, type Handing, secondPass } from "../../support/two-passes.ts";

const SMALL: ColumnCaps = { texts: 6, firstTexts: 4, chars: 60, distinctSlots: 16, sampleCells: 10 };
const MIDDLING: ColumnCaps = { texts: 500, firstTexts: 60, chars: 4000, distinctSlots: 64, sampleCells: 100 };
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
    return { logged: isFilled ? frame.table : null, built: secondPass(openChunks, hand, profile).table };
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
    const dictionary = createDictionary(textCount, 2000);
    for (let id = 0; id < textCount; id++) insertText(dictionary, String(id), hashText(String(id)), 1);
    const room = new BatchRoom({ kernel: takeKernel(), stride: 3000 });
    const text = fc.nat({ max: textCount - 1 }).map((id): Cell => ({ id }));
    const whole = fc.integer({ min: -(2 ** 31), max: 2 ** 31 });
    const decimal = fc
      .nat({ max: 9 })
      .chain((digits) => whole.map((number): Cell => ({ value: number / 10 ** digits + 0 })));
    const any = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value): Cell => ({ value: value + 0 }));
    const short = whole.map((number): Cell => ({ value: Math.round(number / 256) / 1000 + 0 }));
    const kindOfRows = fc.constantFrom(
      short,
      decimal,
      fc.oneof({ weight: 20, arbitrary: short }, text, fc.constant<Cell>({ id: NO_TEXT })),
      fc.oneof({ weight: 500, arbitrary: short }, any),
    );
    const most = { size: "max", minLength: 1000, maxLength: 3000 } as const;
    const few = { maxLength: 20 };
    const portion = fc.oneof(
      { weight: 9, arbitrary: fc.array(fc.oneof(text, any, fc.constant<Cell>({ id: NO_TEXT })), few).map(oneByOne) },
      { weight: 1, arbitrary: fc.array(text, most).map(asTexts) },
      { weight: 3, arbitrary: kindOfRows.chain((cell) => fc.array(cell, most)).map(asRows) },
      { weight: 1, arbitrary: fc.array(any, few).map(asRows) },
      { weight: 2, arbitrary: fc.array(fc.integer({ min: -999_999_999, max: 999_999_999 }), most).map(asPacked) },
      { weight: 1, arbitrary: fc.array(fc.integer({ min: -99, max: 99 }), few).map(asPacked) },
    );
    const kinds = new Set<string>();
    fc.assert(
      fc.property(fc.array(portion, { maxLength: 12, size: "max" }), (portions) => {
        const log = new CellLog(new LogRoom(ROOM), dictionary);
        const expected = portions.flatMap((add) => add(log, room));
        const parts = log.take()!;
        for (const { kind } of parts) kinds.add(kind);
        expect(parts.flatMap(cellsOf)).toEqual(expected);
      }),
      { numRuns: 60, endOnFailure: true },
    );
    expect([...kinds].sort()).toEqual(["decimals", "texts", "values"]);
  });
});

type Cell = { id: number } | { value: number };

/** Adds cells, and gives them back. */
type Portion = (log: CellLog, room: BatchRoom) => Cell[];

function oneByOne(cells: Cell[]): Portion {
  return (log) => {
    for (const cell of cells) {
      if ("value" in cell) log.addValue(cell.value);
      else if (cell.id === NO_TEXT) log.addValue(Number.NaN);
      else log.addText(cell.id);
    }
    return cells;
  };
}

function asTexts(cells: Cell[]): Portion {
  const ids = Uint16Array.from(cells, (cell) => ("id" in cell ? cell.id : 0));
  return (log) => {
    log.addTexts(ids);
    return cells;
  };
}

/** As the kernel leaves them. */
function asRows(cells: Cell[]): Portion {
  return (log, room) => {
    const words = new Int32Array(room.values.buffer, room.values.byteOffset, 2 * room.values.length);
    cells.forEach((cell, at) => {
      if ("value" in cell) room.values[at] = cell.value;
      else words.set([cell.id, 0x7ff8_0000], 2 * at);
    });
    log.addRows(room, 0, cells.length, false);
    return cells;
  };
}

/** As the kernel leaves numbers that it has packed as the log wants them. */
function asPacked(multiples: number[]): Portion {
  return (log, room) => {
    const digits = log.packedDigits;
    const cells = multiples.map((multiple): Cell => ({ value: multiple / 10 ** Math.max(0, digits) + 0 }));
    if (digits < 0) return asRows(cells)(log, room);
    room.packed.set(multiples);
    log.addRows(room, 0, multiples.length, true);
    return cells;
  };
}

function cellsOf(part: LoggedCells): Cell[] {
  if (part.kind === "texts") return Array.from(part.cells, (id) => ({ id }));
  if (part.kind === "decimals") {
    return Array.from(part.cells, (own) =>
      own > -(2 ** 30) ? { value: own / part.power } : { id: own + 2 ** 31 - 1 },
    );
  }
  const words = new Int32Array(part.cells.buffer, part.cells.byteOffset, 2 * part.cells.length);
  return Array.from(part.cells, (value, at) => (Number.isNaN(value) ? { id: words[2 * at]! } : { value }));
}
