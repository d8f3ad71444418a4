// Columns of numbers that are written in a way that is not read as numbers.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { unreadNumbersWarning } from "../../../engine/columns/unread-numbers.ts";
import { profileColumn } from "../../support/record-batches.ts";

function times(count: number, text: (at: number) => string): string[] {
  return Array.from({ length: count }, (_, at) => text(at));
}

const grouped = (at: number, sign: string): string => `${1 + (at % 900)}${sign}${100 + at}.5`;

describe("the cause is named", () => {
  test.each<[string, (at: number) => string, string]>([
    ["a unit behind a blank", (at) => `${at / 4 + 1} kg`, '"kg"'],
    ["a unit without a blank", (at) => `${at + 1}h`, '"h"'],
    ["two units", (at) => `${at + 1} ${at % 2 === 0 ? "mg/dl" : "g/l"}`, '"mg/dl", "g/l"'],
    ["a unit in some cells", (at) => (at % 3 === 0 ? `${at + 1} %` : String(at + 1)), '"%"'],
    ["another currency sign", (at) => `₹${at + 1}.5`, '"₹"'],
    ["a currency word", (at) => `kr ${at + 1},50`, '"kr", commas'],
    ["blanks between thousands", (at) => grouped(at, " "), "blanks or apostrophes between thousands"],
    ["narrow blanks", (at) => grouped(at, "\u{202F}"), "blanks or apostrophes between thousands"],
    ["apostrophes", (at) => grouped(at, "’"), "blanks or apostrophes between thousands"],
    ["decimal commas where commas delimit", (at) => `${at + 1},5`, "commas"],
    ["a few other texts", (at) => (at < 2 ? `see note ${at}` : `${at + 1} kg`), '"kg"'],
  ])("%s", (_, text, cause) => {
    const warning = unreadNumbersWarning("c", "category", times(60, text));
    expect(warning).toMatchObject({ code: "UNREAD_NUMBERS", column: "c" });
    expect(warning!.message).toContain(`because of ${cause}. Each is a category of its own.`);
  });
});

test.each<[string, (at: number) => string]>([
  ["codes with many ends", (at) => `${at + 1}${"ABCDEF"[at % 6]}`],
  ["codes with leading zeros", (at) => `00${at} kg`],
  ["numbered things", (at) => `item ${at + 1}`],
  ["plain numbers", (at) => String(at)],
  ["dates", (at) => `${(at % 28) + 1}.12.2020`],
  ["times of the day", (at) => `${at % 24}:${10 + at} h`],
  ["versions", (at) => `1.${at}.3`],
  ["addresses", (at) => `10.0.${at}.1`],
  ["words", (at) => `word${at}`],
  ["a tenth of other texts", (at) => (at % 10 === 0 ? `see note ${at}` : `${at} kg`)],
])("%s are none", (_, text) => {
  expect(unreadNumbersWarning("c", "identifier", times(60, text))).toBeNull();
});

test("few distinct texts may be sizes", () => {
  const sizes = times(19, (at) => `${at + 1} kg`);
  expect(unreadNumbersWarning("c", "category", sizes)).toBeNull();
  expect(unreadNumbersWarning("c", "category", [...sizes, "20 kg"])).not.toBeNull();
});

test("the warning takes the place of the one of an identifier, and shows no cell", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 1_000, max: 999_999 }), { minLength: 60, maxLength: 60 }),
      (values) => {
        const { column, profile } = profileColumn(values.map((value) => `${value} kWh`));
        expect(column.kind).toBe("identifier");
        expect(profile.warnings.map(({ code }) => code)).toEqual(["UNREAD_NUMBERS"]);
        expect(profile.warnings[0]!.message).toContain("It is not used.");
        for (const value of values) expect(profile.warnings[0]!.message).not.toContain(` ${value} `);
      },
    ),
    { numRuns: 20 },
  );
});

test("a column with a few percent signs among plain numbers stays a category", () => {
  const { column, profile } = profileColumn([
    ...times(950, (at) => String((at % 300) / 4)),
    ...times(50, () => "12 %"),
  ]);
  expect(column.kind).toBe("category");
  expect(profile.warnings).toMatchObject([{ code: "UNREAD_NUMBERS", column: "c" }]);
});
