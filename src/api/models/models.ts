// Models: list those of a dataset, get one with its versions, delete one (contract 4.5).

import { rm } from "node:fs/promises";
import { type Static, Type } from "@sinclair/typebox";
import { findOwnedDataset } from "../../../data/datasets.ts";
import { statePaths } from "../../../data/files/state-folder.ts";
import {
  deleteModel,
  findOwnedModel,
  listModels,
  type ModelListItem as StoredItem,
  type ModelDetail as StoredModel,
  type ModelVersion as StoredVersion,
} from "../../../data/models.ts";
import { pageAnswer, pageOf, pageQuery } from "../../http/paging.ts";
import { ApiError, found, noSuch } from "../../http/problem.ts";
import { Instant, Key, named, orNull, shown, Version } from "../../http/schemas.ts";
import { type Route, route } from "../../routing/route.ts";
import { audited } from "../audited.ts";
import { EXAMPLES } from "../examples.ts";
import type { Services } from "../services.ts";
import { VERDICT_EXAMPLE, Verdict } from "../verdict.ts";
import { WATCH_STATE } from "./watch-state.ts";

const Share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

const Performances = {
  achievedPerformance: Share("The figure compared with the target: `testPerformance`."),
  trainingPerformance: Share("Accuracy on the 80% used for training."),
  testPerformance: Share("Accuracy on the 20% held out."),
};

const Name = orNull(Type.String({ description: "What its user calls it; null for nothing.", "x-decision": "D113" }));
const NAMED = { name: Name, note: orNull(Type.String({ "x-decision": "D113" })) };

export const ModelItem = Type.Object({
  modelKey: Key,
  version: Version,
  name: Name,
  ...Performances,
  createdOn: Instant,
});

named({ ModelItem });

const ModelVersion = Type.Object({
  version: Version,
  ...NAMED,
  algorithm: Type.String(),
  ...Performances,
  falseDecisions: Type.Integer({ minimum: 0, description: "Wrong decisions on the held-out rows." }),
  confirmedPerformance: orNull(
    Type.Object(
      { mean: Share("Accuracy."), low: Share("Of its 95% interval."), high: Share("Of its 95% interval.") },
      {
        description:
          "The honest figure: accuracy of the same settings on two further fifths of the " +
          "rows, up to 2,000 rows on the four tenths of these.",
        "x-decision": "D47",
      },
    ),
  ),
  champion: Type.Boolean({ description: "True for the one version that predictions run against." }),
});

named({ ModelVersion });

export const ModelDetail = Type.Object({
  modelKey: Key,
  version: { ...Version, description: "The champion's." },
  ...NAMED,
  datasetKey: Key,
  trainingJobKey: Key,
  achievedPerformance: Share("The champion's."),
  createdOn: Instant,
  versions: Type.Array(ModelVersion, { description: "Best first." }),
  verdict: Verdict("Null for models of earlier versions."),
  watchState: { ...orNull(WATCH_STATE), description: "The champion's, as it was last judged; null where it was not." },
});
named({ Model: ModelDetail });
export type ModelDetail = Static<typeof ModelDetail>;

export const MODEL_EXAMPLE = {
  modelKey: EXAMPLES.modelKey,
  version: 1,
  name: "churn, spring",
  note: "Without the columns of the survey.",
  datasetKey: EXAMPLES.datasetKey,
  trainingJobKey: EXAMPLES.trainingJobKey,
  achievedPerformance: 0.914,
  createdOn: EXAMPLES.createdOn,
  versions: [
    {
      version: 1,
      name: null,
      note: null,
      algorithm: "extra-trees",
      achievedPerformance: 0.914,
      trainingPerformance: 0.958,
      testPerformance: 0.914,
      falseDecisions: 86,
      confirmedPerformance: { mean: 0.909, low: 0.895, high: 0.921 },
      champion: true,
    },
  ],
  verdict: VERDICT_EXAMPLE,
  watchState: "STEADY" as const,
} satisfies Static<typeof ModelDetail>;

export const MODEL_ITEM_EXAMPLE = { ...MODEL_EXAMPLE.versions[0]!, ...MODEL_EXAMPLE };

export function modelRoutes(services: Services): Route[] {
  return [listRoute(services), getRoute(services), deleteRoute(services)];
}

