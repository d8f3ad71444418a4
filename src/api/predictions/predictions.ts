// Predictions: list, poll, delete (contract 4.6).

import { rm } from "node:fs/promises";
import { Type } from "@sinclair/typebox";
import { statePaths } from "../../../data/files/state-folder.ts";
import { findOwnedModel } from "../../../data/models.ts";
import { type PredictionOutcomes, removeOutcomes } from "../../../data/outcomes.ts";
import { deletePrediction, listPredictions } from "../../../data/predictions.ts";
import { pageAnswer, pageOf, pageQuery } from "../../http/paging.ts";
import { noSuch } from "../../http/problem.ts";
import { Key, named, orNull, shown, WaitingReason } from "../../http/schemas.ts";
import { type Route, route } from "../../routing/route.ts";
import { audited } from "../audited.ts";
import { NextPoll, nextPoll, RETRY_AFTER, secondsSince } from "../polling.ts";
import type { Services } from "../services.ts";
import { PredictionStatus } from "../statuses.ts";
import { FileName, listedPrediction, PREDICTION_EXAMPLE, predictionOf, ResultFileName } from "./prediction-files.ts";

const Progress = Type.Object({
  status: PredictionStatus,
  nextPollAfterSeconds: NextPoll("The prediction has ended then."),
  waitingReason: WaitingReason,
});

export const PredictionItem = Type.Object({
  predictionKey: Key,
  modelKey: Key,
  datasetKey: Key,
  fileName: FileName,
  resultFileName: ResultFileName,
  status: PredictionStatus,
  predictionResultUrl: orNull(
    Type.String({
      description: "Address of the result CSV; null until COMPLETED, and after its removal.",
      "x-decision": "D21",
    }),
  ),
});

named({ PredictionProgress: Progress, PredictionItem });

export function predictionRoutes(services: Services): Route[] {
  return [listRoute(services), progressRoute(services), deleteRoute(services)];
}

function listRoute({ database }: Services): Route {
  return route({
    method: "GET",
    path: "/api/v1/predictions/models/{modelKey}",
    operationId: "listPredictions",
    tag: "Predictions",
    summary: "List the predictions of a model",
    description: "Newest first. The predictions of a deleted model are still listed.",
    decisions: ["D21", "D24", "D31"],
    scopes: ["read", "predict"],
    query: pageQuery(),
    answer: pageOf("predictions", PredictionItem, PREDICTION_EXAMPLE, "A page of predictions."),
    problems: ["NOT_FOUND"],
    handle: ({ params: { modelKey }, query, caller: { userKey }, url }) => {
      const predictions = listPredictions(database, userKey, query, modelKey);
      if (predictions.total === 0 && findOwnedModel(database, userKey, modelKey) === null) throw noSuch("model");
      return pageAnswer("predictions", predictions, query, (row) => shown(PredictionItem, listedPrediction(row, url)));
    },
  });
}

function progressRoute(services: Services): Route {
  const { now, waitingReason } = services;
  return route({
    method: "GET",
    path: "/api/v1/predictions/{predictionKey}/progress",
    operationId: "getPredictionProgress",
    tag: "Predictions",
    summary: "Poll a prediction",
    description:
      "Poll until the status is COMPLETED, FAILED or TIMEOUT, as often as `nextPollAfterSeconds` says; " +
      "the prediction itself says why it failed.",
    decisions: ["D10", "D31", "D35"],
    scopes: ["read", "predict"],
    answer: {
      status: 200,
      description: "The prediction's status.",
      schema: Progress,
      example: { status: "RUNNING", nextPollAfterSeconds: 1 },
      headers: RETRY_AFTER,
    },
    problems: ["NOT_FOUND"],
    handle: (call) => {
      const prediction = predictionOf(call, services);
      const { key, status, startedOn, createdOn } = prediction;
      const isWaiting = status === "PENDING" || status === "RUNNING";
      const workSeconds = isWaiting ? secondsSince(startedOn ?? createdOn, now()) : null;
      const nextPollAfterSeconds = nextPoll(call.headers, workSeconds);
      return shown(Progress, { ...prediction, nextPollAfterSeconds, waitingReason: waitingReason(key) });
    },
  });
}

function deleteRoute(services: Services): Route {
  const { database, now, state, stopFlow } = services;
  return route({
    method: "DELETE",
    path: "/api/v1/predictions/{predictionKey}",
    operationId: "deletePrediction",
    tag: "Predictions",
    summary: "Delete a prediction, or end it",
    description:
      "Deletes its input, its result and the labels that came later too. " +
      "A waiting one never runs; the work on a running one ends. " +
      "Deleting again succeeds.",
    decisions: ["D10", "D31", "D48"],
    answer: { status: 204, description: "The prediction is gone." },
    problems: ["NOT_FOUND"],
    handle: async (call) => {
      const { predictionKey } = call.params;
      let labels: PredictionOutcomes | null = null;
      const outcome = audited(
        services,
        call,
        () => {
          const done = deletePrediction(database, call.caller.userKey, predictionKey, now());
          labels = done === "DELETED" ? removeOutcomes(database, predictionKey, now()) : null;
          return done;
        },
        (done) => (done === "DELETED" ? { action: "PREDICTION_DELETED", objectKey: predictionKey } : null),
      );
      if (outcome === "NOT_FOUND") throw noSuch("prediction");
      stopFlow(predictionKey);
      const labelsPath = (labels as PredictionOutcomes | null)?.path ?? null;
      for (const path of [statePaths.file(predictionKey), statePaths.result(predictionKey), labelsPath]) {
        if (path !== null) await rm(state.locate(path), { force: true });
      }
      return undefined;
    },
  });
}
