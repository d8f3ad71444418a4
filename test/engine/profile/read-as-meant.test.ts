// Columns of numbers or dates with recurring texts: what is read as missing,
// what stays a category, and what each warning says.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { FIRST_LEVEL, MISSING_LEVEL } from "../../../engine/table/table.ts";
import { buildOf, profileColumn, profileOf, withLabel } from "../../support/record-batches.ts";

const CELLS = 1000;
const numbers = (count: number) => Array.from({ length: count }, (_, at) => String(((at * 37) % 401) / 4));
const commas = (count: number) => numbers(count).map((text) => text.replace(".", ","));
const days = (count: number) =>
  Array.from({ length: count }, (_, at) => `2024-03-${String(1 + (at % 28)).padStart(2, "0")}`);
/** Puts the texts among the cells, evenly. */
function mixed(cells: readonly string[], texts: readonly string[]): string[] {
  const all = [...cells];
  texts.forEach((text, at) => {
    all.splice(1 + Math.floor((at * all.length) / texts.length), 0, text);
  });
  return all;
}
const repeated = (text: string, count: number) => Array.from({ length: count }, () => text);

const word = fc.constantFrom("k. A.", "n.a.", "-", "unbekannt", "<LOD", "keine Angabe", "missing", "--", "é", "#");

function warningsOf(cells: readonly string[], delimiter = ",") {
  const { column, profile } = profileColumn(cells, { delimiter });
  return { column, warnings: profile.warnings, codes: profile.warnings.map(({ code }) => code) };
}

