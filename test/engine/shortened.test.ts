// Texts are cut between characters.
import { expect, test } from "bun:test";
import { shortened } from "../../engine/shortened.ts";

const SMILE = "\u{1f600}";

test.each([
  ["abc", "abc"],
  ["abcd", "abc…"],
  [`ab${SMILE}`, "ab…"],
  [`a${SMILE}`, `a${SMILE}`],
  [`a${SMILE}b`, `a${SMILE}…`],
  ["a\ud83d", "a\ufffd"],
  ["\ude00bcd", "\ufffdbc…"],
])("%j", (text, shown) => {
  expect(shortened(text, 3)).toBe(shown);
});
