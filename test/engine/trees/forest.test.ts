// Forests: node by node against a naive one, votes against a recount, growth
// in steps, limits, time and cancellation, scoring.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { FitInput } from "../../../engine/fitting/family.ts";
import { Cancelled, neverStop, type StopSignal } from "../../../engine/stop-signal.ts";
import { type Forest, type ForestSettings, scoreForest } from "../../../engine/trees/forest.ts";
import { ForestGrower } from "../../../engine/trees/forest-growth.ts";
import { everyRow } from "../../support/tables.ts";
import { categoryFeature, correctCount, drawInput, inputOf, smallInputs } from "../families/coded-input.ts";
import { growNaively, unfold, walk } from "./naive-forest.ts";

const plain: ForestSettings = {
  variant: "forest",
  treeCount: 3,
  featuresPerSplit: 2,
  minLeafRows: 1,
  maxDepth: null,
  rowsPerTree: null,
};

const inputs = smallInputs({ classes: 5, features: 5 });

const settingsOf = (variant: ForestSettings["variant"]): fc.Arbitrary<ForestSettings> =>
  fc.record({
    variant: fc.constant(variant),
    treeCount: fc.constant(3),
    featuresPerSplit: fc.integer({ min: 1, max: 6 }),
    minLeafRows: fc.constantFrom(1, 1, 2, 4),
    maxDepth: fc.constantFrom(null, null, 1, 3),
    rowsPerTree: fc.constantFrom(null, null, 1, 12),
  });

function grow(input: FitInput, settings: ForestSettings): ForestGrower {
  const grower = new ForestGrower(input, settings);
  grower.growTo(settings.treeCount);
  return grower;
}

function scores(forest: Forest, input: FitInput, treeLimit?: number): Float64Array {
  const rows = everyRow(input.view);
  const out = new Float64Array(rows.length * input.classCount).fill(7);
  scoreForest(forest, input.view, rows, out, treeLimit);
  return out;
}

function leaves(forest: Forest): number[] {
  return [...forest.children].filter((child) => child < 0);
}

