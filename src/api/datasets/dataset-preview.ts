// A look into a dataset's file: first rows and histograms (D63, D66).

import { type Static, Type } from "@sinclair/typebox";
import { type Dataset, findOwnedDataset } from "../../../data/datasets.ts";
import { firstRecords } from "../../../engine/columns/first-look.ts";
import { InputError } from "../../../engine/input-error.ts";
import { shortened } from "../../../engine/shortened.ts";
import { ApiError, found } from "../../http/problem.ts";
import { Key, named } from "../../http/schemas.ts";
import { openingOf } from "../../jobs/job-need.ts";
import { type Route, route } from "../../routing/route.ts";
import { EXAMPLES } from "../examples.ts";
import type { Services } from "../services.ts";

const MOST_ROWS = 10;
/** Wide tables show fewer rows. */
const MOST_CELLS = 4_000;
const LONGEST_CELL = 80;

const Preview = Type.Object({
  datasetKey: Key,
  columns: Type.Array(Type.String(), { description: "Names in the order of the file." }),
  rows: Type.Array(Type.Array(Type.String()), {
    description:
      `The first ${MOST_ROWS} records at most, as they stand in the file; ` +
      `cells of more than ${LONGEST_CELL} characters are cut.`,
  }),
});
named({ DatasetPreview: Preview });

export type Preview = Static<typeof Preview>;
type FirstRows = Omit<Preview, "datasetKey">;

const Histogram = Type.Object({
  name: Type.String(),
  bars: Type.Array(Type.String(), { description: "A range of numbers, a value, all others, missing." }),
  counts: Type.Array(Type.Array(Type.Integer({ minimum: 0 })), {
    description: "Rows of each bar by class, in the order of the dataset's `classes`.",
  }),
});

named({ Histogram });

export const Histograms = Type.Array(Histogram, {
  description: "Of the columns that are used, in the order of the file; where there are many, of the first ones.",
});

const Distributions = Type.Object({ datasetKey: Key, columns: Histograms });
named({ DatasetDistributions: Distributions });

export type Distributions = Static<typeof Distributions>;

export function datasetPreviewRoutes(services: Services): Route[] {
  return [previewRoute(services), distributionsRoute(services)];
}

function previewRoute({ database, state }: Services): Route {
  return route({
    method: "GET",
    path: "/api/v1/datasets/{datasetKey}/preview",
    operationId: "previewDataset",
    tag: "Datasets",
    summary: "See the first rows of a dataset's file",
    description:
      "Available as soon as the file is uploaded, also for a FAILED dataset: to choose another label column.",
    decisions: ["D31", "D66"],
    answer: {
      status: 200,
      description: "Names and first rows.",
      schema: Preview,
      example: { datasetKey: EXAMPLES.datasetKey, columns: ["tenure", "left"], rows: [["14", "no"]] },
    },
    problems: ["NOT_FOUND", "DATASET_NOT_READY", "FILE_REMOVED", "FILE_UNUSABLE"],
    handle: ({ params: { datasetKey }, caller: { userKey } }) => {
      const dataset = found("dataset", findOwnedDataset(database, userKey, datasetKey));
      if (dataset.filePath === null) throw noFile(dataset);
      return { datasetKey, ...readOpening(state.locate(dataset.filePath), dataset.hasHeader) };
    },
  });
}

function distributionsRoute({ database }: Services): Route {
  return route({
    method: "GET",
    path: "/api/v1/datasets/{datasetKey}/distributions",
    operationId: "getDatasetDistributions",
    tag: "Datasets",
    summary: "How the rows spread over each column",
    description:
      "Small histograms by class, to be drawn beside the columns' names. Empty until the dataset is COMPLETED.",
    decisions: ["D31", "D63"],
    answer: {
      status: 200,
      description: "The histograms.",
      schema: Distributions,
      example: {
        datasetKey: EXAMPLES.datasetKey,
        columns: [
          {
            name: "tenure",
            bars: ["from 0 to 36", "from 36 to 72", "missing"],
            counts: [
              [900, 310],
              [1_920, 160],
              [30, 13],
            ],
          },
        ],
      },
    },
    problems: ["NOT_FOUND"],
    handle: ({ params: { datasetKey }, caller: { userKey } }) => {
      const dataset = found("dataset", findOwnedDataset(database, userKey, datasetKey));
      return { datasetKey, columns: histogramsOf(dataset.columns ?? []) };
    },
  });
}

/** The histograms of the columns that have one. */
export function histogramsOf(columns: NonNullable<Dataset["columns"]>): Static<typeof Histograms> {
  return columns.flatMap(({ name, distribution = null }) => {
    if (distribution === null) return [];
    return [{ name, bars: [...distribution.bars], counts: distribution.counts.map((counts) => [...counts]) }];
  });
}

/** The dataset has no file yet, or no longer. */
export function noFile(dataset: Dataset | null): ApiError {
  const status = dataset?.status ?? "FAILED";
  if (status === "FAILED") return fileGone();
  return new ApiError("DATASET_NOT_READY", `The dataset is ${status}; wait until its file has been read.`);
}

export function fileGone(): ApiError {
  return new ApiError("FILE_REMOVED", "The dataset has no file: make a new dataset.");
}

/** Names and first rows of a file. @throws ApiError FILE_REMOVED, FILE_UNUSABLE */
function readOpening(path: string, hasHeader: boolean): FirstRows {
  try {
    const { opening, sizeBytes } = openingOf(path);
    const { names, records } = firstRecords(opening, sizeBytes, MOST_ROWS, hasHeader);
    const rows = records.slice(0, Math.max(1, Math.floor(MOST_CELLS / names.length)));
    return { columns: [...names], rows: rows.map((record) => record.map((cell) => shortened(cell, LONGEST_CELL))) };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    // The message contains a path of the server.
    if (error.code === "FILE_NOT_FOUND") throw fileGone();
    throw new ApiError("FILE_UNUSABLE", error.message);
  }
}

/** Like `readOpening`; null if the file cannot be read. Processing then says why. */
export function tryOpening(path: string, hasHeader: boolean): FirstRows | null {
  try {
    return readOpening(path, hasHeader);
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}
