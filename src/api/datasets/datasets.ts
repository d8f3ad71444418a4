// Datasets: get, list, delete; other routes are in files of their own (contract 4.3, D02, D18).

import { type Static, Type } from "@sinclair/typebox";
import type { Page, Searched, Sorted } from "../../../data/database/pages.ts";
import { type DatasetListItem, deleteDataset, findOwnedDataset, listDatasets } from "../../../data/datasets.ts";
import { SEARCH_QUERY } from "../../http/paging.ts";
import { ApiError, found, noSuch } from "../../http/problem.ts";
import {
  ClassCount,
  Instant,
  Key,
  named,
  oneOf,
  orNull,
  shown,
  WaitingReason,
  WarningItem,
} from "../../http/schemas.ts";
import { sortedPageAnswer, sortedPageOf, sortedQuery } from "../../http/sorting.ts";
import { type Route, route } from "../../routing/route.ts";
import { audited } from "../audited.ts";
import { FOUND_KIND } from "../column-choices.ts";
import { EXAMPLES } from "../examples.ts";
import { KEY_ANSWER, NO_KEYS } from "../key-columns.ts";
import { FORM } from "../models/column-reading.ts";
import { NextPoll, nextPoll, RETRY_AFTER, secondsSince } from "../polling.ts";
import type { Services } from "../services.ts";
import { DatasetStatus } from "../statuses.ts";
import { Doubt } from "../verdict.ts";
import { changeDatasetRoute } from "./change-dataset.ts";
import { datasetPreviewRoutes } from "./dataset-preview.ts";
import { newDatasetRoute } from "./new-datasets.ts";
import { openDoubts } from "./open-doubts.ts";
import { refinedDatasetRoute } from "./refined-dataset.ts";
import { TEXT_PROFILE } from "./text-profile.ts";

const RECORD = {
  datasetKey: Key,
  name: Type.String(),
  description: orNull(Type.String()),
  status: DatasetStatus,
  numberOfBuckets: Type.Integer(),
  source: oneOf(["UPLOAD", "REFINEMENT"]),
  featureRefinementKey: orNull(Key),
  labelColumn: orNull(Type.String({ description: "As requested; once processed, the label column." })),
  positiveLabel: orNull(Type.String({ description: "As requested; once processed, the positive label." })),
  missingValues: orNull(
    Type.Array(Type.String(), { description: "Texts that stand for a missing value; null for the usual list." }),
  ),
  ...KEY_ANSWER,
  classes: Type.Array(ClassCount, {
    description: "With their numbers of rows; empty until processed.",
  }),
  rowCount: orNull(Type.Integer({ description: "Rows with a label; null until processed." })),
  columnCount: orNull(Type.Integer({ description: "Null until processed." })),
  sizeBytes: orNull(Type.Integer({ description: "Size of the file; null until it is uploaded." })),
  createdOn: Instant,
  processedOn: orNull(Instant),
  errorReason: orNull(Type.String({ description: "Why it is FAILED." })),
  errorCode: orNull(
    Type.String({
      description:
        "Stable: what is wrong with the file, such as `LABEL_NOT_FOUND`, " +
        "`TOO_MANY_CLASSES` or `UNUSABLE_GROUP`, or `UPLOAD_EXPIRED` if none came; otherwise null.",
      "x-decision": "D69",
    }),
  ),
  warnings: Type.Array(WarningItem),
  recommendedThreshold: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: "The target that the refinement reached, for `performanceThreshold`; absent where there is none.",
    }),
  ),
};

const COLUMNS = Type.Array(
  Type.Object({
    name: Type.String(),
    kind: Type.String({ description: "Such as `number`, `category`, `date`, `text` or `constant`." }),
    foundKind: FOUND_KIND,
    form: FORM,
    missingTexts: Type.Optional(
      Type.Array(Type.String(), {
        description:
          "Texts that mean a missing value in this column alone: those chosen, or else those found; " +
          "left out where there are none.",
      }),
    ),
    missing: Type.Integer({ description: "Cells without a value." }),
    distinct: Type.Integer({ description: "Different values." }),
    warning: orNull(Type.String()),
    text: Type.Optional(Type.Object(TEXT_PROFILE, { description: "Left out where the column is not read as text." })),
  }),
  { description: "Empty until processed." },
);

const DatasetItem = Type.Object(RECORD);
named({ DatasetItem });

export type DatasetItem = Static<typeof DatasetItem>;
const DatasetRecord = Type.Object({
  ...RECORD,
  columns: COLUMNS,
  doubts: Type.Array(Doubt, {
    description:
      "What the newest training that looked at the rows doubts and a change of this dataset may answer: " +
      "a group, a time, a column that gives the label away. Empty where it was answered.",
    "x-decision": "D112",
  }),
  nextPollAfterSeconds: NextPoll("A dataset that waits for its file has it too."),
  waitingReason: WaitingReason,
});
named({ Dataset: DatasetRecord });

export type DatasetRecord = Static<typeof DatasetRecord>;

