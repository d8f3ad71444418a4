// The results of predictions: the record as JSON, the result as CSV.

import { type Static, Type } from "@sinclair/typebox";
import { findOwnedPrediction, type Prediction } from "../../../data/predictions.ts";
import { CONFIDENCE_BINS } from "../../../engine/judging/metrics.ts";
import { FILE_HEADERS, fileAnswer, SPREADSHEET_QUERY } from "../../http/file-answer.ts";
import { resultFileName } from "../../http/file-names.ts";
import { ApiError, found } from "../../http/problem.ts";
import {
  ClassCount,
  Instant,
  Key,
  named,
  orNull,
  shown,
  Version,
  WaitingReason,
  WarningItem,
} from "../../http/schemas.ts";
import { type Call, type Route, route } from "../../routing/route.ts";
import { noteDownload } from "../audited.ts";
import { EXAMPLE_SERVER, EXAMPLES } from "../examples.ts";
import type { Services } from "../services.ts";
import { PredictionStatus } from "../statuses.ts";

export const FileName = orNull(
  Type.String({ description: "The name of the file that was sent; null where it had none.", "x-decision": "D113" }),
);
export const ResultFileName = Type.String({
  description: "The name that the result is downloaded under.",
  "x-decision": "D113",
});

const PredictionRecord = Type.Object({
  predictionKey: Key,
  modelKey: Key,
  datasetKey: Key,
  version: { ...Version, description: "The model's version that it uses." },
  fileName: FileName,
  resultFileName: ResultFileName,
  status: PredictionStatus,
  waitingReason: WaitingReason,
  reasons: Type.Integer({ minimum: 0, description: "Reasons of each row in its result.", "x-decision": "D111" }),
  predictionResultUrl: orNull(
    Type.String({ description: "Address of the result CSV; null until COMPLETED, and after its removal." }),
  ),
  keyColumn: orNull(
    Type.String({
      description: "The column by which labels that come later find their rows; null for the rows' order.",
      "x-decision": "D121",
    }),
  ),
  rowCount: orNull(Type.Integer({ minimum: 0, description: "Rows of the result; null until COMPLETED." })),
  labelCounts: orNull(
    Type.Array(ClassCount, {
      description: "Rows by predicted label; null until COMPLETED.",
      "x-decision": "D68",
    }),
  ),
  confidenceCounts: orNull(
    Type.Array(Type.Integer({ minimum: 0 }), {
      minItems: CONFIDENCE_BINS,
      maxItems: CONFIDENCE_BINS,
      description: "Rows by the confidence of their prediction, in tenths from 0 to 1; null until COMPLETED.",
      "x-decision": "D68",
    }),
  ),
  threshold: orNull(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description:
        "Of two labels, the probability above which the positive one was predicted; " +
        "null for more labels, until COMPLETED, and for predictions of earlier versions.",
      "x-decision": "D109",
    }),
  ),
  warnings: Type.Array(WarningItem),
  errorReason: orNull(Type.String({ description: "Why it is FAILED or TIMEOUT." })),
  createdOn: Instant,
  finishedOn: orNull(Instant),
});

named({ Prediction: PredictionRecord });

export type PredictionRecord = Static<typeof PredictionRecord>;

const KEY = "9a6f7f0e-7d0a-4b5c-8f43-3f1d2c5e6a77";
export const PREDICTION_EXAMPLE = {
  predictionKey: KEY,
  modelKey: EXAMPLES.modelKey,
  datasetKey: EXAMPLES.datasetKey,
  version: 1,
  fileName: "customers.csv",
  resultFileName: "customers-predicted.csv",
  status: "COMPLETED",
  reasons: 0,
  predictionResultUrl: `${EXAMPLE_SERVER}/api/v1/predictions/${KEY}/file`,
  keyColumn: null,
  rowCount: 250,
  labelCounts: [
    { label: "no", count: 214 },
    { label: "yes", count: 36 },
  ],
  confidenceCounts: [0, 0, 0, 0, 0, 9, 14, 22, 61, 144],
  threshold: 0.5,
  warnings: [
    {
      code: "UNSEEN_CATEGORY",
      message:
        'Column "plan": 3 cells have a category that the training file did not have; the first is "Basic" in line 17. ' +
        'The model knows it as "basic".',
      column: "plan",
      count: 3,
    },
  ],
  errorReason: null,
  createdOn: EXAMPLES.createdOn,
  finishedOn: "2027-01-15T09:30:02.000Z",
} as const satisfies Static<typeof PredictionRecord>;

