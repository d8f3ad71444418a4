// Facts about features against naive counts over the cells, and what drift, quarters and missing cells show.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { majorityRuleStrength, measureFeatures } from "../../../engine/refinement/feature-facts.ts";
import { Cancelled, neverStop } from "../../../engine/stop-signal.ts";
import { type Cells, drawTable, makeTable } from "../../support/tables.ts";
import { factsOf, taskOf } from "./checked-task.ts";

/** Leaves out each row in turn and counts what the others of its code say. */
function naiveStrength(codes: readonly number[], classes: readonly number[]): number {
  const countOf = (rows: readonly number[], code: number) => rows.filter((row) => classes[row] === code).length;
  const every = codes.map((_, row) => row);
  const distinct = [...new Set(classes)];
  const right = every.filter((row) => {
    const others = every.filter((other) => other !== row && codes[other] === codes[row]);
    const own = countOf(others, classes[row]!);
    return own > 0 && distinct.every((code) => code === classes[row] || countOf(others, code) < own);
  });
  const majority = Math.max(...distinct.map((code) => countOf(every, code)));
  return majority === every.length ? 0 : (right.length - majority) / (every.length - majority);
}

test("strength is that of leaving out each row in turn", () => {
  const row = fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 2 }));
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 40 }), (rows) => {
      const counts = new Int32Array(6 * 3);
      for (const [code, own] of rows) counts[code * 3 + own]!++;
      const naive = naiveStrength(
        rows.map(([code]) => code),
        rows.map(([, own]) => own),
      );
      expect(majorityRuleStrength(counts, 3)).toBeCloseTo(naive, 12);
    }),
    { numRuns: 300 },
  );
});

test("strength of codes of one row each is not above that of the majority", () => {
  expect(
    majorityRuleStrength(
      Int32Array.from({ length: 200 }, (_, cell) => Number(cell % 4 === 0 || cell % 4 === 3)),
      2,
    ),
  ).toBe(-1);
});

describe("counts", () => {
  const cells: Cells = Array.from({ length: 200 }, (_, row) => (row % 4 === 0 ? null : row % 8 < 6 ? 1 : 2));
  const labels = cells.map((cell, row) => (cell === null && row > 8 ? "yes" : "no"));
  const [facts] = factsOf(taskOf(makeTable([cells], labels)));

  test("are those of the learning rows", () => {
    const learned = cells.filter((_, row) => row % 10 !== 9);
    expect(facts!.missingCount).toBe(learned.filter((cell) => cell === null).length);
    expect(facts!.mostFrequentCount).toBe(learned.filter((cell) => cell === 1).length);
    expect(facts!.presentCodeCount).toBe(3);
  });

  test("missing cells are judged alone", () => {
    expect(facts!.missingPValue).toBeLessThan(1e-6);
  });

  test("a value above the last cut point counts, though buckets do not tell it from its neighbours", () => {
    const skewed = Array.from({ length: 1000 }, (_, row) => (row < 990 ? 50 : row - 990));
    const halves = skewed.map((_, row) => (row % 2 === 0 ? "no" : "yes"));
    const [coarse] = factsOf(taskOf(makeTable([skewed], halves), 0, 4));
    expect(coarse!.presentCodeCount).toBe(1);
    expect(coarse!.mostFrequentCount).toBe(891);
  });
});

test("signal comes back in every quarter, noise does not", () => {
  const facts = factsOf(taskOf(drawTable(1200, 2, 3)));
  const [signal, other, , noise] = facts;
  expect([signal!.significantQuarters, other!.significantQuarters]).toEqual([4, 4]);
  expect(noise!.significantQuarters).toBeLessThan(3);
  expect(signal!.mutualInformation).toBeGreaterThan(0.05);
  expect(noise!.mutualInformation).toBeLessThan(0.02);
});

test("drift shows where TEST has other values, and nowhere else", () => {
  const steady = Array.from({ length: 1000 }, (_, row) => row % 7);
  const drifting = steady.map((value, row) => (row < 600 ? value : value / 2));
  const labels = steady.map((_, row) => (row % 3 === 0 ? "no" : "yes"));
  const [same, other] = factsOf(taskOf(makeTable([steady, drifting], labels), 400));
  expect(same!.driftPValue).toBeGreaterThan(0.5);
  expect(same!.stabilityIndex).toBeLessThan(0.01);
  expect(other!.driftPValue).toBeLessThan(1e-6);
  expect(other!.stabilityIndex).toBeGreaterThan(0.2);
});

test("without TEST rows nothing drifts", () => {
  const [facts] = factsOf(taskOf(drawTable(100, 2, 1)));
  expect([facts!.driftPValue, facts!.stabilityIndex]).toEqual([1, 0]);
});

describe("facts", () => {
  const table = drawTable(300, 3, 5);
  const task = taskOf(table, 60);

  test("are finite and survive JSON", () => {
    const facts = factsOf(task);
    expect(JSON.parse(JSON.stringify(facts))).toEqual(facts);
  });

  test("of a part of the features are those of all", () => {
    const parts = [measureFeatures(task, 0, 1, neverStop), measureFeatures(task, 1, 4, neverStop)];
    expect(parts.flat()).toEqual(factsOf(task));
  });

  test("are not measured once the work was cancelled", () => {
    const stop = { ...neverStop, cancelled: () => true };
    expect(() => measureFeatures(task, 0, 4, stop)).toThrow(Cancelled);
  });
});
