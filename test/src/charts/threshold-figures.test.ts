// Figures of thresholds on held-out rows: against counting, with intervals that widen where rows are worth less.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { wilsonInterval } from "../../../engine/judging/metrics.ts";
import { thresholdCurve } from "../../../engine/judging/thresholds.ts";
import { figuresAt, pointAt, worthOf } from "../../../src/charts/threshold-figures.ts";

const judged = fc.array(
  fc.record({ share: fc.integer({ min: 0, max: 32 }).map((part) => part / 32), isHit: fc.boolean() }),
  {
    minLength: 1,
    maxLength: 50,
  },
);
const costs = fc.record({ missed: fc.constantFrom(0, 1, 5), falseAlarm: fc.constantFrom(0, 1, 2.5) });

test("are those of the rows one by one", () => {
  fc.assert(
    fc.property(judged, costs, fc.integer({ min: 1, max: 4 }), (rows, each, part) => {
      const probabilities = Float64Array.from(rows.flatMap(({ share }) => [1 - share, share]));
      const classes = Uint8Array.from(rows, ({ isHit }) => Number(isHit));
      const curve = thresholdCurve(probabilities, { rows: Uint32Array.from(rows.keys()), classes, classCount: 2 }, []);
      const positives = rows.filter(({ isHit }) => isHit).length;
      const held = { positives, negatives: rows.length - positives, worth: 1 / part };
      curve.thresholds.forEach((threshold, at) => {
        const own = figuresAt(curve, at, held, each);
        const isFlagged = (row: (typeof rows)[number]) => row.share > threshold;
        const all = rows.map((row) => {
          if (isFlagged(row) === row.isHit) return 0;
          return row.isHit ? each.missed : each.falseAlarm;
        });
        const mean = all.reduce<number>((sum, cost) => sum + cost, 0) / rows.length;
        expect(own.cost.mean).toBeCloseTo(mean, 10);
        const variance = all.reduce<number>((sum, cost) => sum + (cost - mean) ** 2, 0) / rows.length;
        expect(own.cost.high - own.cost.mean).toBeCloseTo(1.96 * Math.sqrt((variance / rows.length) * part), 6);
        const flagged = rows.filter(isFlagged);
        const hits = flagged.filter(({ isHit }) => isHit).length;
        expect([own.missed, own.falseAlarms]).toEqual([positives - hits, flagged.length - hits]);
        expect(own.flagged.mean).toBeCloseTo(flagged.length / rows.length, 12);
        expect(own.precision?.mean ?? null).toBe(flagged.length === 0 ? null : hits / flagged.length);
        expect(own.recall?.mean ?? null).toBe(positives === 0 ? null : hits / positives);
        const { low, high } = wilsonInterval(flagged.length / part, rows.length / part);
        expect(own.flagged.low).toBeCloseTo(low, 10);
        expect(own.flagged.high).toBeCloseTo(high, 10);
        expect(pointAt(curve, threshold)).toBe(at);
      });
    }),
  );
});

test("rows are worth what the interval of the accuracy says", () => {
  const independent = wilsonInterval(75, 100);
  expect(worthOf(100, independent)).toBeCloseTo(1, 10);
  const { mean, low, high } = independent;
  const wider = { mean, low: mean - (mean - low) * 2, high: mean + (high - mean) * 2 };
  expect(worthOf(100, wider)).toBeCloseTo(0.25, 10);
  expect(worthOf(100, { mean, low: mean, high: mean })).toBe(1);
});
