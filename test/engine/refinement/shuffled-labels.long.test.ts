// Shuffled labels and random words do not look significant: the p-values of many draws.
import { expect, test } from "bun:test";
import { Random, shuffle } from "../../../engine/random.ts";
import { testTexts } from "../../../engine/refinement/text-test.ts";
import { testIndependence } from "../../../engine/statistics/independence.ts";
import { neverStop } from "../../../engine/stop-signal.ts";
import { randomTexts } from "../../support/noise-text.ts";
import { everyRow } from "../../support/tables.ts";
import { drawTexts, textTable } from "../../support/text-tables.ts";
import { cross, type Margins, meanAndVariance, repeat, spell } from "../statistics/margins.ts";

/** The tests of so many shuffles. */
function testShuffled({ codes, classes }: Margins, shuffleCount: number, seed: number) {
  const codeOfRow = spell(codes);
  const classOfRow = spell(classes);
  expect(codeOfRow.length).toBe(classOfRow.length);
  const random = new Random(seed);
  return Array.from({ length: shuffleCount }, () => {
    shuffle(classOfRow, random);
    return testIndependence(cross(codeOfRow, classOfRow, codes.length, classes.length), classes.length);
  });
}

const rareClasses = [400, 200, 85, 50, 50, 40, 30, 20, 20, 20, 10, 10, 10, 10, 10, 10, 10, 10, 5];

test.each<[string, Margins]>([
  ["uneven codes, three classes", { codes: [100, 60, 30, 10, 5, 1], classes: [120, 70, 16] }],
  ["rare categories, rare classes", { codes: repeat(250, 4), classes: rareClasses }],
])("mean and variance are those of random shuffles: %s", (_, margins) => {
  const shuffleCount = 300;
  const results = testShuffled(margins, shuffleCount, 11);
  const { mean, variance } = meanAndVariance(results.map(({ statistic }) => statistic));
  expect(Math.abs(mean - results[0]!.mean)).toBeLessThan(5 * Math.sqrt(variance / shuffleCount));
  expect(variance / results[0]!.variance).toBeWithin(0.6, 1.6);
});

test.each<[string, Margins, number]>([
  ["ten balanced buckets, two classes", { codes: repeat(10, 200), classes: [1000, 1000] }, 3_000],
  ["200 rare categories, three classes", { codes: repeat(200, 4), classes: [400, 250, 150] }, 1_000],
  ["a class of 3% over 20 buckets", { codes: repeat(20, 100), classes: [60, 1940] }, 3_000],
  ["a class of 3% over 20 small buckets", { codes: repeat(20, 20), classes: [12, 388] }, 6_000],
  ["two codes, six rows of the rare class", { codes: [500, 500], classes: [6, 994] }, 3_000],
  ["uneven codes, six rows of the rare class", { codes: [100, 900], classes: [6, 994] }, 3_000],
  ["200 rare categories, a class of 3%", { codes: repeat(200, 4), classes: [24, 776] }, 3_000],
  ["three rows of the rare class over 250 categories", { codes: repeat(250, 4), classes: [3, 997] }, 3_000],
  ["a small code and a small class", { codes: [900, 95, 5], classes: [800, 180, 20] }, 3_000],
  ["rare categories, rare classes", { codes: repeat(250, 4), classes: rareClasses }, 300],
])("shuffled labels do not look significant: %s", (_, margins, shuffleCount) => {
  const pValues = testShuffled(margins, shuffleCount, 5).map(({ pValue }) => pValue);
  // Four standard errors above a level that is itself generous by a quarter.
  for (const level of [0.1, 0.02, 0.002]) {
    const found = pValues.filter((pValue) => pValue <= level).length;
    const most = 1.25 * level * shuffleCount;
    expect(found).toBeLessThanOrEqual(most + 4 * Math.sqrt(most));
  }
});

test("the p-values of shuffled labels are uniform where there are many rows", () => {
  const pValues = testShuffled({ codes: repeat(10, 100), classes: [300, 700] }, 4_000, 6).map(({ pValue }) => pValue);
  for (const level of [0.02, 0.1, 0.3, 0.5, 0.7, 0.9]) {
    const share = pValues.filter((pValue) => pValue <= level).length / pValues.length;
    expect(Math.abs(share - level)).toBeLessThan(4 * Math.sqrt((level * (1 - level)) / pValues.length) + 0.005);
  }
});

test("a text alone of random words passes for a signal no oftener than its p-value says", () => {
  const pValues = Array.from({ length: 100 }, (_, draw) => {
    const table = textTable(randomTexts(400, draw), drawTexts(400, 2, draw + 500).labels);
    return Math.min(...testTexts(table, everyRow(table), draw, neverStop).values());
  });
  const below = (level: number) => pValues.filter((value) => value < level).length / pValues.length;
  expect(below(0.02)).toBeLessThan(0.07);
  expect(below(0.1)).toBeLessThan(0.2);
});
