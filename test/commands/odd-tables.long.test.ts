// Odd and broken tables through inspect, run and predict: each is read as a person would, with a warning, or refused.
import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readCsv } from "../../engine/csv/read.ts";
import { InputError } from "../../engine/input-error.ts";
import { inspect } from "../../src/commands/inspect.ts";
import { run } from "../../src/commands/run.ts";
import type { RunSummary } from "../../src/summary/summary.ts";
import { FEWER_VERSIONS, NOT_BETTER_THAN_GUESSING } from "../../src/training/run-warnings.ts";
import { withFolder } from "../support/folders.ts";
import { runOptions, spawnWorker, testConsole } from "../support/in-process.ts";

const ROWS = 60;
type Row = [size: string, colour: string, label: string];

/** Sixty rows whose label follows from the size, but for a few. */
const rows: Row[] = Array.from({ length: ROWS }, (_, i): Row => {
  const size = ((i * 37) % 60) + 0.5;
  return [String(size), ["red", "green", "blue"][i % 3]!, size > 30 === (i % 11 !== 0) ? "big" : "small"];
});

interface Layout {
  header?: readonly string[];
  delimiter?: string;
  lineEnd?: string;
  quote?: boolean;
}

function csv(table: readonly (readonly string[])[], layout: Layout = {}): string {
  const { header = ["size", "colour", "label"], delimiter = ",", lineEnd = "\n", quote = false } = layout;
  const cell = (text: string) =>
    quote || /["\r\n]/.test(text) || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text;
  return [header, ...table].map((cells) => cells.map(cell).join(delimiter) + lineEnd).join("");
}

/** The base table with one change per row. */
const changed = (change: (row: Row, index: number) => readonly string[]) =>
  rows.map((row, index) => change([...row], index));

interface Accepted {
  name: string;
  bytes: string | Uint8Array;
  label?: string;
  missing?: readonly string[];
  hasHeader?: boolean;
  /** What inspect must say; kinds by column. */
  kinds?: Record<string, string>;
  rows?: number;
  delimiter?: string;
  encoding?: string;
  classes?: readonly string[];
  /** Codes of warnings, all of them. */
  warnings?: readonly string[];
}

const utf16 = (text: string, littleEndian: boolean) => {
  const bytes = new Uint8Array(2 + text.length * 2);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, 0xfeff, littleEndian);
  for (let i = 0; i < text.length; i++) view.setUint16(2 + 2 * i, text.charCodeAt(i), littleEndian);
  return bytes;
};
const latin1 = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));