describe("recurring texts", () => {
  test.each([
    { name: "in numbers", cells: numbers(950), delimiter: ",", kind: "number" },
    { name: "in decimal commas", cells: commas(950), delimiter: ";", kind: "number" },
    { name: "in percent", cells: numbers(950).map((text) => `${text} %`), delimiter: ",", kind: "number" },
    { name: "in dates", cells: days(930), delimiter: ",", kind: "date" },
    {
      name: "in days first",
      cells: days(930).map((text) => text.split("-").reverse().join(".")),
      delimiter: ";",
      kind: "date",
    },
  ])("$name are missing", ({ cells, delimiter, kind }) => {
    const all = mixed(cells, [...repeated("k. A.", 41), ...repeated("-", CELLS - 41 - cells.length)]);
    const { column, warnings } = warningsOf(all, delimiter);
    const count = CELLS - cells.length;
    expect(column).toMatchObject({ kind, missing: count, distinct: new Set(cells).size });
    expect(column.reading).toMatchObject({ missingTexts: count - 41 > 41 ? ["-", "k. A."] : ["k. A.", "-"] });
    const line = all.findIndex((text) => text === "k. A." || text === "-") + 2;
    expect(warnings).toMatchObject([{ code: "TEXT_AS_MISSING", column: "c", line, count }]);
    expect(warnings[0]!.message).toContain('"k. A." (41 cells)');
    expect(warnings[0]!.message).toContain(`first in line ${line}; these texts count as missing`);
  });

  test.each(["#DIV/0!", "#N/A", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#NULL!", "#WERT!", "#NV", "#ZAHL!", "#BEZUG!"])(
    "a spreadsheet's %s is missing, often or once",
    (error) => {
      const often = warningsOf(mixed(numbers(950), repeated(error, 50)));
      expect(often.column).toMatchObject({ kind: "number", missing: 50, reading: { missingTexts: [error] } });
      expect(often.warnings).toMatchObject([{ code: "TEXT_AS_MISSING", count: 50 }]);
      expect(often.warnings[0]!.message).toContain(`"${error}" (50 cells)`);
      const once = warningsOf(mixed(numbers(950), [error]));
      expect(once.column.kind).toBe("number");
      expect(once.warnings).toMatchObject([{ code: "STRAY_TEXT", count: 1 }]);
    },
  );

  test("leave the column the levels that it has with empty cells in their place, however it is cut", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(word, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 2, max: 20 }),
        fc.constantFrom("numbers", "commas", "days", "many"),
        fc.integer({ min: 1, max: 500 }),
        (words, each, content, batchSize) => {
          const many = () => Array.from({ length: 3000 }, (_, at) => String(((at * 7919) % 9973) / 8));
          const cells = { numbers, commas, days, many }[content](CELLS);
          const delimiter = content === "commas" ? ";" : ",";
          const texts = words.flatMap((text) => repeated(text, each));
          const own = withLabel(mixed(cells, texts));
          const emptied = own.map(([cell, label]) => [words.some((own) => own === cell) ? "" : cell!, label!]);
          const profile = profileOf(["c", "label"], own, { delimiter }, batchSize);
          const expected = profileOf(["c", "label"], emptied, { delimiter }, batchSize);
          const [column] = profile.columns;
          expect(column!.kind).toBe(expected.columns[0]!.kind);
          expect(buildOf(profile, own)).toEqual(buildOf(expected, emptied));
          expect(column).toMatchObject({ missing: texts.length, distinct: new Set(cells).size });
          expect(profile.warnings.map(({ code }) => code)).toEqual(["TEXT_AS_MISSING"]);
        },
      ),
      { numRuns: 25 },
    );
  });

  test("are found where the first stands behind as many numbers as a dictionary lists", () => {
    const cells = Array.from({ length: 20_000 }, (_, at) => String(((at * 7919) % 99_991) / 8));
    const own = withLabel([...cells, ...repeated("unbekannt", 1_500), "1.5"]);
    const profile = profileOf(["c", "label"], own, {}, 4000);
    expect(profile.warnings).toMatchObject([{ code: "TEXT_AS_MISSING", line: 20_002, count: 1_500 }]);
    expect(profile.columns[0]).toMatchObject({ kind: "number", missing: 1_500 });
    const [levels] = buildOf(profile, own, 4000).levels;
    expect([...levels!.subarray(20_000, 21_501)].map((level) => level === MISSING_LEVEL)).toEqual([
      ...Array.from({ length: 1_500 }, () => true),
      false,
    ]);
  });

  test("make no number of running numbers, which stay identifiers", () => {
    const running = Array.from({ length: 500 }, (_, at) => String(7000 + at));
    const { column, codes } = warningsOf(mixed(running, repeated("k. A.", 40)));
    expect(column).toMatchObject({ kind: "identifier", missing: 40 });
    expect(codes).toEqual(["IDENTIFIER_COLUMN"]);
  });
});

describe("bounds beside numbers", () => {
  const texts = [...repeated("<0.5", 300), ...repeated("> 9000", 20)];

  test("are numbers, and a warning names them", () => {
    const { column, warnings } = warningsOf(mixed(numbers(400), texts));
    expect(column).toMatchObject({ kind: "number", missing: 0 });
    expect(column.reading).toEqual({ kind: "number", form: { decimal: ".", grouping: "", affix: "" } });
    expect(warnings).toMatchObject([{ code: "BOUNDS_AS_NUMBERS", count: 320, column: "c" }]);
    expect(warnings[0]!.message).toContain('"<0.5" (300 cells) and "> 9000" (20 cells), the first in line ');
  });

  test("stand among texts that count as missing, and among strays", () => {
    const { column, warnings } = warningsOf(mixed(numbers(600), [...texts, ...repeated("k. A.", 40), "broken"]));
    expect(column).toMatchObject({ kind: "number", missing: 40 });
    expect(warnings.map(({ code, count }) => [code, count])).toEqual([
      ["STRAY_TEXT", 1],
      ["TEXT_AS_MISSING", 40],
      ["BOUNDS_AS_NUMBERS", 320],
    ]);
  });

  test("are written in the form of the column", () => {
    const commas = Array.from({ length: 90 }, (_, at) => `${at},25 €`);
    const { column } = warningsOf(mixed(commas, repeated("<0,5 €", 10)), ";");
    expect(column.reading).toEqual({ kind: "number", form: { decimal: ",", grouping: "", affix: "€" } });
  });

  test("of few numbers stay categories: they may be codes", () => {
    const { column } = warningsOf(mixed(mixed(repeated("0", 40), repeated("2", 30)), repeated(">2", 7)));
    expect(column.kind).toBe("category");
  });
});

