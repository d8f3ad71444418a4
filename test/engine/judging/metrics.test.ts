// Metrics by hand-counted cases: wrong decisions, log-loss, precision and recall where defined, intervals, calibration.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  brierScores,
  calibrationBins,
  classMetrics,
  confusionMatrix,
  decide,
  judge,
  macroAverages,
  metricsByClass,
  wilsonInterval,
} from "../../../engine/judging/metrics.ts";
import { rowsUpTo } from "../../../engine/row-lists.ts";

const rows = Uint32Array.of(0, 1, 2, 3);
const classes = Uint8Array.of(0, 1, 1, 0);

test("judging counts wrong decisions and means the log-loss", () => {
  const probabilities = Float64Array.of(0.9, 0.1, 0.2, 0.8, 0.7, 0.3, 1, 0);
  const { falseDecisions, accuracy, logLoss, decisions } = judge(probabilities, { rows, classes, classCount: 2 });
  expect([...decisions]).toEqual([0, 1, 0, 0]);
  expect(falseDecisions).toBe(1);
  expect(accuracy).toBe(0.75);
  expect(logLoss).toBeCloseTo(-(Math.log(0.9) + Math.log(0.8) + Math.log(0.3) + Math.log(1)) / 4, 12);
});

test("an accuracy that a target names is that number", () => {
  const probabilities = Float64Array.from({ length: 200 }, (_, at) => Number(at % 2 === (at < 14 ? 1 : 0)));
  const { accuracy } = judge(probabilities, { rows: rowsUpTo(100), classes: new Uint8Array(100), classCount: 2 });
  expect(accuracy).toBe(0.93);
});

test("a sure mistake costs no more than a probability of 1e-4", () => {
  expect(judge(Float64Array.of(1, 0), { rows: Uint32Array.of(1), classes, classCount: 2 }).logLoss).toBeCloseTo(
    -Math.log(1e-4),
    12,
  );
});

test("squares count every class of a row", () => {
  const probabilities = Float64Array.of(0.9, 0.1, 0.2, 0.8, 0.7, 0.3, 1, 0);
  brierScores(probabilities, { rows, classes, classCount: 2 }).forEach((score, at) => {
    expect(score).toBeCloseTo([0.02, 0.08, 0.98, 0][at]!, 12);
  });
  expect([...brierScores(Float64Array.of(1, 0), { rows: Uint32Array.of(1), classes, classCount: 2 })]).toEqual([2]);
});

test("the first of equally probable classes is decided", () => {
  expect([...decide(Float64Array.of(0.4, 0.4, 0.2, 0.1, 0.45, 0.45), 3)]).toEqual([0, 1]);
});

describe("class metrics", () => {
  const twoClasses = (...[a, b, c, d]: readonly [number, number, number, number]) => [
    [a, b],
    [c, d],
  ];

  test("two classes: of the positive one", () => {
    const confusion = confusionMatrix(Uint8Array.of(0, 1, 0, 1), { rows, classes, classCount: 2 });
    expect(confusion).toEqual(twoClasses(1, 1, 1, 1));
    const some = twoClasses(50, 10, 5, 35);
    expect(classMetrics(some, 1)).toEqual({ precision: 35 / 45, recall: 35 / 40, f1Score: 70 / 85 });
    expect(classMetrics(some, 0).recall).toBe(50 / 60);
  });

  test("undefined is null, never 0", () => {
    expect(classMetrics(twoClasses(9, 0, 3, 0), 1)).toEqual({ precision: null, recall: 0, f1Score: 0 });
    expect(classMetrics(twoClasses(9, 2, 0, 0), 1)).toEqual({ precision: 0, recall: null, f1Score: 0 });
  });

  test("more classes: means over those where defined", () => {
    const { precision, recall } = classMetrics(
      [
        [4, 0, 0],
        [2, 2, 0],
        [0, 0, 0],
      ],
      2,
    );
    expect(precision).toBeCloseTo((4 / 6 + 1) / 2, 12);
    expect(recall).toBeCloseTo((1 + 0.5) / 2, 12);
  });
});

