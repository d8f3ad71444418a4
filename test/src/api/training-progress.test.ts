// Polling a training job: what is known of it, how long to wait, and the leaderboard of its attempts.
import { describe, expect, test } from "bun:test";
import { recordTrainingAttempt, setTrainingPlan, setTrainingVerdict } from "../../../data/training-runs.ts";
import { VERDICT_EXAMPLE } from "../../../src/api/verdict.ts";
import { attemptRecord } from "../../data/state.ts";
import { describeScenarios, type Scenario, startApi, type TestApi, withApi } from "../../support/api.ts";
import { addJobIn, type JobStage } from "./service.ts";

const progressOf = (stage: JobStage) => (api: TestApi) =>
  `/api/v1/training/${addJobIn(api, "ada", stage).key}/progress`;

describeScenarios("progress", startApi, [
  {
    name: "of a job that waits",
    method: "GET",
    path: progressOf("PENDING"),
    as: "ada",
    expect: {
      status: 200,
      headers: { "retry-after": "1" },
      effect: (_, __, body) =>
        expect(body).toEqual({
          trainingJobKey: expect.any(String),
          status: "PENDING",
          nextPollAfterSeconds: 1,
          elapsedSeconds: 0,
          timeLimitSeconds: 3600,
          attemptsTotal: null,
          attemptsCompleted: 0,
          attemptsFailed: 0,
          bestPerformance: null,
          bestFalseDecisions: null,
          bestAlgorithm: null,
          baselinePerformance: null,
          errorReason: null,
          verdict: null,
        }),
    },
  },
  {
    name: "of a job that runs: the plan, the counts and the best so far",
    method: "GET",
    path: (api) => {
      const { key } = addJobIn(api, "ada", "RUNNING");
      setTrainingPlan(api.database, key, { attemptsTotal: 20, baselinePerformance: 0.6 });
      const best = { performance: 0.91, falseDecisions: 9, algorithm: "extra-trees" };
      recordTrainingAttempt(api.database, key, attemptRecord(1), best);
      recordTrainingAttempt(api.database, key, attemptRecord(2, { status: "failed" }), null);
      setTrainingVerdict(api.database, key, VERDICT_EXAMPLE);
      api.pass(37);
      return `/api/v1/training/${key}/progress`;
    },
    as: "ada",
    expect: {
      status: 200,
      headers: { "retry-after": "4" },
      body: {
        status: "RUNNING",
        nextPollAfterSeconds: 4,
        elapsedSeconds: 37,
        attemptsTotal: 20,
        attemptsCompleted: 1,
        attemptsFailed: 1,
        bestPerformance: 0.91,
        bestFalseDecisions: 9,
        bestAlgorithm: "extra-trees",
        baselinePerformance: 0.6,
        errorReason: null,
        verdict: VERDICT_EXAMPLE,
      },
    },
  },
  {
    name: "of a job that failed: why",
    method: "GET",
    path: (api) => `/api/v1/training/${addJobIn(api, "ada", "FAILED").key}/progress`,
    as: "ada",
    expect: { status: 200, body: { status: "FAILED", errorReason: "No." } },
  },
  ...(
    [
      ["COMPLETED", "COMPLETED"],
      ["TIMED_OUT", "TIMED_OUT"],
      ["NOT_COMPLETED", "NOT_COMPLETED"],
      ["FAILED", "FAILED"],
      ["CANCELLED", "CANCELLED"],
    ] as const
  ).map(
    ([stage, status]): Scenario => ({
      name: `of a job that is ${stage}: no wait, in neither place`,
      method: "GET",
      path: progressOf(stage),
      as: "ada",
      expect: {
        status: 200,
        body: { status },
        effect: (_, response, body) => {
          expect(body).not.toContainKey("nextPollAfterSeconds");
          expect(response.headers.has("retry-after")).toBe(false);
        },
      },
    }),
  ),
  {
    name: "of a job that is cancelled and whose model is being made: a wait, by the time since the cancel",
    method: "GET",
    path: (api) => {
      const path = progressOf("CLOSING")(api);
      api.pass(25);
      return path;
    },
    as: "ada",
    expect: {
      status: 200,
      headers: { "retry-after": "3" },
      body: { status: "CANCELLED", nextPollAfterSeconds: 3, errorReason: null },
    },
  },
]);

describe("the wait", () => {
  test.each(["PENDING", "RUNNING"] as const)("of a %s job grows from 1 to 10 seconds with the time", (stage) =>
    withApi(async (api) => {
      const path = progressOf(stage)(api);
      const waits: number[] = [];
      for (const seconds of [0, 9, 9, 20, 30, 30, 1000]) {
        api.pass(seconds);
        const response = await api.request("GET", path, { as: "ada" });
        const { nextPollAfterSeconds } = (await response.json()) as { nextPollAfterSeconds: number };
        expect(response.headers.get("retry-after")).toBe(String(nextPollAfterSeconds));
        waits.push(nextPollAfterSeconds);
      }
      expect(waits).toEqual([1, 1, 2, 4, 7, 10, 10]);
    }),
  );
});

/** A running job with attempts that came in this order. */
function jobWithAttempts(api: TestApi): string {
  const { key } = addJobIn(api, "ada", "RUNNING");
  const unfinished = { falseDecisions: null, accuracy: null, logLoss: null, note: "It took more than 600 s." };
  for (const record of [
    attemptRecord(1, { status: "failed", ...unfinished }),
    attemptRecord(2, { falseDecisions: 14 }),
    attemptRecord(3, { falseDecisions: 11, logLoss: 0.4 }),
    attemptRecord(4, { falseDecisions: 11, logLoss: 0.3 }),
    attemptRecord(5, { falseDecisions: 12, version: 2, finalist: true }),
    attemptRecord(6, { falseDecisions: 11, version: 1, finalist: true }),
    attemptRecord(7, { role: "library baseline", falseDecisions: 40, settings: { sampleRowCount: 500 } }),
  ]) {
    recordTrainingAttempt(api.database, key, record, null);
  }
  return key;
}

describeScenarios("the leaderboard", startApi, [
  {
    name: "versions, then fewest wrong decisions, then log-loss; what did not finish is last",
    method: "GET",
    path: (api) => `/api/v1/training/${jobWithAttempts(api)}/attempts`,
    as: "ada",
    expect: {
      status: 200,
      body: { offset: 0, limit: 20, total: 7, nextOffset: null },
      effect: (_, __, body) => {
        const { attempts } = body as { attempts: { attempt: number }[] };
        expect(attempts.map(({ attempt }) => attempt)).toEqual([6, 5, 4, 3, 2, 7, 1]);
        expect(attempts[0]).toEqual(attemptRecord(6, { falseDecisions: 11, version: 1, finalist: true }));
      },
    },
  },
  {
    name: "by pages",
    method: "GET",
    path: (api) => `/api/v1/training/${jobWithAttempts(api)}/attempts?offset=2&limit=3`,
    as: "ada",
    expect: {
      status: 200,
      body: {
        attempts: [{ attempt: 4 }, { attempt: 3 }, { attempt: 2 }],
        offset: 2,
        limit: 3,
        total: 7,
        nextOffset: 5,
      },
    },
  },
  {
    name: "of a job without attempts",
    method: "GET",
    path: (api) => `/api/v1/training/${addJobIn(api, "ada", "PENDING").key}/attempts`,
    as: "ada",
    expect: { status: 200, body: { attempts: [], total: 0, nextOffset: null } },
  },
]);
