// Texts without a word that the model knows: counted as they are scored, and an alarm where they are many.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type ModelFile, unpackModel } from "../../../engine/model/model-file.ts";
import { Random } from "../../../engine/random.ts";
import { CellCoder } from "../../../engine/scoring/cell-coder.ts";
import { sumOf } from "../../../engine/sums.ts";
import type { TermRows } from "../../../engine/text/term-rows.ts";
import { countTable } from "../../../engine/watch/count-table.ts";
import { countWords, textShift, unknownShare } from "../../../engine/watch/unknown-texts.ts";
import { columnWords } from "../../../src/words/watch-words.ts";
import { readCsvText } from "../../support/csv-table.ts";
import { scoreText } from "../../support/scored-text.ts";
import { everyRow } from "../../support/tables.ts";
import { FOREST, fileOf } from "../../support/text-models.ts";

const VECTOR = join(import.meta.dir, "../../fixtures/vectors/terms-two-classes.cupel");
const KNOWN = "the old model";
const UNKNOWN = "qxzj vwqk";

/** Its columns are a review, a title and stars; the review's lengths are those of the texts here. */
function model(): ModelFile {
  const plain = { cutPoints: [], counts: [260], missing: 0 };
  return {
    ...unpackModel(new Uint8Array(readFileSync(VECTOR))),
    reference: [
      { kind: "text", range: { low: 1, high: 100 }, ...plain },
      { kind: "category", frequent: [0], counts: [0, 260], unseen: 0, missing: 0 },
      { kind: "number", range: { low: 1, high: 5 }, ...plain },
    ],
  };
}

function report(reviews: readonly string[], file: ModelFile = model()) {
  const lines = reviews.map((review) => `${review},Old model 40,3\n`);
  const { watch, warnings } = scoreText(file, `review,title,stars\n${lines.join("")}`);
  return { review: watch.columns!.find(({ name }) => name === "review")!, codes: warnings.map(({ code }) => code) };
}

const FEW = { least: 2, fewer: 13 };
const texts = (known: number, unknown: number, other: string = UNKNOWN) => [
  ...new Array<string>(known).fill(KNOWN),
  ...new Array<string>(unknown).fill(other),
];

describe("texts of a file", () => {
  test("without a known word are an alarm where they are many", () => {
    const { review, codes } = report(texts(60, 60));
    expect(review).toMatchObject({ verdict: "SHIFTED", unknownTexts: 0.5 });
    expect(columnWords(review)).toContain("50.0% have a text without a word that the model knows");
    expect(codes).toEqual(["NO_KNOWN_TERM", "SHIFTED"]);
  });

  test("are as in training where a tenth of them has none", () => {
    expect(report(texts(108, 12)).review).toMatchObject({ verdict: "ALIKE", unknownTexts: 0.1 });
    expect(report(texts(120, 0)).review).toMatchObject({ verdict: "ALIKE", unknownTexts: 0 });
  });

  test("that are missing are none without a known word", () => {
    const { review } = report([...texts(60, 0), ...new Array<string>(60).fill("")]);
    expect(review.unknownTexts).toBe(0);
    expect(columnWords(review)).toBe("50.0% have no value (training 0.0%)");
  });
});

test("unknown texts hide no difference of the lengths", () => {
  const codes = [0, 15, 0, 100, 0];
  const column = { kind: "text", range: { low: 1, high: 9 }, cutPoints: [], counts: [500], missing: 0 } as const;
  const lengths = { cellCount: 3, pValue: 1e-9, index: 2 };
  expect(unknownShare(codes)).toBe(0.15);
  expect(textShift(lengths, column, codes)).toEqual({ cellCount: 3, pValue: 2e-9, index: 2 });
  expect(textShift(lengths, column, [0, 10, 0, 100, 0])).toBe(lengths);
});

const ROWS = 400;

