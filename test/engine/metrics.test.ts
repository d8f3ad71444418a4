// Metrics by hand-counted cases: wrong decisions, log-loss, precision and recall where defined, intervals, calibration.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { calibrationBins, classMetrics, confusionMatrix, decide, judge, wilsonInterval } from "../../engine/metrics.ts";

const rows = Uint32Array.of(0, 1, 2, 3);
const classes = Uint8Array.of(0, 1, 1, 0);

test("judging counts wrong decisions and means the log-loss", () => {
  const probabilities = Float64Array.of(0.9, 0.1, 0.2, 0.8, 0.7, 0.3, 1, 0);
  const { falseDecisions, accuracy, logLoss, decisions } = judge(probabilities, rows, classes, 2);
  expect([...decisions]).toEqual([0, 1, 0, 0]);
  expect(falseDecisions).toBe(1);
  expect(accuracy).toBe(0.75);
  expect(logLoss).toBeCloseTo(-(Math.log(0.9) + Math.log(0.8) + Math.log(0.3) + Math.log(1)) / 4, 12);
});

test("a sure mistake costs no more than a probability of 1e-4", () => {
  expect(judge(Float64Array.of(1, 0), Uint32Array.of(1), classes, 2).logLoss).toBeCloseTo(-Math.log(1e-4), 12);
});

test("the first of equally probable classes is decided", () => {
  expect([...decide(Float64Array.of(0.4, 0.4, 0.2, 0.1, 0.45, 0.45), 3)]).toEqual([0, 1]);
});

describe("class metrics", () => {
  test("two classes: of the positive one", () => {
    const confusion = confusionMatrix(Uint8Array.of(0, 1, 0, 1), rows, classes, 2);
    expect(confusion).toEqual([
      [1, 1],
      [1, 1],
    ]);
    expect(
      classMetrics(
        [
          [50, 10],
          [5, 35],
        ],
        1,
      ),
    ).toEqual({ precision: 35 / 45, recall: 35 / 40, f1Score: 70 / 85 });
    expect(
      classMetrics(
        [
          [50, 10],
          [5, 35],
        ],
        0,
      ).recall,
    ).toBe(50 / 60);
  });

  test("undefined is null, never 0", () => {
    expect(
      classMetrics(
        [
          [9, 0],
          [3, 0],
        ],
        1,
      ),
    ).toEqual({ precision: null, recall: 0, f1Score: null });
    expect(
      classMetrics(
        [
          [9, 2],
          [0, 0],
        ],
        1,
      ),
    ).toEqual({ precision: 0, recall: null, f1Score: null });
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
  const bins = calibrationBins(Float64Array.of(0.95, 0.05, 0.02, 0.98, 0.4, 0.6, 0, 1), rows, classes, 2);
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
