// Reasons: the strongest columns first, and what they add to the decided label against the most probable other one.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Contributions } from "../../../engine/explain/log-shares.ts";
import { effectsOn, strongestReasons } from "../../../engine/explain/reasons.ts";
import { isDifference, unpackModel } from "../../../engine/model/model-file.ts";
import { Scorer } from "../../../engine/scoring/scorer.ts";
import { differenceModel, differenceRows } from "../../support/difference-models.ts";
import { scoreText } from "../../support/scored-text.ts";

const FOLDER = join(import.meta.dir, "..", "..", "fixtures", "models");
const open = (name: string) => unpackModel(readFileSync(join(FOLDER, `${name}.cupel`)));

/** Scores a text with some reasons: the lines of the result, split at commas, and the codes of its warnings. */
function score(name: string, text: string, reasonCount: number): { cells: string[][]; warnings: string[] } {
  const { cells, warnings } = scoreText(open(name), text, { spreadsheetSafe: true, reasonCount });
  return { cells, warnings: warnings.map(({ code }) => code) };
}

describe("strongestReasons", () => {
  // Features 0 and 2 are of column 1, feature 1 of column 0, feature 3 of column 2 less column 0.
  const sourceOfFeature = [1, 0, 1, 2];
  const sources = [{ column: 0 }, { column: 1 }, { column: 2, minus: 0 }];
  const contributions = Float64Array.of(0, 1, 5, 2, 0, 0, 0, 1, 0, 0, 0, 9);
  const apart: Contributions = { base: new Float64Array(3), contributions };
  const reasonsOf = (decided: number, probabilities: Float64Array, count: number) =>
    strongestReasons(effectsOn(decided, probabilities, apart), sourceOfFeature, sources, count);

  test("sums the features of a column, strongest first, and leaves out columns without effect", () => {
    const probabilities = Float64Array.of(0.3, 0.6, 0.1);
    expect(reasonsOf(1, probabilities, 5)).toEqual([
      { column: 0, effect: -2 },
      { column: 1, effect: 2 },
    ]);
    expect(reasonsOf(1, probabilities, 1)).toEqual([{ column: 0, effect: -2 }]);
  });

  test("compares with the most probable other label", () => {
    expect(reasonsOf(1, Float64Array.of(0.1, 0.6, 0.3), 9)).toEqual([
      { column: 2, minus: 0, effect: -9 },
      { column: 1, effect: -3 },
    ]);
    expect(reasonsOf(0, Float64Array.of(0.4, 0.3, 0.3), 9)).toEqual([
      { column: 0, effect: 2 },
      { column: 1, effect: -2 },
    ]);
  });
});

describe("in a result", () => {
  const input = readFileSync(join(FOLDER, "penguins-input.csv"), "utf8");

  test("come last, under names of their own, however the file's columns are called", () => {
    const [header, ...rows] = input.trim().split("\n");
    const renamed = [`${header},reason_1`, ...rows.map((row) => `${row},x`)].join("\n");
    const { cells } = score("penguins-naive-Bayes", renamed, 2);
    const added = ["reason_1_2", "reason_1_effect", "reason_2", "reason_2_effect"];
    expect(cells[0]!.slice(-4)).toEqual(added);
    const names = open("penguins-naive-Bayes").columns.map(({ name }) => name);
    for (const line of cells.slice(1)) {
      const [first, firstEffect, second, secondEffect] = line.slice(-4);
      for (const name of [first!, second!]) expect(names).toContain(name);
      expect(Math.abs(Number(firstEffect))).toBeGreaterThanOrEqual(Math.abs(Number(secondEffect)));
    }
  });

  test("leave the rest of it as it is, and empty cells where there are fewer", () => {
    const rows = readFileSync(join(FOLDER, "credit_g-input.csv"), "utf8");
    const plain = score("credit_g-selective-naive-Bayes", rows, 0).cells;
    const { cells } = score("credit_g-selective-naive-Bayes", rows, 20);
    expect(cells.map((line) => line.slice(0, -40))).toEqual(plain);
    for (const line of cells.slice(1)) expect(line.slice(-2)).toEqual(["", ""]);
  });

  test("are no more than the model has columns", () => {
    for (const name of ["penguins-naive-Bayes", "credit_g-naive-Bayes"]) {
      const columnCount = open(name).columns.length;
      const rows = name.startsWith("penguins") ? input : readFileSync(join(FOLDER, "credit_g-input.csv"), "utf8");
      expect(score(name, rows, 99)).toEqual(score(name, rows, columnCount));
      expect(score(name, rows, 99).cells[0]!.at(-1)).toBe(`reason_${columnCount}_effect`);
    }
  });

  test("name a difference by both of its columns", () => {
    const file = differenceModel();
    const names = file.columns.map(({ name }) => name);
    const rows = differenceRows(60);
    const text = [names, ...rows].map((row) => row.map((cell) => `"${cell}"`).join(",")).join("\n");
    const { cells, result } = scoreText(file, text, { reasonCount: 99 });
    expect(result.reasonCount).toBe(names.length + file.features.filter(isDifference).length);
    const said = new Set(cells.slice(1).flat());
    expect(said).toContain("closed - opened");
    expect(said).toContain("after - before");
    const found = new Scorer(file, names, 99).score(rows).reasons;
    expect(found.flat().some(({ column, minus }) => names[column] === "closed" && minus === 0)).toBeTrue();
  });

  test("speak for the decision in sum, but for what is so before any column is looked at", () => {
    const model = open("credit_g-naive-Bayes");
    const scorer = new Scorer(
      model,
      model.columns.map(({ name }) => name),
      100,
    );
    if (model.model.kind !== "additive") throw new Error("no sum of tables");
    const base = model.model.intercepts[0]!;
    const records = [
      model.columns.map(() => ""),
      model.columns.map(({ reading }) => (reading.kind === "number" ? "3" : "none")),
    ];
    const { reasons, probabilities, decisions } = scorer.score(records);
    for (const [row, own] of reasons.entries()) {
      const sign = decisions[row] === 1 ? 1 : -1;
      const sum = own.reduce((total, { effect }) => total + effect, sign * base);
      const logOdds = Math.log(probabilities[2 * row + 1]! / probabilities[2 * row]!);
      expect(sum).toBeCloseTo(sign * logOdds, 8);
    }
  });
});
