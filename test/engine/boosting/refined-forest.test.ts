// Refined forests: their loss and its gradient against trees walked by hand,
// where a fit ends, and how it behaves at the edges.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { StoredArray } from "../../../engine/arrays/array-file.ts";
import { type BoostedTrees, scoreBoostedTrees } from "../../../engine/boosting/boosted-trees.ts";
import { BOOSTED_TREES } from "../../../engine/boosting/boosted-trees-form.ts";
import { fitRefinedForest } from "../../../engine/boosting/refined-forest.ts";
import { pathContributions } from "../../../engine/explain/boosting-contributions.ts";
import type { FitInput } from "../../../engine/fitting/family.ts";
import { softmaxInPlace } from "../../../engine/fitting/score-tables.ts";
import { gatherLogisticData, logisticLoss } from "../../../engine/logistic/logistic-objective.ts";
import { layOutTables } from "../../../engine/logistic/table-basis.ts";
import { Random } from "../../../engine/random.ts";
import { Cancelled } from "../../../engine/stop-signal.ts";
import { FIRST_CODE, MISSING_CODE } from "../../../engine/table/buckets.ts";
import { type Forest, type ForestSettings, scoreForest } from "../../../engine/trees/forest.ts";
import { ForestGrower } from "../../../engine/trees/forest-growth.ts";
import { leafColumns } from "../../../engine/trees/forest-leaves.ts";
import { MISSING_RIGHT } from "../../../engine/trees/tree-walk.ts";
import { shelfOf } from "../../support/map-shelf.ts";
import { categoryFeature, correctCount, drawInput, inputOf } from "../families/coded-input.ts";

const growth: ForestSettings = {
  variant: "forest",
  treeCount: 12,
  featuresPerSplit: 2,
  minLeafRows: 3,
  maxDepth: 4,
  rowsPerTree: null,
};
const settings = { forest: growth, l2: 10, maxIterations: 60 };

function grow(input: FitInput): Forest {
  const grower = new ForestGrower(input, growth, "no votes");
  grower.growTo(growth.treeCount);
  return grower.forest();
}

/** The node where a row ends, step by step. */
function leafOf(
  trees: Pick<Forest, "features" | "thresholds" | "children">,
  root: number,
  input: FitInput,
  row: number,
): number {
  let node = root;
  while (trees.children[node]! >= 0) {
    const threshold = trees.thresholds[node]!;
    const code = input.view.features[trees.features[node]!]!.codes[row]!;
    const goesRight = code < FIRST_CODE ? threshold >= MISSING_RIGHT : code > threshold % MISSING_RIGHT;
    node = trees.children[node]! + Number(goesRight);
  }
  return node;
}

/** Cross-entropy of the fit rows, each scored by its leaves, and the ridge on the leaves. */
function naiveLoss(model: BoostedTrees, input: FitInput, l2: number): number {
  const { outputCount, intercepts, roots, children, values } = model;
  let loss = 0;
  for (const row of input.rows) {
    const scores = intercepts.slice();
    for (const [tree, root] of roots.entries()) scores[tree % outputCount]! += values[leafOf(model, root, input, row)]!;
    const all = Float64Array.from(outputCount === 1 ? [0, ...scores] : scores);
    const own = all[input.classes[row]!]!;
    loss += softmaxInPlace(all, 0, all.length) - own;
  }
  for (const [node, value] of values.entries()) if (children[node]! < 0) loss += (l2 / 2) * value ** 2;
  for (const intercept of intercepts) loss += (1e-6 / 2) * intercept ** 2;
  return loss;
}

/** With room for small changes, which single precision would swallow. */
function precise(model: BoostedTrees): BoostedTrees {
  return { ...model, values: Float64Array.from(model.values) as never };
}

function answers(model: BoostedTrees, input: FitInput): Float64Array {
  const rows = Uint32Array.from({ length: input.view.rowCount }, (_, row) => row);
  const out = new Float64Array(rows.length * model.classCount);
  scoreBoostedTrees(model, input.view, rows, out);
  return out;
}

const draws = [fc.integer(), fc.integer({ min: 2, max: 4 })] as const;

describe("leafColumns", () => {
  test("has the leaf that each row ends in, from the first code on in the order of nodes", () => {
    fc.assert(
      fc.property(...draws, (seed, classCount) => {
        const input = drawInput({ seed, rowCount: 120, classCount, bucketCounts: [9, 4, 300] });
        const forest = grow(input);
        const { view, codeOfNode } = leafColumns(forest, input);
        for (const [tree, root] of forest.roots.entries()) {
          const nodes = [...codeOfNode.keys()].slice(root, forest.roots[tree + 1]);
          const leaves = nodes.filter((node) => forest.children[node]! < 0);
          const { codes, codeCount } = view.features[tree]!;
          expect(codeCount).toBe(FIRST_CODE + leaves.length);
          for (const [i, row] of input.rows.entries()) {
            const leaf = leafOf(forest, root, input, row);
            expect(codes[i]).toBe(FIRST_CODE + leaves.indexOf(leaf));
            expect(codeOfNode[leaf]).toBe(codes[i]!);
          }
        }
      }),
      { numRuns: 15 },
    );
  });
});

