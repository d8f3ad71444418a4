// Counting points below a value agrees with looking at each of them.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { countBelow } from "../../engine/midpoints.ts";

test("points below a value are counted, equal ones and those beside no value are not", () => {
  const number = fc.oneof(
    fc.integer({ min: -3, max: 3 }),
    fc.double({ noNaN: true }),
    fc.constantFrom(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0),
  );
  fc.assert(
    fc.property(fc.array(number, { maxLength: 300 }), fc.oneof(number, fc.constant(Number.NaN)), (drawn, value) => {
      const points = Float64Array.from(drawn).sort();
      expect(countBelow(points, value)).toBe(points.filter((point) => point < value).length);
      for (const point of points) expect(countBelow(points, point)).toBe(points.indexOf(point));
    }),
  );
});
