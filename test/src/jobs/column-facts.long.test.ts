// What is kept of a table's columns: all of their figures, and histograms as far as there is room.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { columnFacts } from "../../../src/jobs/column-facts.ts";
import type { SourceColumn } from "../../../workers/messages.ts";

const MOST_COUNTS = 50_000;

const column = (name: string, classCount: number, bars: readonly string[] | null): SourceColumn => ({
  ...{ name, index: 0, kind: "category", isInteger: false, role: "feature", missing: 1, distinct: 2 },
  reading: { kind: "category" },
  ...{ used: bars !== null, reason: bars === null ? "constant" : null },
  distribution: bars === null ? null : { bars, counts: bars.map(() => new Array<number>(classCount).fill(1)) },
});

test("histograms of the first columns stay, and all together take no more than there is room for", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 100 }),
      fc.array(fc.option(fc.integer({ min: 1, max: 13 }), { nil: null }), { maxLength: 200 }),
      (classCount, barCounts) => {
        const columns = barCounts.map((count, at) =>
          column(`c${at}`, classCount, count === null ? null : Array.from({ length: count }, () => "x".repeat(at))),
        );
        const facts = columnFacts(columns, []);
        expect(facts.map(({ name }) => name)).toEqual(columns.map(({ name }) => name));
        const kept = facts.map(({ distribution }) => distribution ?? null);
        const size = kept.reduce((sum, each) => sum + (each?.counts.flat().length ?? 0), 0);
        expect(size).toBeLessThanOrEqual(MOST_COUNTS);
        let room = MOST_COUNTS;
        for (const [at, each] of kept.entries()) {
          room -= columns[at]!.distribution?.counts.flat().length ?? 0;
          expect(each !== null).toBe(columns[at]!.distribution !== null && room >= 0);
          expect(Math.max(0, ...(each?.bars ?? []).map(({ length }) => length))).toBeLessThanOrEqual(61);
        }
      },
    ),
    { numRuns: 50 },
  );
});

test("a column's note says why it is not used, or what was noticed first", () => {
  const columns = [column("a", 2, null), column("b", 2, ["x"]), column("c", 2, ["x"])];
  const warnings = [
    { code: "X", message: "first", column: "b" },
    { code: "Y", message: "second", column: "b" },
    { code: "Z", message: "of a", column: "a" },
  ];
  expect(columnFacts(columns, warnings).map(({ warning }) => warning)).toEqual(["constant", "first", null]);
});

test("a long bar is cut to whole characters", () => {
  const [facts] = columnFacts([column("a", 2, [`${"x".repeat(59)}\u{1f600}`])], []);
  expect(facts!.distribution!.bars).toEqual([`${"x".repeat(59)}…`]);
});
