// Words and parts as reasons: they are the row's own, they come to what the column did, and a result has columns for
// them.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { strongestOf } from "../../../engine/explain/reasons.ts";
import { strongestWords, termEffects } from "../../../engine/explain/word-effects.ts";
import type { BaseSettings } from "../../../engine/families/base-algorithms.ts";
import type { ModelFile } from "../../../engine/model/model-file.ts";
import { ResultCsv } from "../../../engine/scoring/result-csv.ts";
import { Scorer } from "../../../engine/scoring/scorer.ts";
import type { TermRows } from "../../../engine/text/term-rows.ts";
import { countSlots } from "../../../engine/text/term-slots.ts";
import { readCsvText } from "../../support/csv-table.ts";
import { scoreText } from "../../support/scored-text.ts";
import { csvOf, FOREST, fileOf, WORDS } from "../../support/text-models.ts";
import { drawTexts } from "../../support/text-tables.ts";

const SOURCE = readCsvText(csvOf(drawTexts(300, 3, 5)));
const FRESH = drawTexts(40, 3, 6).texts;

const MODELS: [string, readonly [BaseSettings, ...BaseSettings[]]][] = [
  ["of terms", [WORDS]],
  ["of trees", [FOREST]],
  ["of both", [WORDS, FOREST]],
];

function oneRow(terms: readonly number[], plainCount: number): TermRows {
  return {
    starts: Uint32Array.of(0, terms.length),
    terms: Uint32Array.from(terms),
    counts: new Uint8Array(terms.length).fill(1),
    termCount: 100,
    plainCount,
    weighedCount: plainCount,
  };
}

function reasonsOf(file: ModelFile, texts: readonly string[]) {
  const names = file.columns.map(({ name }) => name);
  return new Scorer(file, names, 9).score(texts.map((text) => ["3", text]));
}

describe.each(MODELS)("a model %s", (_, settings) => {
  const file = fileOf(SOURCE, ...settings);

  test("names at most three words or pairs of the row, strongest first, for its text alone", () => {
    const { reasons } = reasonsOf(file, FRESH);
    let named = 0;
    for (const [row, own] of reasons.entries()) {
      for (const { column, words } of own) {
        if (file.columns[column]!.name !== "review") expect(words).toBeUndefined();
        else {
          const effects = words!.map(({ effect }) => Math.abs(effect));
          expect(effects).toEqual(effects.toSorted((a, b) => b - a));
          expect(effects.length).toBeLessThanOrEqual(3);
          for (const { word } of words!) expect(` ${FRESH[row]} `).toContain(` ${word} `);
          named += effects.length;
        }
      }
    }
    expect(named).toBeGreaterThan(FRESH.length);
  });

  test("names no word that fewer than five rows have, though it tells the most", () => {
    const { texts, labels } = drawTexts(300, 2, 7);
    let marked = 0;
    const telling = texts.map((text, row) => {
      if (labels[row] !== "class 00" || marked === 9) return text;
      return marked++ < 4 ? `rare ${text}` : `seldom ${text}`;
    });
    const { reasons } = reasonsOf(fileOf(readCsvText(csvOf({ texts: telling, labels })), ...settings), [
      "rare",
      "seldom",
    ]);
    const words = reasons.map((own) => own.flatMap((reason) => reason.words ?? []).map(({ word }) => word));
    expect(words).toEqual([[], ["seldom"]]);
  });

  test("a result has four columns for each reason, whether there are words or not", () => {
    const input = `review,number\n${FRESH[0]},1\n,\n"<b>zzz</b> 😀",2\n`;
    const [header, ...rows] = scoreText(file, input, { reasonCount: 2 }).cells;
    const added = [1, 2].flatMap((place) => ["", "_effect", "_words", "_parts"].map((end) => `reason_${place}${end}`));
    expect(header!.slice(-8)).toEqual(added);
    for (const row of rows) expect(row).toHaveLength(header!.length);
    const reasons = rows[0]!.slice(-8);
    const named = /^[a-z ]+ -?[\d.e-]+(; [a-z ]+ -?[\d.e-]+){0,2}$/;
    expect(reasons[reasons.indexOf("review") + 2]!).toMatch(named);
    expect(reasons[reasons.indexOf("review") + 3]!).toMatch(named);
  });
});

test.each([MODELS[0]!, MODELS[2]!])("base and reasons of a model %s come to its answer", (_, settings) => {
  const { reasons, probabilities, decisions } = reasonsOf(fileOf(SOURCE, ...settings), [...FRESH, "", "zzz"]);
  const bases = new Map<string, number>();
  for (const [row, own] of reasons.entries()) {
    const shares = [...probabilities.subarray(3 * row, 3 * row + 3)];
    const decided = decisions[row]!;
    const other = Math.max(...shares.filter((_, k) => k !== decided));
    const sum = own.reduce((total, { effect }) => total + effect, 0);
    const base = Math.log(shares[decided]! / other) - sum;
    // Rows with the same two classes in front have the same base.
    const key = `${decided} ${shares.indexOf(other)}`;
    expect(bases.get(key) ?? base).toBeCloseTo(base, 5);
    bases.set(key, base);
  }
  expect(bases.size).toBeLessThan(FRESH.length / 2);
});

