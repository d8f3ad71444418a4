// Buckets by description length against the paper's recursion on sorted values, and what they must not look at.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Random } from "../../../engine/random.ts";
import { fitBuckets, type NumberBuckets } from "../../../engine/table/buckets.ts";
import { mergeByLabel } from "../../../engine/table/label-cuts.ts";
import { everyRow, makeTable } from "../../support/tables.ts";

const FINE = 254;

interface Point {
  value: number;
  label: string;
}

function entropy(points: readonly Point[]): number {
  const counts = new Map<string, number>();
  for (const { label } of points) counts.set(label, (counts.get(label) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => {
    const share = count / points.length;
    return sum - share * Math.log2(share);
  }, 0);
}

function classesIn(points: readonly Point[]): number {
  return new Set(points.map(({ label }) => label)).size;
}

/** Fayyad & Irani 1993, word by word: cuts of one range of values, and of its halves. */
function naiveCuts(points: readonly Point[]): number[] {
  const values = [...new Set(points.map(({ value }) => value))].sort((a, b) => a - b);
  let best: { at: number; left: Point[]; right: Point[]; entropy: number } | null = null;
  for (const [index, value] of values.slice(0, -1).entries()) {
    const left = points.filter((point) => point.value <= value);
    const right = points.filter((point) => point.value > value);
    const mixed = (left.length * entropy(left) + right.length * entropy(right)) / points.length;
    const at = (value + values[index + 1]!) / 2;
    if (best === null || mixed <= best.entropy - 1e-9 / points.length) best = { at, left, right, entropy: mixed };
  }
  if (best === null) return [];
  const { at, left, right } = best;
  const spread =
    classesIn(points) * entropy(points) - classesIn(left) * entropy(left) - classesIn(right) * entropy(right);
  const delta = Math.log2(3 ** classesIn(points) - 2) - spread;
  const gain = entropy(points) - best.entropy;
  if (gain <= (Math.log2(points.length - 1) + delta) / points.length) return [];
  return [...naiveCuts(left), at, ...naiveCuts(right)];
}

/** Numbers whose label follows from their range, with noise. */
function drawPoints(seed: number, count: number, classCount: number, noise: number): Point[] {
  const random = new Random(seed);
  return Array.from({ length: count }, () => {
    const value = random.nextBelow(60);
    const told = Math.floor(((value * 7) % 60) / (60 / classCount));
    return { value, label: `class ${random.nextFloat() < noise ? random.nextBelow(classCount) : told % classCount}` };
  });
}

describe("mergeByLabel", () => {
  test("cuts where the recursion of the paper cuts", () => {
    let cutCount = 0;
    fc.assert(
      fc.property(
        fc.integer(),
        fc.integer({ min: 2, max: 5 }),
        fc.double({ min: 0, max: 0.8, noNaN: true }),
        (seed, classCount, noise) => {
          const points = drawPoints(seed, 150, classCount, noise);
          const table = makeTable(
            [points.map(({ value }) => value)],
            points.map(({ label }) => label),
          );
          const fine = fitBuckets(table, everyRow(table), FINE);
          const [merged] = mergeByLabel(table, everyRow(table), fine) as [NumberBuckets];
          expect([...merged.cutPoints]).toEqual(naiveCuts(points));
          cutCount += merged.cutPoints.length;
        },
      ),
      { numRuns: 80 },
    );
    expect(cutCount).toBeGreaterThan(40);
  });

  test("a number that tells nothing ends as one bucket; missing cells take no part; categories stay", () => {
    const cells = Array.from({ length: 400 }, (_, row) => (row % 10 === 0 ? null : row % 97));
    const telling = cells.map((_, row) => (row % 10 === 0 ? null : row));
    const names = cells.map((_, row) => `name ${row % 3}`);
    const labels = cells.map((_, row) => (row < 200 ? "low" : "high"));
    const noise = cells.map((cell, row) => (cell === null ? null : (row * 17) % 19));
    const table = makeTable([noise, telling, names], labels);
    const fine = fitBuckets(table, everyRow(table), FINE);
    const merged = mergeByLabel(table, everyRow(table), fine);
    expect(merged[0]!.codeCount).toBe(3);
    expect([...(merged[1] as NumberBuckets).cutPoints]).toHaveLength(1);
    expect(merged[2]).toBe(fine[2]!);
    expect((merged[1] as NumberBuckets).counts.reduce((sum, count) => sum + count, 0)).toBe(360);
  });

  test("looks at no other row", () => {
    const points = drawPoints(5, 300, 3, 0.2);
    const labels = points.map(({ label }) => label);
    const values = points.map(({ value }) => value);
    const rows = everyRow(makeTable([values], labels)).filter((row) => row % 3 !== 0);
    const cuts = (shown: readonly string[]) => {
      const table = makeTable([values], shown);
      return mergeByLabel(table, rows, fitBuckets(table, rows, FINE));
    };
    expect(cuts(labels.map((label, row) => (row % 3 === 0 ? "class 0" : label)))).toEqual(cuts(labels));
  });

  test("a column of missing cells alone, and one value alone, stay as they are", () => {
    const labels = Array.from({ length: 20 }, (_, row) => (row % 2 === 0 ? "a" : "b"));
    const table = makeTable([labels.map(() => null), labels.map(() => 4)], labels);
    const fine = fitBuckets(table, everyRow(table), FINE);
    expect(mergeByLabel(table, everyRow(table), fine)).toEqual(fine);
  });
});
