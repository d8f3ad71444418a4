// Successors of a model (D128): asked for, listed, polled, deleted.

import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { type Static, Type } from "@sinclair/typebox";
import { type Dataset, findOwnedDataset } from "../../../data/datasets.ts";
import { findLine } from "../../../data/model-lines.ts";
import { findOwnedModel } from "../../../data/models.ts";
import {
  deleteSuccessor,
  findOwnedSuccessor,
  insertSuccessor,
  listSuccessors,
  type Successor as Row,
} from "../../../data/successors.ts";
import { cancelTrainingJob, findModelTraining, type TrainingJob } from "../../../data/training-jobs.ts";
import { pageAnswer, pageOf, pageQuery } from "../../http/paging.ts";
import { ApiError, found, noSuch, wrongField } from "../../http/problem.ts";
import { Key, named, orNull } from "../../http/schemas.ts";
import { type Route, route } from "../../routing/route.ts";
import { audited, created } from "../audited.ts";
import { RETRY_AFTER } from "../polling.ts";
import type { Services } from "../services.ts";
import { chooseSources } from "./labelled-sources.ts";
import { PROMOTION_RULE, SUCCESSOR_EXAMPLE, Successor, showSuccessor } from "./successor-answer.ts";

const MOST_NAMED = 1_000;
const DECISIONS = ["D31", "D128"];

const NewSuccessor = Type.Object({
  predictions: Type.Optional(
    Type.Array(Key, {
      ...{ minItems: 1, maxItems: MOST_NAMED, uniqueItems: true },
      description:
        "Keys of labelled predictions of the line. By default those of the champion, " +
        "and rows that were kept aside when it was compared itself.",
    }),
  ),
  promote: PROMOTION_RULE,
  oldRows: Type.Optional(
    orNull(
      Type.Integer({
        minimum: 0,
        description:
          "How many rows of the champion's dataset are used, the last ones of its file; null for all. " +
          "Where the columns no longer tell the label as they did, many old rows outvote few new ones.",
      }),
    ),
  ),
});
named({ NewSuccessor });
export type NewSuccessor = Static<typeof NewSuccessor>;

export function successorRoutes(services: Services): Route[] {
  return [startRoute(services), listRoute(services), getRoute(services), deleteRoute(services)];
}

function startRoute(services: Services): Route {
  const { database, now, quotas, wake } = services;
  return route({
    method: "POST",
    path: "/api/v1/models/{modelKey}/successors",
    operationId: "startSuccessor",
    tag: "Models",
    summary: "Train again with rows whose labels came later",
    description:
      "Joins the rows that the champion was trained on with labelled rows of predictions, " +
      "as a dataset of its own; trains on it with the champion's settings; " +
      "and has both models decide the newest three tenths of the labelled rows (at least 50), " +
      "which are kept aside. Answers at once; poll the successor. " +
      "The champion is the model that answers at the address of this one's line, " +
      "and stays so until `POST …/promote`, or by the rule `promote`.",
    decisions: DECISIONS,
    body: NewSuccessor,
    bodyExample: { promote: "BY_HAND" },
    answer: {
      status: 201,
      description: "The successor, under way.",
      schema: Successor,
      example: {
        ...SUCCESSOR_EXAMPLE,
        ...{ status: "JOINING", finishedOn: null, challenger: null, datasetKey: null, trainingJobKey: null },
        ...{ trainRows: null, learnedRows: null, keptRows: null, comparison: null, nextPollAfterSeconds: 1 },
        sources: SUCCESSOR_EXAMPLE.sources.map((source) => ({ ...source, learnedRows: null, keptRows: null })),
      },
      headers: { location: "The successor.", ...RETRY_AFTER },
    },
    problems: [
      ...(["NOT_FOUND", "FILE_REMOVED", "DATASET_NOT_READY", "VALIDATION_FAILED"] as const),
      ...(["LABELS_UNFIT", "SUCCESSOR_UNDER_WAY", "QUOTA_EXCEEDED", "STORAGE_FULL"] as const),
    ],
    handle: (call) => {
      const { userKey } = call.caller;
      const { predictions = null, promote, oldRows = null } = call.body;
      const line = found("model", findLine(database, userKey, call.params.modelKey));
      const { model } = found("model", findOwnedModel(database, userKey, line.answeringKey));
      const dataset = trainedOn(findOwnedDataset(database, userKey, model.datasetKey));
      const job = findModelTraining(database, model.key)!;
      if (promote === "WHEN_BETTER") requireTestable(job);
      const { sources, inputBytes } = chooseSources(database, userKey, { line, championKey: model.key }, predictions);
      quotas.hold(userKey, (dataset.sizeBytes ?? 0) + inputBytes)();
      const successor = {
        ...{ key: randomUUID(), userKey, firstModelKey: line.first.key, promote, oldRows, sources },
        ...{ championKey: model.key, championVersion: model.championVersion, sourceDatasetKey: dataset.key },
      };
      const answer = created(
        services,
        call,
        () => {
          const inserted = insertSuccessor(database, successor, now());
          if (inserted !== "UNDER_WAY") return inserted;
          const detail = "Another successor of this line has not ended; one is made at a time.";
          throw new ApiError("SUCCESSOR_UNDER_WAY", detail);
        },
        ({ key }) => ({ action: "SUCCESSOR_STARTED", objectKey: key, detail: promote }),
        (made) => {
          call.headers.set("location", call.url(`/api/v1/successors/${made.key}`));
          return showSuccessor(made, services, call.headers);
        },
      );
      wake();
      return answer;
    },
  });
}

