// The result of a refinement: the decision about every column, and the reduced files (D01, D14).

import { type Static, Type } from "@sinclair/typebox";
import { isRefinementEnd, type RefinementState as State } from "../../../data/database/states.ts";
import {
  findRefinementFile,
  hadRefinementFiles,
  listRefinementFiles,
} from "../../../data/refinements/refinement-files.ts";
import { findOwnedRefinement, findRefinementResult, type Refinement } from "../../../data/refinements/refinements.ts";
import { FILE_HEADERS, fileAnswer, SPREADSHEET_QUERY } from "../../http/file-answer.ts";
import { ApiError, found, noSuch } from "../../http/problem.ts";
import { Key, NumberInterval, named, oneOf, orNull, shareOrNull, shown, WarningItem } from "../../http/schemas.ts";
import { type Route, route } from "../../routing/route.ts";
import { noteDownload } from "../audited.ts";
import { EXAMPLE_SERVER } from "../examples.ts";
import type { Services } from "../services.ts";
import { FileKind } from "../statuses.ts";
import { EXAMPLE_KEY, RefinementState, refinementPath } from "./refinement-state.ts";

const Column = Type.Object({
  name: Type.String(),
  position: Type.Integer({ minimum: 0, description: "In the TRAIN file, from 0." }),
  kind: Type.String({ description: "Such as `number` or `category`." }),
  decision: oneOf(["KEEP", "REMOVE"]),
  reason: Type.String({
    description:
      "Such as `SIGNAL_FOREST`, `DUPLICATE_OF` or `NO_SIGNAL`; " +
      "`KEPT_FOR_JUDGING` for the group and time columns, `LEFT_OUT` for `withoutColumns`.",
  }),
  with: orNull(
    Type.String({
      description: "The column that this one copies or goes with, or by whose difference alone it helps.",
    }),
  ),
  flags: Type.Array(Type.String(), { description: "Such as `TARGET_LEAK_SUSPECT`." }),
  importance: shareOrNull("Share of the gain of the forests; null where not measured."),
  stability: shareOrNull(
    "The highest of three shares: quarters of the rows, rounds and folds in which the " +
      "column stood above the noise; null where not measured.",
  ),
});

named({ ColumnDecision: Column });

const Result = Type.Object({
  featureRefinementKey: Key,
  state: RefinementState,
  partial: Type.Boolean({ description: "True if time ran out: the result is what had been found by then." }),
  reachedTarget: shareOrNull(
    "The target that the refinement reached: accuracy on the kept columns, " +
      "discounted so that trainings on them nearly always reach it. " +
      "It is above the accuracy of the most frequent label; null where that may be as high (D73).",
  ),
  baselineTarget: shareOrNull("The same with all columns."),
  recommendedThreshold: shareOrNull("Equals `reachedTarget`: the `performanceThreshold` for a training."),
  keptAccuracy: orNull(
    Type.Number({
      ...{ minimum: 0, maximum: 1 },
      description: "Accuracy of the best model on the kept columns, on the blind TEST file.",
      "x-decision": "D01",
    }),
  ),
  holdoutEstimate: orNull({
    ...NumberInterval,
    description: "Accuracy on a tenth of TRAIN that was used for nothing else; null below 2,000 rows.",
  }),
  columns: Type.Array(Column, {
    description: "All but the label, in the order of the file. The figures behind each decision are at `…/evidence`.",
  }),
  keptColumns: Type.Array(Type.String()),
  removedColumns: Type.Array(Type.String()),
  files: Type.Array(Type.Object({ kind: FileKind, url: Type.String(), sizeBytes: Type.Integer() })),
  warnings: Type.Array(WarningItem),
});

named({ RefinementResult: Result });

export type RefinementAnswer = Static<typeof Result>;

