// Shared by all routes that create a dataset: the fields of the request, the row, the answer (D17).

import { randomUUID } from "node:crypto";
import { type Static, Type } from "@sinclair/typebox";
import { type Dataset, type DatasetOrigin, insertDataset, type NewDataset } from "../../../data/datasets.ts";
import { LEAST_BUCKETS, MOST_BUCKETS } from "../../common/limits.ts";
import { nameTaken, trimmedName } from "../../http/names.ts";
import { refuse } from "../../http/problem.ts";
import { Key, named, ONE_LINE, oneOf, PLAIN_TEXT } from "../../http/schemas.ts";
import type { Call } from "../../routing/route.ts";
import { created } from "../audited.ts";
import { EXAMPLE_SERVER, EXAMPLES } from "../examples.ts";
import type { Services } from "../services.ts";
import { exampleUploadUrl, UPLOAD_HEADERS } from "../uploads/uploads.ts";

const LEAST_NAME_CHARACTERS = 3;

export const DatasetName = Type.String({
  minLength: LEAST_NAME_CHARACTERS,
  maxLength: 30,
  pattern: ONE_LINE,
  "x-must-be": "3 to 30 characters in one line",
  description: "One line, unique among your datasets; blanks around it are removed.",
});
export const DatasetDescription = Type.String({
  minLength: 3,
  maxLength: 150,
  pattern: PLAIN_TEXT,
  "x-must-be": "3 to 150 characters without control characters but line ends and tabs",
  description: "Plain text.",
});
export const DatasetBuckets = Type.Integer({
  minimum: LEAST_BUCKETS,
  maximum: MOST_BUCKETS,
  description:
    "Granularity; start with 10 to 20. More buckets capture more detail and take longer. " +
    "They bind naive Bayes and the tables of logistic regression; " +
    "trees and linear terms use a fine view of up to 254.",
  "x-decision": "D45",
});

const DatasetUploadInfo = Type.Object({
  uploadUrl: Type.String({ description: "PUT the CSV file here, within the hour and without another credential." }),
  extraHeaders: Type.Record(Type.String(), Type.String(), { description: "Headers that the upload must carry." }),
});
named({ DatasetUploadInfo });

export const CreatedDataset = Type.Object({
  datasetKey: Key,
  status: oneOf(["PENDING", "PROCESSING"]),
  datasetCreationProgressUrl: Type.String({ description: "GET it until the status is COMPLETED or FAILED." }),
  datasetUploadInfo: Type.Optional(DatasetUploadInfo),
});

named({ CreatedDataset });

export type CreatedDataset = Static<typeof CreatedDataset>;

export const ASKED_EXAMPLE = { name: "churn 2027", description: "Customers of 2026.", numberOfBuckets: 20 };
export const CREATED_EXAMPLE = {
  datasetKey: EXAMPLES.datasetKey,
  status: "PENDING",
  datasetCreationProgressUrl: `${EXAMPLE_SERVER}/api/v1/datasets/${EXAMPLES.datasetKey}`,
  datasetUploadInfo: {
    uploadUrl: exampleUploadUrl(EXAMPLES.datasetKey, "DATASET"),
    extraHeaders: UPLOAD_HEADERS,
  },
} as const satisfies Static<typeof CreatedDataset>;

interface RequestedDataset extends Omit<NewDataset, "key" | "userKey" | "description" | "origin"> {
  description: string | undefined;
}

/**
 * Inserts the dataset; `show` makes the answer of it.
 *
 * @throws ApiError VALIDATION_FAILED, NAME_TAKEN
 */
export function insertRequested(
  services: Services,
  call: Call,
  requested: RequestedDataset,
  origin: DatasetOrigin,
  show: (dataset: Dataset) => CreatedDataset = (dataset) => showCreated(call, dataset),
): CreatedDataset {
  const { database, now } = services;
  const { userKey } = call.caller;
  const name = trimmedName(requested.name, LEAST_NAME_CHARACTERS);
  const description = requested.description ?? null;
  const dataset = { ...requested, key: randomUUID(), userKey, name, description, origin };
  return created(
    services,
    call,
    () => insertDataset(database, dataset, now()) ?? refuse(nameTaken("dataset", name)),
    ({ key, source }) => ({ action: "DATASET_CREATED", objectKey: key, detail: source }),
    show,
  );
}

/** A new dataset is PENDING or PROCESSING. */
export function showCreated({ headers, url }: Pick<Call, "headers" | "url">, { key, status }: Dataset) {
  const datasetCreationProgressUrl = url(`/api/v1/datasets/${key}`);
  headers.set("location", datasetCreationProgressUrl);
  const isPending = status === "PENDING";
  return {
    datasetKey: key,
    status: isPending ? ("PENDING" as const) : ("PROCESSING" as const),
    datasetCreationProgressUrl,
  };
}
