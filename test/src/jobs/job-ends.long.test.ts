// Jobs always end: after too many interruptions, where threads die of one
// piece of work, and where a clock is set meanwhile.
import { afterAll, afterEach, describe, expect, setSystemTime, test } from "bun:test";
import { elapsedSeconds } from "../../../data/database/pages.ts";
import { findOwnedModel } from "../../../data/models.ts";
import { claimNextTrainingJob, listTrainingAttempts, recoverTrainingJobs } from "../../../data/training-runs.ts";
import { elapsedMs, suspendRun } from "../../../src/jobs/job-run.ts";
import { WorkerLost, WorkerPool } from "../../../workers/pool.ts";
import { spawnWorker } from "../../support/in-process.ts";
import {
  addTrainedModel,
  beginDataset,
  beginPrediction,
  beginTraining,
  predictionOf,
  trainingOf,
  withoutLabel,
} from "../../support/job-flows.ts";
import { startUnlimited } from "../../support/job-run.ts";
import {
  addDataset,
  addPrediction,
  addReadDataset,
  addTraining,
  datasetOf,
  dyingWorkers,
  filesIn,
  type JobState,
  until,
  withJobState,
} from "../../support/job-state.ts";
import { knownTable } from "../../support/refinery.ts";

const pool = new WorkerPool(spawnWorker, 2);
afterAll(() => pool.close());
afterEach(() => {
  setSystemTime();
});

const TABLE = knownTable(100, 1);
const UNLABELLED = withoutLabel(TABLE);
const HOUR_MS = 3_600_000;

const readyDataset = (jobs: JobState) => addReadDataset(jobs, pool, TABLE);

const begin = (jobs: JobState, on = pool) => beginTraining(jobs, on);

/** Runs a job until it has so many attempts, and interrupts it as often as it may be. */
async function interruptTooOften(jobs: JobState, key: string, attempts: number): Promise<void> {
  const { run, flow } = begin(jobs);
  await until(() => trainingOf(jobs, key).attemptsCompleted >= attempts, "attempts");
  suspendRun(run);
  await flow;
  for (let restarts = 0; restarts < 3; restarts++) {
    recoverTrainingJobs(jobs.database, new Date());
    claimNextTrainingJob(jobs.database, new Date());
  }
  expect(recoverTrainingJobs(jobs.database, new Date()).resumed).toEqual([key]);
}

describe("a training job that was interrupted for the fourth time", () => {
  test("publishes the best of what had finished, and begins nothing", () =>
    withJobState(async (jobs) => {
      const key = addTraining(jobs, await readyDataset(jobs), { scalingFactor: 199 });
      await interruptTooOften(jobs, key, 2);
      const known = trainingOf(jobs, key).attemptsCompleted;
      await begin(jobs).flow;
      const { status, errorReason, modelKey, attemptsCompleted } = trainingOf(jobs, key);
      expect([status, errorReason]).toEqual([
        "NOT_COMPLETED",
        expect.stringContaining("restarted in the middle of this job more than 3 times"),
      ]);
      const { versions } = findOwnedModel(jobs.database, jobs.ann, modelKey!)!;
      const attempts = listTrainingAttempts(jobs.database, key).filter(({ status, role }) => {
        return role === "attempt" && status === "finished";
      });
      expect([attemptsCompleted, attempts.length]).toEqual([known, known]);
      expect(versions[0]!.falseDecisions).toBe(Math.min(...attempts.map(({ falseDecisions }) => falseDecisions!)));
      expect([filesIn(jobs, "journals"), jobs.faults]).toEqual([[], []]);
    }));

  test("is COMPLETED where these reach its target", () =>
    withJobState(async (jobs) => {
      const key = addTraining(jobs, await readyDataset(jobs), { scalingFactor: 199, targetPerformance: 0.51 });
      await interruptTooOften(jobs, key, 1);
      await begin(jobs).flow;
      expect(trainingOf(jobs, key)).toMatchObject({ status: "COMPLETED", errorReason: null });
    }));
});

