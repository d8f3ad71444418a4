// Numbers that were issued, in whose ranges one label stands, and honest amounts that are as distinct.
import { describe, expect, test } from "bun:test";
import { findMarkedLeaks } from "../../../engine/leaks/mark-gains.ts";
import { findMarks } from "../../../engine/leaks/marks.ts";
import { Random } from "../../../engine/random.ts";
import { neverStop } from "../../../engine/stop-signal.ts";
import { drawNormal } from "../../bench/noisy-tables.ts";
import { readCsvText } from "../../support/csv-table.ts";

const ROWS = 1_200;

/** A number that tells a part of the label, and the column under test. */
function tableOf(drawRow: (random: Random, x: number) => { own: number | string; isYes: boolean }, seed: number) {
  const random = new Random(seed);
  const lines = Array.from({ length: ROWS }, () => {
    const x = drawNormal(random);
    const { own, isYes } = drawRow(random, x);
    return `${x.toFixed(3)},${own},${isYes ? "yes" : "no"}`;
  });
  return readCsvText(`x,own,label\n${lines.join("\n")}\n`).table;
}

const isDrawn = (random: Random, logit: number) => random.nextFloat() < 1 / (1 + Math.exp(-logit));

/** A whole number from `from` on, below `to`. */
const between = (random: Random, from: number, to: number) => from + random.nextBelow(to - from);

describe("numbers that were issued in other ranges for one label are asked about", () => {
  test.each([1, 2, 3])("overlapping ranges: draw %d", (seed) => {
    const table = tableOf((random, x) => {
      const isYes = isDrawn(random, 2 * x);
      return { own: isYes ? between(random, 400_000, 999_999) : between(random, 100_000, 600_000), isYes };
    }, seed);
    const [leak, ...others] = findMarkedLeaks(table, 1, neverStop);
    expect(others).toEqual([]);
    expect(leak).toMatchObject({ columns: [1], by: "mark" });
    const { by, text, label } = leak!.mark!;
    if (by === "at most") expect([label, Math.abs(Number(text) - 400_000) < 25_000]).toEqual(["no", true]);
    else expect([by, label, Math.abs(Number(text) - 600_000) < 25_000]).toEqual(["at least", "yes", true]);
  });

  test("inside codes", () => {
    const table = tableOf((random, x) => {
      const isYes = isDrawn(random, 2 * x - 1);
      const isApart = isYes && random.nextFloat() < 0.7;
      return { own: `C-${isApart ? between(random, 900_000, 950_000) : between(random, 100_000, 900_000)}`, isYes };
    }, 4);
    const [leak] = findMarkedLeaks(table, 1, neverStop);
    expect(leak).toMatchObject({ columns: [1], mark: { by: "at least", label: "yes" } });
  });

  test("a range of its own for most rows of a label", () => {
    const table = tableOf((random, x) => {
      const isYes = isDrawn(random, 2 * x - 1);
      const isApart = isYes && random.nextFloat() < 0.7;
      return { own: isApart ? between(random, 900_000, 950_000) : between(random, 100_000, 900_000), isYes };
    }, 4);
    const [leak] = findMarkedLeaks(table, 1, neverStop);
    expect(leak).toMatchObject({ columns: [1], mark: { by: "at least", label: "yes" } });
    expect(Math.abs(leak!.strength - 0.7)).toBeLessThan(0.06);
  });
});

test.each<[string, (random: Random) => number]>([
  ["that are spread evenly", (random) => between(random, 100_000, 999_999)],
  ["about a middle", (random) => Math.round(500_000 + 80_000 * drawNormal(random))],
  ["with few large ones", (random) => Math.round(Math.exp(11 + 0.5 * drawNormal(random)))],
])("honest amounts are not asked about: %s", (_, draw) => {
  for (const seed of [1, 2, 3]) {
    const random = new Random(seed);
    const some = Array.from({ length: 500 }, () => draw(random)).sort((a, b) => a - b);
    const [middle, spread] = [some[250]!, some[400]! - some[250]!];
    const table = tableOf((own, x) => {
      const amount = draw(own);
      return { own: amount, isYes: isDrawn(own, (3 * (amount - middle)) / spread + x) };
    }, seed);
    expect(findMarks(table, neverStop)).toEqual({ pure: [], telling: [] });
  }
});
