// Leader clustering: the naive rank correlation as oracle, copies in both directions, priorities and constants.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { Random, shuffle } from "../../../engine/random.ts";
import { clusterFeatures } from "../../../engine/refinement/clusters.ts";
import type { CodedView } from "../../../engine/table/buckets.ts";

const CODE_COUNT = 12;

function viewOf(columns: readonly (readonly number[])[]): CodedView {
  return {
    rowCount: columns[0]?.length ?? 0,
    features: columns.map((codes) => ({
      kind: "number",
      codes: Uint8Array.from(codes),
      codeCount: CODE_COUNT,
      centres: new Float64Array(CODE_COUNT),
    })),
  };
}

function everyRow(rowCount: number): Uint32Array {
  return Uint32Array.from({ length: rowCount }, (_, row) => row);
}

/** Pearson's correlation of mid-ranks, each rank counted out anew; 0 where one side is constant. */
function spearman(a: readonly number[], b: readonly number[]): number {
  const rank = (values: readonly number[]) =>
    values.map((value) => values.filter((v) => v < value).length + (values.filter((v) => v === value).length + 1) / 2);
  const x = rank(a);
  const y = rank(b);
  const mean = (a.length + 1) / 2;
  const product = (p: readonly number[], q: readonly number[]) =>
    p.reduce((sum, value, i) => sum + (value - mean) * (q[i]! - mean), 0);
  const squares = product(x, x) * product(y, y);
  return squares === 0 ? 0 : product(x, y) / Math.sqrt(squares);
}

function naive(columns: readonly (readonly number[])[], features: readonly number[], threshold: number): number[] {
  const leaderOf: number[] = [];
  features.forEach((feature, position) => {
    const leader = leaderOf.findIndex(
      (own, other) =>
        own === other && Math.abs(spearman(columns[features[other]!]!, columns[feature]!)) >= threshold - 1e-9,
    );
    leaderOf.push(leader < 0 ? position : leader);
  });
  return leaderOf;
}

test("equals the naive clustering", () => {
  const column = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 7, maxLength: 7 });
  fc.assert(
    fc.property(
      fc.array(column, { minLength: 1, maxLength: 8 }),
      fc.constantFrom(0.4, 0.7, 0.9, 1),
      fc.integer(),
      (columns, threshold, seed) => {
        const random = new Random(seed);
        const order = everyRow(columns.length);
        shuffle(order, random);
        const features = [...order.subarray(0, 1 + random.nextBelow(columns.length))];
        const clusters = clusterFeatures(viewOf(columns), everyRow(7), features, threshold);
        expect(clusters).toEqual(naive(columns, features, threshold));
      },
    ),
  );
});

test("a near copy, a reversed copy and a stretched copy join the first of them; noise leads itself", () => {
  const random = new Random(4);
  const original = Array.from({ length: 500 }, () => 2 + random.nextBelow(10));
  const near = original.map((code) => (random.nextBelow(20) === 0 ? 2 + random.nextBelow(10) : code));
  const reversed = original.map((code) => 13 - code);
  const coarse = original.map((code) => 2 + Math.floor((code - 2) / 2));
  const noise = original.map(() => 2 + random.nextBelow(10));
  const columns = [original, near, reversed, coarse, noise];
  expect(clusterFeatures(viewOf(columns), everyRow(500), [0, 1, 2, 3, 4])).toEqual([0, 0, 0, 0, 4]);
  expect(clusterFeatures(viewOf(columns), everyRow(500), [4, 2, 0])).toEqual([0, 1, 1]);
});

test("missing ranks below every bucket", () => {
  const codes = [0, 2, 3, 4, 5];
  const lowest = [2, 3, 4, 5, 6];
  const highest = [6, 2, 3, 4, 5];
  expect(clusterFeatures(viewOf([codes, lowest, highest]), everyRow(5), [0, 1, 2])).toEqual([0, 0, 2]);
});

test("constant features lead themselves, and no rows make all features constant", () => {
  const columns = [
    [2, 2, 2],
    [2, 2, 2],
    [2, 3, 4],
  ];
  expect(clusterFeatures(viewOf(columns), everyRow(3), [0, 1, 2], 0)).toEqual([0, 1, 2]);
  expect(clusterFeatures(viewOf(columns), everyRow(0), [2, 2])).toEqual([0, 1]);
});

test("only the rows given count, and of many rows evenly spaced ones", () => {
  const rowCount = 9_000;
  const half = Array.from({ length: rowCount }, (_, row) => 2 + ((row * 7) % 10));
  // The same as `half` in the first third, its own thereafter.
  const other = half.map((code, row) => (row < 3_000 ? code : 2 + ((row * 3 + Math.floor(row / 10)) % 10)));
  const view = viewOf([half, other]);
  expect(clusterFeatures(view, everyRow(3_000), [0, 1])).toEqual([0, 0]);
  expect(clusterFeatures(view, everyRow(rowCount), [0, 1])).toEqual([0, 1]);
});
