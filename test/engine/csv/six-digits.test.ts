// Numbers written as bytes: the same text as by way of strings.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { MOST_NUMBER_BYTES, sixDigits, writeSixDigits } from "../../../engine/csv/six-digits.ts";

function written(value: number): string {
  const target = new Uint8Array(MOST_NUMBER_BYTES + 3);
  return Buffer.from(target.subarray(3, writeSixDigits(value, target, 3))).toString();
}

test("is the text by way of strings, for any number", () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true }), (value) => {
      expect(written(value)).toBe(sixDigits(value));
    }),
    { numRuns: 2000 },
  );
});

test("for shares of any size, and those halfway between two neighbours", () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.integer({ min: 0, max: 18 }),
      fc.integer({ min: 0, max: 2_000_000 }),
      fc.integer({ min: -3, max: 3 }),
      (share, zeros, halves, units) => {
        const scale = 10 ** -zeros;
        const halfway = (halves / 2_000_000) * scale;
        for (const value of [share * scale, halfway, halfway * (1 + units * Number.EPSILON)]) {
          expect(written(value)).toBe(sixDigits(value));
        }
      },
    ),
    { numRuns: 20_000 },
  );
});

test("at the ends of each decade", () => {
  for (let zeros = 0; zeros < 19; zeros++) {
    for (const digits of [1, 0.9999994, 0.9999995, 0.9999996, 0.99999949999999, 0.5, 0.1, 0.123_456_5]) {
      const value = digits * 10 ** -zeros;
      for (const near of [value, value * (1 - Number.EPSILON), value * (1 + Number.EPSILON)]) {
        expect(written(near)).toBe(sixDigits(near));
      }
    }
  }
  for (const value of [0, 1, 1e-6, 9.999_999e-7, 1e-300]) expect(written(value)).toBe(sixDigits(value));
});