describe("fitRefinedForest", () => {
  test("the solver's gradient equals finite differences of the loss of trees walked by hand", () => {
    fc.assert(
      fc.property(...draws, (seed, classCount) => {
        const input = drawInput({ seed, rowCount: 50, classCount, bucketCounts: [6, 4, 8] });
        const model = precise(fitRefinedForest(input, { ...settings, maxIterations: 2 }));
        const { view } = leafColumns(grow(input), input);
        const rows = Uint32Array.from(input.rows, (_, i) => i);
        const classes = input.classes.filter((_, row) => row % 4 !== 3);
        const parts = layOutTables(view.features, [...view.features.keys()], "one-hot");
        const tableSize = view.features.reduce((sum, { codeCount }) => sum + codeCount, 0);
        const thetaSize = 1 + tableSize - view.features.length;
        const data = gatherLogisticData({ ...input, view, rows, classes }, parts, thetaSize, null);
        const { outputCount, intercepts, roots, children, values } = model;
        const theta = new Float64Array(outputCount * thetaSize);
        const nodeOf = new Map<number, number>();
        for (const [tree, root] of roots.entries()) {
          const base = (tree % outputCount) * thetaSize;
          let at = base + parts[Math.floor(tree / outputCount)]!.thetaOffset + 1;
          for (let node = root; node < (roots[tree + 1] ?? children.length); node++) {
            if (children[node]! >= 0) continue;
            theta[at] = values[node]!;
            nodeOf.set(at++, node);
          }
          theta[base] = intercepts[tree % outputCount]!;
        }
        const gradient = new Float64Array(theta.length);
        expect(logisticLoss(data, 10, theta, gradient)).toBeCloseTo(naiveLoss(model, input, 10), 8);
        for (const [at, node] of [...nodeOf].filter((_, index) => index % 7 === 0)) {
          const [up, down] = [precise(model), precise(model)];
          up.values[node]! += 1e-4;
          down.values[node]! -= 1e-4;
          const slope = (naiveLoss(up, input, 10) - naiveLoss(down, input, 10)) / 2e-4;
          expect(gradient[at]).toBeCloseTo(slope, 4);
        }
      }),
      { numRuns: 5 },
    );
  });

  test("ends where no leaf's weight can be bettered", () => {
    for (const classCount of [2, 3]) {
      const input = drawInput({ seed: 5, rowCount: 80, classCount, bucketCounts: [6, 4, 8] });
      const model = precise(fitRefinedForest(input, { ...settings, maxIterations: 2000 }));
      const loss = naiveLoss(model, input, 10);
      for (const [node, child] of model.children.entries()) {
        if (child >= 0) continue;
        for (const step of [-0.02, 0.02]) {
          const moved = precise(model);
          moved.values[node]! += step;
          expect(naiveLoss(moved, input, 10)).toBeGreaterThan(loss);
        }
      }
    }
  });

  test("keeps the trees of its forest, once for every output", () => {
    for (const classCount of [2, 3]) {
      const input = drawInput({ seed: 6, rowCount: 200, classCount, bucketCounts: [9, 4, 12] });
      const forest = grow(input);
      const { outputCount, roots, ...model } = fitRefinedForest(input, settings);
      expect(roots).toHaveLength(forest.roots.length * outputCount);
      for (let row = 0; row < 200; row += 9) {
        for (const [tree, root] of roots.entries()) {
          const original = forest.roots[Math.floor(tree / outputCount)]!;
          expect(leafOf(model, root, input, row) - root).toBe(leafOf(forest, original, input, row) - original);
        }
      }
    }
  });

  test("tells more than the forest alone where features act together", () => {
    const random = new Random(3);
    const lists = Array.from({ length: 6 }, () => Array.from({ length: 1600 }, () => random.nextBelow(8)));
    const classes = lists[0]!.map((value, row) => Number((value + lists[1]![row]! + lists[2]![row]!) % 16 >= 8));
    const features = lists.map((list) =>
      categoryFeature(
        list.map((value) => value + FIRST_CODE),
        8,
      ),
    );
    const every = inputOf(features, classes, 2);
    const input = { ...every, rows: every.rows.filter((row) => row % 2 === 0) };
    const held = every.rows.filter((row) => row % 2 === 1);
    const grown = { ...growth, treeCount: 80, maxDepth: 6 };
    const refined = fitRefinedForest(input, { ...settings, forest: grown, l2: 3 });
    const grower = new ForestGrower(input, grown, "no votes");
    grower.growTo(80);
    const votes = new Float64Array(3200);
    scoreForest(grower.forest(), input.view, every.rows, votes);
    expect(correctCount(answers(refined, input), input, held)).toBeGreaterThan(correctCount(votes, input, held) + 20);
  });

  test("a row's contributions come to the model's answer, and start from the mean of the fit rows", () => {
    for (const classCount of [2, 4]) {
      const input = drawInput({ seed: 7, rowCount: 300, classCount, bucketCounts: [9, 4, 30] });
      const model = fitRefinedForest(input, settings);
      const expected = answers(model, input);
      const mean = new Float64Array(classCount);
      for (let row = 0; row < 300; row++) {
        const codes = input.view.features.map((feature) => feature.codes[row]!);
        const { base, contributions } = pathContributions(model, codes);
        const scores = base.slice();
        for (const [at, value] of contributions.entries()) {
          scores[at % classCount]! += value;
          if (input.rows.includes(row)) mean[at % classCount]! += value / input.rows.length;
        }
        softmaxInPlace(scores, 0, classCount);
        for (const [k, value] of scores.entries()) expect(value).toBeCloseTo(expected[row * classCount + k]!, 9);
      }
      for (const value of mean) expect(value).toBeCloseTo(0, 5);
    }
  });

  test("only the fit rows count, and the same input gives the same bytes", () => {
    const input = drawInput({ seed: 8, rowCount: 240, classCount: 3, bucketCounts: [9, 4, 12] });
    const model = fitRefinedForest(input, settings);
    expect(fitRefinedForest(input, settings)).toEqual(model);
    const spoil = (values: Uint8Array) => values.map((value, row) => (row % 4 === 3 ? MISSING_CODE : value));
    const features = input.view.features.map((feature) => ({ ...feature, codes: spoil(feature.codes as Uint8Array) }));
    const others = { ...input, view: { ...input.view, features }, classes: spoil(input.classes) };
    expect(fitRefinedForest(others, settings)).toEqual(model);
  });

  test("classes without rows, features without values and a single row leave it finite", () => {
    const features = [categoryFeature(Array(40).fill(0), 3), categoryFeature(Array(40).fill(2), 3)];
    const flat = inputOf(
      features,
      Array.from({ length: 40 }, (_, row) => row % 2),
      4,
    );
    const one = drawInput({ seed: 1, rowCount: 1, classCount: 2, bucketCounts: [3] });
    for (const input of [flat, { ...one, rows: Uint32Array.of(0) }]) {
      const probabilities = answers(fitRefinedForest(input, settings), input);
      expect(probabilities.every((value) => value >= 0 && value <= 1)).toBeTrue();
    }
    const shares = answers(fitRefinedForest(flat, { ...settings, maxIterations: 300 }), flat);
    expect(shares[0]).toBeCloseTo(0.5, 1);
    expect(shares[2]).toBeLessThan(0.05);
  });

  test("grows no more trees than the solver has room for", () => {
    const random = new Random(2);
    const codes = () => Array.from({ length: 4000 }, () => FIRST_CODE + random.nextBelow(200));
    const classes = Array.from({ length: 4000 }, () => random.nextBelow(200));
    const input = inputOf([categoryFeature(codes(), 200), categoryFeature(codes(), 200)], classes, 200);
    const fine = { ...growth, treeCount: 40, minLeafRows: 1, maxDepth: null };
    const { roots, children } = fitRefinedForest(input, { forest: fine, l2: 10, maxIterations: 1 });
    expect(roots.length / 200).toBeLessThan(12);
    expect(children.length).toBeLessThan(12_000_000);
  });

  test("without time it gives the smoothed class frequencies; cancelled, it throws", () => {
    const input = drawInput({ seed: 9, rowCount: 100, classCount: 2, bucketCounts: [5, 5] });
    const late = { ...input, stop: { cancelled: () => false, timeIsUp: () => true } };
    const ones = input.rows.filter((row) => input.classes[row] === 1).length;
    const model = fitRefinedForest(late, settings);
    expect(model.roots).toHaveLength(1);
    expect(answers(model, input)[1]).toBeCloseTo((ones + 1) / (input.rows.length + 2), 10);
    const gone = { ...input, stop: { cancelled: () => true, timeIsUp: () => false } };
    expect(() => fitRefinedForest(gone, settings)).toThrow(Cancelled);
  });
});

test("a stronger ridge draws the leaves together", () => {
  const input = drawInput({ seed: 10, rowCount: 300, classCount: 2, bucketCounts: [9, 4, 12] });
  const widths = [1000, 100, 10].map((l2) => {
    const { values } = fitRefinedForest(input, { forest: growth, l2, maxIterations: 60 });
    return Math.max(...values.map(Math.abs));
  });
  expect(widths[0]!).toBeLessThan(widths[1]!);
  expect(widths[1]!).toBeLessThan(widths[2]!);
});

test("is stored as boosted trees are, and comes back the same", () => {
  for (const classCount of [2, 3]) {
    const input = drawInput({ seed: 11, rowCount: 200, classCount, bucketCounts: [9, 4, 12] });
    const model = fitRefinedForest(input, settings);
    const arrays = new Map<string, StoredArray>();
    const shelf = shelfOf(arrays);
    const head = BOOSTED_TREES.pack(model, shelf, "");
    expect(BOOSTED_TREES.unpack(head, [9, 4, 12], shelf, "")).toEqual(model);
    arrays.set(
      "roots",
      model.roots.map((root) => root + 1),
    );
    expect(BOOSTED_TREES.unpack(head, [9, 4, 12], shelf, "")).toBeNull();
  }
});