describe("growing", () => {
  for (const variant of ["forest", "extra-trees"] as const) {
    test(`a ${variant} tree equals the naive one node by node`, () => {
      fc.assert(
        fc.property(inputs, settingsOf(variant), (input, settings) => {
          const forest = grow(input, settings).forest();
          const naive = [0, 1, 2].map((index) => growNaively(input, settings, index).tree);
          expect([...forest.roots].map((root) => unfold(forest, root))).toEqual(naive);
        }),
        { numRuns: 250 },
      );
    });

    test(`larger ${variant} trees equal the naive ones too`, () => {
      for (const [classCount, featuresPerSplit] of [
        [2, 3],
        [2, 4],
        [3, 3],
        [5, 3],
      ] as const) {
        const input = drawInput({ seed: classCount, rowCount: 700, classCount, bucketCounts: [20, 4, 255, 300, 20] });
        const settings = { ...plain, variant, featuresPerSplit };
        const forest = grow(input, settings).forest();
        const naive = [0, 1, 2].map((index) => growNaively(input, settings, index).tree);
        expect([...forest.roots].map((root) => unfold(forest, root))).toEqual(naive);
      }
    });

    test(`${variant} votes equal a recount over the trees that did not see the row`, () => {
      fc.assert(
        fc.property(inputs, settingsOf(variant), (input, settings) => {
          const { rows, classes, classCount, view } = input;
          const probabilities = grow(input, settings).outOfBag();
          const seesMost = variant === "extra-trees" && (settings.rowsPerTree ?? rows.length) > 0.8 * rows.length;
          const naive = (seesMost ? [0, 1] : [0, 1, 2]).map((index) =>
            growNaively(input, settings, index, seesMost ? 0.8 : undefined),
          );
          rows.forEach((row, at) => {
            const voters = naive.filter(({ unseen }) => unseen.includes(row));
            for (let k = 0; k < classCount; k++) {
              const share = rows.filter((other) => classes[other] === k).length / rows.length;
              const voted = voters.reduce((total, { tree }) => total + walk(tree, view, row)[k]!, 0) / voters.length;
              expect(probabilities[at * classCount + k]).toBeCloseTo(voters.length === 0 ? share : voted, 12);
            }
          });
        }),
        { numRuns: 150 },
      );
    });

    test(`${variant} growth in steps, with looks at the votes between, gives the same bytes as growth at once`, () => {
      const input = drawInput({ seed: 3, rowCount: 300, classCount: 3, bucketCounts: [8, 5, 30] });
      const settings = { ...plain, variant, treeCount: 9 };
      const stepwise = grow(input, { ...settings, treeCount: 2 });
      stepwise.outOfBag();
      stepwise.growTo(5);
      stepwise.forest();
      stepwise.outOfBag();
      stepwise.growTo(9);
      const atOnce = grow(input, settings);
      expect(stepwise.treeCount).toBe(9);
      expect(stepwise.forest()).toEqual(atOnce.forest());
      expect(stepwise.outOfBag()).toEqual(atOnce.outOfBag());
    });
  }

  test("trees grown without votes are the same trees", () => {
    const input = drawInput({ seed: 5, rowCount: 300, classCount: 2, bucketCounts: [8, 5, 30] });
    const silent = new ForestGrower(input, plain, "no votes");
    silent.growTo(plain.treeCount);
    expect(silent.forest()).toEqual(grow(input, plain).forest());
  });

  test("a forest is the same in memory that another left", () => {
    const others = settingsOf("extra-trees").chain((own) => fc.tuple(fc.constant(own), settingsOf("forest")));
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 2, max: 4 }), others, (seed, classCount, [one, other]) => {
        const input = drawInput({ seed, rowCount: 40, classCount, bucketCounts: [8, 5, 30] });
        const before = drawInput({
          seed: seed + 1,
          rowCount: 90,
          classCount: 5 - classCount + 2,
          bucketCounts: [300, 6],
        });
        const leave = (from: FitInput, settings: ForestSettings) => {
          const grower = grow(from, settings);
          const forest = grower.forest();
          const votes = grower.outOfBag();
          grower.release();
          return { forest, votes };
        };
        for (const [own, earlier] of [
          [one, other],
          [other, one],
        ] as const) {
          const alone = grow(input, own);
          const expected = { forest: alone.forest(), votes: alone.outOfBag() };
          leave(before, earlier);
          expect(leave(input, own)).toEqual(expected);
          expect(leave(input, own)).toEqual(expected);
        }
      }),
      { numRuns: 30 },
    );
  });

  test("the seed decides everything", () => {
    const input = drawInput({ seed: 4, rowCount: 200, classCount: 2, bucketCounts: [8, 5, 30] });
    const forest = grow(input, plain).forest();
    expect(grow(input, plain).forest()).toEqual(forest);
    expect(grow({ ...input, seed: input.seed + 1 }, plain).forest().thresholds).not.toEqual(forest.thresholds);
  });

  test("only the given rows matter", () => {
    const input = drawInput({ seed: 5, rowCount: 200, classCount: 3, bucketCounts: [8, 5] });
    const used = new Set(input.rows);
    const classes = input.classes.map((own, row) => (used.has(row) ? own : (own + 1) % 3));
    expect(grow({ ...input, classes }, plain).forest()).toEqual(grow(input, plain).forest());
  });

  test("rows of a single class give one leaf that is sure of it", () => {
    const input = inputOf([categoryFeature([2, 3, 2, 3], 2)], [1, 1, 1, 1], 3);
    const forest = grow(input, plain).forest();
    expect([...forest.children]).toEqual([-1, -1, -1]);
    expect([...forest.distributions]).toEqual([0, 1, 0]);
    expect([...scores(forest, input).subarray(0, 3)]).toEqual([0, 1, 0]);
  });

  test("features without any difference give one leaf, and so does no feature at all", () => {
    const constant = categoryFeature([2, 2, 2, 2, 2, 2], 1);
    const empty = categoryFeature([0, 1, 0, 1, 0, 1], 1);
    for (const features of [[constant, empty], []]) {
      const forest = grow(inputOf(features, [0, 1, 0, 1, 0, 1], 2), plain).forest();
      expect(forest.children.length).toBe(3);
      expect(leaves(forest).length).toBe(3);
    }
  });

  test("missing and unseen cells are told apart from the others, never from each other", () => {
    const codes = [0, 1, 0, 1, 0, 1, 2, 2, 2, 2, 2, 2];
    const input = inputOf([categoryFeature(codes, 1)], [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1], 2);
    const probabilities = scores(grow(input, { ...plain, treeCount: 20, featuresPerSplit: 1 }).forest(), input);
    expect(correctCount(probabilities, input, everyRow(input.view))).toBe(12);
    expect(probabilities.slice(0, 2)).toEqual(probabilities.slice(2, 4));
  });

  test("where no row of a node lacks a value, a row that does goes with the heavier side", () => {
    const codes = [2, 2, 2, 2, 2, 2, 2, 2, 3, 3];
    const lone = (classes: number[]) => {
      const forest = grow(inputOf([categoryFeature(codes, 2)], classes, 2), {
        ...plain,
        treeCount: 1,
        variant: "extra-trees",
      });
      const out = new Float64Array(2);
      scoreForest(forest.forest(), { rowCount: 1, features: [categoryFeature([0], 2)] }, Uint32Array.of(0), out);
      return [...out];
    };
    expect(lone([0, 0, 0, 0, 0, 0, 0, 0, 1, 1])).toEqual([1, 0]);
    expect(lone([1, 1, 1, 1, 1, 1, 1, 1, 0, 0])).toEqual([0, 1]);
  });

  test("equal leaf shares are stored once", () => {
    const input = drawInput({ seed: 6, rowCount: 6000, classCount: 4, bucketCounts: [20, 20, 20, 20] });
    const forest = grow(input, { ...plain, minLeafRows: 3, treeCount: 4 }).forest();
    const vectors = Array.from({ length: forest.distributions.length / 4 }, (_, index) =>
      forest.distributions.subarray(index * 4, index * 4 + 4).join(),
    );
    expect(vectors.length).toBeGreaterThan(130);
    expect(new Set(vectors).size).toBe(vectors.length);
    expect(new Set(leaves(forest)).size).toBe(vectors.length);
    expect(leaves(forest).length).toBeGreaterThan(2 * vectors.length);
  });

  test("depth and leaf size have their limits", () => {
    const input = drawInput({ seed: 7, rowCount: 600, classCount: 2, bucketCounts: [20, 20, 20] });
    const stumps = grow(input, { ...plain, maxDepth: 1 }).forest();
    expect(stumps.children.length).toBe(9);
    const coarse = grow(input, { ...plain, minLeafRows: 100 }).forest();
    expect(leaves(coarse).length).toBeLessThanOrEqual(3 * 4);
    expect(leaves(coarse).length).toBeGreaterThan(3);
  });
});

