// Rows walked down trees: each ends at the leaf that single steps lead to, in
// blocks, one by one and in trees that are laid out.
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { TreeNodes } from "../../../engine/fitting/tree-nodes.ts";
import { Random } from "../../../engine/random.ts";
import { FIRST_CODE, MISSING_CODE, UNSEEN_CODE } from "../../../engine/table/buckets.ts";
import { layOutForRows, rowWalkerOf } from "../../../engine/trees/row-walk.ts";
import { MISSING_RIGHT, sideOf, walkBlocks } from "../../../engine/trees/tree-walk.ts";
import { walkTrees } from "../../../engine/trees/walk-trees.ts";
import { categoryFeature } from "../families/coded-input.ts";

/** Trees of any shape, thresholds beyond the codes too; leaves have any words but for a negative child. */
function drawTrees(random: Random, featureCount: number, splitCounts: readonly number[]): TreeNodes {
  const features: number[] = [];
  const thresholds: number[] = [];
  const children: number[] = [];
  const roots = splitCounts.map((splitCount) => {
    const root = children.length;
    const open = [root];
    const addLeaf = () => {
      features.push(random.nextBelow(0x10000));
      thresholds.push(random.nextBelow(0x10000));
      children.push(~random.nextBelow(100));
    };
    addLeaf();
    for (let split = 0; split < splitCount && featureCount > 0; split++) {
      const [node] = open.splice(random.nextBelow(open.length), 1);
      features[node!] = random.nextBelow(featureCount);
      thresholds[node!] =
        random.nextBelow([10, 300, 0x8000][random.nextBelow(3)]!) | (random.nextBelow(2) * MISSING_RIGHT);
      children[node!] = children.length;
      open.push(children.length, children.length + 1);
      addLeaf();
      addLeaf();
    }
    return root;
  });
  return {
    featureCount,
    roots: Uint32Array.from(roots),
    features: Uint16Array.from(features),
    thresholds: Uint16Array.from(thresholds),
    children: Int32Array.from(children),
  };
}

function drawView(random: Random, featureCount: number, rowCount: number) {
  const features = Array.from({ length: featureCount }, () => {
    const buckets = [3, 254, 300, 65_000][random.nextBelow(4)]!;
    const missing = [0, 0.2][random.nextBelow(2)]!;
    const codes = Array.from({ length: rowCount }, () =>
      random.nextFloat() < missing
        ? [MISSING_CODE, UNSEEN_CODE][random.nextBelow(2)]!
        : FIRST_CODE + random.nextBelow(buckets),
    );
    return categoryFeature(codes, buckets);
  });
  return { rowCount, features };
}

/** The oracle: one row, one step after the other. */
function leafOf(trees: TreeNodes, tree: number, codes: readonly number[]): number {
  let node = trees.roots[tree]!;
  for (let child = trees.children[node]!; child >= 0; child = trees.children[node]!) {
    const code = codes[trees.features[node]!]!;
    node = child + sideOf(trees.thresholds[node]!, code < FIRST_CODE ? 0 : code);
  }
  return node;
}

type Walk = typeof walkTrees;

/** Walks rows down the first trees and compares every leaf with the oracle's. */
function expectSameLeaves(
  walk: Walk,
  trees: TreeNodes,
  treeCount: number,
  view: ReturnType<typeof drawView>,
  rows: Uint32Array,
): void {
  const found = Array.from({ length: treeCount }, () => rows.map(() => 0xffff_ffff));
  walk(trees, treeCount, view, rows, (tree, leaves, from, start, count) => {
    found[tree]!.set(leaves.subarray(from, from + count), start);
  });
  for (const [tree, leaves] of found.entries()) {
    const expected = rows.map((row) =>
      leafOf(
        trees,
        tree,
        view.features.map(({ codes }) => codes[row]!),
      ),
    );
    expect(leaves).toEqual(expected);
  }
}

/** Calls `check` with drawn trees, a view and a number of trees to walk. */
function forAnyTrees(
  rowCount: number,
  check: (trees: TreeNodes, treeCount: number, view: ReturnType<typeof drawView>, random: Random) => void,
): void {
  fc.assert(
    fc.property(
      fc.integer(),
      fc.integer({ min: 0, max: 5 }),
      fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 20 }),
      fc.nat(20),
      (seed, featureCount, splitCounts, limit) => {
        const random = new Random(seed);
        const trees = drawTrees(random, featureCount, splitCounts);
        check(trees, Math.min(limit, splitCounts.length), drawView(random, featureCount, rowCount), random);
      },
    ),
    { numRuns: 300 },
  );
}

test("rows in blocks end at the leaves of single steps", () => {
  forAnyTrees(50, (trees, treeCount, view, random) => {
    const rows = Uint32Array.from({ length: 1 + random.nextBelow(30) }, () => random.nextBelow(50));
    expectSameLeaves(walkBlocks, trees, treeCount, view, rows);
  });
});

test("few rows of large trees, which are walked one by one, end at the leaves of single steps", () => {
  const random = new Random(8);
  for (const size of [600, 2000, 5000]) {
    const trees = drawTrees(random, 5, [size, size, size]);
    expectSameLeaves(walkTrees, trees, 3, drawView(random, 5, 3), Uint32Array.of(2, 0));
  }
});

test("rows end at the leaves of single steps in trees that are laid out for rows", () => {
  forAnyTrees(3, (trees, treeCount, view, random) => {
    const parts = [trees, drawTrees(random, view.features.length, [20, 0, 50]), { ...trees }];
    expect(parts.every((part) => rowWalkerOf(part) === null)).toBe(true);
    expect(layOutForRows(parts)).toBeGreaterThan(0);
    for (const part of parts) {
      const ownCount = Math.min(treeCount, part.roots.length);
      for (const row of [0, 1, 2]) {
        const walker = rowWalkerOf(part)!;
        walker.walk(view, row, ownCount);
        const codes = view.features.map((feature) => feature.codes[row]!);
        const expected = Array.from({ length: ownCount }, (_, tree) => leafOf(part, tree, codes));
        expect([...walker.leaves.subarray(0, ownCount)]).toEqual(expected);
      }
      expectSameLeaves(walkTrees, part, ownCount, view, Uint32Array.of(1, 0));
    }
  });
});

test("trees of more columns than there are places for are walked as they are", () => {
  const random = new Random(3);
  const trees = drawTrees(random, 40_000, [50]);
  expect(layOutForRows([trees])).toBe(0);
  expect(rowWalkerOf(trees)).toBeNull();
  expectSameLeaves(walkTrees, trees, 1, drawView(random, 40_000, 2), Uint32Array.of(0, 1));
});

test("block after block, where columns lack values in some of them alone", () => {
  const random = new Random(7);
  const trees = drawTrees(random, 500, [3, 200]);
  const view = drawView(random, 500, 2500);
  for (const { codes } of view.features.slice(0, 100)) codes.fill(FIRST_CODE, 0, 1500);
  const rows = Uint32Array.from({ length: 2500 }, (_, row) => row);
  expectSameLeaves(walkTrees, trees, 2, view, rows);
});
