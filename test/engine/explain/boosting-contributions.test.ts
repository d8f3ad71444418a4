// What features contribute along the paths of boosted trees: exact in sum, nothing for features that no path meets.
import { describe, expect, test } from "bun:test";
import { scoreBoostedTrees } from "../../../engine/boosting/boosted-trees.ts";
import { boostingSettings } from "../../../engine/boosting/boosting-settings.ts";
import { fitBoosting } from "../../../engine/boosting/gradient-boosting.ts";
import { pathContributions } from "../../../engine/explain/boosting-contributions.ts";
import { MISSING_CODE, UNSEEN_CODE } from "../../../engine/table/buckets.ts";
import { MISSING_RIGHT } from "../../../engine/trees/tree-walk.ts";
import { drawInput } from "../families/coded-input.ts";

describe("contributions", () => {
  test("and the base come to the model's answer", () => {
    for (const classCount of [2, 4]) {
      const input = drawInput({ seed: 3, rowCount: 400, classCount, bucketCounts: [12, 30, 4, 60] });
      const model = fitBoosting(input, { ...boostingSettings("c31", 300, classCount), roundCount: 10 });
      const probabilities = new Float64Array(input.rows.length * classCount);
      scoreBoostedTrees(model, input.view, input.rows, probabilities);
      for (let i = 0; i < input.rows.length; i += 9) {
        const codes = input.view.features.map((feature) => feature.codes[input.rows[i]!]!);
        const { base, contributions } = pathContributions(model, codes);
        const scores = base.map((start, k) =>
          codes.reduce((sum, _, f) => sum + contributions[f * classCount + k]!, start),
        );
        const sum = scores.reduce((total, score) => total + Math.exp(score), 0);
        for (let k = 0; k < classCount; k++) {
          expect(Math.exp(scores[k]!) / sum).toBeCloseTo(probabilities[i * classCount + k]!, 10);
        }
        for (const shares of [
          base,
          contributions.subarray(0, classCount),
          contributions.subarray(classCount, 2 * classCount),
        ]) {
          expect(shares.reduce((total, share) => total + share, 0)).toBeCloseTo(0, 10);
        }
      }
    }
  });

  test("follow the path by hand", () => {
    // Feature 1 splits the root, feature 0 its right child; the value steps from 1 to 3 to 7.
    const model = {
      kind: "additive trees" as const,
      classCount: 2,
      featureCount: 3,
      outputCount: 1,
      intercepts: Float64Array.of(0.5),
      roots: Uint32Array.of(0),
      features: Uint16Array.of(1, 0, 0, 0, 0),
      thresholds: Uint16Array.of(4 | MISSING_RIGHT, 0, 2, 0, 0),
      children: Int32Array.of(1, -1, 3, -1, -1),
      values: Float32Array.of(1, -2, 3, 5, 7),
    };
    const { base, contributions } = pathContributions(model, [3, 9, 2]);
    expect([...base]).toEqual([-0.75, 0.75]);
    expect([...contributions]).toEqual([-2, 2, -1, 1, 0, 0]);
    expect([...pathContributions(model, [9, 4, 2]).contributions]).toEqual([0, 0, 1.5, -1.5, 0, 0]);
    for (const code of [MISSING_CODE, UNSEEN_CODE]) {
      expect([...pathContributions(model, [code, code, 2]).contributions]).toEqual([-1, 1, -1, 1, 0, 0]);
    }
  });
});
