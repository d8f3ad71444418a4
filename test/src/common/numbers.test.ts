// How the dashboard writes numbers: as the reader's browser does, also in sentences that the server wrote.
import { afterEach, expect, test } from "bun:test";
import fc from "fast-check";
import {
  decimalNumber,
  fourDigits,
  twoNumbers,
  wholeNumber,
  withReadersNumbers,
  writeNumbersAsIn,
  writerOf,
} from "../../../src/common/numbers.ts";

afterEach(() => writeNumbersAsIn("en-US"));

const LANGUAGES = ["en-US", "en-GB", "de-DE", "fr-FR", "pl-PL", "hi-IN", "ar-EG", "fa-IR"];

test("whole numbers are those of the language, with digits from 0 to 9", () => {
  fc.assert(
    fc.property(fc.constantFrom(...LANGUAGES), fc.nat(2_000_000_000), fc.nat(2_000), (language, large, small) => {
      writeNumbersAsIn(language);
      for (const value of [large, small]) {
        expect(wholeNumber(value)).toBe(value.toLocaleString(language, { numberingSystem: "latn" }));
      }
    }),
  );
});

/**
 * Each writes all numbers of a sentence by the functions above, between words, names and numbers that are no figures.
 */
const SENTENCES = [
  (share: number, count: number) =>
    `${decimalNumber(share, 1)}% at random, about ${decimalNumber(share, 1)}% of ${wholeNumber(count)} rows.`,
  (share: number, count: number) =>
    `Only ${wholeNumber(count)}: mind the figure (${decimalNumber(share, 2)}), or 0.1.0, 2026-01-02 and 12:30.5.`,
  (share: number) =>
    `B less A is +${decimalNumber(share, 1)} [${twoNumbers(`−${decimalNumber(share, 1)}`, `+${decimalNumber(share, 2)}`)}]: chance.`,
  (share: number, count: number) =>
    `Columns "1,204" and "x 0.5" have [${twoNumbers(decimalNumber(share, 3), fourDigits(1_000 + count))}].`,
];

test("numbers in the server's sentences become the reader's; names, dates and versions stay", () => {
  const drawn = [
    fc.constantFrom(...LANGUAGES),
    fc.constantFrom(...SENTENCES),
    fc.double({ min: 0, max: 99, noNaN: true }),
    fc.nat(9_999_999),
  ] as const;
  fc.assert(
    fc.property(...drawn, (language, write, share, count) => {
      writeNumbersAsIn("en-US");
      const sent = write(share, count % 9_000);
      writeNumbersAsIn(language);
      expect(withReadersNumbers(sent)).toBe(write(share, count % 9_000));
    }),
  );
});

test("values side by side have four digits, or as many more as tell them apart", () => {
  const few = writerOf([0.1, 0.123456, 16_740.4]);
  expect([0.1, 0.123456, 16_740.4].map(few)).toEqual(["0.1", "0.1235", "16,740"]);
  const near = writerOf([1_700_000_003, 1_700_000_027, 2.5, 2.5000001]);
  writeNumbersAsIn("de-DE");
  expect([1_700_000_003, 1_700_000_027, 2.5000001].map(near)).toEqual(["1.700.000.003", "1.700.000.027", "2,5000001"]);
});

test("the server's own language is left as it is", () => {
  expect(withReadersNumbers("1,204 rows, 77.5% [71.2, 82.7]")).toBe("1,204 rows, 77.5% [71.2, 82.7]");
});

test("in German", () => {
  writeNumbersAsIn("de-DE");
  expect(withReadersNumbers('Rows with the same "1.5": 77.5% at random; 1,204 rows, B less A −1.5 [−3.0, +0.1].')).toBe(
    'Rows with the same "1.5": 77,5% at random; 1.204 rows, B less A −1,5 [−3,0; +0,1].',
  );
});
