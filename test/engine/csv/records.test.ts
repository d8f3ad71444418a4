// The record splitter against a naive reader that goes character by character, on random text in random pieces.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import Papa from "papaparse";
import { RecordSplitter } from "../../../engine/csv/records.ts";
import { InputError } from "../../../engine/input-error.ts";

interface Reading {
  records: string[][];
  lines: number[];
  blankLines: { count: number; first: number };
  fault: string | null;
}

/** The rules of the CSV layer, one character at a time over the whole text. */
function readNaively(text: string, delimiter: string): Reading {
  const reading: Reading = { records: [], lines: [], blankLines: { count: 0, first: 0 }, fault: null };
  let line = 1;
  let i = 0;
  const isLineEnd = (): boolean => text[i] === "\n" || text[i] === "\r";
  const passLineEnd = (): void => {
    i += text[i] === "\r" && text[i + 1] === "\n" ? 2 : 1;
    line++;
  };
  const passQuoted = (): string | null => {
    const quoteLine = line;
    let cell = "";
    i++;
    for (;;) {
      if (i >= text.length) {
        reading.fault = `UNCLOSED_QUOTE ${quoteLine}`;
        return null;
      }
      const from = i;
      if (text[i] === '"' && text[i + 1] !== '"') break;
      if (text[i] === '"') i += 2;
      else if (isLineEnd()) passLineEnd();
      else i++;
      cell += text[from] === '"' ? '"' : text.slice(from, i);
    }
    i++;
    while (text[i] !== delimiter && (text[i] === " " || text[i] === "\t")) i++;
    if (i < text.length && text[i] !== delimiter && !isLineEnd()) {
      reading.fault = `MALFORMED_QUOTE ${line}`;
      return null;
    }
    return cell;
  };
  while (i < text.length) {
    const recordLine = line;
    const record: string[] = [];
    let quoted = false;
    for (;;) {
      let cell: string | null = "";
      if (text[i] === '"') {
        quoted = true;
        cell = passQuoted();
        if (cell === null) return reading;
      } else {
        while (i < text.length && text[i] !== delimiter && !isLineEnd()) cell += text[i++];
      }
      record.push(cell);
      if (text[i] !== delimiter) break;
      i++;
    }
    if (i < text.length) passLineEnd();
    if (!quoted && record.length === 1 && record[0]!.trim() === "") {
      if (reading.blankLines.count++ === 0) reading.blankLines.first = recordLine;
    } else {
      reading.records.push(record);
      reading.lines.push(recordLine);
    }
  }
  return reading;
}

function split(pieces: readonly string[], delimiter: string): Reading {
  const reading: Reading = { records: [], lines: [], blankLines: { count: 0, first: 0 }, fault: null };
  const splitter = new RecordSplitter({
    delimiter,
    firstLine: 1,
    columnName: () => undefined,
    take: (records, lines) => {
      reading.records.push(...records);
      reading.lines.push(...lines);
    },
  });
  try {
    for (const piece of pieces) splitter.push(piece);
    splitter.end();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    reading.fault = `${error.code} ${error.line}`;
  }
  reading.blankLines = { count: splitter.blankLineCount, first: splitter.firstBlankLine };
  return reading;
}

const delimiters = fc.constantFrom(",", ";", "\t", "|", " ");
const quoteHeavy = fc.array(fc.constantFrom('"', '"', ",", ",", ";", "\t", "\n", "\r", "\r\n", " ", "a", "é"), {
  maxLength: 6,
});
const plain = fc.array(fc.constantFrom(",", ",", ";", "\t", "\n", "\r", "\r\n", " ", "a", "\uFEFF", "\u00A0"), {
  maxLength: 8,
});
const cell = fc.constantFrom(
  "a",
  "",
  " ",
  '""',
  '"a"',
  '"a,b" ',
  '"a""b"',
  '"a\rb"',
  '"a\r\nb"',
  '"\n"',
  'a"b',
  ' "a"',
);
const sound = fc.array(fc.tuple(cell, fc.constantFrom(",", ",", "\n", "\r\n", "\r", ",\n")), { maxLength: 12 });
const pieces = fc.array(
  fc.oneof(
    quoteHeavy.map((characters) => characters.join("")),
    plain.map((characters) => characters.join("")),
    sound.map((cells) => cells.flat().join("")),
  ),
  { maxLength: 8 },
);

describe("RecordSplitter", () => {
  test("agrees with the naive reader on any text in any pieces", () => {
    fc.assert(
      fc.property(pieces, delimiters, (parts, delimiter) => {
        const expected = readNaively(parts.join(""), delimiter);
        expect(split(parts, delimiter)).toEqual(expected);
      }),
      { numRuns: 4000 },
    );
  });

  test("agrees with the naive reader on sound text, cut anywhere", () => {
    fc.assert(
      fc.property(fc.array(sound, { maxLength: 4 }), fc.integer({ min: 1, max: 9 }), (parts, size) => {
        const text = parts.flat(2).join("");
        const cuts = text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
        expect(split(cuts, ",")).toEqual(readNaively(text, ","));
      }),
      { numRuns: 2000 },
    );
  });

  test("agrees with papaparse on whole text where papaparse suffices", () => {
    const simpleCell = fc.constantFrom("a", "", "x y", '"a,b"', '"a""b"', '"a\nb"', "é", "12");
    const table = fc.array(fc.array(simpleCell, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(table, (rows) => {
        const text = rows.map((row) => row.join(",")).join("\n");
        expect(split([text], ",").records).toEqual(Papa.parse<string[]>(text, { delimiter: ",", newline: "\n" }).data);
      }),
    );
  });

  test("hands on every complete record of a piece at once", () => {
    const handedOn: string[][][] = [];
    const splitter = new RecordSplitter({
      delimiter: ",",
      firstLine: 1,
      columnName: () => undefined,
      take: (records) => handedOn.push(records),
    });
    splitter.push('1,2\r\n3,"4');
    expect(handedOn).toEqual([[["1", "2"]]]);
    splitter.push('"\r');
    expect(handedOn[1]).toEqual([["3", "4"]]);
    splitter.push("\n5,6\n7,8\n9");
    expect(handedOn[2]).toEqual([
      ["5", "6"],
      ["7", "8"],
    ]);
  });
});
