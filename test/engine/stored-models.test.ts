// Model files of earlier versions: every version reads them and gives the same answers, to the last digit written.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readCsv } from "../../engine/csv/read.ts";
import { layOutModel } from "../../engine/families/algorithms.ts";
import { type ModelFile, readModelColumns, unpackModel } from "../../engine/model/model-file.ts";
import { ResultCsv } from "../../engine/scoring/result-csv.ts";

const FOLDER = join(import.meta.dir, "..", "fixtures", "models");
const models = readdirSync(FOLDER).filter((name) => name.endsWith(".cupel"));

test("there are models of every kind for two and for three classes", () => {
  expect(models).toHaveLength(34);
});

test.each(models)("%s", (name) => {
  const bytes = readFileSync(join(FOLDER, name));
  const model = unpackModel(bytes);
  const { columns, missingMarkers } = model;
  expect(readModelColumns((position, length) => bytes.subarray(position, position + length))).toEqual({
    columns,
    missingMarkers,
  });
  const expected = readFileSync(join(FOLDER, name.replace(".cupel", ".csv")), "utf8");
  expect(resultOf(name, model, (result, records) => result.lines(records))).toBe(expected);
  layOutModel(model.model);
  expect(resultOf(name, model, (result, records) => records.map((one) => result.lines([one])).join(""))).toBe(expected);
});

function resultOf(
  name: string,
  model: ModelFile,
  linesOf: (result: ResultCsv, records: readonly (readonly string[])[]) => string,
): string {
  const input = readFileSync(join(FOLDER, `${name.split("-")[0]}-input.csv`));
  let text = "";
  readCsv(
    () => [input],
    (header) => {
      const result = new ResultCsv(model, header, { likeInput: false, spreadsheetSafe: false });
      text = result.headerLine;
      return ({ records }) => {
        text += linesOf(result, records);
      };
    },
  );
  return text;
}
