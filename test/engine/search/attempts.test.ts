// The plan of attempts: its length, its order, its seeds and its bounds.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { familyOf, type ModelSettings } from "../../../engine/families/algorithms.ts";
import { ATTEMPTS_PER_ROUND, planAttempts } from "../../../engine/search/attempts.ts";
import type { PlanShape } from "../../../engine/search/plan-entries.ts";
import { SMALL_ROWS } from "../../../engine/splits/holdout.ts";
import { treeLimit } from "../../../engine/trees/forest-size.ts";

const shape: PlanShape = {
  learningRowCount: 4000,
  featureCount: 16,
  classCount: 3,
  numberOfBuckets: 20,
  scalingFactor: 19,
  hasStacks: true,
  tunesWeights: false,
  seed: 1,
};

describe("plan of attempts", () => {
  test("where class weights are tuned, nothing changes but that none may end early", () => {
    const plan = planAttempts(shape);
    expect(plan.some(({ isWeak }) => isWeak)).toBeTrue();
    expect(planAttempts({ ...shape, tunesWeights: true })).toEqual(plan.map((spec) => ({ ...spec, isWeak: false })));
  });

  test("small tables without text have a plan of their own: hidden layers, and mostly weak attempts", () => {
    const planOf = (changes: Partial<PlanShape>) => planAttempts({ ...shape, ...changes });
    const ridgesOf = (changes: Partial<PlanShape>) =>
      planOf(changes).flatMap(({ settings }) =>
        settings.algorithm === "logistic regression with a hidden layer" ? settings.l2 : [],
      );
    expect(ridgesOf({ learningRowCount: SMALL_ROWS })).toEqual([0.3, 3]);
    expect(ridgesOf({ learningRowCount: SMALL_ROWS + 1 })).toEqual([]);
    expect(ridgesOf({ learningRowCount: SMALL_ROWS, hasTexts: true })).toEqual([]);
    const small = planOf({ learningRowCount: SMALL_ROWS });
    expect(small.slice(0, 11).filter(({ isWeak }) => isWeak)).toEqual([]);
    expect(small.slice(11).filter(({ isWeak }) => !isWeak)).toEqual([]);
    expect(new Set(small.slice(0, 3).map(({ settings }) => familyOf(settings))).size).toBe(3);
  });

  test("held to a number of trees has no larger forest, and is otherwise as it was", () => {
    const wide = { ...shape, learningRowCount: 8_000, scalingFactor: 60 };
    const cut = (settings: object) => ("treeCount" in settings ? { ...settings, treeCount: 0 } : settings);
    const [held, whole] = [{ ...wide, mostTrees: 60 }, wide].map((asked) =>
      planAttempts(asked).flatMap(({ settings, rivals }) => [settings, ...rivals]),
    ) as [ModelSettings[], ModelSettings[]];
    expect(held.map(cut)).toEqual(whole.map(cut));
    const treesOf = (all: readonly ModelSettings[]) =>
      all.flatMap((settings) => (settings.algorithm === "forest" ? settings.treeCount : []));
    expect([Math.max(...treesOf(held)), Math.max(...treesOf(whole))]).toEqual([60, 300]);
    const forest = { treeCount: 60, rowsPerTree: null };
    expect([treeLimit(forest, 4_000, 60), treeLimit(forest, 4_000)]).toEqual([60, 1_000]);
  });

  test("has 1 + scalingFactor attempts, and never fewer than one of each family", () => {
    for (const [scalingFactor, count] of [
      [0, 3],
      [1, 3],
      [2, 3],
      [3, 4],
      [19, 20],
      [499, 500],
    ] as const) {
      const plan = planAttempts({ ...shape, scalingFactor });
      expect(plan.map(({ attempt }) => attempt)).toEqual(Array.from({ length: count }, (_, i) => i + 1));
      expect(new Set(plan.slice(0, 3).map(({ settings }) => familyOf(settings))).size).toBe(3);
    }
  });

  test("no two attempts are alike, on tables of any shape, for any objective and scaling factor", () => {
    fc.assert(
      fc.property(
        fc.record({
          learningRowCount: fc.oneof(fc.integer({ min: 8, max: 6_000 }), fc.integer({ min: 8, max: 5_000_000 })),
          featureCount: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 10_000 })),
          classCount: fc.integer({ min: 2, max: 255 }),
          numberOfBuckets: fc.oneof(fc.constantFrom(8, 10, 20, 64), fc.integer({ min: 4, max: 1000 })),
          scalingFactor: fc.integer({ min: 0, max: 150 }),
          hasStacks: fc.boolean(),
          tunesWeights: fc.boolean(),
          seed: fc.nat(),
        }),
        (any) => {
          const seen = new Map<string, number>();
          for (const { attempt, settings, buckets } of planAttempts(any)) {
            // A later round's stack rests on more attempts.
            const round = settings.algorithm === "stack" ? Math.ceil(attempt / ATTEMPTS_PER_ROUND) : null;
            const likeness = JSON.stringify([settings, buckets, round]);
            if (seen.has(likeness)) throw new Error(`${seen.get(likeness)} and ${attempt} are alike: ${likeness}`);
            seen.set(likeness, attempt);
          }
        },
      ),
      {
        numRuns: 300,
        examples: [
          [{ ...shape, learningRowCount: 100_000, hasStacks: false }],
          [{ ...shape, scalingFactor: 99, tunesWeights: true }],
        ],
      },
    );
  });

  test("a wider search begins with the narrower one", () => {
    const narrow = planAttempts(shape);
    expect(planAttempts({ ...shape, scalingFactor: 99 }).slice(0, narrow.length)).toEqual(narrow);
  });

  test("every attempt has a seed of its own, and the run's seed decides them", () => {
    const seeds = planAttempts({ ...shape, scalingFactor: 499 }).map(({ seed }) => seed);
    expect(new Set(seeds).size).toBe(seeds.length);
    expect(planAttempts(shape)).toEqual(planAttempts(shape));
    expect(planAttempts({ ...shape, seed: 2 })).not.toEqual(planAttempts(shape));
  });

  test("settings stay within their bounds on tables of any shape", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 8, max: 5_000_000 }),
        fc.integer({ min: 1, max: 10_000 }),
        fc.integer({ min: 4, max: 1000 }),
        fc.nat(),
        (learningRowCount, featureCount, numberOfBuckets, seed) => {
          const plan = planAttempts({
            learningRowCount,
            featureCount,
            classCount: 2,
            numberOfBuckets,
            scalingFactor: 60,
            hasStacks: true,
            tunesWeights: false,
            seed,
          });
          for (const { settings, buckets } of plan) {
            if (typeof buckets === "number") expect(buckets).toBeGreaterThanOrEqual(4);
            if (settings.algorithm !== "forest") continue;
            expect(settings.featuresPerSplit).toBeGreaterThanOrEqual(1);
            expect(settings.featuresPerSplit).toBeLessThanOrEqual(featureCount);
            expect(settings.treeCount).toBeGreaterThanOrEqual(60);
            expect(settings.rowsPerTree === null || settings.rowsPerTree < learningRowCount).toBeTrue();
          }
        },
      ),
      { numRuns: 30 },
    );
  });
});
