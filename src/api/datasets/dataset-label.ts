// A look into a dataset's file, and another choice of its label column: first rows and histograms (D63, D66).

import { type Static, Type } from "@sinclair/typebox";
import { type Dataset, findOwnedDataset, relabelDataset } from "../../../data/datasets.ts";
import { firstRecords } from "../../../engine/columns/first-look.ts";
import { InputError } from "../../../engine/input-error.ts";
import { audited } from "../../audit/audited.ts";
import { ApiError, found, noSuch } from "../../http/problem.ts";
import { type Route, route } from "../../http/route.ts";
import { Key, named } from "../../http/schemas.ts";
import { openingOf } from "../../jobs/job-need.ts";
import { EXAMPLES } from "../examples.ts";
import type { Services } from "../services.ts";
import { LabelColumn, TABLE_SETTINGS } from "../table-settings.ts";

const MOST_ROWS = 8;
/** Wide tables show fewer rows. */
const MOST_CELLS = 4_000;
const LONGEST_CELL = 60;

const Preview = Type.Object({
  datasetKey: Key,
  columns: Type.Array(Type.String(), { description: "Names in the order of the file." }),
  rows: Type.Array(Type.Array(Type.String()), {
    description: `The first ${MOST_ROWS} records at most, as they stand in the file; long cells are cut.`,
  }),
});
named({ DatasetPreview: Preview });

export type Preview = Static<typeof Preview>;

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

const Relabelled = Type.Object({ datasetKey: Key, status: Type.Literal("PROCESSING") });

const NewLabel = Type.Object({
  labelColumn: LabelColumn,
  positiveLabel: TABLE_SETTINGS.positiveLabel,
});

named({ RelabelledDataset: Relabelled, DatasetLabel: NewLabel });

export function datasetLabelRoutes(services: Services): Route[] {
  return [previewRoute(services), distributionsRoute(services), relabelRoute(services)];
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

function relabelRoute(services: Services): Route {
  const { database, wake } = services;
  return route({
    method: "PATCH",
    path: "/api/v1/datasets/{datasetKey}",
    operationId: "relabelDataset",
    tag: "Datasets",
    summary: "Choose another label column",
    description:
      "Reads a COMPLETED or FAILED dataset again with this label; it is PROCESSING until then. Refused once the dataset was " +
      "trained on, and if it came from a refinement.",
    decisions: ["D31", "D38", "D48", "D66"],
    body: NewLabel,
    bodyExample: { labelColumn: "left", positiveLabel: "yes" },
    answer: {
      status: 200,
      description: "The dataset is read again.",
      schema: Relabelled,
      example: { datasetKey: EXAMPLES.datasetKey, status: "PROCESSING" },
    },
    problems: ["NOT_FOUND", "DATASET_NOT_READY", "FILE_REMOVED", "IN_USE"],
    handle: (call) => {
      const { datasetKey } = call.params;
      const { userKey } = call.caller;
      const { labelColumn, positiveLabel = null } = call.body;
      const outcome = audited(
        services,
        call,
        () => relabelDataset(database, userKey, datasetKey, { labelColumn, positiveLabel }),
        (done) =>
          done === "RELABELLED" ? { action: "DATASET_RELABELLED", objectKey: datasetKey, detail: null } : null,
      );
      if (outcome === "NOT_FOUND") throw noSuch("dataset");
      if (outcome === "NOT_READY" || outcome === "NO_FILE")
        throw noFile(findOwnedDataset(database, userKey, datasetKey));
      if (outcome === "IN_USE") {
        throw new ApiError(
          "IN_USE",
          "A training or a refinement has used this dataset's label already: make a new dataset of the file.",
        );
      }
      wake();
      return { datasetKey, status: "PROCESSING" as const };
    },
  });
}

/** The dataset has no file yet, or no longer. */
function noFile(dataset: Dataset | null): ApiError {
  const status = dataset?.status ?? "FAILED";
  if (status === "FAILED") return fileGone();
  return new ApiError("DATASET_NOT_READY", `The dataset is ${status}; wait until its file has been read.`);
}

export function fileGone(): ApiError {
  return new ApiError("FILE_REMOVED", "The dataset has no file: make a new dataset.");
}

/** Names and first rows of a file. @throws ApiError FILE_REMOVED, FILE_UNUSABLE */
export function readOpening(path: string, hasHeader: boolean): Omit<Preview, "datasetKey"> {
  try {
    const { opening, sizeBytes } = openingOf(path);
    const { names, records } = firstRecords(opening, sizeBytes, MOST_ROWS, hasHeader);
    const rows = records.slice(0, Math.max(1, Math.floor(MOST_CELLS / names.length)));
    return { columns: [...names], rows: rows.map((record) => record.map(shortCell)) };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    // The message contains a path of the server.
    if (error.code === "FILE_NOT_FOUND") throw fileGone();
    throw new ApiError("FILE_UNUSABLE", error.message);
  }
}

function shortCell(cell: string): string {
  return cell.length > LONGEST_CELL ? `${cell.slice(0, LONGEST_CELL)}…` : cell;
}