const accepted: Accepted[] = [
  {
    name: "the plain table",
    bytes: csv(rows),
    kinds: { size: "number", colour: "category", label: "category" },
    classes: ["big", "small"],
  },
  { name: "semicolons", bytes: csv(rows, { delimiter: ";" }), delimiter: ";" },
  { name: "tabs", bytes: csv(rows, { delimiter: "\t" }), delimiter: "\t" },
  { name: "bars", bytes: csv(rows, { delimiter: "|" }), delimiter: "|" },
  { name: "a sep= line", bytes: `sep=;\n${csv(rows, { delimiter: ";" })}`, delimiter: ";" },
  { name: "a sep= line with an unusual delimiter", bytes: `sep=^\n${csv(rows, { delimiter: "^" })}`, delimiter: "^" },
  { name: "CRLF", bytes: csv(rows, { lineEnd: "\r\n" }) },
  { name: "CR", bytes: csv(rows, { lineEnd: "\r" }) },
  {
    name: "mixed line ends",
    bytes: csv(rows)
      .split("\n")
      .map((line, i) => line + ["\n", "\r\n", "\r"][i % 3]!)
      .join("")
      .trimEnd(),
  },
  { name: "no final line end", bytes: csv(rows).trimEnd() },
  { name: "every cell quoted", bytes: csv(rows, { quote: true }) },
  { name: "blank lines", bytes: csv(rows).replaceAll("red", "red").replace("\n", "\n\n\n"), warnings: ["BLANK_LINES"] },
  {
    name: "delimiters, quotes and line ends inside cells",
    bytes: csv(changed(([s, c, l], i) => [s, `${c}, "${i % 2}"\nnext`, l])),
    kinds: { colour: "category" },
  },
  { name: "a quote inside an unquoted cell", bytes: csv(rows).replaceAll("red", 'r"ed') },
  {
    name: "a label with delimiter and quotes",
    bytes: csv(changed(([s, c, l]) => [s, c, l === "big" ? 'a, "b"' : "01"])),
    classes: ["01", 'a, "b"'],
  },
  {
    name: "labels that look alike as numbers",
    bytes: csv(changed(([s, c, l], i) => [s, c, l === "big" ? "01" : ["1", "1.0"][i % 2]!])),
    classes: ["01", "1", "1.0"],
  },
  {
    name: "labels in upper case",
    bytes: csv(changed(([s, c, l]) => [s, c, l === "big" ? "TRUE" : "FALSE"])),
    classes: ["FALSE", "TRUE"],
  },
  {
    name: "white space around cells",
    bytes: csv(changed(([s, c, l]) => [` ${s} `, `\t${c}`, ` ${l} `])),
    kinds: { size: "number" },
    classes: ["big", "small"],
  },
  { name: "UTF-8 with a byte-order mark", bytes: `\ufeff${csv(rows)}`, encoding: "utf-8", kinds: { size: "number" } },
  { name: "UTF-16, little-endian", bytes: utf16(csv(rows), true), encoding: "utf-16le" },
  { name: "UTF-16, big-endian", bytes: utf16(csv(rows), false), encoding: "utf-16be" },
  {
    name: "Windows-1252",
    bytes: latin1(csv(rows).replaceAll("green", "gr\u00fcn")),
    encoding: "windows-1252",
    warnings: ["WINDOWS_1252"],
  },
  { name: "text beyond the basic plane", bytes: csv(rows).replaceAll("green", "🟢 grün"), encoding: "utf-8" },
  {
    name: "an empty name",
    bytes: csv(rows, { header: ["size", "", "label"] }),
    kinds: { column_2: "category" },
    warnings: ["EMPTY_NAME"],
  },
  {
    name: "a repeated name",
    bytes: csv(rows, { header: ["size", "size", "label"] }),
    kinds: { size: "number", size_2: "category" },
    warnings: ["DUPLICATE_NAME"],
  },
  {
    name: "names that are properties of every object",
    bytes: csv(rows, { header: ["__proto__", "constructor", "toString"] }),
    kinds: { ["__proto__"]: "number", constructor: "category" },
  },
  {
    name: "names with outer white space",
    bytes: csv(rows, { header: [" size ", "colour", "label\t"] }),
    kinds: { size: "number", label: "category" },
  },
  {
    name: "a trailing delimiter on every line",
    bytes: csv(rows).replaceAll("\n", ",\n"),
    kinds: { label: "category" },
    warnings: ["TRAILING_DELIMITER"],
  },
  {
    name: "no header",
    bytes: csv(rows).replace("size,colour,label\n", ""),
    hasHeader: false,
    kinds: { column_1: "number", column_2: "category", column_3: "category" },
  },
  {
    name: "a label of scores",
    bytes: csv(changed(([s, c], i) => [s, c, String(1 + (i % 6) / 2)])),
    kinds: { label: "number" },
    warnings: ["LABEL_LOOKS_LIKE_QUANTITY"],
  },
  {
    name: "no header, and decimal commas",
    bytes: csv(
      changed(([s, c, l]) => [s.replace(".", ","), c, l]),
      { delimiter: ";" },
    ).replace("size;colour;label\n", ""),
    hasHeader: false,
    label: "column_3",
    delimiter: ";",
    kinds: { column_1: "number" },
  },
  {
    name: "no header, though nobody says so",
    bytes: csv(rows).replace("size,colour,label\n", ""),
    rows: ROWS - 1,
    warnings: ["HEADER_LOOKS_LIKE_DATA"],
  },
  {
    name: "missing markers of all kinds",
    bytes: csv(
      changed(([s, c, l], i) => [i % 6 === 0 ? ["", "NA", "N/A", "null", "NaN", "?"][(i / 6) % 6]! : s, c, l]),
    ),
    kinds: { size: "number" },
  },
  {
    name: "own missing markers",
    bytes: csv(changed(([s, c, l], i) => [i % 6 === 0 ? "-999x" : s, c, l])),
    missing: ["-999x"],
    kinds: { size: "number" },
  },
  {
    name: "rows without a label",
    bytes: csv(changed(([s, c, l], i) => [s, c, i === 7 || i === 9 ? "" : l])),
    rows: ROWS,
    warnings: ["ROWS_WITHOUT_LABEL"],
  },
  {
    name: "decimal commas",
    bytes: csv(
      changed(([s, c, l]) => [s.replace(".", ","), c, l]),
      { delimiter: ";" },
    ),
    delimiter: ";",
    kinds: { size: "number" },
  },
  {
    name: "thousands",
    bytes: csv(changed(([s, c, l], i) => [i % 2 ? s : `1,${String(i * 13).padStart(3, "0")}.5`, c, l])),
    kinds: { size: "number" },
  },
  { name: "percent", bytes: csv(changed(([s, c, l]) => [`${s}%`, c, l])), kinds: { size: "number" } },
  { name: "currency", bytes: csv(changed(([s, c, l]) => [`$${s}`, c, l])), kinds: { size: "number" } },
  {
    name: "exponents and signs",
    bytes: csv(
      changed(([s, c, l], i) => [["1e2", "+3", ".5", "5.", "-1.5E-3"][i % 5]! + (i % 5 === 1 ? s : ""), c, l]),
    ),
    kinds: { size: "number" },
  },
  {
    name: "infinity",
    bytes: csv(changed(([s, c, l], i) => [i === 3 ? "Infinity" : i === 4 ? "1e999" : s, c, l])),
    kinds: { size: "number" },
    warnings: ["INFINITE_NUMBER"],
  },
  {
    name: "codes with leading zeros",
    bytes: csv(changed(([_, c, l], i) => [`00${i % 5}`, c, l])),
    kinds: { size: "category" },
  },
  {
    name: "hexadecimal codes",
    bytes: csv(changed(([_, c, l], i) => [`0x1${i % 5}`, c, l])),
    kinds: { size: "category" },
  },
  {
    name: "integers beyond 2^53",
    bytes: csv(changed(([_, c, l], i) => [`900719925474099${i % 5}`, c, l])),
    kinds: { size: "category" },
  },
  { name: "0 and 1", bytes: csv(changed(([s, _, l], i) => [s, String(i % 2), l])), kinds: { colour: "category" } },
  { name: "years", bytes: csv(changed(([_, c, l], i) => [String(1960 + i), c, l])), kinds: { size: "number" } },
  {
    name: "ISO dates",
    bytes: csv(changed(([s, _, l], i) => [s, `2024-0${1 + (i % 9)}-1${i % 10}`, l])),
    kinds: { colour: "date" },
  },
  {
    name: "ISO date-times, all different",
    bytes: csv(changed(([s, _, l], i) => [s, `2024-03-01T0${i % 10}:${10 + Math.floor(i / 2)}:00Z`, l])),
    kinds: { colour: "date" },
  },
  {
    name: "days first",
    bytes: csv(changed(([s, _, l], i) => [s, `${1 + (i % 28)}/3/2024`, l])),
    kinds: { colour: "date" },
  },
  {
    name: "dates whose order nobody can tell",
    bytes: csv(changed(([s, _, l], i) => [s, `${1 + (i % 9)}/3/2024`, l])),
    kinds: { colour: "category" },
    warnings: ["AMBIGUOUS_DATE"],
  },
  { name: "a constant column", bytes: csv(changed(([s, _, l]) => [s, "same", l])), kinds: { colour: "constant" } },
  { name: "a column without any value", bytes: csv(changed(([s, _, l]) => [s, "", l])), kinds: { colour: "constant" } },
  { name: "an identifier", bytes: csv(changed(([s, _, l], i) => [s, `A-${i}x`, l])), kinds: { colour: "identifier" } },
  {
    name: "a running number",
    bytes: csv(changed(([s, _, l], i) => [s, String(1000 + i), l])),
    kinds: { colour: "identifier" },
  },
  {
    name: "free text",
    bytes: csv(changed(([s, c, l], i) => [s, `note ${i}: it came in ${c} and was left at the door`, l])),
    kinds: { colour: "text" },
  },
  {
    name: "a label that is not the last column",
    bytes: csv(
      changed(([s, c, l]) => [l, s, c]),
      { header: ["label", "size", "colour"] },
    ),
    label: "label",
    kinds: { label: "category", size: "number" },
  },
  {
    name: "a class with one row",
    bytes: csv(changed(([s, c, l], i) => [s, c, i === 5 ? "only one" : l])),
    classes: ["big", "only one", "small"],
  },
  { name: "cells that a spreadsheet would run", bytes: csv(changed(([s, c, l]) => [s, `=1+1;${c}`, l])) },
  {
    name: "a very long name and a very long cell",
    bytes: csv(
      changed(([s, c, l], i) => [s, i === 0 ? "x".repeat(100_000) : c, l]),
      { header: ["size", "n".repeat(5_000), "label"] },
    ),
  },
];

