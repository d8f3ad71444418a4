// Gradient boosting on tables that leave little to learn, and on settings that nobody may ask for.
import { describe, expect, test } from "bun:test";
import { fitBoosting } from "../../../engine/boosting/gradient-boosting.ts";
import { MISSING_CODE, UNSEEN_CODE } from "../../../engine/table/buckets.ts";
import { categoryFeature, correctCount, drawInput, inputOf } from "../families/coded-input.ts";
import { plain, scores } from "./boosting-scores.ts";

describe("odd tables", () => {
  test("separable classes stay within finite scores and are told apart", () => {
    const codes = Array.from({ length: 80 }, (_, row) => 2 + (row % 8));
    const classes = codes.map((code) => (code > 5 ? 1 : 0));
    const input = inputOf([categoryFeature(codes, 8)], classes, 2);
    for (const l2 of [0.01, 1]) {
      const model = fitBoosting(input, { ...plain, l2, learningRate: 1, roundCount: 200 });
      const probabilities = scores(model, input);
      expect(probabilities.every((p) => p >= 0 && p <= 1)).toBe(true);
      expect(correctCount(probabilities, input, input.rows)).toBe(80);
    }
  });

  test("a table without a column that varies keeps to the class frequencies", () => {
    const constant = categoryFeature(new Array<number>(30).fill(3), 4);
    const missing = categoryFeature(
      Array.from({ length: 30 }, (_, row) => (row % 2 === 0 ? MISSING_CODE : UNSEEN_CODE)),
      4,
    );
    const classes = Array.from({ length: 30 }, (_, row) => (row % 3 === 0 ? 1 : 0));
    for (const features of [[], [constant], [missing], [constant, missing]]) {
      const input = inputOf(features, classes, 2);
      const model = fitBoosting(input, { ...plain, roundCount: 50 });
      expect(model.children.every((child) => child < 0)).toBe(true);
      expect(scores(model, input)[1]).toBeCloseTo(1 / 3, 3);
    }
  });

  test("whether a value is there can be all that counts", () => {
    const codes = Array.from({ length: 60 }, (_, row) => (row % 3 === 0 ? MISSING_CODE : 2 + (row % 2)));
    const classes = codes.map((code) => (code === MISSING_CODE ? 1 : 0));
    const input = inputOf([categoryFeature(codes, 2)], classes, 2);
    const model = fitBoosting(input, { ...plain, maxDepth: 1, maxLeaves: 2, roundCount: 20 });
    expect(correctCount(scores(model, input), input, input.rows)).toBe(60);
  });

  test("an unseen category goes where missing values go", () => {
    const input = drawInput({ seed: 6, rowCount: 200, classCount: 2, bucketCounts: [5, 9] });
    const model = fitBoosting(input, plain);
    const scoreWith = (code: number) => {
      const features = input.view.features.map((feature) => ({ ...feature, codes: feature.codes.slice().fill(code) }));
      return scores(model, { ...input, view: { ...input.view, features } });
    };
    expect(scoreWith(UNSEEN_CODE)).toEqual(scoreWith(MISSING_CODE));
  });

  test("a class without rows to learn from stays improbable", () => {
    const drawn = drawInput({ seed: 9, rowCount: 200, classCount: 3, bucketCounts: [9, 4] });
    const input = { ...drawn, rows: drawn.rows.filter((row) => drawn.classes[row] !== 2) };
    const probabilities = scores(fitBoosting(input, { ...plain, roundCount: 20 }), input);
    for (let row = 0; row < 200; row++) expect(probabilities[row * 3 + 2]).toBeLessThan(0.02);
  });

  test("one row, and one class, are enough to answer", () => {
    const one = inputOf([categoryFeature([2], 1)], [1], 2);
    expect(scores(fitBoosting(one, plain), one)[1]).toBeGreaterThan(0.5);
    const same = inputOf([categoryFeature([2, 3, 4], 3)], [0, 0, 0], 2);
    expect(scores(fitBoosting(same, plain), same)[0]).toBeGreaterThan(0.7);
  });

  test("more codes than a byte holds are split as well", () => {
    const codes = Array.from({ length: 700 }, (_, row) => 2 + row);
    const classes = codes.map((code) => (code % 350 > 200 ? 1 : 0));
    const input = inputOf([categoryFeature(codes, 700)], classes, 2);
    const model = fitBoosting(input, { ...plain, roundCount: 20 });
    expect(correctCount(scores(model, input), input, input.rows)).toBe(700);
  });
});
