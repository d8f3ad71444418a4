// The dictionary of texts against a Map.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  allTexts,
  createDictionary,
  findText,
  hashText,
  insertText,
  type TextDictionary,
} from "../../../engine/columns/text-dictionary.ts";

function add(dictionary: TextDictionary, text: string, line: number): number {
  const hash = hashText(text);
  const found = findText(dictionary, text, hash);
  const id = found < 0 ? insertText(dictionary, text, hash, line) : found;
  if (id >= 0) dictionary.counts[id]!++;
  return id;
}

describe("dictionary", () => {
  test("counts and numbers texts as a Map does, with their first lines", () => {
    const texts = fc.array(
      fc.oneof(fc.string({ maxLength: 3, unit: "binary" }), fc.integer({ max: 300, min: 0 }).map(String)),
      {
        maxLength: 600,
      },
    );
    fc.assert(
      fc.property(texts, (cells) => {
        const dictionary = createDictionary(1000, 100_000);
        const naive = new Map<string, { count: number; line: number }>();
        cells.forEach((text, line) => {
          add(dictionary, text, line);
          const entry = naive.get(text);
          if (entry === undefined) naive.set(text, { count: 1, line });
          else entry.count++;
        });
        expect(allTexts(dictionary)).toEqual([...naive.keys()]);
        expect([...dictionary.counts.subarray(0, dictionary.size)]).toEqual(
          [...naive.values()].map((entry) => entry.count),
        );
        expect([...dictionary.firstLines.subarray(0, dictionary.size)]).toEqual(
          [...naive.values()].map((entry) => entry.line),
        );
      }),
    );
  });

  test("takes no text after the first that did not fit", () => {
    const dictionary = createDictionary(3, 100);
    expect(["a", "b", "a", "c", "d", "a", "e"].map((text, line) => add(dictionary, text, line))).toEqual([
      0, 1, 0, 2, -1, 0, -1,
    ]);
    const byChars = createDictionary(100, 5);
    expect(["abc", "def", "g", "abc"].map((text, line) => add(byChars, text, line))).toEqual([0, -1, -1, 0]);
  });

  test("gives back texts longer than one call of String.fromCharCode may take", () => {
    const long = "ü€𝄞x".repeat(10_000);
    const dictionary = createDictionary(10, 100_000);
    add(dictionary, long, 1);
    add(dictionary, "", 2);
    expect(allTexts(dictionary)).toEqual([long, ""]);
  });
});