describe("what stays as it is", () => {
  test.each([
    { name: "texts in more than a tenth of the cells", texts: repeated("k. A.", 120), count: 880 },
    { name: "bounds of no number", texts: repeated("<low 5", 150), count: 850 },
    { name: "texts that do not recur", texts: [..."abcdefghijklmnopqrstuvwxyz"].map((c) => `${c}.`), count: 900 },
    {
      name: "too many recurring texts",
      texts: [..."abcdefghijklmnopqrstuvwxyz"].flatMap((c) => repeated(c, 2)),
      count: 948,
    },
  ])("$name: a category and a warning", ({ texts, count }) => {
    const { column, warnings } = warningsOf(mixed(numbers(count), texts));
    expect(column.kind).toBe("category");
    expect(warnings).toMatchObject([{ code: "MIXED_COLUMN", count: texts.length, column: "c" }]);
    expect(warnings[0]!.message).toMatch(/in \d\d% of its cells/);
    // Texts that come once are not shown.
    const recurs = texts[0] === texts[1];
    expect(warnings[0]!.message.includes(`"${texts[0]}"`)).toBe(recurs);
    expect(warnings[0]!.message).toContain(recurs ? "--missing=" : "name the texts: --missing or");
  });

  test.each([
    { name: "codes of numbers and letters", cells: [..."12345678", "A", "B"], kind: "category" },
    { name: "a number and a text", cells: [...repeated("5", 95), ...repeated("k. A.", 5)], kind: "category" },
    {
      name: "few numbers, which may be codes",
      cells: mixed([..."1231231231231231231231231"], ["X", "X"]),
      kind: "category",
    },
    {
      name: "few numbers and a bound",
      cells: mixed(mixed(repeated("0", 40), repeated("2", 30)), repeated("3+", 7)),
      kind: "category",
    },
    { name: "leading zeros", cells: [...mixed(numbers(950), repeated("k. A.", 50)), "007"], kind: "category" },
    { name: "fewer than half numbers", cells: mixed(numbers(300), repeated("k. A.", 400)), kind: "category" },
  ])("$name: no warning", ({ cells, kind }) => {
    const { column, codes } = warningsOf(cells);
    expect(column.kind).toBe(kind as never);
    expect(codes).toEqual([]);
  });

  test.each([
    { name: "in two of 1,000 numbers", cells: numbers(998), texts: repeated("unbekannt", 2) },
    { name: "in 3% of dates", cells: days(970), texts: [...repeated("unbekannt", 20), ...repeated("k. A.", 10)] },
  ])("are named and kept where they are rare too: $name", ({ cells, texts }) => {
    const { column, warnings } = warningsOf(mixed(cells, texts));
    expect(column.reading).toMatchObject({ missingTexts: [...new Set(texts)] });
    expect(column.missing).toBe(texts.length);
    expect(warnings).toMatchObject([{ code: "TEXT_AS_MISSING", count: texts.length }]);
    for (const text of texts) expect(warnings[0]!.message).toContain(`"${text}" (`);
  });

  test.each([
    { name: "bounds in another form", cells: numbers(994), texts: repeated("<0,5", 6) },
    { name: "a text among few numbers, which may be codes", cells: repeated("0", 500).concat(repeated("2", 494)) },
  ])("are named as strays: $name", ({ cells, texts = repeated("unbekannt", 6) }) => {
    const { column, warnings } = warningsOf(mixed(cells, texts));
    expect(column.reading).toEqual({ kind: "number", form: { decimal: ".", grouping: "", affix: "" } });
    expect(warnings).toMatchObject([{ code: "STRAY_TEXT", count: 6 }]);
    expect(warnings[0]!.message).toContain(`except in 6 cells, such as "${texts[0]}" (6 cells), the first in line 3`);
  });

  test("1% of strays are missing beside recurring texts, and not counted as such", () => {
    const { column, warnings } = warningsOf([...mixed(numbers(950), repeated("k. A.", 50)), "broken"]);
    expect(column).toMatchObject({ kind: "number", missing: 50 });
    expect(warnings).toMatchObject([
      { code: "STRAY_TEXT", count: 1 },
      { code: "TEXT_AS_MISSING", count: 50 },
    ]);
  });

  test("the label keeps every text", () => {
    const labels = mixed(
      repeated("x", 0).concat(Array.from({ length: 96 }, (_, at) => String(at % 6))),
      repeated("k. A.", 4),
    );
    const profile = profileOf(
      ["c", "label"],
      labels.map((label, at) => [String(at % 9), label]),
    );
    expect(profile.label.classes.map(({ label }) => label)).toEqual(["0", "1", "2", "3", "4", "5", "k. A."]);
    expect(profile.label.rowsWithoutLabel).toBe(0);
  });
});

