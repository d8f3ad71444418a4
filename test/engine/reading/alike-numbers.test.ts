// Numbers of one column that are written in several ways: a warning where their labels differ beyond chance.
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { ColumnChoice } from "../../../engine/columns/choices.ts";
import { profileOf } from "../../support/record-batches.ts";

const LOG = 2 ** 20;

/** 200 rows of each text; so many of 200 have the label "yes", the others have "no". */
function records(shares: Record<string, number>): string[][] {
  const texts = Object.entries(shares);
  return Array.from({ length: 200 }, (_, row) => texts.map(([text, yes]) => [text, row < yes ? "yes" : "no"])).flat();
}

/** Even labels are another test's. */
const warningsOf = (rows: string[][], options: { logBytes?: number; choices?: ColumnChoice[] } = {}) =>
  profileOf(["c", "label"], rows, { logBytes: LOG, ...options }).warnings.filter(({ code }) => code !== "EVEN_LABELS");

test("versions that their labels tell apart are named, and the way to keep them apart", () => {
  const [warning, ...others] = warningsOf(records({ "1.1": 150, "1.10": 50, "1.2": 100, "1.20": 100, "1.3": 100 }));
  expect(others).toEqual([]);
  expect(warning).toMatchObject({ code: "ALIKE_NUMBERS", column: "c", count: 800 });
  expect(warning!.message).toContain('"1.1" (200 cells) and "1.10" (200 cells), nor "1.2" (200 cells) and "1.20"');
  expect(warning!.message).toContain('--kind="c=category"');
});

test.each<[string, Record<string, number>]>([
  ["codes with an exponent", { "1E2": 150, "10E1": 50, "2E1": 100, "3E5": 10 }],
  ["decimal places that mean something", { "2.50": 20, "2.5": 180, "3.25": 100, "4": 30 }],
])("%s are named", (_, shares) => {
  expect(warningsOf(records(shares))).toMatchObject([{ code: "ALIKE_NUMBERS" }]);
});

test.each<[string, Record<string, number>]>([
  ["decimal places that tell nothing", { "1.5": 100, "1.50": 103, "2": 30, "2.0": 27 }],
  ["signs alone", { "+1": 150, "1": 50, "-0.5": 100, "0.0": 20, "-0.0": 180 }],
  ["numbers of one writing each", { "1.1": 150, "1.2": 50, "1.3": 20 }],
])("%s are not", (_, shares) => {
  expect(warningsOf(records(shares))).toEqual([]);
});

test("writings of too few cells cannot be judged", () => {
  const rows = records({ "1.1": 100, "1.2": 100 });
  expect(warningsOf([...rows, ["1.10", "yes"], ["1.10", "yes"], ["1.10", "yes"]])).toEqual([]);
});

test("rows without a label do not count", () => {
  const rows = records({ "1.1": 100, "1.10": 100, "1.2": 100 });
  const unlabelled = Array.from({ length: 300 }, () => ["1.10", ""]);
  expect(warningsOf([...rows, ...unlabelled]).map(({ code }) => code)).toEqual(["ROWS_WITHOUT_LABEL"]);
});

test("a chosen kind is the user's word, and without a log nothing is said", () => {
  const rows = records({ "1.1": 150, "1.10": 50, "1.2": 100 });
  for (const kind of ["number", "category"] as const)
    expect(warningsOf(rows, { choices: [{ name: "c", kind }] })).toEqual([]);
  expect(warningsOf(rows, { logBytes: 0 })).toEqual([]);
  expect(warningsOf(rows, { logBytes: 10 })).toEqual([]);
});

test("labels at random raise it as seldom as promised", () => {
  let raised = 0;
  const bits = fc.sample(fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 400, maxLength: 400 }), {
    numRuns: 300,
    seed: 7,
  });
  for (const labels of bits) {
    const rows = labels.map((label, row) => [["1.1", "1.10", "1.2", "1.20", "3"][row % 5]!, `l${label}`]);
    raised += warningsOf(rows).length;
  }
  expect(raised).toBeLessThanOrEqual(3);
});
