// Texts without a word that the model knows: counted as they are scored, and an alarm where they are many.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type ModelFile, unpackModel } from "../../../engine/model/model-file.ts";
import { scoreCsv } from "../../../engine/scoring/score-csv.ts";
import { textShift, unknownShare } from "../../../engine/watch/unknown-texts.ts";
import { columnWords } from "../../../src/words/watch-words.ts";

const VECTOR = join(import.meta.dir, "../../fixtures/vectors/terms-two-classes.cupel");
const KNOWN = "the old model";
const UNKNOWN = "qxzj vwqk";

/** Its columns are a review, a title and stars; the review's lengths are those of the texts here. */
function model(): ModelFile {
  const plain = { cutPoints: [], counts: [260], missing: 0 };
  return {
    ...unpackModel(new Uint8Array(readFileSync(VECTOR))),
    reference: [
      { kind: "text", range: { low: 1, high: 100 }, ...plain },
      { kind: "category", frequent: [0], counts: [0, 260], unseen: 0, missing: 0 },
      { kind: "number", range: { low: 1, high: 5 }, ...plain },
    ],
  };
}

function report(reviews: readonly string[]) {
  const lines = reviews.map((review) => `${review},Old model 40,3\n`);
  const bytes = new TextEncoder().encode(`review,title,stars\n${lines.join("")}`);
  const options = { likeInput: false, spreadsheetSafe: false };
  const { watch, warnings } = scoreCsv(
    model(),
    () => [bytes],
    options,
    () => undefined,
  );
  return { review: watch.columns!.find(({ name }) => name === "review")!, codes: warnings.map(({ code }) => code) };
}

const texts = (known: number, unknown: number) => [
  ...new Array<string>(known).fill(KNOWN),
  ...new Array<string>(unknown).fill(UNKNOWN),
];

describe("texts of a file", () => {
  test("without a known word are an alarm where they are many", () => {
    const { review, codes } = report(texts(60, 60));
    expect(review).toMatchObject({ verdict: "SHIFTED", unknownTexts: 0.5 });
    expect(columnWords(review)).toContain("50.0% have a text without a word that the model knows");
    expect(codes).toEqual(["NO_KNOWN_TERM", "SHIFTED"]);
  });

  test("are as in training where a tenth of them has none", () => {
    expect(report(texts(108, 12)).review).toMatchObject({ verdict: "ALIKE", unknownTexts: 0.1 });
    expect(report(texts(120, 0)).review).toMatchObject({ verdict: "ALIKE", unknownTexts: 0 });
  });

  test("that are missing are none without a known word", () => {
    const { review } = report([...texts(60, 0), ...new Array<string>(60).fill("")]);
    expect(review.unknownTexts).toBe(0);
    expect(columnWords(review)).toBe("50.0% have no value (training 0.0%)");
  });
});

test("unknown texts hide no difference of the lengths", () => {
  const codes = [0, 15, 0, 100, 0];
  const lengths = { cellCount: 3, pValue: 1e-9, index: 2 };
  expect(unknownShare(codes)).toBe(0.15);
  expect(textShift(lengths, [500], codes)).toEqual({ cellCount: 3, pValue: 2e-9, index: 2 });
  expect(textShift(lengths, [500], [0, 10, 0, 100, 0])).toBe(lengths);
});
