// The picture of confidence: where there are decisions, beside those of the
// holdout, and nothing where nothing was scored.
import { expect, test } from "bun:test";
import { confidenceFigure } from "../../../src/report/confidence.ts";

const COUNTS = [0, 0, 0, 0, 0, 0, 1, 0, 0, 3];

test("each tenth has its share, beside that of the holdout", () => {
  const judged = [{ low: 0.9, high: 1, count: 50, confidence: 0.95, accuracy: 0.9 }];
  const { markup } = confidenceFigure("rows.csv", COUNTS, judged)!;
  expect(markup).toContain("90–100%: 3 rows, 75.0%; 100.0% of the holdout");
  expect(markup).toContain("60–70%: 1 row, 25.0%; 0.0% of the holdout");
  // With two classes no decision has less than one half.
  expect(markup).not.toContain("40–50%");
});

test("the holdout is left out where it is not known, and so is the picture where nothing was scored", () => {
  expect(confidenceFigure("rows.csv", COUNTS, null)!.markup).not.toContain("holdout");
  expect(confidenceFigure("rows.csv", [], null)).toBeNull();
  expect(confidenceFigure("rows.csv", [0, 0], [])).toBeNull();
});

test("many classes have decisions of little confidence too", () => {
  expect(confidenceFigure("rows.csv", [0, 2, 0, 0, 0, 0, 0, 0, 0, 0], null)!.markup).toContain("10–20%");
});
