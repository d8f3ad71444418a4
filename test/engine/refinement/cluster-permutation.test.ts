// Grouped permutation: against scoring the whole forest on shuffled columns,
// with its limits of memory, time and arguments.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { sampleRows } from "../../../engine/fitting/row-sample.ts";
import { decide } from "../../../engine/judging/metrics.ts";
import { deriveSeed, Random, shuffle } from "../../../engine/random.ts";
import {
  type ClusterLoss,
  type ClusterPermutationInput,
  permuteClusters,
} from "../../../engine/refinement/cluster-permutation.ts";
import { Cancelled, neverStop } from "../../../engine/stop-signal.ts";
import { type CodedView, selectRows } from "../../../engine/table/buckets.ts";
import { type Forest, scoreForest } from "../../../engine/trees/forest.ts";
import { ForestGrower } from "../../../engine/trees/forest-growth.ts";
import { type DrawnSettings, drawInput } from "../families/coded-input.ts";

function foldOf(
  drawn: DrawnSettings,
  own: Pick<ClusterPermutationInput, "clusters" | "treeCount" | "minLeafRows">,
): ClusterPermutationInput {
  const { view, rows, classes, classCount, seed, stop } = drawInput(drawn);
  const judging = Uint32Array.from({ length: view.rowCount }, (_, row) => row).filter((row) => row % 4 === 3);
  return { view, rows, judging, classes, classCount, seed, stop, ...own };
}

/** Shuffles whole columns and scores every tree again. */
function permuteNaively(input: ClusterPermutationInput): ClusterLoss[] {
  const { view, rows, classes, classCount, seed, treeCount } = input;
  const { features } = view;
  const fit = { view, rows, classes, classCount, seed: deriveSeed(seed, 41), stop: neverStop };
  const grower = new ForestGrower(fit, {
    variant: "forest",
    treeCount,
    featuresPerSplit: Math.max(1, Math.round(Math.sqrt(features.length))),
    minLeafRows: input.minLeafRows,
    maxDepth: null,
    rowsPerTree: null,
  });
  grower.growTo(treeCount);
  const forest = grower.forest();
  const sample = sampleRows({ rows: input.judging, classes, classCount }, 2000, deriveSeed(seed, 42));
  const own = Array.from(sample, (row) => classes[row]!);
  const sampled = selectRows(view, sample);
  const before = scores(forest, sampled);
  return input.clusters.map((members, cluster) => {
    const after = [0, 1].map((shuffled) => {
      const order = Uint32Array.from(sample, (_, index) => index);
      shuffle(order, new Random(deriveSeed(deriveSeed(seed, 43), cluster, shuffled)));
      const moved = selectRows(sampled, order);
      const mixed = sampled.features.map((feature, index) =>
        members.includes(index) ? moved.features[index]! : feature,
      );
      return scores(forest, { rowCount: sampled.rowCount, features: mixed });
    });
    const rightBefore = rightness(before, own, classCount);
    const rightAfter = after.map((shares) => rightness(shares, own, classCount));
    const falls = own.map((k, row) => {
      const at = row * classCount + k;
      return before[at]! - (after[0]![at]! + after[1]![at]!) / 2;
    });
    return {
      sum: falls.reduce((total, fall) => total + fall, 0),
      sumOfSquares: falls.reduce((total, fall) => total + fall * fall, 0),
      rowCount: own.length,
      accuracyLossSum: own.reduce(
        (total, _, row) => total + rightBefore[row]! - (rightAfter[0]![row]! + rightAfter[1]![row]!) / 2,
        0,
      ),
    };
  });
}

function scores(forest: Forest, view: CodedView): Float64Array {
  const rows = Uint32Array.from({ length: view.rowCount }, (_, row) => row);
  const out = new Float64Array(rows.length * forest.classCount);
  scoreForest(forest, view, rows, out);
  return out;
}

function rightness(probabilities: Float64Array, own: readonly number[], classCount: number): number[] {
  const decisions = decide(probabilities, classCount);
  return own.map((k, row) => (decisions[row] === k ? 1 : 0));
}

function expectEqual(found: readonly ClusterLoss[], expected: readonly ClusterLoss[]): void {
  expect(found.length).toBe(expected.length);
  found.forEach((loss, index) => {
    const naive = expected[index]!;
    expect(loss.sum).toBeCloseTo(naive.sum, 9);
    expect(loss.sumOfSquares).toBeCloseTo(naive.sumOfSquares, 9);
    expect(loss.rowCount).toBe(naive.rowCount);
    expect(loss.accuracyLossSum).toBe(naive.accuracyLossSum);
  });
}

