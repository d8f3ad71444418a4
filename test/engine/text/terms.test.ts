// The terms of a text: against a slow listing of strings, on any script, and in linear time.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { termName } from "../../../engine/text/term-name.ts";
import { PAIR_TERM, PIECE_TERM, SHAPE_TERM, TermScanner, WORD_TERM } from "../../../engine/text/terms.ts";

function scanned(text: string): TermScanner {
  const scanner = new TermScanner();
  scanner.scan(text);
  return scanner;
}

/** Names of the terms of one kind, in order. */
function namesOf(text: string, kind: number): string[] {
  const scanner = scanned(text);
  return Array.from({ length: scanner.count }, (_, at) => at)
    .filter((at) => scanner.kinds[at] === kind)
    .map((at) => termName(scanner, at));
}

/** The hash of every term of one kind, in order. */
function hashesOf(text: string, kind: number): string[] {
  const scanner = scanned(text);
  return Array.from({ length: scanner.count }, (_, at) => at)
    .filter((at) => scanner.kinds[at] === kind)
    .map((at) => `${scanner.low[at]}:${scanner.high[at]}`);
}

describe("words and pairs", () => {
  test.each([
    ["Not GOOD at all", ["not", "good", "at", "all"], ["not good", "good at", "at all"]],
    ["don't e-mail", ["don't", "e-mail"], ["don't e-mail"]],
    ["good, not bad!", ["good", "not", "bad"], ["good not", "not bad"]],
    ["Größe\tStraße", ["größe", "straße"], ["größe straße"]],
    ["ﬁne", ["fine"], []],
    ["很好吃", ["很", "好", "吃"], ["很好", "好吃"]],
    ["مرحبا بالعالم", ["مرحبا", "بالعالم"], ["مرحبا بالعالم"]],
    ["<b>bold</b>", ["b", "bold", "b"], ["b bold", "bold b"]],
    ["👍🏽 ❤️ …", ["👍", "❤"], ["👍 ❤"]],
    ["good👍", ["good", "👍"], ["good👍"]],
    [
      "2024年最好ラーメン",
      ["2024", "年", "最", "好", "ラ", "ー", "メ", "ン"],
      ["2024年", "年最", "最好", "好ラ", "ラー", "ーメ", "メン"],
    ],
    ["买iPhone15很好", ["买", "iphone15", "很", "好"], ["买iphone15", "iphone15很", "很好"]],
    ["ดีมาก good", ["ด", "ี", "ม", "า", "ก", "good"], ["ดี", "ีม", "มา", "าก", "ก good"]],
    ["© 2024 · “so”", ["2024", "so"], ["2024 so"]],
    ["", [], []],
  ])("%s", (text, words, pairs) => {
    expect(namesOf(text, WORD_TERM)).toEqual(words);
    expect(namesOf(text, PAIR_TERM)).toEqual(pairs);
  });

  test("numbers of one form have a term in common", () => {
    const shapes = (text: string) => hashesOf(text, SHAPE_TERM);
    expect(shapes("10:30")).toEqual(shapes("07:45"));
    expect(shapes("10:30")).not.toEqual(shapes("1030"));
    expect(hashesOf("00:00", WORD_TERM)).not.toEqual(shapes("00:00"));
  });
});

describe("a name tells no more than what texts with the term have in common", () => {
  test("a shape is shown without its digits", () => {
    expect(namesOf("card 4929-1234 at 10:30", SHAPE_TERM)).toEqual(["####-####", "##:##"]);
  });

  test("a pair is shown without what stands between or behind its words", () => {
    const long = "x".repeat(40);
    expect(namesOf(`${long}secret …(4929)… ${long}hidden`, PAIR_TERM)).toEqual([`${long} 4929`, `4929 ${long}`]);
    expect(namesOf("3.5 stars", PAIR_TERM)).toEqual(["3.5 stars"]);
    expect(namesOf("好吃", PAIR_TERM)).toEqual(["好吃"]);
  });

  test("terms of one hash are shown alike", () => {
    const words = fc.array(fc.constantFrom("7", "12:30", "90-1", "good", "x".repeat(45), "x".repeat(40), "好吃"));
    fc.assert(
      fc.property(words, fc.constantFrom(" ", "; ", "."), (drawn, between) => {
        const scanner = scanned(drawn.join(between));
        const names = new Map<string, string>();
        for (let at = 0; at < scanner.count; at++) {
          if (scanner.kinds[at] === PIECE_TERM) continue;
          const hash = `${scanner.low[at]}:${scanner.high[at]}`;
          const shown = termName(scanner, at);
          // Whether words stand together is no part of a pair's hash.
          expect((names.get(hash) ?? shown).replace(" ", "")).toBe(shown.replace(" ", ""));
          names.set(hash, shown);
        }
      }),
    );
  });
});

describe("pieces of words", () => {
  /** As scikit-learn's `char_wb`, but that a short word has no piece longer than itself with its blanks. */
  function slowPieces(text: string): string[] {
    return text.split(" ").flatMap((word) => {
      const padded = ` ${word} `;
      return Array.from({ length: padded.length }, (_, first) =>
        [3, 4, 5].flatMap((size) => (first + size <= padded.length ? [padded.slice(first, first + size)] : [])),
      ).flat();
    });
  }

  test("are those of a slow listing, equal where the characters are", () => {
    const word = fc.string({ unit: fc.constantFrom(..."abc"), minLength: 1, maxLength: 7 });
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), (words) => {
        const text = words.join(" ");
        const pieces = slowPieces(text);
        const hashes = hashesOf(text, PIECE_TERM);
        expect(hashes).toHaveLength(pieces.length);
        const nameOf = new Map<string, string>();
        hashes.forEach((hash, at) => {
          expect(nameOf.get(hash) ?? pieces[at]!).toBe(pieces[at]!);
          nameOf.set(hash, pieces[at]!);
        });
        expect(nameOf.size).toBe(new Set(pieces).size);
      }),
    );
  });

  test("a text that grows as it is made plain is cut", () => {
    expect(scanned("ﷺ".repeat(300_000)).text.length).toBeLessThanOrEqual(2 ** 20);
  });

  test("a word of a million characters is cut", () => {
    expect(scanned("x".repeat(1_000_000)).count).toBeLessThan(200);
  });
});

test("any text gives the same terms twice, whatever was looked at before", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", maxLength: 60 }),
      fc.string({ unit: "binary", maxLength: 60 }),
      (text, before) => {
        const used = scanned(before);
        used.scan(text);
        const fresh = scanned(text);
        const list = (scanner: TermScanner) => [
          ...scanner.low.subarray(0, scanner.count),
          ...scanner.high.subarray(0, scanner.count),
        ];
        expect(list(used)).toEqual(list(fresh));
      },
    ),
  );
});