/** Terms from 300 on are pieces of words. */
function drawnTexts(wordsOf: (row: number) => number[]): TermRows {
  const rows = Array.from({ length: ROWS }, (_, row) => wordsOf(row).toSorted((a, b) => a - b));
  const starts = Uint32Array.from([0, ...rows], (_, at) => rows.slice(0, at).flat().length);
  const terms = Uint32Array.from(rows.flat());
  return {
    starts,
    terms,
    counts: new Uint8Array(terms.length).fill(1),
    termCount: 320,
    plainCount: 300,
    weighedCount: 300,
  };
}

describe("words of training texts", () => {
  const every = Uint32Array.from({ length: ROWS }, (_, row) => row);

  test("count where two other rows have them, and few are less than 95 of 100 texts have", () => {
    // Each has five or more common words; one in 50 has a single one.
    const usual = drawnTexts((row) => (row % 50 === 0 ? [0] : [0, 1, 2, 3, 4 + (row % 3)]));
    expect(countWords(usual, every, () => true)).toEqual({ least: 5, fewer: 8 });
    // Words of two rows would be unknown in either, were it new; pieces of words count nowhere.
    const rare = drawnTexts((row) => [20 + Math.floor(row / 2), 310]);
    expect(countWords(rare, every, () => true)).toEqual({ least: 1, fewer: ROWS });
    expect(countWords(rare, every, (row) => row < 10)).toEqual({ least: 1, fewer: 10 });
  });

  test("tell texts of few words apart where hardly any training text had so few", () => {
    const few = {
      ...model(),
      reference: model().reference!.map((own, at) => (at === 0 ? { ...own, words: FEW } : own)),
    };
    const told = (reviews: readonly string[]) => report(reviews, few).review;
    const known = new Array<string>(60).fill("it is not good");
    expect(told([...known, ...known.slice(6), ...texts(0, 6)])).toMatchObject({ verdict: "ALIKE", unknownTexts: 0.05 });
    const foreign = told([...known, ...texts(0, 60, "qxzj the vwqk")]);
    expect(foreign).toMatchObject({ verdict: "SHIFTED", unknownTexts: 0.5, fewWords: { least: 2, trained: 13 / 260 } });
    expect(columnWords(foreign)).toContain(
      "50.0% have a text of fewer than 2 words that the model knows (training 5.0%)",
    );
  });
});

test("texts of one length are counted, and those that are missing", () => {
  const code = (row: number) =>
    `B00${String.fromCharCode(65 + (row % 26), 65 + (row % 7))}${row % 4 === 0 ? 7 : "X"}${1_000 + row}`;
  const lines = Array.from({ length: 600 }, (_, row) => `${row % 10 === 0 ? "" : code(row)},${row % 3 === 0}`);
  const { table } = readCsvText(["code,y", ...lines].join("\n"));
  const [reference] = countTable(table, everyRow(table));
  expect(reference).toMatchObject({ kind: "text", missing: 60 });
  expect(sumOf(reference!.counts)).toBe(540);
});

describe("codes of one shape", () => {
  const random = new Random(3);
  const code = () => Array.from({ length: 8 }, () => "ABCDEFGH"[random.nextBelow(8)]).join("");
  const lines = Array.from({ length: 400 }, (_, row) => `${row % 10 === 0 ? "" : code()},${row % 7},${row % 3 === 0}`);
  const source = readCsvText(["code,x,y", ...lines].join("\n"));

  test("tell by a character how many are empty", () => {
    expect(source.table.features[0]).toMatchObject({ name: "code.character1" });
    const [reference] = countTable(source.table, everyRow(source.table));
    expect(reference).toMatchObject({ kind: "text", range: null, missing: 40, counts: [360] });
  });

  test("are no odd cells where no piece is known, since their characters are read", () => {
    const coder = new CellCoder(fileOf(source, FOREST), [0, 1]);
    const codes = source.table.features.map(() => new Uint16Array(2));
    coder.codeRecords(
      [
        ["QXZJVWQK", "3"],
        ["", "3"],
      ],
      codes,
      0,
    );
    expect(coder.warnings().map(({ code }) => code)).toEqual([]);
  });
});
