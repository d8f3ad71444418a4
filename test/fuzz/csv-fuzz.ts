// Files of any bytes for the CSV reader, and what has to be true of each: it
// is a table, or an InputError says what is wrong.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc, { type Arbitrary } from "fast-check";
import { readCsv } from "../../engine/csv/read.ts";
import { InputError } from "../../engine/input-error.ts";
import { unpackModel } from "../../engine/model/model-file.ts";
import { TableProfiler } from "../../engine/profile/profiler.ts";
import { ResultCsv } from "../../engine/scoring/result-csv.ts";

const ALL_PENGUINS = readFileSync(join(import.meta.dir, "../fixtures/tables/penguins.csv"));
/** Whole lines. */
const PENGUINS = new Uint8Array(ALL_PENGUINS.subarray(0, ALL_PENGUINS.lastIndexOf(10, 3_000) + 1));
const MODEL = unpackModel(
  new Uint8Array(readFileSync(join(import.meta.dir, "../fixtures/models/penguins-random-forest.cupel"))),
);

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

/** How many of the files were tables, and how many of these a model could score. */
export interface CsvCampaign {
  tableCount: number;
  scoredCount: number;
}

/**
 * Reads so many files, whole and cut into chunks. Throws, with the seed and the smallest
 * file that shows it, where one is not as it has to be.
 */
export function runCsvCampaign(seed: number, fileCount: number): CsvCampaign {
  const campaign = { tableCount: 0, scoredCount: 0 };
  const sizes = fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(anyFile, sizes, (bytes, cuts) => {
      const whole = [Math.max(1, bytes.length)];
      const found = profileOf(bytes, whole);
      mustBe(profileOf(bytes, cuts) === found, "the profile depends on how the bytes are cut");
      const scored = scoresOf(bytes, whole);
      mustBe(scoresOf(bytes, cuts) === scored, "the scores depend on how the bytes are cut");
      if (!found.startsWith("InputError")) campaign.tableCount++;
      if (!scored.startsWith("InputError")) campaign.scoredCount++;
    }),
    { seed, numRuns: fileCount },
  );
  return campaign;
}

/** What the file is found to be, as text; of an InputError its code, place and message. */
function profileOf(bytes: Uint8Array, sizes: readonly number[]): string {
  let profiler: TableProfiler | null = null;
  try {
    const report = readCsv(
      () => chunksOf(bytes, sizes),
      ({ names, delimiter }) => {
        const current = new TableProfiler(names, { delimiter, label: null });
        profiler = current;
        return current;
      },
    );
    const { rowCount, columns, label, warnings } = profiler!.finish();
    const shown = columns.map(({ scan: _scan, ...column }) => column);
    const isCounted = shown.every(({ missing, distinct }) => missing <= rowCount && distinct <= rowCount);
    mustBe(isCounted, "a column has more values than rows");
    return JSON.stringify({ report, rowCount, shown, label, warnings });
  } catch (error) {
    return refusalText(error);
  }
}

/** The result of scoring the file, made safe for spreadsheets; of an InputError as above. */
function scoresOf(bytes: Uint8Array, sizes: readonly number[]): string {
  let result: ResultCsv | null = null;
  let lines: string[] = [];
  let rowCount = 0;
  try {
    readCsv(
      () => chunksOf(bytes, sizes),
      (header) => {
        const current = new ResultCsv(MODEL, header, { likeInput: false, spreadsheetSafe: true, countedRows: 1 });
        result = current;
        lines = [current.headerLine];
        rowCount = 0;
        return ({ records }) => {
          rowCount += records.length;
          lines.push(current.lines(records));
        };
      },
    );
    mustBe((result! as ResultCsv).scorer.counts!.scored().rowCount === rowCount, "a row is lost");
    return lines.join("");
  } catch (error) {
    return refusalText(error);
  }
}

function refusalText(error: unknown): string {
  if (!(error instanceof InputError)) throw error;
  mustBe(/\S/.test(error.message), "an error says nothing");
  return `InputError ${error.code} ${error.line} ${error.message}`;
}

function mustBe(isSo: boolean, otherwise: string): void {
  if (!isSo) throw new Error(otherwise);
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
