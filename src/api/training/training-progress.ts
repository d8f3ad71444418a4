// The progress of a training job, with the time until the next poll, and the leaderboard of its attempts.

import { type Static, Type } from "@sinclair/typebox";
import { elapsedSeconds } from "../../../data/database/pages.ts";
import type { AttemptRecord } from "../../../data/database/records.ts";
import { findOwnedTrainingJob, type TrainingJob } from "../../../data/training-jobs.ts";
import { listTrainingAttempts } from "../../../data/training-runs.ts";
import { pageAnswer, pageOf, pageQuery } from "../../http/paging.ts";
import { found } from "../../http/problem.ts";
import { countOf, Key, named, oneOf, orNull, shown, WaitingReason } from "../../http/schemas.ts";
import { type Route, route } from "../../routing/route.ts";
import { EXAMPLES } from "../examples.ts";
import { NextPoll, nextPoll, RETRY_AFTER, secondsSince } from "../polling.ts";
import type { Services } from "../services.ts";
import { TrainingStatus } from "../statuses.ts";
import { Verdict } from "../verdict.ts";
import { listedTraining } from "./training.ts";

const nullableShare = (description: string) => orNull(Type.Number({ description }));

const Progress = Type.Object({
  trainingJobKey: Key,
  status: TrainingStatus,
  nextPollAfterSeconds: NextPoll("A cancelled job finishes when the model of its finished attempts is made (D87)."),
  elapsedSeconds: countOf("Time since the job's start; 0 while it waits, frozen at its end."),
  timeLimitSeconds: Type.Integer(),
  attemptsTotal: orNull(countOf("Attempts of the plan; null until it is made.")),
  attemptsCompleted: countOf("Attempts that finished. An attempt that was stopped is in neither count."),
  attemptsFailed: countOf("Attempts that failed."),
  bestPerformance: nullableShare("Accuracy on the held-out rows of the best attempt so far."),
  bestFalseDecisions: orNull(countOf("Its wrong decisions on the held-out rows.")),
  bestAlgorithm: orNull(Type.String()),
  baselinePerformance: nullableShare("Accuracy of always answering the most frequent label."),
  errorReason: orNull(Type.String({ description: "Why it is FAILED, TIMED_OUT or NOT_COMPLETED." })),
  verdict: Verdict("Null until the rows were looked at, and for jobs of earlier versions; complete at the job's end."),
  waitingReason: WaitingReason,
});

named({ TrainingProgress: Progress });

export type TrainingProgress = Static<typeof Progress>;

const Attempt = Type.Object({
  attempt: Type.Integer({ description: "Its number in the plan, from 1." }),
  role: oneOf(["attempt", "library baseline"], {
    description: "A library baseline runs for comparison and cannot become a version.",
  }),
  family: Type.String(),
  algorithm: Type.String(),
  settings: Type.Record(Type.String(), Type.Union([Type.Number(), Type.String(), Type.Boolean()])),
  status: oneOf(["finished", "failed", "stopped"], {
    description:
      "Stopped: ended by a request, or not finished in time. A forest counts as finished with 20 trees or more; " +
      "for all others every fit must have ended, out of fold and on the 80%.",
    "x-decision": "D71",
  }),
  note: orNull(
    Type.String({
      description:
        "Why it failed or was stopped (D71), or cannot be a finalist: " +
        "it ended after the first fold, because others of its family did better there and a stack " +
        "hardly gained by it (its scores are then those of that fold's model), " +
        "or it is a stack that is worse than one of its members (D72).",
      "x-decision": "D70",
    }),
  ),
  finalist: Type.Boolean({ description: "Whether it could be chosen by the held-out rows.", "x-decision": "D50" }),
  version: orNull(Type.Integer({ description: "The version it became." })),
  falseDecisions: orNull(countOf("Wrong decisions on the held-out rows.")),
  accuracy: nullableShare("On the held-out rows."),
  logLoss: nullableShare("On the held-out rows."),
  trainingAccuracy: orNull(
    Type.Number({
      description:
        "On the rows that it learned from; for a stack, with its members' scores of rows that they learned from.",
      "x-decision": "D86",
    }),
  ),
  outOfFoldAccuracy: nullableShare("Inside the 80%, each row scored by a model that had not seen it."),
  outOfFoldLogLoss: nullableShare("The same rows."),
  seconds: Type.Number(),
});

named({ Attempt });

