// Single words that give the label away, against the rule by its definition.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Random } from "../../../engine/random.ts";
import { labelWordShare, tellingStrength } from "../../../engine/refinement/telling-terms.ts";
import { labelledRows } from "../../../engine/table/table.ts";
import { everyRow } from "../../support/tables.ts";
import { drawTexts, textTable } from "../../support/text-tables.ts";

function strengthOf(texts: readonly string[], labels: readonly string[]): number {
  const table = textTable(texts, labels);
  const [text] = table.texts!;
  return text === undefined ? 0 : tellingStrength(text, labelledRows(table, everyRow(table)));
}

function shareOf(texts: readonly string[], labels: readonly string[]): number {
  const table = textTable(texts, labels);
  return labelWordShare(table.texts![0]!, labelledRows(table, everyRow(table)));
}

/**
 * By leaving out each row in turn; null where two words tell a class equally well, or a row has words of two classes.
 */
function slowStrength(rows: readonly (readonly string[])[], labels: readonly string[]): number | null {
  const told = new Map<string, string>();
  for (const own of new Set(labels)) {
    const having = (word: string) => labels.filter((_, row) => rows[row]!.includes(word));
    const telling = ["p", "q", "r"]
      .map((word) => ({ word, all: having(word).length, count: having(word).filter((label) => label === own).length }))
      .filter(({ all, count }) => count >= 20 && count >= 0.99 * all)
      .sort((x, y) => y.count - x.count);
    if (telling.length > 1 && telling[0]!.count === telling[1]!.count) return null;
    if (telling.length > 0) told.set(telling[0]!.word, own);
  }
  if (told.size === 0) return 0;
  const found = rows.map((words) => words.filter((word) => told.has(word)));
  if (found.some((words) => words.length > 1)) return null;
  const codes = found.map(([word]) => (word === undefined ? "" : told.get(word)!));
  const countOf = (code: string, label: string) =>
    labels.filter((own, row) => own === label && codes[row] === code).length;
  const isRight = (row: number) => {
    const left = (label: string) => countOf(codes[row]!, label) - (label === labels[row] ? 1 : 0);
    return [...new Set(labels)].every((label) => label === labels[row] || left(label) < left(labels[row]!));
  };
  const right = labels.filter((_, row) => isRight(row)).length;
  const majority = Math.max(...[...new Set(labels)].map((own) => labels.filter((label) => label === own).length));
  return majority === labels.length ? 0 : (right - majority) / (labels.length - majority);
}

/** Letters alone: numbers have terms of their own. */
const rowWord = (row: number) => `x${[...String(row)].map((digit) => "abcdefghij"[Number(digit)]).join("")}`;

test("is the rule by its definition", () => {
  const row = fc.record({
    label: fc.constantFrom("no", "no", "yes"),
    words: fc.subarray(["p", "q", "r"]),
    isTold: fc.nat(9),
  });
  fc.assert(
    fc.property(fc.array(row, { minLength: 40, maxLength: 120 }), (drawn) => {
      const labels = drawn.map(({ label }) => label);
      fc.pre(new Set(labels).size === 2);
      // Mostly q with one class and r with the other, so that there is a rule to find.
      const rows = drawn.map(({ label, words, isTold }) => (isTold === 0 ? words : label === "no" ? ["q"] : ["r"]));
      const slow = slowStrength(rows, labels);
      fc.pre(slow !== null);
      // A word of its own behind each word: no pair of words stands in two rows.
      const texts = rows.map((words, at) =>
        words.map((word, place) => `${word} ${rowWord(10 * at + place)}`).join(" "),
      );
      expect(strengthOf(texts, labels)).toBeCloseTo(slow, 12);
    }),
    { numRuns: 200 },
  );
});

describe("strength", () => {
  const { texts, labels } = drawTexts(600, 4, 1);

  test("is 1 where each text names its class, whatever else it says", () => {
    const named = texts.map((text, row) => `${text} ${labels[row]!.replace("class ", "kind")} ${text}`);
    expect(strengthOf(named, labels)).toBe(1);
  });

  test("is 1 where all classes but one are named", () => {
    const named = texts.map((text, row) =>
      labels[row] === "class 00" ? text : `${text} ${labels[row]!.replace(" ", "")}`,
    );
    expect(strengthOf(named, labels)).toBe(1);
  });

  test("is far from that where words only speak for a class", () => {
    expect(strengthOf(texts, labels)).toBeLessThan(0.5);
  });

  test("falls where words that name a class stand in rows of another", () => {
    const wrong = texts.map(
      (text, row) => `${text} ${labels[(row % 10 === 0 ? row + 1 : row) % 600]!.replace(" ", "")}`,
    );
    expect(strengthOf(wrong, labels)).toBeLessThan(0.5);
  });
});

describe("words of labels", () => {
  const { texts, labels } = drawTexts(1_200, 5, 1);
  const isNamed = (row: number) => row % 5 < 3;
  const team = (row: number, label: string) => `${texts[row]} team${label.replace("class ", "q")}`;

  test("are found by the share of rows that have theirs", () => {
    const marked = labels.map((label, row) => (isNamed(row) ? team(row, label) : texts[row]!));
    expect(shareOf(marked, labels)).toBeCloseTo(0.6, 12);
  });

  test("need not stand with every label", () => {
    const marked = labels.map((label, row) => (isNamed(row) && label !== "class 00" ? team(row, label) : texts[row]!));
    const named = labels.filter((label, row) => isNamed(row) && label !== "class 00");
    expect(shareOf(marked, labels)).toBeCloseTo(named.length / labels.length, 1);
  });

  test("are not told of texts without them, of few of these, of one label's, or of two labels", () => {
    expect(shareOf(texts, labels)).toBe(0);
    const few = labels.map((label, row) => (row % 5 === 0 ? team(row, label) : texts[row]!));
    expect(shareOf(few, labels)).toBe(0);
    const one = labels.map((label, row) => (label === "class 00" ? team(row, label) : texts[row]!));
    expect(shareOf(one, labels)).toBe(0);
    const two = drawTexts(1_200, 2, 1);
    const marked = two.labels.map((label, row) => (isNamed(row) ? `${two.texts[row]} team${label}` : two.texts[row]!));
    expect(shareOf(marked, two.labels)).toBe(0);
  });

  test("are not told of labels whose texts have hardly a word in common, as languages have", () => {
    const random = new Random(3);
    // Each word stands in three of five texts of its label.
    const written = labels.map((label) =>
      Array.from({ length: 8 }, () => `${label.replace("class ", "lang")}${rowWord(random.nextBelow(9))}`).join(" "),
    );
    expect(shareOf(written, labels)).toBe(0);
  });
});
