// A table cut into shards that are scored one by one gives the lines of the whole,
// wherever it is cut and however it writes numbers.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { unpackModel } from "../../../engine/model/model-file.ts";
import type { ResultOptions } from "../../../engine/scoring/result-csv.ts";
import { scoreText } from "../../support/scored-text.ts";

const FOLDER = join(import.meta.dir, "..", "..", "fixtures", "models");
const MODEL = unpackModel(readFileSync(join(FOLDER, "penguins-random-forest.cupel")));
const NAMES = MODEL.columns.map(({ name }) => name);
const OPTIONS: ResultOptions = {
  likeInput: true,
  spreadsheetSafe: false,
  inputHeader: NAMES.join(";"),
  hasOutputHeader: false,
};

function scored(rows: readonly string[], options: ResultOptions): string {
  return scoreText(MODEL, rows.map((row) => `${row}\n`).join(""), options).text;
}

/** Numbers that are read differently by decimal point, decimal comma and thousands. */
const number = fc.constantFrom("", "39.1", "39,1", "3.750", "3,750", "1.234,5", "1,234.5", "181", "4.2e1", "x");
const row = fc
  .array(number, { minLength: NAMES.length, maxLength: NAMES.length })
  .map((cells) => cells.map((cell, at) => (MODEL.columns[at]!.kind === "category" ? "Dream" : cell)).join(";"));

test("by the model's own reading, at any cuts", () => {
  fc.assert(
    // Fewer than ten values in a column are never refused.
    fc.property(fc.array(row, { maxLength: 9 }), fc.array(fc.nat(9), { maxLength: 4 }), (rows, cuts) => {
      const ends = [...cuts, rows.length].sort((a, b) => a - b);
      const shards = ends.map((end, at) => rows.slice(ends[at - 1] ?? 0, end));
      const options = { ...OPTIONS, asTrained: true };
      expect(shards.map((shard) => scored(shard, options)).join("")).toBe(scored(rows, options));
    }),
    { numRuns: 200 },
  );
});

test("which judging each shard by itself does not give", () => {
  const point = (length: string) => NAMES.map((name) => (name === "bill_length_mm" ? length : "")).join(";");
  const rows = [point("39.100"), point("38,1"), point("36,5")];
  const apart = (options: ResultOptions) => rows.map((one) => scored([one], options)).join("");
  expect(apart(OPTIONS)).not.toBe(scored(rows, OPTIONS));
  expect(apart({ ...OPTIONS, asTrained: true })).toBe(scored(rows, { ...OPTIONS, asTrained: true }));
});

test("and what the training file's reading cannot read at all is refused with or without it", () => {
  const rows = Array.from({ length: 12 }, () => NAMES.map(() => "much").join(";"));
  for (const asTrained of [false, true]) {
    expect(() => scored(rows, { ...OPTIONS, asTrained })).toThrow("cannot be read as numbers such as 1234.5");
  }
});
