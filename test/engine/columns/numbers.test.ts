// Number texts: the fast parser against Number, every form, and canonical texts.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { numberText } from "../../../engine/columns/number-text.ts";
import {
  BODY_FORMS,
  canonicalNumberText,
  isDigitCode,
  type NumberForm,
  PLAIN_FORM,
  readNumber,
} from "../../../engine/columns/numbers.ts";
import { parsePlainNumber } from "../../../engine/columns/plain-number.ts";

const PLAIN = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

/** What the plain form means, the slow way. */
function naivePlain(text: string): number {
  return PLAIN.test(text) ? Number(text) + 0 : Number.NaN;
}

const digits = fc.stringMatching(/^\d{0,19}$/);
const plainText = fc
  .tuple(
    fc.constantFrom("", "+", "-"),
    digits,
    fc.constantFrom("", "."),
    digits,
    fc.constantFrom("", "e5", "E-7", "e+300", "e"),
  )
  .map((parts) => parts.join(""));

describe("plain numbers", () => {
  test("equal Number on texts of digits, points and exponents", () => {
    fc.assert(
      fc.property(plainText, (text) => {
        expect(parsePlainNumber(text)).toBe(naivePlain(text));
      }),
      { numRuns: 2000 },
    );
  });

  test("equal Number on arbitrary text", () => {
    const anyText = fc.oneof(fc.string({ maxLength: 12 }), fc.stringMatching(/^[0-9eE.+-]{0,8}$/));
    fc.assert(
      fc.property(anyText, (text) => {
        expect(parsePlainNumber(text)).toBe(naivePlain(text));
      }),
      { numRuns: 2000 },
    );
  });

  test("give back every finite double that was written out", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(parsePlainNumber(String(value))).toBe(value + 0);
      }),
    );
  });
});

const commaGroups: NumberForm = { decimal: ".", grouping: ",", affix: "" };
const pointGroups: NumberForm = { decimal: ",", grouping: ".", affix: "" };
const twoParts: NumberForm = { ...PLAIN_FORM, affix: "h:mm" };
const threeParts: NumberForm = { ...PLAIN_FORM, affix: "h:mm:ss" };
const minutes: NumberForm = { ...PLAIN_FORM, affix: "min", units: { s: 1 / 60, min: 1, h: 60 } };
const kilograms: NumberForm = { ...pointGroups, affix: "kg", units: { g: 1e-3, kg: 1 } };
const decimalComma: NumberForm = { decimal: ",", grouping: "", affix: "" };