test("the option names what a shell takes, and leaves texts with commas to the API", () => {
  const many = (texts: readonly string[]) =>
    warningsOf(
      mixed(
        numbers(600),
        texts.flatMap((text) => repeated(text, 90)),
      ),
    ).warnings;
  expect(many(["k. A.", "-"])[0]!.message).toContain('--missing="k. A.,-" or, in the API, missingValues');
  expect(many(["un$known", "it's"])[0]!.message).toContain("--missing='un$known,it'\\''s'");
  expect(many(["none, so far"])[0]!.message).toContain("say so: in the API, missingValues");
});

describe("numbers that look like codes of missing cells", () => {
  const values = (from: number, to: number) =>
    Array.from({ length: 300 }, (_, at) => String(from + ((at * 7) % (to - from + 1))));
  test.each([
    { name: "999 above 0 to 12", cells: mixed(values(0, 12), repeated("999", 9)), says: "999 in 9 cells" },
    { name: "-999 below", cells: mixed(values(-5, 40), repeated("-999", 9)), says: "-999 in 9 cells" },
    { name: "-9 below answers from 1 to 5", cells: mixed(values(1, 5), repeated("-9", 9)), says: "-9 in 9 cells" },
    { name: "-999.9", cells: mixed(values(-5, 40), repeated("-999.9", 9)), says: "-999.9 in 9 cells" },
    { name: "-1 among numbers above 0", cells: mixed(values(3, 40), repeated("-1", 9)), says: "-1 in 9 cells" },
    {
      name: "9999 in decimal commas",
      cells: mixed(commas(300), repeated("9999", 9)),
      delimiter: ";",
      says: "9999 in 9 cells",
    },
  ])("$name: a hint, and a number all the same", ({ cells, says, delimiter = "," }) => {
    const { column, warnings } = warningsOf(cells, delimiter);
    expect(column).toMatchObject({ kind: "number", missing: 0 });
    expect(warnings).toMatchObject([{ code: "SENTINEL_NUMBER", count: 9 }]);
    expect(warnings[0]!.message).toContain(says);
    expect(warnings[0]!.message).toContain("It is read as a number.");
  });

  test("both ends may have one", () => {
    const { codes } = warningsOf(mixed(values(0, 12), [...repeated("999", 9), ...repeated("-99", 9)]));
    expect(codes).toEqual(["SENTINEL_NUMBER", "SENTINEL_NUMBER"]);
  });

  test.each([
    { own: [], option: '--missing-in="c=-999"' },
    { own: ["k. A."], option: '--missing-in="c=-999" --missing-in="c=k. A."' },
    {
      own: ["a", "b", "d", "e", "f"],
      option: ["-999", "a", "b", "d", "e", "f"].map((text) => `--missing-in="c=${text}"`).join(" "),
    },
  ])("the hint says how to undo it in this column, and so it is undone: beside $own", ({ own, option }) => {
    const cells = mixed(values(0, 12), [...repeated("-999", 9), ...own.flatMap((text) => repeated(text, 4))]);
    const hint = warningsOf(cells).warnings.find(({ code }) => code === "SENTINEL_NUMBER")!;
    expect(hint.message).toEndWith(`say so: ${option} or, in the API, missingTexts in columnChoices.`);
    const { column, profile } = profileColumn(cells, { choices: [{ name: "c", missingTexts: ["-999", ...own] }] });
    expect(column).toMatchObject({ kind: "number", missing: 9 + 4 * own.length });
    expect(profile.warnings).toEqual([]);
  });

  test.each([
    { name: "99 that follows the others", cells: mixed(values(0, 98), repeated("99", 9)) },
    { name: "999 in two cells", cells: mixed(values(0, 12), repeated("999", 2)) },
    { name: "1000", cells: mixed(values(0, 12), repeated("1000", 9)) },
    { name: "-1 beside other negative numbers", cells: mixed(values(-3, 40), repeated("-1", 9)) },
    { name: "-1 of a few steps", cells: mixed(values(0, 4), repeated("-1", 9)) },
    { name: "-9 that the others come near", cells: mixed(values(-3, 12), repeated("-9", 9)) },
    { name: "9 above a few steps", cells: mixed(values(1, 4), repeated("9", 9)) },
    { name: "a rare -1", cells: mixed([...values(0, 90), ...values(0, 90)], repeated("-1", 4)) },
  ])("$name: no hint", ({ cells }) => {
    expect(warningsOf(cells).codes).toEqual([]);
  });

  test("a marker is no number", () => {
    const cells = mixed(values(0, 12), repeated("-999", 9));
    const { column, profile } = profileColumn(cells, { missingMarkers: ["-999"] });
    expect(column.missing).toBe(9);
    expect(profile.warnings).toEqual([]);
  });
});

