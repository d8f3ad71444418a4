// What a text column is like: medians against sorted lengths, whatever the texts.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { TermScanner } from "../../../engine/text/terms.ts";
import { TextCounter } from "../../../engine/text/text-profile.ts";

function profileOf(texts: readonly string[]) {
  const scanner = new TermScanner();
  const counter = new TextCounter(1_000);
  for (const text of texts) {
    scanner.scan(text);
    counter.add(text, scanner);
  }
  return counter.finish(1_000, 100_000);
}

test("medians are the lower ones, terms those of two texts and more", () => {
  const { profile, vocabulary } = profileOf(["so good", "so bad", "a", "four words are here", "so it goes"]);
  expect(profile.medianCharacters).toBe(7);
  expect(profile.medianWords).toBe(2);
  expect(profile.termCount).toBe(vocabulary.keys.length / 2);
  expect(profile.termCount).toBeGreaterThan(0);
  expect(profileOf([]).profile).toEqual({ medianCharacters: 0, medianWords: 0, termCount: 0 });
});

test("medians are those of the sorted lengths", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme" }), { minLength: 1 }), (texts) => {
      const lengths = texts.map(({ length }) => length).toSorted((a, b) => a - b);
      expect(profileOf(texts).profile.medianCharacters).toBe(lengths[Math.ceil(lengths.length / 2) - 1]!);
    }),
  );
});