describe("forms", () => {
  test.each<[string, NumberForm, number]>([
    ["-12", PLAIN_FORM, -12],
    ["+3", PLAIN_FORM, 3],
    [".5", PLAIN_FORM, 0.5],
    ["5.", PLAIN_FORM, 5],
    ["1e5", PLAIN_FORM, 100_000],
    ["1e999", PLAIN_FORM, Number.POSITIVE_INFINITY],
    ["1_000", PLAIN_FORM, Number.NaN],
    ["0x1F", PLAIN_FORM, Number.NaN],
    ["", PLAIN_FORM, Number.NaN],
    ["-", PLAIN_FORM, Number.NaN],
    [".", PLAIN_FORM, Number.NaN],
    ["1.2.3", PLAIN_FORM, Number.NaN],
    ["1,5", PLAIN_FORM, Number.NaN],
    ["1,5", decimalComma, 1.5],
    ["-,5", decimalComma, -0.5],
    ["1,5e3", decimalComma, 1500],
    ["1.5", decimalComma, Number.NaN],
    ["1,2,3", decimalComma, Number.NaN],
    ["1,234,567.25", commaGroups, 1_234_567.25],
    ["-1,234", commaGroups, -1234],
    ["999", commaGroups, 999],
    ["1234", commaGroups, Number.NaN],
    ["12,34", commaGroups, Number.NaN],
    ["0,123", commaGroups, Number.NaN],
    ["1.234,5", pointGroups, 1234.5],
    ["1.234.567", pointGroups, 1_234_567],
    ["0,5", pointGroups, 0.5],
    ["12%", { ...PLAIN_FORM, affix: "%" }, 12],
    ["-1.5 %", { ...PLAIN_FORM, affix: "%" }, -1.5],
    ["12", { ...PLAIN_FORM, affix: "%" }, Number.NaN],
    ["$5", { ...PLAIN_FORM, affix: "$" }, 5],
    ["-$5.25", { ...PLAIN_FORM, affix: "$" }, -5.25],
    ["€5", { ...PLAIN_FORM, affix: "$" }, Number.NaN],
    ["5 EUR", { ...PLAIN_FORM, affix: "EUR" }, 5],
    ["EUR 1.234,50", { ...pointGroups, affix: "EUR" }, 1234.5],
    ["$1,234.5", { ...commaGroups, affix: "$" }, 1234.5],
    ["3.5 °C", { ...PLAIN_FORM, affix: "°C" }, 3.5],
    ["1.234,5kWh", { ...pointGroups, affix: "kWh" }, 1234.5],
    ["°C 3", { ...PLAIN_FORM, affix: "°C" }, Number.NaN],
    ["3 °F", { ...PLAIN_FORM, affix: "°C" }, Number.NaN],
    ["kg 12", { ...PLAIN_FORM, affix: "kg" }, Number.NaN],
    ["14:05", twoParts, 845],
    ["2:05 PM", twoParts, 845],
    ["12:05am", twoParts, 5],
    ["1:23.456", twoParts, 83.456],
    ["-0:30", twoParts, -30],
    ["123:45", twoParts, 123 * 60 + 45],
    ["<0:30", twoParts, 30 - 30 * 2 ** -16],
    ["00:03:12", threeParts, 192],
    ["00:03:12,5", threeParts, 192.5],
    ["1 day, 2:00:00", threeParts, 26 * 3600],
    ["0 days 00:03:12.25", threeParts, 192.25],
    ["11:59:59 PM", threeParts, 86_399],
    // Python writes an hour less than nothing so: the sign is of the day alone.
    ["-1 day, 23:00:00", threeParts, Number.NaN],
    ["14:05", threeParts, Number.NaN],
    ["00:03:12", twoParts, Number.NaN],
    ["14:05", PLAIN_FORM, Number.NaN],
    ["845", twoParts, Number.NaN],
    ["14:60", twoParts, Number.NaN],
    ["14:5", twoParts, Number.NaN],
    ["13:05 PM", twoParts, Number.NaN],
    ["0:05 AM", twoParts, Number.NaN],
    ["1:02:03:04", threeParts, Number.NaN],
    ["00:1A", twoParts, Number.NaN],
    ["1h 20min", minutes, 80],
    ["1h20min", minutes, 80],
    ["2 h", minutes, 120],
    ["-1.5h", minutes, -90],
    ["-1h 5 min", minutes, -65],
    ["1e2 min", minutes, 100],
    ["30 s", minutes, 0.5],
    ["<2 h", minutes, 120 - 120 * 2 ** -16],
    ["20 min 1 h", minutes, Number.NaN],
    ["1h 2h", minutes, Number.NaN],
    ["1h 20", minutes, Number.NaN],
    ["h 1", minutes, Number.NaN],
    ["20", minutes, Number.NaN],
    ["3 kg", minutes, Number.NaN],
    ["3 toString", minutes, Number.NaN],
    ["1.250,5 kg", kilograms, 1250.5],
    ["850g", kilograms, 0.85],
    ["1.5 kg", kilograms, Number.NaN],
    ["<2", PLAIN_FORM, 2 - 2 ** -15],
    [">= 40", PLAIN_FORM, 40 + 40 * 2 ** -16],
    ["≤1.024", pointGroups, 1024 - 2 ** -6],
    [">0", PLAIN_FORM, 2 ** -16],
    ["<-1", PLAIN_FORM, -1 - 2 ** -16],
    ["<5 %", { ...PLAIN_FORM, affix: "%" }, 5 - 5 * 2 ** -16],
    ["<", PLAIN_FORM, Number.NaN],
    ["<<2", PLAIN_FORM, Number.NaN],
    ["2>", PLAIN_FORM, Number.NaN],
    ["<low", PLAIN_FORM, Number.NaN],
    ["<1,5", PLAIN_FORM, Number.NaN],
  ])("%p in %p is %p", (text, form, value) => {
    expect(readNumber(text, form)).toBe(value);
  });
});

