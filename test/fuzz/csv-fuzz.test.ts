// Reading CSV of any bytes: a table, or an InputError that says what is wrong; and the same however the bytes are cut.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc, { type Arbitrary } from "fast-check";
import { TableProfiler } from "../../engine/columns/profiler.ts";
import { readCsv } from "../../engine/csv/read.ts";
import type { RecordBatch } from "../../engine/csv/shapes.ts";
import { InputError } from "../../engine/input-error.ts";

const PENGUINS = new Uint8Array(readFileSync(join(import.meta.dir, "../fixtures/tables/penguins.csv"))).subarray(
  0,
  3000,
);
const FRESH_SEED = crypto.getRandomValues(new Uint32Array(1))[0]! % 2 ** 31;

const PIECES = [
  ...[
    '"',
    '""',
    ",",
    ";",
    "\t",
    "|",
    "\n",
    "\r\n",
    "\r",
    "\0",
    "sep=;\n",
    "\ufeff",
    "é",
    "👩‍👩‍👧",
    "__proto__",
    "constructor",
    "species",
  ],
  ...[
    "1e999",
    "-0",
    "NaN",
    "Infinity",
    "0x10",
    "2024-02-30",
    "2024-02-29T25:61:00Z",
    "1.234,56",
    "NA",
    "?",
    " ",
    "\u2028",
    "x".repeat(500),
  ],
].map((text) => new TextEncoder().encode(text));
const BAD_BYTES = [
  [0xff],
  [0xc0, 0xaf],
  [0xff, 0xfe],
  [0xfe, 0xff],
  [0xed, 0xa0, 0x80],
  [0xe2, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
];

const anyPiece = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...PIECES) },
  { weight: 1, arbitrary: fc.constantFrom(...BAD_BYTES.map((bytes) => new Uint8Array(bytes))) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 12 }) },
);

/** The fixture with stretches of it removed, doubled or replaced. */
const mutated: Arbitrary<Uint8Array> = fc
  .array(
    fc.record({
      at: fc.nat(PENGUINS.length),
      dropped: fc.oneof(fc.constant(0), fc.nat(40)),
      piece: anyPiece,
      repeats: fc.nat(2),
    }),
    {
      minLength: 1,
      maxLength: 8,
    },
  )
  .map((changes) =>
    changes.reduce<Uint8Array>((bytes, { at, dropped, piece, repeats }) => {
      const start = at % (bytes.length + 1);
      const added = Array.from({ length: repeats }, () => piece);
      return joined([bytes.subarray(0, start), ...added, bytes.subarray(start + dropped)]);
    }, PENGUINS),
  );

const composed = fc.array(anyPiece, { maxLength: 60 }).map(joined);
const anyFile = fc.oneof(
  { weight: 3, arbitrary: mutated },
  { weight: 3, arbitrary: composed },
  fc.uint8Array({ maxLength: 600 }),
);

test.each([31, FRESH_SEED])("any bytes are a table or an InputError (seed %d)", (seed) => {
  let tableCount = 0;
  fc.assert(
    fc.property(anyFile, fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 5 }), (bytes, sizes) => {
      const whole = profileOf(bytes, [Math.max(1, bytes.length)]);
      expect(profileOf(bytes, sizes)).toEqual(whole);
      if (!whole.startsWith("InputError")) tableCount++;
    }),
    { seed, numRuns: 1_000 },
  );
  expect(tableCount).toBeGreaterThan(100);
});

/** What the file is found to be, as text; of an InputError its code, place and message. */
function profileOf(bytes: Uint8Array, sizes: readonly number[]): string {
  let profiler: TableProfiler | null = null;
  try {
    const report = readCsv(
      () => chunksOf(bytes, sizes),
      ({ names, delimiter }) => {
        const current = new TableProfiler(names, { delimiter, label: null });
        profiler = current;
        return (batch: RecordBatch) => current.add(batch);
      },
    );
    const { rowCount, columns, label, warnings } = profiler!.finish();
    const shown = columns.map(({ scan: _scan, ...column }) => column);
    expect(shown.every(({ missing, distinct }) => missing <= rowCount && distinct <= rowCount)).toBeTrue();
    return JSON.stringify({ report, rowCount, shown, label, warnings });
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    expect(error.message).toMatch(/\S/);
    return `InputError ${error.code} ${error.line} ${error.message}`;
  }
}

/** The bytes in chunks of these sizes, over and over. */
function* chunksOf(bytes: Uint8Array, sizes: readonly number[]): Generator<Uint8Array> {
  for (let start = 0, turn = 0; start < bytes.length; turn++) {
    const end = start + sizes[turn % sizes.length]!;
    yield bytes.subarray(start, end);
    start = end;
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}