const PROGRESS_EXAMPLE = {
  trainingJobKey: EXAMPLES.trainingJobKey,
  status: "RUNNING",
  nextPollAfterSeconds: 4,
  elapsedSeconds: 37,
  timeLimitSeconds: 3600,
  attemptsTotal: 20,
  attemptsCompleted: 11,
  attemptsFailed: 0,
  bestPerformance: 0.908,
  bestFalseDecisions: 92,
  bestAlgorithm: "extra-trees",
  baselinePerformance: 0.859,
  errorReason: null,
  verdict: null,
} as const satisfies Static<typeof Progress>;

const ATTEMPT_EXAMPLE = {
  attempt: 4,
  role: "attempt",
  family: "random forest",
  algorithm: "extra-trees",
  settings: { treeCount: 200, minLeafRows: 2, buckets: "fine" },
  status: "finished",
  note: null,
  finalist: true,
  version: 1,
  falseDecisions: 92,
  accuracy: 0.908,
  logLoss: 0.231,
  trainingAccuracy: 0.984,
  outOfFoldAccuracy: 0.904,
  outOfFoldLogLoss: 0.239,
  seconds: 3.4,
} as const satisfies Static<typeof Attempt>;

export function trainingProgressRoutes({ database, now, elapsedMs, waitingReason }: Services): Route[] {
  return [
    route({
      method: "GET",
      path: "/api/v1/training/{trainingJobKey}/progress",
      operationId: "getTrainingProgress",
      tag: "Training",
      summary: "Poll a training job",
      description: "Poll until `nextPollAfterSeconds` is absent: then the job has finished, and its model exists.",
      decisions: ["D19", "D31", "D35", "D87", "D96"],
      answer: {
        status: 200,
        description: "How far the job is.",
        schema: Progress,
        example: PROGRESS_EXAMPLE,
        headers: RETRY_AFTER,
      },
      problems: ["NOT_FOUND"],
      handle: ({ params: { trainingJobKey }, caller: { userKey }, headers }) => {
        const job = found("training job", findOwnedTrainingJob(database, userKey, trainingJobKey));
        // Clients see CANCELLED at once; the job ends when the model of its finished attempts is made.
        const isUnfinished = job.status === "PENDING" || job.status === "RUNNING";
        const nextPollAfterSeconds = nextPoll(headers, isUnfinished ? secondsSince(lastChange(job), now()) : null);
        return shown(Progress, {
          ...listedTraining(job),
          nextPollAfterSeconds,
          elapsedSeconds: elapsedSeconds(job, now(), elapsedMs(trainingJobKey)),
          errorReason: isUnfinished ? null : job.errorReason,
          waitingReason: waitingReason(trainingJobKey),
        });
      },
    }),
    route({
      method: "GET",
      path: "/api/v1/training/{trainingJobKey}/attempts",
      operationId: "listTrainingAttempts",
      tag: "Training",
      summary: "The leaderboard of a training job",
      description:
        "Versions first, then by fewest wrong decisions on the held-out rows; " +
        "attempts that did not finish come last. It grows while the job runs. " +
        "Finalists and versions are known at the end.",
      decisions: ["D24", "D31", "D42", "D50", "D71", "D72"],
      query: pageQuery(),
      answer: pageOf("attempts", Attempt, ATTEMPT_EXAMPLE, "A page of the leaderboard."),
      problems: ["NOT_FOUND"],
      handle: ({ params: { trainingJobKey }, query, caller: { userKey } }) => {
        found("training job", findOwnedTrainingJob(database, userKey, trainingJobKey));
        const attempts = listTrainingAttempts(database, trainingJobKey).sort(byRank);
        const items = attempts.slice(query.offset, query.offset + query.limit);
        return pageAnswer("attempts", { items, total: attempts.length }, query, (attempt) => attempt);
      },
    }),
  ];
}

/** The job's cancel, else its start, else its creation. */
function lastChange({ finishedOn, startedOn, createdOn }: TrainingJob): string {
  return finishedOn ?? startedOn ?? createdOn;
}

function byRank(a: AttemptRecord, b: AttemptRecord): number {
  const last = Number.MAX_VALUE;
  return (
    (a.version ?? 9) - (b.version ?? 9) ||
    (a.falseDecisions ?? last) - (b.falseDecisions ?? last) ||
    (a.logLoss ?? last) - (b.logLoss ?? last) ||
    a.attempt - b.attempt
  );
}
