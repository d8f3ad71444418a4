// Which of two models is right more often on the same rows: the exact test
// against scipy and simulated luck.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { Random } from "../../../engine/random.ts";
import { keptCount, requireTwoLabels } from "../../../engine/successor/kept-rows.ts";
import { BETTER_LEVEL, judgePaired } from "../../../engine/successor/paired-decisions.ts";

const exactPairedTest = (one: number, other: number) => judgePaired(decisions(100, one, other)).pValue;

test("the exact test is a chance, and the same for both models", () => {
  fc.assert(
    fc.property(fc.nat(400), fc.nat(400), (one, other) => {
      const chance = exactPairedTest(one, other);
      expect(chance).toBeLessThanOrEqual(1);
      expect(exactPairedTest(other, one)).toBe(chance);
    }),
  );
});

// scipy.stats.binomtest(max(a, b), a + b).pvalue
test.each([
  [2, 6, 0.2890625],
  [5, 20, 0.00407731533050537],
  [0, 6, 0.03125],
  [10, 10, 1],
  [0, 0, 1],
  [120, 170, 0.00393333651282517],
  [1_000, 1_100, 0.03072070786424249],
])("of %d and %d rows it is what scipy says", (one, other, chance) => {
  expect(exactPairedTest(one, other)).toBeCloseTo(chance, 12);
});

test("a challenger is called better at most as often as the level says where both are alike", () => {
  const random = new Random(7);
  let calls = 0;
  const trials = 4_000;
  for (let trial = 0; trial < trials; trial++) {
    const [own, other] = [0, 0].map(
      () => Array.from({ length: 40 }, () => random.nextUint32() % 2 === 0).filter(Boolean).length,
    );
    const { outcome } = judgePaired(decisions(100, own!, other!));
    if (outcome === "CHALLENGER_BETTER") calls++;
  }
  expect(calls / trials).toBeLessThan(BETTER_LEVEL / 2 + 0.01);
});

test("the verdict counts what the matrices hold", () => {
  expect(judgePaired(decisions(100, 5, 20))).toMatchObject({
    ...{ rowCount: 125, championRight: 105, challengerRight: 120, outcome: "CHALLENGER_BETTER" },
    difference: { mean: 15 / 125 },
  });
  expect(judgePaired(decisions(100, 20, 5)).outcome).toBe("CHAMPION_BETTER");
  expect(judgePaired(decisions(100, 6, 6)).outcome).toBe("WITHIN_CHANCE");
});

/** Both decide `both` rows right; each other one only one of them does. All rows have the first of two labels. */
function decisions(both: number, championAlone: number, challengerAlone: number) {
  const matrix = (right: number, wrong: number) => [
    [right, wrong],
    [0, 0],
  ];
  return {
    labels: ["a", "b"],
    champion: matrix(both + championAlone, challengerAlone),
    challenger: matrix(both + challengerAlone, championAlone),
    ...{ championAlone, challengerAlone },
  };
}

test("three tenths are kept, 50 at least, and never more than are learned from", () => {
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 100_000 }), (labelled) => {
      const kept = keptCount(labelled);
      expect(kept).toBeGreaterThanOrEqual(Math.max(50, 0.3 * labelled));
      expect(labelled - kept).toBeGreaterThanOrEqual(50);
      expect(kept).toBeLessThanOrEqual(Math.max(50, 0.3 * labelled + 1));
    }),
  );
  expect(() => keptCount(99)).toThrow(/99 labelled rows/);
  expect(() => requireTwoLabels([0, 60])).toThrow(/same label/);
  expect(() => requireTwoLabels([1, 60])).not.toThrow();
});
