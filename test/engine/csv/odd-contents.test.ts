// Odd quotes, cell counts, encodings, and files that are no text, one by one.

import { describe, expect, test } from "bun:test";
import { bytes, type OddFile, testOddFiles } from "./odd-file.ts";
import { encode, read } from "./reading.ts";

const CONTENTS: OddFile[] = [
  // Quotes
  {
    title: "doubled quotes, delimiters and line ends in quotes",
    file: 'a,b\n"x ""y""","1,2\r\n3\r4\n5"\nz,w\n',
    records: [
      ['x "y"', "1,2\r\n3\r4\n5"],
      ["z", "w"],
    ],
    lines: [2, 6],
  },
  {
    title: "spaces and tabs behind a closing quote",
    file: 'a,b\n"1"  ,"2" \t\n"3"\t,"4"  ',
    records: [
      ["1", "2"],
      ["3", "4"],
    ],
  },
  {
    title: "a quote inside an unquoted cell",
    file: 'size,n\n5" pipe,1\n 6",2\nx"",3\n',
    records: [
      ['5" pipe', "1"],
      [' 6"', "2"],
      ['x""', "3"],
    ],
  },
  {
    title: "a quote that takes other rows into its cell",
    file: 'a,b,c,d\n1,"x,3,4\n5,y,7,8\n9,z",1,2\n3,v,5,6\n',
    records: [
      ["1", "x,3,4\n5,y,7,8\n9,z", "1", "2"],
      ["3", "v", "5", "6"],
    ],
    lines: [2, 5],
    warnings: ["SWALLOWED_LINES 2 2"],
  },
  {
    title: "quotes that take the next row into the first or the last cell",
    file: 'a,b,c,d\n"1,2,3,4\n5",6,7,8\n1,2,3,"4\r\n5,6,7,8"\n',
    warnings: ["SWALLOWED_LINES 2 2"],
  },
  { title: "line ends in a cell that holds no rows", file: 'a,b,c,d\n1,"x,3\n5,y",3,4\n1,"u\nv, w\n",3,4\n' },
  { title: "a quote behind a space is text", file: 'a,b\n1, "x"\n', records: [["1", ' "x"']] },
  { title: "empty quotes", file: 'a,b\n"",""\n', records: [["", ""]] },
  { title: "a quoted quote", file: 'a,b\n"""",1\n', records: [['"', "1"]] },
  { title: "outer white space inside quotes", file: 'a,b\n" x ",\t\n', records: [[" x ", "\t"]] },
  {
    title: "a byte order mark inside the file is text",
    file: "a,b\n\uFEFF1,\uFEFF\n\uFEFF2,3\n",
    records: [
      ["\uFEFF1", "\uFEFF"],
      ["\uFEFF2", "3"],
    ],
  },
  { title: "text behind a closing quote", file: 'a,b\n1,2\n3,"4"5\n', error: "MALFORMED_QUOTE 3 b" },
  { title: "a no-break space behind a closing quote", file: 'a,b\n"1"\u00A0,2\n', error: "MALFORMED_QUOTE 2 a" },
  { title: "quotes not doubled, over two lines", file: 'a,b\n1,"x\ny "z" w"\n', error: "MALFORMED_QUOTE 3 b" },
  { title: "malformed quotes in the header", file: '"a"x,b\n', error: "MALFORMED_QUOTE 1" },
  { title: "a quote that never closes", file: 'a,b\n1,2\n3,"4\n5,6\n7,8\n', error: "UNCLOSED_QUOTE 3 b" },
  { title: "a quote that never closes, at the very end", file: 'a,b\n1,"', error: "UNCLOSED_QUOTE 2 b" },
  {
    title: "a quote that never closes, behind quoted line ends",
    file: 'a,b\n"1\n2","3\r\n',
    error: "UNCLOSED_QUOTE 3 b",
  },

  // Cell counts
  { title: "a cell too many", file: "a,b\n1,2\n3,4,5\n", error: "CELL_COUNT 3" },
  { title: "a cell too few", file: "a,b,c\n1,2,3\n4,5\n", error: "CELL_COUNT 3" },
  { title: "a cell too many behind quoted line ends", file: 'a,b\n"1\n\n",2\n3,4,5\n', error: "CELL_COUNT 5" },
  { title: "the first fault counts: cells", file: 'a,b\n1\n"2"x,3\n', error: "CELL_COUNT 2" },
  { title: "the first fault counts: quotes", file: 'a,b\n"2"x,3\n1\n', error: "MALFORMED_QUOTE 2 a" },

  // Encodings
  {
    title: "UTF-8 with a mark",
    file: bytes(0xef, 0xbb, 0xbf, "é,b\n1,2\n"),
    names: ["é", "b"],
    header: { encoding: "utf-8" },
  },
  { title: "a mark and a quoted name", file: bytes(0xef, 0xbb, 0xbf, '"a,1",b\n1,2\n'), names: ["a,1", "b"] },
  {
    title: "UTF-16LE",
    file: encode("é;😀\r\n1;2\r\n", "utf-16le"),
    names: ["é", "😀"],
    records: [["1", "2"]],
    header: { encoding: "utf-16le" },
  },
  {
    title: "UTF-16BE",
    file: encode("é;😀\r\n1;2\r\n", "utf-16be"),
    names: ["é", "😀"],
    records: [["1", "2"]],
    header: { encoding: "utf-16be" },
  },
  {
    title: "UTF-16 that ends inside a character",
    file: encode("a;b\r\n1;é", "utf-16le").subarray(0, -1),
    error: "INVALID_UTF16 2",
  },
  {
    title: "UTF-16 with half a pair",
    file: bytes(0xff, 0xfe, "a", 0, "\n", 0, 0, 0xd8, "b", 0),
    error: "INVALID_UTF16 2",
  },
  { title: "UTF-16 without a mark", file: encode("a,b\n1,2\n", "utf-16le").subarray(2), error: "NUL_BYTE 1" },
  {
    title: "windows-1252",
    file: encode("naïve,b\n€,2\n", "windows-1252"),
    names: ["naïve", "b"],
    records: [["€", "2"]],
    header: { encoding: "windows-1252" },
    warnings: ["WINDOWS_1252 1"],
  },
  {
    title: "windows-1252 late in the file",
    file: bytes("é,b\r\n1,2\r\n\r\n3,x", 0xe9, "\r\n"),
    names: ["Ã©", "b"],
    records: [
      ["1", "2"],
      ["3", "xé"],
    ],
    warnings: ["WINDOWS_1252 4", "BLANK_LINES 3 1"],
  },
  {
    title: "windows-1252 behind a UTF-8 mark",
    file: bytes(0xef, 0xbb, 0xbf, "a,b\n", 0xe9, ",2\n"),
    names: ["a", "b"],
    records: [["é", "2"]],
    warnings: ["WINDOWS_1252 2"],
  },
  {
    title: "a UTF-8 character cut off by the end",
    file: bytes("a,b\n1,", 0xe2, 0x82),
    records: [["1", "â‚"]],
    warnings: ["WINDOWS_1252 2"],
  },
  {
    title: "windows-1252 and text behind the last delimiter",
    file: bytes("a,\n1,\n", 0xe9, ",x\n"),
    names: ["a", "column_2"],
    records: [
      ["1", ""],
      ["é", "x"],
    ],
    warnings: ["WINDOWS_1252 3", "EMPTY_NAME 1 1"],
  },
  { title: "a NUL byte", file: "a,b\n1,2\n3,\0\n", error: "NUL_BYTE 3" },
  { title: "a NUL byte in quotes", file: 'a,b\n"1\n\0",2\n', error: "NUL_BYTE 3" },

  // No text
  { title: "gzip", file: bytes(0x1f, 0x8b, 8, 0, 1), error: "NOT_TEXT" },
  { title: "an Excel workbook", file: bytes("PK", 3, 4, 20, 0), error: "NOT_TEXT" },
  { title: "an old Excel workbook", file: bytes(0xd0, 0xcf, 0x11, 0xe0, 0xa1), error: "NOT_TEXT" },
  { title: "a PDF", file: "%PDF-1.7\n", error: "NOT_TEXT" },
  { title: "a PNG", file: bytes(0x89, "PNG\r\n"), error: "NOT_TEXT" },
  { title: "a Parquet file", file: bytes("PAR1", 0x15, 4), error: "NOT_TEXT" },
  { title: "an SQLite database", file: "SQLite format 3\0", error: "NOT_TEXT" },
  { title: "a web page", file: "<!DOCTYPE html>\n<html>\n<p>a, b</p>\n</html>\n", error: "NOT_TEXT" },
  { title: "a web page behind a mark and blanks", file: '\uFEFF \n<HTML lang="en">a,b\nc', error: "NOT_TEXT" },
  { title: "a web page of one line", file: "<!doctype html><html><p>a,b;c</p></html>", error: "NOT_TEXT" },
  { title: "XML", file: '<?xml version="1.0"?>\n<Workbook>\n<a b="c"/></Workbook>\n', error: "NOT_TEXT" },
  { title: "JSON of many lines", file: '[\n  {\n    "a": 1,\n    "b": "x, y"\n  }\n]\n', error: "NOT_TEXT" },
  { title: "JSON of one line", file: '[{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]', error: "NOT_TEXT" },
  { title: "a list of lists", file: "[[1,2],[3,4]]\n", error: "NOT_TEXT" },
  { title: "a JSON object", file: '{ "columns": ["a", "b"] }', error: "NOT_TEXT" },
  { title: "a JSON object for each line", file: '{"a":1,"b":"x"}\n{"a":2,"b":"y"}\n', error: "NOT_TEXT" },
  { title: "a JSON object of one value for each line", file: '{"a":1}\n{"a":2}\n', error: "NOT_TEXT" },
  { title: "records of JSON that would make a table", file: '{"a": 1, "b": 2}\n{"a": 3, "b": 4}\n', error: "NOT_TEXT" },
  { title: "lists of JSON that would make a table", file: '["a", "b"]\n[1, 2]\n', error: "NOT_TEXT" },
  { title: "a table of HTML", file: "<table border=1>\n<tr><th>a</th></tr>\n</table>\n", error: "NOT_TEXT" },
  { title: "ARFF", file: "% made\n\n@RELATION x\n@ATTRIBUTE a {b,c}\n@DATA\nb\n", error: "NOT_TEXT" },
  { title: "SQL", file: "INSERT INTO t VALUES (1, 'a');\nINSERT INTO t VALUES (2, 'b');\n", error: "NOT_TEXT" },
  { title: "RTF", file: "{\\rtf1\\ansi a,b\n1,2\n}", error: "NOT_TEXT" },
  { title: "bzip2", file: "BZh91AY&SY\0", error: "NOT_TEXT" },
  { title: "an Arrow file", file: "ARROW1\0\0", error: "NOT_TEXT" },
  { title: "HDF5", file: bytes(0x89, "HDF\r\n\x1a\n"), error: "NOT_TEXT" },
  { title: "SAS", file: bytes(...Array<number>(12).fill(0), 0xc2, 0xea, 0x81, 0x60), error: "NOT_TEXT" },
  {
    title: "brackets in a header are no JSON",
    ...{ file: "[kg],{x}\n1,2\n", names: ["[kg]", "{x}"], records: [["1", "2"]], lines: [2] },
  },
  { title: "a header of one name in brackets", file: "[kg]\n1\n", names: ["[kg]"], records: [["1"]], lines: [2] },
  { title: "a name in brackets, and a fault", file: "[kg],b\n1,2,3\n", error: "CELL_COUNT 2" },
  {
    title: "a table that begins as a list does",
    ...{ file: "[1,2]\n[3,4]\n", names: ["[1", "2]"], records: [["[3", "4]"]], lines: [2] },
  },
  { title: "UTF-32", file: bytes(0xff, 0xfe, 0, 0, "a", 0, 0, 0), error: "NOT_TEXT" },
  { title: "names that begin as those files do", file: "PK,PAR1\n1,2\n", names: ["PK", "PAR1"], records: [["1", "2"]] },
  { title: "a file of one letter that such files begin with", file: "P", names: ["P"], records: [] },
];

