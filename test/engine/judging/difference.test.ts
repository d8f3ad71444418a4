// Differences of accuracies: how often the intervals hold the truth, and figures from the literature.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { independentDifference, pairedDifference } from "../../../engine/judging/difference.ts";
import { wilsonInterval } from "../../../engine/judging/metrics.ts";

/** The chance that a draw of `rows` has these counts, by logarithms of factorials. */
function chance(rows: number, first: number, second: number, one: number, other: number): number {
  const log = (count: number) => Array.from({ length: count }, (_, at) => Math.log(at + 1)).reduce((a, b) => a + b, 0);
  const rest = rows - first - second;
  const power = (count: number, share: number) => (count === 0 ? 0 : count * Math.log(share));
  return Math.exp(
    log(rows) -
      log(first) -
      log(second) -
      log(rest) +
      power(first, one) +
      power(second, other) +
      power(rest, 1 - one - other),
  );
}

describe("on the same rows", () => {
  test.each([
    [40, 0.1, 0.1],
    [40, 0.05, 0.15],
    [60, 0.02, 0.1],
    [60, 0.2, 0.3],
  ])(
    "of %d rows with shares %d and %d the interval holds the truth in 94% of all draws and more",
    (rows, one, other) => {
      let held = 0;
      for (let first = 0; first <= rows; first++) {
        for (let second = 0; first + second <= rows; second++) {
          const { low, high } = pairedDifference({ rows, firstAlone: first, secondAlone: second });
          if (low <= other - one && other - one <= high) held += chance(rows, first, second, one, other);
        }
      }
      expect(held).toBeGreaterThan(0.94);
      expect(held).toBeLessThan(0.985);
    },
  );

  test("exchanged models have the interval mirrored, and agreement leaves 0 inside", () => {
    fc.assert(
      fc.property(fc.nat(300), fc.nat(300), fc.nat(300), (firstAlone, secondAlone, alike) => {
        const rows = firstAlone + secondAlone + alike + 1;
        const { mean, low, high } = pairedDifference({ rows, firstAlone, secondAlone });
        const mirrored = pairedDifference({ rows, firstAlone: secondAlone, secondAlone: firstAlone });
        expect(mirrored.low).toBeCloseTo(-high, 12);
        expect(mirrored.high).toBeCloseTo(-low, 12);
        expect(mean).toBeCloseTo((secondAlone - firstAlone) / rows, 12);
        if (firstAlone === secondAlone) expect(low < 0 && high > 0).toBeTrue();
      }),
    );
  });
});

describe("of independent figures", () => {
  test("is that of Newcombe's first example: 56 of 70 less 48 of 80", () => {
    const { mean, low, high } = independentDifference(wilsonInterval(48, 80), wilsonInterval(56, 70));
    expect(mean).toBeCloseTo(0.2, 12);
    expect(low).toBeCloseTo(0.0524, 4);
    expect(high).toBeCloseTo(0.3339, 4);
  });

  test("is wider than the paired one where both mostly decide alike", () => {
    const apart = independentDifference(wilsonInterval(900, 1_000), wilsonInterval(910, 1_000));
    const paired = pairedDifference({ rows: 1_000, firstAlone: 5, secondAlone: 15 });
    expect(paired.mean).toBeCloseTo(apart.mean, 12);
    expect(paired.high - paired.low).toBeLessThan((apart.high - apart.low) / 2);
  });
});