test("a time is written so that it is read as the same number", () => {
  const number = fc.oneof(fc.integer({ min: -1e9, max: 1e9 }), fc.double({ min: -1e9, max: 1e9, noNaN: true }));
  fc.assert(
    fc.property(
      number.filter((value) => value === 0 || Math.abs(value) > 1e-4),
      fc.constantFrom(twoParts, threeParts),
      (value, form) => {
        expect(readNumber(numberText(value, form), form)).toBe(value + 0);
      },
    ),
  );
});

test("a number of several units is written so that it is read as the same number", () => {
  const number = fc.double({ min: -1e12, max: 1e12, noNaN: true });
  fc.assert(
    fc.property(number, (value) => {
      expect(readNumber(numberText(value, minutes), minutes)).toBe(value + 0);
    }),
  );
});

test("a bound lies beyond its number, by little, and numbers of 32 bits tell them apart", () => {
  const number = fc.double({ min: -1e30, max: 1e30, noNaN: true }).filter((value) => Math.abs(value) > 1e-15);
  const sign = fc.constantFrom("<", ">", "≤", "≥", "<=", ">= ");
  fc.assert(
    fc.property(number, fc.constantFrom(...BODY_FORMS), sign, (value, form, bound) => {
      const own = readNumber(numberText(value, form), form);
      const beyond = readNumber(bound + numberText(value, form), form);
      const isUpper = bound.startsWith("<") || bound === "≤";
      expect(beyond < own).toBe(isUpper);
      expect(Math.fround(beyond)).not.toBe(Math.fround(own));
      expect(Math.abs(beyond - own)).toBeLessThan(Math.abs(own) / 10_000);
    }),
  );
});

describe("canonical texts", () => {
  test.each<[string, string | null]>([
    ["1", "1"],
    ["1.0", "1"],
    ["+1", "1"],
    ["-0", "0"],
    ["1.", "1"],
    [".5", "0.5"],
    ["1e3", "1000"],
    ["01", null],
    ["-007", null],
    ["0x1F", null],
    ["1,5", null],
    ["yes", null],
    ["", null],
    ["1e999", null],
    ["1e-999", null],
    ["12345678901234567890", null],
    ["0.12345678901234567", null],
  ])("of %p is %p", (text, canonical) => {
    expect(canonicalNumberText(text)).toBe(canonical);
  });

  test("stand for the same value and are canonical themselves", () => {
    fc.assert(
      fc.property(plainText, (text) => {
        const canonical = canonicalNumberText(text);
        if (canonical === null) return;
        expect(Number(canonical)).toBe(Number(text) + 0);
        expect(canonicalNumberText(canonical)).toBe(canonical);
      }),
      { numRuns: 1000 },
    );
  });
});

test.each<[string, boolean]>([
  ["007", true],
  ["-01", true],
  ["00", true],
  ["00.5", true],
  ["0", false],
  ["0.5", false],
  ["0,5", false],
  ["0x1F", true],
  ["0x1234567890abcdef", true],
  ["9007199254740991", false],
  ["9007199254740993", true],
  ["-9007199254740993", true],
  ["123456789012345678901234567890", true],
  ["1234567890.1234567890", false],
  ["01.02.2020", false],
  ["1e30", false],
])("%p is a code: %p", (text, isCode) => {
  expect(isDigitCode(text)).toBe(isCode);
});