describe("points that could be decimal points or mark thousands", () => {
  const PRICES = times((at) => `${at},${10 + (at % 90)}`);
  const AMOUNTS = times((at) => (at % 3 === 0 ? `${1 + (at % 9)}.${100 + at}` : String(at)));
  const GROUPS = { kind: "number", form: { decimal: ",", grouping: ".", affix: "" } };
  const PLAIN = { kind: "number", form: { decimal: ".", grouping: "", affix: "" } };
  function times(text: (at: number) => string): string[] {
    return Array.from({ length: 60 }, (_, at) => text(at));
  }
  function table(columns: Record<string, readonly string[]>) {
    const names = [...Object.keys(columns), "label"];
    const records = times(String).map((_, row) => [
      ...Object.values(columns).map((cells) => cells[row]!),
      ["x", "y"][row % 2]!,
    ]);
    const profile = profileOf(names, records, { delimiter: ";" });
    const readings = Object.fromEntries(profile.columns.map(({ name, reading }) => [name, reading]));
    return { profile, records, readings, codes: profile.warnings.map(({ code, column }) => `${code} ${column}`) };
  }

  test("mark thousands beside decimal commas, with a warning that says so", () => {
    const { profile, records, readings, codes } = table({ amount: AMOUNTS, price: PRICES });
    expect(readings["amount"]).toEqual(GROUPS as never);
    expect(codes).toEqual(["AMBIGUOUS_NUMBER amount"]);
    expect(profile.warnings[0]!.message).toContain('1.234 as 1234, because column "price" has decimal commas');
    const [feature] = buildOf(profile, records).features;
    const expected = [...new Set(AMOUNTS.map((text) => Number(text.replace(".", ""))))].sort((a, b) => a - b);
    expect(feature).toMatchObject({ name: "amount", values: Float64Array.from(expected) });
  });

  test("with a currency too, and with texts that count as missing", () => {
    const euros = AMOUNTS.map((text) => `${text} €`);
    const gaps = AMOUNTS.map((text, at) => (at % 20 === 0 ? "k. A." : text));
    const { readings } = table({ euros, gaps, price: PRICES });
    expect(readings["euros"]).toEqual({ kind: "number", form: { ...GROUPS.form, affix: "€" } } as never);
    expect(readings["gaps"]).toEqual({ ...GROUPS, missingTexts: ["k. A."] } as never);
  });

  test.each<[string, Record<string, readonly string[]>]>([
    ["without decimal commas", { amount: AMOUNTS, size: times((at) => String(at % 40)) }],
    ["beside as many columns of decimal points", { amount: AMOUNTS, price: PRICES, size: times((at) => `${at}.5`) }],
    ["where one cell can be a decimal alone", { amount: [...AMOUNTS.slice(1), "1.25"], price: PRICES }],
    ["where no cell shows a point", { amount: times((at) => String(at % 40)), price: PRICES }],
  ])("are decimal points %s", (_, columns) => {
    const { readings, codes } = table(columns);
    expect(readings["amount"]).toEqual(PLAIN as never);
    expect(codes).toEqual([]);
  });
});

