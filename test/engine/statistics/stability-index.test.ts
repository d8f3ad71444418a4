// The stability index of two samples: by hand, and alike from both sides.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { stabilityIndex } from "../../../engine/statistics/stability-index.ts";

test("is the sum by hand", () => {
  const [p, q] = [20.5 / 81, 10.5 / 21];
  const index = (p - q) * Math.log(p / q) + (q - p) * Math.log((1 - p) / (1 - q));
  expect(
    stabilityIndex([
      [20, 10],
      [60, 10],
    ]),
  ).toBeCloseTo(index, 12);
});

test("is never below 0, and the same one way round as the other", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(400), fc.nat(400)), { minLength: 1 }), (cells) => {
      const index = stabilityIndex(cells);
      expect(index).toBeGreaterThanOrEqual(0);
      expect(stabilityIndex(cells.map(([one, other]) => [other, one]))).toBeCloseTo(index, 12);
    }),
  );
});
