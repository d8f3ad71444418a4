// A file looked at before it is sent: the same header, whatever its form, and the same verdict as the server's.
import { expect, test } from "bun:test";
import { InputError } from "../../../../engine/input-error.ts";
import { requireColumns } from "../../../../engine/scoring/scorer.ts";
import { checkFileColumns } from "../../../../src/browser/forms/column-check.ts";

const NEEDED = ["age", "body mass", "größe"];
const PLAIN = { kind: "number", form: { decimal: ".", grouping: "", affix: "" } } as const;
const MODEL = { columns: NEEDED.map((name) => ({ name, reading: PLAIN })), missingMarkers: ["?"] };

test.each([
  ["as it is", "age,body mass,größe\n1,2,3\n"],
  ["in another order, with others", "id;größe;body mass;age\n0;3;2;1\n"],
  ["in UTF-16", Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("age\tbody mass\tgröße\n1\t2\t3\n", "utf16le")])],
  ["in windows-1252", Buffer.from("age,body mass,größe\n1,2,3\n", "latin1")],
  ["cut within a record", `age,body mass,größe\n1,2,"${"x".repeat(2_000_000)}\n`],
])("a file that fits: %s", async (_, content) => {
  expect((await checkFileColumns(new Blob([content]), MODEL)).missing).toEqual([]);
});

test("what is missing is named with what is most like it, and what is too much", async () => {
  const names = ["Age", "body mas", "x"];
  const check = await checkFileColumns(new Blob([`${names.join(",")}\n1,2,3\n`]), MODEL);
  expect(check).toEqual({
    missing: [
      { name: "age", near: "Age" },
      { name: "body mass", near: "body mas" },
      { name: "größe", near: null },
    ],
    extra: names,
  });
  expect(() => requireColumns(NEEDED, names)).toThrow("3 of the 3 columns");
});

test("a file that is no table says why", async () => {
  for (const content of ["", "\u0000\u0001", '"a,b\n1,2\n']) {
    expect(await checkFileColumns(new Blob([content]), MODEL).catch((error: unknown) => error)).toBeInstanceOf(
      InputError,
    );
  }
});

test("a column of which nearly no value can be read is told before anything is sent", async () => {
  const rows = (mass: string) => new Blob([`age;body mass;größe\n${`1,5;${mass};?\n`.repeat(12)}`]);
  expect((await checkFileColumns(rows("3,7"), MODEL)).missing).toEqual([]);
  const refusal = await checkFileColumns(rows("heavy"), MODEL).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: "UNREADABLE_COLUMN", column: "body mass", line: 2 });
});
