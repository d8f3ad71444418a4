// Jobs whose files do not fit a quota: trainings keep their work and wait, others end with the reason.
import { afterAll, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { claimNextDataset } from "../../../data/dataset-processing.ts";
import { deleteDataset } from "../../../data/datasets.ts";
import { findOwnedPrediction } from "../../../data/predictions.ts";
import { claimNextRefinement } from "../../../data/refinements/refinement-runs.ts";
import { findOwnedRefinement } from "../../../data/refinements/refinements.ts";
import { releaseDeletedDatasets } from "../../../data/retention.ts";
import {
  cancelTrainingJob,
  findOwnedTrainingJob,
  insertTrainingJob,
  type TrainingJob,
} from "../../../data/training-jobs.ts";
import { claimNextTrainingJob } from "../../../data/training-runs.ts";
import { totalOf, usageOf } from "../../../data/usage.ts";
import { processDataset } from "../../../src/jobs/flow-dataset.ts";
import { runRefinement } from "../../../src/jobs/flow-refinement.ts";
import { runTraining } from "../../../src/jobs/flow-training.ts";
import { LEAST_MODEL_BYTES } from "../../../src/jobs/job-need.ts";
import { cancelRun, type JobRun, startRun, suspendRun } from "../../../src/jobs/job-run.ts";
import { createQuotas } from "../../../src/storage/quotas.ts";
import { WorkerPool } from "../../../workers/pool.ts";
import { spawnWorker } from "../../support/in-process.ts";
import {
  addDataset,
  addPrediction,
  addRefinement,
  addTraining,
  filesIn,
  type JobState,
  until,
  withJobState,
  withScheduler,
} from "../../support/job-state.ts";
import { knownTable } from "../../support/refinery.ts";
import { UNLIMITED } from "../../support/unlimited.ts";

const pool = new WorkerPool(spawnWorker, 2);
afterAll(() => pool.close());

const TABLE = knownTable(100, 1);
const UNLABELLED = TABLE.replaceAll(/,[^,\n]*$/gm, "");

async function readyDataset(jobs: JobState, userKey = jobs.ann): Promise<string> {
  const key = addDataset(jobs, TABLE, { userKey });
  await processDataset(claimNextDataset(jobs.database)!, startRun(pool, null), jobs.services);
  return key;
}

function train(jobs: JobState): Promise<void> {
  const job = claimNextTrainingJob(jobs.database, new Date())!;
  return runTraining(job, startRun(pool, job.startedOn), jobs.services);
}

const trainingOf = ({ database, ann }: JobState, key: string) => findOwnedTrainingJob(database, ann, key)!;

const limit = (jobs: JobState, quotaBytesPerUser: number) => {
  jobs.services = { ...jobs.services, quotas: createQuotas(jobs.database, { ...UNLIMITED, quotaBytesPerUser }) };
};

const usedBy = ({ database, ann }: JobState) => totalOf(usageOf(database, ann));

/** Runs a training on a table whose file leaves no room for the models, and gives `use` what can be done then. */
async function waiting(
  jobs: JobState,
  use: (key: string, run: JobRun, makeRoom: () => void) => Promise<void> | void,
  timeLimitSeconds = 600,
): Promise<TrainingJob> {
  const { database } = jobs;
  const datasetKey = await readyDataset(jobs);
  const filler = addDataset(jobs, "x".repeat(2_000_000));
  limit(jobs, usedBy(jobs) + LEAST_MODEL_BYTES);
  const key = addTraining(jobs, datasetKey, { scalingFactor: 0, timeLimitSeconds });
  const job = claimNextTrainingJob(database, new Date())!;
  const run = startRun(pool, job.startedOn);
  const flow = runTraining(job, run, jobs.services);
  await until(() => run.waitingReason !== null, "its waiting");
  const { attemptsCompleted } = trainingOf(jobs, key);
  expect(attemptsCompleted).toBeGreaterThan(0);
  expect([filesIn(jobs, "journals"), filesIn(jobs, "models")]).toEqual([[key], []]);
  await use(key, run, () => {
    const { client } = database;
    client.run("UPDATE datasets SET status = 'COMPLETED' WHERE key = ?", [filler]);
    deleteDataset(database, jobs.ann, filler, new Date());
    expect(releaseDeletedDatasets(database, new Date())).toHaveLength(1);
  });
  await flow;
  return trainingOf(jobs, key);
}

test("a training waits with its models, says for what, and ends as ever once there is room", async () => {
  await withJobState(async (jobs) => {
    const ended = await waiting(jobs, (key, run, makeRoom) => {
      expect(run.waitingReason).toMatch(
        /^QUOTA_EXCEEDED: This needs \d+ bytes, and your files take \d+ of \d+ bytes\. .* waits for that room\.$/,
      );
      expect(trainingOf(jobs, key).status).toBe("RUNNING");
      makeRoom();
    });
    expect(ended).toMatchObject({ status: "COMPLETED", errorReason: null, modelKey: expect.any(String) });
    expect([filesIn(jobs, "journals"), filesIn(jobs, "models")]).toEqual([[], [ended.modelKey!]]);
    expect(jobs.faults).toEqual([]);
  });
});

test("a training that waits ends at its time limit with the reason", async () => {
  await withJobState(async (jobs) => {
    const ended = await waiting(jobs, (_, run) => {
      run.control.startMs -= 600_000;
    });
    expect(ended).toMatchObject({ status: "FAILED", errorReason: expect.stringMatching(/^QUOTA_EXCEEDED: /) });
    expect([filesIn(jobs, "journals"), filesIn(jobs, "models")]).toEqual([[], []]);
  });
});

test("a training that waits ends when its user cancels it", async () => {
  await withJobState(async (jobs) => {
    const ended = await waiting(jobs, (key, run) => {
      cancelTrainingJob(jobs.database, jobs.ann, key, new Date());
      cancelRun(run);
    });
    expect(ended).toMatchObject({ status: "CANCELLED", modelKey: null, errorReason: null });
    expect(filesIn(jobs, "models")).toEqual([]);
  });
});

test("a training that waits is left for the next start, which computes no attempt again", async () => {
  await withJobState(async (jobs) => {
    const left = await waiting(jobs, (_, run) => suspendRun(run));
    expect(left).toMatchObject({ status: "RUNNING", claimed: true });
    expect(filesIn(jobs, "journals")).toEqual([left.key]);
    limit(jobs, 1e9);
    await withScheduler(jobs.services, () => until(() => trainingOf(jobs, left.key).status === "COMPLETED", "its end"));
    expect(trainingOf(jobs, left.key).attemptsCompleted).toBe(left.attemptsCompleted);
  });
});

test("trainings that wait keep no place from those of others", async () => {
  await withJobState(async (jobs) => {
    const [mine, others] = [await readyDataset(jobs), await readyDataset(jobs, jobs.bob)];
    addDataset(jobs, "x".repeat(2_000_000));
    limit(jobs, usedBy(jobs) + LEAST_MODEL_BYTES);
    for (let count = 0; count < 2; count++) addTraining(jobs, mine, { scalingFactor: 0 });
    await withScheduler({ ...jobs.services, roundMs: 50 }, async (scheduler) => {
      const waits = () => scheduler.running().filter(({ key }) => scheduler.waitingReason(key) !== null).length;
      await until(() => waits() === 2, "the waiting of both");
      const { key } = insertTrainingJob(
        jobs.database,
        {
          ...{ key: randomUUID(), userKey: jobs.bob, datasetKey: others, targetPerformance: null },
          ...{ scalingFactor: 0, seed: 7, timeLimitSeconds: 600 },
        },
        new Date(),
      )!;
      const end = () => findOwnedTrainingJob(jobs.database, jobs.bob, key)!.status;
      await until(() => end() === "COMPLETED", "the training of another");
      expect(waits()).toBe(2);
    });
  });
});

test("a training begins only where there may be room, and a refinement ends with what it needs", async () => {
  await withJobState(async (jobs) => {
    const { database, ann } = jobs;
    const datasetKey = await readyDataset(jobs);
    const used = Buffer.byteLength(TABLE);
    limit(jobs, used + LEAST_MODEL_BYTES - 1);
    const unbegun = addTraining(jobs, datasetKey, { scalingFactor: 0 });
    await train(jobs);
    expect(trainingOf(jobs, unbegun)).toMatchObject({
      ...{ status: "FAILED", attemptsTotal: null },
      errorReason: expect.stringMatching(
        /^QUOTA_EXCEEDED: This needs 131072 bytes, and your files take \d+ of \d+ bytes\./,
      ),
    });

    const refinement = addRefinement(jobs, TABLE, TABLE);
    limit(jobs, 3 * used + 100);
    const run = claimNextRefinement(database, new Date())!;
    await runRefinement(run, startRun(pool, run.startedOn), jobs.services);
    expect(findOwnedRefinement(database, ann, refinement)).toMatchObject({
      state: "ERROR",
      errorReason: expect.stringMatching(/^QUOTA_EXCEEDED: /),
    });
    expect([filesIn(jobs, "models"), filesIn(jobs, "journals"), filesIn(jobs, "files").length]).toEqual([[], [], 3]);
    expect(jobs.services.quotas.roomOf(ann).freeBytes).toBe(100);
    expect(jobs.faults).toEqual([]);
  });
});

test("a prediction fails before it is scored where its input alone shows it, else with its result", async () => {
  await withJobState(async (jobs) => {
    const training = addTraining(jobs, await readyDataset(jobs), { scalingFactor: 0 });
    await train(jobs);
    const modelKey = trainingOf(jobs, training).modelKey!;
    const { freeBytes } = createQuotas(jobs.database, { ...UNLIMITED, quotaBytesPerUser: 1e9 }).roomOf(jobs.ann);
    const used = 1e9 - freeBytes!;
    const input = Buffer.byteLength(UNLABELLED);
    for (const room of [input + 10, 2 * input + 10]) {
      const { key } = addPrediction(jobs, modelKey, UNLABELLED);
      const predictionOf = () => findOwnedPrediction(jobs.database, jobs.ann, key)!;
      limit(jobs, used + room);
      await withScheduler(jobs.services, () => until(() => predictionOf().status === "FAILED", "the prediction"));
      expect(predictionOf().errorReason).toMatch(/^QUOTA_EXCEEDED: /);
      jobs.database.client.run("DELETE FROM predictions");
    }
    expect([filesIn(jobs, "results"), jobs.faults]).toEqual([[], []]);
  });
});