describe("dates that look like codes of missing cells", () => {
  const german = (day: string) => day.split("-").reverse().join(".");
  test.each([
    { name: "an open end", cells: mixed(days(300), repeated("9999-12-31", 9)), says: '"9999-12-31" (9 cells)' },
    {
      name: "the end of a century",
      cells: mixed(days(300), repeated("2099-12-31", 3)),
      says: '"2099-12-31" (3 cells)',
    },
    {
      name: "an unknown beginning",
      cells: mixed(days(300), repeated("1900-01-01", 9)),
      says: '"1900-01-01" (9 cells)',
    },
    { name: "the first of all days", cells: mixed(days(300), repeated("0001-01-01", 9)), says: '"0001-01-01"' },
    {
      name: "with the day first",
      cells: mixed(days(300).map(german), repeated("31.12.9999", 9)),
      says: '"31.12.9999" (9 cells)',
    },
    {
      name: "with and without a time",
      cells: mixed(days(300), [...repeated("1970-01-01T00:00", 5), ...repeated("1970-01-01", 4)]),
      says: '"1970-01-01T00:00" (5 cells) and "1970-01-01" (4 cells)',
    },
    {
      name: "more days than a dictionary lists first",
      cells: mixed(
        Array.from(
          { length: 4000 },
          (_, at) => `20${10 + (at % 10)}-03-01T${10 + (at % 14)}:${10 + (at % 50)}:${10 + (at % 47)}`,
        ),
        repeated("9999-12-31", 400),
      ),
      says: '"9999-12-31" (400 cells)',
    },
  ])("$name: a hint, and a date all the same", ({ cells, says }) => {
    const { column, warnings } = warningsOf(cells);
    expect(column).toMatchObject({ kind: "date", missing: 0 });
    expect(warnings).toMatchObject([{ code: "SENTINEL_DATE", column: "c" }]);
    expect(warnings[0]!.message).toContain(says);
    expect(warnings[0]!.message).toContain("--missing-in=");
  });

  test("the hint says how to undo it, and so it is undone", () => {
    const cells = mixed(days(300), [...repeated("9999-12-31", 9), ...repeated("k. A.", 4)]);
    const hint = warningsOf(cells).warnings.find(({ code }) => code === "SENTINEL_DATE")!;
    expect(hint.message).toContain('--missing-in="c=9999-12-31" --missing-in="c=k. A." or, in the API');
    const choices = [{ name: "c", missingTexts: ["9999-12-31", "k. A."] }];
    const { column, profile } = profileColumn(cells, { choices });
    expect(column).toMatchObject({ kind: "date", missing: 13 });
    expect(profile.warnings).toEqual([]);
  });

  test("both ends may have one", () => {
    const { codes } = warningsOf(mixed(days(300), [...repeated("9999-12-31", 9), ...repeated("1900-01-01", 9)]));
    expect(codes).toEqual(["SENTINEL_DATE", "SENTINEL_DATE"]);
  });

  test.each([
    { name: "two cells", cells: mixed(days(300), repeated("9999-12-31", 2)) },
    { name: "another day of the year", cells: mixed(days(300), [...repeated("2099-12-31", 9), "2099-03-01"]) },
    { name: "no end", cells: mixed(days(300), [...repeated("2099-12-31", 9), "2150-01-01"]) },
    { name: "another last day", cells: mixed(days(300), repeated("2024-12-31", 9)) },
  ])("$name: no hint", ({ cells }) => {
    expect(warningsOf(cells).codes).toEqual([]);
  });
});

