// The columns of a chosen file: those that the server reads, or none where the beginning does not tell.
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { neverStop } from "../../../../engine/stop-signal.ts";
import { columnsOfFile } from "../../../../src/browser/forms/file-columns.ts";
import { profileFile } from "../../../../workers/reading/profile-file.ts";
import { withFolder } from "../../../support/folders.ts";

const cell = fc.stringMatching(/^[a-z ü.]{1,6}$/).map((text) => `"${text}"`);
const table = fc.record({
  names: fc.array(fc.oneof(cell, fc.constantFrom("", "a", '"a""b"', '"x;y"', '"two\nlines"')), {
    minLength: 2,
    maxLength: 6,
  }),
  delimiter: fc.constantFrom(",", ";", "\t", "|"),
  lineEnd: fc.constantFrom("\n", "\r\n"),
  start: fc.constantFrom("", "\uFEFF"),
  hasHeader: fc.boolean(),
});

test("are the names that the server reads", () =>
  withFolder(async (folder) => {
    const path = join(folder, "table.csv");
    await fc.assert(
      fc.asyncProperty(table, async ({ names, delimiter, lineEnd, start, hasHeader }) => {
        const rows = ["1", "2", "3"].map((value) => names.map((_, at) => (at === 0 ? `"p${value}"` : value)));
        const text = `${start}${[names, ...rows].map((row) => row.join(delimiter)).join(lineEnd)}${lineEnd}`;
        writeFileSync(path, text);
        const request = { path, label: null, missingMarkers: null, hasHeader, sha256: "" };
        const { profile } = profileFile(request, neverStop, 0);
        const own = profile.columns.map(({ name }) => name);
        expect(await columnsOfFile(new Blob([text]), hasHeader)).toEqual(own);
      }),
      { numRuns: 60 },
    );
  }));

test("have numbers where there is no header", async () => {
  expect(await columnsOfFile(new Blob(["1,2,x\n3,4,y\n"]), false)).toEqual(["column_1", "column_2", "column_3"]);
});

test("are known of a file whose rows go on behind what is read", async () => {
  const rows = `${"1,2,3\n".repeat(300_000)}4,"`;
  expect(await columnsOfFile(new Blob([`a,b,c\n${rows}`]), true)).toEqual(["a", "b", "c"]);
});

test.each([
  ["no file", null],
  ["an empty file", new Blob([])],
  ["no text", new Blob([Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0, 0, 0)])],
  ["a quote without an end", new Blob(['"a,b\n1,2\n'])],
])("are not known of %s", async (_, file) => {
  expect(await columnsOfFile(file, true)).toBeNull();
});