function listRoute(services: Services): Route {
  const { database } = services;
  return route({
    method: "GET",
    path: "/api/v1/models/{modelKey}/successors",
    operationId: "listSuccessors",
    tag: "Models",
    summary: "List the successors of a model's line",
    description: "Newest first.",
    decisions: [...DECISIONS, "D24"],
    scopes: ["read", "predict"],
    query: pageQuery(),
    answer: pageOf("successors", Successor, SUCCESSOR_EXAMPLE, "A page of successors."),
    problems: ["NOT_FOUND"],
    handle: ({ params: { modelKey }, query, caller: { userKey } }) => {
      const line = found("model", findLine(database, userKey, modelKey));
      const successors = listSuccessors(database, userKey, line.first.key, query);
      return pageAnswer("successors", successors, query, (row) => showSuccessor(row, services, null));
    },
  });
}

function getRoute(services: Services): Route {
  const { database } = services;
  return route({
    method: "GET",
    path: "/api/v1/successors/{successorKey}",
    operationId: "getSuccessor",
    tag: "Models",
    summary: "Look at a successor, or poll it",
    description: "Poll until the status is COMPLETED, FAILED or CANCELLED, as often as `nextPollAfterSeconds` says.",
    decisions: DECISIONS,
    scopes: ["read", "predict"],
    answer: {
      status: 200,
      description: "The successor.",
      schema: Successor,
      example: SUCCESSOR_EXAMPLE,
      headers: RETRY_AFTER,
    },
    problems: ["NOT_FOUND"],
    handle: ({ params: { successorKey }, caller: { userKey }, headers }) => {
      const row = found("successor", findOwnedSuccessor(database, userKey, successorKey));
      return showSuccessor(row, services, headers);
    },
  });
}

function deleteRoute(services: Services): Route {
  const { database, now, state, stopFlow } = services;
  return route({
    method: "DELETE",
    path: "/api/v1/successors/{successorKey}",
    operationId: "deleteSuccessor",
    tag: "Models",
    summary: "Delete a successor, or end it",
    description:
      "One that is under way ends, its training too. " +
      "The dataset and the model that it made stay, and hold what they learned: delete them as others. " +
      "Deleting again succeeds.",
    decisions: DECISIONS,
    answer: { status: 204, description: "The successor is gone." },
    problems: ["NOT_FOUND"],
    handle: async (call) => {
      const { successorKey } = call.params;
      const { userKey } = call.caller;
      const done = audited(
        services,
        call,
        () => {
          const outcome = deleteSuccessor(database, userKey, successorKey, now());
          if (outcome === "NOT_FOUND" || outcome.removed?.status !== "TRAINING") return outcome;
          cancelTrainingJob(database, userKey, outcome.removed.trainingJobKey!, now());
          return outcome;
        },
        (outcome) => {
          const isRemoved = outcome !== "NOT_FOUND" && outcome.removed !== null;
          return isRemoved ? { action: "SUCCESSOR_DELETED", objectKey: successorKey } : null;
        },
      );
      if (done === "NOT_FOUND") throw noSuch("successor");
      const removed = done.removed as Row | null;
      if (removed?.trainingJobKey != null) stopFlow(removed.trainingJobKey);
      if (removed?.keptPath != null) await rm(state.locate(removed.keptPath), { force: true });
      return undefined;
    },
  });
}

/** @throws ApiError FILE_REMOVED, DATASET_NOT_READY */
function trainedOn(dataset: Dataset | null): Dataset {
  if (dataset?.filePath == null) {
    const detail = "The dataset that the champion was trained on is deleted, so nothing can join its rows.";
    throw new ApiError("FILE_REMOVED", detail);
  }
  if (dataset.status === "COMPLETED") return dataset;
  throw new ApiError("DATASET_NOT_READY", `The champion's dataset is ${dataset.status}; its file cannot be used now.`);
}

/** @throws ApiError VALIDATION_FAILED where the paired test does not say what the rule would take it to say */
function requireTestable({ groupColumn, timeColumn }: TrainingJob): void {
  if (groupColumn === null && timeColumn === null) return;
  const reason =
    "The champion was judged by groups or by time: such rows are wrong together, so the test would call too often.";
  throw wrongField("promote", "NOT_APPLICABLE", `${reason} Promote it by hand.`);
}