const EXAMPLE = {
  featureRefinementKey: EXAMPLE_KEY,
  state: "REFINEMENT_COMPLETED",
  partial: false,
  reachedTarget: 0.9051,
  baselineTarget: 0.9004,
  recommendedThreshold: 0.9051,
  keptAccuracy: 0.914,
  holdoutEstimate: { mean: 0.911, low: 0.883, high: 0.933 },
  columns: [
    {
      ...{ name: "tenure", position: 0, kind: "number", decision: "KEEP", reason: "SIGNAL_FOREST", with: null },
      ...{ flags: [], importance: 0.31, stability: 1 },
    },
    {
      ...{ name: "customer_id", position: 1, kind: "identifier", decision: "REMOVE", reason: "ID_LIKE", with: null },
      ...{ flags: [], importance: null, stability: null },
    },
  ],
  keptColumns: ["tenure"],
  removedColumns: ["customer_id"],
  files: [
    {
      kind: "TRAIN",
      url: `${EXAMPLE_SERVER}${refinementPath(EXAMPLE_KEY, "files/TRAIN")}`,
      sizeBytes: 48_211,
    },
  ],
  warnings: [],
} satisfies Static<typeof Result>;

export function refinementResultRoute({ database }: Services): Route {
  return route({
    method: "GET",
    path: "/api/v1/feature-refinery/{featureRefinementKey}/result",
    operationId: "getRefinementResult",
    tag: "Feature refinement",
    summary: "The result of a refinement",
    description:
      "Available once the state is REFINEMENT_COMPLETED; also after a TIMEOUT, with `partial: " +
      "true`, if something usable had been found by then.",
    decisions: ["D01", "D31"],
    answer: { status: 200, description: "The result.", schema: Result, example: EXAMPLE },
    problems: ["NOT_FOUND", "NOT_READY"],
    handle: ({ params: { featureRefinementKey: key }, caller: { userKey }, url }) => {
      const run = found("refinement", findOwnedRefinement(database, userKey, key));
      const result = findRefinementResult(database, userKey, key);
      if (result === null) throw noResult(run.state);
      const reduced = listRefinementFiles(database, key).filter(({ purpose }) => purpose === "RESULT");
      const files = reduced.map((file) => ({ ...file, url: url(refinementPath(key, `files/${file.kind}`)) }));
      return shown(Result, { ...result, featureRefinementKey: key, state: run.state, files });
    },
  });
}

export function refinementFileRoute(services: Services): Route {
  const { database, state } = services;
  return route({
    method: "GET",
    path: "/api/v1/feature-refinery/{featureRefinementKey}/files/{kind}",
    params: { kind: FileKind },
    operationId: "getRefinementFile",
    tag: "Feature refinement",
    summary: "Download a reduced file",
    description:
      "The TRAIN or TEST file with the kept columns, the label last. Also for a deleted run, by its key, as long as " +
      "this server keeps the file; then 410.",
    decisions: ["D14", "D31", "D51", "D56"],
    query: SPREADSHEET_QUERY,
    answer: {
      status: 200,
      description: "The file; 206 with a part of it for a `Range`, 304 if `If-None-Match` names it.",
      forms: ["text/csv"],
      headers: FILE_HEADERS,
    },
    problems: ["NOT_FOUND", "NOT_READY", "FILE_REMOVED", "RANGE_NOT_SATISFIABLE"],
    handle: async (call) => {
      const { featureRefinementKey: key, kind } = call.params;
      const { userKey } = call.caller;
      const file = findRefinementFile(database, userKey, key, kind, "RESULT");
      if (file === null && hadRefinementFiles(database, userKey, key)) throw filesRemoved();
      if (file === null) throw noFile(findOwnedRefinement(database, userKey, key));
      const fileName = `refinement-${key}-${kind.toLowerCase()}.csv`;
      const { spreadsheetSafe } = call.query;
      const about = { contentType: "text/csv; charset=utf-8", fileName, etag: file.sha256, spreadsheetSafe };
      const answer = await fileAnswer(state.locate(file.path), about, call.request);
      return noteDownload(services, call, answer, "REFINEMENT_FILE_DOWNLOADED", key, kind);
    },
  });
}

function filesRemoved(): ApiError {
  return new ApiError("FILE_REMOVED", "The run was deleted, and this server has since removed its files.");
}

/** NOT_FOUND for a run that is unknown, foreign, or deleted without files; NOT_READY for one that has no files yet. */
function noFile(run: Refinement | null): ApiError {
  return run === null ? noSuch("refinement") : noResult(run.state);
}

export function noResult(state: State): ApiError {
  const why = isRefinementEnd(state) ? `The run ended in state ${state}` : `The run is in state ${state}`;
  return new ApiError("NOT_READY", `${why}; there is a result only once it is REFINEMENT_COMPLETED.`);
}
