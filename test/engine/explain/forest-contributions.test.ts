// Class shares along the paths of forests: those of the rows that pass, and each split's change to its own feature.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { ForestPaths } from "../../../engine/explain/forest-contributions.ts";
import type { FitInput } from "../../../engine/fitting/family.ts";
import { FIRST_CODE } from "../../../engine/table/buckets.ts";
import { type Forest, leafWeight } from "../../../engine/trees/forest.ts";
import { ForestGrower } from "../../../engine/trees/forest-growth.ts";
import { MISSING_RIGHT } from "../../../engine/trees/tree-walk.ts";
import { drawInput } from "../families/coded-input.ts";

function grow(input: FitInput, variant: "forest" | "extra-trees", minLeafRows: number): Forest {
  const settings = { variant, treeCount: 4, featuresPerSplit: 2, minLeafRows, maxDepth: null, rowsPerTree: null };
  const grower = new ForestGrower(input, settings, "no votes");
  grower.growTo(settings.treeCount);
  return grower.forest();
}

function childOf(forest: Forest, node: number, input: FitInput, row: number): number {
  const threshold = forest.thresholds[node]!;
  const code = input.view.features[forest.features[node]!]!.codes[row]!;
  const goesRight = code < FIRST_CODE ? threshold >= MISSING_RIGHT : code > threshold % MISSING_RIGHT;
  return forest.children[node]! + Number(goesRight);
}

/** Extra-trees learn from each row once: the class shares of the fit rows that come by a node, counted row by row. */
function naiveShares(forest: Forest, input: FitInput): number[][] {
  const counts = Array.from(forest.children, () => new Array<number>(input.classCount).fill(0));
  for (const row of input.rows) {
    for (const root of forest.roots) {
      for (let node = root; ; node = childOf(forest, node, input, row)) {
        counts[node]![input.classes[row]!]!++;
        if (forest.children[node]! < 0) break;
      }
    }
  }
  return counts.map((own) => {
    const all = own.reduce((sum, count) => sum + count, 0);
    return own.map((count) => count / all);
  });
}

test("equal a recount of the rows at every node", () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 2, max: 4 }), (seed, classCount) => {
      const input = drawInput({ seed, rowCount: 200, classCount, bucketCounts: [9, 4, 20] });
      const forest = grow(input, "extra-trees", 3);
      const shares = naiveShares(forest, input);
      const paths = new ForestPaths(forest);
      for (let row = 0; row < 200; row += 13) {
        const expected = Array.from({ length: 3 }, () => new Array<number>(classCount).fill(0));
        for (const root of forest.roots) {
          for (let node = root; forest.children[node]! >= 0; ) {
            const next = childOf(forest, node, input, row);
            const own = expected[forest.features[node]!]!;
            for (let k = 0; k < classCount; k++) own[k]! += (shares[next]![k]! - shares[node]![k]!) / 4;
            node = next;
          }
        }
        const { base, contributions } = paths.contributions(input.view.features.map(({ codes }) => codes[row]!));
        for (const [at, value] of expected.flat().entries()) expect(contributions[at]).toBeCloseTo(value, 5);
        for (let k = 0; k < classCount; k++) expect(base[k]).toBeCloseTo(shares[0]![k]!, 5);
      }
    }),
    { numRuns: 10 },
  );
});

test("refuse a forest whose nodes would take too much memory, saying how much", () => {
  const forest: Forest = {
    kind: "forest",
    classCount: 255,
    featureCount: 1,
    roots: Uint32Array.of(0),
    features: new Uint16Array(2 ** 20),
    thresholds: new Uint16Array(2 ** 20),
    children: new Int32Array(2 ** 20),
    distributions: new Float32Array(0),
  };
  expect(() => new ForestPaths(forest)).toThrow("would take 1020 MiB, and may take 512");
});

test("leaves weigh as many rows as the tree drew, also beyond two bytes", () => {
  const few = drawInput({ seed: 2, rowCount: 300, classCount: 3, bucketCounts: [9, 4] });
  const many = drawInput({ seed: 3, rowCount: 100_000, classCount: 2, bucketCounts: [2], missing: 0 });
  for (const [input, variant] of [
    [few, "forest"],
    [few, "extra-trees"],
    [many, "extra-trees"],
  ] as const) {
    const forest = grow(input, variant, 1);
    let sum = 0;
    forest.children.forEach((child, node) => {
      if (child < 0) sum += leafWeight(forest, node);
    });
    expect(sum).toBe(input.rows.length * forest.roots.length);
  }
});