describe("parts", () => {
  const day = (row: number) => new Date(Date.UTC(2024, 0, 1 + row));
  const dated = Array.from({ length: 400 }, (_, row) => {
    const [date, isWorkday] = [day(row).toISOString().slice(0, 10), (day(row).getUTCDay() + 6) % 7 < 5];
    return `${date},${(row * 7) % 13},${isWorkday ? "yes" : "no"}`;
  });
  const file = fileOf(readCsvText(`day,number,label\n${dated.join("\n")}\n`), FOREST);

  test("of a date come to its effect, the weekday first where the label goes by it", () => {
    const { reasons } = new Scorer(file, ["day", "number"], 9).score([
      ["2024-03-04", "3"],
      ["2024-03-09", "5"],
    ]);
    for (const own of reasons) {
      const [first] = own;
      const parts = first!.parts!;
      expect(parts[0]!.part).toBe("weekday");
      expect(parts.length).toBeLessThanOrEqual(3);
      const known = file.features.filter(({ column, part }) => column === 0 && part !== null).length;
      if (known <= 3) expect(parts.reduce((sum, { effect }) => sum + effect, 0)).toBeCloseTo(first!.effect, 9);
      for (const { column, parts: ofColumn } of own) if (column !== 0) expect(ofColumn).toBeUndefined();
    }
  });

  test("are the strongest three effects, of equal ones the first name", () => {
    const drawn = fc.dictionary(fc.string(), fc.integer({ min: -5, max: 5 }), { noNullPrototype: true });
    fc.assert(
      fc.property(drawn, (effects) => {
        const strongest = strongestOf(new Map(Object.entries(effects)));
        const slow = Object.entries(effects)
          .filter(([, effect]) => effect !== 0)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .sort(([, a], [, b]) => Math.abs(b) - Math.abs(a))
          .slice(0, 3);
        expect(strongest).toEqual(slow);
      }),
    );
  });
});

test("a model without texts has two columns for each reason", () => {
  const source = readCsvText(
    `a,b,label\n${Array.from({ length: 60 }, (_, i) => `${i},${i % 7},${i % 2}`).join("\n")}\n`,
  );
  const header = {
    names: ["a", "b"],
    cells: ["a", "b"],
    delimiter: ",",
    lineEnding: "\n",
    encoding: "utf-8",
  } as const;
  const options = { likeInput: false, spreadsheetSafe: false, reasonCount: 1 };
  const result = new ResultCsv(fileOf(source, FOREST), header, options);
  expect(result.headerLine.trim().split(",").slice(-2)).toEqual(["reason_1", "reason_1_effect"]);
});

describe("termEffects", () => {
  const effect = fc.double({ min: -9, max: 9, noNaN: true });

  test("words have what their slots have, and share what the scores added by their weights", () => {
    const score = fc.record({
      effect,
      bias: effect,
      weights: fc.array(effect, { minLength: 8, maxLength: 8 }).map((own) => Float32Array.from(own)),
    });
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat(11), { maxLength: 12 }),
        fc.array(effect, { minLength: 13, maxLength: 13 }),
        fc.array(score, { maxLength: 3 }),
        (drawn, slots, scores) => {
          const text = oneRow(
            drawn.toSorted((a, b) => a - b),
            8,
          );
          const plain = [...text.terms].filter((term) => term < 8);
          const found = termEffects(text, Float64Array.from(slots.slice(0, plain.length + 1)), scores);
          for (const [at, term] of plain.entries()) {
            let expected = slots[at]!;
            for (const { effect, bias, weights } of scores) {
              const size = plain.reduce((sum, own) => sum + Math.abs(weights[own]!), 0);
              const sum = plain.reduce((total, own) => total + weights[own]!, bias);
              if (size > 0) expected += (effect * Math.sign(sum) * weights[term]!) / size;
            }
            expect(found.get(term)).toBeCloseTo(expected, 8);
          }
          expect([...found.keys()].every((term) => term < 8)).toBeTrue();
        },
      ),
    );
  });

  test("a text of very many words has a bounded number of slots", () => {
    const text = oneRow(
      Array.from({ length: 50_000 }, (_, at) => at),
      50_000,
    );
    expect(countSlots(text)).toBe(4096);
    expect(countSlots(oneRow([], 8))).toBe(1);
    expect(countSlots(oneRow([3, 9, 11], 8))).toBe(2);
  });

  test("terms that are shown alike count as one word", () => {
    const effects = new Map([
      [0, 0.5],
      [1, 0.4],
      [2, -0.7],
      [3, 0],
    ]);
    const names = new Map([
      [0, "000"],
      [1, "000"],
      [2, "bad"],
      [3, "nothing"],
    ]);
    expect(strongestWords(effects, names)).toEqual([
      { word: "000", effect: 0.9 },
      { word: "bad", effect: -0.7 },
    ]);
  });
});
