// The threshold of a version: above which probability the positive label of two is predicted (D109).
import { statSync } from "node:fs";
import { type Static, Type } from "@sinclair/typebox";
import { findOwnedModel } from "../../../data/models.ts";
import { noSuch, wrongField } from "../../http/problem.ts";
import { Count, Key, named, orNull, Share, Version } from "../../http/schemas.ts";
import { modelThreshold } from "../../jobs/prediction-file.ts";
import { storeThreshold } from "../../jobs/stored-threshold.ts";
import { type Route, route } from "../../routing/route.ts";
import { audited } from "../audited.ts";
import { EXAMPLES } from "../examples.ts";
import type { Services } from "../services.ts";
import { findVersion, VersionParam } from "./model-files.ts";

const THRESHOLD = {
  positiveLabel: Type.String({ description: "The label that the threshold is for." }),
  threshold: {
    ...Share,
    description: "Above this probability the positive label is predicted; 0.5: the most probable one.",
  },
  trainedThreshold: { ...Share, description: "The threshold that the training found." },
};

/** The decision rule of a version. */
export const DECISIONS = {
  classWeights: orNull(
    Type.Array(Type.Number(), {
      description:
        "What the training found that each label's probability is multiplied by before the largest decides; " +
        "null for nothing.",
    }),
  ),
  threshold: orNull({
    ...Share,
    description: "Of two labels, the probability above which the positive one is predicted.",
  }),
  trainedThreshold: orNull({ ...Share, description: "The same as the training found it." }),
  thresholds: orNull(
    Type.Object(
      {
        thresholds: Type.Array(Share, { description: "Ascending." }),
        hits: Type.Array(Count, { description: "Rows of the positive label with a probability above the threshold." }),
        falseAlarms: Type.Array(Count, { description: "Such rows of the other label." }),
        rocArea: orNull(Share),
        averagePrecision: orNull({ ...Share, description: "Null for models of earlier versions too." }),
      },
      {
        description:
          "Of two labels, what thresholds would decide on the holdout; " +
          "null for more, and for models of earlier versions.",
        "x-decision": "D109",
      },
    ),
  ),
};

const SetThreshold = Type.Object({ modelKey: Key, version: Version, ...THRESHOLD });
named({ VersionThreshold: SetThreshold });

export type SetThreshold = Static<typeof SetThreshold>;

export function modelThresholdRoutes(services: Services): Route[] {
  const { database, state, quotas } = services;
  const changing = new Turns();
  return [
    route({
      method: "PUT",
      path: "/api/v1/models/{modelKey}/versions/{version}/threshold",
      params: { version: VersionParam },
      operationId: "setThreshold",
      tag: "Models",
      summary: "Choose the threshold of a version of two labels",
      description:
        "From now on predictions, rows and downloads of this version predict the positive label above this " +
        "probability. Predictions that are done stay as they are, and say what they were made with. " +
        "Null goes back to the training's own threshold.",
      decisions: ["D31", "D39", "D109"],
      body: Type.Object({ threshold: orNull(Share) }),
      bodyExample: { threshold: 0.17 },
      answer: {
        status: 200,
        description: "How the version decides now.",
        schema: SetThreshold,
        example: {
          modelKey: EXAMPLES.modelKey,
          version: 1,
          positiveLabel: "yes",
          threshold: 0.17,
          trainedThreshold: 0.5,
        },
      },
      problems: ["NOT_FOUND"],
      handle: async (call) => {
        const { modelKey, version } = call.params;
        const { userKey } = call.caller;
        const { threshold } = call.body;
        const path = state.locate(findVersion(database, userKey, modelKey, version).filePath);
        requireTwoLabels(path);
        const event = {
          action: "THRESHOLD_CHANGED",
          objectKey: modelKey,
          detail: `v${version} ${threshold ?? "as trained"}`,
        } as const;
        // Only the head differs, by some ten bytes: the stored size of the model stays.
        const release = quotas.hold(userKey, statSync(path).size);
        const note = () => {
          audited(
            services,
            call,
            () => null,
            () => event,
          );
        };
        try {
          await changing.next(path, () => storeThreshold(path, threshold, note));
          return { modelKey, version, ...modelThreshold(path)! };
        } catch (error) {
          if (findOwnedModel(database, userKey, modelKey) === null) throw noSuch("model");
          throw error;
        } finally {
          release();
        }
      },
    }),
  ];
}

/** Changes of one file wait for each other: each begins with the result of the one before. */
class Turns {
  private readonly last = new Map<string, Promise<void>>();

  async next(path: string, change: () => Promise<void>): Promise<void> {
    const changed = (this.last.get(path) ?? Promise.resolve()).then(change);
    const settled = changed.catch(() => undefined);
    this.last.set(path, settled);
    await changed.finally(() => {
      if (this.last.get(path) === settled) this.last.delete(path);
    });
  }
}

/** @throws ApiError VALIDATION_FAILED */
function requireTwoLabels(path: string): void {
  if (modelThreshold(path) !== null) return;
  throw wrongField("threshold", "NOT_APPLICABLE", "A threshold is for two labels; this model has more.");
}
