// Creates a dataset from a refinement: its TRAIN rows with the kept columns (D15).

import { Type } from "@sinclair/typebox";
import type { Database } from "../../../data/database/database.ts";
import type { DatasetOrigin } from "../../../data/datasets.ts";
import { findRefinementFile } from "../../../data/refinement-files.ts";
import { findOwnedRefinement, findRefinementResult, type Refinement } from "../../../data/refinements.ts";
import { found } from "../../http/problem.ts";
import { type Route, route } from "../../http/route.ts";
import { noResult } from "../refinements/refinement-result.ts";
import type { Services } from "../services.ts";
import {
  ASKED_EXAMPLE,
  CREATED_EXAMPLE,
  CreatedDataset,
  DatasetBuckets,
  DatasetDescription,
  DatasetName,
  insertAsked,
  showCreated,
} from "./created-dataset.ts";

const NewDataset = Type.Object({
  name: DatasetName,
  description: Type.Optional(DatasetDescription),
  numberOfBuckets: Type.Optional(DatasetBuckets),
});

export function refinedDatasetRoute(services: Services): Route {
  const { database, wake } = services;
  return route({
    method: "POST",
    path: "/api/v1/datasets/feature-refinery/{featureRefinementKey}",
    operationId: "createDatasetFromRefinement",
    tag: "Datasets",
    summary: "Create a dataset from a refinement",
    description:
      "The TRAIN rows with the kept columns become the dataset, which has the refinement's `recommendedThreshold`. The " +
      "blind TEST rows never train a model. Without `numberOfBuckets` it has the refinement's; it is judged by the same " +
      "`groupColumn` and `timeColumn`, which are among the kept columns.",
    decisions: ["D15", "D17", "D28", "D31", "D48", "D93", "D95"],
    body: NewDataset,
    bodyExample: ASKED_EXAMPLE,
    answer: {
      status: 201,
      description: "The dataset, in processing.",
      schema: CreatedDataset,
      example: {
        datasetKey: CREATED_EXAMPLE.datasetKey,
        status: "PROCESSING",
        datasetCreationProgressUrl: CREATED_EXAMPLE.datasetCreationProgressUrl,
      },
      headers: { location: "The dataset." },
    },
    problems: ["NOT_FOUND", "NOT_READY", "NAME_TAKEN"],
    handle: (call) => {
      const { body, caller, params } = call;
      const run = found("refinement", findOwnedRefinement(database, caller.userKey, params.featureRefinementKey));
      const { name, description, numberOfBuckets = run.numberOfBuckets } = body;
      const { labelColumn, positiveLabel, missingValues, groupColumn, timeColumn, keepKeyColumns } = run;
      const table = { labelColumn, positiveLabel, missingValues };
      // The columns that the run left out are not in its file.
      const keys = { groupColumn, timeColumn, keepKeyColumns, withoutColumns: [] };
      const asked = { name, description, numberOfBuckets, ...table, ...keys };
      const dataset = insertAsked(services, call, asked, originOf(database, run));
      wake();
      return showCreated(call, dataset);
    },
  });
}

function originOf(database: Database, { key, userKey, state }: Refinement): DatasetOrigin {
  const result = findRefinementResult(database, userKey, key);
  const train = findRefinementFile(database, userKey, key, "TRAIN", "RESULT");
  if (state !== "REFINEMENT_COMPLETED" || result === null || train === null) throw noResult(state);
  const { path, sizeBytes, sha256 } = train;
  return {
    kind: "REFINEMENT",
    featureRefinementKey: key,
    recommendedThreshold: result.recommendedThreshold,
    originalColumns: result.columns.map(({ name }) => name),
    file: { path, sizeBytes, sha256 },
  };
}
