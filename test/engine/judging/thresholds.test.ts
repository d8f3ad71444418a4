// Thresholds of two classes: curves against counting row by row, and class weights that decide as a threshold says.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { decide } from "../../../engine/judging/metrics.ts";
import {
  otherClass,
  thresholdCurve,
  thresholdOfCosts,
  thresholdOfWeights,
  weightsOfThreshold,
} from "../../../engine/judging/thresholds.ts";
import type { LabelledRows } from "../../../engine/table/table.ts";

/** Probabilities in steps that are exact in binary, so that a threshold may lie on one. */
const share = fc.integer({ min: 0, max: 64 }).map((part) => part / 64);
const judged = fc.array(fc.record({ share, isHit: fc.boolean() }), { minLength: 1, maxLength: 60 });
type Judged = readonly { share: number; isHit: boolean }[];

/** The rows stand in a table of twice as many, in reverse order. */
function inputOf(rows: Judged): [Float64Array, LabelledRows] {
  const probabilities = Float64Array.from(rows.flatMap(({ share: own }) => [1 - own, own]));
  const classes = new Uint8Array(rows.length * 2);
  const numbers = Uint32Array.from(rows, (_, index) => (rows.length - index) * 2 - 1);
  rows.forEach(({ isHit }, index) => {
    classes[numbers[index]!] = Number(isHit);
  });
  return [probabilities, { rows: numbers, classes, classCount: 2 }];
}

