// What the reading kernel finds in cells, against a Map of texts and the parser of numbers.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { hasLeadingZero, parsePlainNumber } from "../../../engine/columns/plain-number.ts";
import {
  COUNTS_TEXTS,
  ENTERS_TEXTS,
  LISTED_COUNT,
  NO_TEXT,
  NUMBER_CHARS,
  NUMBER_COUNT,
  READS_NUMBERS,
  SHAPES_SEEN,
  SKIPS_LOOKUP,
} from "../../../engine/kernels/reading/layout.ts";
import { emptyDictionary, enterTexts, findTexts } from "../../support/cells.ts";

const digits = (most: number) => fc.stringMatching(new RegExp(`^\\d{0,${most}}$`));
const plainNumber = fc
  .tuple(
    fc.constantFrom("", "-", "+"),
    digits(12),
    fc.constantFrom("", "."),
    digits(20),
    fc.constantFrom("", "", "e-7", "E+12", "e3", "e-120", "e+99"),
  )
  .map((parts) => parts.join(""));
/** Halfway between two doubles, and a little beside it. */
const halfway = fc
  .tuple(fc.bigInt({ min: 2n ** 53n, max: 2n ** 62n }), fc.constantFrom("", ".0", ".5", "e-9", ".000000000000001"))
  .map(([mantissa, rest]) => `${mantissa}${rest}`);
const anyText = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.double({ min: -5, max: 5, noNaN: true }).map(String),
  fc.integer({ min: -300, max: 300 }).map((number) => (number / 100).toFixed(2)),
  plainNumber,
  halfway,
  fc.constantFrom(
    "",
    "x",
    "1.2.3",
    "1e",
    "1e+",
    ".",
    "-",
    "1.5e5x",
    "NaN",
    "-0.00000000000000000",
    "é1.5",
    "007",
    "-0",
  ),
);
const SHORT = /^[+-]?(?=.*\d)\d*\.?\d*$/;

/** A sign or none and up to 15 digits with a point or none, and no needless zero. */
function isShort(text: string): boolean {
  return SHORT.test(text) && text.length <= 16 && text.replace(/\D/g, "").length <= 15 && !hasLeadingZero(text);
}

describe("found cells", () => {
  test("are the texts that are listed, and numbers as they are parsed", () => {
    const texts = fc.array(anyText, { minLength: 1, maxLength: 700, size: "max" });
    const skips = fc.constantFrom(0, SKIPS_LOOKUP);
    const counts = { read: 0, odd: 0, listed: 0 };
    fc.assert(
      fc.property(texts, fc.nat(60), skips, (cells, listedCount, skip) => {
        const dictionary = emptyDictionary(1000);
        enterTexts(dictionary, cells.slice(0, listedCount));
        dictionary.close();
        const idOf = new Map(dictionary.allTexts().map((text, id) => [text, id]));
        const { count, found, odd } = findTexts(dictionary, cells, READS_NUMBERS | skip);
        const { outcome, lowest, highest, seenShapes, shapes } = dictionary.kernel;
        expect(count).toBe(cells.length);
        const isOdd = new Set(odd);
        const numbers: number[] = [];
        let chars = 0;
        cells.forEach((text, row) => {
          const id = skip !== 0 && isShort(text) ? undefined : idOf.get(text);
          const own = parsePlainNumber(text);
          if (id !== undefined) expect([found[row]!.id, found[row]!.value]).toEqual([id, Number.NaN]);
          else if (isOdd.has(row)) expect([found[row]!.id, isShort(text)]).toEqual([NO_TEXT, false]);
          else {
            expect(found[row]!.value).toBe(own);
            expect([...seenShapes.subarray(0, outcome[SHAPES_SEEN])]).toContain(shapes[row]!);
            numbers.push(own);
            chars += text.length;
          }
        });
        expect([outcome[NUMBER_COUNT], outcome[NUMBER_CHARS]]).toEqual([numbers.length, chars]);
        expect([lowest, highest]).toEqual([Math.min(...numbers), Math.max(...numbers)]);
        expect(outcome[LISTED_COUNT]).toBe(cells.length - numbers.length - odd.length);
        counts.read += numbers.length;
        counts.odd += odd.length;
        counts.listed += outcome[LISTED_COUNT]!;
      }),
      { numRuns: 150 },
    );
    expect(Object.values(counts).every((count) => count > 1000)).toBe(true);
  });

  test("end before the first text that is neither listed nor taken", () => {
    const texts = fc.array(fc.nat(20).map(String), { minLength: 1, maxLength: 600, size: "max" });
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 25 }), (cells, most) => {
        const dictionary = emptyDictionary(most);
        const { count, found } = findTexts(dictionary, cells, ENTERS_TEXTS | COUNTS_TEXTS);
        const distinct = [...new Set(cells)];
        const end = distinct.length > most ? cells.indexOf(distinct[most]!) : cells.length;
        expect([count, dictionary.isFull]).toEqual([end, distinct.length > most]);
        expect(found.map(({ id }) => id)).toEqual(cells.slice(0, end).map((cell) => distinct.indexOf(cell)));
      }),
    );
  });
});
