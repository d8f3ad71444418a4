// The numbers inside texts, as people write them.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { numbersInside } from "../../../engine/text/numbers-inside.ts";

const CASES: Readonly<Record<string, readonly number[]>> = {
  "120/80": [120, 80],
  "85 kW (116 PS)": [85, 116],
  "190Nm@ 2000rpm": [190, 2000],
  "€565K": [565_000],
  "€110.5M": [110_500_000],
  "1.5 Lakh": [150_000],
  "3,5 Mio. €": [3_500_000],
  "$30-35k": [30_000, 35_000],
  "1,5 – 2 Mio": [1_500_000, 2_000_000],
  "100k+": [100_000],
  "B58 B60": [58, 60],
  "V5K 0A1": [5, 0, 1],
  "12B": [12],
  "$1.2B": [1_200_000_000],
  PT4M13S: [4, 13],
  "5 Kühe": [5],
  "1133 - 1384": [1133, 1384],
  "5-11": [5, 11],
  "(40.71, -73.99)": [40.71, -73.99],
  "-5 to -3": [-5, -3],
  "$1,234,567.50 USD": [1_234_567.5],
  "₹1,09,999": [109_999],
  "1.234.567,50 VB": [1_234_567.5],
  "3,5 Zimmer, 85 m²": [3.5, 85],
  "4.0.3 and up": [4, 0, 3],
  "2.10.3": [2, 10, 3],
  "17.10.2023": [17, 10, 2023],
  "0.5, 1.5,2.5": [0.5, 1.5, 2.5],
  "INV-2023-00045": [2023, 45],
  "1,2,3,4": [1, 2, 3],
  "12,4,400": [12, 4, 400],
  "1,2 3,4": [1.2, 3.4],
  none: [],
};

for (const [text, numbers] of Object.entries(CASES))
  test(text, () => expect(numbersInside(text, 3)).toEqual([...numbers]));

test("no more than asked for", () => expect(numbersInside("1 2 3 4 5", 2)).toEqual([1, 2]));

test("numbers stand as they were written between other signs", () => {
  const written = fc.array(fc.integer({ min: 0, max: 1e9 }), { maxLength: 6 });
  fc.assert(
    fc.property(written, fc.constantFrom("/", " x ", "; ", " (", "-"), (numbers, between) => {
      expect(numbersInside(`at ${numbers.join(between)} kg`, 9)).toEqual(numbers);
    }),
  );
});

test("numbers are finite, however many digits there are", () => {
  const digits = fc.string({ unit: fc.constantFrom(..."0123456789.,-KM "), maxLength: 400 });
  fc.assert(fc.property(digits, (text) => expect(numbersInside(text, 3).every(Number.isFinite)).toBe(true)));
});
