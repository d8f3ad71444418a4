// Which terms are kept, and the rows that are written of them: against maps of strings.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { selectTermRows, type TermRows, TermRowWriter, termName } from "../../../engine/text/term-rows.ts";
import { TermTable } from "../../../engine/text/term-table.ts";
import { PIECE_TERM, TermScanner } from "../../../engine/text/terms.ts";
import { TermCounter } from "../../../engine/text/vocabulary.ts";
import { textTable } from "../../support/text-tables.ts";

const word = fc.constantFrom(..."red green blue fast slow warm cold".split(" "));
const sentence = fc.array(word, { maxLength: 8 }).map((words) => words.join(" "));
const sentences = fc.array(sentence, { minLength: 1, maxLength: 30 });

function countedBy(texts: readonly string[], mostCounted?: number): TermCounter {
  const scanner = new TermScanner();
  const counter = new TermCounter(mostCounted);
  for (const text of texts) {
    scanner.scan(text);
    counter.add(scanner);
  }
  return counter;
}

/** Texts that hold each term, by hash; those of one text left out. */
function slowCounts(texts: readonly string[]): Map<string, number> {
  const scanner = new TermScanner();
  const counts = new Map<string, number>();
  for (const text of texts) {
    scanner.scan(text);
    const own = new Set(Array.from({ length: scanner.count }, (_, at) => `${scanner.low[at]}:${scanner.high[at]}`));
    for (const term of own) counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  return new Map([...counts].filter(([, count]) => count >= 2));
}

test("the vocabulary holds the terms of two texts and more, with their counts", () => {
  fc.assert(
    fc.property(sentences, (texts) => {
      const { keys, rowCounts } = countedBy(texts).choose();
      const found = Array.from(rowCounts, (count, term): [string, number] => [
        `${keys[2 * term]}:${keys[2 * term + 1]}`,
        count,
      ]);
      expect(new Map(found)).toEqual(slowCounts(texts));
    }),
  );
});

test("words and pairs come first, the most frequent ones first among each", () => {
  const { plainCount, rowCounts } = countedBy(["red warm", "red warm", "red cold", "blue cold"]).choose();
  const [plain, pieces] = [rowCounts.slice(0, plainCount), rowCounts.slice(plainCount)];
  expect([...plain]).toEqual([...plain].sort((a, b) => b - a));
  expect([...pieces]).toEqual([...pieces].sort((a, b) => b - a));
  // red, warm, cold, "red warm".
  expect(plainCount).toBe(4);
});

test("where entries are too many, pieces go before pairs, pairs before the commonest words", () => {
  const texts = ["red warm", "red warm", "red warm", "red cold", "blue cold"];
  const all = countedBy(texts).choose();
  const words = countedBy(texts).choose(1000, 9);
  expect(words.plainCount).toBe(words.rowCounts.length);
  expect(words.rowCounts.length).toBe(3);
  expect([...countedBy(texts).choose(1000, 5).rowCounts]).toEqual([3, 2]);
  expect(countedBy(texts).choose(2).rowCounts.length).toBe(2);
  expect(all.rowCounts.length).toBeGreaterThan(all.plainCount);
});

test("terms that recur are kept though rare ones are forgotten on the way", () => {
  const texts = Array.from({ length: 400 }, (_, at) => `always unique${at} thing`);
  const scanner = new TermScanner();
  scanner.scan("always thing");
  const few = countedBy(texts, 200).choose();
  const table = TermTable.of(few.keys);
  const first = table.find(scanner.low[0]!, scanner.high[0]!);
  expect(scanner.kinds[0]).not.toBe(PIECE_TERM);
  expect(first).toBeGreaterThanOrEqual(0);
  // Counted low by as often as something was forgotten, at most.
  expect(few.rowCounts[first]!).toBeGreaterThan(300);
  expect(few.rowCounts.length).toBeLessThan(200);
});

describe("rows", () => {
  const rowLists = fc.array(fc.array(fc.nat(9), { maxLength: 20 }), { minLength: 1, maxLength: 12 });

  function written(lists: readonly (readonly number[])[]): TermRows {
    const writer = new TermRowWriter(10);
    for (const terms of lists) {
      for (const term of terms) writer.add(term);
      writer.endRow();
    }
    return writer.finish(10, false);
  }

  function listed({ starts, terms, counts }: TermRows): number[][][] {
    return Array.from({ length: starts.length - 1 }, (_, row) =>
      Array.from({ length: starts[row + 1]! - starts[row]! }, (_, at) => [
        terms[starts[row]! + at]!,
        counts[starts[row]! + at]!,
      ]),
    );
  }

  function slowRow(terms: readonly number[]): number[][] {
    const distinct = [...new Set(terms)].sort((a, b) => a - b);
    return distinct.map((term) => [term, terms.filter((own) => own === term).length]);
  }

  test("hold each term once, ascending, with its count", () => {
    fc.assert(fc.property(rowLists, (lists) => expect(listed(written(lists))).toEqual(lists.map(slowRow))));
  });

  test("are picked in any order", () => {
    fc.assert(
      fc.property(rowLists, fc.array(fc.nat(), { maxLength: 8 }), (lists, picks) => {
        const rows = Uint32Array.from(picks, (pick) => pick % lists.length);
        const expected = Array.from(rows, (row) => slowRow(lists[row]!));
        expect(listed(selectTermRows(written(lists), rows))).toEqual(expected);
      }),
    );
  });
});

test("only terms that five rows have are named", () => {
  const texts = [
    ...Array.from({ length: 5 }, () => "common word"),
    ...Array.from({ length: 4 }, () => "private detail"),
  ];
  const { names, plainCount } = textTable(
    texts,
    texts.map((_, at) => (at % 2 === 0 ? "a" : "b")),
  ).texts![0]!;
  const shown = Array.from({ length: plainCount }, (_, term) => termName(names, term));
  expect(shown.filter((name) => name !== null).sort()).toEqual(["common", "common word", "word"]);
  expect(plainCount).toBe(6);
});
