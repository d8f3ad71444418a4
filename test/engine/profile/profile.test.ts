// The first pass: counts against Map and Set, independence of batches and order, the label, and refusals.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { InputError } from "../../../engine/input-error.ts";
import { inspectTable } from "../../../engine/profile/inspect.ts";
import { requireTrainable } from "../../../engine/profile/label.ts";
import type { TableProfile } from "../../../engine/profile/profile.ts";
import type { ColumnCaps } from "../../../engine/reading/caps.ts";
import { columnCaps } from "../../../engine/reading/caps.ts";
import { buildOf, profileColumn, profileOf, withLabel } from "../../support/record-batches.ts";

const MISSING = new Set(["", "NA", "N/A", "n/a", "null", "NULL", "NaN", "nan", "None", "?"]);
const smallCaps: ColumnCaps = { texts: 5, firstTexts: 5, bytes: 1000, distinctSlots: 1024, sampleCells: 50 };

const cell = fc.oneof(
  fc.constantFrom(
    "",
    "NA",
    " ",
    "?",
    "0",
    "1",
    "1.0",
    "007",
    "x",
    " x ",
    "2024-01-31",
    "31/01/2024",
    "1,234",
    "$5",
    "inf",
  ),
  fc.integer({ min: -20, max: 20 }).map(String),
  fc.string({ maxLength: 3 }),
);
const table = fc.array(fc.tuple(cell, cell, fc.constantFrom("a", "b", "")), { maxLength: 150 });
const NAMES = ["left", "right", "label"];

function facts(profile: TableProfile): unknown {
  const columns = profile.columns.map(({ scan, ...column }) => column);
  return { ...profile, columns };
}

function orderFree(profile: TableProfile): unknown {
  const columns = profile.columns.map(({ scan, ...column }) => column);
  // Texts above numbers are told by the lines where they stand.
  const others = profile.warnings.filter(({ code }) => code !== "HEADER_STANDS_BELOW");
  const warnings = others.map(({ code, column, count }) => ({ code, column, count }));
  return { rowCount: profile.rowCount, label: profile.label, columns, warnings };
}

