// The reliability map against a count by hand, and the expected accuracy against chance itself.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { expectedAccuracy, rangeIndexOf, reliabilityMap } from "../../../engine/judging/reliability.ts";
import { Random } from "../../../engine/random.ts";

const rows = fc.array(
  fc.record({
    confidence: fc.oneof(fc.constantFrom(0.5, 0.75, 1), fc.double({ min: 0, max: 1, noNaN: true })),
    right: fc.boolean(),
  }),
  {
    minLength: 1,
    maxLength: 400,
  },
);

const mapOf = (some: readonly { confidence: number; right: boolean }[]) =>
  reliabilityMap(
    Float64Array.from(some, ({ confidence }) => confidence),
    Uint8Array.from(some, ({ right }) => Number(right)),
  );

describe("a reliability map", () => {
  test("counts each decision in the range of its confidence, of about as many rows", () => {
    fc.assert(
      fc.property(rows, (some) => {
        const map = mapOf(some);
        const { cutPoints } = map;
        expect(cutPoints).toEqual(cutPoints.toSorted((a, b) => a - b));
        expect(cutPoints.length).toBeLessThan(Math.max(1, Math.min(20, some.length / 50)) + 1e-9);
        const ends = [Number.NEGATIVE_INFINITY, ...cutPoints, Number.POSITIVE_INFINITY];
        const inRange = (at: number) =>
          some.filter(({ confidence }) => confidence > ends[at]! && confidence <= ends[at + 1]!);
        expect(map.rows).toEqual(map.rows.map((_, at) => inRange(at).length));
        expect(map.right).toEqual(map.rows.map((_, at) => inRange(at).filter(({ right }) => right).length));
        for (const { confidence } of some) {
          const range = rangeIndexOf(map, confidence);
          expect(confidence > ends[range]! && confidence <= ends[range + 1]!).toBeTrue();
        }
        // Only ties make a range empty or small.
        if (new Set(some.map(({ confidence }) => confidence)).size === some.length) {
          for (const count of map.rows) expect(count).toBeGreaterThanOrEqual(Math.min(49, some.length));
        }
      }),
    );
  });

  test("expects of its own rows what they were", () => {
    fc.assert(
      fc.property(rows, (some) => {
        const map = mapOf(some);
        const { mean, low, high } = expectedAccuracy(map, map.rows)!;
        expect(mean).toBeCloseTo(some.filter(({ right }) => right).length / some.length, 12);
        expect(low <= mean && mean <= high).toBeTrue();
      }),
    );
  });

  test("expects nothing of no rows", () => {
    expect(expectedAccuracy({ cutPoints: [], rows: [10], right: [5] }, [0])).toBeNull();
  });
});

/** A model that is too sure: it is right less often than it says. */
function drawRow(random: Random, least: number) {
  const confidence = least + (1 - least) * random.nextFloat();
  return { confidence, right: random.nextFloat() < confidence ** 2 };
}

describe("the expected accuracy", () => {
  const coverageOf = (least: number, isChanged: boolean) => {
    const random = new Random(17);
    let inside = 0;
    const trials = 400;
    for (let trial = 0; trial < trials; trial++) {
      const map = mapOf(Array.from({ length: 1_500 }, () => drawRow(random, 0.5)));
      const fresh = Array.from({ length: 400 }, () => drawRow(random, least));
      const counts = map.rows.map(() => 0);
      for (const { confidence } of fresh) counts[rangeIndexOf(map, confidence)]!++;
      const right = fresh.filter((row) => (isChanged ? random.nextFloat() < 0.4 : row.right)).length / fresh.length;
      const { low, high } = expectedAccuracy(map, counts)!;
      if (right >= low && right <= high) inside++;
    }
    return inside / trials;
  };

  test("has the real one in its interval about as often as it says, also where rows are surer than before", () => {
    expect(coverageOf(0.5, false)).toBeWithin(0.92, 0.985);
    expect(coverageOf(0.7, false)).toBeWithin(0.92, 0.985);
  });

  test("fails where the relation to the label has changed, as it says", () => {
    expect(coverageOf(0.5, true)).toBeLessThan(0.05);
  });
});
