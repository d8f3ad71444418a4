// Counts of jobs by kind and state, how long the oldest waits, and that neither reads what it need not.
import { describe, expect, test } from "bun:test";
import { claimNextDataset, failDataset } from "../../../data/dataset-processing.ts";
import { deleteDataset, insertDataset } from "../../../data/datasets.ts";
import { countJobs, endOfJob, oldestWaiting } from "../../../data/jobs/job-counts.ts";
import {
  claimNextRefinement,
  enterRefinementState,
  finishRefinement,
} from "../../../data/refinements/refinement-runs.ts";
import { cancelRefinement } from "../../../data/refinements/refinements.ts";
import { cancelTrainingJob } from "../../../data/training-jobs.ts";
import { claimNextTrainingJob, finishTrainingJob } from "../../../data/training-runs.ts";
import {
  addDataset,
  addModel,
  addQueuedRefinement,
  addRefinement,
  addTrainingJob,
  later,
  NOON,
  newDataset,
  withState,
} from "../state.ts";

const EXPIRES = { origin: { kind: "SIGNED_UPLOAD", expiresOn: later(3_600) } } as const;

describe("counts of jobs", () => {
  test("tell what is open, waits, runs and has ended, whatever stage it is in", () =>
    withState(({ database, ann, bob }) => {
      addRefinement(database, ann);
      const cancelled = addRefinement(database, ann);
      cancelRefinement(database, ann, cancelled.key, NOON);
      const failed = addQueuedRefinement(database, ann);
      claimNextRefinement(database, NOON);
      finishRefinement(database, failed.key, { state: "ERROR", errorReason: "No." }, NOON);
      const running = addQueuedRefinement(database, ann);
      claimNextRefinement(database, NOON);
      enterRefinementState(database, running.key, "SETUP_BUCKETING", NOON);
      enterRefinementState(database, running.key, "MEASURE_INITIAL_THRESHOLD", NOON);
      enterRefinementState(database, running.key, "BASELINE_RUN_1", NOON);
      addQueuedRefinement(database, bob, later(5));
      addQueuedRefinement(database, ann, later(2));

      const dataset = addDataset(database, ann);
      insertDataset(database, newDataset(ann, EXPIRES), NOON);
      const gone = insertDataset(database, newDataset(ann, EXPIRES), NOON)!;
      deleteDataset(database, ann, gone.key, NOON);
      const bad = insertDataset(database, newDataset(ann), NOON)!;
      claimNextDataset(database);
      failDataset(database, bad.key, "Line 3 has too many cells.", NOON);

      addModel(database, dataset);
      const closing = addTrainingJob(database, dataset);
      claimNextTrainingJob(database, NOON);
      cancelTrainingJob(database, ann, closing.key, NOON);
      addTrainingJob(database, dataset, later(9));

      expect(countJobs(database).sort((a, b) => `${a.kind}${a.state}`.localeCompare(`${b.kind}${b.state}`))).toEqual([
        { kind: "dataset", state: "COMPLETED", count: 1 },
        { kind: "dataset", state: "FAILED", count: 1 },
        { kind: "dataset", state: "OPEN", count: 1 },
        { kind: "refinement", state: "CANCELLED", count: 1 },
        { kind: "refinement", state: "ERROR", count: 1 },
        { kind: "refinement", state: "OPEN", count: 1 },
        { kind: "refinement", state: "RUNNING", count: 1 },
        { kind: "refinement", state: "WAITING", count: 2 },
        { kind: "training", state: "COMPLETED", count: 1 },
        { kind: "training", state: "RUNNING", count: 1 },
        { kind: "training", state: "WAITING", count: 1 },
      ]);
      expect(oldestWaiting(database)).toEqual([
        { kind: "refinement", since: later(2).toISOString() },
        { kind: "dataset", since: null },
        { kind: "training", since: later(9).toISOString() },
        { kind: "prediction", since: null },
        { kind: "successor", since: null },
      ]);
    }));

  test("read indexes: rows are wide, and there may be many", () =>
    withState(({ database }) => {
      const questions: string[] = [];
      const { client } = database;
      const listening = new Proxy(client, {
        get: (target, name) => {
          if (name !== "query") return Reflect.get(target, name);
          return (question: string) => {
            questions.push(question);
            return target.query(question);
          };
        },
      });
      countJobs({ ...database, client: listening });
      oldestWaiting({ ...database, client: listening });
      const plans = questions.map((question) =>
        client
          .query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${question}`)
          .all()
          .map(({ detail }) => detail)
          .filter((detail) => /^(SCAN|SEARCH) (?!users)/.test(detail)),
      );
      expect(plans).toHaveLength(10);
      for (const plan of plans.slice(0, 5)) {
        expect(plan).toEqual([expect.stringMatching(/USING COVERING INDEX \w+States\b/)]);
      }
      for (const plan of plans.slice(5))
        expect(plan).toEqual([expect.stringMatching(/^SEARCH .* INDEX \w+Waiting \(/)]);
    }));

  test("a job has ended once nobody works on it and nobody will", () =>
    withState(({ database, ann }) => {
      const job = addTrainingJob(database, addDataset(database, ann));
      claimNextTrainingJob(database, NOON);
      expect(endOfJob(database, "training", job.key)).toBeNull();
      finishTrainingJob(database, job.key, { status: "FAILED", model: null, errorReason: "No.", attempts: null }, NOON);
      expect(endOfJob(database, "training", job.key)).toBe("FAILED");
    }));
});
