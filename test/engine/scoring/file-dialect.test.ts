// Files that write their numbers in another way than the training file: the
// same answers, or a refusal, never missing numbers.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { numberText } from "../../../engine/columns/number-text.ts";
import { BODY_FORMS, type NumberForm } from "../../../engine/columns/numbers.ts";
import { CsvFeed } from "../../../engine/csv/read.ts";
import { formatRecord } from "../../../engine/csv/write.ts";
import { InputError } from "../../../engine/input-error.ts";
import { type ModelFile, unpackModel } from "../../../engine/model/model-file.ts";
import { FileDialect } from "../../../engine/scoring/file-dialect.ts";
import { ResultCsv } from "../../../engine/scoring/result-csv.ts";
import { profileOf } from "../../support/record-batches.ts";
import { scoreText } from "../../support/scored-text.ts";
import { read } from "../csv/reading.ts";

const FOLDER = join(import.meta.dir, "..", "..", "fixtures", "models");
const MODEL = unpackModel(readFileSync(join(FOLDER, "penguins-naive-Bayes.cupel")));
const INPUT = read(readFileSync(join(FOLDER, "penguins-input.csv")));
const OPTIONS = { likeInput: false, spreadsheetSafe: false };
const AFFIXES = ["", "%", "€", "USD"];
const [PLAIN, DECIMAL_COMMA, COMMA_GROUPS, POINT_GROUPS] = BODY_FORMS;

/** As a training file with numbers of this form would have made it. */
function trainedOn(form: NumberForm): ModelFile {
  const columns = MODEL.columns.map((column) =>
    column.reading.kind === "number" ? { ...column, reading: { kind: "number" as const, form } } : column,
  );
  return { ...MODEL, columns };
}

/** The penguins with all numbers in this form, with or without a fraction. */
function written(form: NumberForm, delimiter: string): string {
  const isNumber = INPUT.header!.names.map((name) =>
    MODEL.columns.some((column) => column.name === name && column.kind === "number"),
  );
  const rows = INPUT.records.map((record) =>
    record.map((cell, at) => (isNumber[at] && cell !== "" ? numberText(Number(cell), form) : cell)),
  );
  const dialect = { delimiter, lineEnding: "\n" as const };
  return [INPUT.header!.names, ...rows].map((record) => formatRecord(record, dialect)).join("");
}

interface Answers {
  decisions: string[][];
  codes: string[];
}

/** What stands behind the input's cells. */
function answersOf(text: string, columnCount: number, codes: string[]): Answers {
  const { records } = read(new TextEncoder().encode(text));
  return { decisions: records.map((record) => record.slice(columnCount)), codes };
}

function scored(model: ModelFile, text: string): Answers {
  const { text: result, warnings } = scoreText(model, text);
  return answersOf(
    result,
    INPUT.header!.names.length,
    warnings.map(({ code }) => code),
  );
}

const OWN = scored(MODEL, written(PLAIN, ","));

test("the answers of the training file's own form", () => {
  expect(OWN.decisions.length).toBe(INPUT.records.length);
  expect(OWN.codes).not.toContain("NUMBER_FORM");
});

