// A model over time: every row stands in one stretch, looks of a month share its
// false alarms, and the newest stretch says the state.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { WatchedModel } from "../../../engine/model/model-file.ts";
import { type DayCounts, healthOf, MONTHLY_LEVEL, stretchesOf } from "../../../engine/outcomes/health.ts";
import type { ScoredCounts } from "../../../engine/watch/scored-counts.ts";
import { fourRanges, rangeCounts } from "./four-ranges.ts";

const DAY_MS = 86_400_000;
const dayAfter = (day: string, days: number) => new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

const MODEL = fourRanges([400, 400]);

/** Rows that lie in the ranges as the training rows do, or all in the first. */
function countsOf(rowCount: number, isShifted = false): ScoredCounts {
  const ranges = isShifted ? [rowCount, 0, 0, 0] : [0, 1, 2, 3].map((at) => Math.ceil((rowCount - at) / 4));
  return rangeCounts(ranges, Math.ceil(rowCount / 2));
}

const days = (from: string, rows: readonly number[], isShifted: (at: number) => boolean = () => false): DayCounts[] =>
  rows.flatMap((count, at) =>
    count === 0 ? [] : [{ day: dayAfter(from, at), counts: countsOf(count, isShifted(at)) }],
  );

describe("stretches", () => {
  test("hold every row once, share a month's false alarms, and are over before today", () => {
    const rows = fc.array(
      fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 60 }), fc.integer({ max: 400, min: 61 })),
      {
        maxLength: 130,
      },
    );
    fc.assert(
      fc.property(rows, fc.integer({ min: 0, max: 140 }), (counts, todayAt) => {
        const today = dayAfter("2031-01-01", todayAt);
        const known = days("2031-01-01", counts).filter(({ day }) => day <= today);
        const stretches = stretchesOf(known, today);
        const rowsOf = (all: readonly { counts: ScoredCounts }[]) =>
          all.reduce((sum, { counts: own }) => sum + own.rowCount, 0);
        expect(rowsOf(stretches)).toBe(rowsOf(known));
        const levels = new Map<string, number>();
        for (const [at, { from, to, isOver, level, counts: own }] of stretches.entries()) {
          expect(from <= to).toBeTrue();
          expect(from.slice(0, 7)).toBe(to.slice(0, 7));
          if (at > 0) expect(from > stretches[at - 1]!.to).toBeTrue();
          expect(rowsOf(known.filter(({ day }) => day >= from && day <= to))).toBe(own.rowCount);
          expect(isOver).toBe(to < today);
          // It ends as soon as it may.
          const before = known.filter(({ day }) => day >= from && day < to);
          expect(rowsOf(before)).toBeLessThan(100);
          levels.set(from.slice(0, 7), (levels.get(from.slice(0, 7)) ?? 0) + level);
        }
        for (const sum of levels.values()) expect(sum).toBeLessThanOrEqual(MONTHLY_LEVEL * (1 + 1e-9));
      }),
    );
  });

  test("that are full share a month's false alarms by their days", () => {
    const stretches = stretchesOf(days("2031-02-01", [100, 0, 0, 50, 50, ...new Array(23).fill(300)]), "2031-03-01");
    expect(stretches.slice(0, 3).map(({ from, to, level }) => [from, to, level * 2_800])).toEqual([
      ["2031-02-01", "2031-02-01", 1],
      ["2031-02-02", "2031-02-05", 4],
      ["2031-02-06", "2031-02-06", 1],
    ]);
    expect(stretches).toHaveLength(25);
    expect(stretches.reduce((sum, { level }) => sum + level, 0)).toBeCloseTo(MONTHLY_LEVEL, 12);
  });

  test("begin no earlier than the model", () => {
    const known = days("2031-01-20", [20, 20, 100, 100]);
    const placesOf = (since: string) =>
      stretchesOf(known, "2031-02-01", since).map(({ from, to, level }) => [from, to, Math.round(level * 3_100)]);
    expect(placesOf("2031-01-15")).toEqual([
      ["2031-01-15", "2031-01-22", 8],
      ["2031-01-23", "2031-01-23", 1],
    ]);
    expect(placesOf("2030-12-15")[0]).toEqual(["2031-01-01", "2031-01-22", 22]);
    // A clock that was wrong hides no rows.
    expect(placesOf("2031-01-30")[0]).toEqual(["2031-01-20", "2031-01-22", 3]);
  });

  test("of few rows end with the month", () => {
    const stretches = stretchesOf(days("2031-01-30", [20, 20, 20]), "2031-02-01");
    expect(stretches.map(({ from, to, isOver }) => [from, to, isOver])).toEqual([
      ["2031-01-01", "2031-01-31", true],
      ["2031-02-01", "2031-02-01", false],
    ]);
  });
});

