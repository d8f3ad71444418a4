// The words that tell classes apart: against a slow count of rows, nothing by
// chance, and never a word of fewer than five rows.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Random } from "../../../engine/random.ts";
import { tellingWords } from "../../../engine/text/telling-words.ts";
import { drawTexts, textTable } from "../../support/text-tables.ts";

function tell(texts: readonly string[], labels: readonly string[]) {
  const table = textTable(texts, labels);
  // A column without a term that two rows have is left out.
  const words = table.texts!.flatMap((text) => tellingWords(text, table.classes, table.labels.length));
  return { table, words };
}

const shareWith = (texts: readonly string[], word: string) =>
  texts.filter((text) => ` ${text} `.includes(` ${word} `)).length / texts.length;

test("each is a word or a pair that its class has more often, with the shares of rows that have it", () => {
  const { texts, labels } = drawTexts(600, 3, 4);
  const { table, words } = tell(texts, labels);
  expect(words).toHaveLength(3);
  for (const [code, own] of words.entries()) {
    const isOwn = (_: string, row: number) => labels[row] === table.labels[code];
    const inside = texts.filter(isOwn);
    const outside = texts.filter((text, row) => !isOwn(text, row));
    expect(own.length).toBeGreaterThan(2);
    expect(own.length).toBeLessThanOrEqual(8);
    const seen = own.flatMap(({ word }) => word.split(" "));
    expect(new Set(seen).size).toBe(seen.length);
    for (const { word, share, shareOfOthers } of own) {
      expect(share).toBeCloseTo(shareWith(inside, word), 10);
      expect(shareOfOthers).toBeCloseTo(shareWith(outside, word), 10);
      expect(share).toBeGreaterThan(shareOfOthers);
    }
  }
});

test("nothing stands out of words that have nothing to do with the class", () => {
  let found = 0;
  for (let seed = 0; seed < 20; seed++) {
    const { texts } = drawTexts(400, 2, seed);
    const random = new Random(1_000 + seed);
    const { words } = tell(
      texts,
      texts.map(() => "ab"[random.nextBelow(2)]!),
    );
    if (words.some((own) => own.length > 0)) found++;
  }
  expect(found).toBe(0);
});

describe("privacy", () => {
  test("no word of fewer than five rows, however telling", () => {
    const labels = Array.from({ length: 60 }, (_, row) => (row < 30 ? "a" : "b"));
    const texts = labels.map(
      (label, row) => `plain ${label === "a" ? "apple" : "berry"} ${row < 4 ? "secretname" : ""}`,
    );
    const { words } = tell(texts, labels);
    const shown = words.flat().map(({ word }) => word);
    expect(shown).toContain("apple");
    expect(shown.join(" ")).not.toContain("secretname");
    expect(new TextDecoder().decode(tell(texts, labels).table.texts![0]!.names.bytes)).not.toContain("secretname");
  });

  test("numbers of one shape are shown without their digits", () => {
    const labels = Array.from({ length: 60 }, (_, row) => (row % 2 === 0 ? "a" : "b"));
    const texts = labels.map((label, row) => (label === "a" ? `card 4929-${1000 + row} lost` : "lost it today"));
    const { table, words } = tell(texts, labels);
    expect(new TextDecoder().decode(table.texts![0]!.names.bytes)).not.toMatch(/4929/);
    expect(words[0]!.map(({ word }) => word)).toContain("card");
  });

  test("any texts and labels: shares are shares, words those of five rows", () => {
    const word = fc.constantFrom("good", "bad", "<b>", "😀", "12:30", "好吃", "مرحبا", "", "x".repeat(50));
    const row = fc.tuple(fc.array(word, { maxLength: 5 }), fc.constantFrom("a", "b", "c"));
    fc.assert(
      fc.property(fc.array(row, { minLength: 5, maxLength: 40 }), (rows) => {
        const texts = rows.map(([words]) => words.join(" "));
        const { table, words } = tell(
          texts,
          rows.map(([, label]) => label),
        );
        expect(words).toHaveLength(table.texts!.length * table.labels.length);
        for (const { word, share, shareOfOthers } of words.flat()) {
          expect(share).toBeLessThanOrEqual(1);
          expect(shareOfOthers).toBeGreaterThanOrEqual(0);
          expect(shareOfOthers).toBeLessThan(share);
          // A number is a word of its own, and of its shape, with each digit as #.
          const shapeOf = (text: string) => text.normalize("NFKC").replaceAll(/[0-9]/g, "#");
          const first = shapeOf(word.split(" ")[0]!);
          expect(texts.filter((text) => shapeOf(text).includes(first)).length).toBeGreaterThanOrEqual(5);
        }
      }),
      { numRuns: 60 },
    );
  });
});
