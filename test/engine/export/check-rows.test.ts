// Check files: rows made from a model alone, odd cells among them, with the engine's own answers.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { answeredRows, checkFile } from "../../../engine/export/check-file.ts";
import { checkRows } from "../../../engine/export/check-rows.ts";
import { unpackModel } from "../../../engine/model/model-file.ts";
import { Random } from "../../../engine/random.ts";
import { CellCoder } from "../../../engine/scoring/cell-coder.ts";
import { readCsvText } from "../../support/csv-table.ts";
import { FOREST, fileOf, WORDS } from "../../support/text-models.ts";

const MODELS = join(import.meta.dir, "../../fixtures/models");

function fixture(name: string) {
  return unpackModel(readFileSync(join(MODELS, `${name}.cupel`)));
}

test.each(readdirSync(MODELS).filter((name) => name.endsWith(".cupel")))("rows of %s", (name) => {
  const file = fixture(name.replace(".cupel", ""));
  const { columns, rows, labels, probabilities } = checkFile(file);
  expect(columns).toEqual(file.columns.map((column) => column.name));
  expect(rows).toHaveLength(24);
  expect(rows[0]!.every((cell) => cell === "")).toBe(true);
  expect(rows.every((row) => row.length === columns.length)).toBe(true);
  expect(labels.every((label) => file.labels.includes(label))).toBe(true);
  for (const shares of probabilities) {
    expect(shares).toHaveLength(file.labels.length);
    expect(Math.abs(shares.reduce((sum, share) => sum + share) - 1)).toBeLessThan(1e-9);
  }
  expect(new Set(probabilities.map((shares) => shares.join())).size).toBeGreaterThan(2);
  expect(checkRows(file)).toEqual([...rows.map((row) => [...row])]);
});

test("numbers show both sides of a cut point, what is no number, and what other forms would read", () => {
  const file = fixture("penguins-naive-Bayes");
  const column = file.columns.findIndex(({ name }) => name === "bill_length_mm");
  const cells = checkRows(file).map((row) => row[column]!);
  const feature = file.features.find((own) => own.column === column)!;
  const cuts = feature.kind === "number" ? [...feature.cutPoints] : [];
  expect(cuts.some((cut) => cells.includes(String(cut)))).toBe(true);
  const isJustAbove = (cell: string) => cuts.some((cut) => Number(cell) > cut && Number(cell) - cut < 1e-10);
  expect(cells.some(isJustAbove)).toBe(true);
  const odd = ["no number", "1,5", "1e3", "inf", "≥ -1000000000", " 1234.5 ", "NA", "<.5"];
  for (const text of odd) expect(cells).toContain(text);
});

test("dates and affixed numbers are written in their column's own form", () => {
  const lines = Array.from({ length: 60 }, (_, row) => {
    const day = String(1 + (row % 28)).padStart(2, "0");
    return `${day}.0${1 + (row % 9)}.20${10 + (row % 9)} 1${row % 9}:30;${row % 7},${row % 10} %;k${row % 3};${row % 2 === 0 ? "a" : "b"}`;
  });
  const file = fileOf(readCsvText(`when;share;kind;label\n${lines.join("\n")}\n`), FOREST);
  expect(file.columns.map(({ reading }) => reading.kind)).toEqual(["date", "number", "category"]);
  const { rows } = checkFile(file);
  const ordinary = rows.slice(1, 3);
  for (const [when, share] of ordinary) {
    expect(when).toMatch(/^\d\d\/\d\d\/20\d\d( \d\d:30)?$/);
    expect(share).toMatch(/^\d+(,\d+)?%$/);
  }
  expect(rows.map(([when]) => when)).toContain("2023-02-29");
  // An answer never depends on the other rows: no dialect is guessed.
  for (const row of rows) {
    const alone = answeredRows(file, [row]);
    expect(alone.probabilities[0]).toEqual(checkFile(file).probabilities[rows.indexOf(row)]!);
  }
});

test("texts of several scripts stand in the rows of a model that reads text", () => {
  const words = ["good great fine", "bad awful poor", "so so then again"];
  const lines = Array.from(
    { length: 80 },
    (_, row) => `${row % 5},${words[row % 2]} ${words[2]} thing number ${row},${row % 2}`,
  );
  const file = fileOf(readCsvText(`number,review,label\n${lines.join("\n")}\n`), WORDS);
  expect(file.texts).toHaveLength(1);
  const { rows, probabilities } = checkFile(file);
  expect(new Set(rows.map((row) => row[1])).size).toBeGreaterThan(5);
  expect(new Set(probabilities.map(String)).size).toBeGreaterThan(3);
});

test("texts that are read by place have numbers and characters on both sides of cut points", () => {
  const random = new Random(3);
  const lines = Array.from({ length: 400 }, (_, row) => {
    const code = Array.from({ length: 6 }, () => "ACGT"[random.nextBelow(4)]).join("");
    return `"${row % 97}, ${(row * 7) % 89}, ${(row * 13) % 83}",${code},${row % 3 === 0 ? "a" : "b"}`;
  });
  const file = fileOf(readCsvText(`list,code,label\n${lines.join("\n")}\n`), FOREST);
  const places = file.features.flatMap(({ part }, index) =>
    /^(number|character)\d+$/.test(part ?? "") ? [index] : [],
  );
  expect(places).toHaveLength(9);
  const rows = checkRows(file);
  const codes = file.features.map(() => new Uint16Array(rows.length));
  new CellCoder(file, [0, 1]).codeRecords(rows, codes, 0);
  // Beside missing ones.
  for (const index of places) expect(new Set(codes[index]).size).toBeGreaterThan(2);
});