describe("time and cancellation", () => {
  const big = drawInput({
    seed: 9,
    rowCount: 12_000,
    classCount: 4,
    bucketCounts: [20, 20, 20, 20, 20, 20],
    missing: 0,
  });
  const slow: ForestSettings = { ...plain, featuresPerSplit: 6, treeCount: 6, minLeafRows: 3 };

  /** Fires from the given look on. */
  function firing(kind: "cancelled" | "timeIsUp", firstLook: number): StopSignal & { looks: number } {
    const signal = { ...neverStop, looks: 0 };
    signal[kind] = () => {
      signal.looks++;
      return signal.looks >= firstLook;
    };
    return signal;
  }

  test("when time is up from the start, one whole tree stands", () => {
    const stop = firing("timeIsUp", 1);
    const grower = grow({ ...big, stop }, slow);
    expect(grower.treeCount).toBe(1);
    expect(grower.forest()).toEqual(grow(big, { ...slow, treeCount: 1 }).forest());
    grower.growTo(8);
    expect(grower.treeCount).toBe(1);
  });

  test("when time is up inside a tree, the tree is dropped without a trace", () => {
    const looks = firing("timeIsUp", Number.POSITIVE_INFINITY);
    grow({ ...big, stop: looks }, { ...slow, treeCount: 3 });
    expect(looks.looks).toBeGreaterThan(3);
    let isUp = 0;
    const stop = { ...neverStop, timeIsUp: () => ++isUp === looks.looks };
    const grower = grow({ ...big, stop }, slow);
    expect(grower.treeCount).toBe(2);
    expect(grower.forest()).toEqual(grow(big, { ...slow, treeCount: 2 }).forest());
    grower.growTo(4);
    expect(grower.forest()).toEqual(grow(big, { ...slow, treeCount: 4 }).forest());
    expect(grower.outOfBag()).toEqual(grow(big, { ...slow, treeCount: 4 }).outOfBag());
  });

  test("when time is up, extra-trees still give votes", () => {
    const grower = grow({ ...big, stop: firing("timeIsUp", 1) }, { ...slow, variant: "extra-trees" });
    // Rows without votes all have the same shares.
    expect(new Set(grower.outOfBag()).size).toBeGreaterThan(big.classCount);
  });

  test("cancellation leaves between trees and inside the first tree", () => {
    expect(() => grow({ ...big, stop: firing("cancelled", 1) }, slow)).toThrow(Cancelled);
    const inside = new ForestGrower({ ...big, stop: firing("cancelled", 2) }, slow);
    expect(() => inside.growTo(1)).toThrow(Cancelled);
    expect(inside.treeCount).toBe(0);
  });
});

