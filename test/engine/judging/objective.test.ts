// Objectives: measures by hand, the Bayes decision for balanced accuracy, and
// weights for F1 against every weight there is.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { confusionMatrix, decide, macroAverages, metricsByClass } from "../../../engine/judging/metrics.ts";
import { achieved, decisionWeights } from "../../../engine/judging/objective.ts";
import { Random } from "../../../engine/random.ts";

/** Probabilities of some truth, and classes drawn from them; the first class is frequent. */
function draw(seed: number, rowCount: number, classCount: number, step = 0) {
  const random = new Random(seed);
  const rows = Uint32Array.from({ length: rowCount }, (_, row) => row);
  const shares = new Float64Array(rowCount * classCount);
  const classes = Uint8Array.from(rows, (row) => {
    const own = shares.subarray(row * classCount, (row + 1) * classCount);
    for (let k = 0; k < classCount; k++) own[k] = random.nextFloat() ** 3 * (k === 0 ? 6 : 1);
    if (step > 0)
      for (let k = 0; k < classCount; k++) own[k] = Math.round(own[k]! / step) * step + (k === 0 ? step : 0);
    const total = own.reduce((sum, share) => sum + share, 0);
    for (let k = 0; k < classCount; k++) own[k] = own[k]! / total;
    let left = random.nextFloat();
    const found = own.findIndex((share) => {
      left -= share;
      return left < 0;
    });
    return Math.max(0, found);
  });
  return { rows, shares, classes };
}

function scoreAt(shares: Float64Array, classes: Uint8Array, weights: ArrayLike<number> | null, classCount: number) {
  const rows = Uint32Array.from(classes, (_, row) => row);
  return achieved(
    "f1",
    confusionMatrix(decide(shares, classCount, { classWeights: weights }), { rows, classes, classCount }),
  );
}

describe("achieved", () => {
  const confusion = [
    [8, 2, 0],
    [1, 4, 0],
    [0, 0, 0],
  ];

  test("is the measure by hand; classes without rows and decisions do not count", () => {
    expect(achieved("accuracy", confusion)).toBe(12 / 15);
    expect(achieved("balanced-accuracy", confusion)).toBe((0.8 + 0.8) / 2);
    expect(achieved("f1", confusion)).toBe((16 / 19 + 8 / 11) / 2);
    const neverFound = [
      [5, 0],
      [3, 0],
    ];
    expect(achieved("f1", neverFound)).toBe(10 / 13 / 2);
    const neverThere = [
      [5, 3],
      [0, 0],
    ];
    expect(achieved("f1", neverThere)).toBe(10 / 13 / 2);
    expect(achieved("balanced-accuracy", neverThere)).toBe(5 / 8);
  });

  test("equals the printed means of the metrics by class, whatever classes lack rows or decisions", () => {
    const cells = fc
      .array(fc.nat(2), { minLength: 9, maxLength: 9 })
      .filter((counts) => counts.some((count) => count > 0));
    fc.assert(
      fc.property(cells, (counts) => {
        const matrix = [counts.slice(0, 3), counts.slice(3, 6), counts.slice(6)];
        const means = macroAverages(metricsByClass(matrix));
        expect(achieved("balanced-accuracy", matrix)).toBeCloseTo(means.recall!, 12);
        expect(achieved("f1", matrix)).toBeCloseTo(means.f1Score!, 12);
      }),
    );
  });
});

describe("decisionWeights", () => {
  test("none for accuracy", () => {
    const { rows, shares, classes } = draw(1, 50, 3);
    expect(decisionWeights("accuracy", shares, { rows, classes, classCount: 3 })).toBeNull();
  });

  test("balanced accuracy: inverse priors, under which honest probabilities recall more of every rare class", () => {
    for (const classCount of [2, 4]) {
      const { rows, shares, classes } = draw(classCount, 4000, classCount);
      const weights = decisionWeights("balanced-accuracy", shares, { rows, classes, classCount })!;
      for (let code = 0; code < classCount; code++) {
        const count = classes.filter((own) => own === code).length;
        expect(weights[code]).toBeCloseTo(4000 / (classCount * count), 12);
      }
      const scoreOf = (chosen: Float64Array | null) =>
        achieved(
          "balanced-accuracy",
          confusionMatrix(decide(shares, classCount, { classWeights: chosen }), { rows, classes, classCount }),
        );
      expect(scoreOf(weights)).toBeGreaterThan(scoreOf(null));
    }
  });

  test("F1 of two classes: as good as the best of all thresholds", () => {
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom(0, 0.5), (seed, step) => {
        const { rows, shares, classes } = draw(seed, 60, 2, step);
        const weights = decisionWeights("f1", shares, { rows, classes, classCount: 2 });
        const ratios = [...rows].map((row) => shares[2 * row]! / shares[2 * row + 1]!).filter(Number.isFinite);
        const candidates = [0, ...ratios].flatMap((ratio) => [ratio * 0.999_999, ratio * 1.000_001, ratio + 1e-9]);
        const best = Math.max(...candidates.map((weight) => scoreAt(shares, classes, [1, weight], 2)));
        expect(scoreAt(shares, classes, weights, 2)).toBeGreaterThanOrEqual(best - 1e-9);
      }),
      { numRuns: 50 },
    );
  });

  test("F1 of more classes: no weight alone can be bettered, and never below that of no weights", () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 3, max: 5 }), (seed, classCount) => {
        const { rows, shares, classes } = draw(seed, 80, classCount);
        const weights = decisionWeights("f1", shares, { rows, classes, classCount })!;
        const found = scoreAt(shares, classes, weights, classCount);
        expect(found).toBeGreaterThanOrEqual(scoreAt(shares, classes, null, classCount) - 1e-9);
        for (let code = 0; code < classCount; code++) {
          for (let factor = 1 / 64; factor < 100; factor *= 1.1) {
            const moved = weights.map((weight, k) => (k === code ? weight * factor : weight));
            // Five passes end near enough to an optimum.
            expect(scoreAt(shares, classes, moved, classCount)).toBeLessThan(found + 0.02);
          }
        }
      }),
      { numRuns: 10 },
    );
  });

  test("classes without rows and single rows leave it finite", () => {
    for (const objective of ["balanced-accuracy", "f1"] as const) {
      const weights = decisionWeights(objective, [0, 1, 0], {
        rows: Uint32Array.of(0),
        classes: Uint8Array.of(1),
        classCount: 3,
      })!;
      expect([...weights].every((weight) => Number.isFinite(weight) && weight > 0)).toBeTrue();
    }
  });
});
