// What a forest gained by each feature: against a naive recount of the grown trees, and which trees count.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { FitInput } from "../../../engine/fitting/family.ts";
import { neverStop } from "../../../engine/stop-signal.ts";
import type { ForestSettings } from "../../../engine/trees/forest.ts";
import { ForestGrower } from "../../../engine/trees/forest-growth.ts";
import { categoryFeature, drawInput, inputOf } from "../families/coded-input.ts";
import { gainsOf, growNaively, unfold } from "./naive-forest.ts";

const plain: ForestSettings = {
  variant: "forest",
  treeCount: 4,
  featuresPerSplit: 2,
  minLeafRows: 1,
  maxDepth: null,
  rowsPerTree: null,
};

function grow(input: FitInput, settings: ForestSettings, firstTree = 0): ForestGrower {
  const grower = new ForestGrower(input, settings, "votes", firstTree);
  grower.growTo(settings.treeCount);
  return grower;
}

function naiveGains(input: FitInput, settings: ForestSettings): number[] {
  const forest = grow(input, settings).forest();
  const total = input.view.features.map(() => 0);
  forest.roots.forEach((root, index) => {
    const { drawn } = growNaively(input, settings, index);
    gainsOf(unfold(forest, root), input, drawn).forEach((gain, feature) => {
      total[feature]! += gain;
    });
  });
  return total;
}

function expectClose(found: Float64Array, expected: readonly number[]): void {
  expect(found.length).toBe(expected.length);
  for (const [feature, gain] of expected.entries()) expect(found[feature]).toBeCloseTo(gain, 8);
}

describe("gains", () => {
  for (const variant of ["forest", "extra-trees"] as const) {
    for (const classCount of [2, 3, 7]) {
      test(`of ${variant} with ${classCount} classes equal the falls of impurity in the grown trees`, () => {
        fc.assert(
          fc.property(
            fc.record({
              seed: fc.integer(),
              rowCount: fc.integer({ min: 4, max: 80 }),
              minLeafRows: fc.constantFrom(1, 1, 3),
              maxDepth: fc.constantFrom(null, 2),
              rowsPerTree: fc.constantFrom(null, 15),
            }),
            ({ seed, rowCount, ...limits }) => {
              const input = drawInput({ seed, rowCount, classCount, bucketCounts: [8, 5, 300, 2] });
              const settings = { ...plain, ...limits, variant };
              expectClose(grow(input, settings).gains(), naiveGains(input, settings));
            },
          ),
          { numRuns: 40 },
        );
      });
    }
  }

  test("of one perfect split are the whole impurity", () => {
    const two = inputOf([categoryFeature([2, 2, 2, 3], 2)], [0, 0, 0, 1], 2);
    const three = inputOf([categoryFeature([2, 2, 3, 3], 2)], [0, 0, 2, 2], 3);
    const settings: ForestSettings = { ...plain, variant: "extra-trees", treeCount: 1 };
    expect([...grow(two, settings).gains()]).toEqual([1.5]);
    expect([...grow(three, settings).gains()]).toEqual([2]);
  });

  test("do not count trees that only vote, and are the same grown in steps", () => {
    const input = drawInput({ seed: 2, rowCount: 200, classCount: 3, bucketCounts: [8, 5, 30] });
    const settings: ForestSettings = { ...plain, variant: "extra-trees" };
    const stepwise = grow(input, { ...settings, treeCount: 1 });
    const first = stepwise.gains();
    stepwise.outOfBag();
    expect(stepwise.gains()).toEqual(first);
    stepwise.growTo(4);
    expect(stepwise.gains()).toEqual(grow(input, settings).gains());
    expect(first).not.toEqual(stepwise.gains());
  });

  test("do not count a tree that was dropped when time was up", () => {
    const big = drawInput({ seed: 9, rowCount: 12_000, classCount: 4, bucketCounts: [20, 20, 20, 20], missing: 0 });
    const slow = { ...plain, featuresPerSplit: 4, treeCount: 3 };
    let looks = 0;
    grow({ ...big, stop: { ...neverStop, timeIsUp: () => ++looks < 0 } }, slow);
    let look = 0;
    const stopped = grow({ ...big, stop: { ...neverStop, timeIsUp: () => ++look === looks } }, slow);
    expect(stopped.treeCount).toBe(2);
    expect(stopped.gains()).toEqual(grow(big, { ...slow, treeCount: 2 }).gains());
  });
});

describe("the first tree", () => {
  test("lets several growers share the trees of one forest", () => {
    const input = drawInput({ seed: 6, rowCount: 300, classCount: 2, bucketCounts: [8, 5, 30] });
    const whole = grow(input, plain);
    const early = grow(input, { ...plain, treeCount: 3 });
    const late = grow(input, { ...plain, treeCount: 1 }, 3);
    const last = whole.forest();
    const part = late.forest();
    expect(unfold(part, part.roots[0]!)).toEqual(unfold(last, last.roots[3]!));
    expectClose(
      whole.gains(),
      Array.from(early.gains(), (gain, feature) => gain + late.gains()[feature]!),
    );
  });
});
