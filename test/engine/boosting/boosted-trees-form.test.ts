// The stored form of boosted trees: the same model comes back, and no
// crafted one passes that would hang or read astray.
import { describe, expect, test } from "bun:test";
import { packArrays, type StoredArray, unpackArrays } from "../../../engine/arrays/array-file.ts";
import { type BoostedTrees, scoreBoostedTrees } from "../../../engine/boosting/boosted-trees.ts";
import { BOOSTED_TREES } from "../../../engine/boosting/boosted-trees-form.ts";
import { boostingSettings } from "../../../engine/boosting/boosting-settings.ts";
import { fitBoosting } from "../../../engine/boosting/gradient-boosting.ts";
import { shelfOf } from "../../support/map-shelf.ts";
import { drawInput } from "../families/coded-input.ts";

const FORMAT = { magic: "CUPELTST", version: 1, noun: "test file" };

function fitted(classCount: number, roundCount = 5): BoostedTrees {
  const input = drawInput({ seed: 2, rowCount: 300, classCount, bucketCounts: [12, 30, 4] });
  return fitBoosting(input, { ...boostingSettings("c3", 225, classCount), roundCount });
}

/** What comes back of a model that was changed on its way. */
function bring(model: BoostedTrees, change: Partial<BoostedTrees> = {}, featureCount = 3): BoostedTrees | null {
  const arrays = new Map<string, StoredArray>();
  const head = BOOSTED_TREES.pack({ ...model, ...change }, shelfOf(arrays), "member.4.");
  const read = unpackArrays(FORMAT, packArrays(FORMAT, head, arrays));
  const codeCounts = Array.from({ length: featureCount }, () => 2);
  return BOOSTED_TREES.unpack(read.head as typeof head, codeCounts, shelfOf(read.arrays), "member.4.");
}

describe("the stored form", () => {
  test("gives the same model back, to the last bit", () => {
    for (const classCount of [2, 4]) {
      const model = fitted(classCount);
      expect(bring(model)).toEqual(model);
      const none = fitted(classCount, 0);
      expect(bring(none)).toEqual(none);
    }
  });

  const model = fitted(3);
  const split = model.children.findIndex((child) => child >= 0);
  const nodeCount = model.children.length;

  /** The model's array with one entry changed. */
  function spoiled<K extends "children" | "roots" | "features" | "values" | "intercepts">(
    name: K,
    index: number,
    value: number,
  ): Partial<BoostedTrees> {
    const array = model[name].slice();
    array[index] = value;
    return { [name]: array };
  }

  test.each([
    ["a child that is its own parent", spoiled("children", split, split)],
    ["a child before its parent", spoiled("children", nodeCount - 2, 0)],
    ["a left child without a right one", spoiled("children", split, nodeCount - 1)],
    ["a child beyond the nodes", spoiled("children", split, nodeCount)],
    ["a root beyond the nodes", spoiled("roots", 1, nodeCount)],
    ["a root that is another tree's too", spoiled("roots", 1, 0)],
    ["a last root beyond the nodes", spoiled("roots", model.roots.length - 1, nodeCount)],
    ["nodes before the first root", spoiled("roots", 0, 1)],
    ["a child in the next tree", spoiled("children", split, model.roots[1]!)],
    ["a right child in the next tree", spoiled("children", split, model.roots[1]! - 1)],
    ["a feature that there is not", spoiled("features", split, 3)],
    ["a value that is no number", spoiled("values", 0, Number.NaN)],
    ["a value without bound", spoiled("values", 0, Number.POSITIVE_INFINITY)],
    ["an intercept that is no number", spoiled("intercepts", 0, Number.NaN)],
    ["a round without all its trees", { roots: model.roots.slice(1) }],
    ["fewer features than nodes", { features: model.features.slice(1) }],
    ["fewer thresholds than nodes", { thresholds: model.thresholds.slice(1) }],
    ["fewer values than nodes", { values: model.values.slice(1) }],
    ["more intercepts than outputs", { intercepts: new Float64Array(4) }],
    ["one class", { classCount: 1 }],
    ["half a class", { classCount: 2.5 }],
  ])("with %s is refused", (_, change) => {
    expect(bring(model, change)).toBeNull();
  });

  test("for other features is refused", () => {
    expect(bring(model, {}, 1)).toBeNull();
  });

  test("whatever passes can be scored: walks end, and only features that there are get read", () => {
    const input = drawInput({ seed: 2, rowCount: 50, classCount: 3, bucketCounts: [12, 30, 4] });
    const out = new Float64Array(3 * input.rows.length);
    for (let node = 0; node < nodeCount; node += 7) {
      for (const child of [-1, 0, node, node + 1, nodeCount - 2, nodeCount]) {
        const found = bring(model, spoiled("children", node, child));
        if (found === null) continue;
        scoreBoostedTrees(found, input.view, input.rows, out);
        expect(out.every((p) => p > 0 && p < 1)).toBe(true);
      }
    }
  });
});
