// Differences where models are explained and columns are asked about: effects, importance, leaks.
import { expect, test } from "bun:test";
import { effectCurves } from "../../../engine/explain/effect-curves.ts";
import { permutationImportance } from "../../../engine/explain/importance.ts";
import { fitBase } from "../../../engine/families/base-algorithms.ts";
import { decide } from "../../../engine/judging/metrics.ts";
import { Random } from "../../../engine/random.ts";
import { neverStop } from "../../../engine/stop-signal.ts";
import { codeTable, fitBuckets } from "../../../engine/table/buckets.ts";
import { findLeakage } from "../../../workers/find-leakage.ts";
import { readCsvText } from "../../support/csv-table.ts";
import { everyRow } from "../../support/tables.ts";
import { FOREST } from "../../support/text-models.ts";

const DAY = 86_400_000;
const COLUMNS = ["from", "place", "to"];

/** Stays whose label goes by their days; `noise`: days that no column tells. */
function stays(noise: number) {
  const random = new Random(5);
  const lines = Array.from({ length: 400 }, () => {
    const from = Date.UTC(2020, 0, 1) + random.nextBelow(1_500) * DAY;
    const days = 1 + random.nextBelow(20);
    const [first, last] = [from, from + days * DAY].map((time) => new Date(time).toISOString().slice(0, 10));
    return `${first},${"abc"[random.nextBelow(3)]},${last},${days + random.nextBelow(noise) > 10 + noise / 2 ? "yes" : "no"}`;
  });
  return readCsvText(`${COLUMNS.join(",")},label\n${lines.join("\n")}\n`).table;
}

function learn(noise: number) {
  const table = stays(noise);
  const rows = everyRow(table);
  const bucketing = fitBuckets(table, rows, 20);
  const view = codeTable(table, bucketing);
  const settings = { algorithm: "logistic regression", basis: "smooth", l2: 1, maxIterations: 100 } as const;
  const model = fitBase(settings, { view, rows, classes: table.classes, classCount: 2, seed: 1, stop: neverStop });
  return { table, rows, bucketing, view, model };
}

test("the effect of a duration stands by itself, in seconds, and rises where the label does", () => {
  const { table, model, bucketing } = learn(4);
  const options = { temperature: 1, byImportance: [], positiveClass: 1, seed: 1 };
  const curves = effectCurves({ table, model, bucketing, ...options }, neverStop);
  const duration = curves.find(({ part }) => part === "duration")!;
  expect([duration.column, duration.minus]).toEqual([2, 0]);
  const { points, curves: classes } = duration;
  expect([points[0]!.value, points.at(-1)!.value]).toEqual([86_400, 20 * 86_400]);
  const { probabilities } = classes[0]!;
  expect([probabilities[0]! < 0.1, probabilities.at(-1)! > 0.9]).toEqual([true, true]);
});

test("a difference is shuffled with each of its columns", () => {
  const { table, rows, view, model } = learn(4);
  const achieved = (probabilities: Float64Array, judged: { rows: Uint32Array; classes: Uint8Array }) => {
    const decisions = decide(probabilities, 2);
    return decisions.filter((label, at) => label === judged.classes[judged.rows[at]!]).length / decisions.length;
  };
  const losses = permutationImportance({ table, model, view, rows, seed: 1, achieved }, neverStop);
  const lossOf = (name: string) => losses.find(({ column }) => column === COLUMNS.indexOf(name))?.loss ?? 0;
  expect([lossOf("from") > 0.3, lossOf("to") > 0.3, Math.abs(lossOf("place")) < 0.05]).toEqual([true, true, true]);
});

test("a difference that gives the label away is a question about both columns", () => {
  const leaksOf = (noise: number) => {
    const table = stays(noise);
    const request = { table, rowCount: table.rowCount, seed: 1, questions: ["leaks"] as const };
    return findLeakage(request, neverStop).leaks.map(({ columns, by }) => ({ columns, by }));
  };
  expect([leaksOf(1), leaksOf(12)]).toEqual([[{ columns: [2, 0], by: "values" }], []]);
});

test("forests learn from a difference as from other numbers", () => {
  const table = stays(1);
  const rows = everyRow(table);
  const view = codeTable(table, fitBuckets(table, rows, 254));
  const input = { view, rows, classes: table.classes, classCount: 2, seed: 1, stop: neverStop };
  const model = fitBase(FOREST, input);
  if (model.kind !== "forest") throw new Error("a forest is asked for");
  const splits = new Set([...model.features].filter((_, node) => model.children[node]! >= 0));
  expect(splits.has(table.features.findIndex(({ part }) => part === "difference"))).toBe(true);
});
