// Creates a dataset from a refinement: its TRAIN rows with the kept columns (D15).

import { Type } from "@sinclair/typebox";
import { refinedDatasetOf } from "../../../data/refined-datasets.ts";
import { findOwnedRefinement } from "../../../data/refinements/refinements.ts";
import { found } from "../../http/problem.ts";
import { named } from "../../http/schemas.ts";
import { type Route, route } from "../../routing/route.ts";
import { noResult } from "../refinements/refinement-result.ts";
import type { Services } from "../services.ts";
import {
  ASKED_EXAMPLE,
  CREATED_EXAMPLE,
  CreatedDataset,
  DatasetBuckets,
  DatasetDescription,
  DatasetName,
  insertRequested,
} from "./created-dataset.ts";

const NewDataset = Type.Object({
  name: DatasetName,
  description: Type.Optional(DatasetDescription),
  numberOfBuckets: Type.Optional(DatasetBuckets),
});

named({ NewRefinedDataset: NewDataset });

export function refinedDatasetRoute(services: Services): Route {
  const { database, wake } = services;
  return route({
    method: "POST",
    path: "/api/v1/datasets/feature-refinery/{featureRefinementKey}",
    operationId: "createDatasetFromRefinement",
    tag: "Datasets",
    summary: "Create a dataset from a refinement",
    description:
      "The TRAIN rows with the kept columns become the dataset, " +
      "which has the refinement's `recommendedThreshold`. The blind TEST rows never train a model. " +
      "Without `numberOfBuckets` it has the refinement's; " +
      "it is judged by the same `groupColumn` and `timeColumn`, which are among the kept columns.",
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
      const settings = refinedDatasetOf(database, run);
      if (settings === null) throw noResult(run.state);
      const { name, description, numberOfBuckets = run.numberOfBuckets } = body;
      const { origin, ...others } = settings;
      const answer = insertRequested(services, call, { ...others, name, description, numberOfBuckets }, origin);
      wake();
      return answer;
    },
  });
}
