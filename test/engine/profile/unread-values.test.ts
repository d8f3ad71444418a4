// Columns of numbers that are written in a way that is not read as numbers.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { unreadValuesWarning } from "../../../engine/profile/unread-values.ts";
import { profileColumn } from "../../support/record-batches.ts";

function times(count: number, text: (at: number) => string): string[] {
  return Array.from({ length: count }, (_, at) => text(at));
}

const onlyOnce = (text: string) => ({ text, count: 1, line: 2 });

describe("the cause is named", () => {
  test.each<[string, (at: number) => string, string]>([
    ["a unit behind a blank", (at) => `${at / 4 + 1} kg`, '"kg"'],
    ["a unit without a blank", (at) => `${at + 1}h`, '"h"'],
    ["two units", (at) => `${at + 1} ${at % 2 === 0 ? "mg/dl" : "g/l"}`, '"mg/dl", "g/l"'],
    ["a unit in some cells", (at) => (at % 3 === 0 ? `${at + 1} %` : String(at + 1)), '"%"'],
    ["a currency word", (at) => `kr ${at + 1},50`, '"kr", commas'],
    ["a spreadsheet's texts", (at) => `="${at + 1}.5"`, 'the sign =""'],
    ["apostrophes before numbers", (at) => `'${at + 1}.5`, "a leading apostrophe"],
    ["points and commas mixed", (at) => `${at + 1}${at % 2 === 0 ? "." : ","}5`, "commas"],
    ["thousands and a word", (at) => `Rs. 1,${100 + at}.50`, '"Rs."'],
    ["decimal commas where commas delimit", (at) => `${at + 1},5`, "commas"],
    ["Arabic-Indic digits", (at) => `٣${"٤٥٦"[at % 3]}٫${"٠١٢٣٤٥٦٧٨٩"[at % 10]}`, "other digits than 0 to 9"],
    ["full-width digits", (at) => `－３４．５${"０１２３４５６７８９"[at % 10]}`, "other digits than 0 to 9"],
    ["Devanagari digits", (at) => `१${"०१२३४५६७८९"[at % 10]}`, "other digits than 0 to 9"],
    ["Indian groups", (at) => `${1 + (at % 9)},${10 + at},${100 + at}`, "commas after two digits"],
    ["Indian groups and decimals", (at) => `${10 + at},23,${100 + at}.50`, "commas after two digits"],
    ["latitude and longitude", (at) => `50.${100 + at}, -7.66`, "two numbers in a cell"],
    ["a pair in brackets", (at) => `(50.${100 + at};7.66)`, "two numbers in a cell"],
    ["degrees", (at) => `${at % 90}°${10 + (at % 50)}'N`, "degrees and minutes"],
    ["degrees and seconds", (at) => `${at % 90}°${10 + (at % 50)}′12.5″`, "degrees and minutes"],
    ["a few other texts", (at) => (at < 2 ? `see note ${at}` : `${at + 1} kg`), '"kg"'],
  ])("%s", (_, text, cause) => {
    const warning = unreadValuesWarning("c", { kind: "category", hasTerms: false }, times(60, text), onlyOnce);
    expect(warning).toMatchObject({ code: "UNREAD_NUMBERS", column: "c" });
    expect(warning!.message).toContain(`because of ${cause}. Each is a category of its own.`);
  });
});

test.each<[string, (at: number) => string]>([
  ["codes with many ends", (at) => `${at + 1}${"ABCDEF"[at % 6]}`],
  ["codes with leading zeros", (at) => `00${at} kg`],
  ["numbered things", (at) => `item ${at + 1}`],
  ["plain numbers", (at) => String(at)],
  ["spans of time", (at) => `${at % 24}:${10 + at} h`],
  ["versions", (at) => `1.${at}.3`],
  ["addresses", (at) => `10.0.${at}.1`],
  ["words", (at) => `word${at}`],
  ["words and years", (at) => `Model ${1960 + at}`],
  ["codes of a letter", (at) => `P${at}`],
  ["parts of codes", (at) => `${1 + (at % 12)}-${3000 + at}`],
  ["leading zeros in other digits", (at) => `００${"０１２３４５６７８９"[at % 10]}`],
  ["a tenth of other texts", (at) => (at % 10 === 0 ? `see note ${at}` : `${at} kg`)],
])("%s are none", (_, text) => {
  expect(unreadValuesWarning("c", { kind: "identifier", hasTerms: false }, times(60, text), onlyOnce)).toBeNull();
});

test.each<[string, (at: number) => string]>([
  ["names of months", (at) => `${(at % 28) + 1}-Oct-20${10 + at}`],
  ["names of months first", (at) => `Mar ${(at % 28) + 1}, ${1960 + at}`],
  ["years of two digits", (at) => `${(at % 28) + 1}/10/${10 + at}`],
  ["years first", (at) => `${1960 + at}/10/20`],
  ["years first, with points", (at) => `${1960 + at}.10.20`],
  ["a server's log", (at) => `${10 + (at % 20)}/Oct/2023:19:${10 + (at % 50)}:07 +0200`],
  ["months", (at) => `${1960 + at}-03`],
  ["times of the day", (at) => `${at % 24}:${10 + (at % 50)}:30`],
  ["times of the day, of twelve hours", (at) => `${1 + (at % 12)}:${10 + (at % 50)} PM`],
  ["Japanese", (at) => `${1960 + at}年${1 + (at % 12)}月31日`],
  ["Japanese, in full-width digits", (at) => `２０２４年１月${1 + (at % 30)}日`],
  ["Korean", (at) => `${1960 + at}년 ${1 + (at % 12)}월 31일`],
  ["a month by name", (at) => `${["Jan", "März", "juin", "Dic", "okt."][at % 5]} ${1960 + at}`],
  ["a month by name, behind", (at) => `${1960 + at}-${["Jan", "Mai", "août"][at % 3]}`],
  ["a month and a short year", (at) => `Sep-${10 + at}`],
  ["a month and a year", (at) => `0${1 + (at % 9)}/${1960 + at}`],
  ["a statistician's", (at) => `${10 + (at % 19)}MAR${1960 + at}`],
  ["a statistician's with a time", (at) => `${10 + (at % 19)}mar${1960 + at}:17:05:00`],
  ["weeks", (at) => `${1960 + at}-W${10 + (at % 40)}`],
  ["ISO durations", (at) => `PT${at}M`],
  ["ISO durations of days", (at) => `P${at}DT${at % 24}H5.5S`],
  ["minutes and seconds", (at) => `${30 + at}:${10 + (at % 50)}`],
  ["days and a time", (at) => `${at} days 02:03:04.5`],
  ["two ways mixed", (at) => (at % 2 === 0 ? `${1960 + at}-10-20` : `20.10.${1960 + at}`)],
])("dates in a form that is not read are named: %s", (_, text) => {
  expect(unreadValuesWarning("c", { kind: "identifier", hasTerms: false }, times(60, text), onlyOnce)).toMatchObject({
    code: "UNREAD_DATES",
    column: "c",
  });
});

