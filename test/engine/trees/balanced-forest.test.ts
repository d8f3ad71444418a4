// Balanced forests: every tree draws as many rows of each class, and rows keep their votes.
import { describe, expect, test } from "bun:test";
import type { FitInput } from "../../../engine/families/family.ts";
import { type Forest, type ForestSettings, leafWeight } from "../../../engine/trees/forest.ts";
import { ForestGrower } from "../../../engine/trees/forest-growth.ts";
import { drawInput } from "../families/coded-input.ts";

const settings: ForestSettings = {
  variant: "forest",
  treeCount: 60,
  featuresPerSplit: 2,
  minLeafRows: 3,
  maxDepth: null,
  rowsPerTree: null,
};

/** The input with all but a few rows of the last class left out. */
function rarefied(input: FitInput, kept: number): FitInput {
  let left = kept;
  const rows = input.rows.filter((row) => input.classes[row] !== input.classCount - 1 || left-- > 0);
  return { ...input, rows };
}

function grow(input: FitInput, changes: Partial<ForestSettings>): ForestGrower {
  const grower = new ForestGrower(input, { ...settings, ...changes });
  grower.growTo(settings.treeCount);
  return grower;
}

/** What the leaves of each tree weigh, by class. */
function weights(forest: Forest): number[][] {
  return Array.from(forest.roots, (root, tree) => {
    const sums = new Array<number>(forest.classCount).fill(0);
    for (let node = root; node < (forest.roots[tree + 1] ?? forest.children.length); node++) {
      const child = forest.children[node]!;
      if (child >= 0) continue;
      for (let k = 0; k < forest.classCount; k++) {
        sums[k]! += leafWeight(forest, node) * forest.distributions[~child * forest.classCount + k]!;
      }
    }
    return sums.map(Math.round);
  });
}

describe.each([2, 4])("of %d classes", (classCount) => {
  const drawn = drawInput({ seed: 1, rowCount: 2000, classCount, bucketCounts: [12, 5, 30] });
  const input = rarefied(drawn, 40);

  test("every tree has as many rows of each as the rarest has", () => {
    for (const own of weights(grow(input, { balanced: true }).forest())) {
      expect(own).toEqual(new Array<number>(classCount).fill(40));
    }
  });

  test("the rare class gets more of the votes, by far", () => {
    const plain = grow(input, {}).outOfBag();
    const balanced = grow(input, { balanced: true }).outOfBag();
    const rareShare = (probabilities: Float64Array) =>
      probabilities.reduce((sum, share, cell) => sum + (cell % classCount === classCount - 1 ? share : 0), 0);
    expect(rareShare(balanced)).toBeGreaterThan(2 * rareShare(plain));
  });

  test("trees of next to no rare rows still see some of each, and never more in all than a tree may", () => {
    const few = weights(grow(rarefied(drawn, 2), { balanced: true }).forest());
    for (const own of few) expect(own).toEqual(new Array<number>(classCount).fill(60 / classCount));
    const short = weights(grow(input, { balanced: true, rowsPerTree: 41 }).forest());
    for (const own of short) expect(own).toEqual(new Array<number>(classCount).fill(Math.floor(41 / classCount)));
  });
});

test("classes without rows are not drawn", () => {
  const input = rarefied(drawInput({ seed: 3, rowCount: 800, classCount: 3, bucketCounts: [12, 5] }), 0);
  for (const [, , last] of weights(grow(input, { balanced: true }).forest())) expect(last).toBe(0);
});