describe("counts", () => {
  test("of missing and distinct cells are those of a Set", () => {
    fc.assert(
      fc.property(table, fc.constantFrom(undefined, smallCaps), (records, caps) => {
        const profile = profileOf(NAMES, records, caps === undefined ? {} : { caps });
        NAMES.forEach((_, index) => {
          const texts = records.map((record) => record[index]!.trim());
          const present = texts.filter((text) => !MISSING.has(text));
          const { missing, distinct } = profile.columns[index]!;
          expect({ missing, distinct }).toEqual({
            missing: texts.length - present.length,
            distinct: new Set(present).size,
          });
        });
      }),
      { numRuns: 60 },
    );
  });

  test("and kinds do not depend on the size of batches", () => {
    fc.assert(
      fc.property(
        table,
        fc.integer({ min: 1, max: 160 }),
        fc.constantFrom(columnCaps(3), smallCaps),
        (records, size, caps) => {
          expect(facts(profileOf(NAMES, records, { caps }, size))).toEqual(
            facts(profileOf(NAMES, records, { caps }, 1000)),
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  test("and kinds do not depend on the order of rows, in or beyond the dictionary", () => {
    const shuffled = table.chain((records) =>
      fc.tuple(fc.constant(records), fc.shuffledSubarray(records, { minLength: records.length })),
    );
    fc.assert(
      fc.property(shuffled, fc.constantFrom(columnCaps(3), { ...smallCaps, texts: 0 }), ([records, other], caps) => {
        expect(orderFree(profileOf(NAMES, other, { caps }))).toEqual(orderFree(profileOf(NAMES, records, { caps })));
      }),
      { numRuns: 60 },
    );
  });
});

describe("use of columns", () => {
  test.each<[string, string[], string | null]>([
    ["constant", ["x", "x", "x"], "constant: the same value in every row"],
    ["all missing", ["", "", ""], "constant: every cell is missing"],
    ["constant where present", ["x", "", "x"], null],
    [
      "dates that differ in minutes only",
      ["2024-01-01 10:10", "2024-01-01 10:20"],
      "date: year, month, day, weekday and hour are the same in every row",
    ],
    ["dates", ["2024-01-01", "2024-01-02"], null],
    ["categories", ["x", "y"], null],
  ])("%s", (_, cells, reason) => {
    expect(profileColumn(cells).column.unusedReason).toBe(reason);
  });

  test("more categories than can be told apart are warned about", () => {
    const cells = Array.from({ length: 100 }, (_, at) => `c${at % 20}`);
    const { column, profile } = profileColumn(cells, { caps: smallCaps });
    expect([column.kind, column.distinct]).toEqual(["category", 20]);
    expect(profile.warnings).toMatchObject([{ code: "MANY_CATEGORIES", column: "c", count: 5 }]);
  });
});

describe("label", () => {
  test("is the last column or the one named, its classes exact texts in code unit order", () => {
    const records = [
      ["01", "x"],
      [" 1", "y"],
      ["1.0", "x"],
      ["1", "y"],
      ["Z", "y"],
      ["a", "y"],
    ];
    const byName = profileOf(["c", "d"], records, { label: "c" }).label;
    expect(byName.classes).toEqual([
      { label: "01", count: 1 },
      { label: "1", count: 2 },
      { label: "1.0", count: 1 },
      { label: "Z", count: 1 },
      { label: "a", count: 1 },
    ]);
    expect(profileOf(["c", "d"], records).label).toMatchObject({ name: "d", column: 1, classCount: 2 });
  });

  test("may be missing: such rows are counted and the first is located", () => {
    const { label, warnings, rowCount } = profileOf(
      ["c", "d"],
      [
        ["1", "x"],
        ["2", " NA "],
        ["3", ""],
        ["4", "y"],
      ],
    );
    expect([label.rowsWithoutLabel, rowCount]).toEqual([2, 4]);
    expect(warnings).toMatchObject([{ code: "ROWS_WITHOUT_LABEL", line: 3, column: "d", count: 2 }]);
  });

  test("may be texts that count as missing: these are named, with how to make them labels", () => {
    const labels = ["None", "x", "", "None", "NA", "None", "y", "x", "None", "y"];
    const records = labels.map((label, at) => [String(at), label]);
    const { label, warnings } = profileOf(["c", "d"], records);
    expect(label.missingTexts).toEqual([
      { text: "None", count: 4, line: 2 },
      { text: "NA", count: 1, line: 6 },
    ]);
    expect(warnings).toMatchObject([{ code: "ROWS_WITHOUT_LABEL", line: 2, count: 6 }]);
    expect(warnings[0]!.message).toBe(
      '6 rows have no label in column "d", the first in line 2; they are left out of training. ' +
        '"None" (4 cells) and "NA" (1 cell) count as missing. If they are labels, name the texts that mean no value ' +
        'without them: --missing="N/A,n/a,null,NULL,NaN,nan,?" or, in the API, missingValues.',
    );
    const undone = profileOf(["c", "d"], records, {
      missingMarkers: ["N/A", "n/a", "null", "NULL", "NaN", "nan", "?"],
    });
    expect(undone.label.classes.map((own) => own.label)).toEqual(["NA", "None", "x", "y"]);
    expect(undone.warnings[0]!.message).not.toContain("missing");
  });

  test("are named too where no other label, or only one, is left", () => {
    const refusalOf = (labels: readonly string[], missingMarkers: readonly string[]) => {
      try {
        requireTrainable(
          profileOf(
            ["c", "d"],
            labels.map((label, at) => [String(at), label]),
            { missingMarkers },
          ),
        );
      } catch (error) {
        return (error as InputError).message;
      }
      return "";
    };
    const one = refusalOf(["None", "x", "None", "x", ""], ["None"]);
    expect(one).toStartWith('Every label in column "d" is the same and 3 rows have none. "None" (2 cells) counts as');
    expect(one).toContain('without it: --missing="" or, in the API, missingValues. Training needs');
    const none = refusalOf(["None", "None"], ["None", "-"]);
    expect(none).toStartWith('No row has a label in column "d". "None" (2 cells) counts as missing.');
    expect(none).toContain("--missing=- or");
    expect(refusalOf(["x", "x", ""], ["None"])).toStartWith(
      'Every label in column "d" is the same and 1 row has none. T',
    );
  });

  test("names that objects inherit are safe, as column and as class", () => {
    const records = [
      ["__proto__", "constructor"],
      ["toString", "__proto__"],
      ["__proto__", "__proto__"],
    ];
    const profile = profileOf(["__proto__", "constructor"], records);
    expect(profile.label.classes).toEqual([
      { label: "__proto__", count: 2 },
      { label: "constructor", count: 1 },
    ]);
    expect(profile.columns[0]).toMatchObject({ name: "__proto__", kind: "category", distinct: 2 });
    const table = buildOf(profile, records);
    expect(table.features[0]).toMatchObject({ name: "__proto__", names: ["__proto__", "toString"] });
    expect([...table.levels[0]!, ...table.classes]).toEqual([2, 3, 2, 1, 0, 0]);
  });

  test.each<[string, string]>([
    ["churn", 'The file has no column "churn" to use as the label. Did you mean "Churn"?'],
    ["Chrun", 'The file has no column "Chrun" to use as the label. Did you mean "Churn"?'],
    ["outcome", 'The file has no column "outcome" to use as the label. The columns are "age", "Churn".'],
  ])("%p is not found", (label, message) => {
    let error: unknown;
    try {
      profileOf(["age", "Churn"], [], { label });
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(InputError);
    expect(error).toMatchObject({ code: "LABEL_NOT_FOUND", message, column: label });
  });
});

describe("tables that cannot be trained on", () => {
  const many = (labelOf: (at: number) => string): string[][] =>
    Array.from({ length: 303 }, (_, at) => [at % 2 === 0 ? "x" : "y", labelOf(at % 101)]);
  test.each<[string, string, string[][], RegExp]>([
    ["no rows", "NO_ROWS", [], /header and no rows/],
    [
      "one class",
      "ONE_CLASS",
      [
        ["1", "a"],
        ["2", "a"],
      ],
      /"label" is the same/,
    ],
    [
      "no label at all",
      "ONE_CLASS",
      [
        ["1", ""],
        ["2", "NA"],
      ],
      /No row has a label in column "label"/,
    ],
    ["101 texts", "TOO_MANY_CLASSES", many((at) => `t${at}`), /"label" holds 101 different labels.* Merge rare labels/],
    [
      "101 numbers",
      "TOO_MANY_CLASSES",
      many((at) => String(at / 2)),
      /"label" holds 101 different labels.* looks continuous/,
    ],
    [
      "no usable column",
      "NO_FEATURES",
      [
        ["1", "a"],
        ["1", "b"],
      ],
      /"c" \(constant: the same value in every row\)/,
    ],
  ])("%s", (_, code, records, message) => {
    const profile = profileOf(["c", "label"], records);
    expect(() => requireTrainable(profile)).toThrow(message);
    expect(() => requireTrainable(profile)).toThrow(expect.objectContaining({ code }));
    const warned = profile.warnings.map((warning) => warning.code);
    if (code !== "NO_FEATURES") expect(warned).toContain(code);
  });

  test.each([
    ["label", /The label is the only column\. Add columns/],
    ["age,work,income", /whole lines are in quotes/],
    ["age   work  income", /blanks set columns apart/],
    ["age^work^income", /put the line sep=\^ above/],
  ])("a file with the label %j alone has nothing to learn from", (name, message) => {
    for (const rows of [[["a"], ["b"]], Array.from({ length: 200 }, (_, at) => [`${at},a,b`])]) {
      const profile = profileOf([name], rows);
      expect(() => requireTrainable(profile)).toThrow(message);
      expect(profile.warnings.at(-1)).toMatchObject({ code: "NO_FEATURES", message: expect.stringMatching(message) });
    }
  });

  test("100 classes can be trained on", () => {
    const records = Array.from({ length: 200 }, (_, at) => [at % 2 === 0 ? "x" : "y", `t${at % 100}`]);
    expect(() => requireTrainable(profileOf(["c", "label"], records))).not.toThrow();
  });

  test("beyond 10,000 labels the classes are not listed, their number is", () => {
    const records = Array.from({ length: 10_050 }, (_, at) => ["x", `t${at}`]);
    const { label } = profileOf(["c", "label"], records, {}, 1000);
    expect([label.classes.length, label.classCount]).toEqual([0, 10_050]);
  });
});

describe("inspect", () => {
  test("reports the table as plain JSON, the reader's warnings first", () => {
    const records = [...withLabel(["1.5", "2.5", "NA"]), ["3", ""]];
    const profile = profileOf(["c", "y"], records);
    const blank = { code: "BLANK_LINES", message: "1 blank line was skipped." };
    const report = inspectTable(profile, { delimiter: ",", encoding: "utf-8", warnings: [blank] });
    expect(JSON.parse(JSON.stringify(report))).toEqual({
      delimiter: ",",
      encoding: "utf-8",
      rows: 4,
      columns: [
        { name: "c", role: "feature", kind: "number", missing: 1, distinct: 3, isDistinctEstimated: false },
        { name: "y", role: "label", kind: "category", missing: 1, distinct: 2, isDistinctEstimated: false },
      ],
      label: "y",
      classes: [
        { label: "a", count: 2 },
        { label: "b", count: 1 },
      ],
      rowsWithoutLabel: 1,
      warnings: [
        blank,
        {
          code: "ROWS_WITHOUT_LABEL",
          message: '1 row has no label in column "y", the first in line 5; it is left out of training.',
          line: 5,
          column: "y",
          count: 1,
        },
      ],
    });
  });

  test("reports a header without rows, and lists at most 100 classes", () => {
    const empty = inspectTable(profileOf(["c", "y"], []), { delimiter: ",", encoding: "utf-8", warnings: [] });
    expect(empty).toMatchObject({ rows: 0, classes: [], warnings: [{ code: "NO_ROWS" }] });
    const records = Array.from({ length: 150 }, (_, at) => ["x", `t${at}`]);
    const many = inspectTable(profileOf(["c", "y"], records), { delimiter: ",", encoding: "utf-8", warnings: [] });
    expect(many.classes.length).toBe(100);
    expect(many.warnings).toMatchObject([{ code: "TOO_MANY_CLASSES", column: "y", count: 150 }]);
  });
});
