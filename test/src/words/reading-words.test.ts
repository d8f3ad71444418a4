// How a column is read, in words: nothing beside the kind unless somebody chose it or texts count as missing.
import { expect, test } from "bun:test";
import type { ShownForm } from "../../../engine/columns/reading.ts";
import { kindInWords, readingInWords } from "../../../src/words/reading-words.ts";

test.each([
  [{ kind: "number" }, "number"],
  [{ kind: "category", foundKind: "number" }, "category, as chosen (number by its cells)"],
  [{ kind: "text", foundKind: "text" }, "text, as chosen"],
])("the kind of %j", (column, words) => {
  expect([kindInWords(column), readingInWords(column)]).toEqual([words, words]);
});

test.each([
  [["unknown"], "“unknown” counts as missing"],
  [["a", "b"], "“a”, “b” count as missing"],
  [["a", "b", "c", "d", "e"], "“a”, “b”, “c” and 2 more count as missing"],
  [["x".repeat(60)], `“${"x".repeat(39)}…” counts as missing`],
])("the missing texts %j", (missingTexts, words) => {
  expect(readingInWords({ kind: "number", missingTexts })).toBe(`number; ${words}`);
});

test.each<[ShownForm, string]>([
  [{ order: "dmy" }, "date, day first"],
  [{ order: "unix" }, "date, since 1970"],
  [{ decimal: ",", grouping: ".", affix: "€" }, "date, as 1.234,5 €"],
  [{ decimal: ".", grouping: "", affix: "h:mm" }, "date, as 14:05"],
  [{ decimal: ".", grouping: "", affix: "g", units: { g: 1, kg: 1000 } }, "date, in “g”"],
])("%j is %s", (form, words) => expect(kindInWords({ kind: "date", form })).toBe(words));