function listRoute({ database }: Services): Route {
  return route({
    method: "GET",
    path: "/api/v1/models/datasets/{datasetKey}",
    operationId: "listModels",
    tag: "Models",
    summary: "List the models of a dataset",
    description:
      "Newest first, each with the figures of its champion. The models of a deleted dataset are still listed.",
    decisions: ["D24", "D31", "D41"],
    scopes: ["read", "predict"],
    query: pageQuery(),
    answer: pageOf("models", ModelItem, MODEL_ITEM_EXAMPLE, "A page of models."),
    problems: ["NOT_FOUND"],
    handle: ({ params: { datasetKey }, query, caller: { userKey } }) => {
      const models = listModels(database, userKey, query, datasetKey);
      if (models.total === 0 && findOwnedDataset(database, userKey, datasetKey) === null) throw noSuch("dataset");
      return pageAnswer("models", models, query, (row) => shown(ModelItem, listedModel(row)));
    },
  });
}

function getRoute({ database }: Services): Route {
  return route({
    method: "GET",
    path: "/api/v1/models/{modelKey}",
    operationId: "getModel",
    tag: "Models",
    summary: "Look at a model and its versions",
    description:
      "A training job keeps its best three attempts, fewer if some decided alike. Performances are those of " +
      "models fitted on 80% of the rows; the versions themselves were then fitted on all rows.",
    decisions: ["D03", "D31", "D41", "D46", "D47", "D96"],
    scopes: ["read", "predict"],
    answer: { status: 200, description: "The model.", schema: ModelDetail, example: MODEL_EXAMPLE },
    problems: ["NOT_FOUND"],
    handle: ({ params: { modelKey }, caller: { userKey } }) => {
      const detail = found("model", findOwnedModel(database, userKey, modelKey));
      return showModel(detail);
    },
  });
}

function deleteRoute(services: Services): Route {
  const { database, now, state } = services;
  return route({
    method: "DELETE",
    path: "/api/v1/models/{modelKey}",
    operationId: "deleteModel",
    tag: "Models",
    summary: "Delete a model",
    description:
      "Deletes all versions and their files. The training job and the predictions made with it stay. Deleting again " +
      "succeeds. A model that answers at another's address, or at whose address another one answers, is refused: " +
      "promote another model of the line first.",
    decisions: ["D31", "D48", "D129"],
    answer: { status: 204, description: "The model is gone." },
    problems: ["NOT_FOUND", "IN_USE"],
    handle: async (call) => {
      const { modelKey } = call.params;
      const outcome = audited(
        services,
        call,
        () => deleteModel(database, call.caller.userKey, modelKey, now()),
        (done) => (done === "DELETED" ? { action: "MODEL_DELETED", objectKey: modelKey } : null),
      );
      if (outcome === "NOT_FOUND") throw noSuch("model");
      if (outcome === "IN_USE") {
        const detail = "A prediction or a successor waits for this model or runs with it; wait until it has ended.";
        throw new ApiError("IN_USE", detail);
      }
      if (outcome === "ANSWERS") {
        throw new ApiError("IN_USE", "It answers at the address of its line's first model; promote another one first.");
      }
      if (outcome === "ANSWERED") {
        throw new ApiError(
          "IN_USE",
          "Another model answers at its address, which programs may call and which would be gone. To delete it, first " +
            `let it answer itself again: on its Health page, or by POST /api/v1/models/${modelKey}/promote.`,
        );
      }
      await rm(state.locate(statePaths.modelFolder(modelKey)), { recursive: true, force: true });
      return undefined;
    },
  });
}

/** The version that new predictions use. */
export function championOf({ model, versions }: StoredModel): StoredVersion {
  return versions.find(({ version }) => version === model.championVersion)!;
}

export function showModel(detail: StoredModel): Static<typeof ModelDetail> {
  const { model, versions, verdict, watchState } = detail;
  return shown(ModelDetail, {
    ...model,
    ...{ verdict, watchState },
    modelKey: model.key,
    version: model.championVersion,
    achievedPerformance: championOf(detail).achievedPerformance,
    versions: versions.map((row) => ({ ...row, champion: row.version === model.championVersion })),
  });
}

/** A row with the field names of the schemas. */
export function listedModel<Row extends StoredItem>(row: Row) {
  return { ...row, modelKey: row.key, version: row.championVersion };
}
