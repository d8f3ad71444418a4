// The category, or the range of values, whose share differs most is named.
import { expect, test } from "bun:test";
import type { ReferenceColumn } from "../../../engine/model/reference-counts.ts";
import { sumOf } from "../../../engine/sums.ts";
import { sharesOf } from "../../../engine/watch/column-shares.ts";
import { columnWords } from "../../../src/words/watch-words.ts";

const NAMES = ["rare", "Groß", "Adler", "Baum"];
const CUSTOMER: ReferenceColumn = {
  ...{ kind: "category", frequent: [2, 3, 1], counts: [500, 300, 100, 100] },
  ...{ unseen: 0, missing: 0 },
};
const SPEED: ReferenceColumn = {
  ...{ kind: "number", range: { low: 200, high: 1_200 }, cutPoints: [450, 700, 950], missing: 0 },
  counts: [250, 250, 250, 250],
};
/** `codes`: missing, unseen, then by category, or below, in and above the range. */
function words(column: ReferenceColumn, codes: readonly number[]): string {
  const shares = sharesOf(column, codes, sumOf(codes), NAMES);
  return columnWords({ name: "any", verdict: "SHIFTED", index: 1, pValue: 0, ...shares });
}

test("a category that was renamed is named beside the rows that are new", () => {
  expect(words(CUSTOMER, [0, 20, 100, 60, 0, 20])).toBe(
    '10.0% have a category that was not among the training rows (training 0.0%); 0.0% are "Groß" (training 10.0%)',
  );
});

test("of categories that all are known, the one whose share moved most is named", () => {
  expect(words(CUSTOMER, [0, 0, 60, 100, 20, 20])).toBe('30.0% are "Adler" (training 50.0%)');
  expect(words(CUSTOMER, [0, 0, 50, 30, 20, 100])).toBe("50.0% have a rarer category (training 10.0%)");
});

test("numbers whose ends and middle are as in training are told by their range", () => {
  expect(words(SPEED, [0, 0, 0, 5, 190, 5, 0, 0])).toBe("95.0% lie at 450 to 700 (training 25.0%)");
  expect(words(SPEED, [0, 0, 0, 5, 5, 190, 0, 0])).toBe("the middle value is higher: 700 to 950 (training 450 to 700)");
});
