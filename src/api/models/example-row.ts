// A first row for predicting by hand: one of the training file, or else typical values.

import { type Static, Type } from "@sinclair/typebox";
import { type Dataset, findOwnedDataset } from "../../../data/datasets.ts";
import { findOwnedModel } from "../../../data/models.ts";
import { firstRecords } from "../../../engine/columns/first-look.ts";
import { numberText } from "../../../engine/columns/number-text.ts";
import { InputError } from "../../../engine/input-error.ts";
import type { ModelFile } from "../../../engine/model/model-file.ts";
import { found } from "../../http/problem.ts";
import { Count, Key, named, oneOf, orNull } from "../../http/schemas.ts";
import { openingOf } from "../../jobs/job-need.ts";
import { type Route, route } from "../../routing/route.ts";
import type { RunSummary } from "../../summary/summary.ts";
import type { Services } from "../services.ts";
import { valuesOf } from "./model-details.ts";
import { findSummary } from "./model-files.ts";
import { championOf, MODEL_EXAMPLE } from "./models.ts";

const MOST_PLACES = 100;
const TYPICAL_DIGITS = 3;

const ExampleRow = Type.Object({
  modelKey: Key,
  source: oneOf(["training file", "typical values"]),
  place: orNull(Type.Integer({ minimum: 1, description: "Which row of the file, from 1; null for typical values." })),
  places: Count,
  label: orNull(Type.String({ description: "What the file has as the row's label; null where that is not known." })),
  row: Type.Record(Type.String(), orNull(Type.String()), { description: "Cells by column, as `…/rows` takes them." }),
});
named({ ExampleRow });

export type ExampleRow = Static<typeof ExampleRow>;

const EXAMPLE: ExampleRow = {
  modelKey: MODEL_EXAMPLE.modelKey,
  source: "training file",
  place: 3,
  places: 100,
  label: "no",
  row: { tenure: "14", plan: "basic", balance: null },
};

export function exampleRowRoutes({ database, state, modelCache }: Services): Route[] {
  return [
    route({
      method: "GET",
      path: "/api/v1/models/{modelKey}/example-row",
      operationId: "getExampleRow",
      tag: "Models",
      summary: "A row to begin with",
      description:
        `One of the first ${MOST_PLACES} rows of the training file as far as they stand in its first ` +
        "256 KiB, with its label. Where the dataset is gone: " +
        "the middle number of each column, the most frequent category, else null.",
      decisions: ["D31", "D111"],
      query: {
        place: Type.Integer({
          minimum: 1,
          default: 1,
          description: "Which of the rows. Beyond the last one (`places`) it begins again.",
        }),
      },
      answer: { status: 200, description: "The row.", schema: ExampleRow, example: EXAMPLE },
      problems: ["NOT_FOUND"],
      handle: async ({ params: { modelKey }, query: { place }, caller: { userKey } }) => {
        const detail = found("model", findOwnedModel(database, userKey, modelKey));
        const { file } = modelCache.open(state.locate(championOf(detail).filePath));
        const dataset = findOwnedDataset(database, userKey, detail.model.datasetKey);
        const ofFile = dataset?.filePath == null ? null : rowOf(state.locate(dataset.filePath), dataset, file, place);
        if (ofFile !== null) return { modelKey, ...ofFile };
        const row = typicalRow(file, (await findSummary(state, modelKey))?.columns ?? []);
        return { modelKey, source: "typical values" as const, place: null, places: 0, label: null, row };
      },
    }),
  ];
}

/** Null if the file cannot be read, or has no rows. Only the model's own columns are shown, and the label. */
function rowOf(
  path: string,
  { hasHeader }: Dataset,
  { columns, label }: ModelFile,
  askedRow: number,
): Omit<ExampleRow, "modelKey"> | null {
  const first = readFirst(path, hasHeader);
  if (first === null || first.records.length === 0) return null;
  const { names, records } = first;
  const at = (askedRow - 1) % records.length;
  const cellOf = (name: string) => records[at]![names.indexOf(name)]?.trim() || null;
  const row = Object.fromEntries(columns.map(({ name }) => [name, cellOf(name)]));
  return { source: "training file", place: at + 1, places: records.length, label: cellOf(label), row };
}

function readFirst(path: string, hasHeader: boolean) {
  try {
    const { opening, sizeBytes } = openingOf(path);
    return firstRecords(opening, sizeBytes, MOST_PLACES, hasHeader);
  } catch (error) {
    if (error instanceof InputError) return null;
    throw error;
  }
}

function typicalRow({ columns, features }: ModelFile, known: RunSummary["columns"]): ExampleRow["row"] {
  const cells = columns.map(({ name, reading }, column): [string, string | null] => {
    const feature = features.find((feature) => feature.column === column);
    if (reading.kind === "number" && feature?.kind === "number" && feature.cutPoints.length > 0) {
      const middle = feature.cutPoints[Math.floor(feature.cutPoints.length / 2)]!;
      return [name, numberText(Number(middle.toPrecision(TYPICAL_DIGITS)), reading.form)];
    }
    const summary = known.find((summary) => summary.name === name);
    return [name, (summary === undefined ? undefined : valuesOf(summary)[0]) ?? null];
  });
  return Object.fromEntries(cells);
}