describe("a curve of thresholds", () => {
  test("counts at each threshold what lies above it", () => {
    fc.assert(
      fc.property(judged, fc.array(share, { maxLength: 3 }), (rows, asked) => {
        const { thresholds, hits, falseAlarms } = thresholdCurve(...inputOf(rows), asked);
        expect(thresholds).toEqual([...new Set(thresholds)].sort((a, b) => a - b));
        for (const known of [0, 1, ...asked]) expect(thresholds).toContain(known);
        thresholds.forEach((threshold, at) => {
          const flagged = rows.filter((row) => row.share > threshold);
          const hitCount = flagged.filter(({ isHit }) => isHit).length;
          expect([hits[at], falseAlarms[at]]).toEqual([hitCount, flagged.length - hitCount]);
        });
      }),
    );
  });

  test("has every outcome that a threshold can have, where rows are few", () => {
    fc.assert(
      fc.property(judged, share, (rows, threshold) => {
        const { hits, falseAlarms } = thresholdCurve(...inputOf(rows), []);
        const outcomes = hits.map((count, at) => `${count} ${falseAlarms[at]}`);
        const flagged = rows.filter((row) => row.share > threshold);
        const hitCount = flagged.filter(({ isHit }) => isHit).length;
        expect(outcomes).toContain(`${hitCount} ${flagged.length - hitCount}`);
      }),
    );
  });

  test("is short where rows are many", () => {
    const rows = Array.from({ length: 5_000 }, (_, row) => ({
      share: (row * 7_919) / 39_595_000,
      isHit: row % 3 === 0,
    }));
    const { thresholds, hits } = thresholdCurve(...inputOf(rows), [0.5]);
    expect(thresholds.length).toBeLessThanOrEqual(203);
    // No more than a fiftieth of the hits lies between two neighbours.
    for (let at = 1; at < hits.length; at++) expect(hits[at - 1]! - hits[at]!).toBeLessThanOrEqual(1_667 / 50);
  });

  test("its area is the share of pairs in the right order", () => {
    fc.assert(
      fc.property(judged, (rows) => {
        const { rocArea } = thresholdCurve(...inputOf(rows), []);
        const hits = rows.filter(({ isHit }) => isHit);
        const others = rows.filter(({ isHit }) => !isHit);
        const inOrder = hits.flatMap((hit) =>
          others.map((other) => (hit.share === other.share ? 0.5 : Number(hit.share > other.share))),
        );
        if (inOrder.length === 0) expect(rocArea).toBeNull();
        else expect(rocArea).toBeCloseTo(inOrder.reduce((sum, own) => sum + own, 0) / inOrder.length, 12);
      }),
    );
  });

  test("has points among the rows of a rare label too", () => {
    const rows = Array.from({ length: 20_000 }, (_, row) => ({ share: row / 20_000, isHit: row % 100 === 99 }));
    const { thresholds, hits } = thresholdCurve(...inputOf(rows), []);
    expect(thresholds.length).toBeLessThanOrEqual(203);
    for (let at = 1; at < hits.length; at++) expect(hits[at - 1]! - hits[at]!).toBeLessThanOrEqual(200 / 50);
    const last = Array.from({ length: 20_000 }, (_, row) => ({ share: row / 20_000, isHit: row >= 19_800 }));
    const sorted = thresholdCurve(...inputOf(last), []).hits;
    for (let at = 1; at < sorted.length; at++) expect(sorted[at - 1]! - sorted[at]!).toBeLessThanOrEqual(200 / 50);
  });

  test("its average precision is the mean over the label's rows of the precision that flags them", () => {
    const naive = (rows: Judged) => {
      const precisions = rows
        .filter(({ isHit }) => isHit)
        .map((hit) => {
          const flagged = rows.filter((row) => row.share >= hit.share);
          return flagged.filter(({ isHit }) => isHit).length / flagged.length;
        });
      return precisions.length === 0 ? null : precisions.reduce((sum, own) => sum + own, 0) / precisions.length;
    };
    const same = (found: number | null, wanted: number | null) =>
      wanted === null ? expect(found).toBeNull() : expect(found).toBeCloseTo(wanted, 12);
    fc.assert(
      fc.property(judged, (rows) => {
        const curve = thresholdCurve(...inputOf(rows), []);
        same(curve.averagePrecision!, naive(rows));
        const others = rows.map(({ share: own, isHit }) => ({ share: 1 - own, isHit: !isHit }));
        same(curve.otherAveragePrecision!, naive(others));
        expect(otherClass(curve, 1, 1).averagePrecision).toBe(curve.otherAveragePrecision!);
      }),
    );
  });

  test("of the other class flags what this one does not", () => {
    fc.assert(
      fc.property(judged, (rows) => {
        const hitCount = rows.filter(({ isHit }) => isHit).length;
        const curve = thresholdCurve(...inputOf(rows), []);
        const other = otherClass(curve, hitCount, rows.length - hitCount);
        other.thresholds.forEach((threshold, at) => {
          // Of equal probabilities the first class is decided, so its own side of a threshold includes it.
          const flagged = rows.filter((row) => !(row.share > 1 - threshold));
          const otherHits = flagged.filter(({ isHit }) => !isHit).length;
          expect([other.hits[at], other.falseAlarms[at]]).toEqual([otherHits, flagged.length - otherHits]);
        });
        expect(other.rocArea).toBe(curve.rocArea);
      }),
    );
  });
});

describe("the weights of a threshold", () => {
  test("decide the positive class above it", () => {
    fc.assert(
      fc.property(share, share, fc.constantFrom(0, 1), (threshold, own, positive) => {
        const shares = positive === 1 ? [1 - own, own] : [own, 1 - own];
        const classWeights = weightsOfThreshold(threshold, positive);
        const [decided] = decide(Float64Array.from(shares), 2, { classWeights });
        // Of equal ones the first class is decided.
        if (own !== threshold) expect(decided === positive).toBe(own > threshold);
        else expect(decided).toBe(0);
        expect(thresholdOfWeights(classWeights, positive)).toBe(threshold);
      }),
    );
  });

  test("are a half without any, and those of costs where these are given", () => {
    expect(thresholdOfWeights(null, 1)).toBe(0.5);
    expect(thresholdOfWeights([0, 0], 1)).toBe(1);
    expect(thresholdOfCosts(5, 1)).toBeCloseTo(1 / 6, 15);
    fc.assert(
      fc.property(
        share,
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 40 }),
        (own, missed, falseAlarm) => {
          const expectedGain = own * missed - (1 - own) * falseAlarm;
          fc.pre(expectedGain !== 0);
          expect(own > thresholdOfCosts(missed, falseAlarm)).toBe(expectedGain > 0);
        },
      ),
    );
  });
});
