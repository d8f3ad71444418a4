// Feature refinements: get, list, start, cancel, delete; other routes are in files of their own (contract 4.2).

import { type Static, Type } from "@sinclair/typebox";
import { elapsedSeconds, type Page, type Searched, type Sorted } from "../../../data/database/pages.ts";
import type { FileKind } from "../../../data/database/schema.ts";
import {
  cancelRefinement,
  deleteRefinement,
  findOwnedRefinement,
  listRefinements,
  type RefinementListItem,
  startRefinement,
} from "../../../data/refinements/refinements.ts";
import { SEARCH_QUERY } from "../../http/paging.ts";
import { ApiError, found, noSuch } from "../../http/problem.ts";
import { Instant, Key, named, orNull, shown } from "../../http/schemas.ts";
import { sortedPageAnswer, sortedPageOf, sortedQuery } from "../../http/sorting.ts";
import { type Route, route } from "../../routing/route.ts";
import { audited, created } from "../audited.ts";
import { EXAMPLES } from "../examples.ts";
import { KEY_ANSWER, NO_KEYS } from "../key-columns.ts";
import type { Services } from "../services.ts";
import { datasetRefinementRoute } from "./dataset-refinement.ts";
import { createRefinementRoute } from "./new-refinement.ts";
import { PLANNED_EXAMPLE, PLANNED_TRAINING, plannedTrainingRoutes, withPlans } from "./planned-training.ts";
import { refinementEvidenceRoute } from "./refinement-evidence.ts";
import { refinementProgressRoute } from "./refinement-progress.ts";
import { refinementFileRoute, refinementResultRoute } from "./refinement-result.ts";
import { EXAMPLE_KEY, RefinementState, refinementPath, STARTED_RUN } from "./refinement-state.ts";

const MOST_OFFSET = 1_000_000;

const RunItem = Type.Object({
  featureRefinementKey: Key,
  name: Type.String(),
  state: RefinementState,
  trainFileName: orNull(Type.String()),
  testFileName: orNull(Type.String()),
  numberOfBuckets: Type.Integer(),
  ...KEY_ANSWER,
  createdOn: Instant,
  elapsedSeconds: Type.Integer({ description: "Time of processing: 0 while pending, frozen at the end." }),
  cancelRequested: Type.Boolean(),
  ...PLANNED_TRAINING,
});

const CancelledRun = Type.Object({
  featureRefinementKey: Key,
  state: RefinementState,
  cancelRequested: Type.Literal(true),
});

named({ Refinement: RunItem, CancelledRefinement: CancelledRun });

export type RefinementItem = Static<typeof RunItem>;

const EXAMPLE = {
  featureRefinementKey: EXAMPLE_KEY,
  name: "churn-2027",
  state: "REFINING_LOOP_2",
  trainFileName: "train.csv",
  testFileName: "test.csv",
  numberOfBuckets: 10,
  ...NO_KEYS,
  createdOn: EXAMPLES.createdOn,
  elapsedSeconds: 42,
  cancelRequested: false,
  plannedTraining: PLANNED_EXAMPLE,
} satisfies RefinementItem;

export function refinementRoutes(services: Services): Route[] {
  return [
    createRefinementRoute(services),
    datasetRefinementRoute(services),
    listRoute(services),
    getRoute(services),
    startRoute(services),
    ...plannedTrainingRoutes(services),
    refinementProgressRoute(services),
    cancelRoute(services),
    refinementResultRoute(services),
    refinementEvidenceRoute(services),
    refinementFileRoute(services),
    deleteRoute(services),
  ];
}

function listRoute(services: Services): Route {
  const { database } = services;
  return route({
    method: "GET",
    path: "/api/v1/feature-refinery",
    operationId: "listRefinements",
    tag: "Feature refinement",
    summary: "List your refinements",
    description: "Newest first unless `sort` says otherwise, without deleted ones.",
    decisions: ["D07", "D24", "D106", "D113"],
    query: { ...sortedQuery(["name", "trainFileName"], MOST_OFFSET), ...SEARCH_QUERY },
    answer: sortedPageOf("refinements", RunItem, EXAMPLE, "A page of runs."),
    handle: ({ query, caller: { userKey } }) => {
      const list = (page: Page & Searched & Sorted) => {
        const runs = listRefinements(database, userKey, page);
        return { ...runs, items: withPlans(services, runs.items) };
      };
      return sortedPageAnswer("refinements", query, list, (run) => showItem(run, services));
    },
  });
}

function getRoute(services: Services): Route {
  const { database } = services;
  return route({
    method: "GET",
    path: "/api/v1/feature-refinery/{featureRefinementKey}",
    operationId: "getRefinement",
    tag: "Feature refinement",
    summary: "Look at a refinement",
    description: "As in the list. Progress and result have operations of their own.",
    decisions: ["D07", "D31", "D64", "D106"],
    answer: { status: 200, description: "The run.", schema: RunItem, example: EXAMPLE },
    problems: ["NOT_FOUND"],
    handle: ({ params: { featureRefinementKey: key }, caller: { userKey } }) => {
      const run = found("refinement", findOwnedRefinement(database, userKey, key));
      return showItem(withPlans(services, [run])[0]!, services);
    },
  });
}

function showItem(
  run: RefinementListItem & Pick<RefinementItem, "plannedTraining">,
  { now, elapsedMs }: Services,
): RefinementItem {
  const seconds = elapsedSeconds(run, now(), elapsedMs(run.key));
  return shown(RunItem, { ...run, featureRefinementKey: run.key, elapsedSeconds: seconds });
}

