// Figures of objectives in words: shares in percent, mean costs as positive figures, intervals in ascending order.
import { expect, test } from "bun:test";
import { scoreFigure, scoreWords } from "../../../src/words/objective-words.ts";

const COST = { mean: -0.53, low: -0.6, high: -0.4712 };
const SHARE = { mean: 0.812, low: 0.7999, high: 0.8241 };

test.each([
  ["f1", 0.812, "81.2%", "81.2% mean F1"],
  ["balanced-accuracy", SHARE, "81.2% [80.0, 82.4]", "81.2% [80.0, 82.4] balanced accuracy"],
  ["cost", -0.53, "0.530", "mean cost 0.530"],
  ["cost", COST, "0.530 [0.471, 0.600]", "mean cost 0.530 [0.471, 0.600]"],
] as const)("%s of %o", (objective, score, figure, words) => {
  expect(scoreFigure(objective, score)).toBe(figure);
  expect(scoreWords(objective, score)).toBe(words);
});

test("a figure that is not known is a dash", () => {
  expect(scoreFigure("f1", null)).toBe("–");
  expect(scoreFigure("cost", null)).toBe("–");
});
