// Odd lines, delimiters and headers, one by one.

import { describe } from "bun:test";
import { bytes, type OddFile, testOddFiles } from "./odd-file.ts";

const LAYOUTS: OddFile[] = [
  // Lines
  { title: "no final line end", file: "a,b\n1,2", names: ["a", "b"], records: [["1", "2"]], lines: [2] },
  { title: "CRLF", file: "a,b\r\n1,2\r\n", records: [["1", "2"]], header: { lineEnding: "\r\n" } },
  {
    title: "CR",
    file: "a,b\r1,2\r3,4\r",
    records: [
      ["1", "2"],
      ["3", "4"],
    ],
    lines: [2, 3],
    header: { lineEnding: "\r" },
  },
  {
    title: "mixed line ends",
    file: "a,b\r\n1,2\n3,4\r5,6",
    records: [
      ["1", "2"],
      ["3", "4"],
      ["5", "6"],
    ],
    lines: [2, 3, 4],
    header: { lineEnding: "\r\n" },
  },
  {
    title: "LF then CR ends two lines",
    file: "a,b\n\r1,2\n",
    records: [["1", "2"]],
    lines: [3],
    warnings: ["BLANK_LINES 2 1"],
  },
  {
    title: "blank lines between, before and after",
    file: "\n\na,b\n\n1,2\n \t \n3,4\n\n",
    names: ["a", "b"],
    records: [
      ["1", "2"],
      ["3", "4"],
    ],
    lines: [5, 7],
    warnings: ["BLANK_LINES 1 5"],
  },
  {
    title: "white space without a line end at the end",
    file: "a,b\n1,2\n  ",
    records: [["1", "2"]],
    warnings: ["BLANK_LINES 3 1"],
  },
  {
    title: "a line of delimiters is a record",
    file: "a,b\n,\n1,2\n",
    records: [
      ["", ""],
      ["1", "2"],
    ],
  },
  {
    title: "a line of one tab in a tab file is a record",
    file: "a\tb\n\t\n \t \n",
    records: [
      ["", ""],
      [" ", " "],
    ],
  },
  { title: "header only", file: "a,b\n", names: ["a", "b"], records: [], header: { lineEnding: "\n" } },
  { title: "header only, no line end", file: "a,b", names: ["a", "b"], records: [], header: { lineEnding: "\n" } },
  { title: "an empty file", file: "", error: "EMPTY_FILE" },
  { title: "a byte order mark alone", file: bytes(0xef, 0xbb, 0xbf), error: "EMPTY_FILE" },
  { title: "blank lines alone", file: "\n  \r\n\r", error: "EMPTY_FILE" },
  { title: "a separator line alone", file: "sep=;", error: "EMPTY_FILE" },

  // One column
  { title: "one column", file: "a\n1\n2\n", names: ["a"], records: [["1"], ["2"]], header: { delimiter: "," } },
  {
    title: "one column: quotes make an empty record, nothing makes none",
    file: 'a\n1\n""\n\n2\n',
    records: [["1"], [""], ["2"]],
    lines: [2, 3, 5],
    warnings: ["BLANK_LINES 4 1"],
  },
  { title: "one column of one name without a line end", file: "a", names: ["a"], records: [] },

  // Delimiters
  {
    title: "semicolons with decimal commas",
    file: "id;price;n\n1;2,5;3\n2;3,5;4\n",
    names: ["id", "price", "n"],
    header: { delimiter: ";" },
  },
  {
    title: "semicolons with a comma in every line",
    file: "id;name, first;n\n1;x, y;3\n2;z, w;4\n",
    names: ["id", "name, first", "n"],
    header: { delimiter: ";" },
  },
  { title: "tabs", file: "a\tb\n1,5\t2\n", records: [["1,5", "2"]], header: { delimiter: "\t" } },
  { title: "pipes", file: "a|b|c\n1|2|3\n", records: [["1", "2", "3"]], header: { delimiter: "|" } },
  {
    title: "delimiters inside quotes do not count",
    file: 'a,b\n"1;2;3;4",5\n"6;7;8;9",0\n',
    records: [
      ["1;2;3;4", "5"],
      ["6;7;8;9", "0"],
    ],
    header: { delimiter: "," },
  },
  {
    title: "a quoted header with other delimiters",
    file: '"a;b;c","d;e"\n1,2\n',
    names: ["a;b;c", "d;e"],
    header: { delimiter: "," },
  },
  {
    title: "a separator line",
    file: "sep=;\na;b\n1;2\n",
    names: ["a", "b"],
    records: [["1", "2"]],
    lines: [3],
    header: { delimiter: ";" },
  },
  {
    title: "a separator line with CRLF and a mark",
    file: bytes(0xef, 0xbb, 0xbf, "sep=,\r\na,b\r\n1,2\r\n"),
    names: ["a", "b"],
    lines: [3],
    header: { delimiter: ",", lineEnding: "\r\n" },
  },
  {
    title: "a separator that no guess would find",
    file: "SEP=:\na:b\n1:2\n",
    names: ["a", "b"],
    records: [["1", "2"]],
    header: { delimiter: ":" },
  },
  {
    title: "a space as separator",
    file: 'sep= \na b\n"1" 2\n\n 4\n',
    names: ["a", "b"],
    records: [
      ["1", "2"],
      ["", "4"],
    ],
    warnings: ["BLANK_LINES 4 1"],
  },
  { title: "a separator line further down is data", file: "a\nsep=;\n", records: [["sep=;"]] },
  { title: "a quoted separator line is a header", file: '"sep=;"\n1\n', names: ["sep=;"], records: [["1"]] },

  // Trailing delimiters
  {
    title: "a trailing delimiter on every line",
    file: "a,b,\n1,2,\n3,4,\n",
    names: ["a", "b"],
    records: [
      ["1", "2"],
      ["3", "4"],
    ],
    header: { cells: ["a", "b"] },
    warnings: ["TRAILING_DELIMITER 1"],
  },
  {
    title: "a trailing delimiter in a header alone",
    file: "a;b;\n",
    names: ["a", "b"],
    records: [],
    warnings: ["TRAILING_DELIMITER 1"],
  },
  {
    title: "text behind the last delimiter",
    file: "a,b,\n1,2,\n3,4,x\n",
    names: ["a", "b", "column_3"],
    records: [
      ["1", "2", ""],
      ["3", "4", "x"],
    ],
    header: { cells: ["a", "b", ""] },
    warnings: ["EMPTY_NAME 1 1"],
  },
  { title: "a trailing delimiter only in the header", file: "a,b,\n1,2\n", error: "CELL_COUNT 2" },
  { title: "a trailing delimiter only in the records", file: "a,b\n1,2,\n", error: "CELL_COUNT 2" },
  {
    title: "two trailing delimiters",
    file: "a,b,,\n1,2,,\n",
    names: ["a", "b"],
    records: [["1", "2"]],
    warnings: ["TRAILING_DELIMITER 1 2"],
  },
  {
    title: "text in one of the columns behind the last name",
    file: "a,b,,,\n1,2,x,,\n3,4,,,\n",
    names: ["a", "b", "column_3"],
    records: [
      ["1", "2", "x"],
      ["3", "4", ""],
    ],
    warnings: ["TRAILING_DELIMITER 1 2", "EMPTY_NAME 1 1"],
  },
  {
    title: "text late in a column behind the last name",
    file: `a,b,,\n${"1,2,,\n".repeat(60_000)}1,2,x,\n`,
    names: ["a", "b", "column_3", "column_4"],
    warnings: ["EMPTY_NAME 1 2"],
  },
  {
    title: "no name at all",
    file: ",,\n1,2,3\n",
    names: ["column_1", "column_2", "column_3"],
    warnings: ["EMPTY_NAME 1 3"],
  },

  // Names
  {
    title: "names are trimmed, cells kept",
    file: 'a , " b "\n 1 , 2\n',
    names: ["a", '" b "'],
    records: [[" 1 ", " 2"]],
    header: { cells: ["a ", ' " b "'] },
  },
  {
    title: "empty names",
    file: ",a, ,b\n1,2,3,4\n",
    names: ["column_1", "a", "column_3", "b"],
    warnings: ["EMPTY_NAME 1 2"],
  },
  {
    title: "repeated names",
    file: "a,a,a_2,a\n1,2,3,4\n",
    names: ["a", "a_3", "a_2", "a_4"],
    warnings: ["DUPLICATE_NAME 1 2"],
  },
  {
    title: "a name that an unnamed column would get",
    file: ",column_1\n1,2\n",
    names: ["column_1_2", "column_1"],
    warnings: ["EMPTY_NAME 1 1"],
  },
  {
    title: "names of objects' own properties",
    file: "__proto__,constructor,__proto__\n1,2,3\n",
    names: ["__proto__", "constructor", "__proto___2"],
    warnings: ["DUPLICATE_NAME 1 1"],
  },
  {
    title: "a name over two lines",
    file: '"a\r\nb",c\n1,2\n',
    names: ["a\r\nb", "c"],
    records: [["1", "2"]],
    lines: [3],
    header: { lineEnding: "\n" },
  },
  {
    title: "warnings give the header's line",
    file: "\n\na,a\n1,2\n",
    names: ["a", "a_2"],
    warnings: ["DUPLICATE_NAME 3 1", "BLANK_LINES 1 2"],
  },
];

describe("odd layouts", () => testOddFiles(LAYOUTS));
