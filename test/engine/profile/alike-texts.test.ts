// Spellings of one category: which differences count, and when columns are told.
import { describe, expect, test } from "bun:test";
import { alikeCategoriesWarning, alikeGroups } from "../../../engine/profile/alike-texts.ts";

const counted = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts).map(([text, count]) => ({ text, count }));

describe("texts are spellings of one", () => {
  test.each([
    ["case", "yes", "YES"],
    ["blanks inside", "very  good", "very good"],
    ["what nobody sees", "yes\u200b", "yes"],
    ["a full stop", "No", "no."],
    ["quotes", '"no"', "no"],
    ["letters without a key", "Zähler", "Zaehler"],
    ["numbers", "1.0", "1"],
  ])("where they differ in %s", (_, one, other) => {
    expect(alikeGroups(counted({ [one]: 3, between: 1, [other]: 2 }))).toEqual([counted({ [one]: 3, [other]: 2 })]);
  });

  test.each([
    ["A", "A+"],
    ["-", "."],
    ["<1", ">1"],
    ["007", "7"],
    ["yes", "yes?"],
    ["café", "cafe"],
  ])("not where a sign tells: %s and %s", (one, other) => {
    expect(alikeGroups(counted({ [one]: 3, [other]: 2 }))).toEqual([]);
  });
});

describe("columns with several spellings", () => {
  test("are told in one warning, with the commonest pairs of the first", () => {
    const [warning, ...others] = alikeCategoriesWarning([
      { name: "plain", texts: counted({ a: 5, b: 6 }) },
      { name: "sex", texts: counted({ m: 30, w: 40, M: 20, "w.": 5, d: 1 }) },
      { name: "job", texts: counted({ clerk: 10, Clerk: 90 }) },
    ]);
    expect(others).toEqual([]);
    expect(warning).toMatchObject({ code: "ALIKE_CATEGORIES", column: "sex", count: 3 });
    expect(warning!.message).toStartWith('Values in columns "sex", "job" differ only in case');
    expect(warning!.message).toContain('"m" (30 cells) and "M" (20 cells); "w" (40 cells) and "w." (5 cells)');
  });

  test("are not told for a cell or two", () => {
    expect(alikeCategoriesWarning([{ name: "sex", texts: counted({ m: 30, M: 1 }) }])).toEqual([]);
    expect(alikeCategoriesWarning([{ name: "sex", texts: counted({ m: 3000, M: 9 }) }])).toEqual([]);
  });
});