describe("where threads die of one piece of work", () => {
  test("a version that cannot be refitted is dropped, and the others move up", () =>
    withJobState(async (jobs) => {
      const datasetKey = await readyDataset(jobs);
      const whole = addTraining(jobs, datasetKey, { scalingFactor: 5 });
      await begin(jobs).flow;
      const cut = addTraining(jobs, datasetKey, { scalingFactor: 5 });
      // Three refits take turns on one thread: the first of them is the first to die for the third time.
      const fragile = new WorkerPool(dyingWorkers("pack", 7), 1);
      await begin(jobs, fragile).flow;
      fragile.close();
      const [all, left] = [whole, cut].map(
        (key) => findOwnedModel(jobs.database, jobs.ann, trainingOf(jobs, key).modelKey!)!.versions,
      );
      expect(all!.length).toBe(3);
      const figures = (versions: typeof all) =>
        versions!.map(({ algorithm, testPerformance }) => [algorithm, testPerformance]);
      expect(figures(left)).toEqual(figures(all!.slice(1)));
      expect(left!.map(({ version }) => version)).toEqual([1, 2]);
      expect(filesIn(jobs, `models/${trainingOf(jobs, cut).modelKey}`).sort()).toEqual([
        "report.html",
        "summary.json",
        "v1.cupel",
        "v2.cupel",
      ]);
      expect(jobs.faults).toEqual([expect.any(WorkerLost)]);
    }));

  test("a job of which no version can be refitted is FAILED and says why", () =>
    withJobState(async (jobs) => {
      const key = addTraining(jobs, await readyDataset(jobs), { scalingFactor: 0 });
      const fragile = new WorkerPool(dyingWorkers("pack", 1_000), 1);
      await begin(jobs, fragile).flow;
      fragile.close();
      expect(trainingOf(jobs, key)).toMatchObject({
        status: "FAILED",
        errorReason: expect.stringMatching(/^WORKER_LOST: /),
      });
      expect([filesIn(jobs, "models"), filesIn(jobs, "journals"), jobs.faults.length]).toEqual([[], [], 1]);
    }));

  test("a dataset and a prediction are FAILED and say why", () =>
    withJobState(async (jobs) => {
      const modelKey = await addTrainedModel(jobs, pool, TABLE);
      const unread = new WorkerPool(dyingWorkers("readTable", 3), 1);
      const datasetKey = addDataset(jobs, TABLE);
      await beginDataset(jobs, unread).flow;
      unread.close();
      expect(datasetOf(jobs, datasetKey).errorReason).toMatch(/^WORKER_LOST: /);
      const unscored = new WorkerPool(dyingWorkers("scoreFile", 3), 1);
      const { key } = addPrediction(jobs, modelKey, UNLABELLED);
      await beginPrediction(jobs, unscored).flow;
      unscored.close();
      expect(predictionOf(jobs, key).errorReason).toMatch(/^WORKER_LOST: /);
      expect(filesIn(jobs, "results")).toEqual([]);
    }));
});

describe("a clock that is set", () => {
  test.each([1_000 * HOUR_MS, -1_000 * HOUR_MS])("by %d ms while a job runs neither ends it nor its time", (jumpMs) =>
    withJobState(async (jobs) => {
      const key = addTraining(jobs, await readyDataset(jobs), { scalingFactor: 9, timeLimitSeconds: 600 });
      const { run, flow } = begin(jobs);
      await until(() => trainingOf(jobs, key).attemptsCompleted >= 1, "an attempt");
      const before = elapsedMs(run);
      setSystemTime(new Date(Date.now() + jumpMs));
      expect(elapsedMs(run)).toBeWithin(before, before + HOUR_MS);
      await flow;
      const job = trainingOf(jobs, key);
      expect([job.status, job.attemptsCompleted]).toEqual(["COMPLETED", 10]);
      const seconds = elapsedSeconds(job, new Date());
      expect(seconds).toBeWithin(Math.floor(before / 1_000), 601);
      setSystemTime();
      expect(elapsedSeconds(job, new Date())).toBe(seconds);
    }),
  );

  test("back between two processes takes nothing of what was noted, and forward counts", async () => {
    const startedOn = new Date(Date.now() + HOUR_MS).toISOString();
    const [noted, soon] = [2 * HOUR_MS, HOUR_MS / 2];
    expect(elapsedMs(startUnlimited(pool, startedOn))).toBeWithin(0, soon);
    expect(elapsedMs(startUnlimited(pool, startedOn, noted))).toBeWithin(noted, noted + soon);
    const past = new Date(Date.now() - 3 * HOUR_MS).toISOString();
    expect(elapsedMs(startUnlimited(pool, past, noted))).toBeWithin(3 * HOUR_MS, 3 * HOUR_MS + soon);
  });
});
