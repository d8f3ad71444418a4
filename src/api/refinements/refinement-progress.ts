// The progress of a refinement, for polling (contract 2.4).

import { type Static, Type } from "@sinclair/typebox";
import { elapsedSeconds } from "../../../data/database/pages.ts";
import { isRefinementEnd } from "../../../data/database/states.ts";
import { findOwnedRefinement, listActivities, type Refinement } from "../../../data/refinements/refinements.ts";
import { found } from "../../http/problem.ts";
import { countOf, Instant, Key, named, orNull, shareOrNull, shown, WaitingReason } from "../../http/schemas.ts";
import { type Route, route } from "../../routing/route.ts";
import { EXAMPLES } from "../examples.ts";
import { NextPoll, nextPoll, RETRY_AFTER, secondsSince } from "../polling.ts";
import type { Services } from "../services.ts";
import { EXAMPLE_KEY, RefinementState } from "./refinement-state.ts";

const RECENT_ACTIVITIES = 50;

const PerformanceRecord = Type.Object({
  falseDecisions: countOf("Wrong decisions on the blind TEST file."),
  accuracy: shareOrNull("Null when undefined."),
  f1Score: shareOrNull("Null when undefined; macro average where there are more than two classes."),
  precision: shareOrNull("As `f1Score`."),
  recall: shareOrNull("As `f1Score`."),
  best: Type.Boolean({ description: "True for the one row of its table with the fewest false decisions." }),
});

named({ PerformanceRecord });

const Progress = Type.Object({
  featureRefinementKey: Key,
  state: RefinementState,
  createdOn: Instant,
  nextPollAfterSeconds: NextPoll("A run that was never started has it too."),
  elapsedSeconds: Type.Integer({
    minimum: 0,
    format: "int64",
    description: "Seconds of processing: counted from the run's start, 0 while pending, frozen at the end.",
  }),
  progressCompleted: orNull(
    countOf("Rises by one per finished unit and never falls. Only its ratio to the total has a meaning."),
  ),
  progressTotal: orNull(
    Type.Integer({
      minimum: 0,
      description: "Null until the columns are checked, then fixed: the units that are certain to run.",
      "x-decision": "D84",
    }),
  ),
  cancelRequested: orNull(Type.Boolean({ description: "True once requested; otherwise null." })),
  errorReason: orNull(Type.String({ description: "Null except in the states ERROR and TIMEOUT." })),
  waitingReason: WaitingReason,
  recentActivities: Type.Array(Type.Object({ timestamp: Instant, state: RefinementState }), {
    description: "The states entered, oldest first.",
  }),
  baselineTopPerformances: Type.Array(PerformanceRecord, {
    description: "With all columns; empty until computed. Fewest false decisions first.",
  }),
  currentTopPerformances: Type.Array(PerformanceRecord, {
    description: "The best distinct results of the run so far; no row ever gets worse.",
    "x-decision": "D85",
  }),
});

named({ RefinementProgress: Progress });

export type RefinementProgress = Static<typeof Progress>;

const ROW = { falseDecisions: 86, accuracy: 0.914, f1Score: 0.81, precision: 0.84, recall: 0.782, best: true } as const;

const EXAMPLE = {
  featureRefinementKey: EXAMPLE_KEY,
  state: "REFINING_LOOP_2",
  createdOn: EXAMPLES.createdOn,
  nextPollAfterSeconds: 5,
  elapsedSeconds: 42,
  progressCompleted: 21,
  progressTotal: 44,
  cancelRequested: null,
  errorReason: null,
  recentActivities: [
    { timestamp: EXAMPLES.createdOn, state: "PENDING" },
    { timestamp: "2027-01-15T09:31:12.004Z", state: "SETUP_READING" },
  ],
  baselineTopPerformances: [{ ...ROW, falseDecisions: 91, accuracy: 0.909 }],
  currentTopPerformances: [ROW],
} satisfies Static<typeof Progress>;

export function refinementProgressRoute({ database, now, elapsedMs, waitingReason }: Services): Route {
  return route({
    method: "GET",
    path: "/api/v1/feature-refinery/{featureRefinementKey}/progress",
    operationId: "getRefinementProgress",
    tag: "Feature refinement",
    summary: "How far a refinement is",
    description:
      "Poll it until the state is REFINEMENT_COMPLETED, ERROR, TIMEOUT or CANCELLED. " +
      "A run that was never started stays PENDING, even after its upload addresses have expired.",
    decisions: ["D04", "D05", "D07", "D31", "D39"],
    answer: { status: 200, description: "The progress.", schema: Progress, example: EXAMPLE, headers: RETRY_AFTER },
    problems: ["NOT_FOUND"],
    handle: ({ params: { featureRefinementKey: key }, caller: { userKey }, headers }) => {
      const run = found("refinement", findOwnedRefinement(database, userKey, key));
      const mayHaveFailed = run.state === "ERROR" || run.state === "TIMEOUT";
      return shown(Progress, {
        ...run,
        featureRefinementKey: key,
        nextPollAfterSeconds: nextPoll(
          headers,
          isRefinementEnd(run.state) ? null : secondsSince(lastChange(run), now()),
        ),
        elapsedSeconds: elapsedSeconds(run, now(), elapsedMs(key)),
        cancelRequested: run.cancelRequested ? true : null,
        errorReason: mayHaveFailed ? run.errorReason : null,
        waitingReason: waitingReason(key),
        recentActivities: listActivities(database, key, RECENT_ACTIVITIES),
        baselineTopPerformances: run.baselineRows,
        currentTopPerformances: run.currentRows,
      });
    },
  });
}

/** The run's start, else when it was queued, else its creation. */
function lastChange({ startedOn, queuedOn, createdOn }: Refinement): string {
  return startedOn ?? queuedOn ?? createdOn;
}
