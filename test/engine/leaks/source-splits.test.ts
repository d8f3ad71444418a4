// Two systems that spell their values otherwise: each column tells which one a row is from.
import { describe, expect, test } from "bun:test";
import { findMarkedLeaks } from "../../../engine/leaks/mark-gains.ts";
import { sourceSplits } from "../../../engine/leaks/source-splits.ts";
import { deriveSeed, Random } from "../../../engine/random.ts";
import { neverStop } from "../../../engine/stop-signal.ts";
import { drawNormal } from "../../bench/noisy-tables.ts";
import { tableOf } from "../../support/drawn-tables.ts";

const ROWS = 900;
const CITIES = ["Wien", "Graz", "Linz"];

/** The chance that a row is of the second system, by its label; the share of cells that are spelled as the other does. */
interface Merged {
  ofCases: number;
  ofOthers: number;
  mistakes?: number;
}

function drawMerged({ ofCases, ofOthers, mistakes = 0 }: Merged, seed: number) {
  const random = new Random(deriveSeed(seed, Math.round(100 * ofCases), Math.round(100 * ofOthers)));
  const rows = Array.from({ length: ROWS }, () => {
    const isCase = random.nextFloat() < 0.4;
    const isSecond = random.nextFloat() < (isCase ? ofCases : ofOthers);
    const spelled = (first: string, second: string) => (isSecond === random.nextFloat() < mistakes ? first : second);
    const city = CITIES[random.nextBelow(3)]!;
    const isMale = random.nextBelow(2) === 0;
    const smokes = random.nextFloat() < (isCase ? 0.6 : 0.35);
    return [
      isMale ? spelled("M", "male") : spelled("F", "female"),
      smokes ? spelled("ja", "yes") : spelled("nein", "no"),
      (50 + 5 * (isCase ? 1 : 0) + 10 * drawNormal(random)).toFixed(1),
      spelled(city.toUpperCase(), city),
      isCase ? "yes" : "no",
    ];
  });
  return tableOf({ names: ["sex", "smoker", "score", "city", "complaint"], rows, elsewhere: [] }).table;
}

const asked = (merged: Merged, seed: number) =>
  [...findMarkedLeaks(drawMerged(merged, seed), 1, neverStop)].map(({ by, columns }) => ({ by, columns }));

describe("two systems", () => {
  test("are told by all columns that they spell otherwise", () => {
    const table = drawMerged({ ofCases: 0.5, ofOthers: 0.5 }, 1);
    const [split, ...others] = sourceSplits(table, neverStop);
    expect([split!.columns, others.length]).toEqual([[0, 1, 3], 0]);
    expect(Math.abs(split!.rowCount / ROWS - 0.5)).toBeLessThan(0.1);
  });

  test.each([1, 2, 3])("are doubted once, with these columns, where one has most cases: draw %d", (seed) => {
    const whole = [{ by: "two sources", columns: [0, 1, 3] }];
    expect(asked({ ofCases: 0.95, ofOthers: 0.1 }, seed)).toEqual(whole as never);
    expect(asked({ ofCases: 0.7, ofOthers: 0.2, mistakes: 0.005 }, seed)).toEqual(whole as never);
  });

  test.each([1, 2, 3])("are not doubted where both have as many cases: draw %d", (seed) => {
    expect(asked({ ofCases: 0.5, ofOthers: 0.5 }, seed)).toEqual([]);
  });

  test("are none where a cell is spelled by chance", () => {
    expect(sourceSplits(drawMerged({ ofCases: 0.5, ofOthers: 0.5, mistakes: 0.5 }, 1), neverStop)).toEqual([]);
  });
});

test("places within countries are no sources", () => {
  const random = new Random(1);
  const rows = Array.from({ length: ROWS }, () => {
    const [isAbroad, city] = [random.nextBelow(2), random.nextBelow(4)];
    const country = ["at", "de"][isAbroad]!;
    return [country, `${country}${city}`, random.nextFloat() < (isAbroad === 1 ? 0.8 : 0.2) ? "yes" : "no"];
  });
  const { table } = tableOf({ names: ["country", "city", "label"], rows, elsewhere: [] });
  expect(sourceSplits(table, neverStop)).toEqual([]);
});