describe("scoring", () => {
  test("is the mean over the trees of the leaf that each row walks to", () => {
    fc.assert(
      fc.property(inputs, settingsOf("forest"), (input, settings) => {
        const forest = grow(input, settings).forest();
        const trees = [...forest.roots].map((root) => unfold(forest, root));
        for (const limit of [1, 2, 3]) {
          const expected = [...everyRow(input.view)].flatMap((row) => {
            const shares = trees.slice(0, limit).map((tree) => walk(tree, input.view, row));
            return shares[0]!.map((_, k) => shares.reduce((total, own) => total + own[k]!, 0) / limit);
          });
          const found = scores(forest, input, limit);
          expect(found.length).toBe(expected.length);
          for (const [cell, value] of expected.entries()) expect(found[cell]).toBeCloseTo(value, 14);
        }
      }),
      { numRuns: 100 },
    );
  });

  test("gives a row the same bytes alone, among few and among many", () => {
    const input = drawInput({ seed: 10, rowCount: 6000, classCount: 3, bucketCounts: new Array<number>(40).fill(6) });
    const forest = grow(input, { ...plain, treeCount: 5 }).forest();
    const all = scores(forest, input);
    for (const rows of [[0], [5999, 17, 2048], [3, 1637, 1638, 1639, 4095]]) {
      const out = new Float64Array(rows.length * 3);
      scoreForest(forest, input.view, Uint32Array.from(rows), out);
      expect([...out]).toEqual(rows.flatMap((row) => [...all.subarray(row * 3, row * 3 + 3)]));
    }
  });

  test("a forest learns what it is shown", () => {
    for (const variant of ["forest", "extra-trees"] as const) {
      const input = drawInput({ seed: 11, rowCount: 1200, classCount: 3, bucketCounts: [9, 6, 6] });
      const grower = grow(input, { ...plain, variant, treeCount: 40, minLeafRows: 10 });
      const unseen = [...everyRow(input.view)].filter((row) => row % 4 === 3);
      expect(correctCount(scores(grower.forest(), input), input, unseen)).toBeGreaterThan(0.65 * unseen.length);
    }
  });
});