interface Refused {
  name: string;
  bytes: string | Uint8Array;
  code: string;
  line?: number;
  label?: string;
  /** Part of the message. */
  says?: string;
  /** True where inspect shows the table with a warning although nothing can be trained on it. */
  inspectable?: boolean;
}

const refused: Refused[] = [
  { name: "an empty file", bytes: "", code: "EMPTY_FILE" },
  { name: "only blank lines", bytes: "\n\n \n", code: "EMPTY_FILE" },
  { name: "a header alone", bytes: "size,colour,label\n", code: "NO_ROWS", inspectable: true },
  {
    name: "too many cells",
    bytes: csv(rows).replace("\n", "\n1,red,big,extra\n"),
    code: "CELL_COUNT",
    line: 2,
    says: "4 cells",
  },
  { name: "too few cells", bytes: `${csv(rows)}1,red\n`, code: "CELL_COUNT", line: ROWS + 2, says: "2 cells" },
  { name: "an unclosed quote", bytes: `${csv(rows)}1,"red,big\n2,red,big\n`, code: "UNCLOSED_QUOTE", line: ROWS + 2 },
  { name: "text behind a closing quote", bytes: `${csv(rows)}1,"red"x,big\n`, code: "MALFORMED_QUOTE", line: ROWS + 2 },
  { name: "a NUL byte", bytes: `${csv(rows)}1,r\0d,big\n`, code: "NUL_BYTE", line: ROWS + 2 },
  { name: "a zip archive", bytes: Uint8Array.of(0x50, 0x4b, 3, 4, 20, 0, 0, 0, 8, 0), code: "NOT_TEXT" },
  { name: "a gzip archive", bytes: Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3), code: "NOT_TEXT" },
  { name: "a picture", bytes: Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0), code: "NOT_TEXT" },
  { name: "UTF-16 without a mark", bytes: utf16(csv(rows), true).subarray(2), code: "NUL_BYTE" },
  {
    name: "a cell of more than 1 MiB",
    bytes: `${csv(rows)}1,${"x".repeat(1_100_000)},big\n`,
    code: "CELL_TOO_LONG",
    line: ROWS + 2,
  },
  {
    name: "more than 10,000 columns",
    bytes: `${Array.from({ length: 10_001 }, (_, i) => `c${i}`).join(",")}\n`,
    code: "TOO_MANY_COLUMNS",
  },
  { name: "one class", bytes: csv(changed(([s, c]) => [s, c, "big"])), code: "ONE_CLASS", inspectable: true },
  { name: "no label at all", bytes: csv(changed(([s, c]) => [s, c, ""])), code: "ONE_CLASS", inspectable: true },
  {
    name: "a label that is a quantity",
    bytes: csv(Array.from({ length: 200 }, (_, i) => [String(i), "red", `${i}.25`])),
    code: "TOO_MANY_CLASSES",
    inspectable: true,
  },
  {
    name: "a label column that is not there",
    bytes: csv(rows),
    label: "Label",
    code: "LABEL_NOT_FOUND",
    says: '"label"',
  },
  {
    name: "nothing but the label",
    bytes: `label\n${rows.map(([, , l]) => l).join("\n")}\n`,
    code: "NO_FEATURES",
    inspectable: true,
  },
  { name: "too few rows", bytes: csv(rows.slice(0, 6)), code: "TOO_FEW_ROWS", inspectable: true },
];