describe("labels that are alike", () => {
  const warningOf = (labels: readonly string[]) =>
    profileOf(
      ["c", "label"],
      labels.map((label, at) => [String(at % 9), label]),
    ).warnings;

  test("in case or inner blanks are named, and stay classes", () => {
    const labels = [
      ...repeated("Yes", 20),
      ...repeated("yes", 3),
      ...repeated("not  yet", 9),
      ...repeated("not yet", 1),
      ...["no", " no ", "no"],
    ];
    expect(warningOf(labels)).toMatchObject([{ code: "ALIKE_LABELS", column: "label", count: 4 }]);
    const { message } = warningOf(labels)[0]!;
    expect(message).toContain('"Yes" (20 rows) and "yes" (3 rows)');
    expect(message).toContain('"not  yet" (9 rows)');
  });

  test("in how letters are written are named, with a word where they look the same", () => {
    const decomposed = "Störung".normalize("NFD");
    const labels = ["Zähler", "Zaehler", "ZÄHLER", "Straße", "Strasse", "Störung", decomposed, "Zahler", "Strase"];
    const warnings = warningOf(labels.flatMap((label) => repeated(label, 5)));
    expect(warnings).toMatchObject([{ code: "ALIKE_LABELS", column: "label", count: 7 }]);
    const { message } = warnings[0]!;
    expect(message).toContain('"Straße" (5 rows)');
    expect(message).toContain('"Zaehler" (5 rows)');
    expect(message).toMatch(/"Störung" with each accented letter as one character \(5 rows\)/u);
    expect(message).not.toContain('"Zahler"');
    expect(message).not.toContain('"Strase"');
  });

  test("as numbers are named, and stay classes", () => {
    const labels = ["1", "1.0", "0", "2", "+2", "2.00"].flatMap((label) => repeated(label, 5));
    expect(warningOf(labels)).toMatchObject([{ code: "ALIKE_LABELS", column: "label", count: 5 }]);
    const { message } = warningOf(labels)[0]!;
    expect(message).toContain('"1" (5 rows) and "1.0" (5 rows)');
    expect(message).toContain('"+2" (5 rows) and "2" (5 rows) and "2.00" (5 rows)');
  });

  test("in nothing but their digits are not", () => {
    const labels = ["1", "01", "1x", "1.0x", "a", "b", "TRUE", "FALSE", "9007199254740993", "9007199254740992"];
    expect(warningOf(labels.flatMap((label) => repeated(label, 5)))).toEqual([]);
  });
});

