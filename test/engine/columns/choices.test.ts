// What is chosen for single columns: kinds and missing texts go into reading as if
// the cells had said so; what cannot be is refused.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { CHOSEN_KINDS, type ColumnChoice } from "../../../engine/columns/choices.ts";
import { InputError } from "../../../engine/input-error.ts";
import { buildOf, profileColumn, profileOf, withLabel } from "../../support/record-batches.ts";

const numbers = (count: number) => Array.from({ length: count }, (_, at) => String(((at * 37) % 401) / 4));
const names = (count: number) => Array.from({ length: count }, (_, at) => `item${at % 40}`);

function chosen(cells: readonly string[], choice: Omit<ColumnChoice, "name">) {
  return profileColumn(cells, { choices: [{ name: "c", ...choice }] });
}

function refusal(work: () => unknown): InputError {
  try {
    work();
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

const cell = fc.oneof(
  fc.integer({ min: -50, max: 2000 }).map(String),
  fc.constantFrom("", "NA", "-999", "k. A.", "red", "green and blue", "007", "2024-03-05", "1,5", "inf"),
);

describe("a chosen kind", () => {
  test.each([
    {
      name: "running numbers as numbers",
      cells: numbers(0).concat(Array.from({ length: 80 }, (_, at) => `${at + 1}`)),
      kind: "number",
    },
    { name: "0 and 1 as numbers", cells: Array.from({ length: 80 }, (_, at) => `${at % 2}`), kind: "number" },
    { name: "codes as numbers", cells: Array.from({ length: 80 }, (_, at) => `00${at % 9}`), kind: "number" },
    { name: "numbers as a category", cells: numbers(400), kind: "category" },
    { name: "identifiers as a category", cells: Array.from({ length: 80 }, (_, at) => `K${at}`), kind: "category" },
    { name: "a category as text", cells: names(80), kind: "text" },
    {
      name: "dates as a category",
      cells: Array.from({ length: 80 }, (_, at) => `2024-03-${10 + (at % 9)}`),
      kind: "category",
    },
  ] as const)("reads $name", ({ cells, kind }) => {
    const { column } = chosen(cells, { kind });
    expect(profileColumn(cells).column.kind).not.toBe(kind);
    expect(column).toMatchObject({ kind, unusedReason: null, hasTerms: kind === "text", missing: 0 });
    const { features } = buildOf(profileColumn(cells, { choices: [{ name: "c", kind }] }).profile, withLabel(cells));
    expect(features.map((feature) => feature.kind)).toEqual(kind === "text" ? [] : [kind]);
  });

  test("of a category leaves the words out that it offers by itself", () => {
    const cells = Array.from({ length: 400 }, (_, at) => `belt of press ${at % 150}`);
    expect(profileColumn(cells).column.hasTerms).toBeTrue();
    expect(chosen(cells, { kind: "category" }).column.hasTerms).toBeFalse();
  });

  test.each<[string, (at: number) => string, boolean]>([
    ["addresses of pages", (at) => `https://shop.example/item-${at}?page=${at % 7}`, true],
    ["lists", (at) => `sql;tool${at}`, true],
    ["addresses of machines", (at) => `10.0.${at % 7}.${at}`, true],
    ["versions", (at) => `9.${at % 12}.${at}`, true],
    ["codes", (at) => `AB-${at}_x+1`, true],
    ["times in two ways", (at) => (at % 2 === 0 ? `1:${at % 50}` : `${at}:1:10`), true],
    ["names", (at) => `AB-${"x".repeat(1 + at)}_x+y`, false],
  ])("%s: many values offer their words, which end at signs", (_, cellOf, hasTerms) => {
    const cells = Array.from({ length: 300 }, (_, at) => cellOf(at % 120));
    const { column } = profileColumn(cells);
    expect([column.kind, column.hasTerms]).toEqual(["category", hasTerms]);
  });

  test("leaves known what the cells show by themselves", () => {
    fc.assert(
      fc.property(
        fc.array(cell, { minLength: 12, maxLength: 90 }),
        fc.constantFrom("category" as const, "text" as const),
        fc.option(fc.subarray(["-999", "red"]), { nil: undefined }),
        (cells, kind, missingTexts) => {
          const texts = missingTexts === undefined ? {} : { missingTexts };
          const own = chosen(cells, texts).column;
          expect(own.foundKind).toBeUndefined();
          expect(chosen(cells, { kind, ...texts }).column.foundKind).toBe(own.kind);
        },
      ),
      { numRuns: 40 },
    );
  });

  test("that the cells have anyway changes nothing", () => {
    fc.assert(
      fc.property(fc.array(cell, { minLength: 12, maxLength: 90 }), (cells) => {
        const records = withLabel(cells);
        const own = profileOf(["c", "label"], records);
        const kind = CHOSEN_KINDS.find((known) => known === own.columns[0]!.kind);
        fc.pre(kind !== undefined);
        const same = profileOf(["c", "label"], records, { choices: [{ name: "c", kind }] });
        expect(same.columns[0]).toMatchObject({
          kind,
          reading: own.columns[0]!.reading,
          missing: own.columns[0]!.missing,
        });
        if (own.columns[0]!.unusedReason === null) expect(buildOf(same, records)).toEqual(buildOf(own, records));
      }),
      { numRuns: 40 },
    );
  });

  test("of numbers or dates is refused with column, count and first line where too many cells are neither", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 20, max: 200 }),
        fc.uniqueArray(fc.nat(199), { minLength: 3, maxLength: 12 }),
        fc.constantFrom("number" as const, "date" as const),
        (count, wrong, kind) => {
          const right =
            kind === "number" ? numbers(count) : Array.from({ length: count }, (_, at) => `2024-03-${10 + (at % 20)}`);
          const at = wrong.filter((row) => row < count);
          const cells = right.map((text, row) => (at.includes(row) ? `about 3${row}` : text));
          fc.pre(at.length > 0.06 * count);
          const { code, column, line, message } = refusal(() => chosen(cells, { kind }));
          expect({ code, column, line }).toEqual({ code: "KIND_UNREADABLE", column: "c", line: Math.min(...at) + 2 });
          expect(message).toContain(at.length === 1 ? "1 cell holds" : `${at.length} cells hold`);
        },
      ),
    );
  });

  test("is not refused for the few strays that are missing without a choice too", () => {
    const cells = [...numbers(300), "soon"];
    const { column, profile } = chosen(cells, { kind: "number" });
    expect(column.kind).toBe("number");
    expect(profile.warnings.map(({ code }) => code)).toEqual(["STRAY_TEXT"]);
  });

  test("of dates is refused where day and month cannot be told apart", () => {
    const cells = Array.from({ length: 60 }, (_, at) => `0${1 + (at % 9)}/0${1 + (at % 7)}/2024`);
    expect(refusal(() => chosen(cells, { kind: "date" })).message).toContain("the day or the month may come first");
  });

  test("leaves a constant column a constant", () => {
    expect(chosen(Array(60).fill("x"), { kind: "number" }).column).toMatchObject({ kind: "constant", scan: null });
  });
});

