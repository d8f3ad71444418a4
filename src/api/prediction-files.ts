// The results of predictions: the record as JSON, the result as CSV.
import { type Static, Type } from "@sinclair/typebox";
import type { Database } from "../../data/database.ts";
import { findOwnedPrediction, type Prediction } from "../../data/predictions.ts";
import type { StateFolder } from "../../data/state-folder.ts";
import { FILE_HEADERS, fileAnswer } from "./file-answer.ts";
import { noSuch } from "./no-such.ts";
import { ApiError } from "./problem.ts";
import { type Call, type Route, route } from "./route.ts";
import { Instant, Key, oneOf, orNull } from "./schemas.ts";
import { WarningItem } from "./warning-items.ts";

export interface PredictionFileServices {
  database: Database;
  state: StateFolder;
}

export const PREDICTION_STATUSES = ["PENDING", "RUNNING", "COMPLETED", "FAILED", "TIMEOUT"] as const;

const PredictionRecord = Type.Object({
  predictionKey: Key,
  modelKey: Key,
  datasetKey: Key,
  version: Type.Integer({ minimum: 1, maximum: 3, description: "The model's version that it runs against." }),
  status: oneOf(PREDICTION_STATUSES),
  predictionResultUrl: orNull(Type.String({ description: "Of the result CSV; null until COMPLETED." })),
  rowCount: orNull(Type.Integer({ minimum: 0, description: "Rows of the result; null until COMPLETED." })),
  warnings: Type.Array(WarningItem),
  errorReason: orNull(Type.String({ description: "Why it is FAILED or TIMEOUT." })),
  createdOn: Instant,
  finishedOn: orNull(Instant),
});

const KEY = "9a6f7f0e-7d0a-4b5c-8f43-3f1d2c5e6a77";
export const PREDICTION_EXAMPLE = {
  predictionKey: KEY,
  modelKey: "c3b7d7a0-2f7f-4a2e-9c5d-9d0a3e1b4c55",
  datasetKey: "0d5c1a52-6a0f-4c57-8a3b-5f2f9f7f1f10",
  version: 1,
  status: "COMPLETED",
  predictionResultUrl: `https://cupel.example.org/api/v1/predictions/${KEY}/file`,
  rowCount: 250,
  warnings: [
    {
      code: "UNSEEN_CATEGORY",
      message: 'Column "plan": 3 cells have a category that the training file did not have.',
      column: "plan",
      count: 3,
    },
  ],
  errorReason: null,
  createdOn: "2027-01-15T09:30:00.000Z",
  finishedOn: "2027-01-15T09:30:02.000Z",
} as const satisfies Static<typeof PredictionRecord>;

const CSV_DESCRIPTION =
  "The result has the columns of the file that was sent, then `prediction`, `confidence` and `probability_<label>` for each " +
  "label; one row for each row, in the same order.";

export function predictionFileRoutes({ database, state }: PredictionFileServices): Route[] {
  return [
    route({
      method: "GET",
      path: "/api/v1/predictions/{predictionKey}",
      operationId: "getPrediction",
      tag: "Predictions",
      summary: "Look at a prediction, or fetch its result",
      description: `With \`Accept: text/csv\` the answer is the result, which is there once the prediction is COMPLETED. ${CSV_DESCRIPTION}`,
      decisions: ["D10", "D20", "D21", "D22", "D31"],
      scopes: ["read", "predict"],
      answer: {
        status: 200,
        description: "The prediction, or its result.",
        schema: PredictionRecord,
        example: PREDICTION_EXAMPLE,
        forms: ["application/json", "text/csv"],
        headers: FILE_HEADERS,
      },
      problems: ["NOT_FOUND", "NOT_READY", "RANGE_NOT_SATISFIABLE"],
      handle: ({ params: { predictionKey }, caller: { userKey }, request, form, headers, url }) => {
        headers.set("vary", "accept");
        const prediction = findOwnedPrediction(database, userKey, predictionKey);
        if (prediction === null) throw noSuch("prediction");
        if (form === "text/csv") return resultAnswer(request, prediction, state);
        return showRecord(prediction, url);
      },
    }),
    route({
      method: "GET",
      path: "/api/v1/predictions/{predictionKey}/file",
      operationId: "getPredictionFile",
      tag: "Predictions",
      summary: "Fetch the result of a prediction",
      description: `What \`predictionResultUrl\` names; takes \`Range\` and \`If-None-Match\`. ${CSV_DESCRIPTION}`,
      decisions: ["D21", "D22", "D31"],
      scopes: ["read", "predict"],
      answer: { status: 200, description: "The result.", forms: ["text/csv"], headers: FILE_HEADERS },
      problems: ["NOT_FOUND", "NOT_READY", "RANGE_NOT_SATISFIABLE"],
      handle: ({ params: { predictionKey }, caller: { userKey }, request }) => {
        const prediction = findOwnedPrediction(database, userKey, predictionKey);
        if (prediction === null) throw noSuch("prediction");
        return resultAnswer(request, prediction, state);
      },
    }),
  ];
}

/** Null until there is a result. */
export function predictionResultUrl({ key, status }: Prediction, url: Call<unknown, unknown, unknown, unknown>["url"]) {
  return status === "COMPLETED" ? url(`/api/v1/predictions/${key}/file`) : null;
}

function resultAnswer(request: Request, { key, status, resultPath, errorReason }: Prediction, state: StateFolder) {
  if (status !== "COMPLETED" || resultPath === null) {
    const why = errorReason === null ? "" : ` ${errorReason}`;
    throw new ApiError("NOT_READY", `The prediction is ${status}; only a COMPLETED one has a result.${why}`, {
      errors: [{ field: "status", code: status, message: `The status is ${status}.` }],
    });
  }
  // A prediction is completed once, so its key names the content.
  const about = { contentType: "text/csv; charset=utf-8", fileName: `prediction-${key}.csv`, etag: key };
  return fileAnswer(state.locate(resultPath), about, request);
}

function showRecord(
  prediction: Prediction,
  url: Call<unknown, unknown, unknown, unknown>["url"],
): Static<typeof PredictionRecord> {
  const { key, modelKey, datasetKey, version, status, rowCount, warnings, errorReason, createdOn, finishedOn } =
    prediction;
  return {
    predictionKey: key,
    modelKey,
    datasetKey,
    version,
    status,
    predictionResultUrl: predictionResultUrl(prediction, url),
    rowCount,
    warnings: [...warnings],
    errorReason,
    createdOn,
    finishedOn,
  };
}
