// Records as cells against the same records read as text: every cell, line, warning and refusal.
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { cellText } from "../../../engine/csv/cell-text.ts";
import { readCsv } from "../../../engine/csv/read.ts";
import { PIECE_BYTES, takeKernel } from "../../../engine/csv/reading-kernel.ts";
import type { CellBatch, CellSink, CsvHeader, RecordBatch, RecordSink } from "../../../engine/csv/types.ts";
import { InputError } from "../../../engine/input-error.ts";
import { chunkSizes, chunksOf, drawnCsv } from "../../support/drawn-csv.ts";

interface Found {
  cutCount: number;
  outcome: string;
}

/** All that reading gives, cells trimmed, as text; `asCells`: by cells where the reader can. */
function readAll(bytes: Uint8Array, sizes: readonly number[], asCells: boolean): Found {
  let rows: [number, number, string[]][] = [];
  let cutCount = 0;
  const add = ({ firstIndex, records, lines }: RecordBatch) => {
    records.forEach((record, at) => {
      rows.push([firstIndex + at, lines[at]!, record.map((cell) => cell.trim())]);
    });
  };
  const kernel = takeKernel();
  const addCells = (batch: CellBatch) => {
    if (batch.records === null) cutCount += batch.recordCount;
    for (let row = 0; row < batch.recordCount; row++) {
      const texts = Array.from({ length: batch.columnCount }, (_, column) => cellText(batch, row, column));
      rows.push([batch.firstIndex + row, kernel.lines[row]!, texts]);
      if (batch.records !== null) expect(batch.records[row]!.map((cell) => cell.trim())).toEqual(texts);
    }
  };
  const start = (_header: CsvHeader): RecordSink | CellSink => {
    rows = [];
    return asCells ? { addCells, kernel } : add;
  };
  try {
    const report = readCsv((taker) => chunksOf(bytes, sizes, taker), start);
    return { cutCount, outcome: JSON.stringify({ report, rows }) };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { code, line, column, message } = error;
    return { cutCount, outcome: JSON.stringify({ code, line, column, message, rows }) };
  } finally {
    kernel.giveBack();
  }
}

describe("cells cut from bytes", () => {
  test("are those of the text, whatever the file and however it is cut into chunks", () => {
    let cutCount = 0;
    fc.assert(
      fc.property(drawnCsv, chunkSizes, ({ bytes }, sizes) => {
        const asText = readAll(bytes, [bytes.length], false);
        const found = readAll(bytes, sizes, true);
        expect(found.outcome).toBe(asText.outcome);
        cutCount += found.cutCount;
      }),
      { numRuns: 500 },
    );
    expect(cutCount).toBeGreaterThan(2000);
  });

  test("at a chunk border behind every byte", () => {
    const text = 'sep=,\na,b\n1.5,x\r\n"q,",é\n\n-3,"two\nlines"\n"a""b",\u00a0\n12345678901,7\n';
    const bytes = new TextEncoder().encode(text);
    const expected = readAll(bytes, [bytes.length], false).outcome;
    for (let at = 1; at < bytes.length; at++) {
      expect(readAll(bytes, [at, bytes.length], true).outcome).toBe(expected);
    }
  });

  test("of files of some size, with one odd line among plain ones", () => {
    const odd = [
      "",
      "1",
      "1,2,3",
      '"a""b",2',
      '"a\nb",2',
      '"a',
      "1\0,2",
      "1,2\r3,4",
      "é,\ufeff",
      `${"9".repeat(2_000_000)},2`,
    ];
    const plain = "0.123456,abc\n".repeat(12_000);
    for (const line of odd) {
      const bytes = new TextEncoder().encode(`a,b\n${plain}${line}\n${plain}`);
      for (const spoil of [-1, 200_000]) {
        if (spoil >= 0) bytes[spoil] = 0xff;
        const found = readAll(bytes, [70_001], true);
        expect(found.outcome === readAll(bytes, [1 << 20], false).outcome).toBe(true);
        expect(found.cutCount).toBeGreaterThan(1000);
      }
    }
  }, 300_000);

  test("of numbers of every length, with a point in every place, and of what is nearly one", () => {
    const signs = ["", "-", "+", " ", "x", '"'];
    const texts = Array.from({ length: 20 }, (_, length) => "98765432109876543210".slice(0, length)).flatMap(
      (digits) => [
        digits,
        ...Array.from({ length: digits.length + 1 }, (_, at) => `${digits.slice(0, at)}.${digits.slice(at)}`),
        `0${digits}`,
        `${digits}e5`,
        `${digits}..`,
        `${digits} `,
        `1.${digits}.2`,
      ],
    );
    const cells = signs.flatMap((sign) => texts.map((text) => `${sign}${text}${sign === '"' ? sign : ""}`));
    for (const ending of ["\n", "\r\n"]) {
      const bytes = new TextEncoder().encode(
        ["sep=,", "a,b", ...cells.map((cell) => `${cell},${cell}`), ""].join(ending),
      );
      const found = readAll(bytes, [50, bytes.length], true);
      expect(found.outcome).toBe(readAll(bytes, [bytes.length], false).outcome);
      expect(found.cutCount).toBeGreaterThan(0.9 * cells.length);
    }
  });

  test("of more bytes at a time than are cut at a time, with long lines across the borders", () => {
    const lines = Array.from({ length: 40 }, (_, at) => `${at},${"long ".repeat(20_000 + 4500 * at)}\n`);
    const bytes = new TextEncoder().encode(`sep=,\na,b\n${lines.join("")}`);
    expect(bytes.length).toBeGreaterThan(2 * PIECE_BYTES);
    const found = readAll(bytes, [50, bytes.length], true);
    expect(found.outcome === readAll(bytes, [bytes.length], false).outcome).toBe(true);
    expect(found.cutCount).toBe(39);
  });

  test("of every fixture", () => {
    const folder = join(import.meta.dir, "../../fixtures/tables");
    for (const name of readdirSync(folder).filter((file) => file.endsWith(".csv"))) {
      const file = readFileSync(join(folder, name));
      // Many times over, so that there is something behind what the delimiter is guessed from.
      const body = file.subarray(file.indexOf(10) + 1);
      const times = Math.ceil(200_000 / file.length);
      const bytes = new Uint8Array(Buffer.concat([file, ...Array.from({ length: times }, () => body)]));
      const found = readAll(bytes, [33_333], true);
      expect(found.outcome === readAll(bytes, [bytes.length], false).outcome).toBe(true);
    }
  });
});
