// What a text says as a number: no row's own label reaches its score, and
// other rows are scored by all that were learned from.
import { describe, expect, test } from "bun:test";
import { Random } from "../../../engine/random.ts";
import { Scorer } from "../../../engine/scoring/scorer.ts";
import { codeTable, FIRST_CODE, fitBuckets } from "../../../engine/table/buckets.ts";
import { scoreGroups } from "../../../engine/table/text-scores.ts";
import { readCsvText } from "../../support/csv-table.ts";
import { everyRow } from "../../support/tables.ts";
import { FOREST, fileOf } from "../../support/text-models.ts";
import { drawTexts, textTable } from "../../support/text-tables.ts";

describe("groups of classes", () => {
  test.each([2, 3, 16, 17, 77, 255])("%d classes are told apart by them", (classCount) => {
    const groups = scoreGroups(classCount);
    const words = Array.from({ length: classCount }, (_, k) => groups.map((group) => group[k]).join(""));
    // Sixteen random halves leave a few pairs of very many classes alike.
    expect(new Set(words).size).toBeGreaterThan(0.99 * classCount - 1);
    for (const group of groups) expect(new Set(group).size).toBe(2);
  });
});

/** The log-odds by the definition: words and pairs that two of the counted rows have, each once. */
function slowScore(
  counted: readonly (readonly string[])[],
  inside: readonly boolean[],
  terms: readonly string[],
): number {
  const [insideCount, outCount] = [inside.filter(Boolean).length + 1, inside.filter((own) => !own).length + 1];
  let score = Math.log(insideCount / outCount);
  for (const term of new Set(terms)) {
    const has = counted.map((own) => own.includes(term));
    const withIt = has.filter((own, row) => own && inside[row]).length;
    const without = has.filter((own, row) => own && !inside[row]).length;
    if (withIt + without < 2) continue;
    const share = (withIt + without) / (insideCount + outCount);
    score += Math.log((withIt + share) / insideCount) - Math.log((without + share) / outCount);
  }
  return score;
}

function plainTerms(text: string): string[] {
  const words = text.split(" ");
  return [...words, ...words.slice(1).map((word, at) => `${words[at]} ${word}`)];
}

test("rows outside the fit are scored by counts of all rows of the fit", () => {
  const { texts, labels } = drawTexts(60, 2, 3);
  const table = textTable(texts, labels);
  const rows = everyRow(table).subarray(0, 40);
  const buckets = fitBuckets(table, rows, 40);
  const index = table.features.findIndex(({ kind }) => kind === "score");
  const fitted = buckets[index]!;
  if (fitted.kind !== "number") throw new Error("a score is a number");
  const counted = texts.slice(0, 40).map(plainTerms);
  const inside = labels.slice(0, 40).map((label) => label === table.labels[1]);
  const codes = codeTable(table, buckets).features[index]!.codes;
  let checked = 0;
  for (let row = 40; row < 60; row++) {
    const expected = slowScore(counted, inside, plainTerms(texts[row]!));
    const code = codes[row]!;
    if (code < FIRST_CODE) continue;
    const bucket = code - FIRST_CODE;
    const low = bucket === 0 ? Number.NEGATIVE_INFINITY : fitted.cutPoints[bucket - 1]!;
    const high = fitted.cutPoints[bucket] ?? Number.POSITIVE_INFINITY;
    expect(expected).toBeGreaterThan(low - 1e-4);
    expect(expected).toBeLessThanOrEqual(high + 1e-4);
    checked++;
  }
  expect(checked).toBeGreaterThan(15);
});

test("a row's own label changes the score of every other row but not its own", () => {
  const { texts, labels } = drawTexts(50, 2, 4);
  const levelOfRow = (changed: readonly string[]) => {
    const table = textTable(texts, changed);
    const index = table.features.findIndex(({ kind }) => kind === "score");
    const fitted = fitBuckets(table, everyRow(table), 1000)[index]!;
    if (fitted.kind !== "number") throw new Error("a score is a number");
    return {
      weights: fitted.score!.own.weights,
      own: fitted.means[fitted.codeOfLevel[fitted.score!.levels[7]!]! - FIRST_CODE]!,
    };
  };
  const [one, other] = [...new Set(labels)];
  const flipped = labels.map((label, row) => (row === 7 ? (label === one ? other! : one!) : label));
  const [before, after] = [levelOfRow(labels), levelOfRow(flipped)];
  expect(after.weights).not.toEqual(before.weights);
  expect(after.own).toBeCloseTo(before.own, 12);
});

test("texts of random words score no better than chance on the rows they were fitted on", () => {
  const { texts } = drawTexts(400, 3, 5);
  const labels = drawTexts(400, 2, 6).labels;
  const table = textTable(texts, labels);
  const index = table.features.findIndex(({ kind }) => kind === "score");
  const { codes, codeCount } = codeTable(table, fitBuckets(table, everyRow(table), 2)).features[index]!;
  expect(codeCount).toBeLessThanOrEqual(FIRST_CODE + 2);
  const right = [...codes].filter((code, row) => code > FIRST_CODE === (table.classes[row] === 1)).length;
  expect(Math.abs(right / 400 - 0.5)).toBeLessThan(0.1);
});

test("classes that take turns in the file are in every fold", () => {
  const labels = Array.from({ length: 400 }, (_, row) => `class ${row % 5}`);
  const texts = labels.map((label, row) => `${"qwert"[Number(label.at(-1))]!.repeat(4)} ${"abc"[row % 3]!.repeat(3)}`);
  const table = textTable(texts, labels);
  const first = table.features.findIndex(({ kind }) => kind === "score");
  const { codes } = codeTable(table, fitBuckets(table, everyRow(table), 50)).features[first]!;
  // The score for a class is higher in each of its own rows than in any other.
  const codesOf = (isOwn: boolean) => [...codes].filter((_, row) => (table.classes[row] === 0) === isOwn);
  expect(Math.min(...codesOf(true))).toBeGreaterThan(Math.max(...codesOf(false)));
});

test("new codes are scored by their beginnings, though no code comes twice", () => {
  const random = new Random(29);
  const drawCode = () => `${String.fromCharCode(65 + random.nextBelow(26))}${10_000 + random.nextBelow(90_000)}`;
  const labelOf = (code: string) => code.charCodeAt(0) % 2;
  const codes = Array.from({ length: 800 }, drawCode);
  const rows = codes.map((code) => `${code},${labelOf(code)}`);
  const file = fileOf(readCsvText(`code,label\n${rows.join("\n")}\n`), FOREST);
  const fresh = Array.from({ length: 400 }, drawCode);
  const { decisions } = new Scorer(file, ["code"]).score(fresh.map((code) => [code]));
  const right = fresh.filter((code, row) => Number(file.labels[decisions[row]!]) === labelOf(code)).length;
  expect(right).toBeGreaterThan(360);
});
