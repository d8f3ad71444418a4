// Rows of a weekday that are unlike all days together: an alarm the first time, and none while the week is as in
// training; what is new on any day is an alarm at once, and stays one.
import { describe, expect, test } from "bun:test";
import { type DayCounts, healthOf } from "../../../engine/outcomes/health.ts";
import type { ScoredCounts } from "../../../engine/watch/scored-counts.ts";
import { columnWords } from "../../../src/words/watch-words.ts";
import { fourRanges, rangeCounts } from "./four-ranges.ts";

const DAY_MS = 86_400_000;
/** A Monday. */
const START = Date.parse("2031-05-05");
const dayOf = (at: number) => new Date(START + at * DAY_MS).toISOString().slice(0, 10);

const MODEL = fourRanges([600, 200]);

/** Weekends have other values and decisions; a week of all days is as in training. */
const usual = (at: number) => (at % 7 < 5 ? rangeCounts([36, 55, 55, 54], 32) : rangeCounts([60, 14, 13, 13], 90));
const other = () => rangeCounts([200, 0, 0, 0], 50);

function alarms(dayCount: number, counts: (at: number) => ScoredCounts): number[] {
  const days = Array.from({ length: dayCount }, (_, at): DayCounts => ({ day: dayOf(at), counts: counts(at) }));
  const { stretches } = healthOf(MODEL, days, dayOf(dayCount));
  return stretches.flatMap(({ isShifted }, at) => (isShifted === true ? [at] : []));
}

describe("days that differ by the day of the week", () => {
  test("are an alarm the first time alone, across the ends of months too", () => {
    expect(alarms(56, usual)).toEqual([5, 6]);
  });

  test("hide nothing that is new on one of them, whichever it is", () => {
    for (const changed of [23, 26, 27]) {
      const found = alarms(42, (at) => (at < changed ? usual(at) : other()));
      expect(found).toEqual([5, 6, ...Array.from({ length: 42 - changed }, (_, at) => changed + at)]);
    }
  });

  test("are one where all days of the week have changed as they have", () => {
    expect(alarms(28, () => usual(5))).toEqual(Array.from({ length: 28 }, (_, at) => at));
  });

  test("are told as such, and what accuracy to expect of them", () => {
    const days = Array.from({ length: 14 }, (_, at): DayCounts => ({ day: dayOf(at), counts: usual(at) }));
    const { state, stretches } = healthOf(MODEL, days, dayOf(14));
    expect(state).toBe("STEADY");
    const [first, second] = [stretches[6]!, stretches[13]!];
    expect(first).toMatchObject({ isShifted: true, shiftedColumns: 1, expected: null });
    expect(second).toMatchObject({ isShifted: false, shiftedColumns: 0 });
    expect(second.expected).not.toBeNull();
    expect(second.columns![0]).toMatchObject({ verdict: "SLIGHT", recurs: true });
    expect(second.decisions).toMatchObject({ verdict: "SLIGHT", recurs: true });
    expect(columnWords(second.columns![0]!)).toStartWith("by the day of the week, as a week before: the middle value");
    expect(columnWords(first.columns![0]!)).toStartWith("the middle value");
  });
});
