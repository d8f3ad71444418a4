// The sample of a large table: which rows the search, the growth and the judges have.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { openSampledTraining } from "../../../engine/search/open-training.ts";
import { drawSearchSample, isSampled, MOST_WHOLE_ROWS, searchRowCount } from "../../../engine/search/search-sample.ts";
import { assignParts, HOLDOUT_PART, splitByPart } from "../../../engine/splits/holdout.ts";
import { INDEPENDENT_ROWS } from "../../../engine/splits/row-keys.ts";
import { FIRST_LEVEL, type Table } from "../../../engine/table/table.ts";

function tableOf(classes: Uint8Array): Table {
  const values = Float64Array.from({ length: 50 }, (_, index) => index);
  const levels = Uint8Array.from(classes, (code, row) => FIRST_LEVEL + ((row + code) % 50));
  const features = [{ kind: "number", name: "x", column: 0, part: null, values } as const];
  return { rowCount: classes.length, features, levels: [levels], labels: ["a", "b", "c"], classes };
}

const drawn = fc.record({
  classes: fc.array(fc.nat(2), { minLength: 400, maxLength: 2_000 }).map((codes) => Uint8Array.from(codes)),
  learningCount: fc.integer({ min: 50, max: 300 }),
  seed: fc.nat(1_000),
});

describe("the sample of a large table", () => {
  test("has held-out rows of the holdout alone, and what learns is neither judged nor put aside", () => {
    fc.assert(
      fc.property(drawn, ({ classes, learningCount, seed }) => {
        const table = tableOf(classes);
        const parts = assignParts(classes, 3, seed);
        const whole = splitByPart(parts, HOLDOUT_PART);
        const { rows, learning, judging, aside, pool } = drawSearchSample(table, parts, learningCount, seed);
        const heldOut = new Set(whole.judging);
        expect(judging.every((row) => heldOut.has(row))).toBe(true);
        expect([...rows]).toEqual([...learning, ...judging].sort((a, b) => a - b));
        expect([...pool.slice(0, learning.length)]).toEqual([...learning]);
        expect([...pool, ...aside].sort((a, b) => a - b)).toEqual([...whole.learning]);
      }),
      { numRuns: 30 },
    );
  });

  test("gives each class its share", () => {
    fc.assert(
      fc.property(drawn, ({ classes, learningCount, seed }) => {
        const parts = assignParts(classes, 3, seed);
        const { learning } = drawSearchSample(tableOf(classes), parts, learningCount, seed);
        const whole = splitByPart(parts, HOLDOUT_PART).learning;
        for (const code of [0, 1, 2]) {
          const count = (rows: Uint32Array) => rows.reduce((sum, row) => sum + Number(classes[row] === code), 0);
          expect(Math.abs(count(learning) - (count(whole) * learning.length) / whole.length)).toBeLessThan(3);
        }
      }),
      { numRuns: 30 },
    );
  });

  test("as a task has one fold, and the same held-out rows as the growth's, in their order", () => {
    const classes = Uint8Array.from({ length: 3_000 }, (_, row) => (row * 7) % 3);
    const table = tableOf(classes);
    const { task, growth } = openSampledTraining(table, { numberOfBuckets: 10, target: null, seed: 5 }, 600);
    expect(task.folds).toHaveLength(1);
    expect(task.judgedRows).toEqual(task.folds[0]!.judging);
    const cellsOf = ({ levels, classes: own }: Table, rows: Uint32Array) =>
      Array.from(rows, (row) => [levels[0]![row], own[row]]);
    expect(cellsOf(task.table, task.split.judging)).toEqual(cellsOf(growth.table, growth.split.judging));
    expect(cellsOf(task.table, task.split.learning)).toEqual(cellsOf(growth.table, growth.split.learning));
  });

  test("is drawn of large tables of independent rows alone, and is larger where there is more time", () => {
    const large = { rowCount: MOST_WHOLE_ROWS + 1 };
    expect(isSampled(large, INDEPENDENT_ROWS)).toBe(true);
    expect(isSampled({ rowCount: MOST_WHOLE_ROWS }, INDEPENDENT_ROWS)).toBe(false);
    expect(isSampled(large, { groups: new Uint32Array(0), times: null })).toBe(false);
    const shape = tableOf(new Uint8Array(3));
    const counts = [1, 10, 60, 600, 6_000].map((seconds) => searchRowCount(shape, seconds));
    expect(counts).toEqual([...counts].sort((a, b) => a - b));
  });
});
