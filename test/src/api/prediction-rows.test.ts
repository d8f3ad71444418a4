// Rows scored at once over HTTP: the same answer as for a file, and what is refused.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listPredictions } from "../../../data/predictions.ts";
import { listWatchDays } from "../../../data/watch-counts.ts";
import { MOST_LIVE_ROWS } from "../../../src/common/limits.ts";
import { MOST_LIVE_ROWS_BYTES } from "../../../src/http/limits.ts";
import {
  describeScenarios,
  type Expected,
  expectAnswer,
  type Scenario,
  startApi,
  type TestApi,
  withApi,
} from "../../support/api.ts";
import { addScorer, PENGUIN_COLUMNS } from "./service.ts";

const MODELS = join(import.meta.dir, "..", "..", "fixtures", "models");
const ROW = {
  island: "Torgersen",
  bill_length_mm: 39.1,
  bill_depth_mm: 18.7,
  flipper_length_mm: 181,
  body_mass_g: 3750,
  sex: "male",
};
const JSON_TYPE = { "content-type": "application/json" };

const rowsPath = (api: TestApi) => `/api/v1/predictions/models/${addScorer(api, "ada").modelKey}/rows`;
const send = (name: string, body: unknown, expected: Expected, more: Partial<Scenario> = {}): Scenario => ({
  name,
  method: "POST",
  path: rowsPath,
  as: "ada",
  body,
  expect: expected,
  ...more,
});
const without = (name: keyof typeof ROW) => Object.fromEntries(Object.entries(ROW).filter(([key]) => key !== name));
const refused = (...fields: string[]): Expected => ({ status: 400, code: "VALIDATION_FAILED", fields });

