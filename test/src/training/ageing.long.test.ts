// What age costs a model: the same rows decided by a fresh and by an older
// one, and whole runs on rules that drift or do not.
import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { ACCURACY, estimateAchieved } from "../../../engine/judging/estimate.ts";
import { openTraining } from "../../../engine/search/open-training.ts";
import { confirmingParts, splitByPart } from "../../../engine/splits/holdout.ts";
import { run } from "../../../src/commands/run.ts";
import type { RunSummary } from "../../../src/summary/summary.ts";
import { ageingOf } from "../../../src/training/ageing.ts";
import { confirmedDecisions, confirmingRows } from "../../../src/training/kept-version.ts";
import { csvOf, drawDrift } from "../../bench/field-tables.ts";
import { withFolder } from "../../support/folders.ts";
import { runOptions, spawnWorker, testConsole } from "../../support/in-process.ts";

const ROWS = 400;

function taskOf(times: Float64Array, classes: Uint8Array) {
  const table = { rowCount: ROWS, features: [], levels: [], labels: ["a", "b"], classes };
  return openTraining(table, { numberOfBuckets: 20, target: null, seed: 1 }, { groups: null, times });
}

test("is the difference on the newest rows, and in standard errors no larger than rows one by one allow", () => {
  const bits = fc.array(fc.nat(1), { minLength: ROWS, maxLength: ROWS });
  fc.assert(
    fc.property(bits, bits, bits, (codes, fresh, aged) => {
      const times = Float64Array.from({ length: ROWS }, (_, row) => (row * 7) % ROWS);
      const task = taskOf(times, Uint8Array.from(codes));
      const decisions = Uint8Array.from(task.split.judging, (row) => fresh[row]!);
      const confirmations = confirmingParts(task.parts).map((part) => {
        const { judging } = splitByPart(task.parts, part);
        return { decisions: Uint8Array.from(judging, (row) => aged[row]!), importance: [] };
      });
      const all = confirmedDecisions(confirmations);
      const confirmed = estimateAchieved(ACCURACY, all, confirmingRows(task), task.clusters);
      const attempt = { answer: { holdout: { decisions } } };
      const found = ageingOf({ attempt, confirmed, confirmations }, task)!;
      const right = (answers: readonly number[]) =>
        task.split.judging.reduce((sum, row) => sum + (answers[row] === codes[row] ? 1 : 0), 0) / (ROWS / 5);
      expect(found.fresh).toBeCloseTo(right(fresh), 9);
      expect(found.aged).toBeCloseTo(right(aged), 9);
      expect(found.z > 0).toBe(right(fresh) > right(aged) + 1e-9);
    }),
  );
});

test("is not asked for where rows are judged otherwise, or nothing was confirmed", () => {
  const times = Float64Array.from({ length: ROWS }, (_, row) => row);
  const attempt = { answer: { holdout: { decisions: new Uint8Array(ROWS) } } };
  const task = taskOf(times, new Uint8Array(ROWS));
  expect(ageingOf({ attempt, confirmed: null, confirmations: [] }, task)).toBeNull();
  const atRandom = { ...task, parts: { dealt: new Uint8Array(ROWS), ages: null }, clusters: null };
  const confirmed = { mean: 1, low: 1, high: 1 };
  expect(ageingOf({ attempt, confirmed, confirmations: [] }, atRandom)).toBeNull();
});

describe("a run by time", () => {
  test.each([
    ["turns by 1.4 radians", 1.4, ["ACCURACY_FALLS"]],
    ["stays", 0, []],
  ])("tells of it where the rule %s", (_, turn, codes) =>
    withFolder(async (folder) => {
      const { names, rows } = drawDrift(2_000, turn, 1);
      const path = join(folder, "drift.csv");
      writeFileSync(path, csvOf(names, rows));
      await run(
        runOptions(path, join(folder, "out"), { timeColumn: "when", scalingFactor: 19 }),
        testConsole(),
        spawnWorker,
      );
      const { verdict, versions } = JSON.parse(readFileSync(join(folder, "out", "summary.json"), "utf8")) as RunSummary;
      expect(verdict.doubts.map(({ code }): string => code)).toEqual(codes);
      const { heldOutPerformance: held, confirmedPerformance: confirmed } = versions[0]!;
      expect(held.mean - confirmed!.mean > 0.02).toBe(codes.length > 0);
    }),
  );
});