describe("the state", () => {
  const stateOf = (known: readonly DayCounts[], today: string, model: WatchedModel = MODEL) =>
    healthOf(model, known, today);

  test("is steady where rows come as in training, with what to expect of them", () => {
    const { state, alarmShare, stretches } = stateOf(days("2031-05-01", [200, 200, 200]), "2031-05-04");
    expect([state, alarmShare]).toEqual(["STEADY", 0]);
    expect(stretches).toHaveLength(3);
    const [first] = stretches;
    expect(first).toMatchObject({ isShifted: false, rowCount: 200, decisionCounts: [100, 100] });
    expect(first!.expected!.mean).toBeCloseTo(0.6, 12);
    expect(first!.meanConfidence).toBeCloseTo(0.55, 12);
  });

  test("is that of the newest stretch that is over", () => {
    const shifted = days("2031-05-01", [200, 200, 200], (at) => at === 1);
    expect(stateOf(shifted, "2031-05-03").state).toBe("SHIFTED");
    const later = stateOf(shifted, "2031-05-04");
    expect([later.state, later.alarmShare]).toEqual(["STEADY", 1 / 3]);
    // Today is not judged: it would be judged again with each row.
    const today = stateOf(shifted, "2031-05-02");
    expect(today.state).toBe("STEADY");
    expect(today.stretches[1]).toMatchObject({ isOver: false, isShifted: null });
    expect(today.stretches[1]!.columns![0]!.verdict).toBe("UNTOLD");
    expect(today.stretches[1]!.columns![0]!.index).toBeGreaterThan(1);
  });

  test("and what is newest need no look at what lies before", () => {
    fc.assert(
      fc.property(fc.array(fc.record({ rows: fc.nat(250), isShifted: fc.boolean() }), { maxLength: 45 }), (drawn) => {
        const known = days(
          "2031-05-01",
          drawn.map(({ rows }) => rows),
          (at) => drawn[at]!.isShifted,
        );
        const today = dayAfter("2031-05-01", 40);
        const [whole, latest] = [healthOf(MODEL, known, today), healthOf(MODEL, known, today, { isLatestOnly: true })];
        expect(latest.state).toBe(whole.state);
        expect(latest.stretches).toEqual(whole.stretches.slice(whole.stretches.length - latest.stretches.length));
        const isJudged = ({ isShifted }: { isShifted: boolean | null }) => isShifted !== null;
        expect(latest.stretches.find(isJudged)).toEqual(whole.stretches.findLast(isJudged));
      }),
      { numRuns: 40 },
    );
  });

  test("needs rows, and a model with counts of its training rows", () => {
    expect(stateOf([], "2031-05-03").state).toBe("TOO_FEW_ROWS");
    expect(stateOf(days("2031-04-01", [9]), "2031-05-03").state).toBe("TOO_FEW_ROWS");
    expect(stateOf(days("2031-04-01", [20]), "2031-05-03").state).toBe("STEADY");
    const { reference: _, ...bare } = MODEL;
    const { state, stretches } = stateOf(days("2031-05-01", [200]), "2031-05-03", bare);
    expect([state, stretches[0]!.columns, stretches[0]!.isShifted]).toEqual(["NOT_WATCHED", null, null]);
  });

  test("does not look at decisions under another threshold", () => {
    const moved = days("2031-05-01", [200]).map(({ day, counts }) => ({
      day,
      counts: { ...counts, decisions: [0, 200], asTrained: false },
    }));
    const { state, stretches } = stateOf(moved, "2031-05-03");
    expect([state, stretches[0]!.decisions, stretches[0]!.expected]).toEqual(["STEADY", null, null]);
    const asTrained = moved.map(({ day, counts }) => ({ day, counts: { ...counts, asTrained: true } }));
    expect(stateOf(asTrained, "2031-05-03").state).toBe("SHIFTED");
  });
});