test("dates that are read but for what stands where there is none are told so, with the option", () => {
  for (const [nothing, option] of [
    ["0", '"c=0"'],
    ["none", '"c=none"'],
    ["-", '"c=-"'],
    ["n. v.", '"c=n. v."'],
  ] as const) {
    const dates = times(120, (at) => `2024-0${1 + (at % 9)}-${10 + (at % 20)}`);
    const cells = [...dates, ...times(200, () => nothing)];
    const { profile } = profileColumn(cells);
    const [warning, ...others] = profile.warnings;
    expect(others).toEqual([]);
    expect(warning).toMatchObject({ code: "UNREAD_DATES", column: "c" });
    expect(warning!.message).toStartWith(
      `Column "c" holds dates, but other texts too: "${nothing}" (200 cells). ` +
        "They are read as categories, words and numbers without units. ",
    );
    expect(warning!.message).toContain(`say so: --missing-in=${option} or, in the API`);
  }
});

test("a text that comes once among dates is not shown", () => {
  const dates = times(60, (at) => `${1960 + at}-03-31`);
  const { message } = unreadValuesWarning(
    "c",
    { kind: "category", hasTerms: false },
    [...dates, "call Jane Doe"],
    onlyOnce,
  )!;
  expect(message).toStartWith('Column "c" holds dates, but other texts too. Each is a category of its own. ');
  expect(message).not.toContain("Jane");
});

test("few distinct texts may be sizes", () => {
  const sizes = times(19, (at) => `${at + 1} kg`);
  expect(unreadValuesWarning("c", { kind: "category", hasTerms: false }, sizes, onlyOnce)).toBeNull();
  expect(unreadValuesWarning("c", { kind: "category", hasTerms: false }, [...sizes, "20 kg"], onlyOnce)).not.toBeNull();
});

test("few dates with their years are dates; few clock times and ratios may be categories", () => {
  const few = (text: (at: number) => string, count = 5) =>
    unreadValuesWarning("c", { kind: "category", hasTerms: false }, times(count, text), onlyOnce);
  expect(few((at) => `Jan ${2019 + at}`)).toMatchObject({ code: "UNREAD_DATES" });
  expect(few((at) => `0${1 + at}/2023`)).toMatchObject({ code: "UNREAD_DATES" });
  expect(few((at) => `Jan ${2019 + at}`, 4)).toBeNull();
  expect(few((at) => (at === 0 ? "before" : `Jan ${2019 + at}`), 19)).toBeNull();
  expect(few((at) => `0${at}:00`)).toBeNull();
  expect(few((at) => `1:${10 + at}`, 19)).toBeNull();
});

test("the warning takes the place of the one of an identifier, and shows no cell", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 1_000, max: 999_999 }), { minLength: 60, maxLength: 60 }),
      (values) => {
        const { column, profile } = profileColumn(
          values.map((value, at) => `${value} ${at % 2 === 0 ? "crates" : "boxes"}`),
        );
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
  const { column, profile } = profileColumn([...times(950, (at) => String((at % 25) / 4)), ...times(50, () => "12 %")]);
  expect(column.kind).toBe("category");
  expect(profile.warnings).toMatchObject([{ code: "UNREAD_NUMBERS", column: "c" }]);
});

test("a column of which the words are read too is not said to be categories alone", () => {
  const latitudes = times(60, (at) => `${at}°14'0"N`);
  const { message } = unreadValuesWarning("c", { kind: "category", hasTerms: true }, latitudes, onlyOnce)!;
  expect(message).toContain(
    "because of degrees and minutes. They are read as categories, words and numbers without units.",
  );
});

test("no warning where the numbers inside the texts are read", () => {
  const amounts = times(60, (at) => `${at + 1} crates`);
  expect(unreadValuesWarning("c", { kind: "category", hasTerms: true }, amounts, onlyOnce)).toBeNull();
  expect(unreadValuesWarning("c", { kind: "category", hasTerms: false }, amounts, onlyOnce)).not.toBeNull();
  const factors = times(60, (at) => `${at + 1}${at % 2 === 0 ? "M" : "k"}`);
  expect(unreadValuesWarning("c", { kind: "category", hasTerms: true }, factors, onlyOnce)).toBeNull();
  const mixed = times(60, (at) => `${at + 1} ${at % 2 === 0 ? "boxes" : "pallets"}`);
  expect(unreadValuesWarning("c", { kind: "category", hasTerms: true }, mixed, onlyOnce)).not.toBeNull();
});