function startRoute(services: Services): Route {
  const { database, now, quotas, wake } = services;
  return route({
    method: "POST",
    path: "/api/v1/feature-refinery/{featureRefinementKey}/start",
    operationId: "startRefinement",
    tag: "Feature refinement",
    summary: "Start a refinement",
    description: "Needs both files. The state stays PENDING until the run's turn comes. No body.",
    decisions: ["D12", "D31", "D48", "D88"],
    answer: { status: 202, ...STARTED_RUN },
    problems: ["NOT_FOUND", "UPLOADS_MISSING", "ALREADY_STARTED", "RUN_CANCELLED", "QUOTA_EXCEEDED"],
    handle: (call) => {
      const { featureRefinementKey: key } = call.params;
      const { userKey } = call.caller;
      // The size of the results is unknown; this only checks that there is any room.
      quotas.hold(userKey, 1)();
      const answer = created(
        services,
        call,
        () => {
          const start = startRefinement(database, userKey, key, now());
          const state = findOwnedRefinement(database, userKey, key)?.state;
          if (start.outcome !== "STARTED" || state === undefined) throw notStarted(start, state);
          return state;
        },
        () => ({ action: "REFINEMENT_STARTED", objectKey: key }),
        (state) => ({ featureRefinementKey: key, state, progressUrl: call.url(refinementPath(key, "progress")) }),
      );
      wake();
      return answer;
    },
  });
}

function notStarted(start: ReturnType<typeof startRefinement>, state: string | undefined): ApiError {
  if (start.outcome === "NOT_FOUND") return noSuch("refinement");
  if (start.outcome === "UPLOADS_MISSING") return uploadsMissing(start.kinds);
  if (start.outcome === "CANCELLED") {
    return new ApiError("RUN_CANCELLED", "The run is in state CANCELLED; it cannot be started any more.");
  }
  return new ApiError("ALREADY_STARTED", `The run was started before, and is in state ${state}.`);
}

function uploadsMissing(kinds: readonly FileKind[]): ApiError {
  const isOne = kinds.length === 1;
  return new ApiError(
    "UPLOADS_MISSING",
    `The ${kinds.join(" and ")} ${isOne ? "file is" : "files are"} not uploaded.`,
    {
      errors: kinds.map((kind) => ({ field: kind, code: "MISSING", message: `The ${kind} file is not uploaded.` })),
    },
  );
}

function cancelRoute(services: Services): Route {
  const { database, now, stopFlow, wake } = services;
  return route({
    method: "PATCH",
    path: "/api/v1/feature-refinery/{featureRefinementKey}/cancel",
    operationId: "cancelRefinement",
    tag: "Feature refinement",
    summary: "Cancel a refinement",
    description:
      "A pending run is CANCELLED at once, a running one at its next unit, in about two seconds: poll its progress. " +
      "Cancelling a CANCELLED run again changes nothing. No body.",
    decisions: ["D06", "D31"],
    answer: {
      status: 200,
      description: "The run is cancelled, or will be.",
      schema: CancelledRun,
      example: { featureRefinementKey: EXAMPLE_KEY, state: "REFINING_LOOP_2", cancelRequested: true },
    },
    problems: ["NOT_FOUND", "NOT_CANCELLABLE"],
    handle: (call) => {
      const { featureRefinementKey: key } = call.params;
      const { userKey } = call.caller;
      const cancelled = { action: "REFINEMENT_CANCELLED", objectKey: key } as const;
      const outcome = audited(
        services,
        call,
        () => cancelRefinement(database, userKey, key, now()),
        (done) => (done === "CANCELLED" || done === "REQUESTED" ? cancelled : null),
      );
      if (outcome === "NOT_FOUND") throw noSuch("refinement");
      const { state } = findOwnedRefinement(database, userKey, key)!;
      if (outcome === "NOT_CANCELLABLE") {
        throw new ApiError("NOT_CANCELLABLE", `The run has ended in state ${state}; nothing is left to cancel.`);
      }
      if (outcome === "REQUESTED") stopFlow(key);
      else wake();
      return { featureRefinementKey: key, state, cancelRequested: true as const };
    },
  });
}

function deleteRoute(services: Services): Route {
  const { database, now } = services;
  return route({
    method: "DELETE",
    path: "/api/v1/feature-refinery/{featureRefinementKey}",
    operationId: "deleteRefinement",
    tag: "Feature refinement",
    summary: "Delete a refinement",
    description:
      "Removes the run from your list and frees its name; its result files can still be downloaded by key. " +
      "Only if the run has ended or was never started. Deleting again changes nothing.",
    decisions: ["D31", "D48"],
    answer: { status: 204, description: "The run is deleted." },
    problems: ["NOT_FOUND", "STILL_RUNNING"],
    handle: (call) => {
      const { featureRefinementKey: key } = call.params;
      const outcome = audited(
        services,
        call,
        () => deleteRefinement(database, call.caller.userKey, key, now()),
        (done) => (done === "DELETED" ? { action: "REFINEMENT_DELETED", objectKey: key } : null),
      );
      if (outcome === "NOT_FOUND") throw noSuch("refinement");
      if (outcome === "RUNNING") {
        throw new ApiError("STILL_RUNNING", "The run is not finished: cancel it first, then delete it.");
      }
      return undefined;
    },
  });
}
