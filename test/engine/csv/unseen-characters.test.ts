// Texts that look the same and are not.
import { expect, test } from "bun:test";
import { meantName, nearestName } from "../../../engine/columns/near-miss.ts";
import { unseenDifference } from "../../../engine/csv/unseen-characters.ts";

const COMPOSED = "Gebiet (Süd/Nord)";
const APART = COMPOSED.normalize("NFD");

test.each([
  [COMPOSED, APART, "with accents as characters of their own, as a Mac writes them"],
  [APART, COMPOSED, "with each accented letter as one character"],
  ["net price", "net\u00a0price", "with a no-break space (U+00A0)"],
  ["net\u00a0price", "net price", "without a no-break space (U+00A0)"],
  ["price", "pr\u00adice", "with a soft hyphen (U+00AD)"],
  ["price", "price\u2063", "with a character that cannot be seen (U+2063)"],
  ["a\u200bb", "ab\u200b", "with other characters that cannot be seen"],
  [APART, "Gebiet (Süd/Nord)\u200b", "with a zero-width space (U+200B)"],
])("%p is told from %p", (text, other, words) => {
  expect(unseenDifference(text, other)).toBe(words);
  expect(nearestName(text, ["something", other])).toBe(other);
  expect(meantName(text, ["something", other], "")).toEndWith(`${words}?`);
});

test("texts that look apart, and equal ones, have none", () => {
  for (const other of ["price", "Price", "prices", "prìce", "pri ce"]) {
    expect(unseenDifference("price", other)).toBeNull();
  }
});