describe("chosen missing texts", () => {
  test("give the levels that empty cells in their place give, of every kind and however the table is cut", () => {
    fc.assert(
      fc.property(
        fc.array(cell, { minLength: 20, maxLength: 120 }),
        fc.uniqueArray(fc.constantFrom<string[]>("-999", "k. A.", "red", "007", "1,5"), { minLength: 1, maxLength: 3 }),
        fc.option(fc.constantFrom("category" as const, "text" as const), { nil: undefined }),
        fc.integer({ min: 1, max: 60 }),
        (cells, missingTexts, kind, batchSize) => {
          const choice = { name: "c", missingTexts, ...(kind !== undefined && { kind }) };
          const emptied = cells.map((text) => (missingTexts.includes(text) ? "" : text));
          const choices = [choice];
          const read = profileOf(["c", "label"], withLabel(cells), { choices }, batchSize);
          const expected = profileOf(["c", "label"], withLabel(emptied), {
            choices: [{ ...choice, missingTexts: [] }],
          });
          const { kind: found, missing, distinct, unusedReason } = expected.columns[0]!;
          expect(read.columns[0]).toMatchObject({ kind: found, missing, distinct, unusedReason });
          const build = buildOf(read, withLabel(cells), batchSize);
          expect(build).toEqual(buildOf(expected, withLabel(emptied)));
          if (found !== "constant") expect(read.columns[0]!.reading.missingTexts).toEqual(missingTexts);
        },
      ),
      { numRuns: 40 },
    );
  });

  test("are numbers too, where a dictionary does not hold all", () => {
    const cells = Array.from({ length: 9000 }, (_, at) => (at % 7 === 0 ? "-999" : String(((at * 7919) % 99_991) / 8)));
    const { column, profile } = chosen(cells, { missingTexts: ["-999"] });
    expect(column).toMatchObject({ kind: "number", missing: cells.filter((text) => text === "-999").length });
    const [feature] = buildOf(profile, withLabel(cells)).features;
    expect(feature).toMatchObject({ kind: "number" });
    if (feature?.kind === "number") expect(feature.values[0]).toBeGreaterThanOrEqual(0);
  });

  test("an empty list takes back what is read as missing without a choice", () => {
    const cells = numbers(300).map((_, at) => (at % 20 === 0 ? "k. A." : String(at % 97)));
    expect(profileColumn(cells).column.reading.missingTexts).toEqual(["k. A."]);
    const { column } = chosen(cells, { missingTexts: [] });
    expect(column).toMatchObject({ kind: "category", missing: 0, reading: { kind: "category" } });
    expect(refusal(() => chosen(cells, { missingTexts: [], kind: "number" })).message).toContain('"k. A." (15 cells)');
  });
});

describe("choices", () => {
  const records = withLabel(numbers(20));
  test.each([
    { choices: [{ name: "C" }], code: "COLUMN_NOT_FOUND", message: 'Did you mean "c"?' },
    { choices: [{ name: "label" }], code: "CHOICE_FOR_LABEL", message: "is the label" },
    { choices: [{ name: "label", missingTexts: [] }], code: "CHOICE_FOR_LABEL", message: "for all columns: --missing" },
    { choices: [{ name: "c" }, { name: "c" }], code: "CHOSEN_TWICE", message: "named twice" },
  ])("are refused as $code", ({ choices, code, message }) => {
    const error = refusal(() => profileOf(["c", "label"], records, { choices }));
    expect(error.code).toBe(code);
    expect(error.message).toContain(message);
  });
});
