// Intervals of rows in clusters: as Wilson's where clusters do not matter,
// wider where they do, and as often right as they say.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  clusteredInterval,
  countClusters,
  joinClusters,
  studentQuantile,
} from "../../../engine/judging/clustered-interval.ts";
import { wilsonInterval } from "../../../engine/judging/metrics.ts";
import { Random } from "../../../engine/random.ts";

const someCounts = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 50 }), fc.double({ min: 0, max: 1, noNaN: true })), {
    minLength: 2,
    maxLength: 40,
  })
  .map((clusters) => ({
    rows: clusters.map(([count]) => count),
    wrong: clusters.map(([count, share]) => Math.round(count * share)),
  }));

describe("a clustered interval", () => {
  test("contains its share and is never narrower than that of independent rows", () => {
    fc.assert(
      fc.property(someCounts, (counts) => {
        const rowCount = counts.rows.reduce((sum, count) => sum + count, 0);
        const right = rowCount - counts.wrong.reduce((sum, count) => sum + count, 0);
        const { mean, low, high } = clusteredInterval(counts)!;
        const independent = wilsonInterval(right, rowCount);
        expect(mean).toBeCloseTo(right / rowCount, 12);
        expect(low).toBeLessThanOrEqual(independent.low + 1e-12);
        expect(high).toBeGreaterThanOrEqual(independent.high - 1e-12);
      }),
    );
  });

  test("of one cluster says nothing, and of none is null", () => {
    expect(clusteredInterval({ rows: [100], wrong: [10] })).toEqual({ mean: 0.9, low: 0, high: 1 });
    expect(clusteredInterval({ rows: [], wrong: [] })).toBeNull();
  });

  test("covers the accuracy that groups have in the long run in about 95 of 100 draws", () => {
    const random = new Random(1);
    const draws = 2_000;
    let covered = 0;
    for (let draw = 0; draw < draws; draw++) {
      // Each group's own accuracy is uniform between .4 and 1: .7 in the long run.
      const wrong = Array.from({ length: 32 }, () => {
        const accuracy = 0.4 + 0.6 * random.nextFloat();
        return Array.from({ length: 25 }, () => random.nextFloat()).filter((each) => each > accuracy).length;
      });
      const { low, high } = clusteredInterval({ rows: wrong.map(() => 25), wrong })!;
      if (low <= 0.7 && high >= 0.7) covered++;
    }
    expect(covered / draws).toBeWithin(0.935, 0.97);
  });
});

test("clusters are counted row by row, and those of two judgements stay apart", () => {
  const counts = countClusters(Uint32Array.of(0, 2, 3), (index) => index === 1, Uint32Array.of(7, 8, 7, 9));
  expect(counts).toEqual({ rows: [2, 1], wrong: [1, 0] });
  expect(joinClusters([counts, counts])).toEqual({ rows: [2, 1, 2, 1], wrong: [1, 0, 1, 0] });
});

test.each([
  [1, 12.706],
  [2, 4.303],
  [3, 3.182],
  [5, 2.571],
  [10, 2.228],
  [30, 2.042],
  [120, 1.98],
])("Student's quantile with %d degrees is that of the tables", (degrees, quantile) => {
  expect(Math.abs(studentQuantile(degrees) - quantile)).toBeLessThan(0.01);
});
