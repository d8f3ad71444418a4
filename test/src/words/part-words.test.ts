// The words for parts of dates and texts.
import { expect, test } from "bun:test";
import { partWords } from "../../../src/words/part-words.ts";

test.each([
  ["weekday", "weekday"],
  ["characters", "length"],
  ["capitals", "share of capitals"],
  ["number1", "1st number"],
  ["number22", "22nd number"],
  ["numberLast", "last number"],
  ["character3", "3rd character"],
  ["character11", "11th character"],
  ["character13", "13th character"],
  ["ending1", "last character"],
  ["ending2", "2nd character from the end"],
])("%s is the %s", (part, words) => {
  expect(partWords(part)).toBe(words);
});