describeScenarios("rows", startApi, [
  send(
    "one",
    { rows: [ROW] },
    {
      status: 200,
      effect: (api, _, body) => {
        expect(body).toEqual({
          modelKey: expect.any(String),
          version: 1,
          predictions: [
            {
              label: "Adelie",
              confidence: expect.any(Number),
              probabilities: { Adelie: expect.any(Number), Chinstrap: expect.any(Number), Gentoo: expect.any(Number) },
            },
          ],
          warnings: [],
        });
        expect(listPredictions(api.database, api.ada.key, { offset: 0, limit: 1 }).total).toBe(0);
        api.services.rowCounts!.flush();
        const { modelKey, version } = body as { modelKey: string; version: number };
        const [day] = listWatchDays(api.database, { modelKey, version }, "");
        expect(day!.counts).toMatchObject({ rowCount: 1, decisions: [1, 0, 0] });
      },
    },
  ),
  send(
    `${MOST_LIVE_ROWS}`,
    { rows: Array.from({ length: MOST_LIVE_ROWS }, () => ROW) },
    {
      status: 200,
      effect: (_, __, body) => expect((body as { predictions: object[] }).predictions).toHaveLength(MOST_LIVE_ROWS),
    },
  ),
  send("none", { rows: [] }, refused("rows")),
  send(`${MOST_LIVE_ROWS + 1}`, { rows: Array.from({ length: MOST_LIVE_ROWS + 1 }, () => ROW) }, refused("rows")),
  send("no list", { rows: ROW }, refused("rows")),
  send("no field rows", {}, refused("rows")),
  send("a field beside them", { rows: [ROW], version: 2 }, refused("version")),
  send("a row that is a list", { rows: [Object.values(ROW)] }, refused("rows.0")),
  send("a value that is an object", { rows: [ROW, { ...ROW, sex: {} }] }, refused("rows.1.sex")),
  send("a value that is a list", { rows: [{ ...ROW, sex: ["male"] }] }, refused("rows.0.sex")),
  send(
    "cells that the model cannot take as they stand",
    { rows: [{ ...ROW, island: "Atlantis", body_mass_g: "twelve" }, ROW, { ...ROW, island: null, sex: null }] },
    {
      status: 200,
      effect: (_, __, body) =>
        expect((body as { predictions: { oddCells?: object }[] }).predictions.map(({ oddCells }) => oddCells)).toEqual([
          [
            { column: "island", code: "UNSEEN_CATEGORY" },
            { column: "body_mass_g", code: "NOT_READ" },
          ],
          undefined,
          // Rows of training lack the sex, but none lacks the island.
          [{ column: "island", code: "NEW_MISSING" }],
        ]),
    },
  ),
  send(
    "values that are missing",
    { rows: [{ ...ROW, sex: null, bill_depth_mm: "" }] },
    {
      status: 200,
      body: { predictions: [{ label: "Adelie" }] },
    },
  ),
  send(
    "a value that training did not have, and a column that the model does not know",
    {
      rows: [{ ...ROW, island: "Atlantis", year: 2007, species: "Adelie" }],
    },
    {
      status: 200,
      effect: (_, __, body) => {
        const codes = (body as { warnings: { code: string }[] }).warnings.map(({ code }) => code);
        expect(codes).toContain("EXTRA_COLUMNS");
        expect(codes).toContain("UNSEEN_CATEGORY");
      },
    },
  ),
  send(
    "numbers as texts of either notation have the answer of numbers",
    {
      rows: [
        ROW,
        { ...ROW, bill_length_mm: "39.1", bill_depth_mm: "18,7" },
        { ...ROW, bill_length_mm: 39.1, bill_depth_mm: "18,7" },
      ],
    },
    {
      status: 200,
      effect: (_, __, body) => {
        const { predictions, warnings } = body as { predictions: object[]; warnings: { code: string }[] };
        expect(predictions).toEqual([predictions[0]!, predictions[0]!, predictions[0]!]);
        expect(warnings.map(({ code }) => code)).toEqual(["NUMBER_FORM"]);
      },
    },
  ),
  send(
    "texts that are no numbers, in ten rows",
    { rows: Array.from({ length: 10 }, () => ({ ...ROW, body_mass_g: "heavy" })) },
    {
      status: 400,
      code: "UNREADABLE_COLUMN",
      body: { detail: expect.stringContaining("in row 1"), errors: [{ column: "body_mass_g" }] },
    },
  ),
  send(
    "a row that lacks a column",
    { rows: [ROW, { ...without("sex"), gender: "male" }] },
    {
      status: 400,
      code: "COLUMN_MISMATCH",
      body: {
        detail: expect.stringContaining("Row 2"),
        errors: [
          { field: "rows", code: "MISSING", column: "sex" },
          { field: "rows", code: "UNEXPECTED", column: "gender" },
          { field: "rows", code: "EXPECTED_COUNT", message: `${PENGUIN_COLUMNS.length} columns are expected.` },
        ],
      },
    },
  ),
  send(
    "too much",
    `{"rows":[{"x":"${"x".repeat(MOST_LIVE_ROWS_BYTES)}"}]}`,
    { status: 413, code: "BODY_TOO_LARGE" },
    {
      headers: JSON_TYPE,
    },
  ),
  send("more than other JSON bodies may have", { rows: [{ ...ROW, note: "x".repeat(100_000) }] }, { status: 200 }),
]);

describe("rows and files", () => {
  test("are scored alike, by the champion", () =>
    withApi(async (api) => {
      const { modelKey, jobKey } = addScorer(api, "ada");
      await api.request("POST", `/api/v1/training/${jobKey}/champion`, { as: "ada", body: { version: 2 } });
      const [header, ...lines] = readFileSync(join(MODELS, "penguins-naive-Bayes.csv"), "utf8").trimEnd().split("\n");
      const names = header!.split(",");
      const cells = lines.map((line) => line.split(","));
      const rows = cells.map((row) =>
        Object.fromEntries(PENGUIN_COLUMNS.map((name) => [name, row[names.indexOf(name)]])),
      );
      const response = await api.request("POST", `/api/v1/predictions/models/${modelKey}/rows`, {
        as: "ada",
        body: { rows },
      });
      await expectAnswer(api, response, { status: 200, body: { version: 2 } });
      const { predictions } = (await response.json()) as { predictions: { label: string; confidence: number }[] };
      const shown = predictions.map(({ label, confidence }) => [label, String(Number(confidence.toPrecision(6)))]);
      const expected = cells.map((row) => [row[names.indexOf("prediction")], row[names.indexOf("confidence")]]);
      expect(shown).toEqual(expected as string[][]);
      expect(shown.length).toBeGreaterThan(50);
    }));
});