const CSV_DESCRIPTION =
  "The result has the columns of the input, then `prediction`, `confidence` and `probability_<label>` for each " +
  "label, and what `reasons` asked for; one row for each row of the input, in the same order.";

export function predictionFileRoutes(services: Services): Route[] {
  return [
    route({
      method: "GET",
      path: "/api/v1/predictions/{predictionKey}",
      operationId: "getPrediction",
      tag: "Predictions",
      summary: "Look at a prediction, or fetch its result",
      description: `With \`Accept: text/csv\` the answer is the result, once the prediction is COMPLETED. ${CSV_DESCRIPTION}`,
      decisions: ["D10", "D20", "D21", "D22", "D31", "D51", "D56", "D90", "D109"],
      scopes: ["read", "predict"],
      query: SPREADSHEET_QUERY,
      answer: {
        status: 200,
        description: "The prediction, or its result.",
        schema: PredictionRecord,
        example: PREDICTION_EXAMPLE,
        forms: ["application/json", "text/csv"],
        headers: FILE_HEADERS,
      },
      problems: ["NOT_FOUND", "NOT_READY", "FILE_REMOVED", "RANGE_NOT_SATISFIABLE"],
      handle: (call) => {
        call.headers.set("vary", "accept");
        const prediction = predictionOf(call, services);
        if (call.form === "text/csv") return resultAnswer(call, prediction, services);
        const waitingReason = services.waitingReason(prediction.key);
        return shown(PredictionRecord, { ...listedPrediction(prediction, call.url), waitingReason });
      },
    }),
    route({
      method: "GET",
      path: "/api/v1/predictions/{predictionKey}/file",
      operationId: "getPredictionFile",
      tag: "Predictions",
      summary: "Fetch the result of a prediction",
      description: `The file at \`predictionResultUrl\`; takes \`Range\` and \`If-None-Match\`. ${CSV_DESCRIPTION}`,
      decisions: ["D21", "D22", "D31", "D51", "D56"],
      scopes: ["read", "predict"],
      query: SPREADSHEET_QUERY,
      answer: { status: 200, description: "The result.", forms: ["text/csv"], headers: FILE_HEADERS },
      problems: ["NOT_FOUND", "NOT_READY", "FILE_REMOVED", "RANGE_NOT_SATISFIABLE"],
      handle: (call) => resultAnswer(call, predictionOf(call, services), services),
    }),
  ];
}

interface PredictionCall {
  params: { predictionKey: string };
  caller: { userKey: string };
}

/** The caller's prediction that the path names. @throws ApiError NOT_FOUND */
export function predictionOf({ params, caller }: PredictionCall, { database }: Pick<Services, "database">): Prediction {
  return found("prediction", findOwnedPrediction(database, caller.userKey, params.predictionKey));
}

/** `what` follows "only a COMPLETED one". @throws ApiError NOT_READY */
export function requireCompleted({ status }: Prediction, what: string): void {
  if (status === "COMPLETED") return;
  throw new ApiError("NOT_READY", `The prediction is ${status}; only a COMPLETED one ${what}`, {
    errors: [{ field: "status", code: status, message: `The status is ${status}.` }],
  });
}

/** A row with the field names of the schemas. */
export function listedPrediction<Row extends Prediction>(row: Row, url: Call["url"]) {
  const predictionResultUrl = row.resultPath === null ? null : url(`/api/v1/predictions/${row.key}/file`);
  const named = { predictionKey: row.key, reasons: row.reasonCount, resultFileName: resultFileName(row) };
  return { ...row, ...named, predictionResultUrl };
}

async function resultAnswer(
  call: Call<unknown, { spreadsheetSafe: boolean }>,
  prediction: Prediction,
  services: Services,
): Promise<Response> {
  const { key, resultPath, errorReason } = prediction;
  requireCompleted(prediction, errorReason === null ? "has a result." : `has a result. ${errorReason}`);
  if (resultPath === null) {
    throw new ApiError("FILE_REMOVED", "The result is removed: this server keeps results for a limited time.");
  }
  // A prediction completes once, so its key identifies the content.
  const fileName = resultFileName(prediction);
  const about = {
    contentType: "text/csv; charset=utf-8",
    fileName,
    etag: key,
    spreadsheetSafe: call.query.spreadsheetSafe,
  };
  const answer = await fileAnswer(services.state.locate(resultPath), about, call.request);
  return noteDownload(services, call, answer, "PREDICTION_FILE_DOWNLOADED", key, null);
}
