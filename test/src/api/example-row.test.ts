// A row to begin with: of the training file for its owner, else typical values.
import { expect } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { deleteDataset, findDataset } from "../../../data/datasets.ts";
import { statePaths } from "../../../data/files/state-folder.ts";
import { findOwnedModel } from "../../../data/models.ts";
import type { ExampleRow } from "../../../src/api/models/example-row.ts";
import { describeScenarios, type Scenario, startApi, type TestApi } from "../../support/api.ts";
import { fixtureTable } from "../../support/in-process.ts";
import { binarySummary } from "../../support/summaries.ts";
import { addScorer, PENGUIN_COLUMNS } from "./service.ts";

const PENGUINS = readFileSync(fixtureTable("penguins"), "utf8");
const TYPICAL = { source: "typical values", place: null, places: 0, label: null };

/** A model of penguins, whose dataset has this file; null for one that is gone. */
function modelOf(api: TestApi, content: string | null): string {
  const { modelKey } = addScorer(api, "ada");
  if (content === null) return modelKey;
  const { datasetKey } = findOwnedModel(api.database, api.ada.key, modelKey)!.model;
  writeFileSync(api.state.locate(findDataset(api.database, datasetKey)!.filePath!), content);
  return modelKey;
}

const pathOf =
  (content: string | null, query = "") =>
  (api: TestApi) =>
    `/api/v1/models/${modelOf(api, content)}/example-row${query}`;

const asking = (name: string, content: string | null, query: string, body: Partial<ExampleRow>): Scenario => ({
  name,
  method: "GET",
  path: pathOf(content, query),
  as: "ada",
  expect: { status: 200, body },
});

const FIRST = {
  island: "Torgersen",
  bill_length_mm: "39.1",
  bill_depth_mm: "18.7",
  flipper_length_mm: "181",
  body_mass_g: "3750",
  sex: "male",
};

describeScenarios("a row to begin with", startApi, [
  asking("is the first one of the file, with its label", PENGUINS, "", {
    ...{ source: "training file", place: 1, places: 100, label: "Adelie" },
    row: FIRST,
  }),
  asking("or another", PENGUINS, "?place=2", { place: 2, label: "Adelie" }),
  asking("beyond the last it begins again", PENGUINS, "?place=101", { place: 1 }),
  asking("empty cells are null", `${PENGUIN_COLUMNS.join(",")},species\n,,,, ,,\n`, "", {
    ...{ places: 1, label: null },
    row: Object.fromEntries(PENGUIN_COLUMNS.map((name) => [name, null])),
  }),
  {
    name: "has the model's columns alone",
    method: "GET",
    path: pathOf(`secret,${PENGUINS.split("\n")[0]}\nx,${PENGUINS.split("\n")[1]}\n`),
    as: "ada",
    expect: {
      status: 200,
      effect: (_, __, body) => expect((body as ExampleRow).row).toEqual(FIRST),
    },
  },
  ...([["nothing"], ["a header alone", PENGUINS.split("\n")[0]]] as const).map(
    ([what, content = null]): Scenario => ({
      name: `of typical values where the file is ${what}`,
      method: "GET",
      path: (api) => {
        const modelKey = modelOf(api, content);
        const summary = binarySummary();
        const island = {
          ...summary.columns[0]!,
          ...{ name: "island", kind: "category", distribution: { bars: ["Biscoe", "Dream"], counts: [[3], [2]] } },
        };
        const known = JSON.stringify({ ...summary, columns: [island] });
        writeFileSync(api.state.locate(statePaths.modelSummary(modelKey)), known);
        return `/api/v1/models/${modelKey}/example-row`;
      },
      as: "ada",
      expect: {
        status: 200,
        effect: (_, __, body) => {
          const { row, ...others } = body as ExampleRow;
          expect(others).toMatchObject(TYPICAL);
          expect(row).toMatchObject({ island: "Biscoe", sex: null });
          expect(Number(row["body_mass_g"])).toBeWithin(3_500, 4_500);
        },
      },
    }),
  ),
  {
    name: "of typical values once the dataset is deleted, though the file should still be there",
    method: "GET",
    path: (api) => {
      const modelKey = modelOf(api, PENGUINS);
      const { datasetKey } = findOwnedModel(api.database, api.ada.key, modelKey)!.model;
      expect(deleteDataset(api.database, api.ada.key, datasetKey, new Date())).toBe("DELETED");
      return `/api/v1/models/${modelKey}/example-row`;
    },
    as: "ada",
    expect: { status: 200, body: TYPICAL },
  },
  {
    name: "at place 0",
    method: "GET",
    path: pathOf(PENGUINS, "?place=0"),
    as: "ada",
    expect: { status: 400, code: "VALIDATION_FAILED", fields: ["place"] },
  },
]);
