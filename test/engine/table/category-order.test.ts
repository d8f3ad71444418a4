// The order of categories: shares for two classes, the principal component for more.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { Random } from "../../../engine/random.ts";
import { orderBySignal } from "../../../engine/table/category-order.ts";

test("two classes: ranks follow the shrunken share of the second class", () => {
  const counts = Float64Array.of(10, 0, 0, 10, 5, 5, 0, 1);
  expect([...orderBySignal(counts, 2)]).toEqual([0, 3, 1, 2]);
});

test("shares that differ by chance alone give no order, whatever the number of buckets and classes", () => {
  const random = new Random(1);
  for (const [bucketCount, rowsOfEach, classCount] of [
    [300, 5, 2],
    [100, 15, 2],
    [20, 50, 4],
  ] as const) {
    const draw = (shareOf: (bucket: number) => number) => {
      const counts = new Float64Array(bucketCount * classCount);
      for (let row = 0; row < bucketCount * rowsOfEach; row++) {
        const bucket = row % bucketCount;
        const isFirst = random.nextFloat() < shareOf(bucket);
        counts[bucket * classCount + (isFirst ? 0 : 1 + random.nextBelow(classCount - 1))]!++;
      }
      return [...orderBySignal(counts, classCount)];
    };
    const asTheyCome = Array.from({ length: bucketCount }, (_, bucket) => bucket);
    expect(draw(() => 0.3)).toEqual(asTheyCome);
    expect(draw((bucket) => (bucket % 2 === 0 ? 0.1 : 0.9))).not.toEqual(asTheyCome);
  }
});

test("ranks are a permutation, and do not depend on the scale of the counts of one class order", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 5 }),
      fc.integer({ min: 1, max: 12 }),
      fc.infiniteStream(fc.nat(20)),
      (classCount, bucketCount, stream) => {
        const counts = Float64Array.from({ length: classCount * bucketCount }, () => stream.next().value as number);
        const ranks = [...orderBySignal(counts, classCount)].sort((a, b) => a - b);
        expect(ranks).toEqual(Array.from({ length: bucketCount }, (_, i) => i));
      },
    ),
  );
});

test("more classes: buckets of the same class lie together, the extremes at the ends", () => {
  const counts = Float64Array.from(
    [
      [40, 0, 0],
      [0, 0, 40],
      [38, 2, 0],
      [0, 2, 38],
      [20, 0, 20],
    ].flat(),
  );
  const ranks = [...orderBySignal(counts, 3)];
  expect(ranks[4]).toBe(2);
  expect(Math.abs(ranks[0]! - ranks[2]!)).toBe(1);
  expect(Math.abs(ranks[1]! - ranks[3]!)).toBe(1);
});

test("buckets that differ little from their neighbours keep their order, others do not", () => {
  const random = new Random(5);
  const draw = (shareOf: (bucket: number) => number) => {
    const counts = new Float64Array(2 * 20);
    for (let row = 0; row < 800; row++) counts[2 * (row % 20) + (random.nextFloat() < shareOf(row % 20) ? 1 : 0)]!++;
    return [...orderBySignal(counts, 2)];
  };
  const asTheyCome = Array.from({ length: 20 }, (_, bucket) => bucket);
  expect(draw((bucket) => 0.1 + 0.04 * bucket)).toEqual(asTheyCome);
  expect(draw((bucket) => 0.9 - Math.abs(bucket - 10) / 13)).toEqual(asTheyCome);
  expect(draw((bucket) => 0.1 + 0.04 * ((bucket * 7) % 20))).not.toEqual(asTheyCome);
  // Small buckets between large ones tell little, so they do not make these alike.
  const rowsOf = (bucket: number) => (bucket % 2 === 0 ? 400 : 4);
  const counts = Float64Array.from({ length: 2 * 20 }, (_, cell) => {
    const bucket = cell >> 1;
    const share = Math.floor(bucket / 2) % 2 === 0 ? 0.1 : 0.9;
    return rowsOf(bucket) * (cell % 2 === 0 ? 1 - share : share);
  });
  expect([...orderBySignal(counts, 2)]).not.toEqual(asTheyCome);
});