describe("odd contents", () => {
  testOddFiles(CONTENTS);

  test("notes of several lines hold rows by chance, a quote that takes eight rows does not", () => {
    const lines = ["u", "u, v", "u, v, w", "u, v, w, x"];
    const pairs = lines.flatMap((one) => lines.map((other) => `${one}\n${other}`));
    const notes = [...pairs, ...pairs.flatMap((pair) => lines.map((line) => `${pair}\n${line}`))];
    for (const at of [0, 1, 2, 3]) {
      const rowOf = (cell: string): string => `${["1", "2", "3", "4"].with(at, cell).join(",")}\n`;
      const table = `a,b,c,d\n${notes.map((note) => rowOf(`"${note}"`)).join("")}`;
      expect(read(new TextEncoder().encode(table)).report!.warnings).toEqual([]);
      const stray = rowOf('"5') + rowOf("6").repeat(7) + rowOf('7"');
      const [warning, ...others] = read(new TextEncoder().encode(table + stray)).report!.warnings;
      const line = 2 + notes.join("\n").split("\n").length;
      expect(warning).toMatchObject({ code: "SWALLOWED_LINES", line, column: "abcd"[at]! });
      expect(others).toEqual([]);
    }
  });

  test("errors say what, where and what to do", () => {
    const messageOf = (file: string): string => read(new TextEncoder().encode(file)).error!.message;
    expect(messageOf("a;b\n1;2;3\n")).toBe(
      "Line 2 has 3 cells; the header has 2. If each line begins with a row's name, give the header a name for it. " +
        "Otherwise, put quotes around cells that contain `;`, or remove the extra cell.",
    );
    const quoted = "Put quotes around cells that contain `,`, or remove the extra cell.";
    expect(messageOf("a,b\n1,2\n1,2,3\n")).toBe(`Line 3 has 3 cells; the header has 2. ${quoted}`);
    expect(messageOf("a,b\n1,2,3\n")).toBe(
      "Line 2 has 3 cells; the header has 2. If each line begins with a row's name, give the header a name for it. " +
        "Otherwise, put quotes around cells that contain `,`, or remove the extra cell.",
    );
    expect(messageOf("a,b\n1,2,\n")).toBe(
      "Line 2 has 3 cells; the header has 2. If each line ends with `,`, end the header with one too.",
    );
    expect(messageOf("# 1\n2021,2022,2023\n1,2,3\n")).toBe(
      "Line 2 has 3 cells; the header has 1. The first line has one cell, as a title does. " +
        "If the header stands further below, remove the lines above it. Otherwise, put quotes around cells that contain `,`, or remove the extra cells.",
    );
    for (const [fault, at, above] of [
      ["Line 2 has 3 cells; the header has 1.", 2, "Log 2024\n"],
      ["Line 4 has 3 cells; the header has 1.", 4, "Log of line 3\nby J. Smith\n\n"],
      ["Line 2 has 3 cells; the header has 1.", 2, "Log, line 3\n"],
      ["Line 2 has 3 cells; the header has 1.", 2, "-----------\n"],
      ["Line 2 has 3 cells; the header has 1.", 2, "##version=1\n"],
      ["Line 4 has 3 cells; the header has 2.", 4, "Account;DE12\nBalance;1\n\n"],
      ["Line 2 has 1 cell; the header has 2.", 3, "Instrument;X200\nMeasured\n"],
      ["Line 3 has 3 cells; the header has 2.", 3, "sep=;\nAccount;DE12\n"],
    ] as const) {
      expect(messageOf(`${above}a;b;c\n${"1,2;3,4;yes\n".repeat(9)}`)).toBe(
        `${fault} From line ${at} on, lines have 3 cells: if the header stands there, remove the lines above it.`,
      );
    }
    expect(messageOf(`a;b\n${"1;2;3\n".repeat(9)}`)).toContain("If each line begins with a row's name");
    expect(messageOf("a,b,\n1,2\n")).toBe(
      "Line 2 has 2 cells; the header has 3. If the header ends with `,` and the other lines do not, remove it there. " +
        "Otherwise, add the missing cell.",
    );
    expect(messageOf('"a" "b"\n"1" "2"\n')).toBe(
      "Another quote follows a closing quote on line 1. " +
        "Put a comma or another delimiter between the cells; blanks set none apart.",
    );
    expect(read(new TextEncoder().encode("remark\nlate; by 3\nfine\nno\n")).error).toBeNull();
    expect(read(new TextEncoder().encode("code\nA|1|3\nB|2|3\n")).error).toBeNull();
    expect(messageOf("a\tb\tc\n1\n")).toBe(
      "Line 2 has 1 cell; the header has 3. Add the missing cells, quote line ends inside a cell, " +
        "or remove the line if it is a footer, a comment or a rule.",
    );
    expect(messageOf('a,b\n1,"2\n')).toBe(
      'The quote on line 2 in column "b" is never closed. Add the closing quote, or remove the opening one.',
    );
    expect(messageOf("PK\u0003\u0004")).toBe(
      "The file is an Excel workbook (.xlsx) or another zip archive, not CSV text. " +
        "Export the sheet as CSV, or unpack the archive.",
    );
  });
});