function write(folder: string, name: string, bytes: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

function records(path: string, hasHeader = true): { names: readonly string[]; cells: string[][] } {
  const cells: string[][] = [];
  const report = readCsv(
    () => [readFileSync(path)],
    () => {
      cells.length = 0;
      return (batch) => {
        cells.push(...batch.records.map((record) => [...record]));
      };
    },
    hasHeader,
  );
  return { names: report.header.names, cells };
}

describe("tables that can be read", () => {
  test.each(accepted)("$name", (odd) =>
    withFolder(async (folder) => {
      const path = write(folder, "odd.csv", odd.bytes);
      const { hasHeader = true } = odd;
      const options = { path, label: odd.label ?? null, missingMarkers: odd.missing ?? null, hasHeader, json: true };
      const inspecting = testConsole();
      expect(inspect(options, inspecting)).toBe(0);
      const shown = JSON.parse(inspecting.printed[0]!);
      const kinds = new Map<string, string>(
        shown.columns.map(({ name, kind }: { name: string; kind: string }) => [name, kind]),
      );
      for (const [name, kind] of Object.entries(odd.kinds ?? {}))
        expect(`${name}: ${kinds.get(name)}`).toBe(`${name}: ${kind}`);
      expect(shown.rows).toBe(odd.rows ?? ROWS);
      expect(shown.delimiter).toBe(odd.delimiter ?? ",");
      expect(shown.encoding).toBe(odd.encoding ?? "utf-8");
      if (odd.classes) expect(shown.classes.map(({ label }: { label: string }) => label)).toEqual(odd.classes);
      const codes = shown.warnings.map(({ code }: { code: string }) => code);
      for (const code of odd.warnings ?? []) expect(codes).toContain(code);

      const running = testConsole();
      const out = join(folder, "out");
      const reading = { label: odd.label ?? null, missingMarkers: odd.missing ?? null, hasHeader };
      const changes = { ...reading, predictPaths: [path] };
      const code = await run(runOptions(path, out, changes), running, spawnWorker);
      const summary: RunSummary = JSON.parse(running.printed[0]!);
      // Some of these columns tell nothing of the label.
      const isGuessing = summary.warnings.some((warning) => warning.code === NOT_BETTER_THAN_GUESSING);
      expect(isGuessing ? [0, 4] : [0]).toContain(code);
      expect(summary.rows).toBe(shown.rows);
      expect(summary.classes).toEqual(shown.classes);
      const ofRun = [FEWER_VERSIONS, NOT_BETTER_THAN_GUESSING];
      expect(summary.warnings.filter((warning) => !ofRun.includes(warning.code))).toEqual(shown.warnings);

      const input = records(path, hasHeader);
      const result = records(join(out, "predictions-odd.csv"));
      const labels = summary.classes.map(({ label }) => label);
      expect(result.cells.map((cells) => cells.slice(0, input.names.length))).toEqual(input.cells);
      expect(result.names.slice(input.names.length)).toEqual([
        "prediction",
        "confidence",
        ...labels.map((label) => `probability_${label}`),
      ]);
      for (const cells of result.cells) expect(labels).toContain(cells[input.names.length]!);
    }),
  );
});

describe("tables that are refused", () => {
  test.each(refused)("$name", ({ bytes, code, line, label, says, inspectable }) =>
    withFolder(async (folder) => {
      const path = write(folder, "odd.csv", bytes);
      const out = join(folder, "out");
      const error: unknown = await run(
        runOptions(path, out, { label: label ?? null }),
        testConsole(),
        spawnWorker,
      ).catch((caught) => caught);
      expect(error).toBeInstanceOf(InputError);
      if (!(error instanceof InputError)) return;
      expect(error.code).toBe(code);
      if (line !== undefined) expect(error.line).toBe(line);
      if (says !== undefined) expect(error.message).toContain(says);
      expect(existsSync(out) ? readdirSync(out) : []).toEqual([]);

      const inspection = () => inspect({ path, label: label ?? null, missingMarkers: null, json: true }, testConsole());
      if (inspectable) expect(inspection()).toBe(0);
      else expect(inspection).toThrow(InputError);
    }),
  );
});