const ITEM_EXAMPLE = {
  datasetKey: EXAMPLES.datasetKey,
  name: "churn 2027",
  description: "Customers of 2026, with whether they left.",
  status: "COMPLETED",
  numberOfBuckets: 20,
  source: "UPLOAD",
  featureRefinementKey: null,
  labelColumn: "left",
  positiveLabel: "yes",
  missingValues: null,
  ...NO_KEYS,
  classes: [
    { label: "no", count: 2_850 },
    { label: "yes", count: 483 },
  ],
  rowCount: 3_333,
  columnCount: 2,
  sizeBytes: 48_211,
  createdOn: EXAMPLES.createdOn,
  processedOn: "2027-01-15T09:30:03.000Z",
  errorReason: null,
  errorCode: null,
  warnings: [],
} satisfies DatasetItem;

export function datasetRoutes(services: Services): Route[] {
  return [
    newDatasetRoute(services),
    refinedDatasetRoute(services),
    listRoute(services),
    getRoute(services),
    ...datasetPreviewRoutes(services),
    changeDatasetRoute(services),
    deleteRoute(services),
  ];
}

function listRoute({ database }: Services): Route {
  return route({
    method: "GET",
    path: "/api/v1/datasets",
    operationId: "listDatasets",
    tag: "Datasets",
    summary: "List your datasets",
    description: "Newest first unless `sort` says otherwise, without deleted ones, each without its columns.",
    decisions: ["D18", "D24", "D113"],
    query: { ...sortedQuery(["name", "rowCount", "columnCount", "sizeBytes"]), ...SEARCH_QUERY },
    answer: sortedPageOf("datasets", DatasetItem, ITEM_EXAMPLE, "A page of datasets."),
    handle: ({ query, caller: { userKey } }) => {
      const list = (page: Page & Searched & Sorted) => listDatasets(database, userKey, page);
      return sortedPageAnswer("datasets", query, list, (row) => shown(DatasetItem, heldOf(row)));
    },
  });
}

function getRoute({ database, now, elapsedMs, waitingReason }: Services): Route {
  return route({
    method: "GET",
    path: "/api/v1/datasets/{datasetKey}",
    operationId: "getDataset",
    tag: "Datasets",
    summary: "Look at a dataset",
    description: "Poll it until the status is COMPLETED or FAILED.",
    decisions: ["D02", "D11", "D31", "D38", "D39", "D112"],
    answer: {
      status: 200,
      description: "The dataset.",
      schema: DatasetRecord,
      example: {
        ...ITEM_EXAMPLE,
        columns: [
          { name: "tenure", kind: "number", missing: 0, distinct: 72, warning: null },
          { name: "plan", kind: "category", missing: 11, distinct: 4, warning: null },
        ],
        doubts: [],
      },
      headers: RETRY_AFTER,
    },
    problems: ["NOT_FOUND"],
    handle: ({ params: { datasetKey }, caller: { userKey }, headers }) => {
      const dataset = found("dataset", findOwnedDataset(database, userKey, datasetKey));
      const { status, createdOn } = dataset;
      const isPending = status === "PENDING";
      // The time when the file came is not stored: one that waits for its turn is read soon.
      const workSeconds = isPending ? secondsSince(createdOn, now()) : (elapsedMs(datasetKey) ?? 0) / 1_000;
      return shown(DatasetRecord, {
        ...heldOf(dataset),
        columns: dataset.columns ?? [],
        nextPollAfterSeconds: nextPoll(headers, isPending || status === "PROCESSING" ? workSeconds : null),
        doubts: openDoubts(dataset, database),
        waitingReason: waitingReason(datasetKey),
      });
    },
  });
}

function heldOf(dataset: DatasetListItem) {
  return { ...dataset, datasetKey: dataset.key, classes: dataset.classes ?? [] };
}

function deleteRoute(services: Services): Route {
  const { database, now, wake } = services;
  return route({
    method: "DELETE",
    path: "/api/v1/datasets/{datasetKey}",
    operationId: "deleteDataset",
    tag: "Datasets",
    summary: "Delete a dataset",
    description:
      "Removes the dataset from your list and frees its name; models trained on it stay. " +
      "Refused while it is being processed or trained on. Deleting again changes nothing.",
    decisions: ["D31", "D48"],
    answer: { status: 204, description: "The dataset is deleted." },
    problems: ["NOT_FOUND", "IN_USE"],
    handle: (call) => {
      const { datasetKey } = call.params;
      const outcome = audited(
        services,
        call,
        () => deleteDataset(database, call.caller.userKey, datasetKey, now()),
        (done) => (done === "DELETED" ? { action: "DATASET_DELETED", objectKey: datasetKey } : null),
      );
      if (outcome === "NOT_FOUND") throw noSuch("dataset");
      if (outcome === "IN_USE") {
        throw new ApiError(
          "IN_USE",
          "The dataset is being processed or trained on: wait for that, or cancel the training job, then delete it.",
        );
      }
      // A planned training may have waited for it.
      wake();
      return undefined;
    },
  });
}