describe("labels of one or two rows", () => {
  const warningsAbout = (counts: Record<string, number>) => {
    const labels = Object.entries(counts).flatMap(([label, count]) => repeated(label, count));
    const records = labels.map((label, at) => [String(at % 9), label]);
    return profileOf(["c", "label"], records).warnings.map(({ code, count, message }) => ({ code, count, message }));
  };

  test("are named with their rows, five at most", () => {
    const one = warningsAbout({ good: 20, bad: 20, goood: 1 });
    expect(one).toMatchObject([{ code: "RARE_LABELS", count: 1 }]);
    expect(one[0]!.message).toContain('1 label has 1 or 2 rows only in column "label": "goood" (1 row). It cannot');
    const large = Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`large${at}`, 5]));
    const many = warningsAbout({ ...large, r1: 2, r2: 1, r3: 2, r4: 1, r5: 1, r6: 1 });
    expect(many).toMatchObject([{ code: "RARE_LABELS", count: 6 }]);
    expect(many[0]!.message).toContain(
      '"r1" (2 rows), "r2" (1 row), "r3" (2 rows), "r4" (1 row), "r5" (1 row) and 1 more',
    );
    expect(many[0]!.message).toContain("typing errors?");
  });

  test("are only counted where most labels are", () => {
    const most = warningsAbout({ a: 20, b: 2, c: 1 });
    expect(most).toMatchObject([{ code: "RARE_LABELS", count: 2 }]);
    expect(most[0]!.message).toStartWith('2 of the 3 labels in column "label" have 1 or 2 rows only');
    expect(most[0]!.message).not.toContain("typing errors");
  });

  test("labels that may mean that there is none are named, with the option that says so", () => {
    const codes = (labels: Record<string, number>) => warningsAbout(labels).map(({ code }) => code);
    const [found] = warningsAbout({ Rechnung: 30, Zähler: 20, "-": 12, "k.A.": 7, Unbekannt: 5 });
    expect(found).toMatchObject({ code: "MISSING_AS_LABEL", count: 3 });
    expect(found!.message).toStartWith(
      'Do "-" (12 cells), "Unbekannt" (5 cells) and "k.A." (7 cells) in column "label" mean that there is no label yet?',
    );
    expect(found!.message).toContain('--missing="-,Unbekannt,k.A."');
    for (const none of [
      "unknown",
      "pending",
      "Offen",
      "#N/A",
      "n/a yet",
      "in Bearbeitung",
      "en attente",
      "99",
      "-999",
    ]) {
      expect(codes({ yes: 30, no: 20, [none]: 9 })).toEqual(["MISSING_AS_LABEL"]);
    }
    for (const honest of [
      { "+": 53, "-": 52 },
      { "<=50K": 30, ">50K": 10 },
      { none: 30, some: 20, other: 9 },
      { "0": 30, "1": 20, "-1": 9 },
      { "97": 30, "98": 20, "99": 9 },
      { open: 30, closed: 20 },
      { expands: 30, "pending review": 20, opened: 9 },
    ]) {
      expect(codes(honest)).toEqual([]);
    }
  });

  test("are not told of where all have three, where a table is too small, or where another warning is about them", () => {
    expect(warningsAbout({ a: 20, b: 3 })).toEqual([]);
    expect(warningsAbout({ a: 7, b: 2 })).toEqual([]);
    expect(warningsAbout({ a: 20, b: 20, B: 1 }).map(({ code }) => code)).toEqual(["ALIKE_LABELS"]);
    const values = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`${at}.5`, 2 + (at % 5)]));
    expect(warningsAbout(values).map(({ code }) => code)).toEqual(["LABEL_LOOKS_LIKE_QUANTITY"]);
  });
});

test("labels that all have the same number of rows may have been balanced", () => {
  const codesOf = (counts: readonly number[]) => {
    const labels = counts.flatMap((count, at) => repeated(`label ${at}`, count));
    const records = labels.map((label, at) => [String(at % 9), label]);
    return profileOf(["c", "label"], records).warnings.map(({ code, count }) => [code, count]);
  };
  expect(codesOf([50, 50])).toEqual([["EVEN_LABELS", 2]]);
  expect(codesOf([60, 60, 60])).toEqual([["EVEN_LABELS", 3]]);
  expect(codesOf([49, 49])).toEqual([]);
  expect(codesOf([60, 60, 61])).toEqual([]);
});

test("a level of a number is never that of a missing text", () => {
  const own = withLabel(mixed(numbers(950), repeated("k. A.", 50)));
  const [levels] = buildOf(profileOf(["c", "label"], own), own).levels;
  own.forEach(([cell], row) => {
    if (cell === "k. A.") expect(levels![row]).toBe(MISSING_LEVEL);
    else expect(levels![row]).toBeGreaterThanOrEqual(FIRST_LEVEL);
  });
});