describe("files in another form have the same answers", () => {
  const forms = BODY_FORMS.flatMap((form) => AFFIXES.map((affix) => ({ ...form, affix })));
  test.each(forms)("trained on %j", (trained) => {
    const model = trainedOn(trained);
    for (const form of BODY_FORMS) {
      for (const delimiter of [",", ";", "\t"]) {
        const { decisions, codes } = scored(model, written({ ...form, affix: trained.affix }, delimiter));
        expect(decisions).toEqual(OWN.decisions);
        expect(codes.includes("NOT_READ")).toBe(false);
      }
    }
  });

  test("bounds too", () => {
    const bounded = (form: NumberForm, delimiter: string) =>
      `${MODEL.columns.map(({ name }) => name).join(delimiter)}\n` +
      [38.5, 46.25, 58.75]
        .map((value) => ["Biscoe", `<${numberText(value, form)}`, "18", "190", `> ${numberText(3700, form)}`, "male"])
        .map((cells) => `${cells.join(delimiter)}\n`)
        .join("");
    const own = scored(MODEL, bounded(PLAIN, ";"));
    expect(own.codes).not.toContain("NOT_READ");
    expect(scored(MODEL, bounded(DECIMAL_COMMA, ";")).decisions).toEqual(own.decisions);
    expect(scored(trainedOn(POINT_GROUPS), bounded(PLAIN, ";")).decisions).toEqual(own.decisions);
  });

  test("and say that they are read otherwise", () => {
    expect(scored(MODEL, written(DECIMAL_COMMA, ";")).codes).toContain("NUMBER_FORM");
    expect(scored(trainedOn(DECIMAL_COMMA), written(DECIMAL_COMMA, ";")).codes).not.toContain("NUMBER_FORM");
  });

  test("each row of a feed too, the first one included", () => {
    for (const form of BODY_FORMS) {
      const lines = written(form, ";").split("\n");
      let result: ResultCsv | null = null;
      let text = "";
      const feed = new CsvFeed(
        MODEL.columns.map(({ name }) => name),
        (header) => {
          const fresh = new ResultCsv(trainedOn(COMMA_GROUPS), header, OPTIONS);
          const dialect = fresh.scorer.newDialect(header.delimiter);
          result = fresh;
          text = fresh.headerLine;
          return (batch) => {
            dialect.add(batch);
            fresh.scorer.readAs(dialect);
            text += fresh.lines(batch.records);
          };
        },
      );
      for (const line of lines.filter((one) => one !== "")) feed.push(new TextEncoder().encode(`${line}\n`));
      feed.end();
      expect(answersOf(text, INPUT.header!.names.length, []).decisions).toEqual(OWN.decisions);
      expect(result!.warnings().map(({ code }) => code)).not.toContain("NOT_READ");
    }
  });
});

/** The form that each column is read by, trained on `own`; columns are given by their cells. */
function formsOf(
  own: readonly (NumberForm & { isWhole?: true })[],
  cells: readonly string[][],
  delimiter: string | null,
): string[] {
  const columns = own.map(({ isWhole, ...form }, at) => ({
    ...{ name: `c${at}`, reading: { kind: "number" as const, form } },
    ...(isWhole && { isWhole }),
  }));
  const dialect = new FileDialect(
    { columns, missingMarkers: ["NA"] },
    own.map((_, at) => at),
    delimiter,
  );
  cells.forEach((texts, column) => {
    texts.forEach((text, row) => {
      dialect.addText(column, text, row + 2);
    });
  });
  return dialect
    .readings()
    .map((reading) => (reading.kind === "number" ? `1${reading.form.grouping}000${reading.form.decimal}5` : ""));
}

