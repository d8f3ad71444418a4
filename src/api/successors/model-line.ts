// The line of a model (D129): which model answers at its address, moved by a person,
// and back; and the shadow that decides beside it (D130).

import { type Static, Type } from "@sinclair/typebox";
import { findLine, type ModelLine as Line, promoteModel, setShadow } from "../../../data/model-lines.ts";
import { findOwnedModel } from "../../../data/models.ts";
import { listLabelledPredictions } from "../../../data/outcomes.ts";
import { successorOfModel } from "../../../data/successors.ts";
import { judgedCount } from "../../../engine/outcomes/outcomes.ts";
import { found, noSuch, wrongField } from "../../http/problem.ts";
import { countOf, Instant, Key, named, orNull, shown, Version } from "../../http/schemas.ts";
import { type Route, route } from "../../routing/route.ts";
import { audited } from "../audited.ts";
import { EXAMPLES } from "../examples.ts";
import { championOf } from "../models/models.ts";
import type { Services } from "../services.ts";

const ModelLine = Type.Object({
  firstModelKey: { ...Key, description: "What is asked of this model, the line answers." },
  answeringModelKey: { ...Key, description: "The one that answers there." },
  shadowModelKey: orNull(
    Type.String({
      format: "uuid",
      description: "Decides the rows that are sent to the line's address as JSON too, without answering.",
      "x-decision": "D130",
    }),
  ),
  labelledPredictions: countOf(
    "Predictions of the line whose rows and labels are kept: what a successor may learn from.",
  ),
  labelledRows: countOf("Their rows that have a label, learned from or not."),
  models: Type.Array(
    Type.Object({
      modelKey: Key,
      name: orNull(Type.String()),
      version: { ...Version, description: "Its champion." },
      testPerformance: Type.Number(),
      createdOn: Instant,
      datasetKey: Key,
      successorKey: orNull(Type.String({ format: "uuid", description: "What made it; null for the first." })),
      isAnswering: Type.Boolean(),
    }),
    { description: "Oldest first; deleted ones are left out." },
  ),
});
named({ ModelLine });
export type ModelLine = Static<typeof ModelLine>;

const EXAMPLE: ModelLine = {
  firstModelKey: EXAMPLES.modelKey,
  answeringModelKey: EXAMPLES.modelKey,
  shadowModelKey: null,
  labelledPredictions: 2,
  labelledRows: 640,
  models: [
    {
      ...{ modelKey: EXAMPLES.modelKey, name: "churn, spring", version: 1, testPerformance: 0.914 },
      ...{ createdOn: EXAMPLES.createdOn, datasetKey: EXAMPLES.datasetKey, successorKey: null, isAnswering: true },
    },
  ],
};
const ANSWER = { status: 200, description: "The line.", schema: ModelLine, example: EXAMPLE } as const;

export function modelLineRoutes(services: Services): Route[] {
  return [lineRoute(services), promoteRoute(services), shadowRoute(services)];
}

function lineRoute(services: Services): Route {
  return route({
    method: "GET",
    path: "/api/v1/models/{modelKey}/line",
    operationId: "getModelLine",
    tag: "Models",
    summary: "Look at a model's line",
    description: "The first model and its successors. A model without successors is a line of its own.",
    decisions: ["D31", "D129"],
    scopes: ["read", "predict"],
    answer: ANSWER,
    problems: ["NOT_FOUND"],
    handle: ({ params: { modelKey }, caller: { userKey } }) =>
      showLine(services, found("model", findLine(services.database, userKey, modelKey))),
  });
}

function promoteRoute(services: Services): Route {
  const { database } = services;
  return route({
    method: "POST",
    path: "/api/v1/models/{modelKey}/promote",
    operationId: "promoteModel",
    tag: "Models",
    summary: "Let a model answer at its line's address",
    description:
      "From now on predictions and rows that are asked of the line's first model are answered by this one, " +
      "with its champion. Promote the earlier one to move back, the first one too. " +
      "Every other model keeps answering at its own address. Idempotent.",
    decisions: ["D31", "D129"],
    answer: ANSWER,
    problems: ["NOT_FOUND"],
    handle: (call) => {
      const { modelKey } = call.params;
      const promoted = audited(
        services,
        call,
        () => promoteModel(database, call.caller.userKey, modelKey),
        (done) => (done?.isMoved ? { action: "MODEL_PROMOTED", objectKey: modelKey, detail: "BY_HAND" } : null),
      );
      return showLine(services, found("model", promoted).line);
    },
  });
}

function shadowRoute(services: Services): Route {
  const { database } = services;
  return route({
    method: "PUT",
    path: "/api/v1/models/{modelKey}/shadow",
    operationId: "setShadow",
    tag: "Models",
    summary: "Let a second model decide the same rows, without answering",
    description:
      "Each row that is sent to the line's address as JSON is decided by the shadow too. " +
      "The answer is the line's alone; both are counted, and how often they agree. " +
      "Requests take about twice as long. Null ends it.",
    decisions: ["D31", "D130"],
    body: Type.Object({
      modelKey: orNull(Type.String({ format: "uuid", description: "One of your models; null for none." })),
    }),
    bodyExample: { modelKey: "4a1c7d20-9b3e-4f7a-8c5d-2e6f1a9b7c33" },
    answer: ANSWER,
    problems: ["NOT_FOUND", "VALIDATION_FAILED"],
    handle: (call) => {
      const { userKey } = call.caller;
      const { modelKey: shadowKey } = call.body;
      const { first } = found("model", findLine(database, userKey, call.params.modelKey));
      if (shadowKey !== null && findOwnedModel(database, userKey, shadowKey) === null) {
        throw wrongField("modelKey", "NOT_FOUND", "There is no such model of yours.");
      }
      const detail = shadowKey ?? "none";
      const isSet = audited(
        services,
        call,
        () => setShadow(database, userKey, first.key, shadowKey),
        (done) => (done ? { action: "SHADOW_CHANGED", objectKey: first.key, detail } : null),
      );
      if (!isSet) throw noSuch("model");
      return showLine(services, findLine(database, userKey, first.key)!);
    },
  });
}

function showLine({ database }: Pick<Services, "database">, { first, answeringKey, models }: Line): ModelLine {
  const labelled = listLabelledPredictions(
    database,
    first.userKey,
    models.map(({ key }) => key),
  );
  return shown(ModelLine, {
    firstModelKey: first.key,
    answeringModelKey: answeringKey,
    shadowModelKey: first.shadowKey,
    labelledPredictions: labelled.length,
    labelledRows: labelled.reduce((sum, { counts }) => sum + judgedCount(counts), 0),
    models: models.map((model) => {
      const detail = findOwnedModel(database, model.userKey, model.key)!;
      return {
        ...{ modelKey: model.key, name: model.name, version: model.championVersion, createdOn: model.createdOn },
        ...{ testPerformance: championOf(detail).testPerformance, datasetKey: model.datasetKey },
        successorKey: successorOfModel(database, model.key)?.key ?? null,
        isAnswering: model.key === answeringKey,
      };
    }),
  });
}
