// Drawn CSV files of every layout, as bytes, for tests that read them by two ways.
import fc, { type Arbitrary } from "fast-check";
import type { ChunkTaker } from "../../engine/csv/types.ts";

const decimals = fc
  .tuple(fc.constantFrom("", "", "-", "+"), fc.stringMatching(/^\d{0,8}$/), fc.stringMatching(/^(\.\d{0,8})?$/))
  .map((parts) => parts.join(""));

/**
 * Cells as they stand in a file: numbers, texts, dates, missing ones, white
 * space around them, quotes, all of them sometimes odd.
 */
const writtenCell: Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: decimals },
  { weight: 3, arbitrary: fc.integer({ min: -50, max: 50 }).map(String) },
  { weight: 3, arbitrary: fc.constantFrom("red", "green", "blue", "a longer text of several words", "NA", "?", "") },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      ...["007", "-0", "00.5", "1e5", "1e999", "inf", "1.5.2", "12-3", "+", "-", ".", "5.", ".5", "0x1F", "1,5", "$12"],
      ...["9007199254740993", "123456789012345", "1234567890123456", "0.12345678901234567", "999999999", "1000000000"],
      ...[
        "2024-02-29",
        "31/12/2023",
        "1.234",
        "12.345",
        "4%",
        "1999",
        "deadbeef01",
        "é",
        "Ünï",
        "日本",
        "𝄞",
        "\u0001x",
      ],
    ),
  },
  { weight: 2, arbitrary: decimals.map((text) => ` ${text}\t`) },
  { weight: 2, arbitrary: decimals.map((text) => `"${text}"`) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '" quoted "',
      '""',
      '"a,b"',
      '"a;b"',
      '"say ""so"""',
      '"two\nlines"',
      '"x" ',
      'in"side',
      ' "late"',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom("\u00a0wide\u00a0", "\u3000", "x\u2028", "\ufeffx", "x\ufeff", "\u2003 y", "\u000bz\f"),
  },
);

const rare = (whole: string, odd: readonly string[]): Arbitrary<string> =>
  fc.oneof(
    { weight: 600, arbitrary: fc.constant(whole) },
    ...odd.map((text) => ({ weight: 1, arbitrary: fc.constant(text) })),
  );

const lineEnd = fc.constantFrom("\n", "\n", "\r\n");
const oddBehind = ["\n\n", "\r", "\r\r\n", " \n", ",x\n", "\0\n", '"\n', '"x"y\n'];

export interface DrawnCsv {
  bytes: Uint8Array;
  columnCount: number;
}

/** A file that names its delimiter, so that its records can be read as bytes from the first one on. */
export const drawnCsv: Arbitrary<DrawnCsv> = fc
  .record({
    columnCount: fc.integer({ min: 1, max: 5 }),
    delimiter: fc.constantFrom(",", ",", ";", "\t", "|", "x"),
    ending: lineEnd,
    hasBom: fc.boolean(),
    trailing: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, fc.constant(true)),
  })
  .chain(({ columnCount, delimiter, ending, hasBom, trailing }) => {
    const end = (trailing ? delimiter : "") + ending;
    const cell = writtenCell.map((written) => (written.startsWith('"') ? written : written.replaceAll(delimiter, "_")));
    const record = fc.array(cell, { minLength: columnCount, maxLength: columnCount });
    const line = fc.tuple(record, rare(end, oddBehind)).map(([cells, behind]) => cells.join(delimiter) + behind);
    const head = Array.from({ length: columnCount }, (_, at) => `c${at}`).join(delimiter) + end;
    return fc
      .tuple(
        fc.array(line, { minLength: 10, maxLength: 60, size: "max" }),
        fc.array(fc.tuple(fc.nat(), fc.constantFrom(0xff, 0xe9, 0xc3, 0xe2)), { maxLength: 1 }),
        fc.nat(20),
      )
      .map(([lines, spoils, chance]) => {
        const text = `${hasBom ? "\ufeff" : ""}sep=${delimiter}\n${head}${lines.join("")}`;
        const bytes = new TextEncoder().encode(text);
        // A byte that is no UTF-8 where it stands.
        if (chance === 0) for (const [place, byte] of spoils) bytes[place % bytes.length] = byte;
        return { bytes, columnCount };
      });
  });

/** Sizes of the chunks a file comes in, over and over. */
export const chunkSizes = fc.oneof(
  fc.constant([1]),
  fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 6 }),
  fc.constant([1 << 20]),
);

/**
 * The bytes in chunks of these sizes, over and over, where there is room
 * for them or all in one buffer, as a file's are.
 */
export function* chunksOf(bytes: Uint8Array, sizes: readonly number[], taker?: ChunkTaker): Generator<Uint8Array> {
  const most = Math.max(...sizes);
  const own = new Uint8Array(most);
  for (let start = 0, turn = 0; start < bytes.length; turn++) {
    const buffer = taker?.buffer?.subarray(0, most) ?? own;
    const end = Math.min(bytes.length, start + Math.min(sizes[turn % sizes.length]!, buffer.length));
    buffer.fill(0x21);
    buffer.set(bytes.subarray(start, end));
    yield buffer.subarray(0, end - start);
    start = end;
  }
}