describe("metrics by class", () => {
  test("are those of each class against all others", () => {
    const [a, b, c] = metricsByClass([
      [8, 2, 0],
      [1, 4, 0],
      [0, 0, 0],
    ]);
    expect(a).toEqual({ support: 10, decided: 9, precision: 8 / 9, recall: 0.8, f1Score: 16 / 19 });
    expect(b).toEqual({ support: 5, decided: 6, precision: 4 / 6, recall: 0.8, f1Score: 8 / 11 });
    expect(c).toEqual({ support: 0, decided: 0, precision: null, recall: null, f1Score: null });
    expect(macroAverages([a!, b!, c!]).recall).toBeCloseTo(0.8, 12);
    expect(macroAverages([c!])).toEqual({ precision: null, recall: null, f1Score: null });
  });

  test("always answering one class of two halves the mean F1", () => {
    const each = metricsByClass([
      [11, 0],
      [1, 0],
    ]);
    expect(each.map(({ f1Score }) => f1Score)).toEqual([22 / 23, 0]);
    expect(macroAverages(each).f1Score).toBe(22 / 23 / 2);
  });

  test("equal a count row by row", () => {
    const draw = fc.integer({ min: 2, max: 5 }).chain((classCount) => {
      const code = fc.nat(classCount - 1);
      return fc.tuple(fc.constant(classCount), fc.array(fc.tuple(code, code), { maxLength: 40 }));
    });
    fc.assert(
      fc.property(draw, ([classCount, pairs]) => {
        const decisions = Uint8Array.from(pairs, ([, decided]) => decided);
        const everyRow = Uint32Array.from(pairs, (_, row) => row);
        const actuals = Uint8Array.from(pairs, ([actual]) => actual);
        const each = metricsByClass(confusionMatrix(decisions, { rows: everyRow, classes: actuals, classCount }));
        for (const [code, own] of each.entries()) {
          const ofClass = pairs.filter(([actual]) => actual === code);
          const asClass = pairs.filter(([, decided]) => decided === code);
          const hits = ofClass.filter(([, decided]) => decided === code).length;
          expect([own.support, own.decided]).toEqual([ofClass.length, asClass.length]);
          expect(own.recall).toBe(ofClass.length === 0 ? null : hits / ofClass.length);
          expect(own.precision).toBe(asClass.length === 0 ? null : hits / asClass.length);
          const falseAlarms = asClass.length - hits;
          const missed = ofClass.length - hits;
          const counted = 2 * hits + falseAlarms + missed;
          expect(own.f1Score).toBe(counted === 0 ? null : (2 * hits) / counted);
        }
        const scores = each.map(({ f1Score }) => f1Score).filter((score) => score !== null);
        const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
        const { f1Score } = macroAverages(each);
        if (scores.length === 0) expect(f1Score).toBeNull();
        else expect(f1Score).toBeCloseTo(mean, 12);
      }),
    );
  });
});

describe("Wilson interval", () => {
  test("has the figures of the textbook", () => {
    const { mean, low, high } = wilsonInterval(81, 263);
    expect(mean).toBeCloseTo(0.308, 3);
    expect(low).toBeCloseTo(0.2553, 4);
    expect(high).toBeCloseTo(0.3662, 4);
  });

  test("reaches its end where every trial went one way", () => {
    expect(wilsonInterval(60, 60).high).toBe(1);
    expect(wilsonInterval(0, 7).low).toBe(0);
  });

  test("holds the share and stays within 0 and 1", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), fc.nat(), (trials, draw) => {
        const { mean, low, high } = wilsonInterval(draw % (trials + 1), trials);
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(low).toBeLessThanOrEqual(mean + 1e-12);
        expect(high).toBeGreaterThanOrEqual(mean - 1e-12);
      }),
    );
  });
});

test("calibration groups decisions by confidence and leaves empty ranges out", () => {
  const own = Float64Array.of(0.95, 0.05, 0.02, 0.98, 0.4, 0.6, 0, 1);
  const bins = calibrationBins(own, { rows, classes, classCount: 2 }, decide(own, 2));
  expect(bins).toEqual([
    { low: 0.6, high: 0.7, count: 1, confidence: 0.6, accuracy: 1 },
    {
      low: 0.9,
      high: 1,
      count: 3,
      confidence: expect.closeTo((0.95 + 0.98 + 1) / 3, 12),
      accuracy: expect.closeTo(2 / 3, 12),
    },
  ]);
});