describe("texts that could be either", () => {
  const EITHER = ["1.234", "5.678"];
  const COMMA_EITHER = ["1,234", "5,678"];
  const P = PLAIN;
  const C = DECIMAL_COMMA;
  const W = { ...PLAIN, isWhole: true } as const;
  test.each<[string, NumberForm[], string[][], string, string[]]>([
    ["points alone are what they were in training", [P], [EITHER], ";", ["1000.5"]],
    ["points alone are what they were in training: thousands", [POINT_GROUPS], [EITHER], ";", ["1.000,5"]],
    ["no points in training: decimal points", [C], [EITHER], ",", ["1000.5"]],
    ["the other columns are as in training", [POINT_GROUPS, C], [EITHER, ["8,5", "NA"]], ";", ["1.000,5", "1000,5"]],
    ["plain in training in spite of decimal commas beside it", [P, C], [EITHER, ["8,5"]], ";", ["1000.5", "1000,5"]],
    ["whole in training, beside decimal commas: thousands", [W, C], [EITHER, ["8,5"]], ";", ["1.000,5", "1000,5"]],
    ["whole in training, alone", [W], [EITHER], ";", ["1000.5"]],
    ["whole in training, beside decimal points", [W, P], [EITHER, ["8.5"]], ",", ["1000.5", "1000.5"]],
    ["whole in training, decimals now", [W, C], [["1.234", "1.5"], ["8,5"]], ";", ["1000.5", "1000,5"]],
    ["whole in training and now", [W, C], [["12", "999"], ["8,5"]], ";", ["1000.5", "1000,5"]],
    ["the other columns have exchanged their sign", [POINT_GROUPS, C], [EITHER, ["8.5"]], ",", ["1000.5", "1000.5"]],
    ["exchanged the other way", [P, P], [EITHER, ["8,5"]], ";", ["1.000,5", "1000,5"]],
    ["commas alone behind semicolons: decimal commas", [P], [COMMA_EITHER], ";", ["1000,5"]],
    ["commas alone between commas: thousands", [P], [COMMA_EITHER], ",", ["1,000.5"]],
    ["decimal commas in training, whatever parts the cells", [C], [COMMA_EITHER], ",", ["1000,5"]],
    ["thousands in training, whatever parts the cells", [COMMA_GROUPS], [COMMA_EITHER], ";", ["1,000.5"]],
    ["one stray text among many", [P], [["8.5", "9.5", "8,5", "7.5"]], ";", ["1000.5"]],
    [
      "whole numbers are read as ever",
      [POINT_GROUPS, C, COMMA_GROUPS],
      [["12"], ["7"], ["3"]],
      ",",
      ["1.000,5", "1000,5", "1,000.5"],
    ],
    ["nothing at all", [C], [["NA", ""]], ",", ["1000,5"]],
  ])("%s", (_, own, cells, delimiter, expected) => {
    expect(formsOf(own, cells, delimiter)).toEqual(expected);
  });

  test("a file is read as when a model is trained on it", () => {
    const cell = fc.constantFrom("1.234", "17.500", "8", "231", "0", "8,5", "0,25", "2.5", "1.234,5", "1.234.567");
    const column = fc
      .uniqueArray(cell, { minLength: 1, maxLength: 3 })
      .map((texts) => Array.from({ length: 12 }, (_, at) => texts[at % texts.length]!));
    fc.assert(
      fc.property(
        fc.array(column, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(";", "\t"),
        (columns, delimiter) => {
          const names = [...columns.map((_, at) => `c${at}`), "label"];
          const records = Array.from({ length: 12 }, (_, row) => [
            ...columns.map((cells) => cells[row]!),
            "ab"[row % 2]!,
          ]);
          const { columns: trained } = profileOf(names, records, { delimiter });
          const numbers = trained.slice(0, -1).filter(({ reading }) => reading.kind === "number");
          const own = numbers.map(({ reading, isInteger }) => ({
            ...(reading.kind === "number" ? reading.form : PLAIN),
            ...(isInteger && { isWhole: true as const }),
          }));
          const cells = numbers.map(({ index }) => columns[index]!);
          const forms = own.map(({ grouping, decimal }) => `1${grouping}000${decimal}5`);
          expect(formsOf(own, cells, delimiter)).toEqual(forms);
        },
      ),
      { numRuns: 100 },
    );
  });

  test("a file in the training file's own form is read by it, however few its rows", () => {
    const number = fc.double({ min: -1e7, max: 1e7, noNaN: true }).map((value) => Math.round(value * 1000) / 1000);
    fc.assert(
      fc.property(fc.constantFrom(...BODY_FORMS), fc.array(number, { minLength: 1, maxLength: 5 }), (form, values) => {
        const texts = values.map((value) => numberText(value, form));
        const [found] = formsOf([form], [texts], form.decimal === "," ? ";" : ",");
        expect(found).toBe(`1${form.grouping}000${form.decimal}5`);
      }),
    );
  });
});

describe("a column of which nearly no value can be read", () => {
  const table = (cells: readonly string[]) =>
    `${MODEL.columns.map(({ name }) => name).join(",")}\n${cells.map((cell) => `Biscoe,${cell},18,190,3700,male\n`).join("")}`;
  const refusal = (cells: readonly string[]): unknown => {
    try {
      return scored(MODEL, table(cells)).codes;
    } catch (error) {
      return error;
    }
  };
  const words = (count: number) => Array.from({ length: count }, (_, row) => `about ${row}`);

  test("is refused with its name, the first line and an example", () => {
    const error = refusal(["", ...words(10)]) as InputError;
    expect(error).toBeInstanceOf(InputError);
    expect(error).toMatchObject({ code: "UNREADABLE_COLUMN", column: "bill_length_mm", line: 3 });
    expect(error.message).toContain("10 of the 10 values");
    expect(error.message).toContain("1234.5, the first in line 3. Write");
  });

  test("where one in twenty is a number, but not where more are", () => {
    expect(refusal([...words(19), "40.5"])).toMatchObject({ code: "UNREADABLE_COLUMN" });
    expect(refusal([...words(18), "40.5"])).toContain("NOT_READ");
  });

  test("but with few values each is missing, with a warning", () => {
    expect(refusal(words(9))).toContain("NOT_READ");
  });

  test("and without values nothing is wrong", () => {
    expect(refusal(Array.from({ length: 50 }, () => ""))).not.toContain("NOT_READ");
  });
});
