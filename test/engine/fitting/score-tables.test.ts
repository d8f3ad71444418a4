// Scoring of additive models: against a naive sum, on extreme scores, and for every code width.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { logistic, type ScoreTables, scoreTables, softmaxInPlace } from "../../../engine/fitting/score-tables.ts";
import { Random } from "../../../engine/random.ts";
import { drawInput, probabilitiesOf } from "../families/coded-input.ts";

function randomModel(input: ReturnType<typeof drawInput>, scale: number): ScoreTables {
  const random = new Random(input.seed + 1);
  const outputCount = input.classCount === 2 ? 1 : input.classCount;
  const draw = (length: number) => Float64Array.from({ length }, () => scale * (random.nextFloat() - 0.5));
  const tables = input.view.features.map((feature, index) =>
    index === 1 ? null : draw(feature.codeCount * outputCount),
  );
  return { kind: "additive", classCount: input.classCount, outputCount, intercepts: draw(outputCount), tables };
}

/** The definition, written out for one row. */
function naiveProbabilities(model: ScoreTables, input: ReturnType<typeof drawInput>, row: number): number[] {
  const scores = [...model.intercepts];
  for (const [index, feature] of input.view.features.entries()) {
    const table = model.tables[index];
    if (!table) continue;
    for (let k = 0; k < model.outputCount; k++) {
      scores[k] = scores[k]! + table[feature.codes[row]! * model.outputCount + k]!;
    }
  }
  if (model.outputCount === 1) return [1 - 1 / (1 + Math.exp(-scores[0]!)), 1 / (1 + Math.exp(-scores[0]!))];
  const weights = scores.map(Math.exp);
  const sum = weights.reduce((a, b) => a + b, 0);
  return weights.map((weight) => weight / sum);
}

describe("scoreTables", () => {
  test("equals the definition, row by row, across blocks and code widths", () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 2, max: 6 }), (seed, classCount) => {
        const input = drawInput({ seed, rowCount: 60, classCount, bucketCounts: [5, 3, 300, 2] });
        const model = randomModel(input, 6);
        const rows = Uint32Array.from({ length: 5000 }, (_, i) => (i * 7) % 60);
        const out = new Float64Array(rows.length * classCount);
        scoreTables(model, input.view, rows, out);
        for (let i = 0; i < rows.length; i += 61) {
          const expected = naiveProbabilities(model, input, rows[i]!);
          for (let k = 0; k < classCount; k++) expect(out[i * classCount + k]).toBeCloseTo(expected[k]!, 12);
        }
      }),
      { numRuns: 20 },
    );
  });

  test.each([2, 3, 40])("stays finite and sums to 1 under enormous contributions, %d classes", (classCount) => {
    const input = drawInput({ seed: 5, rowCount: 200, classCount, bucketCounts: [4, 4, 4] });
    const probabilities = probabilitiesOf(randomModel(input, 1e5), input.view);
    for (let at = 0; at < probabilities.length; at += classCount) {
      const row = probabilities.subarray(at, at + classCount);
      expect(row.every((value) => value >= 0 && value <= 1)).toBe(true);
      expect(row.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 12);
    }
  });
});

describe("softmax and logistic", () => {
  test("softmax keeps its surroundings, and returns the logarithm of the sum of exponentials", () => {
    const scores = Float64Array.of(9, 1000, 1001, 9);
    expect(softmaxInPlace(scores, 1, 2)).toBeCloseTo(1001 + Math.log1p(Math.exp(-1)), 10);
    expect([scores[0], scores[3]]).toEqual([9, 9]);
    expect(scores[2]! / scores[1]!).toBeCloseTo(Math.E, 10);
  });

  test("logistic is symmetric and never overflows", () => {
    fc.assert(
      fc.property(fc.double({ min: -800, max: 800, noNaN: true }), (z) => {
        expect(logistic(z) + logistic(-z)).toBeCloseTo(1, 14);
      }),
    );
    expect(logistic(-1000)).toBe(0);
    expect(logistic(1000)).toBe(1);
    expect(logistic(-40)).toBeCloseTo(Math.exp(-40), 30);
  });
});
