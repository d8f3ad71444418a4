// Rows walked down trees side by side: each ends at the leaf that a walk of its own leads to.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { FIRST_CODE, MISSING_CODE, UNSEEN_CODE } from "../../../engine/buckets.ts";
import { Random } from "../../../engine/random.ts";
import { layOutForRows, rowWalkerOf } from "../../../engine/trees/row-walk.ts";
import {
  codesOfRow,
  isWorthLayingOut,
  leavesOfRow,
  MISSING_RIGHT,
  sideOf,
  type TreeNodes,
  TreeWalker,
} from "../../../engine/trees/tree-walk.ts";
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

function expectSameLeaves(trees: TreeNodes, view: ReturnType<typeof drawView>, rows: Uint32Array): void {
  const walker = new TreeWalker(trees, rows.length);
  for (let start = 0; start < rows.length; start += walker.blockRowCount) {
    const block = rows.subarray(start, start + walker.blockRowCount);
    walker.take(view, block);
    for (const tree of trees.roots.keys()) {
      const expected = Array.from(block, (row) =>
        leafOf(
          trees,
          tree,
          view.features.map(({ codes }) => codes[row]!),
        ),
      );
      expect([...walker.leavesOf(tree).subarray(0, block.length)]).toEqual(expected);
    }
  }
  walker.end();
}

test("rows end where a walk of their own ends", () => {
  fc.assert(
    fc.property(
      fc.integer(),
      fc.integer({ min: 0, max: 5 }),
      fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 4 }),
      fc.array(fc.nat(49), { minLength: 1, maxLength: 30 }),
      (seed, featureCount, splitCounts, rows) => {
        const random = new Random(seed);
        const trees = drawTrees(random, featureCount, splitCounts);
        expectSameLeaves(trees, drawView(random, featureCount, 50), Uint32Array.from(rows));
      },
    ),
    { numRuns: 300 },
  );
});

test("one row ends in each of the first trees where a walk of its own ends", () => {
  fc.assert(
    fc.property(
      fc.integer(),
      fc.integer({ min: 0, max: 5 }),
      fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 20 }),
      fc.nat(20),
      (seed, featureCount, splitCounts, limit) => {
        const random = new Random(seed);
        const trees = drawTrees(random, featureCount, splitCounts);
        const view = drawView(random, featureCount, 3);
        const leaves = new Uint32Array(Math.min(limit, splitCounts.length));
        leavesOfRow(trees, codesOfRow(view, 2), leaves);
        const codes = view.features.map((feature) => feature.codes[2]!);
        expect([...leaves]).toEqual(Array.from(leaves, (_, tree) => leafOf(trees, tree, codes)));
      },
    ),
    { numRuns: 300 },
  );
});

test("one row finds the words of the same leaves in trees that are laid out", () => {
  fc.assert(
    fc.property(
      fc.integer(),
      fc.array(fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 20 }), {
        minLength: 1,
        maxLength: 3,
      }),
      fc.nat(5),
      fc.nat(20),
      (seed, parts, featureCount, limit) => {
        const random = new Random(seed);
        const view = drawView(random, featureCount, 3);
        const laidOut = parts.map((splitCounts) => {
          const trees = drawTrees(random, featureCount, splitCounts);
          return { trees, words: trees.children.map(() => random.nextBelow(2 ** 32)) };
        });
        expect(laidOut.every(({ trees }) => rowWalkerOf(trees) === null)).toBe(true);
        expect(layOutForRows(laidOut)).toBeGreaterThan(0);
        for (const row of [0, 1, 2]) {
          const codes = view.features.map((feature) => feature.codes[row]!);
          for (const { trees, words } of laidOut) {
            const treeCount = Math.min(limit, trees.roots.length);
            const walker = rowWalkerOf(trees)!;
            walker.walk(view, row, treeCount);
            const expected = Array.from({ length: treeCount }, (_, tree) => words[leafOf(trees, tree, codes)]!);
            expect([...walker.words.subarray(0, treeCount)]).toEqual(expected);
          }
        }
      },
    ),
    { numRuns: 300 },
  );
});

test("trees of more columns than there are places for are not laid out", () => {
  const trees = drawTrees(new Random(3), 40_000, [50]);
  expect(layOutForRows([{ trees, words: trees.children }])).toBe(0);
  expect(rowWalkerOf(trees)).toBeNull();
});

test("block after block, where columns lack values in some of them alone", () => {
  const random = new Random(7);
  const trees = drawTrees(random, 500, [3, 200]);
  const view = drawView(random, 500, 2500);
  for (const { codes } of view.features.slice(0, 100)) codes.fill(FIRST_CODE, 0, 1500);
  expectSameLeaves(
    trees,
    view,
    Uint32Array.from({ length: 2500 }, (_, row) => row),
  );
});

test("few rows of large trees, and more columns than there are places for, are walked one by one", () => {
  const random = new Random(8);
  const trees = drawTrees(random, 3, [50, 60]);
  expect(isWorthLayingOut(trees, 1)).toBe(false);
  expect(isWorthLayingOut(trees, 100)).toBe(true);
  expect(isWorthLayingOut({ ...trees, featureCount: 40_000 }, 100)).toBe(false);
});
