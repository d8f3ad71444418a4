// The warnings about cells that a model cannot take as they stand, in words.
import { expect, test } from "bun:test";
import type { ModelFile } from "../../../engine/model/model-file.ts";
import { CellCoder } from "../../../engine/scoring/cell-coder.ts";
import { shownCell } from "../../../engine/scoring/shown-cell.ts";
import { MISSING_CODE, UNSEEN_CODE } from "../../../engine/table/buckets.ts";

const NAMES = ["01067", "yes", "North", "Süd", "two words"];

/** A coder for one column of categories. */
function coderOf(names: readonly string[]): CellCoder {
  const model: Pick<ModelFile, "columns" | "features" | "missingMarkers"> = {
    columns: [{ name: "zip", kind: "category", reading: { kind: "category" }, missingCount: 0 }],
    features: [
      {
        ...{ column: 0, kind: "category", part: null, names },
        ...{
          codeCount: 2 + names.length,
          codeOfOthers: UNSEEN_CODE,
          codes: Uint16Array.from(names, (_, at) => 2 + at),
        },
      },
    ],
    missingMarkers: ["NA"],
  };
  return new CellCoder(model, [0]);
}

function told(cells: readonly string[], lines: ArrayLike<number> | null, names: readonly string[] = NAMES): string[] {
  const coder = coderOf(names);
  const records = cells.map((cell) => [cell]);
  coder.codeRecords(records, [new Uint16Array(cells.length)], MISSING_CODE, lines);
  return coder.warnings().map(({ message }) => message);
}

test("an unknown category is shown with its line, and the known one that is written nearly so", () => {
  const said = (cell: string, known: string) =>
    expect(told(["yes", cell, "other"], [2, 7, 9])).toEqual([
      `Column "zip": 2 cells have a category that the training file did not have; the first is "${cell}" in line 7. ` +
        `The model knows ${known}.`,
    ]);
  said("1067", 'it as "01067"');
  said("YES", 'it as "yes"');
  said("twowords", 'it as "two words"');
  said("two\u00a0Words", 'it as "two words"');
  said("two\u00a0words", 'it as "two words"; the file has it with a no-break space (U+00A0)');
  said("Su\u0308d", 'it as "Süd"; the file has it with accents as characters of their own, as a Mac writes them');
});

test("one that is like no known one is not shown, since it may be a name", () => {
  for (const cell of ["true", "Ada Lovelace"]) {
    expect(told(["yes", cell, "other"], [2, 7, 9])).toEqual([
      'Column "zip": 2 cells have a category that the training file did not have; the first stands in line 7. ' +
        'The model knows "01067", "yes", "North" and 2 more.',
    ]);
  }
});

test.each([
  ["12 kg", true],
  ["2024-12-10 02:30 PM", true],
  ["3 Mar 2024", true],
  ["1.234,5 €", true],
  ["about 3", false],
  ["3 März", false],
  ["Ada, 36", false],
  ["unknown", false],
  ["12".repeat(30), false],
])("a cell that cannot be read is shown if it is a figure and no text: %s", (cell, isShown) => {
  expect(shownCell(cell)).toBe(isShown ? `"${cell}"` : null);
});

test("rows of JSON are counted from 1", () => {
  expect(told(["yes", "no"], null, ["yes"])[0]).toContain('it stands in row 2. The model knows "yes".');
});

test("cells without a value have the line of the first", () => {
  const start = 'Column "zip":';
  expect(told(["yes", "NA", " "], [2, 3, 5])).toEqual([
    `${start} 2 cells have no value, which no training row had; the first stands in line 3.`,
  ]);
  expect(told([""], null)).toEqual([`${start} 1 cell has no value, which no training row had; it stands in row 1.`]);
});
