// Runs a table of odd files: what each is read as, or the code, line and column of its refusal.

import { expect, test } from "bun:test";
import { read } from "./reading.ts";

export interface OddFile {
  title: string;
  file: string | Uint8Array;
  names?: string[];
  records?: string[][];
  lines?: number[];
  /** Any of the other properties of the header. */
  header?: object;
  /** `code line count` of each, with what is undefined left out. */
  warnings?: string[];
  /** `code line column`, with what is undefined left out. */
  error?: string;
}

export const bytes = (...parts: (string | number)[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === "number" ? [part] : [...new TextEncoder().encode(part)])));

/** One test per file; each is also read in tiny chunks, with the same outcome. */
export function testOddFiles(files: readonly OddFile[]): void {
  for (const { title, file, names, records, lines, header, warnings, error } of files) {
    test(title, () => {
      const content = typeof file === "string" ? new TextEncoder().encode(file) : file;
      const outcome = read(content);
      const found = outcome.error;
      expect(found === null ? undefined : joined(found.code, found.line, found.column)).toBe(error);
      if (error === undefined) {
        const given = outcome.report!.warnings.map(({ code, line, count }) => joined(code, line, count));
        expect(given).toEqual(warnings ?? []);
        expect(outcome.report!.recordCount).toBe(outcome.records.length);
        expect(outcome.report!.header).toEqual(outcome.header!);
      }
      if (names !== undefined) expect(outcome.header!.names).toEqual(names);
      if (records !== undefined) expect(outcome.records).toEqual(records);
      if (lines !== undefined) expect(outcome.lines).toEqual(lines);
      if (header !== undefined) expect(outcome.header).toMatchObject(header);
      for (const sizes of [[1], [2], [3, 5]]) expect(read(content, sizes)).toEqual(outcome);
    });
  }
}

const joined = (...parts: (string | number | undefined)[]): string =>
  parts.filter((part) => part !== undefined).join(" ");