describe("grouped permutation", () => {
  test("equals scoring the whole forest on shuffled columns", () => {
    fc.assert(
      fc.property(
        fc.integer(),
        fc.integer({ min: 4, max: 160 }),
        fc.constantFrom(2, 3, 6),
        fc.constantFrom(1, 1, 4),
        fc.constantFrom([4, 2, 300, 2, 9, 3], [8, 5, 20, 2, 2, 2]),
        (seed, rowCount, classCount, minLeafRows, bucketCounts) => {
          const input = foldOf(
            { seed, rowCount, classCount, bucketCounts },
            { clusters: [[1], [0, 4], [3]], treeCount: 10, minLeafRows },
          );
          expectEqual(permuteClusters(input), permuteNaively(input));
        },
      ),
      { numRuns: 120 },
    );
  });

  test("equals it on a sample of many rows, and where one block cannot hold the changes of all rows", () => {
    const drawn = { seed: 5, rowCount: 9000, classCount: 2, bucketCounts: new Array<number>(30).fill(10) };
    const own = { clusters: [[0], [1, 2], [3, 4, 5]], treeCount: 6, minLeafRows: 5 };
    const many = foldOf(drawn, own);
    const losses = permuteClusters(many);
    expect(losses[0]!.rowCount).toBeGreaterThanOrEqual(2000);
    expect(losses[0]!.rowCount).toBeLessThanOrEqual(2002);
    expectEqual(losses, permuteNaively(many));
    const wide = foldOf({ ...drawn, rowCount: 2000, classCount: 100 }, own);
    const clusters = Array.from({ length: 60 }, (_, index) => (index < 30 ? [index] : []));
    const blocked = permuteClusters({ ...wide, clusters });
    expectEqual(blocked.slice(0, 3), permuteNaively({ ...wide, clusters: clusters.slice(0, 3) }));
    expect(blocked[45]).toEqual({ sum: 0, sumOfSquares: 0, rowCount: 500, accuracyLossSum: 0 });
  });

  test("measures a group alike whatever other groups are shuffled in the same unit", () => {
    const drawn = { seed: 8, rowCount: 700, classCount: 3, bucketCounts: [6, 9, 4, 20, 3] };
    const clusters = [[0], [1, 2], [3], [4]];
    const input = foldOf(drawn, { clusters, treeCount: 20, minLeafRows: 2 });
    const losses = permuteClusters(input);
    for (const cuts of [2, 3]) {
      for (const group of clusters.keys()) {
        const some = clusters.map((own, other) => (other % cuts === group % cuts ? own : []));
        expect(permuteClusters({ ...input, clusters: some })[group]).toEqual(losses[group]);
      }
    }
  });

  test("shows copies that stand in for each other only when they are shuffled together", () => {
    const input = foldOf(
      { seed: 4, rowCount: 3000, classCount: 2, bucketCounts: [6, 6, 6] },
      { clusters: [[0, 3], [1], [2]], treeCount: 30, minLeafRows: 10 },
    );
    const view = { ...input.view, features: [...input.view.features, input.view.features[0]!] };
    const [together] = permuteClusters({ ...input, view });
    const [alone] = permuteClusters({ ...input, view, clusters: [[0], [3], [1], [2]] });
    expect(together!.sum).toBeGreaterThan(1.3 * alone!.sum);
    expect(together!.accuracyLossSum).toBeGreaterThan(0);
  });

  test("stops when cancelled, and makes do with one tree when time is up", () => {
    const input = foldOf(
      { seed: 6, rowCount: 200, classCount: 2, bucketCounts: [6, 6] },
      { clusters: [[0], [1]], treeCount: 5, minLeafRows: 1 },
    );
    expect(permuteClusters({ ...input, stop: { ...neverStop, timeIsUp: () => true } })).toEqual(
      permuteClusters({ ...input, treeCount: 1 }),
    );
    let looks = 0;
    const counting = { ...neverStop, cancelled: () => ++looks < 0 };
    permuteClusters({ ...input, stop: counting });
    const lookCount = looks;
    expect(lookCount).toBeGreaterThanOrEqual(12);
    for (let last = 1; last <= lookCount; last++) {
      looks = 0;
      expect(() => permuteClusters({ ...input, stop: { ...neverStop, cancelled: () => ++looks === last } })).toThrow(
        Cancelled,
      );
    }
  });
});
