// The files of a model: its versions, and the summary and report of the run that made them.

import type { Database } from "../../../data/database/database.ts";
import { type StateFolder, statePaths } from "../../../data/files/state-folder.ts";
import { findOwnedModel, type ModelVersion } from "../../../data/models.ts";
import { FILE_HEADERS, fileAnswer, isKnown } from "../../http/file-answer.ts";
import { ApiError, found } from "../../http/problem.ts";
import { oneOf, Version } from "../../http/schemas.ts";
import { modelChecksum } from "../../jobs/prediction-file.ts";
import { type Route, route } from "../../routing/route.ts";
import type { RunSummary } from "../../summary/summary.ts";
import { noteDownload } from "../audited.ts";
import type { ModelExports, Services } from "../services.ts";

/** For `params` of a route of a version. */
export const VersionParam = { ...Version, description: "A version that the training job kept." };

/** The page's own policy, which admits its style sheet by hash; the server's would hide the styles. */
const POLICY = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/;

export function modelFileRoutes(services: Services): Route[] {
  return [reportRoute(services), summaryRoute(services), fileRoute(services)];
}

function reportRoute(services: Services): Route {
  const { database, state } = services;
  return route({
    method: "GET",
    path: "/api/v1/models/{modelKey}/versions/{version}/report",
    params: { version: VersionParam },
    operationId: "getModelReport",
    tag: "Models",
    summary: "The report of the run that made a version",
    description: "One self-contained page: the competition, the versions, the columns and the evidence.",
    decisions: ["D31"],
    scopes: ["read", "predict"],
    answer: { status: 200, description: "The report.", forms: ["text/html"] },
    problems: ["NOT_FOUND"],
    handle: async (call) => {
      const { modelKey, version } = call.params;
      findVersion(database, call.caller.userKey, modelKey, version);
      const file = Bun.file(state.locate(statePaths.modelReport(modelKey)));
      if (!(await file.exists())) throw new ApiError("NOT_FOUND", "This model has no report.");
      const answer = reportAnswer(await file.text());
      return noteDownload(services, call, answer, "MODEL_REPORT_DOWNLOADED", modelKey, `v${version}`);
    },
  });
}

function summaryRoute({ database, state }: Services): Route {
  return route({
    method: "GET",
    path: "/api/v1/models/{modelKey}/summary",
    operationId: "getModelSummary",
    tag: "Models",
    summary: "The summary of the run that made a model",
    description:
      "What `cupel run` writes as `summary.json`: every figure of the report, for programs. " +
      "Later versions of the program may add fields. It tells of the training and never changes.",
    decisions: ["D119"],
    scopes: ["read", "predict"],
    answer: { status: 200, description: "The summary.", forms: ["application/json"] },
    problems: ["NOT_FOUND"],
    handle: async ({ params: { modelKey }, caller: { userKey } }) => {
      found("model", findOwnedModel(database, userKey, modelKey));
      const file = Bun.file(state.locate(statePaths.modelSummary(modelKey)));
      if (!(await file.exists())) throw noSummary();
      return new Response(await file.text(), { headers: { "content-type": "application/json; charset=utf-8" } });
    },
  });
}

function fileRoute(services: Services): Route {
  const { database, state } = services;
  return route({
    method: "GET",
    path: "/api/v1/models/{modelKey}/versions/{version}/file",
    params: { version: VersionParam },
    operationId: "getModelFile",
    tag: "Models",
    summary: "The model file of a version",
    description:
      "For `cupel predict` on another machine: the fitted model with its cut points, labels and lineage. " +
      "The [format](docs/model-format) is a contract. Takes `Range` and `If-None-Match`. " +
      "With `format=onnx` the model for ONNX runtimes, which is made for each request and always sent whole: " +
      "one input for each column, outputs `label` and `probabilities`.",
    decisions: ["D31", "D36", "D46", "D102", "D109"],
    scopes: ["read", "predict"],
    query: {
      format: oneOf(["cupel", "onnx"], { default: "cupel", description: "The form of the file." }),
      onnxMl: oneOf([2, 5], {
        default: 2,
        description:
          "With `format=onnx`: version of the operators for trees. " +
          "2 is known to runtimes from 2022 on, 5 to those of 2025, " +
          "and makes large forests less than half as large.",
      }),
    },
    answer: {
      status: 200,
      description: "A .cupel or .onnx file.",
      forms: ["application/octet-stream"],
      headers: FILE_HEADERS,
    },
    problems: ["NOT_FOUND", "RANGE_NOT_SATISFIABLE", "NOT_EXPORTABLE", "MEMORY_BUDGET", "BUSY", "UNAVAILABLE"],
    handle: async (call) => {
      const { modelKey, version } = call.params;
      const { format, onnxMl } = call.query;
      const { filePath } = findVersion(database, call.caller.userKey, modelKey, version);
      const name = `${modelKey}-v${version}`;
      const path = state.locate(filePath);
      // The threshold may change, and nothing else: the checksum identifies the version of the file.
      const etag = `${name}-${modelChecksum(path)}`;
      const isOnnx = format === "onnx";
      const about = { contentType: "application/octet-stream", fileName: `${name}.cupel`, etag };
      const onnxTag = `"${etag}-onnx${onnxMl}-${services.version}"`;
      const answer = isOnnx
        ? await onnxAnswer(call.request, `${name}.onnx`, onnxTag, () => services.modelExports.onnx(path, onnxMl))
        : await fileAnswer(path, about, call.request);
      const detail = isOnnx ? `v${version} as ONNX` : `v${version}`;
      return noteDownload(services, call, answer, "MODEL_FILE_DOWNLOADED", modelKey, detail);
    },
  });
}

export function findVersion(database: Database, userKey: string, modelKey: string, version: number): ModelVersion {
  const { versions } = found("model", findOwnedModel(database, userKey, modelKey));
  const kept = versions.find((known) => known.version === version);
  if (kept === undefined) throw new ApiError("NOT_FOUND", `This model has no version ${version}.`);
  return kept;
}

/** Null for a model of which only figures are kept. */
export async function findSummary(state: StateFolder, modelKey: string): Promise<RunSummary | null> {
  const file = Bun.file(state.locate(statePaths.modelSummary(modelKey)));
  return (await file.exists()) ? file.json() : null;
}

export function noSummary(): ApiError {
  return new ApiError("NOT_FOUND", "This model has no summary: only its figures are kept.");
}

/** One program always makes the same bytes of a version, so a client that has them gets 304. */
async function onnxAnswer(
  request: Request,
  fileName: string,
  etag: string,
  make: () => ReturnType<ModelExports["onnx"]>,
) {
  const headers = { etag, "cache-control": "private" };
  if (isKnown(request.headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers });
  const { sizeBytes, body } = await make();
  return new Response(body, {
    headers: {
      ...headers,
      "content-type": "application/octet-stream",
      "content-disposition": `attachment; filename="${fileName}"`,
      "content-length": String(sizeBytes),
      "accept-ranges": "none",
    },
  });
}

function reportAnswer(page: string): Response {
  const policy = POLICY.exec(page)?.[1] ?? "default-src 'none'";
  return new Response(page, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": `${policy}; frame-ancestors 'none'`,
    },
  });
}
