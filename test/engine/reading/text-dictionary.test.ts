// The dictionary of texts against a Map.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { takeKernel } from "../../../engine/csv/reading-kernel.ts";
import { COUNTS_TEXTS, ENTERS_TEXTS } from "../../../engine/kernels/reading/layout.ts";
import { TextDictionary } from "../../../engine/reading/text-dictionary.ts";
import { emptyDictionary, enterTexts, findTexts } from "../../support/cells.ts";

const LISTS = ENTERS_TEXTS | COUNTS_TEXTS;

describe("dictionary", () => {
  test("counts and numbers texts as a Map does, with their first lines", () => {
    const text = fc.oneof(
      fc.string({ maxLength: 3, unit: "grapheme" }),
      fc.string({ minLength: 14, maxLength: 40 }),
      fc.integer({ max: 300, min: 0 }).map(String),
      fc.constantFrom("1.0", "1.00", "01", "Ã©", "é"),
    );
    const texts = fc.array(
      text.map((own) => own.trim().replaceAll("\0", "")),
      { maxLength: 600 },
    );
    fc.assert(
      fc.property(texts, (cells) => {
        const dictionary = emptyDictionary(1000);
        enterTexts(dictionary, cells);
        const naive = new Map<string, { count: number; line: number }>();
        cells.forEach((own, line) => {
          const entry = naive.get(own);
          if (entry === undefined) naive.set(own, { count: 1, line });
          else entry.count++;
        });
        const all = dictionary.allTexts();
        expect(all).toEqual([...naive.keys()]);
        const entries = all.map((_, id) => ({ count: dictionary.countOf(id), line: dictionary.firstLineOf(id) }));
        expect(entries).toEqual([...naive.values()]);
      }),
    );
  });

  test("takes no text after the first that did not fit", () => {
    const idsOf = (texts: string[], most: number, bytes: number) => {
      const dictionary = emptyDictionary(most, bytes);
      for (const text of texts) findTexts(dictionary, [text], LISTS);
      return findTexts(dictionary, texts, 0).found.map(({ id }) => id);
    };
    expect(idsOf(["a", "b", "a", "c", "d", "a", "e"], 3, 100)).toEqual([0, 1, 0, 2, -1, 0, -1]);
    expect(idsOf(["abc", "def", "g", "abc"], 100, 5)).toEqual([0, -1, -1, 0]);
  });

  test("waits at its limit until that is raised", () => {
    const dictionary = new TextDictionary(takeKernel(), { texts: 4, bytes: 100, firstTexts: 2 });
    const texts = ["a", "b", "a", "c", "d", "e"];
    const take = () => findTexts(dictionary, texts, LISTS).count;
    expect([take(), dictionary.isAtLimit, dictionary.isFull]).toEqual([3, true, false]);
    dictionary.raiseLimit();
    expect([take(), dictionary.isAtLimit, dictionary.isFull]).toEqual([5, false, true]);
  });

  test("gives back long texts", () => {
    const long = "ü€𝄞x".repeat(10_000);
    const dictionary = emptyDictionary(10, 200_000);
    enterTexts(dictionary, [long, ""]);
    expect(dictionary.allTexts()).toEqual([long, ""]);
  });
});
