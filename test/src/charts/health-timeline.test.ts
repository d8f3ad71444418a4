// The timeline of a model's health: everything stays within the picture,
// alarms are told apart, the table has every stretch.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type HealthPeriod, healthTimeline } from "../../../src/charts/health-timeline.ts";

const DAY_MS = 86_400_000;
const FIRST = Date.UTC(2031, 0, 1);
const dayOf = (day: number) => new Date(FIRST + day * DAY_MS).toISOString().slice(0, 10);

const share = fc.double({ min: 0, max: 1, noNaN: true });
const estimate = fc.tuple(share, share, share).map((shares) => {
  const [low, mean, high] = shares.sort((a, b) => a - b) as [number, number, number];
  return { low, mean, high };
});
const stretch = fc.record({
  days: fc.integer({ min: 1, max: 31 }),
  gap: fc.integer({ min: 0, max: 40 }),
  isOver: fc.boolean(),
  isShifted: fc.option(fc.boolean()),
  rowCount: fc.nat(10_000_000),
  shiftedColumns: fc.nat(1_000),
  worstIndex: fc.option(fc.double({ min: 0, max: 40, noNaN: true })),
  expected: fc.option(estimate),
  real: fc.option(
    fc.tuple(estimate, fc.integer({ min: 1, max: 10_000_000 })).map(([own, rowCount]) => ({ ...own, rowCount })),
  ),
  meanConfidence: share,
});

const timelines = fc.array(stretch, { minLength: 1, maxLength: 60 }).map((drawn) => {
  let day = 0;
  return drawn.map(({ days, gap, ...others }): HealthPeriod => {
    const from = day + gap;
    day = from + days;
    return { ...others, from: dayOf(from), to: dayOf(day - 1) };
  });
});

const PERIOD: HealthPeriod = {
  ...{ from: "2031-05-01", to: "2031-05-02", isOver: true, isShifted: false, rowCount: 400, shiftedColumns: 0 },
  ...{ worstIndex: 0.02, expected: { mean: 0.8, low: 0.75, high: 0.85 }, meanConfidence: 0.9 },
  real: null,
};
const of = (periods: readonly HealthPeriod[], real: HealthPeriod["expected"] = null) =>
  healthTimeline({ periods, real }).markup;

describe("the timeline of a model's health", () => {
  test("keeps everything within the picture, whatever comes", () => {
    fc.assert(
      fc.property(timelines, fc.option(estimate), (periods, real) => {
        const markup = of(periods, real);
        expect(markup).not.toMatch(/NaN|Infinity|undefined/);
        for (const [, width, height, body] of markup.matchAll(
          /<svg [^>]*width="(\d+)" height="(\d+)">(.*?)<\/svg>/gs,
        )) {
          for (const [, x, y, w, h] of body!.matchAll(
            /<rect class="[^"]*" x="([^"]+)" y="([^"]+)" width="([^"]+)" height="([^"]+)"/g,
          )) {
            expect(Number(x)).toBeGreaterThanOrEqual(0);
            expect(Number(y)).toBeGreaterThanOrEqual(0);
            expect(Number(h)).toBeGreaterThanOrEqual(0);
            expect(Number(x) + Number(w)).toBeLessThanOrEqual(Number(width) + 0.02);
            expect(Number(y) + Number(h)).toBeLessThanOrEqual(Number(height) + 0.02);
          }
        }
        expect([...markup.matchAll(/<th scope="row">/g)]).toHaveLength(periods.length);
      }),
      { numRuns: 60 },
    );
  });

  test("marks alarms by shape, and names them for whoever does not see it", () => {
    const markup = of([PERIOD, { ...PERIOD, from: "2031-05-03", to: "2031-05-03", isShifted: true, worstIndex: 2 }]);
    expect(markup.match(/class="cross"/g)).toHaveLength(3);
    expect(markup).toContain("2 stretches of days from 2031-05-01 to 2031-05-03; alarms: 2031-05-03.");
    expect(markup).toContain("2031-05-01 to 2031-05-02: 400 rows");
  });

  test("shows the real accuracy of each stretch beside the expected one", () => {
    const markup = of([{ ...PERIOD, real: { mean: 0.7, low: 0.6, high: 0.78, rowCount: 120 } }, PERIOD]);
    expect(markup.match(/class="point real"/g)).toHaveLength(3);
    expect(markup).toContain("70.0% [60.0, 78.0] real, 120 rows with labels");
  });

  test("writes every value of the shift's axis once", () => {
    for (const worstIndex of [0.02, 0.3, 0.7, 3, 40]) {
      const [, axis] = of([{ ...PERIOD, worstIndex }]).match(/Shift index of the worst column<(.*?)class="axis"/s)!;
      const values = [...axis!.matchAll(/class="tick"[^>]*>([^<]+)</g)].map(([, value]) => value);
      expect(values.length).toBeGreaterThan(2);
      expect(new Set(values).size).toBe(values.length);
    }
  });

  test("writes the real accuracy where no title stands", () => {
    for (const mean of [1, 0.99, 0.9, 0.7]) {
      const markup = of([PERIOD], { mean, low: 0.65, high: 1 });
      const title = Number(markup.match(/y="([^"]+)">Expected accuracy, and the real one</)![1]);
      const mark = Number(markup.match(/class="halo real" x="[^"]+" y="([^"]+)"/)![1]);
      expect(mark - title).toBeGreaterThan(12);
    }
  });

  test("has no picture of what is not known", () => {
    const unknown = { ...PERIOD, expected: null, worstIndex: null, isShifted: null, isOver: false };
    const markup = of([unknown]);
    expect(markup).not.toContain("Expected accuracy</text>");
    expect(markup).not.toMatch(/class="(cross|point)/);
    expect(markup).toContain("goes on");
    expect(of([unknown], { mean: 0.7, low: 0.6, high: 0.8 })).toContain("real 70.0%");
  });
});
